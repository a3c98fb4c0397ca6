//! A report as a table. As in ArchivesSpace a row with lists becomes several lines: one for each way to take an item of each list. Which
//! columns a list has is learned in a first run through the rows.

use std::io::{self, Write};

use serde_json::{Map, Value};

use super::{Head, NotWritten, Rows, cell};

/// A table has at most this many lines. Lists of one row multiply each other.
const MOST_LINES: u64 = 1_000_000;

/// A column, and those of the items if it is a list.
#[derive(Debug, PartialEq, Eq)]
struct Column {
    name: String,
    below: Vec<Column>,
}

type Line = Vec<String>;

/// The columns of a row; a list has those of its first item.
fn learn(columns: &mut Vec<Column>, row: &Map<String, Value>, is_first: bool) {
    if is_first {
        *columns = row.keys().map(|name| Column { name: name.clone(), below: Vec::new() }).collect();
    }
    for column in columns {
        let Some(Value::Array(items)) = row.get(&column.name) else { continue };
        for item in items.iter().filter_map(Value::as_object) {
            let is_first = column.below.is_empty();
            learn(&mut column.below, item, is_first);
        }
    }
}

fn names(columns: &[Column], before: &str, names: &mut Line) {
    for Column { name, below } in columns {
        let name = format!("{before}{name}");
        if below.is_empty() {
            names.push(name);
        } else {
            self::names(below, &format!("{name}_"), names);
        }
    }
}

/// How many cells a line has.
fn width(columns: &[Column]) -> usize {
    columns.iter().map(|column| if column.below.is_empty() { 1 } else { width(&column.below) }).sum()
}

/// What each column can be in the lines of a row.
fn choices(columns: &[Column], row: &Map<String, Value>) -> Result<Vec<Vec<Line>>, NotWritten> {
    let of_column = |column: &Column| {
        let value = row.get(&column.name).unwrap_or(&Value::Null);
        if column.below.is_empty() {
            return Ok(vec![vec![cell(value)]]);
        }
        let items = value.as_array().into_iter().flatten().filter_map(Value::as_object);
        let mut lines = Vec::new();
        for item in items {
            let choices = choices(&column.below, item)?;
            each(&choices, |line| {
                if lines.len() as u64 >= MOST_LINES {
                    return Err(too_long());
                }
                lines.push(line.to_vec());
                Ok(())
            })?;
        }
        if lines.is_empty() {
            lines.push(vec![String::new(); width(&column.below)]);
        }
        Ok(lines)
    };
    columns.iter().map(of_column).collect()
}

fn too_long() -> NotWritten {
    NotWritten::TooLong(format!(
        "The table would have more than {MOST_LINES} lines, because lists in a row multiply each other; \
         ask for it with csv_show_json, or in another format"
    ))
}

/// All ways to take one of each; the last one changes first.
fn each(choices: &[Vec<Line>], mut line: impl FnMut(&[String]) -> Result<(), NotWritten>) -> Result<(), NotWritten> {
    let mut places = vec![0; choices.len()];
    loop {
        let cells: Line = choices.iter().zip(&places).flat_map(|(lines, place)| lines[*place].clone()).collect();
        line(&cells)?;
        let Some(next) = (0..places.len()).rev().find(|at| places[*at] + 1 < choices[*at].len()) else { return Ok(()) };
        places[next] += 1;
        places[next + 1..].fill(0);
    }
}

pub(super) fn write(head: &Head, rows: &Rows, out: &mut impl Write) -> Result<(), NotWritten> {
    let mut columns = Vec::new();
    for (place, row) in rows.rows()?.enumerate() {
        let row = row?;
        match (head.lists_as_json, place) {
            (true, 0) => columns = row.keys().map(|name| Column { name: name.clone(), below: Vec::new() }).collect(),
            (true, _) => break,
            (false, _) => learn(&mut columns, &row, place == 0),
        }
    }
    let failed = |error: ::csv::Error| NotWritten::File(io::Error::other(error));
    let mut table = ::csv::WriterBuilder::new().flexible(true).from_writer(&mut *out);
    for (name, value) in &head.info {
        table.write_record([name.clone(), cell(value)]).map_err(failed)?;
    }
    let out = table.into_inner().map_err(|error| NotWritten::File(io::Error::other(error.to_string())))?;
    out.write_all(b"\n")?;
    if columns.is_empty() {
        return Ok(out.write_all(b"No results found.\n")?);
    }
    let mut table = ::csv::WriterBuilder::new().flexible(true).from_writer(out);
    let mut title = Line::new();
    names(&columns, "", &mut title);
    table.write_record(&title).map_err(failed)?;
    let mut many = 0;
    for row in rows.rows()? {
        each(&choices(&columns, &row?)?, |line| {
            many += 1;
            if many > MOST_LINES {
                return Err(too_long());
            }
            table.write_record(line).map_err(failed)
        })?;
    }
    Ok(table.flush()?)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{head, written};
    use super::*;

    #[test]
    fn lists_of_a_row_are_lines() {
        let rows = [
            json!({"title": "One, two", "names": null, "places": [{"room": "1", "boxes": [{"n": 1}, {"n": 2}]}, {"room": "2", "boxes": null}]}),
            json!({"title": "Three", "names": [{"role": "a"}, {"role": "b"}], "places": null}),
        ];
        let mut head = head(&json!({"total_count": 2}));
        let expected = "total_count,2\n\ntitle,names_role,places_room,places_boxes_n\n\"One, two\",,1,1\n\"One, two\",,1,2\n\
                        \"One, two\",,2,\nThree,a,,\nThree,b,,\n";
        assert_eq!(written("csv", &head, &rows).expect("a table"), expected);
        head.lists_as_json = true;
        let table = written("csv", &head, &rows[1..]).expect("a table");
        assert_eq!(
            table,
            "total_count,2\n\ntitle,names,places\nThree,\"[{\"\"role\"\":\"\"a\"\"},{\"\"role\"\":\"\"b\"\"}]\",\n"
        );
        assert!(written("csv", &head, &[]).expect("a table").ends_with("\n\nNo results found.\n"));
    }

    #[test]
    fn lists_that_multiply_each_other_too_often_are_refused() {
        let many: Vec<Value> = (0..1_100).map(|n| json!({"n": n})).collect();
        let refused = written("csv", &head(&json!({})), &[json!({"one": many, "other": many})]);
        assert!(matches!(refused, Err(NotWritten::TooLong(_))));
        let mut head = head(&json!({}));
        head.lists_as_json = true;
        assert!(written("csv", &head, &[json!({"one": many, "other": many})]).is_ok());
    }
}
