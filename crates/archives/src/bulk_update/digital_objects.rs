//! The digital objects and containers that the rows of a sheet describe, each once.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{
    Problem,
    columns::Column,
    instances::container,
    row::{Cells, Container, Identifier, Row, has, is_empty, list, named_accessions, set},
};
use crate::sheets::Table;

/// What the rows of a sheet name.
#[derive(Debug, Default)]
pub(crate) struct Named {
    /// Ids of components with their rows.
    pub rows: Vec<(i64, usize)>,
    pub containers: BTreeSet<Container>,
    pub accessions: BTreeSet<Identifier>,
    /// What rows say of digital objects, by identifier; the last one counts.
    pub digital_objects: BTreeMap<String, Described>,
}

/// What a row says of a digital object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Described(Cells);

/// What all rows name; cells that cannot be read are told when their rows are carried out.
pub(crate) fn named(table: &Table, columns: &[Column], problems: &mut Vec<Problem>) -> Named {
    let mut named = Named::default();
    for line in table.lines() {
        match line.get("id").and_then(|id| id.parse().ok()) {
            Some(id) => named.rows.push((id, line.number)),
            None => problems.push(Problem::at(line.number, "id", "The id of the Archival Object is missing")),
        }
        let row = Row::of(&line, columns, &mut Vec::new());
        let containers = row.instances.values().map(container);
        named.containers.extend(containers.filter(|container| *container != Container::default()));
        named.accessions.extend(named_accessions(&row));
        for cells in row.digital.values().filter(|cells| !is_empty(cells)) {
            if let Some(Some(id)) = cells.get("digital_object_id") {
                named.digital_objects.insert(id.clone(), Described(cells.clone()));
            }
        }
    }
    named
}

impl Described {
    fn of(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_deref()
    }

    fn flag(&self, name: &str) -> bool {
        self.of(name) == Some("true")
    }

    /// Whether it says nothing but which one is meant.
    pub(crate) fn is_link(&self) -> bool {
        self.0.iter().all(|(name, value)| *name == "digital_object_id" || value.is_none())
    }

    fn has_file(&self) -> bool {
        self.of("file_version_file_uri").is_some() || self.of("file_version_caption").is_some()
    }

    fn file(&self) -> Value {
        json!({"jsonmodel_type": "file_version", "file_uri": self.of("file_version_file_uri"),
            "caption": self.of("file_version_caption"), "publish": self.flag("file_version_publish")})
    }

    /// A new digital object.
    pub(crate) fn record(&self, id: &str, uri: &str) -> Value {
        let files = if self.has_file() { vec![self.file()] } else { Vec::new() };
        json!({"jsonmodel_type": "digital_object", "uri": uri, "digital_object_id": id,
            "title": self.of("digital_object_title"), "publish": self.flag("digital_object_publish"),
            "file_versions": files})
    }

    /// Changes a digital object; returns whether anything changed.
    pub(crate) fn apply(&self, record: &mut Map<String, Value>) -> bool {
        let mut whole = Value::Object(std::mem::take(record));
        let before = whole.clone();
        let title = self.of("digital_object_title");
        if !has(&whole, "title", title) {
            set(&mut whole, "title", title);
        }
        let publish = self.flag("digital_object_publish");
        if (whole["publish"] == true) != publish {
            whole["publish"] = publish.into();
        }
        let files = list(&mut whole, "file_versions");
        match (files.first_mut(), self.has_file()) {
            (Some(file), true) => {
                set(file, "file_uri", self.of("file_version_file_uri"));
                set(file, "caption", self.of("file_version_caption"));
                file["publish"] = self.flag("file_version_publish").into();
            }
            (Some(_), false) => drop(files.remove(0)),
            (None, true) => files.push(self.file()),
            (None, false) => {}
        }
        let changed = whole != before;
        if let Value::Object(whole) = whole {
            *record = whole;
        }
        changed
    }
}
