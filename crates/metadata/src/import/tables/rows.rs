//! Rows with named cells.

use std::{
    collections::HashMap,
    io::{self, Chain, Read},
};

use serde_json::{Map, Value, json};

use super::super::{ImportError, record::set};

/// The largest row, in bytes.
const LARGEST_ROW: usize = 4 << 20;

/// A text whose lines all end the same way, so that they can be counted. It refuses to go on when one row takes too much.
struct Lines<R> {
    inner: R,
    /// The last byte was a carriage return.
    returned: bool,
    budget: usize,
}

impl<R: Read> Read for Lines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.budget == 0 {
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, "the row is too large"));
        }
        loop {
            let many = self.inner.read(into)?;
            self.budget = self.budget.saturating_sub(many);
            let mut kept = 0;
            for place in 0..many {
                let byte = into[place];
                let is_second = byte == b'\n' && self.returned;
                self.returned = byte == b'\r';
                if !is_second {
                    into[kept] = if self.returned { b'\n' } else { byte };
                    kept += 1;
                }
            }
            if kept > 0 || many == 0 {
                return Ok(kept);
            }
        }
    }
}

/// The rows of a table.
pub(super) struct Rows<R: Read> {
    reader: csv::Reader<Chain<Lines<R>, &'static [u8]>>,
    pub(super) headers: Vec<String>,
}

/// A row: what is in its cells, by the names of the columns.
#[derive(Debug, Default)]
pub(super) struct Row {
    /// Where it begins, from 1.
    pub(super) line: u64,
    cells: HashMap<String, String>,
}

/// How a cell is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum As {
    Text,
    /// 0 or 1; anything else is nothing.
    Bit,
    /// Yes in some way, or no.
    Yes,
    Integer,
    /// A number with two decimals.
    Real,
    /// A day that may be written as MM/DD/YYYY.
    Day,
}

impl<R: Read> Rows<R> {
    pub(super) fn new(input: R) -> Self {
        // The last line ends like the others.
        let lines = Lines { inner: input, returned: false, budget: LARGEST_ROW }.chain(b"\n".as_slice());
        let reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(lines);
        Self { reader, headers: Vec::new() }
    }

    /// The next row that is not empty, as it stands, and its line.
    pub(super) fn cells(&mut self) -> Result<Option<(u64, Vec<String>)>, ImportError> {
        loop {
            self.reader.get_mut().get_mut().0.budget = LARGEST_ROW;
            let mut record = csv::StringRecord::new();
            let began = self.reader.position().line();
            match self.reader.read_record(&mut record) {
                Ok(false) => return Ok(None),
                Ok(true) if record.iter().all(|cell| cell.trim().is_empty()) => {}
                Ok(true) => {
                    // The reader stands behind the row; where it began is not known if blank lines came first.
                    let within: usize = record.iter().map(|cell| cell.matches('\n').count()).sum();
                    let line = self.reader.position().line().saturating_sub(1 + within as u64);
                    return Ok(Some((line, record.iter().map(str::to_owned).collect())));
                }
                Err(error) => {
                    let line = error.position().map_or(began, csv::Position::line);
                    return Err(ImportError { line, identifier: None, reason: told(&error) });
                }
            }
        }
    }

    /// Reads the names of the columns.
    pub(super) fn read_headers(&mut self) -> Result<(), ImportError> {
        let (line, cells) = self.cells()?.ok_or_else(nothing)?;
        self.headers = cells.iter().map(|cell| cell.trim().to_owned()).collect();
        self.check_headers(line)
    }

    /// Refuses names that no column can have.
    pub(super) fn check_headers(&self, line: u64) -> Result<(), ImportError> {
        let is_name = |name: &str| {
            name.contains('_')
                && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
                && name.split('_').next().is_some_and(|first| first.bytes().all(|b| b.is_ascii_lowercase()))
        };
        let bad: Vec<&str> =
            self.headers.iter().map(String::as_str).filter(|name| !name.is_empty() && !is_name(name)).collect();
        if bad.is_empty() {
            return Ok(());
        }
        let reason = format!("not the names of columns: {}", bad.join(", "));
        Err(ImportError { line, identifier: None, reason })
    }

