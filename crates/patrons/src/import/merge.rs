//! Merges a user of an import with the existing one.

use serde_json::Value;

use super::Record;

/// The record that replaces the existing user. With `only_present`, members and address types that the import lacks
/// stay.
#[must_use]
pub(crate) fn with_known(mut user: Record, known: &Record, only_present: bool) -> Record {
    user.insert("id".into(), known["id"].clone());
    if !only_present {
        return user;
    }
    let mut merged = known.clone();
    let before = known.get("personal").and_then(Value::as_object);
    if let (Some(before), Some(Value::Object(personal))) = (before, user.get_mut("personal")) {
        keep_preferred_first_name(personal, before);
        let addresses = merged_addresses(personal.get("addresses"), before.get("addresses"));
        personal.insert("addresses".into(), addresses.into());
    }
    merged.extend(user);
    merged
}

fn keep_preferred_first_name(personal: &mut Record, before: &Record) {
    let blank = store::record::text(personal, "preferredFirstName").is_none_or(|name| name.trim().is_empty());
    if let (true, Some(name)) = (blank, before.get("preferredFirstName")) {
        personal.insert("preferredFirstName".into(), name.clone());
    }
}

fn merged_addresses(new: Option<&Value>, before: Option<&Value>) -> Vec<Value> {
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let new = list(new);
    let same = |old: &Value| new.iter().any(|address| address["addressTypeId"] == old["addressTypeId"]);
    let mut merged = list(before);
    merged.retain(|old| !same(old));
    merged.extend(new);
    merged
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record(value: Value) -> Record {
        value.as_object().unwrap().clone()
    }

    fn known() -> Record {
        record(json!({"id": "u", "barcode": "7", "personal": {"lastName": "Old", "preferredFirstName": "Annie",
            "phone": "1", "addresses": [{"addressTypeId": "home", "city": "A"}, {"addressTypeId": "work"}]}}))
    }

    #[test]
    fn an_import_replaces_the_existing_user() {
        let user = record(json!({"username": "ann", "personal": {"lastName": "New"}}));
        assert_eq!(
            Value::Object(with_known(user, &known(), false)),
            json!({"username": "ann", "personal": {"lastName": "New"}, "id": "u"})
        );
    }

    #[test]
    fn an_import_can_change_only_what_it_has() {
        let user = record(json!({"username": "ann", "personal": {"lastName": "New",
            "addresses": [{"addressTypeId": "home", "city": "B"}]}}));
        assert_eq!(
            Value::Object(with_known(user, &known(), true)),
            json!({"id": "u", "barcode": "7", "username": "ann", "personal": {"lastName": "New",
                "preferredFirstName": "Annie",
                "addresses": [{"addressTypeId": "work"}, {"addressTypeId": "home", "city": "B"}]}})
        );
    }
}
