//! What an instance has in the lists that are browsed (contract 1.7), and how a row is shown.

use search::{
    analysis::folded,
    lists::{Line, OF_ROW, entry},
};
use serde_json::{Map, Value, json};
use serde_json_borrow::Value as Record;

use crate::{
    lists::{Algorithm, BESIDE, COLUMNS, List, NONE},
    title::listed,
};

/// Longest subjects and names, and longest numbers, in characters; what follows is left out.
const LONGEST_TEXT: usize = 255;
const LONGEST_NUMBER: usize = 50;
/// Between the parts of a row: key, text without case and accents, and three that its list has.
const PART: &str = "\0";

/// A row of a list for an instance.
struct Entry {
    list: List,
    group: String,
    /// What it is ordered by.
    text: String,
    parts: [String; 3],
    tail: String,
}

/// The columns of the index with their values for an instance and its items.
pub(crate) fn entries(instance: &Record<'_>, items: &[Record<'_>]) -> Vec<(&'static str, String)> {
    let members = |name: &'static str| listed(instance.get(name)).iter();
    let subjects = members("subjects").filter_map(subject);
    let contributors = members("contributors").filter_map(contributor);
    let classifications = members("classifications").filter_map(classification);
    let all = subjects.chain(contributors).chain(classifications).chain(items.iter().filter_map(call_number));
    let mut found: Vec<(&'static str, String)> = all.flat_map(|entry| entry.columns()).collect();
    found.sort_unstable();
    found.dedup();
    found
}

impl Entry {
    fn columns(self) -> impl Iterator<Item = (&'static str, String)> {
        let columns = COLUMNS.iter().filter(move |(list, ..)| *list == self.list);
        let [first, second, third] = &self.parts;
        let rest = [&folded(&self.text), first, second, third].map(String::as_str).join(PART);
        columns.map(move |(_, order, column)| {
            let row = [&*order.key(&self.text), &*rest].join(PART);
            (*column, entry(&self.group, &row, &self.tail))
        })
    }
}

fn subject(of: &Record<'_>) -> Option<Entry> {
    let text = text(of.get("value"), LONGEST_TEXT)?;
    let group = format!("{}{BESIDE}{}", id(of.get("sourceId")), id(of.get("typeId")));
    let parts = [id(of.get("authorityId")), text.clone(), String::new()];
    Some(Entry { list: List::Subjects, group, text, parts, tail: String::new() })
}

fn contributor(of: &Record<'_>) -> Option<Entry> {
    let text = text(of.get("name"), LONGEST_TEXT)?;
    let parts = [id(of.get("authorityId")), text.clone(), String::new()];
    let tail = Some(id(of.get("contributorTypeId"))).filter(|id| id != NONE).unwrap_or_default();
    Some(Entry { list: List::Contributors, group: id(of.get("contributorNameTypeId")), text, parts, tail })
}

fn classification(of: &Record<'_>) -> Option<Entry> {
    let text = text(of.get("classificationNumber"), LONGEST_NUMBER)?;
    let parts = [text.clone(), String::new(), String::new()];
    let group = id(of.get("classificationTypeId"));
    Some(Entry { list: List::Classifications, group, text, parts, tail: String::new() })
}

fn call_number(of: &Record<'_>) -> Option<Entry> {
    let number = of.get("effectiveCallNumberComponents");
    let call_number = text(number.get("callNumber"), LONGEST_NUMBER)?;
    let beside = |name: &'static str| text(number.get(name), LONGEST_TEXT).unwrap_or_default();
    let parts = [call_number, beside("prefix"), beside("suffix")];
    let group = format!("{}{OF_ROW}{}", id(number.get("typeId")), id(of.get("effectiveLocationId")));
    let text = full([&parts[0], &parts[2]]);
    Some(Entry { list: List::CallNumbers, group, text, parts, tail: String::new() })
}

/// A call number with its suffix; mod-search leaves the prefix out.
fn full(parts: [&str; 2]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

/// A text without what separates parts; `None` if nothing is left.
fn text(value: &Record<'_>, longest: usize) -> Option<String> {
    let text: String =
        value.as_str()?.trim().chars().take(longest).map(|c| if c <= BESIDE { ' ' } else { c }).collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn id(value: &Record<'_>) -> String {
    text(value, LONGEST_NUMBER).unwrap_or_else(|| NONE.to_owned())
}

/// What the rows that begin with a text begin with, in an order of the list; what is ordered just after them ends otherwise.
pub(crate) fn place(order: Algorithm, text: &str, is_after: bool) -> String {
    let text: String = text.chars().map(|c| if c <= BESIDE { ' ' } else { c }).collect();
    let end = if is_after { "\u{1}" } else { PART };
    format!("{}{PART}{}{end}", order.key(&text), folded(&text))
}

/// The parts of a row, the key left out.
fn parts(line: &Line) -> [&str; 4] {
    let mut parts = line.row.split(PART).skip(1);
    [(); 4].map(|()| parts.next().unwrap_or_default())
}

/// The text of a row without case and accents.
pub(crate) fn folded_text(row: &str) -> &str {
    row.split(PART).nth(1).unwrap_or_default()
}

/// The value that a row is found by.
pub(crate) fn value(list: List, line: &Line) -> String {
    let [_, first, second, third] = parts(line);
    match list {
        List::Subjects | List::Contributors => second.to_owned(),
        List::Classifications => first.to_owned(),
        List::CallNumbers => full([first, third]),
    }
}

/// A row as clients read it, with the title of its only instance.
pub(crate) fn shown(list: List, line: &Line, is_anchor: bool, title: Option<&str>) -> Value {
    let [_, first, second, third] = parts(line);
    let mut shown = Map::new();
    let mut add = |name: &str, value: &str| {
        if !value.is_empty() {
            shown.insert(name.to_owned(), value.into());
        }
    };
    let authority = if first == NONE { "" } else { first };
    let field = |name: &str| list.value_in(&line.group, name).unwrap_or_default();
    match list {
        List::Subjects => {
            add("value", second);
            add("authorityId", authority);
            add("sourceId", &field("sourceId"));
            add("typeId", &field("typeId"));
        }
        List::Contributors => {
            add("name", second);
            add("contributorNameTypeId", &field("contributorNameTypeId"));
            add("authorityId", authority);
            shown.insert("contributorTypeId".to_owned(), json!(line.tails));
        }
        List::Classifications => {
            add("classificationNumber", first);
            add("classificationTypeId", &field("typeId"));
        }
        List::CallNumbers => {
            add("fullCallNumber", &full([first, third]));
            add("callNumber", first);
            add("callNumberPrefix", second);
            add("callNumberSuffix", third);
            add("callNumberTypeId", &field("callNumberTypeId"));
        }
    }
    if let Some(title) = title {
        shown.insert("instanceTitle".to_owned(), title.into());
    }
    // Of names it is always there.
    if is_anchor || list == List::Contributors {
        shown.insert("isAnchor".to_owned(), is_anchor.into());
    }
    shown.insert("totalRecords".to_owned(), line.documents.into());
    Value::Object(shown)
}

/// Whether a row of a list says more than its text: whose it is, or of which kind.
pub(crate) fn says_more(list: List, line: &Line) -> bool {
    let has_authority = parts(line)[1] != NONE;
    has_authority
        || !line.tails.is_empty()
        || list.grouped_by().iter().any(|field| list.value_in(&line.group, field).is_some())
}

/// The row that stands where a value would be that no instance has.
pub(crate) fn missing(list: List, value: &str) -> Value {
    let name = if list == List::Classifications { "classificationNumber" } else { list.target() };
    let mut shown = json!({name: value, "isAnchor": true, "totalRecords": 0});
    if list == List::Contributors {
        // Of names it is always there.
        shown["contributorTypeId"] = json!([]);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_is_in_lists_with_what_it_has() {
        let instance = json!({
            "subjects": [{"value": " Música ", "typeId": "t"}, {"value": "  "}, {"value": " Música ", "typeId": "t"}],
            "contributors": [{"name": "A\u{1}b", "contributorNameTypeId": "n", "contributorTypeId": "c", "authorityId": "a"}],
            "classifications": [{"classificationNumber": "PN2 .A6", "classificationTypeId": "k"}],
        });
        let item = json!({"effectiveLocationId": "l", "effectiveCallNumberComponents":
            {"callNumber": "394.1 O41b", "prefix": "P", "suffix": " S ", "typeId": null}});
        let other = json!({"effectiveCallNumberComponents": {"callNumber": " "}});
        let found = entries(&(&instance).into(), &[(&item).into(), (&other).into()]);
        let expected = [
            ("list.callNumbers", "~\u{1}l\0\u{0}394.1 o41b s\u{0}394.1 O41b\0P\0S\0"),
            ("list.classifications", "k\0\0pn2 .a6\0PN2 .A6\0\0\0"),
            ("list.classifications/lc", "k\0pn 12 a6\0pn2 .a6\0PN2 .A6\0\0\0"),
            ("list.contributors", "n\0\0a b\0a\0A b\0\0c"),
            ("list.subjects", "~\u{2}t\0\0musica\0~\0Música\0\0"),
        ];
        for (column, value) in expected {
            assert!(found.contains(&(column, value.to_owned())), "{column}: {found:?}");
        }
        assert_eq!(found.len(), 10);
    }

    #[test]
    fn long_values_are_cut() {
        let instance = json!({"subjects": [{"value": "ä".repeat(300)}]});
        let found = entries(&(&instance).into(), &[]);
        assert!(found[0].1.contains(&"ä".repeat(255)) && !found[0].1.contains(&"ä".repeat(256)));
    }
}
