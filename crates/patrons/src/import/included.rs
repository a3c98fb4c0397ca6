//! What an import brings along: new and renamed departments, new options of custom fields.

use serde_json::{Value, json};
use store::record::text;
use uuid::Uuid;

use super::{Record, System, names::definition};
use crate::custom_fields::{CustomField, definition as rules, options, records::Change};

/// The departments to write, complete; they are also entered in `system`.
pub fn departments(sent: &[Value], system: &mut System, metadata: &Value) -> Vec<Record> {
    let mut written = Vec::new();
    for department in sent.iter().filter_map(Value::as_object) {
        let (name, code) = (text(department, "name").unwrap_or_default(), text(department, "code"));
        let has = |member: &str, value: &str| {
            let same = |known: &Record| text(known, member) == Some(value);
            system.departments.iter().position(same)
        };
        if has("name", name).is_some() {
            continue;
        }
        let place = code.and_then(|code| has("code", code)).unwrap_or_else(|| {
            let code = code.filter(|code| !code.trim().is_empty()).map(str::to_owned);
            let code = code.unwrap_or_else(|| name.to_uppercase().replace(' ', "_"));
            let new = json!({"id": Uuid::new_v4(), "code": code, "metadata": metadata});
            system.departments.extend(new.as_object().cloned());
            system.departments.len() - 1
        });
        system.departments[place].insert("name".into(), name.into());
        written.push(system.departments[place].clone());
    }
    written
}

/// The change of custom fields, which is also entered in `system`. Refuses unknown fields and invalid definitions with
/// FOLIO's message.
pub fn custom_fields(sent: &[Value], system: &mut System, metadata: &Value) -> Result<Change, String> {
    let mut change = Change::default();
    for field in sent.iter().filter_map(Value::as_object) {
        let name = text(field, "refId").unwrap_or_default();
        let known = definition(system, name)
            .ok_or_else(|| format!("Custom fields do not exist in the system: [{name}]."))?
            .clone();
        let mut updated = updated(&known, field);
        updated.insert("metadata".into(), metadata.clone());
        let read = CustomField::read(&updated).map_err(|error| error.to_string())?;
        rules::check(&updated, &read)?;
        change.replace(updated, &known).map_err(|(_, _, sentence)| sentence)?;
    }
    for saved in &change.saved {
        let same = |field: &&mut Record| field["id"] == saved["id"];
        if let Some(field) = system.custom_fields.iter_mut().find(same) {
            *field = saved.clone();
        }
    }
    Ok(change)
}

fn updated(known: &Record, sent: &Record) -> Record {
    let mut updated = known.clone();
    for name in ["name", "visible", "isRepeatable", "helpText"] {
        if let Some(value) = sent.get(name).filter(|value| !value.is_null()) {
            updated.insert(name.into(), value.clone());
        }
    }
    let new = sent.get("selectField").and_then(|select| select.pointer("/options/values"));
    let values = updated
        .get_mut("selectField")
        .and_then(|select| select.pointer_mut("/options/values"))
        .and_then(Value::as_array_mut);
    if let (Some(values), Some(new)) = (values, new.and_then(Value::as_array)) {
        for option in new {
            match values.iter_mut().find(|known| known["value"] == option["value"]) {
                Some(known) => {
                    let default = option["default"].as_bool().unwrap_or_default();
                    known["default"] = default.into();
                }
                None => values.push(
                    json!({"value": option["value"], "default": option["default"].as_bool().unwrap_or_default()}),
                ),
            }
        }
    }
    options::arrange(&mut updated);
    updated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(value: Value) -> Record {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn departments_are_added_or_renamed() {
        let mut system = System {
            departments: vec![
                record(json!({"id": "1", "name": "History", "code": "H"})),
                record(json!({"id": "2", "name": "Art", "code": "A"})),
            ],
            ..System::default()
        };
        let sent = [
            json!({"name": "History", "code": "X"}),
            json!({"name": "Arts", "code": "A"}),
            json!({"name": "Old Maps"}),
        ];
        let written = departments(&sent, &mut system, &json!({}));
        let shown: Vec<_> =
            written.iter().map(|one| (text(one, "name").unwrap(), text(one, "code").unwrap())).collect();
        assert_eq!(shown, [("Arts", "A"), ("Old Maps", "OLD_MAPS")]);
        assert_eq!(system.departments.len(), 3);
    }

    #[test]
    fn custom_fields_get_new_options() {
        let colour = json!({"id": Uuid::nil(), "name": "Colour", "refId": "colour", "type": "RADIO_BUTTON",
            "selectField": {"multiSelect": false, "options": {"values": [{"id": "opt_1", "value": "red"}]}}});
        let mut system = System { custom_fields: vec![record(colour)], ..System::default() };
        let sent = [json!({"refId": "colour", "name": "Colours",
            "selectField": {"options": {"values": [{"value": "red", "default": true}, {"value": "blue"}]}}})];
        let change = custom_fields(&sent, &mut system, &json!({})).unwrap();
        assert_eq!(change.saved[0]["name"], "Colours");
        let values = &system.custom_fields[0]["selectField"]["options"]["values"];
        assert_eq!(
            values,
            &json!([{"id": "opt_1", "value": "red", "default": true}, {"id": "opt_2", "value": "blue", "default": false}])
        );
        let unknown = custom_fields(&[json!({"refId": "hats"})], &mut system, &json!({}));
        assert_eq!(unknown.unwrap_err(), "Custom fields do not exist in the system: [hats].");
    }
}
