//! The records in answers, with what they refer to put in (contract 8.1). They are printed as they were read, and what many of
//! them refer to is printed once: copies of a repository for each of its records would cost more than the search.

use std::{collections::HashMap, io::Write, sync::Arc};

use serde_json::{Map, Value};
use store::StoreError;

use crate::{model::add_audit, refusal::Refusal};

/// What the records in answers have resolved.
pub(super) const RESOLVED: [&str; 19] = [
    "agent_representation",
    "classifications",
    "collections",
    "container_locations",
    "container_profile",
    "creator",
    "digital_object",
    "linked_agents",
    "linked_records",
    "location_profile",
    "places",
    "records",
    "related_accessions",
    "related_agents",
    "repository",
    "reviewer",
    "subjects",
    "surveyed_by",
    "top_container",
];
/// What the records that they refer to have resolved.
pub(super) const RESOLVED_BELOW: [&str; 3] = ["agent_representation", "container_profile", "location_profile"];
/// Members of agents and subjects that only some users see.
const NOT_FOR_ALL: [&str; 2] = ["used_within_repositories", "used_within_published_repositories"];
/// Whose contacts are for all: those of the agent that a repository is.
const OF_ALL: &str = "agent_representation";
const CONTACTS: &str = "agent_contacts";
/// A reference's address, and the record that is put into it.
pub(super) const REF: &str = "ref";
const PUT: &str = "_resolved";

/// A record as all who search may see it.
#[derive(Debug)]
pub(super) struct Record {
    pub value: Value,
    /// The contacts of an agent, apart: only some references show them.
    contacts: Option<Value>,
}

impl Record {
    /// A record as a GET returns it, with its address; `None` for what has none.
    pub(super) fn of(mut value: Value) -> Option<(String, Arc<Self>)> {
        add_audit(&mut value);
        let uri = value["uri"].as_str()?.to_owned();
        let members = value.as_object_mut()?;
        let contacts = members.remove(CONTACTS);
        // These are for those who may read them, and not for whoever searches.
        members.retain(|name, _| !NOT_FOR_ALL.contains(&name.as_str()));
        Some((uri, Arc::new(Self { value, contacts })))
    }
}

/// Records by their addresses, and those that they refer to.
#[derive(Default)]
pub(super) struct Records(HashMap<String, Arc<Record>>);

impl Records {
    /// Adds records; they replace those with the same addresses.
    pub(super) fn add(&mut self, records: impl IntoIterator<Item = (String, Arc<Record>)>) {
        self.0.extend(records);
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (&String, &Arc<Record>)> {
        self.0.iter()
    }

    /// A record without what it refers to.
    pub(super) fn get(&self, uri: &str) -> Option<&Value> {
        self.0.get(uri).map(|record| &record.value)
    }

    /// Prints these records.
    pub(super) fn printing(&self) -> Printing<'_> {
        Printing { records: self, referred: HashMap::new() }
    }
}

/// How far a record is from the one that is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Distance {
    Shown,
    Referred,
    /// Nothing is put into it.
    Further,
}

impl Distance {
    fn resolves(self, name: &str) -> bool {
        match self {
            Self::Shown => RESOLVED.contains(&name),
            Self::Referred => RESOLVED_BELOW.contains(&name),
            Self::Further => false,
        }
    }
}

/// Prints records; remembers those that others refer to.
pub(super) struct Printing<'r> {
    records: &'r Records,
    referred: HashMap<&'r str, Vec<u8>>,
}

impl<'r> Printing<'r> {
    /// A record with what it refers to, as text; `null` if it was not read.
    pub(super) fn text(&mut self, uri: &str) -> Result<String, Refusal> {
        let mut text = Vec::new();
        let record = self.records.get(uri).unwrap_or(&Value::Null);
        self.value(record, Distance::Shown, &mut text).map_err(|error| broken(&error))?;
        String::from_utf8(text).map_err(|error| broken(&error))
    }

    /// The same as a value.
    pub(super) fn value_of(&mut self, uri: &str) -> Result<Value, Refusal> {
        serde_json::from_str(&self.text(uri)?).map_err(|error| broken(&error))
    }

    fn value(&mut self, value: &'r Value, at: Distance, text: &mut Vec<u8>) -> serde_json::Result<()> {
        match value {
            Value::Object(members) if at != Distance::Further => self.object(members, at, text),
            Value::Array(entries) if at != Distance::Further => {
                separated(*b"[]", entries, text, |entry, text| self.value(entry, at, text))
            }
            value => serde_json::to_writer(text, value),
        }
    }

    fn object(&mut self, members: &'r Map<String, Value>, at: Distance, text: &mut Vec<u8>) -> serde_json::Result<()> {
        separated(*b"{}", members, text, |(name, value), text| {
            serde_json::to_writer(&mut *text, name)?;
            text.push(b':');
            match name {
                name if at.resolves(name) => self.references(name, value, at, text),
                name if name == PUT => serde_json::to_writer(text, value),
                _ => self.value(value, at, text),
            }
        })
    }

    /// A member whose references are resolved: an object with a `ref`, or a list of them.
    fn references(&mut self, name: &str, value: &'r Value, at: Distance, text: &mut Vec<u8>) -> serde_json::Result<()> {
        match value {
            Value::Array(entries) => {
                separated(*b"[]", entries, text, |entry, text| self.references(name, entry, at, text))
            }
            Value::Object(members) if members.contains_key(REF) => self.reference(name, members, at, text),
            value => self.value(value, at, text),
        }
    }

