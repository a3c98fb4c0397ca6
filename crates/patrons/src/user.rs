//! What a user record must be, whoever else is in the library (docs/folio/users.md#refusals-of-users).

use serde_json::{Map, Value};
use store::collection::Fault;

/// Brings a user into the form it is stored in and refuses what no library can hold.
///
/// # Errors
/// FOLIO's sentences, told as text: an impossible date of birth, two addresses of one type.
pub fn check(user: &mut Map<String, Value>) -> Result<(), Fault> {
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

/// FOLIO's newest sample data has a list; Sunflower keeps one value.
fn keep_one_contact_type(personal: &mut Map<String, Value>) {
    let listed = personal.shift_remove("preferredContactTypeIds");
    if let Some(first) = listed.as_ref().and_then(|list| list.get(0))
        && !personal.contains_key("preferredContactTypeId")
    {
        personal.insert("preferredContactTypeId".into(), first.clone());
    }
}

fn check_date_of_birth(personal: &Map<String, Value>) -> Result<(), Fault> {
    let born = personal.get("dateOfBirth").and_then(Value::as_str);
    match born {
        Some(date) if date < "0001-01-01" || date.starts_with('-') => {
            Err(Fault::text("dateOfBirth must be at least 0001-01-01"))
        }
        _ => Ok(()),
    }
}

fn check_addresses(personal: &Map<String, Value>) -> Result<(), Fault> {
    let mut types = address_types(personal);
    let count = types.len();
    types.sort_unstable();
    types.dedup();
    if types.len() < count {
        return Err(Fault::text(
            "Users are limited to one address per addresstype",
        ));
    }
    Ok(())
}

/// The address types a user's personal data name.
#[must_use]
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
        let Value::Object(mut user) = user else {
            panic!("no object")
        };
        check(&mut user).map_err(|fault| fault.message)?;
        Ok(Value::Object(user))
    }

    #[test]
    fn a_user_is_brought_into_stored_form() {
        let user = checked(
            json!({"username": " reader ", "customFields": {"hobby": "", "shoes": 0},
            "personal": {"lastName": "Reader", "preferredContactTypeIds": ["002", "001"]}}),
        );
        assert_eq!(
            user.unwrap(),
            json!({"username": "reader", "customFields": {"shoes": 0},
                "personal": {"lastName": "Reader", "preferredContactTypeId": "002"}})
        );
    }

    #[test]
    fn what_no_library_can_hold_is_refused() {
        let twice = json!([{"addressTypeId": "A"}, {"addressTypeId": "b"}, {"addressTypeId": "a"}]);
        let cases = [
            (
                json!({"dateOfBirth": "0001-01-01T00:00:00.000+00:00"}),
                None,
            ),
            (
                json!({"dateOfBirth": "-0001-12-31T00:00:00.000+00:00"}),
                Some("dateOfBirth must be at least 0001-01-01"),
            ),
            (
                json!({"dateOfBirth": "0000-12-31T00:00:00.000+00:00"}),
                Some("dateOfBirth must be at least 0001-01-01"),
            ),
            (
                json!({"addresses": [{"addressTypeId": "a"}, {"addressTypeId": "b"}]}),
                None,
            ),
            (
                json!({"addresses": twice}),
                Some("Users are limited to one address per addresstype"),
            ),
        ];
        for (personal, expected) in cases {
            let found = checked(json!({"personal": personal})).err();
            assert_eq!(found.as_deref(), expected, "{personal}");
        }
    }
}
