//! Permission names that FOLIO's descriptors replace by others: holders of an old name also have the new ones
//! (docs/folio/permissions.md#superseded-names).

use std::sync::LazyLock;

use serde_json::{Map, Value};

use crate::modules::served;

static REPLACEMENTS: LazyLock<Value> = LazyLock::new(|| {
    let mut replacements = Map::new();
    let modules = served(|_, _| true);
    let sets = modules.iter().flat_map(|module| module.permission_sets());
    for set in sets.filter(|set| set["permissionName"].is_string()) {
        for old in set["replaces"].as_array().into_iter().flatten() {
            let old = old.as_str().unwrap_or_default();
            let new = replacements.entry(old).or_insert_with(|| Value::Array(Vec::new()));
            let new = new.as_array_mut();
            new.into_iter().for_each(|new| new.push(set["permissionName"].clone()));
        }
    }
    Value::Object(replacements)
});

/// Old names with their replacements, `{"old": ["new"]}`.
#[must_use]
pub(crate) fn replacements() -> &'static Value {
    &REPLACEMENTS
}

/// The replacements of a name.
pub fn replacing(old: &str) -> impl Iterator<Item = &'static str> {
    let new = REPLACEMENTS.get(old).and_then(Value::as_array);
    new.into_iter().flatten().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_name_leads_to_those_that_replace_it() {
        let new = |old: &str| replacing(old).collect::<Vec<_>>();
        assert_eq!(new("accounts.pay.post"), ["feesfines.accounts.pay.post"]);
        assert_eq!(new("patron-block-limits.item.get"), ["patron-blocks.patron-block-limits.item.get"]);
        assert_eq!(
            new("calendar.endpoint.dates.get"),
            ["calendar.endpoint.calendars.surroundingOpenings.get", "calendar.endpoint.calendars.allOpenings.get"]
        );
        assert!(new("users.all").is_empty() && new("no.such.name").is_empty());
    }
}
