//! Records in the making.

use serde_json::{Map, Value, json};

use super::Options;

/// The only vocabulary.
pub(super) const VOCABULARY: &str = "/vocabularies/1";

/// Why a record is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason(pub String);

/// The records that one record of the file gives.
pub(super) struct Batch<'b, 'o> {
    pub options: &'b mut Options<'o>,
    pub records: Vec<Value>,
}

impl<'b, 'o> Batch<'b, 'o> {
    pub(super) fn new(options: &'b mut Options<'o>) -> Self {
        Self { options, records: Vec::new() }
    }

    /// A new temporary address of a type of record.
    pub(super) fn address(&mut self, path: &str) -> String {
        format!("{path}/import_{}", (self.options.ids)())
    }

    /// Adds a record; returns its address.
    pub(super) fn add(&mut self, path: &str, mut record: Map<String, Value>) -> String {
        let address = self.address(path);
        record.insert("uri".to_owned(), json!(address));
        self.records.push(Value::Object(record));
        address
    }

    /// Adds a subject of terms with their types; returns its address.
    pub(super) fn subject(&mut self, terms: Vec<Value>, source: &str, authority: Option<String>) -> String {
        let mut subject = object("subject");
        set(&mut subject, "publish", json!(true));
        set(&mut subject, "terms", json!(terms));
        set(&mut subject, "source", json!(source));
        set(&mut subject, "vocabulary", json!(VOCABULARY));
        set_text(&mut subject, "authority_id", authority);
        self.add("/subjects", subject)
    }
}

/// A resource or an accession in the making.
pub(super) struct Draft {
    pub record: Map<String, Value>,
    /// Where its address is.
    pub path: String,
    pub is_resource: bool,
}

impl Draft {
    pub(super) fn resource(batch: &Batch<'_, '_>) -> Self {
        let path = format!("/repositories/{}/resources", batch.options.repository);
        Self { record: object("resource"), path, is_resource: true }
    }

    pub(super) fn accession(batch: &Batch<'_, '_>) -> Self {
        let path = format!("/repositories/{}/accessions", batch.options.repository);
        Self { record: object("accession"), path, is_resource: false }
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.record.get(name).is_some_and(|value| value.as_str() != Some(""))
    }

    pub(super) fn push(&mut self, name: &str, value: Value) {
        push(&mut self.record, name, value);
    }
}

/// An empty record of a type.
pub(super) fn object(kind: &str) -> Map<String, Value> {
    Map::from_iter([("jsonmodel_type".to_owned(), json!(kind))])
}

pub(super) fn set(record: &mut Map<String, Value>, name: &str, value: Value) {
    record.insert(name.to_owned(), value);
}

/// Sets a text that is there and not blank.
pub(super) fn set_text(record: &mut Map<String, Value>, name: &str, text: Option<impl Into<String>>) {
    let text = text.map(Into::into).filter(|text| !text.trim().is_empty());
    if let Some(text) = text {
        set(record, name, json!(text));
    }
}

/// Adds to a list.
pub(super) fn push(record: &mut Map<String, Value>, name: &str, value: Value) {
    if let Value::Array(list) = record.entry(name).or_insert_with(|| json!([])) {
        list.push(value);
    }
}

/// A record that is done. Names that say nothing of their order in lists are put into it by the server.
pub(super) fn finished(mut record: Value) -> Value {
    let names = record.get_mut("names").and_then(Value::as_array_mut);
    for name in names.into_iter().flatten() {
        let parallel = name.get_mut("parallel_names").and_then(Value::as_array_mut);
        parallel.into_iter().flatten().for_each(sorted_by_itself);
        sorted_by_itself(name);
    }
    record
}

fn sorted_by_itself(name: &mut Value) {
    if name.get("sort_name").is_none() {
        name["sort_name_auto_generate"] = true.into();
    }
}

/// A term of a type, unless it is blank.
pub(super) fn term(kind: &str, text: &str) -> Option<Value> {
    let is_blank = text.trim().is_empty();
    (!is_blank).then(|| json!({"jsonmodel_type": "term", "term_type": kind, "term": text, "vocabulary": VOCABULARY}))
}
