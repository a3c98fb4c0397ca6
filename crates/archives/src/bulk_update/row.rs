//! The cells of a row, and what of the library they name.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Value, json};

use super::{
    Problem,
    columns::{About, Column},
};
use crate::sheets::Line;

/// The identifier of an accession.
pub(crate) type Identifier = [Option<String>; 4];

/// Type, indicator and barcode of a container.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Container {
    pub kind: Option<String>,
    pub indicator: Option<String>,
    pub barcode: Option<String>,
}

/// What of the library a sheet names.
#[derive(Debug, Default)]
pub(crate) struct Library {
    /// Addresses of the containers of the resource, and of those that the job makes.
    pub containers: BTreeMap<Container, String>,
    /// Addresses of digital objects by identifier.
    pub digital_objects: HashMap<String, String>,
    /// Addresses of accessions.
    pub accessions: HashMap<Identifier, String>,
}

/// Values by member.
pub(super) type Cells = BTreeMap<&'static str, Option<String>>;

/// The cells of a row by what they are about.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub number: usize,
    pub component: Vec<(Column, Option<String>)>,
    pub notes: Vec<(Column, Option<String>)>,
    pub parts: BTreeMap<&'static str, BTreeMap<usize, Cells>>,
    pub instances: BTreeMap<usize, Cells>,
    pub digital: BTreeMap<usize, Cells>,
    pub accessions: BTreeMap<usize, Cells>,
    pub languages: BTreeMap<usize, Cells>,
    pub language_notes: BTreeMap<usize, Cells>,
}

impl Row {
    /// Reads a row; cells that cannot be read are problems.
    pub(super) fn of(line: &Line<'_>, columns: &[Column], problems: &mut Vec<Problem>) -> Self {
        let mut row = Self { number: line.number, ..Self::default() };
        for column in columns {
            let path = column.path();
            let value = match column.value(line.get(&path)) {
                Ok(value) => value,
                Err(why) => {
                    problems.push(Problem::at(line.number, &path, why));
                    continue;
                }
            };
            let groups = match column.about {
                About::Component => {
                    row.component.push((*column, value));
                    continue;
                }
                About::Note(_) => {
                    row.notes.push((*column, value));
                    continue;
                }
                About::Part(list) => row.parts.entry(list).or_default(),
                About::Instance => &mut row.instances,
                About::Digital => &mut row.digital,
                About::Accession => &mut row.accessions,
                About::Language => &mut row.languages,
                About::LanguageNote => &mut row.language_notes,
            };
            groups.entry(column.index).or_default().insert(column.member, value);
        }
        row
    }
}

pub(super) fn is_empty(cells: &Cells) -> bool {
    cells.values().all(Option::is_none)
}

/// Whether a member has the value; a missing one has none, and so has an empty text.
pub(super) fn has(record: &Value, member: &str, value: Option<&str>) -> bool {
    record[member].as_str().filter(|text| !text.is_empty()) == value
}

pub(super) fn set(record: &mut Value, member: &str, value: Option<&str>) {
    if let Value::Object(record) = record {
        match value {
            Some(value) => record.insert(member.to_owned(), value.into()),
            None => record.shift_remove(member),
        };
    }
}

pub(super) fn list<'a>(record: &'a mut Value, member: &str) -> &'a mut Vec<Value> {
    if !record[member].is_array() {
        record[member] = json!([]);
    }
    match &mut record[member] {
        Value::Array(list) => list,
        _ => unreachable!("it was made a list"),
    }
}

/// The identifier in the cells of an accession.
pub(super) fn identifier(cells: &Cells) -> Identifier {
    ["id_0", "id_1", "id_2", "id_3"].map(|part| cells.get(part).cloned().flatten())
}

/// The accessions that a row names.
pub(super) fn named_accessions(row: &Row) -> impl Iterator<Item = Identifier> {
    row.accessions.values().filter(|cells| !is_empty(cells)).map(identifier)
}