    /// The next row.
    pub(super) fn next(&mut self) -> Result<Option<Row>, ImportError> {
        let Some((line, cells)) = self.cells()? else { return Ok(None) };
        let named = self.headers.iter().zip(cells).filter(|(name, _)| !name.is_empty());
        // Nothing is told from `NULL`, as databases write it.
        let filled = named.filter(|(_, cell)| !cell.is_empty() && cell != "NULL");
        Ok(Some(Row { line, cells: filled.map(|(name, cell)| (name.clone(), cell)).collect() }))
    }
}

/// The file has no row with the names of its columns.
pub(super) fn nothing() -> ImportError {
    ImportError { line: 1, identifier: None, reason: "the file has no row that names its columns".to_owned() }
}

fn told(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Utf8 { .. } => "the file is not UTF-8".to_owned(),
        csv::ErrorKind::Io(io) if io.kind() == io::ErrorKind::FileTooLarge => {
            format!("the row is larger than {LARGEST_ROW} bytes; a quote may never be closed")
        }
        _ => error.to_string(),
    }
}

impl Row {
    /// A cell as it stands.
    pub(super) fn raw(&self, name: &str) -> Option<&str> {
        self.cells.get(name).map(String::as_str)
    }

    /// The text of a cell: its lines without blanks around them.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let text = self.raw(name)?.lines().map(str::trim).collect::<Vec<_>>().join("\n");
        Some(text).filter(|text| !text.is_empty())
    }

    /// Whether a cell says yes.
    pub(super) fn is_yes(&self, name: &str) -> bool {
        self.raw(name).is_some_and(is_yes)
    }

    /// A cell as a value.
    pub(super) fn value(&self, name: &str, how: As) -> Option<Value> {
        let raw = self.raw(name)?;
        match how {
            As::Text => self.text(name).map(Value::from),
            As::Bit => match raw.trim() {
                "0" => Some(json!(false)),
                "1" => Some(json!(true)),
                _ => None,
            },
            As::Yes => Some(json!(is_yes(raw))),
            As::Integer => Some(json!(leading(raw, false).parse::<i64>().unwrap_or_default())),
            As::Real => Some(json!(format!("{:.2}", leading(raw, true).parse::<f64>().unwrap_or_default()))),
            As::Day => Some(json!(day(raw.trim()))),
        }
    }

    /// Sets members from the columns with a prefix and their names.
    pub(super) fn put(&self, into: &mut Map<String, Value>, prefix: &str, members: &[(&str, As)]) {
        for (member, how) in members {
            if let Some(value) = self.value(&format!("{prefix}{member}"), *how) {
                set(into, member, value);
            }
        }
    }

    /// Whether a cell of a column with a prefix has something.
    pub(super) fn has(&self, prefix: &str) -> bool {
        self.cells.keys().any(|name| name.starts_with(prefix))
    }

    /// The columns with a name and nothing or a number behind it, in the order of the numbers.
    pub(super) fn numbered(&self, name: &str) -> Vec<(u32, String)> {
        let suffix = |column: &String| {
            let suffix = column.strip_prefix(name)?;
            let number = if suffix.is_empty() { 0 } else { suffix.strip_prefix('_')?.parse().ok()? };
            Some((number, suffix.to_owned()))
        };
        let mut found: Vec<_> = self.cells.keys().filter_map(suffix).collect();
        found.sort();
        found
    }

    /// What the record of the row calls itself.
    pub(super) fn called(&self) -> Option<String> {
        let names = [
            "accession_number_1",
            "digital_object_id",
            "accession_title",
            "digital_object_title",
            "term_1",
            "location_building",
        ];
        names.iter().find_map(|name| self.text(name))
    }
}

/// Whether a text says yes.
pub(super) fn is_yes(text: &str) -> bool {
    ["1", "T", "Y", "YES", "TRUE"].contains(&text.to_uppercase().as_str())
}

