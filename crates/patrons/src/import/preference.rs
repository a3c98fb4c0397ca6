//! The request preference of a user in an import.

use serde_json::Value;
use store::record::text;
use uuid::Uuid;

use super::{Record, System};

/// Checks a preference and adds the user's id. Errors are FOLIO's messages about what is missing, superfluous or
/// unknown.
pub fn complete(mut preference: Record, user: &Record, system: &System) -> Result<Record, String> {
    check(&preference, user, system).map_err(|sentence| format!("User Preference validation failed: {sentence}"))?;
    if let Some(name) = text(&preference, "defaultDeliveryAddressTypeId")
        && let Some(id) = system.address_types.get(name)
    {
        preference.insert("defaultDeliveryAddressTypeId".into(), id.as_str().into());
    }
    preference.insert("userId".into(), user.get("id").cloned().unwrap_or_default());
    preference.insert("id".into(), store::new_id().to_string().into());
    Ok(preference)
}

fn check(preference: &Record, user: &Record, system: &System) -> Result<(), String> {
    if let Some(point) = text(preference, "defaultServicePointId") {
        let exists = Uuid::parse_str(point).is_ok_and(|point| system.service_points.contains(&point));
        if !exists {
            return unknown("defaultServicePointId", "service point collection");
        }
    }
    let (fulfillment, address) = (preference.get("fulfillment"), text(preference, "defaultDeliveryAddressTypeId"));
    match preference.get("delivery").and_then(Value::as_bool) {
        None => Err("delivery must not be null".into()),
        Some(false) if fulfillment.is_some() => Err("fulfillment must be not specified".into()),
        Some(false) if address.is_some() => Err("defaultDeliveryAddressTypeId must be not specified".into()),
        Some(false) => Ok(()),
        Some(true) if fulfillment.is_none() => Err("fulfillment must not be null".into()),
        Some(true) => check_address(address, user, system),
    }
}

fn check_address(name: Option<&str>, user: &Record, system: &System) -> Result<(), String> {
    let member = "defaultDeliveryAddressTypeId";
    let Some(name) = name else {
        return Err(format!("{member} must not be null"));
    };
    let Some(id) = system.address_types.get(name) else {
        return unknown(member, "addresses collection");
    };
    let personal = user.get("personal").and_then(Value::as_object);
    let types = personal.map_or_else(Vec::new, crate::user::address_types);
    if types.iter().any(|kind| kind.eq_ignore_ascii_case(id)) {
        Ok(())
    } else {
        unknown(member, "user addresses collection")
    }
}

fn unknown(member: &str, collection: &str) -> Result<(), String> {
    Err(format!("Provided {member} value does not exist in {collection}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_preference_is_checked_against_the_user() {
        let point = Uuid::from_u128(5);
        let system = System {
            address_types: [("Home".into(), "a1".into()), ("Work".into(), "a2".into())].into(),
            service_points: vec![point],
            ..System::default()
        };
        let user = json!({"id": "u", "personal": {"addresses": [{"addressTypeId": "a1"}]}});
        let cases = [
            (json!({"holdShelf": true, "delivery": false, "defaultServicePointId": point}), None),
            (json!({"delivery": true, "fulfillment": "Delivery", "defaultDeliveryAddressTypeId": "Home"}), None),
            (json!({}), Some("delivery must not be null")),
            (json!({"delivery": false, "fulfillment": "Delivery"}), Some("fulfillment must be not specified")),
            (json!({"delivery": true}), Some("fulfillment must not be null")),
            (
                json!({"delivery": true, "fulfillment": "Delivery"}),
                Some("defaultDeliveryAddressTypeId must not be null"),
            ),
            (
                json!({"delivery": true, "fulfillment": "Delivery", "defaultDeliveryAddressTypeId": "Moon"}),
                Some("Provided defaultDeliveryAddressTypeId value does not exist in addresses collection"),
            ),
            (
                json!({"delivery": true, "fulfillment": "Delivery", "defaultDeliveryAddressTypeId": "Work"}),
                Some("Provided defaultDeliveryAddressTypeId value does not exist in user addresses collection"),
            ),
            (
                json!({"delivery": false, "defaultServicePointId": Uuid::nil()}),
                Some("Provided defaultServicePointId value does not exist in service point collection"),
            ),
        ];
        for (preference, expected) in cases {
            let user = user.as_object().unwrap();
            let found = complete(preference.as_object().unwrap().clone(), user, &system).err();
            let expected = expected.map(|text| format!("User Preference validation failed: {text}"));
            assert_eq!(found, expected, "{preference}");
        }
    }
}
