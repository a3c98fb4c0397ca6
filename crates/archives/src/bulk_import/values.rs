//! Values that a spreadsheet may write as people read them: `Linear Feet` for `linear_feet`.

use std::{cell::RefCell, collections::HashMap, sync::Arc};

use crate::model::{ValueLists, lists::starting_label};

type Lists = Arc<dyn ValueLists + Send + Sync>;

/// The value lists of a library, by value and by label.
pub(crate) struct Values {
    lists: Lists,
    /// By list: values by their labels.
    labels: RefCell<HashMap<String, HashMap<String, String>>>,
}

impl Values {
    pub(crate) fn new(lists: Lists) -> Self {
        Self { lists, labels: RefCell::default() }
    }

    pub(crate) fn lists(&self) -> &(dyn ValueLists + Send + Sync) {
        &*self.lists
    }

    /// The value that has the label, or the value itself.
    pub(crate) fn find(&self, list: &str, label: &str) -> Option<String> {
        let mut all = self.labels.borrow_mut();
        let labels = all.entry(list.to_owned()).or_insert_with(|| {
            let values = self.lists.values(list).into_iter();
            let mut labels = HashMap::new();
            for value in values {
                let label = starting_label(list, &value).unwrap_or(&value).to_owned();
                labels.entry(label).or_insert(value);
            }
            labels
        });
        labels.get(label).cloned().or_else(|| self.lists.has(list, label).then(|| label.to_owned()))
    }

    /// The same for a value that must be in the list.
    ///
    /// # Errors
    /// It is not: the message for people.
    pub(crate) fn value(&self, list: &str, label: Option<&str>) -> Result<String, String> {
        let label = label.unwrap_or_default();
        self.find(list, label).ok_or_else(|| {
            let all = self.lists.values(list).join(", ");
            format!("INVALID: {list}: '{label}'. Must be one of: {all}")
        })
    }

    /// The same for a list that gets values from spreadsheets: a value that it lacks is added.
    pub(crate) fn value_or_new(&self, list: &str, label: &str) -> String {
        self.find(list, label).unwrap_or_else(|| label.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::StartingLists;

    #[test]
    fn values_are_found_by_label_and_by_themselves() {
        let values = Values::new(Arc::new(StartingLists));
        assert_eq!(values.value("extent_extent_type", Some("Linear Feet")).as_deref(), Ok("linear_feet"));
        assert_eq!(values.value("extent_extent_type", Some("linear_feet")).as_deref(), Ok("linear_feet"));
        let refused = values.value("date_type", Some("sometime")).expect_err("a refusal");
        assert_eq!(refused, "INVALID: date_type: 'sometime'. Must be one of: single, bulk, inclusive, range");
        assert_eq!(values.value_or_new("container_type", "Box"), "box");
        assert_eq!(values.value_or_new("container_type", "Volume of letters"), "Volume of letters");
    }
}
