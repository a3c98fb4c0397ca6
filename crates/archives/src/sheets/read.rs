//! The rows of a spreadsheet as texts.

use std::io::{self, Cursor, Read};

use calamine::{Data, DataRef, Reader, Xlsx, open_workbook_from_rs};
use zip::ZipArchive;

/// A spreadsheet has at most this many rows, …
const MOST_ROWS: usize = 100_000;
/// … columns, …
const MOST_COLUMNS: usize = 2_000;
/// … and bytes of text.
const MOST_BYTES: usize = 256 << 20;
/// What stands beside the sheets of a workbook, most of it the texts that cells share, has at most this many bytes: it is read as a
/// whole. Packed, it can have a thousandth of them.
const MOST_SHARED: u64 = 64 << 20;
/// The folder of the sheets in a workbook, which are read cell by cell.
const SHEETS: &str = "xl/worksheets/";

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Xlsx,
}

impl Format {
    /// The format that a client names, in short or as a media type.
    pub(crate) fn of(content_type: &str) -> Option<Self> {
        let lower = content_type.to_ascii_lowercase();
        if lower.contains("csv") {
            Some(Self::Csv)
        } else if lower.contains("xlsx") || lower.contains("spreadsheetml") {
            Some(Self::Xlsx)
        } else {
            None
        }
    }
}

/// Why a spreadsheet cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SheetError {
    #[error("This spreadsheet has some invalid or corrupt text that cannot be processed.")]
    Text,
    #[error("No header (field codes) row found; are you using the correct template?")]
    NoHeader,
    #[error("This spreadsheet has duplicate ArchivesSpace field codes: {0}")]
    Duplicates(String),
    #[error("There is no sheet '{0}'")]
    NoSheet(String),
    #[error(
        "This spreadsheet is too large: it may have {MOST_ROWS} rows with {MOST_COLUMNS} columns, and 256 MB of text, 64 MB \
         of it in texts that cells share"
    )]
    TooLarge,
    #[error("The spreadsheet cannot be read: {0}")]
    Broken(String),
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Row {
    /// From 1.
    pub number: usize,
    /// Without spaces around them; none for an empty cell.
    pub cells: Vec<Option<String>>,
}

/// The rows of a file; of a workbook those of a sheet, or of its first one. Rows without anything may be left out.
///
/// # Errors
/// The file is not what it is said to be, or too large.
pub(crate) fn rows(content: Vec<u8>, format: Format, sheet: Option<&str>) -> Result<Vec<Row>, SheetError> {
    match format {
        Format::Csv => csv_rows(&content),
        Format::Xlsx => xlsx_rows(content, sheet),
    }
}

fn cell(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn csv_rows(content: &[u8]) -> Result<Vec<Row>, SheetError> {
    let text = std::str::from_utf8(content).map_err(|_| SheetError::Text)?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| SheetError::Broken(error.to_string()))?;
        if rows.len() >= MOST_ROWS || record.len() > MOST_COLUMNS {
            return Err(SheetError::TooLarge);
        }
        rows.push(Row { number: rows.len() + 1, cells: record.iter().map(cell).collect() });
    }
    Ok(rows)
}

fn xlsx_rows(content: Vec<u8>, sheet: Option<&str>) -> Result<Vec<Row>, SheetError> {
    measured(&content)?;
    let broken = |error: calamine::XlsxError| SheetError::Broken(error.to_string());
    let mut workbook: Xlsx<_> = open_workbook_from_rs(Cursor::new(content)).map_err(broken)?;
    let names = workbook.sheet_names();
    let name = match sheet {
        Some(wanted) => names.into_iter().find(|name| name == wanted),
        None => names.into_iter().next(),
    };
    let name = name.ok_or_else(|| SheetError::NoSheet(sheet.unwrap_or_default().to_owned()))?;
    let mut cells = workbook.worksheet_cells_reader(&name).map_err(broken)?;
    let mut rows: Vec<Row> = Vec::new();
    let mut bytes = 0;
    // Cells come one by one, so that a cell far away costs nothing.
    while let Some(found) = cells.next_cell().map_err(broken)? {
        let (row, column) = (found.get_position().0 as usize, found.get_position().1 as usize);
        let Some(text) = text_of(found.get_value()).as_deref().and_then(cell) else { continue };
        bytes += text.len();
        if rows.last().is_none_or(|last| last.number != row + 1) {
            rows.push(Row { number: row + 1, cells: Vec::new() });
        }
        if rows.len() > MOST_ROWS || column >= MOST_COLUMNS || bytes > MOST_BYTES {
            return Err(SheetError::TooLarge);
        }
        if let Some(last) = rows.last_mut() {
            last.cells.resize(last.cells.len().max(column + 1), None);
            last.cells[column] = Some(text);
        }
    }
    Ok(rows)
}

