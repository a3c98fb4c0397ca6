//! A report as lines: what is told of it, and below the heading of each row what the row says.

use std::io;

use serde_json::{Map, Value};

use super::{Head, Rows, cell, words};

/// A line of a report on paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Line {
    /// The next line begins a page.
    Page,
    /// The heading of a row.
    Heading(String),
    /// A name and what it is.
    Pair(String, String),
    /// An item of a list, so many steps from the left: names, which may be empty, and what they are.
    Item(u8, Vec<(String, String)>),
}

/// What is told of a report.
pub(super) fn told(head: &Head) -> impl Iterator<Item = Line> {
    head.info.iter().map(|(name, value)| Line::Pair(words(name), cell(value)))
}

/// The lines of a row.
fn of_row(head: &Head, row: &Map<String, Value>, is_first: bool) -> Vec<Line> {
    let mut lines = Vec::new();
    if head.pages && !is_first {
        lines.push(Line::Page);
    }
    let heading = row.get(head.heading).map(cell).filter(|text| !text.is_empty());
    lines.push(Line::Heading(heading.unwrap_or_else(|| "—".to_owned())));
    for (name, value) in row.iter().filter(|(_, value)| !value.is_null()) {
        match value {
            Value::Array(items) => {
                lines.push(Line::Pair(words(name), String::new()));
                items.iter().for_each(|item| of_item(item, 1, &mut lines));
            }
            other => lines.push(Line::Pair(words(name), cell(other))),
        }
    }
    lines
}

/// An item of a list, and below it the lists in it.
fn of_item(item: &Value, depth: u8, lines: &mut Vec<Line>) {
    let Value::Object(members) = item else {
        return lines.push(Line::Item(depth, vec![(String::new(), cell(item))]));
    };
    let members = || members.iter().filter(|(_, value)| !value.is_null());
    let texts = members().filter(|(_, value)| !value.is_array());
    lines.push(Line::Item(depth, texts.map(|(name, value)| (words(name), cell(value))).collect()));
    for (name, value) in members() {
        let Value::Array(items) = value else { continue };
        let below = depth.saturating_add(1);
        lines.push(Line::Item(below, vec![(words(name), String::new())]));
        items.iter().for_each(|item| of_item(item, below.saturating_add(1), lines));
    }
}

/// The lines of all rows.
pub(super) fn lines(head: &Head, rows: &Rows) -> io::Result<impl Iterator<Item = io::Result<Line>> + use<>> {
    let head = head.clone();
    let of_rows = rows.rows()?.enumerate().flat_map(move |(place, row)| {
        let lines: Vec<io::Result<Line>> = match row {
            Ok(row) => of_row(&head, &row, place == 0).into_iter().map(Ok).collect(),
            Err(error) => vec![Err(error)],
        };
        lines
    });
    Ok(of_rows)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{head, spooled};
    use super::*;

    #[test]
    fn lists_are_items_below_their_name() {
        let mut head = head(&json!({"total_count": 2}));
        head.pages = true;
        let rows = spooled(&[
            json!({"record_title": "One", "none": null, "places": [{"room": "1", "_x": "y", "boxes": [{"n": 1}]}]}),
            json!({"record_title": null}),
        ]);
        let found: Vec<Line> = lines(&head, &rows).expect("lines").map(|line| line.expect("a line")).collect();
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let expected = [
            Line::Heading("One".to_owned()),
            Line::Pair("Record title".to_owned(), "One".to_owned()),
            Line::Pair("Places".to_owned(), String::new()),
            Line::Item(1, vec![pair("Room", "1"), pair("", "y")]),
            Line::Item(2, vec![pair("Boxes", "")]),
            Line::Item(3, vec![pair("N", "1")]),
            Line::Page,
            Line::Heading("—".to_owned()),
        ];
        assert_eq!(found, expected);
        assert_eq!(told(&head).collect::<Vec<_>>(), [Line::Pair("Total count".to_owned(), "2".to_owned())]);
    }
}
