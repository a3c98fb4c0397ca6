//! Users in the database: what a record refers to, and the expiry of registrations.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    collection::Fault,
    record::print_instant,
    statements::patrons::{EXPIRE_USERS, USER_SURROUNDINGS},
};
use uuid::Uuid;

use crate::{
    collections::text,
    custom_fields::{CustomField, value},
    user,
};

/// What a user record refers to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surroundings {
    /// Address types that do not exist.
    pub missing_address_types: Vec<Uuid>,
    /// Departments that do not exist.
    pub missing_departments: Vec<Uuid>,
    /// False for a patron group that does not exist.
    pub group_exists: bool,
    /// Definitions of the custom fields the record has values in.
    pub custom_fields: Vec<CustomField>,
}

/// Why a user cannot be written.
#[derive(Debug, Clone, PartialEq)]
pub enum Refusal {
    /// Values in custom fields are wrong.
    CustomFields(Vec<Fault>),
    /// An address type does not exist.
    AddressType,
    /// The patron group does not exist.
    PatronGroup(String),
    /// A department does not exist.
    Department(Uuid),
}

/// Reads what the record refers to; one round trip, or none when it refers to nothing.
///
/// # Errors
/// [`StoreError`].
pub async fn surroundings(
    session: &Session,
    record: &Map<String, Value>,
) -> Result<Surroundings, StoreError> {
    let address_types = ids(&address_types(record));
    let departments = ids(&texts(record.get("departments")));
    let group = text(record, "patronGroup").and_then(|id| Uuid::parse_str(id).ok());
    let fields =
        custom_values(record).map_or_else(Vec::new, |values| values.keys().cloned().collect());
    if address_types.is_empty() && departments.is_empty() && group.is_none() && fields.is_empty() {
        return Ok(Surroundings {
            group_exists: true,
            ..Surroundings::default()
        });
    }
    let row = session
        .get(
            USER_SURROUNDINGS,
            &[&address_types, &group, &departments, &fields],
        )
        .await?;
    Ok(Surroundings {
        missing_address_types: row.get("address_types"),
        group_exists: row.get("group_exists"),
        missing_departments: row.get("departments"),
        custom_fields: definitions(&row.get("custom_fields"))?,
    })
}

/// Reads what any of the records refers to, as one record that refers to it all. The patron groups are left to
/// the database.
///
/// # Errors
/// [`StoreError`].
pub async fn surroundings_of_all(
    session: &Session,
    records: &[Map<String, Value>],
) -> Result<Surroundings, StoreError> {
    let departments: BTreeSet<_> = records
        .iter()
        .flat_map(|record| texts(record.get("departments")))
        .collect();
    let address_types: BTreeSet<_> = records.iter().flat_map(address_types).collect();
    let addresses: Vec<_> = address_types
        .into_iter()
        .map(|id| json!({"addressTypeId": id}))
        .collect();
    let values = records.iter().filter_map(custom_values).flatten();
    let values: Map<_, _> = values
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let all = json!({"departments": departments, "personal": {"addresses": addresses}, "customFields": values});
    surroundings(session, all.as_object().unwrap_or(&Map::new())).await
}

/// The definitions of a JSON array of custom fields.
///
/// # Errors
/// When a stored definition cannot be read.
pub fn definitions(records: &Value) -> Result<Vec<CustomField>, StoreError> {
    let records = records.as_array().into_iter().flatten();
    records
        .filter_map(Value::as_object)
        .map(|record| {
            CustomField::read(record)
                .map_err(|error| StoreError::Other(format!("custom field: {error}")))
        })
        .collect()
}

/// Judges a record by what it refers to, in FOLIO's order.
///
/// # Errors
/// The first [`Refusal`].
pub fn judge(record: &Map<String, Value>, found: &Surroundings) -> Result<(), Refusal> {
    if let Some(values) = custom_values(record) {
        value::check(values, &found.custom_fields).map_err(Refusal::CustomFields)?;
    }
    if !found.missing_address_types.is_empty() {
        return Err(Refusal::AddressType);
    }
    if !found.group_exists {
        let group = text(record, "patronGroup").unwrap_or_default();
        return Err(Refusal::PatronGroup(group.to_owned()));
    }
    match found.missing_departments.first() {
        Some(department) => Err(Refusal::Department(*department)),
        None => Ok(()),
    }
}

/// Makes users inactive whose registration has run out; returns how many.
///
/// # Errors
/// [`StoreError`].
pub async fn expire(session: &Session, now: Timestamp) -> Result<u64, StoreError> {
    session.execute(EXPIRE_USERS, &[&print_instant(now)]).await
}

fn custom_values(record: &Map<String, Value>) -> Option<&Map<String, Value>> {
    record.get("customFields").and_then(Value::as_object)
}

fn address_types(record: &Map<String, Value>) -> Vec<String> {
    let personal = record.get("personal").and_then(Value::as_object);
    personal.map_or_else(Vec::new, user::address_types)
}

fn texts(list: Option<&Value>) -> Vec<String> {
    let list = list.and_then(Value::as_array).into_iter().flatten();
    list.filter_map(|value| value.as_str().map(str::to_owned))
        .collect()
}

fn ids(texts: &[String]) -> Vec<Uuid> {
    texts
        .iter()
        .filter_map(|text| Uuid::parse_str(text).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_user_is_judged_by_what_it_refers_to() {
        let id = Uuid::from_u128(7);
        let record = json!({"patronGroup": "g", "customFields": {"shoes": "x"}});
        let record = record.as_object().unwrap();
        let shoes = json!([{"name": "Shoes", "refId": "shoes", "type": "TEXTBOX_SHORT"}]);
        let good = Surroundings {
            group_exists: true,
            custom_fields: definitions(&shoes).unwrap(),
            ..Surroundings::default()
        };
        assert_eq!(judge(record, &good), Ok(()));
        let department = Surroundings {
            missing_departments: vec![id],
            ..good.clone()
        };
        assert_eq!(judge(record, &department), Err(Refusal::Department(id)));
        let group = Surroundings {
            group_exists: false,
            ..department
        };
        assert_eq!(judge(record, &group), Err(Refusal::PatronGroup("g".into())));
        let address = Surroundings {
            missing_address_types: vec![id],
            ..group
        };
        assert_eq!(judge(record, &address), Err(Refusal::AddressType));
        let field = Surroundings {
            custom_fields: Vec::new(),
            ..address
        };
        assert!(
            matches!(judge(record, &field), Err(Refusal::CustomFields(faults)) if faults.len() == 1)
        );
    }
}
