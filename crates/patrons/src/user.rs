//! Checks a user record on its own, without the database (docs/folio/users.md#refusals-of-users).

use refusals::Refused;
use serde_json::{Map, Value};

use crate::refusal::{ADDRESS_TYPE_TWICE, BORN_TOO_EARLY};

/// Brings a user into stored form. Refuses an impossible date of birth and two addresses of one type, with FOLIO's
/// messages as text.
pub fn check(user: &mut Map<String, Value>) -> Result<(), Refused> {
    trim_username(user);
    drop_empty_custom_fields(user);
    if let Some(Value::Object(personal)) = user.get_mut("personal") {
        keep_one_contact_type(personal);
        check_date_of_birth(personal)?;
        check_addresses(personal)?;
    }
    Ok(())
}

fn trim_username(user: &mut Map<String, Value>) {
    if let Some(Value::String(name)) = user.get_mut("username")
        && !name.trim().is_empty()
    {
        *name = name.trim().to_owned();
    }
}

fn drop_empty_custom_fields(user: &mut Map<String, Value>) {
    if let Some(Value::Object(values)) = user.get_mut("customFields") {
        values.retain(|_, value| value.as_str() != Some(""));
    }
}

/// FOLIO's newest sample data has a list; Sunflower stores one value.
fn keep_one_contact_type(personal: &mut Map<String, Value>) {
    let listed = personal.shift_remove("preferredContactTypeIds");
    if let Some(first) = listed.as_ref().and_then(|list| list.as_array()?.first())
        && !personal.contains_key("preferredContactTypeId")
    {
        personal.insert("preferredContactTypeId".into(), first.clone());
    }
}

fn check_date_of_birth(personal: &Map<String, Value>) -> Result<(), Refused> {
    let born = personal.get("dateOfBirth").and_then(Value::as_str);
    match born {
        Some(date) if date < "0001-01-01" || date.starts_with('-') => Err(BORN_TOO_EARLY.into()),
        _ => Ok(()),
    }
}

fn check_addresses(personal: &Map<String, Value>) -> Result<(), Refused> {
    let mut types = address_types(personal);
    let count = types.len();
    types.sort_unstable();
    types.dedup();
    if types.len() < count {
        return Err(ADDRESS_TYPE_TWICE.into());
    }
    Ok(())
}

/// The address types in a user's personal data.
pub fn address_types(personal: &Map<String, Value>) -> Vec<String> {
    let addresses = personal.get("addresses").and_then(Value::as_array);
    addresses
        .into_iter()
        .flatten()
        .filter_map(|address| address.get("addressTypeId")?.as_str())
        .map(str::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn checked(user: Value) -> Result<Value, String> {
        let Value::Object(mut user) = user else { panic!("no object") };
        check(&mut user).map_err(|refused| refused.to_string())?;
        Ok(Value::Object(user))
    }

    #[test]
    fn a_user_is_brought_into_stored_form() {
        let user = checked(json!({"username": " reader ", "customFields": {"hobby": "", "shoes": 0},
            "personal": {"lastName": "Reader", "preferredContactTypeIds": ["002", "001"]}}));
        assert_eq!(
            user.unwrap(),
            json!({"username": "reader", "customFields": {"shoes": 0},
                "personal": {"lastName": "Reader", "preferredContactTypeId": "002"}})
        );
    }

    #[test]
    fn invalid_users_are_refused() {
        let twice = json!([{"addressTypeId": "A"}, {"addressTypeId": "b"}, {"addressTypeId": "a"}]);
        let cases = [
            (json!({"dateOfBirth": "0001-01-01T00:00:00.000+00:00"}), None),
            (json!({"dateOfBirth": "-0001-12-31T00:00:00.000+00:00"}), Some("dateOfBirth must be at least 0001-01-01")),
            (json!({"dateOfBirth": "0000-12-31T00:00:00.000+00:00"}), Some("dateOfBirth must be at least 0001-01-01")),
            (json!({"addresses": [{"addressTypeId": "a"}, {"addressTypeId": "b"}]}), None),
            (json!({"addresses": twice}), Some("Users are limited to one address per addresstype")),
        ];
        for (personal, expected) in cases {
            let found = checked(json!({"personal": personal})).err();
            assert_eq!(found.as_deref(), expected, "{personal}");
        }
    }
}