    fn reference(
        &mut self,
        name: &str,
        members: &'r Map<String, Value>,
        at: Distance,
        text: &mut Vec<u8>,
    ) -> serde_json::Result<()> {
        let records = self.records;
        let found = members[REF].as_str().and_then(|uri| records.0.get_key_value(uri));
        let Some((uri, record)) = found else { return serde_json::to_writer(text, members) };
        text.push(b'{');
        for (name, value) in members.iter().filter(|(name, _)| *name != PUT) {
            serde_json::to_writer(&mut *text, name)?;
            text.push(b':');
            serde_json::to_writer(&mut *text, value)?;
            text.push(b',');
        }
        serde_json::to_writer(&mut *text, PUT)?;
        text.push(b':');
        if at == Distance::Shown {
            self.put(uri, &record.value, text)?;
        } else {
            serde_json::to_writer(&mut *text, &record.value)?;
        }
        if let Some(contacts) = record.contacts.as_ref().filter(|_| name == OF_ALL) {
            // Into the record that was just printed, before its last bracket.
            text.pop();
            write!(text, ",\"{CONTACTS}\":{contacts}}}").map_err(serde_json::Error::io)?;
        }
        text.push(b'}');
        Ok(())
    }

    fn put(&mut self, uri: &'r str, record: &'r Value, text: &mut Vec<u8>) -> serde_json::Result<()> {
        if let Some(printed) = self.referred.get(uri) {
            text.extend_from_slice(printed);
            return Ok(());
        }
        let begin = text.len();
        self.value(record, Distance::Referred, text)?;
        self.referred.insert(uri, text[begin..].to_vec());
        Ok(())
    }
}

/// Writes entries between brackets, with commas between them.
fn separated<T>(
    [open, close]: [u8; 2],
    entries: impl IntoIterator<Item = T>,
    text: &mut Vec<u8>,
    mut write: impl FnMut(T, &mut Vec<u8>) -> serde_json::Result<()>,
) -> serde_json::Result<()> {
    text.push(open);
    for (place, entry) in entries.into_iter().enumerate() {
        if place > 0 {
            text.push(b',');
        }
        write(entry, text)?;
    }
    text.push(close);
    Ok(())
}

fn broken(error: &dyn std::fmt::Display) -> Refusal {
    StoreError::Other(format!("a record could not be printed: {error}")).into()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::resolve::{Wanted, resolve_from};

    /// The same by copies.
    fn copied(records: &Records, uri: &str) -> Value {
        let (near, below) = (Wanted::read(RESOLVED), Wanted::read(RESOLVED_BELOW));
        let all: HashMap<String, Value> = records.0.iter().map(|(uri, of)| (uri.clone(), of.value.clone())).collect();
        let with_below = |(uri, record): (&String, &Value)| {
            let mut record = record.clone();
            resolve_from(&mut record, &below, &all);
            (uri.clone(), record)
        };
        let complete: HashMap<String, Value> = all.iter().map(with_below).collect();
        let mut record = all[uri].clone();
        resolve_from(&mut record, &near, &complete);
        record
    }

    fn without_contacts(value: &mut Value) {
        match value {
            Value::Object(members) => {
                members.remove(CONTACTS);
                members.values_mut().for_each(without_contacts);
            }
            Value::Array(entries) => entries.iter_mut().for_each(without_contacts),
            _ => {}
        }
    }

    #[test]
    fn what_records_refer_to_is_put_in() {
        let mut records = Records::default();
        let all = [
            json!({"uri": "/a/1", "repository": {"ref": "/r/1"}, "title": "A \"b\"", "parent": {"ref": "/a/2"},
                "linked_agents": [{"ref": "/g/1", "role": "creator", "_resolved": {"old": true}}, {"ref": "/g/9"}, 3],
                "instances": [{"sub_container": {"top_container": {"ref": "/c/1"}}}, {}, []], "subjects": [],
                "_resolved": {"repository": {"ref": "/r/1"}}, "creator": {"repository": {"ref": "/r/1"}}}),
            json!({"uri": "/a/2", "repository": {"ref": "/r/1"}, "records": {"ref": "/a/1"}}),
            json!({"uri": "/c/1", "repository": {"ref": "/r/1"}, "container_profile": {"ref": "/p/1"},
                "container_locations": [{"ref": "/l/1"}]}),
            json!({"uri": "/r/1", "agent_representation": {"ref": "/g/1"}, "position": 1.5}),
            json!({"uri": "/g/1", "agent_contacts": [1], "names": [{"primary_name": "Ä"}],
                "agent_representation": {"ref": "/r/1"}}),
            json!({"uri": "/p/1", "name": null}),
        ];
        records.add(all.into_iter().filter_map(Record::of));
        let mut printing = records.printing();
        for uri in ["/a/1", "/a/2", "/c/1", "/r/1", "/g/1", "/p/1"] {
            let mut printed = printing.value_of(uri).expect("JSON");
            without_contacts(&mut printed);
            assert_eq!(printed, copied(&records, uri), "{uri}");
        }
        let text = printing.text("/a/1").expect("a text");
        assert_eq!(text.matches(CONTACTS).count(), 2, "only those of the repository's agent, in two places: {text}");
        let record = printing.value_of("/a/1").expect("JSON");
        assert_eq!(record["repository"][PUT][OF_ALL][PUT][CONTACTS], json!([1]));
        assert!(text.contains(r#""container_profile":{"ref":"/p/1","_resolved":{"#), "{text}");
        assert!(!text.contains("old"), "{text}");
        assert_eq!(printing.text("/none").expect("a text"), "null");
    }
}
