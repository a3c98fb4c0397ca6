//! Reads what a user record refers to, and expires registrations.

use std::collections::BTreeSet;

use jiff::Timestamp;
use refusals::Refused;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    record::{print_instant, text},
    statements::patrons::{EXPIRE_USERS, USER_SURROUNDINGS},
};
use uuid::Uuid;

use crate::{
    custom_fields::{CustomField, value},
    refusal::{
        ADDRESS_TYPE_UNKNOWN, ADDRESS_TYPE_UNKNOWN_IN_CHANGE, DEPARTMENT_UNKNOWN, DEPARTMENT_UNKNOWN_IN_CHANGE,
        GROUP_UNKNOWN,
    },
    user,
};

/// What a user record refers to.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Surroundings {
    /// Address types that do not exist.
    pub missing_address_types: Vec<Uuid>,
    /// Departments that do not exist.
    pub missing_departments: Vec<Uuid>,
    /// False if the patron group does not exist.
    pub group_exists: bool,
    /// Definitions of the custom fields that the record has values in.
    pub custom_fields: Vec<CustomField>,
}

/// How a user is written; the refusals differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    New,
    /// Replaces a stored user.
    Change,
}

/// One round trip, or none if the record refers to nothing.
pub async fn surroundings(session: &Session, record: &Map<String, Value>) -> Result<Surroundings, StoreError> {
    let address_types = ids(&address_types(record));
    let departments = ids(&texts(record.get("departments")));
    let group = text(record, "patronGroup").and_then(|id| Uuid::parse_str(id).ok());
    let fields = custom_values(record).map_or_else(Vec::new, |values| values.keys().cloned().collect());
    if address_types.is_empty() && departments.is_empty() && group.is_none() && fields.is_empty() {
        return Ok(Surroundings { group_exists: true, ..Surroundings::default() });
    }
    let row = session.get(USER_SURROUNDINGS, &[&address_types, &group, &departments, &fields]).await?;
    Ok(Surroundings {
        missing_address_types: row.get("address_types"),
        group_exists: row.get("group_exists"),
        missing_departments: row.get("departments"),
        custom_fields: definitions(&row.get("custom_fields"))?,
    })
}

/// Reads what the records refer to, all together. The database checks the patron groups.
pub async fn surroundings_of_all(
    session: &Session,
    records: &[Map<String, Value>],
) -> Result<Surroundings, StoreError> {
    let departments: BTreeSet<_> = records.iter().flat_map(|record| texts(record.get("departments"))).collect();
    let address_types: BTreeSet<_> = records.iter().flat_map(address_types).collect();
    let addresses: Vec<_> = address_types.into_iter().map(|id| json!({"addressTypeId": id})).collect();
    let values = records.iter().filter_map(custom_values).flatten();
    let values: Map<_, _> = values.map(|(name, value)| (name.clone(), value.clone())).collect();
    let all = json!({"departments": departments, "personal": {"addresses": addresses}, "customFields": values});
    surroundings(session, all.as_object().unwrap_or(&Map::new())).await
}

/// Parses a JSON array of custom fields.
pub fn definitions(records: &Value) -> Result<Vec<CustomField>, StoreError> {
    let records = records.as_array().into_iter().flatten();
    records
        .filter_map(Value::as_object)
        .map(|record| CustomField::read(record).map_err(|error| StoreError::Other(format!("custom field: {error}"))))
        .collect()
}

/// Judges a record by what it refers to, in FOLIO's order.
///
/// # Errors
/// The first refusal; all of them for custom fields.
pub fn judge(record: &Map<String, Value>, found: &Surroundings, writing: Writing) -> Result<(), Refused> {
    if let Some(values) = custom_values(record) {
        value::check(values, &found.custom_fields)?;
    }
    let (address_type, department) = match writing {
        Writing::New => (ADDRESS_TYPE_UNKNOWN, DEPARTMENT_UNKNOWN),
        Writing::Change => (ADDRESS_TYPE_UNKNOWN_IN_CHANGE, DEPARTMENT_UNKNOWN_IN_CHANGE),
    };
    if !found.missing_address_types.is_empty() {
        return Err(address_type.into());
    }
    if !found.group_exists {
        let group = text(record, "patronGroup").unwrap_or_default();
        return Err(GROUP_UNKNOWN.with("group", group).into());
    }
    match found.missing_departments.first() {
        Some(missing) => Err(department.with("users.departments", *missing).into()),
        None => Ok(()),
    }
}

/// Makes users inactive whose registration has expired; returns how many.
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
    list.filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

fn ids(texts: &[String]) -> Vec<Uuid> {
    texts.iter().filter_map(|text| Uuid::parse_str(text).ok()).collect()
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
        let good =
            Surroundings { group_exists: true, custom_fields: definitions(&shoes).unwrap(), ..Surroundings::default() };
        let first = |found: &Surroundings| {
            let refused = judge(record, found, Writing::New).err()?;
            Some(refused.0[0].message())
        };
        assert_eq!(first(&good), None);
        let department = Surroundings { missing_departments: vec![id], ..good.clone() };
        assert!(first(&department).is_some_and(|text| text.contains(&id.to_string())));
        let group = Surroundings { group_exists: false, ..department };
        assert_eq!(first(&group).as_deref(), Some("Cannot add g. Patron group not found"));
        let address = Surroundings { missing_address_types: vec![id], ..group };
        assert_eq!(first(&address).as_deref(), Some(ADDRESS_TYPE_UNKNOWN.text));
        let field = Surroundings { custom_fields: Vec::new(), ..address };
        assert_eq!(first(&field).as_deref(), Some("Custom field with refId shoes is not found"));
    }
}
