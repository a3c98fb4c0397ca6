//! The texts in a record: all of them, and those that the public may read.

use serde_json::Value;

/// Members that say nothing about what is described.
const LEFT_OUT: [&str; 30] = [
    "_resolved",
    // Where something is inherited from.
    "_inherited",
    "created_by",
    "last_modified_by",
    "system_mtime",
    "user_mtime",
    "json",
    "types",
    "create_time",
    "date_type",
    "jsonmodel_type",
    "publish",
    "extent_type",
    "language",
    "script",
    "system_generated",
    "suppressed",
    "source",
    "rules",
    "name_order",
    "repository",
    "top_container",
    "finding_aid_filing_title",
    "agent_contacts",
    // Where a container is, which changes without a change in the archives.
    "circulation",
    // Other places in the tree are found by their own words.
    "ancestors",
    "linked_instances",
    "parent",
    "resource",
    "tree",
];

/// The names of the record at an address, and whether the public may read them.
type Name<'f, 'n> = &'f dyn Fn(&str) -> Option<(Vec<&'n str>, bool)>;

/// Texts of a record.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Words {
    pub(super) published: Vec<String>,
    /// Within parts that are not published.
    pub(super) others: Vec<String>,
}

impl Words {
    /// The texts in a record, or in a list of its parts. What it refers to is shown by `name`.
    pub(super) fn of<'n>(value: &Value, name: Name<'_, 'n>) -> Self {
        let mut words = Self::default();
        // Whether the record itself is published does not matter to its parts.
        match value {
            Value::Object(members) => members.iter().for_each(|(key, member)| words.member(key, member, true, name)),
            other => words.collect(other, true, name),
        }
        words
    }

    fn member<'n>(&mut self, key: &str, member: &Value, shown: bool, name: Name<'_, 'n>) {
        if LEFT_OUT.contains(&key) {
            return;
        }
        if key == "ref"
            && let Some((texts, is_published)) = member.as_str().and_then(name)
        {
            let words = if shown && is_published { &mut self.published } else { &mut self.others };
            words.extend(texts.into_iter().map(str::to_owned));
        }
        self.collect(member, shown, name);
    }

    fn collect<'n>(&mut self, value: &Value, shown: bool, name: Name<'_, 'n>) {
        match value {
            Value::String(text) => (if shown { &mut self.published } else { &mut self.others }).push(text.clone()),
            Value::Array(entries) => entries.iter().for_each(|entry| self.collect(entry, shown, name)),
            Value::Object(members) => {
                let shown = shown && members.get("publish") != Some(&Value::Bool(false));
                members.iter().for_each(|(key, member)| self.member(key, member, shown, name));
            }
            _ => {}
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &String> {
        self.published.iter().chain(&self.others)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn parts_that_are_not_published_are_kept_apart() {
        let record = json!({"title": "Letters", "publish": false, "source": "lcsh",
            "notes": [{"publish": true, "content": ["shown"]}, {"publish": false, "subnotes": [{"content": "hidden"}]}],
            "subjects": [{"ref": "/subjects/1"}]});
        let words = Words::of(&record, &|uri| (uri == "/subjects/1").then(|| (vec!["Maps", "Charts"], true)));
        assert_eq!(words.published, ["Letters", "shown", "Maps", "Charts", "/subjects/1"]);
        assert_eq!(words.others, ["hidden"]);
    }
}
