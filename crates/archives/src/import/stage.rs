//! The records of an import between reading and writing: checked, completed, and kept in a file without a name. What is
//! the same (an agent, a subject, a term, a container with a barcode) is kept once.

use std::{
    collections::{BTreeSet, HashMap},
    fs::File,
    hash::{DefaultHasher, Hash, Hasher},
    io::{BufWriter, Write},
    path::Path,
    sync::Arc,
};

use rand::Rng;
use serde_json::{Map, Value, json};

use super::{ImportError, Progress, Trouble, reason};
use crate::{
    model::{NewValue, Purpose, RecordType, ValueLists, check, record_type},
    nodes::tree_of_node,
    records::{Key, Place, complete, taken},
    refusal::Refusal,
};

/// The types that an import may bring.
const TYPES: &[&str] = &[
    "accession",
    "agent_corporate_entity",
    "agent_family",
    "agent_person",
    "agent_software",
    "archival_object",
    "assessment",
    "classification",
    "classification_term",
    "container_profile",
    "digital_object",
    "digital_object_component",
    "event",
    "location",
    "location_profile",
    "resource",
    "subject",
    "term",
    "top_container",
];
/// Records of these types that share a key are the same record.
const SHARED: &[&str] =
    &["agent_corporate_entity", "agent_family", "agent_person", "agent_software", "subject", "term", "top_container"];
/// An import brings no more records.
const MOST: usize = 5_000_000;

/// A record on disk.
#[derive(Debug)]
pub(super) struct Entry {
    pub kind: &'static str,
    /// The file it is from.
    file: u32,
    line: u64,
    pub at: u64,
    pub length: usize,
    /// Of a record outside trees.
    pub keys: Vec<Key>,
    pub node: Option<Node>,
}

/// A place in a tree.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// A number for the node above or, at the first level, for the record at the top.
    pub above: u64,
    /// Where the client wants it among its siblings.
    pub position: i64,
}

/// The siblings of nodes that the import does not bring the node above of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Outside {
    pub kind: &'static str,
    pub root: String,
    pub parent: Option<String>,
}

/// Takes the records of an import.
pub struct Stage {
    repository: i64,
    lists: Arc<dyn ValueLists + Send + Sync>,
    out: BufWriter<File>,
    at: u64,
    entries: Vec<Entry>,
    /// Temporary addresses, each with the place of its entry.
    addresses: HashMap<Box<str>, u32>,
    /// Digests of keys, each with the place of the entry that has it.
    keys: HashMap<u64, u32>,
    outside: HashMap<u64, Outside>,
    new_values: BTreeSet<(String, String)>,
    files: Vec<String>,
    progress: Arc<Progress>,
    /// Whether identifiers that are there twice are replaced.
    pub(super) tolerant: bool,
    /// What was put right since the last look.
    pub(super) repairs: Vec<Trouble>,
}

/// All records of an import.
pub struct Staged {
    pub(super) repository: i64,
    pub(super) file: File,
    pub(super) entries: Vec<Entry>,
    pub(super) addresses: HashMap<Box<str>, u32>,
    /// Places below nodes that are there already.
    pub(super) outside: HashMap<u64, Outside>,
    pub(super) new_values: Vec<NewValue>,
    files: Vec<String>,
}