/// Refuses a workbook that would not fit in memory. What its parts say of their size is not believed.
fn measured(content: &[u8]) -> Result<(), SheetError> {
    let broken = |error: String| SheetError::Broken(error);
    let mut parts = ZipArchive::new(Cursor::new(content)).map_err(|error| broken(error.to_string()))?;
    let mut room = MOST_SHARED;
    for number in 0..parts.len() {
        let part = parts.by_index(number).map_err(|error| broken(error.to_string()))?;
        if part.name().is_ok_and(|name| name.starts_with(SHEETS)) {
            continue;
        }
        let read = io::copy(&mut part.take(room + 1), &mut io::sink()).map_err(|error| broken(error.to_string()))?;
        room = room.checked_sub(read).ok_or(SheetError::TooLarge)?;
    }
    Ok(())
}

/// A cell as people see it: whole numbers without a point, days as ISO dates.
fn text_of(value: &DataRef<'_>) -> Option<String> {
    Some(match Data::from(value.clone()) {
        Data::Int(number) => number.to_string(),
        Data::Float(number) => number.to_string(),
        Data::String(text) => text,
        Data::Bool(value) => value.to_string(),
        Data::DateTime(moment) if moment.is_datetime() => {
            let (year, month, day, ..) = moment.to_ymd_hms_milli();
            format!("{year:04}-{month:02}-{day:02}")
        }
        Data::DateTime(length) => length.as_f64().to_string(),
        Data::DateTimeIso(text) | Data::DurationIso(text) => text,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(row: &Row) -> Vec<&str> {
        row.cells.iter().map(|cell| cell.as_deref().unwrap_or("-")).collect()
    }

    #[test]
    fn a_csv_file_has_rows() {
        let found = rows("\u{feff}a, b ,\"c\nd\"\n,,\nx\n".into(), Format::Csv, None).expect("rows");
        assert_eq!(found.iter().map(texts).collect::<Vec<_>>(), [vec!["a", "b", "c\nd"], vec!["-"; 3], vec!["x"]]);
        assert_eq!(found.iter().map(|row| row.number).collect::<Vec<_>>(), [1, 2, 3]);
        assert_eq!(rows(vec![0xff, 0xfe, 0x41], Format::Csv, None), Err(SheetError::Text));
    }

    #[test]
    fn a_workbook_has_rows() {
        let mut workbook = rust_xlsxwriter::Workbook::new();
        let sheet = workbook.add_worksheet();
        sheet.set_name("First").expect("a name");
        sheet.write(0, 0, "code").expect("a cell");
        sheet.write(0, 2, " title ").expect("a cell");
        sheet.write(3, 1, 12.0).expect("a cell");
        sheet.write(3, 2, 1.5).expect("a cell");
        sheet.write(3, 3, true).expect("a cell");
        let day = rust_xlsxwriter::ExcelDateTime::from_ymd(1999, 12, 31).expect("a day");
        sheet
            .write_with_format(3, 4, &day, &rust_xlsxwriter::Format::new().set_num_format("yyyy-mm-dd"))
            .expect("a cell");
        sheet.write(1_000_000, 0, "far away").expect("a cell");
        let content = workbook.save_to_buffer().expect("a workbook");
        let found = rows(content.clone(), Format::Xlsx, None).expect("rows");
        assert_eq!(
            found.iter().map(|row| (row.number, texts(row))).collect::<Vec<_>>(),
            [
                (1, vec!["code", "-", "title"]),
                (4, vec!["-", "12", "1.5", "true", "1999-12-31"]),
                (1_000_001, vec!["far away"])
            ]
        );
        assert_eq!(rows(content, Format::Xlsx, Some("Other")), Err(SheetError::NoSheet("Other".to_owned())));
        assert!(matches!(rows(b"no workbook".to_vec(), Format::Xlsx, None), Err(SheetError::Broken(_))));
    }

    #[test]
    fn a_workbook_of_much_shared_text_is_refused() {
        let mut workbook = rust_xlsxwriter::Workbook::new();
        let sheet = workbook.add_worksheet();
        let text = "x".repeat(32_000);
        for row in 0..2_200 {
            sheet.write(row, 0, format!("{row}{text}")).expect("a cell");
        }
        let content = workbook.save_to_buffer().expect("a workbook");
        assert!(content.len() < 2 << 20, "{}", content.len());
        assert_eq!(rows(content, Format::Xlsx, None), Err(SheetError::TooLarge));
    }

    #[test]
    fn formats_are_named_in_short_or_as_media_types() {
        let workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
        for (named, format) in [
            ("csv", Some(Format::Csv)),
            ("text/csv", Some(Format::Csv)),
            ("xlsx", Some(Format::Xlsx)),
            (workbook, Some(Format::Xlsx)),
            ("pdf", None),
        ] {
            assert_eq!(Format::of(named), format, "{named}");
        }
    }
}
