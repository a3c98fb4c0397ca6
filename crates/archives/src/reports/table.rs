//! Writes a report row by row. What is told at its head is known only at its end, so rows wait in a file.

use std::{
    fs::File,
    io::{self, BufWriter, Seek, Write},
    path::Path,
};

use serde_json::{Map, Value};

/// How a report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Json,
    Csv,
    Html,
}

impl Format {
    /// The format with this name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "json" => Self::Json,
            "csv" => Self::Csv,
            "html" => Self::Html,
            _ => return None,
        })
    }
}

/// A report that is written.
pub(crate) struct Table {
    format: Format,
    rows: BufWriter<File>,
    many: u64,
}

/// What a cell shows: lists as JSON.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn record(cells: &[String]) -> io::Result<Vec<u8>> {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    writer.write_record(cells)?;
    writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A column's name for people: `record_title` becomes `Record title`.
fn words(name: &str) -> String {
    let text = name.replace('_', " ");
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A value in a page; lists as tables of their own.
fn page(value: &Value) -> String {
    let Value::Array(items) = value else { return escaped(&cell(value)) };
    let items = items.iter().map(|item| {
        let Value::Object(members) = item else { return format!("<li>{}</li>", page(item)) };
        let shown = members.iter().filter(|(_, value)| !value.is_null());
        let texts: Vec<String> =
            shown.map(|(name, value)| format!("{}: {}", escaped(&words(name)), page(value))).collect();
        format!("<li>{}</li>", texts.join("; "))
    });
    format!("<ul>{}</ul>", items.collect::<String>())
}

impl Table {
    /// An empty report. Its rows wait in a file without a name in the folder, or in the system's folder for temporary files.
    pub(crate) fn begin(format: Format, folder: Option<&Path>) -> io::Result<Self> {
        Ok(Self { format, rows: BufWriter::new(temporary(folder)?), many: 0 })
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, row: &Map<String, Value>) -> io::Result<()> {
        let is_first = self.many == 0;
        self.many += 1;
        match self.format {
            Format::Json => {
                if !is_first {
                    self.rows.write_all(b",")?;
                }
                serde_json::to_writer(&mut self.rows, row).map_err(io::Error::from)
            }
            Format::Csv => {
                if is_first {
                    let names: Vec<String> = row.keys().cloned().collect();
                    self.rows.write_all(&record(&names)?)?;
                }
                let cells: Vec<String> = row.values().map(cell).collect();
                self.rows.write_all(&record(&cells)?)
            }
            Format::Html => {
                if is_first {
                    let names: String = row.keys().map(|name| format!("<th>{}</th>", escaped(&words(name)))).collect();
                    writeln!(self.rows, "<table><thead><tr>{names}</tr></thead><tbody>")?;
                }
                let cells: String = row.values().map(|value| format!("<td>{}</td>", page(value))).collect();
                writeln!(self.rows, "<tr>{cells}</tr>")
            }
        }
    }

    /// How many rows there are.
    pub(crate) fn many(&self) -> u64 {
        self.many
    }

    /// The whole report: what is told of it, and its rows.
    pub(crate) fn finish(self, title: &str, info: &Map<String, Value>, folder: Option<&Path>) -> io::Result<File> {
        let Self { format, rows, many } = self;
        let mut rows = rows.into_inner().map_err(io::IntoInnerError::into_error)?;
        rows.rewind()?;
        let mut out = BufWriter::new(temporary(folder)?);
        match format {
            Format::Json => {
                write!(out, "{{\"info\":{},\"records\":[", Value::Object(info.clone()))?;
                io::copy(&mut rows, &mut out)?;
                out.write_all(b"]}")?;
            }
            Format::Csv => {
                for (name, value) in info {
                    out.write_all(&record(&[name.clone(), cell(value)])?)?;
                }
                out.write_all(b"\n")?;
                if many == 0 {
                    out.write_all(b"No results found.\n")?;
                }
                io::copy(&mut rows, &mut out)?;
            }
            Format::Html => {
                let title = escaped(title);
                write!(
                    out,
                    "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>{title}</title></head><body>\n"
                )?;
                writeln!(out, "<h1>{title}</h1>\n<dl>")?;
                for (name, value) in info {
                    writeln!(out, "<dt>{}</dt><dd>{}</dd>", escaped(&words(name)), escaped(&cell(value)))?;
                }
                writeln!(out, "</dl>")?;
                io::copy(&mut rows, &mut out)?;
                let end = if many == 0 { "<p>No results found.</p>" } else { "</tbody></table>" };
                write!(out, "{end}\n</body></html>\n")?;
            }
        }
        out.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

fn temporary(folder: Option<&Path>) -> io::Result<File> {
    match folder {
        Some(folder) => tempfile::tempfile_in(folder),
        None => tempfile::tempfile(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use serde_json::json;

    use super::*;

    fn written(format: &str, rows: &[Value]) -> String {
        let mut table = Table::begin(Format::of(format).expect("a format"), None).expect("a table");
        for row in rows {
            table.row(row.as_object().expect("an object")).expect("a row");
        }
        let info = json!({"repository": "A & B", "total_count": table.many()});
        let mut file = table.finish("Things", info.as_object().expect("an object"), None).expect("a file");
        file.rewind().expect("the beginning");
        let mut text = String::new();
        file.read_to_string(&mut text).expect("a text");
        text
    }

    #[test]
    fn a_report_has_its_format() {
        let rows = [
            json!({"record_title": "One, two", "names": [{"role": "<x>"}]}),
            json!({"record_title": null, "names": []}),
        ];
        assert_eq!(
            written("json", &rows),
            "{\"info\":{\"repository\":\"A & B\",\"total_count\":2},\"records\":\
             [{\"record_title\":\"One, two\",\"names\":[{\"role\":\"<x>\"}]},{\"record_title\":null,\"names\":[]}]}"
        );
        assert_eq!(
            written("csv", &rows),
            "repository,A & B\ntotal_count,2\n\nrecord_title,names\n\"One, two\",\"[{\"\"role\"\":\"\"<x>\"\"}]\"\n,[]\n"
        );
        let page = written("html", &rows);
        assert!(page.contains("<th>Record title</th><th>Names</th>"), "{page}");
        assert!(page.contains("<dd>A &amp; B</dd>") && page.contains("<li>Role: &lt;x&gt;</li>"), "{page}");
        assert!(Format::of("pdf").is_none());
    }

    #[test]
    fn a_report_without_rows_says_so() {
        assert!(written("csv", &[]).ends_with("\n\nNo results found.\n"));
        assert!(written("html", &[]).contains("<p>No results found.</p>"));
        assert!(written("json", &[]).ends_with("\"records\":[]}"));
    }
}