impl Stage {
    /// An empty import into a repository. `folder` is where the records are kept meanwhile; without it, the system's
    /// folder for temporary files.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn new(
        repository: i64,
        lists: Arc<dyn ValueLists + Send + Sync>,
        folder: Option<&Path>,
        progress: Arc<Progress>,
    ) -> Result<Self, ImportError> {
        let file = match folder {
            Some(folder) => tempfile::tempfile_in(folder)?,
            None => tempfile::tempfile()?,
        };
        Ok(Self {
            repository,
            lists,
            out: BufWriter::with_capacity(1 << 18, file),
            at: 0,
            entries: Vec::new(),
            addresses: HashMap::new(),
            keys: HashMap::new(),
            outside: HashMap::new(),
            new_values: BTreeSet::new(),
            files: vec![String::new()],
            progress,
            tolerant: false,
            repairs: Vec::new(),
        })
    }

    /// The records that follow are from this file.
    pub(super) fn begin_file(&mut self, name: &str) {
        self.files.push(name.to_owned());
    }

    pub(super) fn repository(&self) -> i64 {
        self.repository
    }

    pub(super) fn lists(&self) -> Arc<dyn ValueLists + Send + Sync> {
        Arc::clone(&self.lists)
    }

    /// Adds a record with a temporary address, from a line of the file (0 if there are no lines).
    ///
    /// # Errors
    /// The record is not valid, or is there already.
    pub(crate) fn add(&mut self, record: Value, line: u64) -> Result<(), ImportError> {
        self.take(record, line, false)
    }

    /// Replaces a record that was added before.
    ///
    /// # Errors
    /// The record is not valid.
    pub(crate) fn revise(&mut self, record: Value, line: u64) -> Result<(), ImportError> {
        self.take(record, line, true)
    }

    /// What is wrong at a line of the current file.
    pub(super) fn trouble(&self, line: u64, identifier: Option<String>, reason: String) -> Trouble {
        trouble(&self.files, self.files.len() - 1, line, identifier, reason)
    }

    fn take(&mut self, record: Value, line: u64, revised: bool) -> Result<(), ImportError> {
        self.progress.check()?;
        let identifier = identifier(&record);
        self.try_take(record, line, revised).map_err(|error| match error {
            Stop::Refused(refusal) => ImportError::Refused(Box::new(self.trouble(line, identifier, reason(&refusal)))),
            Stop::Disk(error) => ImportError::Disk(error),
        })
    }

    fn try_take(&mut self, record: Value, line: u64, revised: bool) -> Result<(), Stop> {
        let of = type_of(&record)?;
        if !is_storable(&record) {
            let text = "a text has the character U+0000, which cannot be stored";
            return Err(Refusal::BadRequest(text.to_owned()).into());
        }
        let checked = check(of, record, &*self.lists, Purpose::Import).map_err(Refusal::from)?;
        let address = checked.uri.ok_or_else(|| {
            Refusal::BadRequest("Missing the temporary uri (required to set record relationships)".to_owned())
        })?;
        self.new_values.extend(checked.new_values.into_iter().map(|new| (new.list, new.value)));
        let mut record = checked.record;
        let position = record.remove("position").and_then(|position| position.as_i64());
        if of.name == "subject" {
            self.take_terms(&mut record, line)?;
        }
        let known = self.addresses.get(address.as_str()).copied();
        if known.is_some() && !revised {
            return Err(Refusal::BadRequest(format!("{address} is the address of two records")).into());
        }
        let node = self.node(&of.name, &record, position);
        self.keep(of, address, record, Found { line, known, node })
    }

    /// Keeps a checked record; returns the place of its entry, which is an earlier one for a record that is there.
    fn keep(
        &mut self,
        of: &'static RecordType,
        address: String,
        record: Map<String, Value>,
        found: Found,
    ) -> Result<(), Stop> {
        let Found { line, known, node } = found;
        let mut record = record;
        let place = Place { kind: &of.name, repository: Some(self.repository).filter(|_| of.is_in_repository()) };
        let root = node.map(|(node, root)| (root, node.above));
        let mut keys = complete(place, &mut record, root);
        let shared = SHARED.contains(&place.kind);
        if let Some(key) = keys.iter().find(|key| self.holder(key).is_some_and(|holder| Some(holder) != known)) {
            let holder = self.holder(key).unwrap_or_default();
            if shared {
                self.addresses.insert(address.into(), holder);
                return Ok(());
            }
            if !self.tolerant || !record.contains_key("ref_id") || node.is_none() {
                return Err(taken(key).into());
            }
            let was = record.remove("ref_id").unwrap_or_default();
            keys = complete(place, &mut record, root);
            let was = format!("ref_id {} is there twice; replaced", was.as_str().unwrap_or_default());
            self.repairs.push(self.trouble(line, identifier(&Value::Object(record.clone())), was));
        }
        let entry = known.map_or(self.entries.len(), |known| known as usize);
        let number = u32::try_from(entry).unwrap_or(u32::MAX);
        self.keys.extend(keys.iter().map(|key| (hash(&(&key.scope, &key.value)), number)));
        let bytes = serde_json::to_vec(&record).map_err(std::io::Error::from)?;
        self.out.write_all(&bytes)?;
        let kept = Entry {
            kind: place.kind,
            file: u32::try_from(self.files.len() - 1).unwrap_or_default(),
            line,
            at: self.at,
            length: bytes.len(),
            keys: if node.is_none() { keys } else { Vec::new() },
            node: node.map(|(node, _)| node),
        };
        self.at += bytes.len() as u64;
        if known.is_some() {
            self.entries[entry] = kept;
            return Ok(());
        }
        if self.entries.len() >= MOST {
            return Err(Refusal::BadRequest(format!("an import has at most {MOST} records")).into());
        }
        self.entries.push(kept);
        self.addresses.insert(address.into(), number);
        self.progress.read.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Ok(())
    }

    /// The entry that has a key.
    fn holder(&self, key: &Key) -> Option<u32> {
        self.keys.get(&hash(&(&key.scope, &key.value))).copied()
    }

    /// The place of a node, and a number for the record at the top of its tree.
    fn node(&mut self, kind: &'static str, record: &Map<String, Value>, position: Option<i64>) -> Option<(Node, u64)> {
        let tree = tree_of_node(kind)?;
        let address = |name: &str| record.get(name).and_then(|of| of["ref"].as_str());
        let root = address(tree.root)?;
        let parent = address("parent");
        let above = hash(&(kind, parent.unwrap_or(root)));
        if !self.addresses.contains_key(parent.unwrap_or(root)) {
            let (root, parent) = (root.to_owned(), parent.map(str::to_owned));
            self.outside.insert(above, Outside { kind, root, parent });
        }
        Some((Node { above, position: position.unwrap_or(i64::MAX) }, hash(&root)))
    }

    /// Keeps the terms of a subject as records of their own, and puts their addresses into the subject.
    fn take_terms(&mut self, subject: &mut Map<String, Value>, line: u64) -> Result<(), Stop> {
        let Some(Value::Array(terms)) = subject.get_mut("terms") else { return Ok(()) };
        let of = record_type("term").ok_or_else(|| Refusal::no("term"))?;
        for term in terms {
            let Value::Object(whole) = &*term else {
                let text = "the terms of an imported subject must be whole, not addresses";
                return Err(Refusal::BadRequest(text.to_owned()).into());
            };
            let member = |name: &str| Some((name.to_owned(), whole.get(name)?.clone()));
            let record: Map<_, _> = ["term", "term_type", "vocabulary"].into_iter().filter_map(member).collect();
            let address = format!("/terms/import_{:032x}", rand::rng().random::<u128>());
            let mut shown = record.clone();
            shown.insert("jsonmodel_type".to_owned(), "term".into());
            shown.insert("uri".to_owned(), json!(address));
            self.keep(of, address, record, Found { line, known: None, node: None })?;
            *term = Value::Object(shown);
        }
        Ok(())
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn finish(self) -> Result<Staged, ImportError> {
        let Self { repository, out, entries, addresses, mut outside, new_values, files, progress, .. } = self;
        let file = out.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        outside.retain(|_, of| !addresses.contains_key(of.parent.as_ref().unwrap_or(&of.root).as_str()));
        progress.expect(entries.len() as u64);
        let new_values = new_values.into_iter().map(|(list, value)| NewValue { list, value }).collect();
        Ok(Staged { repository, file, entries, addresses, outside, new_values, files })
    }
}

