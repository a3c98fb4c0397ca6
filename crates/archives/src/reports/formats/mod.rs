//! A report in its format. What is told at its head is known only at its end, so its rows wait in a file ([`Spool`]).
//!
//! | Format | Module |
//! |---|---|
//! | json, and where rows wait | this one |
//! | csv, with the lists of a row in lines of their own | [`csv`] |
//! | html | [`html`] |
//! | rtf and pdf: what is read line by line | [`outline`], [`rtf`], [`paper`] |

mod csv;
mod html;
mod outline;
mod paper;
mod rtf;

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Seek, Write},
    path::Path,
};

use print::PrintError;
use serde_json::{Map, Value};

/// The formats that a report can have.
pub(crate) const FORMATS: [&str; 5] = ["json", "csv", "html", "pdf", "rtf"];

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Csv,
    Html,
    Pdf,
    Rtf,
}

impl Format {
    /// The format with this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "json" => Self::Json,
            "csv" => Self::Csv,
            "html" => Self::Html,
            "pdf" => Self::Pdf,
            "rtf" => Self::Rtf,
            _ => return None,
        })
    }
}

/// What a report is beside its rows.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub title: &'static str,
    /// What is told of it.
    pub info: Map<String, Value>,
    /// The column that is the heading of a row on paper.
    pub heading: &'static str,
    /// Whether each row begins a page on paper.
    pub pages: bool,
    /// Whether the lists of a row stay in one cell of a table, as JSON.
    pub lists_as_json: bool,
}

/// Why a report was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotWritten {
    #[error("The report cannot be written: {0}")]
    File(#[from] io::Error),
    /// It is too long for its format.
    #[error("{0}")]
    TooLong(String),
    #[error("the report was canceled")]
    Canceled,
}

impl From<PrintError> for NotWritten {
    fn from(error: PrintError) -> Self {
        match error {
            PrintError::Read(error) => Self::File(error),
            PrintError::Canceled => Self::Canceled,
            PrintError::TooLong(pages) => {
                Self::TooLong(format!("The report would have more than {pages} pages; choose another format"))
            }
            other => Self::File(io::Error::other(other.to_string())),
        }
    }
}

/// Rows that wait in a file without a name, one on a line.
pub(crate) struct Spool {
    file: BufWriter<File>,
    many: u64,
}

impl Spool {
    /// An empty one in the folder, or in the system's folder for temporary files.
    pub(crate) fn new(folder: Option<&Path>) -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(temporary(folder)?), many: 0 })
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, row: &Map<String, Value>) -> io::Result<()> {
        self.many += 1;
        serde_json::to_writer(&mut self.file, row)?;
        self.file.write_all(b"\n")
    }

    /// How many rows there are.
    pub(crate) fn many(&self) -> u64 {
        self.many
    }

    /// All rows, to be read.
    pub(crate) fn finish(self) -> io::Result<Rows> {
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Rows(file))
    }
}

/// The rows of a report. They are read one after the other, as often as a format needs them.
pub(crate) struct Rows(File);

impl Rows {
    /// The lines of all rows, from the first one on. Only one such reading goes on at a time.
    fn lines(&self) -> io::Result<impl Iterator<Item = io::Result<String>> + use<>> {
        let mut file = self.0.try_clone()?;
        file.rewind()?;
        Ok(BufReader::new(file).lines())
    }

    fn rows(&self) -> io::Result<impl Iterator<Item = io::Result<Map<String, Value>>> + use<>> {
        Ok(self.lines()?.map(|line| serde_json::from_str(&line?).map_err(io::Error::from)))
    }
}

/// What was written.
pub(crate) struct Written {
    pub file: File,
    /// Characters that no font of a report on paper has.
    pub missing: BTreeSet<char>,
}

/// Writes a report. `goes_on` is asked now and then; `false` cancels. It takes a processor while it runs; its memory does not grow
/// with the rows, except that of a pdf, which grows with its pages.
///
/// # Errors
/// [`NotWritten`].
pub(crate) fn write(
    format: Format,
    head: &Head,
    rows: &Rows,
    folder: Option<&Path>,
    goes_on: impl Fn() -> bool,
) -> Result<Written, NotWritten> {
    let mut out = BufWriter::new(temporary(folder)?);
    let mut missing = BTreeSet::new();
    match format {
        Format::Json => json(head, rows, &mut out)?,
        Format::Csv => csv::write(head, rows, &mut out)?,
        Format::Html => html::write(head, rows, &mut out)?,
        Format::Rtf => rtf::write(head, rows, &mut out)?,
        Format::Pdf => missing = paper::write(head, rows, &mut out, &goes_on)?,
    }
    Ok(Written { file: out.into_inner().map_err(io::IntoInnerError::into_error)?, missing })
}

fn json(head: &Head, rows: &Rows, out: &mut impl Write) -> io::Result<()> {
    write!(out, "{{\"info\":{},\"records\":[", Value::Object(head.info.clone()))?;
    for (place, line) in rows.lines()?.enumerate() {
        if place > 0 {
            out.write_all(b",")?;
        }
        out.write_all(line?.as_bytes())?;
    }
    out.write_all(b"]}")
}

fn temporary(folder: Option<&Path>) -> io::Result<File> {
    match folder {
        Some(folder) => tempfile::tempfile_in(folder),
        None => tempfile::tempfile(),
    }
}

/// What a cell shows: lists as JSON.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A column's name for people: `record_title` becomes `Record title`. Names that begin with `_` are not shown.
fn words(name: &str) -> String {
    if name.starts_with('_') {
        return String::new();
    }
    let text = name.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use serde_json::json;

    use super::*;

    pub(super) fn head(info: &Value) -> Head {
        Head {
            title: "Things",
            info: info.as_object().cloned().expect("an object"),
            heading: "record_title",
            pages: false,
            lists_as_json: false,
        }
    }

    pub(super) fn spooled(rows: &[Value]) -> Rows {
        let mut spool = Spool::new(None).expect("a file");
        for row in rows {
            spool.row(row.as_object().expect("an object")).expect("a row");
        }
        assert_eq!(spool.many(), rows.len() as u64);
        spool.finish().expect("rows")
    }

    pub(super) fn written(format: &str, head: &Head, rows: &[Value]) -> Result<String, NotWritten> {
        let format = Format::of(format).expect("a format");
        let mut file = write(format, head, &spooled(rows), None, || true)?.file;
        file.rewind()?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    #[test]
    fn json_has_the_rows_as_they_are() {
        let head = head(&json!({"repository": "A & B", "total_count": 2}));
        let rows = [json!({"record_title": "One, two", "names": [{"role": "<x>"}]}), json!({"record_title": null})];
        assert_eq!(
            written("json", &head, &rows).expect("a report"),
            "{\"info\":{\"repository\":\"A & B\",\"total_count\":2},\"records\":\
             [{\"record_title\":\"One, two\",\"names\":[{\"role\":\"<x>\"}]},{\"record_title\":null}]}"
        );
        assert!(written("json", &head, &[]).expect("a report").ends_with("\"records\":[]}"));
        assert!(FORMATS.iter().all(|name| Format::of(name).is_some()) && Format::of("xlsx").is_none());
    }
}
