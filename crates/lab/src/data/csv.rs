//! Rows from a CSV file with column names in the first line.

use std::{fs, path::Path};

use super::{DataError, pool::Row};

/// Reads the requested columns and ignores others.
///
/// # Errors
/// The file is unreadable, lacks a column, or has a short line or an unclosed quote.
pub fn read(file: &Path, columns: &[String]) -> Result<Vec<Row>, DataError> {
    let error = |message: String| DataError::File { file: file.to_owned(), message };
    let text = fs::read_to_string(file).map_err(|source| error(source.to_string()))?;
    let mut lines = records(&text).map_err(|line| error(format!("line {line}: a quote is not closed")))?;
    if lines.is_empty() {
        return Err(error("it is empty; the first line names the columns".to_owned()));
    }
    let (_, names) = lines.remove(0);
    let place = |column: &String| {
        let place = names.iter().position(|name| name.trim_start_matches('\u{feff}').trim() == column);
        place.ok_or_else(|| {
            error(format!("the first line names no column {column:?}; needed are {}", columns.join(", ")))
        })
    };
    let places: Vec<usize> = columns.iter().map(place).collect::<Result<_, _>>()?;
    let row = |(line, values): (usize, Vec<String>)| {
        let value = |&place: &usize| values.get(place).cloned();
        let row: Option<Vec<String>> = places.iter().map(value).collect();
        row.map(Row::from).ok_or_else(|| error(format!("line {line}: too few columns")))
    };
    lines.into_iter().map(row).collect()
}

/// The records of a text (RFC 4180) with their first lines, without empty lines; or the line of an unclosed quote.
fn records(text: &str) -> Result<Vec<(usize, Vec<String>)>, usize> {
    let (mut all, mut record, mut value) = (Vec::new(), Vec::new(), String::new());
    let (mut line, mut begun, mut quoted) = (1, 1, false);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        line += usize::from(character == '\n');
        match character {
            '"' if quoted && characters.peek() == Some(&'"') => value.extend(characters.next()),
            '"' => quoted = !quoted,
            _ if quoted => value.push(character),
            ',' => record.push(std::mem::take(&mut value)),
            '\n' => end(&mut all, &mut record, &mut value, std::mem::replace(&mut begun, line)),
            '\r' => {}
            _ => value.push(character),
        }
    }
    end(&mut all, &mut record, &mut value, begun);
    if quoted { Err(begun) } else { Ok(all) }
}

fn end(all: &mut Vec<(usize, Vec<String>)>, record: &mut Vec<String>, value: &mut String, begun: usize) {
    if !record.is_empty() || !value.is_empty() {
        record.push(std::mem::take(value));
        all.push((begun, std::mem::take(record)));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn rows(text: &str) -> Result<Vec<Vec<String>>, String> {
        let mut file = tempfile::NamedTempFile::new().expect("a file");
        file.write_all(text.as_bytes()).expect("written");
        let columns = ["barcode", "id"].map(str::to_owned);
        let rows = read(file.path(), &columns).map_err(|error| error.to_string())?;
        Ok(rows.iter().map(|row| row.to_vec()).collect())
    }

    #[test]
    fn columns_are_found_by_name() {
        let text = "\u{feff}id,name,barcode\r\n1,\"a, \"\"b\"\"\",100\r\n\r\n2,,\"2\n00\"";
        assert_eq!(
            rows(text),
            Ok(vec![vec!["100".to_owned(), "1".to_owned()], vec!["2\n00".to_owned(), "2".to_owned()]])
        );
        assert_eq!(rows("id,barcode\n"), Ok(vec![]));
    }

    #[test]
    fn errors_have_a_line() {
        for (text, message) in [
            ("", "it is empty"),
            ("id,code\n1,2\n", "names no column \"barcode\""),
            ("id,barcode\n1,2\n3\n", "line 3: too few columns"),
            ("id,barcode\n1,\"2\n", "line 2: a quote is not closed"),
        ] {
            let error = rows(text).expect_err(text);
            assert!(error.contains(message), "{error}");
        }
    }
}
