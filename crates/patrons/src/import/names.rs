//! Replaces names by ids.

use std::collections::BTreeMap;

use serde_json::Value;
use store::record::text;

use super::{Record, System};
use crate::custom_fields::{CustomField, records::ref_id};

/// FOLIO's contact types by name.
const CONTACT_TYPES: [(&str, &str); 5] =
    [("mail", "001"), ("email", "002"), ("text", "003"), ("phone", "004"), ("mobile", "005")];

/// Replaces the names of the group, departments, address types, contact type and options by ids. Unknown names give
/// FOLIO's message.
pub fn resolve(user: &mut Record, system: &System) -> Result<(), String> {
    resolve_group(user, system)?;
    if let Some(Value::Object(personal)) = user.get_mut("personal") {
        resolve_addresses(personal, system);
        resolve_contact_type(personal);
    }
    resolve_departments(user, system)?;
    resolve_options(user, &system.definitions())
}

fn resolve_group(user: &mut Record, system: &System) -> Result<(), String> {
    let Some(name) = text(user, "patronGroup") else {
        return Ok(());
    };
    let id = system.groups.get(name);
    let id = id.ok_or_else(|| format!("Patron group does not exist in the system: [{name}]"))?;
    user.insert("patronGroup".into(), id.as_str().into());
    Ok(())
}

/// Drops addresses of an unknown type, as FOLIO does.
fn resolve_addresses(personal: &mut Record, system: &System) {
    let Some(Value::Array(addresses)) = personal.get_mut("addresses") else {
        return;
    };
    addresses.retain_mut(|address| {
        let known = address["addressTypeId"].as_str().and_then(|name| system.address_types.get(name));
        if let Some(id) = known {
            address["addressTypeId"] = id.as_str().into();
        }
        known.is_some()
    });
}

fn resolve_contact_type(personal: &mut Record) {
    let Some(name) = text(personal, "preferredContactTypeId").map(str::to_lowercase) else {
        return;
    };
    match CONTACT_TYPES.iter().find(|(known, _)| *known == name) {
        Some((_, id)) => {
            personal.insert("preferredContactTypeId".into(), (*id).into());
        }
        None => {
            personal.shift_remove("preferredContactTypeId");
        }
    }
}

fn resolve_departments(user: &mut Record, system: &System) -> Result<(), String> {
    let Some(Value::Array(names)) = user.get_mut("departments") else {
        return Ok(());
    };
    let mut missing = Vec::new();
    for name in names {
        let named = |department: &&Record| text(department, "name") == name.as_str();
        match system.departments.iter().find(named) {
            Some(department) => *name = department["id"].clone(),
            None => missing.push(name.as_str().unwrap_or_default().to_owned()),
        }
    }
    missing.sort();
    if missing.is_empty() {
        return Ok(());
    }
    Err(format!("Departments do not exist in the system: [{}]", missing.join(", ")))
}

fn resolve_options(user: &mut Record, fields: &[CustomField]) -> Result<(), String> {
    let Some(Value::Object(values)) = user.get_mut("customFields") else {
        return Ok(());
    };
    let mut missing_fields = Vec::new();
    let mut missing_options: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in values {
        match fields.iter().find(|field| field.ref_id == *name) {
            None => missing_fields.push(name.clone()),
            Some(field) if field.field_type.is_choice() => {
                let unknown = resolve_value(value, field);
                if !unknown.is_empty() {
                    missing_options.insert(name.clone(), unknown);
                }
            }
            Some(_) => {}
        }
    }
    missing(missing_fields, &missing_options)
}

/// Replaces option labels by ids; returns the unknown ones.
fn resolve_value(value: &mut Value, field: &CustomField) -> Vec<String> {
    let one = |value: &mut Value| -> Option<String> {
        let wanted = value.as_str()?.to_owned();
        let option = field.choices().iter().find(|option| option.value == wanted);
        match option.and_then(|option| option.id.clone()) {
            Some(id) => {
                *value = id.into();
                None
            }
            None => Some(wanted),
        }
    };
    match value {
        Value::Array(values) => values.iter_mut().filter_map(one).collect(),
        value => one(value).into_iter().collect(),
    }
}

fn missing(mut fields: Vec<String>, options: &BTreeMap<String, Vec<String>>) -> Result<(), String> {
    let mut missing = Vec::new();
    if !fields.is_empty() {
        fields.sort();
        missing.push(format!("Custom fields do not exist in the system: [{}].", fields.join(", ")));
    }
    if !options.is_empty() {
        let options = options.iter().map(|(name, values)| format!("refId = {name}, options: [{}]", values.join(", ")));
        let options: Vec<_> = options.collect();
        missing.push(format!("Custom field's options do not exist in the system: [{}].", options.join("; ")));
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join(" ")) }
}

/// The definition of the custom field with this reference id.
pub fn definition<'a>(system: &'a System, name: &str) -> Option<&'a Record> {
    system.custom_fields.iter().find(|field| ref_id(field) == Some(name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn system() -> System {
        let colour = json!({"name": "Colour", "refId": "colour", "type": "MULTI_SELECT_DROPDOWN",
            "selectField": {"multiSelect": true, "options": {"values": [{"id": "opt_1", "value": "red"}]}}});
        System {
            address_types: [("Home".into(), "a1".into())].into(),
            groups: [("staff".into(), "g1".into())].into(),
            departments: vec![json!({"id": "d1", "name": "History", "code": "H"}).as_object().unwrap().clone()],
            custom_fields: vec![colour.as_object().unwrap().clone()],
            ..System::default()
        }
    }

    #[test]
    fn names_become_ids() {
        let mut user = json!({"patronGroup": "staff", "departments": ["History"], "customFields": {"colour": ["red"]},
            "personal": {"preferredContactTypeId": "Email",
                "addresses": [{"addressTypeId": "Home"}, {"addressTypeId": "Nowhere"}]}});
        resolve(user.as_object_mut().unwrap(), &system()).unwrap();
        assert_eq!(
            user,
            json!({"patronGroup": "g1", "departments": ["d1"], "customFields": {"colour": ["opt_1"]},
                "personal": {"preferredContactTypeId": "002", "addresses": [{"addressTypeId": "a1"}]}})
        );
    }

    #[test]
    fn unknown_names_are_reported() {
        let cases = [
            (json!({"patronGroup": "x"}), "Patron group does not exist in the system: [x]"),
            (json!({"departments": ["Z", "History", "A"]}), "Departments do not exist in the system: [A, Z]"),
            (
                json!({"customFields": {"hats": 1, "colour": ["red", "blue"]}}),
                "Custom fields do not exist in the system: [hats]. \
                 Custom field's options do not exist in the system: [refId = colour, options: [blue]].",
            ),
        ];
        for (mut user, expected) in cases {
            let found = resolve(user.as_object_mut().unwrap(), &system());
            assert_eq!(found.unwrap_err(), expected);
        }
    }
}
