//! Reads custom fields from the database, and writes changes together with their effects on users.

use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::patrons::{
        CUSTOM_FIELD_OPTION_USES, CUSTOM_FIELD_REMOVED, CUSTOM_FIELD_USES, CUSTOM_FIELDS_ALL, CUSTOM_FIELDS_SAVED,
    },
};
use uuid::Uuid;

use super::{CustomField, definition, name, options};

pub type Record = Map<String, Value>;

/// Why a definition cannot replace another: the member, its value, FOLIO's message.
pub type Unchangeable = (&'static str, String, String);

/// A change of custom fields, to be written as a whole.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// Fields to remove with their values.
    pub removed: Vec<Uuid>,
    /// Their reference ids.
    pub removed_names: Vec<String>,
    /// New and changed fields, complete.
    pub saved: Vec<Record>,
    /// Removed options: `{name, dropped, instead}`.
    pub dropped: Vec<Value>,
}

/// All custom fields in order. One round trip.
pub async fn all(session: &Session) -> Result<Vec<Record>, StoreError> {
    let Value::Array(records) = session.value(CUSTOM_FIELDS_ALL, &[]).await? else {
        return Ok(Vec::new());
    };
    let records = records.into_iter();
    Ok(records
        .filter_map(|record| match record {
            Value::Object(record) => Some(record),
            _ => None,
        })
        .collect())
}

impl Change {
    /// One round trip.
    pub async fn write(self, session: &Session) -> Result<(), StoreError> {
        let saved = Value::Array(self.saved.into_iter().map(Value::Object).collect());
        let dropped = Value::Array(self.dropped);
        session.execute(CUSTOM_FIELDS_SAVED, &[&self.removed, &self.removed_names, &saved, &dropped]).await?;
        Ok(())
    }

    /// Adds a new field, with an unused reference id and, unless it has one, the last place.
    pub fn add(&mut self, mut record: Record, known: &[Record]) {
        let title = record.get("name").and_then(Value::as_str).unwrap_or_default();
        let names = known.iter().chain(&self.saved).filter_map(ref_id);
        let free = name::free(&name::stem(title), names);
        record.insert("refId".into(), free.into());
        if !record.contains_key("order") {
            let last = known.iter().filter_map(|one| one.get("order")?.as_i64()).max();
            record.insert("order".into(), (last.unwrap_or(0) + 1).into());
        }
        prepare(&mut record);
        self.saved.push(record);
    }

    /// Changes a field. It keeps its reference id and, unless the new one has one, its place; users with a removed
    /// option get the default.
    pub fn replace(&mut self, mut record: Record, old: &Record) -> Result<(), Unchangeable> {
        prepare(&mut record);
        for member in ["refId", "order"] {
            if !record.contains_key(member)
                && let Some(value) = old.get(member)
            {
                record.insert(member.into(), value.clone());
            }
        }
        if let (Ok(new), Ok(old)) = (CustomField::read(&record), CustomField::read(old)) {
            definition::check_change(&new, &old)?;
            let dropped = options::dropped(&new, &old);
            if !dropped.is_empty() {
                let instead = options::replacement(&new);
                let change = json!({"name": new.ref_id, "dropped": dropped, "instead": instead});
                self.dropped.push(change);
            }
        }
        self.saved.push(record);
        Ok(())
    }

    pub fn remove(&mut self, old: &Record) {
        self.removed.extend(id(old));
        self.removed_names.extend(ref_id(old).map(str::to_owned));
    }
}

/// Sorts and numbers the options; a text without a format accepts any text.
fn prepare(record: &mut Record) {
    options::arrange(record);
    let text = CustomField::read(record).is_ok_and(|field| field.field_type.is_text());
    if text && !record.contains_key("textField") {
        record.insert("textField".into(), json!({"fieldFormat": "TEXT"}));
    }
}

pub fn id(record: &Record) -> Option<Uuid> {
    record.get("id").and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok())
}

/// The field's member in `customFields` of users.
#[must_use]
pub(crate) fn ref_id(record: &Record) -> Option<&str> {
    record.get("refId").and_then(Value::as_str)
}

/// Removes a field and all users' values; false if there is none. One round trip.
pub async fn remove(session: &Session, id: Uuid) -> Result<bool, StoreError> {
    session.value(CUSTOM_FIELD_REMOVED, &[&id]).await
}

/// A field, if it exists, and the number of users with a value in it, or with this option. One round trip.
pub async fn uses(session: &Session, id: Uuid, option: Option<&str>) -> Result<Option<(Record, i64)>, StoreError> {
    let row = match option {
        None => session.find(CUSTOM_FIELD_USES, &[&id]).await?,
        Some(option) => session.find(CUSTOM_FIELD_OPTION_USES, &[&id, &option]).await?,
    };
    Ok(row.and_then(|row| match row.get("field") {
        Value::Object(record) => Some((record, row.get("users"))),
        _ => None,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(value: Value) -> Record {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn new_fields_get_free_names_and_the_last_place() {
        let known = [record(json!({"name": "Shoes", "refId": "shoes", "order": 4}))];
        let mut change = Change::default();
        let shoes = || record(json!({"name": "Shoes", "type": "TEXTBOX_SHORT"}));
        change.add(shoes(), &known);
        change.add(shoes(), &known);
        let names: Vec<_> = change.saved.iter().filter_map(ref_id).collect();
        assert_eq!(names, ["shoes_2", "shoes_3"]);
        assert_eq!(change.saved[0]["order"], 5);
        assert_eq!(change.saved[0]["textField"], json!({"fieldFormat": "TEXT"}));
    }

    #[test]
    fn a_changed_field_keeps_its_name_and_lists_dropped_options() {
        let choice = |values: Value| {
            record(json!({"name": "Colour", "type": "RADIO_BUTTON",
                "selectField": {"multiSelect": false, "options": {"values": values}}}))
        };
        let mut old = choice(json!([{"id": "opt_1", "value": "red"}, {"id": "opt_2", "value": "blue"}]));
        old.insert("refId".into(), "colour".into());
        old.insert("order".into(), 2.into());
        let mut change = Change::default();
        let new = choice(json!([{"id": "opt_2", "value": "blue", "default": true}]));
        change.replace(new, &old).unwrap();
        assert_eq!(change.dropped, [json!({"name": "colour", "dropped": ["opt_1"], "instead": "opt_2"})]);
        assert_eq!((&change.saved[0]["refId"], &change.saved[0]["order"]), (&json!("colour"), &json!(2)));
        let text = record(json!({"name": "Colour", "type": "TEXTBOX_LONG"}));
        assert_eq!(change.replace(text, &old).unwrap_err().0, "type");
    }
}
