//! Staged records as rows of tables: temporary addresses replaced by those of the records.

use std::{
    collections::{HashMap, HashSet},
    fs::File,
    io,
    os::unix::fs::FileExt,
};

use serde_json::{Map, Value, json};
use store::db::Unparsed;

use super::{
    ImportError,
    stage::{Staged, identifier},
};
use crate::{
    arks::{self, Numbering},
    model::{Uri, record_type},
    records::{Numbered, Place, Target},
    refusal::Refusal,
};

/// What the records of an import are called when they are saved.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    /// By entry.
    pub ids: Vec<i64>,
    /// Entries that are records of the library already, with their addresses.
    pub known: HashMap<u32, String>,
    /// By entry of a node: its place among its new siblings, from 1.
    pub slots: Vec<i64>,
    /// The highest ranks below nodes that are there already.
    pub ranks: HashMap<u64, i64>,
    /// By entry: new ARKs. None if the library makes no ARKs.
    pub arks: HashMap<u32, String>,
}

impl Numbers {
    /// The address of the saved record of an entry.
    pub(super) fn address(&self, staged: &Staged, entry: u32) -> String {
        if let Some(known) = self.known.get(&entry) {
            return known.clone();
        }
        let of = &staged.entries[entry as usize];
        let Some(kind) = record_type(of.kind) else { return String::new() };
        let repository = Some(staged.repository).filter(|_| kind.is_in_repository());
        Uri { repository, kind, id: self.ids[entry as usize] }.to_string()
    }
}

/// Rows of the three tables, by column.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub kinds: Vec<&'static str>,
    pub ids: Vec<i64>,
    pub repositories: Vec<Option<i64>>,
    /// As text: the thread that makes rows writes it, not the one that sends them.
    pub docs: Vec<Unparsed>,
    pub publish: Vec<bool>,
    pub root_kinds: Vec<Option<&'static str>>,
    pub roots: Vec<Option<i64>>,
    pub parents: Vec<Option<i64>>,
    /// The rank that the place among siblings is counted from.
    pub bases: Vec<Option<i64>>,
    pub slots: Vec<Option<i64>>,
    pub keys: Keys,
    pub references: References,
    /// Records that are not of the import, as `archival_missing` takes them.
    pub outside: Vec<Value>,
    /// ARKs that the source gives to its records.
    pub arks: Vec<GivenArk>,
    /// The first entry, for messages.
    pub first: usize,
}

/// An ARK that the source gives to a record.
#[derive(Debug)]
pub(super) struct GivenArk {
    /// As `archival_taken` takes it.
    pub key: Value,
    entry: usize,
    /// What the record calls itself.
    called: Option<String>,
}

impl GivenArk {
    /// Another record has it.
    pub(super) fn collides(&self, staged: &Staged) -> ImportError {
        let mut taken = self.key.clone();
        taken["ark"] = taken["at"].clone();
        let (named, message) = arks::collision(&taken);
        let refusal = Refusal::Taken(Map::from_iter([(named.to_owned(), json!([message]))]));
        staged.refused(self.entry, self.called.clone(), &refusal)
    }
}

/// Rows of keys.
#[derive(Debug, Default)]
pub(super) struct Keys {
    pub scopes: Vec<String>,
    pub values: Vec<String>,
    pub kinds: Vec<&'static str>,
    pub ids: Vec<i64>,
}

/// Rows of references.
#[derive(Debug, Default)]
pub(super) struct References {
    pub kinds: Vec<&'static str>,
    pub ids: Vec<i64>,
    /// 0 for records of no repository.
    pub repositories: Vec<i64>,
    pub properties: Vec<String>,
    pub roles: Vec<String>,
    pub target_kinds: Vec<&'static str>,
    pub target_ids: Vec<i64>,
}

/// Makes rows of entries.
pub(super) struct Maker<'a> {
    pub staged: &'a Staged,
    pub numbers: &'a Numbers,
    pub numbering: &'a Numbering,
    /// Addresses outside the import, and ARKs of the source, that were met before.
    pub met: HashSet<String>,
}

