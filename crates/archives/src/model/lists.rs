//! Value lists: the texts that a property such as `level` can have (contract section 5).

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The lists as a check needs them. Those of a library are in its database; [`StartingLists`] are those it starts with.
pub trait ValueLists {
    /// Whether the list holds the value. A list that does not exist holds nothing.
    fn has(&self, list: &str, value: &str) -> bool;
    /// The values in order, for messages.
    fn values(&self, list: &str) -> Vec<String>;
    /// Whether values may be added and removed.
    fn is_editable(&self, list: &str) -> bool;
}

/// What people read for the values of lists.
pub trait Labels {
    /// The label of a value.
    fn label(&self, list: &str, value: &str) -> Option<String>;

    /// The label, or the value itself where there is none.
    fn label_or_value(&self, list: &str, value: &str) -> String {
        self.label(list, value).unwrap_or_else(|| value.to_owned())
    }
}

/// A value list that every library starts with.
#[derive(Debug, Deserialize, Serialize)]
pub struct ValueList {
    /// The name that declarations use, such as `extent_portion`.
    pub name: String,
    /// Whether values may be added and removed.
    pub editable: bool,
    /// The value that forms start with.
    pub default: Option<String>,
    /// The values in order.
    pub values: Vec<ListedValue>,
}

/// A value of a list.
#[derive(Debug, Deserialize, Serialize)]
pub struct ListedValue {
    /// What records hold.
    pub value: String,
    /// Its place, from 0.
    pub position: i32,
    /// Whether it cannot be removed, although its list is editable.
    pub readonly: bool,
    /// The English text that exports show.
    #[serde(default)]
    pub label: Option<String>,
}

#[derive(Deserialize)]
struct File {
    enumerations: Vec<ValueList>,
}

struct Starting {
    lists: Vec<ValueList>,
    by_name: HashMap<String, usize>,
}

static STARTING: LazyLock<Starting> = LazyLock::new(|| {
    let file: File = serde_json::from_str(include_str!("../../data/enumerations.json"))
        .unwrap_or_else(|error| panic!("data/enumerations.json: {error}"));
    let by_name = file.enumerations.iter().enumerate().map(|(place, list)| (list.name.clone(), place)).collect();
    Starting { lists: file.enumerations, by_name }
});

/// The starting lists, as a check needs them.
#[derive(Debug, Clone, Copy, Default)]
pub struct StartingLists;

/// The lists that every library starts with.
pub(crate) fn starting_lists() -> &'static [ValueList] {
    &STARTING.lists
}

pub(crate) fn starting(list: &str) -> Option<&'static ValueList> {
    STARTING.by_name.get(list).map(|place| &STARTING.lists[*place])
}

/// The English label of a value in the starting lists.
pub(crate) fn starting_label(list: &str, value: &str) -> Option<&'static str> {
    starting(list)?.values.iter().find(|listed| listed.value == value)?.label.as_deref()
}

/// The value of the starting lists that has this English label, whatever the case.
pub(crate) fn starting_value(list: &str, label: &str) -> Option<&'static str> {
    let is_it = |listed: &&ListedValue| listed.label.as_deref().is_some_and(|of| of.eq_ignore_ascii_case(label));
    starting(list)?.values.iter().find(is_it).map(|listed| listed.value.as_str())
}

impl Labels for StartingLists {
    fn label(&self, list: &str, value: &str) -> Option<String> {
        starting_label(list, value).map(str::to_owned)
    }
}

impl ValueLists for StartingLists {
    fn has(&self, list: &str, value: &str) -> bool {
        starting(list).is_some_and(|list| list.values.iter().any(|listed| listed.value == value))
    }

    fn values(&self, list: &str) -> Vec<String> {
        let values = starting(list).map(|list| list.values.iter());
        values.into_iter().flatten().map(|listed| listed.value.clone()).collect()
    }

    fn is_editable(&self, list: &str) -> bool {
        starting(list).is_some_and(|list| list.editable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_tells_its_values() {
        assert_eq!(StartingLists.values("date_type"), ["single", "bulk", "inclusive", "range"]);
        assert!(StartingLists.has("extent_portion", "whole") && !StartingLists.has("extent_portion", "half"));
        assert!(StartingLists.is_editable("extent_extent_type") && !StartingLists.is_editable("date_type"));
        assert!(!StartingLists.has("no_such_list", "x") && StartingLists.values("no_such_list").is_empty());
        assert_eq!(StartingLists.label_or_value("extent_extent_type", "linear_feet"), "Linear Feet");
        assert_eq!(StartingLists.label_or_value("extent_extent_type", "miles"), "miles");
    }
}
