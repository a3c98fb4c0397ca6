//! What the public sees of a component that the component itself does not say: that of the nearest record above that says it
//! (contract 7.1, "Inheritance").

use serde_json::{Map, Value, json};

use crate::model::{Labels, StartingLists};

/// A member that is inherited.
struct Inherited {
    property: &'static str,
    /// Of a list only entries that have this member with this value; those are inherited if there is none of them.
    only: Option<(&'static str, &'static str)>,
    /// Whether it counts as the component's own: it is searched, too.
    direct: bool,
}

const fn whole(property: &'static str, direct: bool) -> Inherited {
    Inherited { property, only: None, direct }
}

const fn some(property: &'static str, member: &'static str, value: &'static str, direct: bool) -> Inherited {
    Inherited { property, only: Some((member, value)), direct }
}

const INHERITED: [Inherited; 9] = [
    whole("title", true),
    whole("component_id", false),
    whole("lang_materials", false),
    whole("dates", true),
    whole("extents", false),
    some("linked_agents", "role", "creator", false),
    some("notes", "type", "accessrestrict", true),
    some("notes", "type", "scopecontent", false),
    some("notes", "type", "langmaterial", false),
];

/// A component with what it inherits. `above` gives the records above by their addresses; without all of it, only what counts
/// as the component's own.
pub(super) fn with_inherited<'a>(record: &Value, above: impl Fn(&str) -> Option<&'a Value>, all: bool) -> Value {
    let mut record = record.clone();
    let ancestors: Vec<Value> = record["ancestors"].as_array().cloned().unwrap_or_default();
    for field in INHERITED.iter().filter(|field| all || field.direct) {
        if field.is_said(&record) {
            continue;
        }
        let found = ancestors.iter().find_map(|ancestor| {
            let from = above(ancestor["ref"].as_str()?)?;
            Some((ancestor, field.of(from)?))
        });
        if let (Some((ancestor, value)), Some(members)) = (found, record.as_object_mut()) {
            field.put(members, value, ancestor);
        }
    }
    record
}

impl Inherited {
    fn wants(&self, entry: &Value) -> bool {
        self.only.is_none_or(|(member, value)| entry[member] == value)
    }

    fn is_said(&self, record: &Value) -> bool {
        match &record[self.property] {
            Value::Null => false,
            Value::Array(entries) => entries.iter().any(|entry| self.wants(entry)),
            _ => true,
        }
    }

    /// What a record above says.
    fn of(&self, from: &Value) -> Option<Value> {
        match &from[self.property] {
            Value::Null => None,
            Value::Array(entries) => {
                let wanted: Vec<Value> = entries.iter().filter(|entry| self.wants(entry)).cloned().collect();
                (!wanted.is_empty()).then(|| wanted.into())
            }
            value => Some(value.clone()),
        }
    }

    fn put(&self, members: &mut Map<String, Value>, value: Value, ancestor: &Value) {
        let level = ancestor["level"].as_str().unwrap_or_default();
        let level = StartingLists.label_or_value("archival_record_level", level);
        let told = json!({"ref": ancestor["ref"], "level": level, "direct": self.direct});
        match value {
            Value::Array(entries) => {
                let inherited = entries.into_iter().map(|mut entry| {
                    entry["_inherited"] = told.clone();
                    entry
                });
                match members.get_mut(self.property) {
                    Some(Value::Array(own)) => own.extend(inherited),
                    _ => {
                        members.insert(self.property.to_owned(), inherited.collect());
                    }
                }
            }
            value => {
                members.insert(self.property.to_owned(), value);
                members.insert(format!("{}_inherited", self.property), told);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn the_nearest_record_above_that_says_it_wins() {
        let (series, papers) = ("/repositories/2/archival_objects/1", "/repositories/2/resources/1");
        let above = HashMap::from([
            (
                series,
                json!({"title": "Series", "component_id": "ABC", "dates": [],
                "linked_agents": [{"role": "creator", "ref": "a"}, {"role": "subject", "ref": "b"}], "notes": []}),
            ),
            (
                papers,
                json!({"title": "Papers", "dates": [{"begin": "1900"}], "extents": [{"number": "1"}],
                "notes": [{"type": "scopecontent"}, {"type": "odd"}, {"type": "accessrestrict"}]}),
            ),
        ]);
        let record = json!({"title": "mine", "dates": [], "linked_agents": [{"role": "subject", "ref": "c"}], "notes": [{"type": "odd"}],
            "ancestors": [{"ref": series, "level": "series"}, {"ref": papers, "level": "collection"}]});
        let of = |uri: &str| above.get(uri);
        let direct = with_inherited(&record, of, false);
        assert_eq!(
            (&direct["title"], direct.get("component_id"), &direct["notes"][1]["type"]),
            (&json!("mine"), None, &json!("accessrestrict"))
        );
        let told =
            |ancestor: &str, level: &str, direct: bool| json!({"ref": ancestor, "level": level, "direct": direct});
        assert_eq!(direct["dates"], json!([{"begin": "1900", "_inherited": told(papers, "Collection", true)}]));
        assert_eq!(direct.get("extents"), None);
        let all = with_inherited(&record, of, true);
        assert_eq!(
            (&all["component_id"], &all["component_id_inherited"]),
            (&json!("ABC"), &told(series, "Series", false))
        );
        assert_eq!(all["linked_agents"].as_array().map(Vec::len), Some(2));
        assert_eq!(
            all["linked_agents"][1],
            json!({"role": "creator", "ref": "a", "_inherited": told(series, "Series", false)})
        );
        let notes: Vec<_> = all["notes"].as_array().into_iter().flatten().map(|note| note["type"].clone()).collect();
        assert_eq!(notes, ["odd", "accessrestrict", "scopecontent"]);
        assert_eq!(all.get("title_inherited"), None);
    }

    #[test]
    fn what_nobody_says_is_not_there() {
        let record = json!({"ancestors": [{"ref": "/repositories/2/resources/1", "level": "special"}]});
        assert_eq!(with_inherited(&record, |_| None, true), record);
        let papers = json!({"title": "Papers"});
        let all = with_inherited(&record, |_| Some(&papers), true);
        assert_eq!((&all["title"], &all["title_inherited"]["level"]), (&json!("Papers"), &json!("special")));
    }
}