impl Maker<'_> {
    /// Adds the rows of an entry.
    pub(super) fn add(&mut self, entry: u32, rows: &mut Rows) -> Result<(), ImportError> {
        let place_of_entry = entry as usize;
        let of = &self.staged.entries[place_of_entry];
        let mut record = read(&self.staged.file, of.at, of.length)?;
        self.rewrite(&mut record, &mut rows.outside);
        let called = identifier(&record);
        let Value::Object(mut record) = record else { return Ok(()) };
        self.give_ark(entry, &mut record, called.as_ref(), rows)?;
        let in_repository = record_type(of.kind).is_some_and(crate::model::RecordType::is_in_repository);
        let place = Place { kind: of.kind, repository: Some(self.staged.repository).filter(|_| in_repository) };
        let terms = terms(of.kind, &record);
        let numbered = Numbered::of(place, record);
        let numbered = numbered.map_err(|refusal| self.staged.refused(place_of_entry, called, &refusal))?;
        let id = self.numbers.ids[place_of_entry];
        if rows.kinds.is_empty() {
            rows.first = place_of_entry;
        }
        rows.kinds.push(of.kind);
        rows.ids.push(id);
        rows.repositories.push(place.repository);
        let node = numbered.node.as_ref();
        rows.root_kinds.push(node.map(|node| node.root_kind));
        rows.roots.push(node.map(|node| node.root));
        rows.parents.push(node.and_then(|node| node.parent));
        rows.bases.push(of.node.map(|node| self.numbers.ranks.get(&node.above).copied().unwrap_or_default()));
        rows.slots.push(of.node.map(|_| self.numbers.slots[place_of_entry]));
        if of.node.is_some() {
            numbered.keys(place).into_iter().for_each(|key| rows.keys.push(key.scope, key.value, of.kind, id));
        }
        rows.references.add(numbered.targets, terms, place, id);
        rows.publish.push(numbered.record.get("publish").and_then(Value::as_bool).unwrap_or_default());
        rows.docs.push(Unparsed::of(&numbered.record).map_err(io::Error::from)?);
        Ok(())
    }

    /// Gives a new record an ARK: that of the source, or a new one.
    fn give_ark(
        &mut self,
        entry: u32,
        record: &mut Map<String, Value>,
        called: Option<&String>,
        rows: &mut Rows,
    ) -> Result<(), ImportError> {
        let Some(new) = self.numbers.arks.get(&entry) else { return Ok(()) };
        if self.numbering.settle(record) {
            self.numbering.give(record, new);
        }
        let place = entry as usize;
        let of = &self.staged.entries[place];
        for key in arks::keys(record) {
            let value = key["value"].as_str().unwrap_or_default();
            // Those of nodes are written with their other keys.
            if of.node.is_none() {
                rows.keys.push(arks::SCOPE.to_owned(), value.to_owned(), of.kind, self.numbers.ids[place]);
            }
            if value != new {
                let is_first = self.met.insert(value.to_owned());
                let given = GivenArk { key, entry: place, called: called.cloned() };
                if !is_first {
                    return Err(given.collides(self.staged));
                }
                rows.arks.push(given);
            }
        }
        Ok(())
    }

    /// Replaces temporary addresses, and notes the others.
    fn rewrite(&mut self, value: &mut Value, outside: &mut Vec<Value>) {
        match value {
            Value::String(text) if text.starts_with('/') => {
                if let Some(entry) = self.staged.addresses.get(text.as_str()) {
                    *text = self.numbers.address(self.staged, *entry);
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.rewrite(item, outside)),
            Value::Object(members) => {
                for (name, member) in members {
                    if matches!(name.as_str(), "ref" | "vocabulary")
                        && let Some(text) = member.as_str().filter(|text| !self.staged.addresses.contains_key(*text))
                        && let Some(target) = Uri::parse(text)
                        && self.met.insert(text.to_owned())
                    {
                        outside.push(json!({"kind": target.kind.name, "id": target.id, "uri": text}));
                    }
                    self.rewrite(member, outside);
                }
            }
            _ => {}
        }
    }
}

impl Keys {
    pub(super) fn push(&mut self, scope: String, value: String, kind: &'static str, id: i64) {
        self.scopes.push(scope);
        self.values.push(value);
        self.kinds.push(kind);
        self.ids.push(id);
    }
}

impl References {
    /// Adds what a record refers to, each once.
    fn add(&mut self, targets: Vec<Target>, terms: Vec<Uri>, of: Place, id: i64) {
        let targets = targets.into_iter().map(|target| (target.property, target.role, target.of));
        let terms = terms.into_iter().map(|term| ("terms".to_owned(), String::new(), term));
        let mut met = HashSet::new();
        for (property, role, target) in targets.chain(terms) {
            let kind = target.kind.name.as_str();
            if met.insert((property.clone(), role.clone(), kind, target.id)) {
                self.kinds.push(of.kind);
                self.ids.push(id);
                self.repositories.push(of.repository.unwrap_or_default());
                self.properties.push(property);
                self.roles.push(role);
                self.target_kinds.push(kind);
                self.target_ids.push(target.id);
            }
        }
    }
}

/// The terms of a subject, which it refers to.
fn terms(kind: &str, record: &Map<String, Value>) -> Vec<Uri> {
    let terms = record.get("terms").and_then(Value::as_array).filter(|_| kind == "subject");
    terms.into_iter().flatten().filter_map(|term| Uri::parse(term["uri"].as_str()?)).collect()
}

fn read(file: &File, at: u64, length: usize) -> Result<Value, ImportError> {
    let mut bytes = vec![0; length];
    file.read_exact_at(&mut bytes, at)?;
    serde_json::from_slice(&bytes).map_err(|error| ImportError::Disk(error.into()))
}

/// The first address that does not exist.
pub(super) fn missing(found: &Value) -> Option<Refusal> {
    found[0].as_str().map(|uri| Refusal::MissingReference(uri.to_owned()))
}
