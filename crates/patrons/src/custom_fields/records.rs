//! Custom fields in the database: read together, saved together with what a change means for users.

use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::patrons::{
        CUSTOM_FIELD_OPTION_USES, CUSTOM_FIELD_REMOVED, CUSTOM_FIELD_USES, CUSTOM_FIELDS_ALL,
        CUSTOM_FIELDS_SAVED,
    },
};
use uuid::Uuid;

use super::{CustomField, definition, name, options};

/// A record of a custom field.
pub type Record = Map<String, Value>;

/// Why a definition cannot take the place of another: member, its value, FOLIO's sentence.
pub type Unchangeable = (&'static str, String, String);

/// What is to be written for custom fields to be in a new state.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// Fields that go, with their values.
    pub removed: Vec<Uuid>,
    /// Names of their members.
    pub removed_names: Vec<String>,
    /// Fields that are added or changed, complete.
    pub saved: Vec<Record>,
    /// Options that go: `{name, dropped, instead}`.
    pub dropped: Vec<Value>,
}

/// All custom fields in order. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn all(session: &Session) -> Result<Vec<Record>, StoreError> {
    let row = session.get(CUSTOM_FIELDS_ALL, &[]).await?;
    let Value::Array(records) = row.get(0) else {
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
    /// Writes the change. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn write(self, session: &Session) -> Result<(), StoreError> {
        let saved = Value::Array(self.saved.into_iter().map(Value::Object).collect());
        let dropped = Value::Array(self.dropped);
        session
            .execute(
                CUSTOM_FIELDS_SAVED,
                &[&self.removed, &self.removed_names, &saved, &dropped],
            )
            .await?;
        Ok(())
    }

    /// A field that is new: it gets a name nobody has and, unless it has one, the last place.
    pub fn add(&mut self, mut record: Record, known: &[Record]) {
        let title = record
            .get("name")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let names = known.iter().chain(&self.saved).filter_map(ref_id);
        let free = name::free(&name::stem(title), names);
        record.insert("refId".into(), free.into());
        if !record.contains_key("order") {
            let last = known
                .iter()
                .filter_map(|one| one.get("order")?.as_i64())
                .max();
            record.insert("order".into(), (last.unwrap_or(0) + 1).into());
        }
        prepare(&mut record);
        self.saved.push(record);
    }

    /// A field that changes: name and (unless the new one has one) place stay; users that have an option
    /// which goes get the default.
    ///
    /// # Errors
    /// [`Unchangeable`] when type or format would change.
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

    /// A field that goes.
    pub fn remove(&mut self, old: &Record) {
        self.removed.extend(id(old));
        self.removed_names.extend(ref_id(old).map(str::to_owned));
    }
}

/// Options in order and numbered; a text without a format takes any text.
fn prepare(record: &mut Record) {
    options::arrange(record);
    let text = CustomField::read(record).is_ok_and(|field| field.field_type.is_text());
    if text && !record.contains_key("textField") {
        record.insert("textField".into(), json!({"fieldFormat": "TEXT"}));
    }
}

/// The id of a record.
#[must_use]
pub fn id(record: &Record) -> Option<Uuid> {
    record
        .get("id")
        .and_then(Value::as_str)
        .and_then(|id| Uuid::parse_str(id).ok())
}

/// The name of a field's member in users.
#[must_use]
pub fn ref_id(record: &Record) -> Option<&str> {
    record.get("refId").and_then(Value::as_str)
}

/// Takes a field away with all values of users; false when there is none. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn remove(session: &Session, id: Uuid) -> Result<bool, StoreError> {
    Ok(session.get(CUSTOM_FIELD_REMOVED, &[&id]).await?.get(0))
}

/// A field, and how many users have a value in it, or that option of it; `None` when there is no such field. One
/// round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn uses(
    session: &Session,
    id: Uuid,
    option: Option<&str>,
) -> Result<Option<(Record, i64)>, StoreError> {
    let row = match option {
        None => session.find(CUSTOM_FIELD_USES, &[&id]).await?,
        Some(option) => {
            session
                .find(CUSTOM_FIELD_OPTION_USES, &[&id, &option])
                .await?
        }
    };
    Ok(row.and_then(|row| match row.get(0) {
        Value::Object(record) => Some((record, row.get(1))),
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
        let known = [record(
            json!({"name": "Shoes", "refId": "shoes", "order": 4}),
        )];
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
    fn a_changed_field_keeps_its_name_and_tells_of_dropped_options() {
        let choice = |values: Value| {
            record(json!({"name": "Colour", "type": "RADIO_BUTTON",
                "selectField": {"multiSelect": false, "options": {"values": values}}}))
        };
        let mut old =
            choice(json!([{"id": "opt_1", "value": "red"}, {"id": "opt_2", "value": "blue"}]));
        old.insert("refId".into(), "colour".into());
        old.insert("order".into(), 2.into());
        let mut change = Change::default();
        let new = choice(json!([{"id": "opt_2", "value": "blue", "default": true}]));
        change.replace(new, &old).unwrap();
        assert_eq!(
            change.dropped,
            [json!({"name": "colour", "dropped": ["opt_1"], "instead": "opt_2"})]
        );
        assert_eq!(
            (&change.saved[0]["refId"], &change.saved[0]["order"]),
            (&json!("colour"), &json!(2))
        );
        let text = record(json!({"name": "Colour", "type": "TEXTBOX_LONG"}));
        assert_eq!(change.replace(text, &old).unwrap_err().0, "type");
    }
}