/// The number that a text begins with.
fn leading(text: &str, with_point: bool) -> &str {
    let text = text.trim();
    let (mut end, mut had_point) = (0, false);
    for (at, c) in text.char_indices() {
        let is_point = c == '.' && with_point && !had_point;
        had_point |= is_point;
        if !(c.is_ascii_digit() || is_point || (at == 0 && (c == '-' || c == '+'))) {
            break;
        }
        end = at + c.len_utf8();
    }
    text[..end].trim_start_matches('+').trim_end_matches('.')
}

/// A day of month, day and year, or the text itself.
fn day(text: &str) -> String {
    let parts: Vec<&str> = text.split('/').collect();
    let digits = |part: &str, many: std::ops::RangeInclusive<usize>| {
        many.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    match parts[..] {
        [month, day, year] if digits(month, 1..=2) && digits(day, 1..=2) && digits(year, 4..=4) => {
            format!("{year}-{month:0>2}-{day:0>2}")
        }
        _ => text.to_owned(),
    }
}

/// A day as spreadsheets write it; month and day are told apart where they can be. None if it is none.
pub(super) fn any_day(text: &str, year_now: i16) -> Option<String> {
    let text = text.trim();
    let (year, month, day): (i16, u8, u8) = if text.contains('/') {
        let mut parts = text.split('/');
        let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
        let year_number: i16 = year.trim().parse().ok()?;
        let century = if year_number > year_now % 100 { 1900 } else { 2000 };
        let year_number = if year.trim().len() == 2 { century + year_number } else { year_number };
        let (first, second): (u8, u8) = (first.trim().parse().ok()?, second.trim().parse().ok()?);
        if first > 12 { (year_number, second, first) } else { (year_number, first, second) }
    } else {
        let mut parts = text.split('-');
        let read = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        if parts.next().is_some() {
            return None;
        }
        read
    };
    let exists = (1..=12).contains(&month) && (1..=31).contains(&day);
    exists.then(|| format!("{year:04}-{month:02}-{day:02}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_numbers_are_read_as_they_are_written() {
        for (text, read) in [
            ("1/1/2000", Some("2000-01-01")),
            ("31/12/2005", Some("2005-12-31")),
            ("2/3/98", Some("1998-02-03")),
            ("2/3/08", Some("2008-02-03")),
            ("2000-01-01", Some("2000-01-01")),
            ("soon", None),
            ("13/13/2000", None),
        ] {
            assert_eq!(any_day(text, 2026).as_deref(), read, "{text}");
        }
        for (text, read) in [("1/2/2001", "2001-01-02"), ("2001-01-02", "2001-01-02"), ("unknown", "unknown")] {
            assert_eq!(day(text), read);
        }
        for (text, read) in [("12", "12"), ("-3.456 m", "-3.456"), (" 7 boxes", "7"), ("none", ""), ("1.2.3", "1.2")] {
            assert_eq!(leading(text, true), read, "{text}");
        }
        assert!(is_yes("yes") && is_yes("T") && !is_yes("no") && !is_yes("yes!"));
    }

    #[test]
    fn rows_have_lines_and_no_marks() {
        let text = "\u{feff}a_1,b_2\r\n\r\n\"x\ny\",NULL\r\n ,\r\nz,w,more\r\n";
        let mut rows = Rows::new(text.as_bytes());
        rows.read_headers().unwrap();
        assert_eq!(rows.headers, ["a_1", "b_2"]);
        let row = rows.next().unwrap().unwrap();
        assert_eq!((row.text("a_1").as_deref(), row.raw("b_2")), (Some("x\ny"), None));
        assert_eq!(row.line, 3);
        let row = rows.next().unwrap().unwrap();
        assert_eq!((row.line, row.raw("b_2")), (6, Some("w")));
        assert!(rows.next().unwrap().is_none());
        let mut rows = Rows::new("title,a_1\n".as_bytes());
        assert!(rows.read_headers().unwrap_err().reason.contains("title"));
        let mut rows = Rows::new(b"a_1\nb\xff\n".as_slice());
        rows.read_headers().unwrap();
        assert_eq!(rows.next().unwrap_err().reason, "the file is not UTF-8");
    }
}
