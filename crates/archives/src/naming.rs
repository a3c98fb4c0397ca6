//! Names for addresses that people read, for all records of a library (contract 3.5, `generate_slugs_job`).

use std::{
    collections::{HashMap, HashSet},
    hash::{DefaultHasher, Hash, Hasher},
};

use serde_json::Value;

use crate::model::derive::display_name;

/// What a record's name is made of.
pub(crate) fn text_of(kind: &str, record: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if !kind.starts_with("agent_") {
        return text(&record[if kind == "repository" { "repo_code" } else { "title" }]);
    }
    let name = record.as_object().and_then(display_name).cloned().map(Value::Object).unwrap_or_default();
    let joined = |members: &[&str]| {
        let parts = members.iter().map(|member| text(&name[*member])).filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join("_")
    };
    match kind {
        "agent_person" => match name["name_order"].as_str() {
            Some("direct") => joined(&["rest_of_name", "primary_name"]),
            Some("inverted") => joined(&["primary_name", "rest_of_name"]),
            _ => joined(&["primary_name"]),
        },
        "agent_family" => joined(&["family_name"]),
        "agent_corporate_entity" => joined(&["primary_name", "subordinate_name_1", "subordinate_name_2"]),
        _ => joined(&["software_name"]),
    }
}

/// Names that are taken, as digests: a library has millions of them.
#[derive(Debug, Default)]
pub(crate) struct Taken {
    names: HashSet<u64>,
    /// By name that was asked for again: the last number behind it.
    numbers: HashMap<u64, u32>,
}

fn digest(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

impl Taken {
    /// Takes a name that somebody gave a record.
    pub(crate) fn take(&mut self, name: &str) {
        self.names.insert(digest(name));
    }

    /// The name, or if it is taken the first free one with a number behind it. An empty one stays empty.
    pub(crate) fn free(&mut self, name: String) -> String {
        if name.is_empty() || self.names.insert(digest(&name)) {
            return name;
        }
        let number = self.numbers.entry(digest(&name)).or_default();
        loop {
            *number += 1;
            let next = format!("{name}_{number}");
            if self.names.insert(digest(&next)) {
                return next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_of_agents_are_in_their_order() {
        let agent = |order: &str| json!({"names": [{"is_display_name": true, "primary_name": "Writer", "rest_of_name": "Ann", "name_order": order}]});
        assert_eq!(text_of("agent_person", &agent("inverted")), "Writer_Ann");
        assert_eq!(text_of("agent_person", &agent("direct")), "Ann_Writer");
        assert_eq!(text_of("resource", &json!({"title": "Papers"})), "Papers");
        assert_eq!(text_of("repository", &json!({"repo_code": "A", "name": "Library"})), "A");
    }

    #[test]
    fn a_name_that_is_taken_gets_a_number() {
        let mut taken = Taken::default();
        taken.take("papers_2");
        let names: Vec<String> = (0..4).map(|_| taken.free("papers".to_owned())).collect();
        assert_eq!(names, ["papers", "papers_1", "papers_3", "papers_4"]);
        assert_eq!(taken.free(String::new()), "");
    }
}