/// Where a record was found, and what is known of it.
struct Found {
    line: u64,
    /// The entry that it replaces.
    known: Option<u32>,
    node: Option<(Node, u64)>,
}

impl Staged {
    /// Whether there is nothing to save.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether values are added to lists.
    pub fn adds_values(&self) -> bool {
        !self.new_values.is_empty()
    }

    /// Whether an entry may be the same as a record of the library.
    pub(super) fn is_shared(&self, entry: u32) -> bool {
        SHARED.contains(&self.entries[entry as usize].kind)
    }

    /// What is wrong with an entry.
    pub(super) fn refused(&self, entry: usize, identifier: Option<String>, refusal: &Refusal) -> ImportError {
        let of = &self.entries[entry];
        ImportError::Refused(Box::new(trouble(&self.files, of.file as usize, of.line, identifier, reason(refusal))))
    }
}

enum Stop {
    Refused(Refusal),
    Disk(std::io::Error),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<std::io::Error> for Stop {
    fn from(error: std::io::Error) -> Self {
        Self::Disk(error)
    }
}

fn type_of(record: &Value) -> Result<&'static RecordType, Refusal> {
    let name = record["jsonmodel_type"].as_str().unwrap_or_default();
    record_type(name)
        .filter(|of| TYPES.contains(&of.name.as_str()))
        .ok_or_else(|| Refusal::BadRequest(format!("records of the type '{name}' cannot be imported")))
}

/// What a record calls itself.
pub(super) fn identifier(record: &Value) -> Option<String> {
    let names = ["id_0", "component_id", "ref_id", "digital_object_id", "title", "uri"];
    names.iter().find_map(|name| record[*name].as_str()).map(str::to_owned)
}

fn trouble(files: &[String], file: usize, line: u64, identifier: Option<String>, reason: String) -> Trouble {
    let file = files.get(file).filter(|name| !name.is_empty()).cloned();
    Trouble { file, line: Some(line).filter(|line| *line > 0), identifier, reason }
}

fn hash(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Whether the database can store all texts of a record.
fn is_storable(value: &Value) -> bool {
    match value {
        Value::String(text) => !text.contains('\0'),
        Value::Array(all) => all.iter().all(is_storable),
        Value::Object(members) => members.iter().all(|(name, of)| !name.contains('\0') && is_storable(of)),
        _ => true,
    }
}
