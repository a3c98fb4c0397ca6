//! Changes of many records by a job: they are locked, changed as clients would change them, and written together in the
//! transaction of the job. Their versions rise, so that a client that read them before is refused.

use serde_json::{Map, Value, json};
use store::{
    StoreError,
    db::{Row, Transaction, only},
    statements::{archives::LOCK_RECORDS, writes::REVISE_ARCHIVAL},
};

use super::{Author, Place, accepted, write::prepare_over};
use crate::{
    model::{Purpose, ValueLists, check, record_type},
    refusal::Refusal,
};

/// Records are locked and written in batches of so many.
pub(crate) const BATCH: usize = 500;

/// A record that the transaction has locked.
#[derive(Debug, Clone)]
pub(crate) struct Locked {
    pub place: Place,
    pub id: i64,
    /// As it is stored.
    pub doc: Map<String, Value>,
    pub suppressed: bool,
    pub version: i32,
    /// The type and number of the record at the top of its tree, and the number of the node above.
    root: Option<(String, i64)>,
    parent: Option<i64>,
}

/// Locks records of these types and numbers; those that do not exist are left out. One round trip.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn lock(transaction: &Transaction, records: &[(&str, i64)]) -> Result<Vec<Locked>, StoreError> {
    let (kinds, ids): (Vec<&str>, Vec<i64>) = records.iter().copied().unzip();
    let rows = transaction.query(LOCK_RECORDS, &[&kinds, &ids]).await?;
    Ok(rows.iter().filter_map(Locked::of).collect())
}

/// Writes changed records, as [`Locked::changed`] makes them. One round trip, none without any.
///
/// # Errors
/// One of them refers to a record that does not exist, or has a key of another record.
pub(crate) async fn revise(transaction: &Transaction, changed: Vec<Value>, author: &Author) -> Result<(), Refusal> {
    if changed.is_empty() {
        return Ok(());
    }
    let changed = Value::Array(changed);
    let rows = transaction.query(REVISE_ARCHIVAL, &[&changed, &author.name, &author.now]).await?;
    let answer: Value = rows.first().map(only).transpose()?.unwrap_or_default();
    accepted(answer).map(|_| ())
}

impl Locked {
    fn of(row: &Row) -> Option<Self> {
        let of = record_type(row.get::<_, &str>("kind"))?;
        let Value::Object(doc) = row.get("doc") else { return None };
        let root: Option<(String, i64)> = row.get::<_, Option<String>>("root_kind").zip(row.get("root"));
        let place = Place { kind: &of.name, repository: row.get("repository") };
        Some(Self {
            place,
            id: row.get("id"),
            doc,
            suppressed: row.get("suppressed"),
            version: row.get("lock_version"),
            root,
            parent: row.get("parent"),
        })
    }

    /// Its address.
    pub(crate) fn uri(&self) -> String {
        self.place.uri(self.id)
    }

    /// The record as its clients write it.
    pub(crate) fn whole(&self) -> Map<String, Value> {
        let mut record = self.doc.clone();
        record.insert("jsonmodel_type".to_owned(), self.place.kind.into());
        if let Some((kind, root)) = &self.root {
            let top = record_type(kind).map(|of| Place { kind: &of.name, ..self.place }.uri(*root));
            record.insert(kind.clone(), json!({"ref": top}));
        }
        if let Some(parent) = self.parent {
            record.insert("parent".to_owned(), json!({"ref": self.place.uri(parent)}));
        }
        record
    }

    /// The change to a record that a client could have written, as [`revise`] takes it.
    ///
    /// # Errors
    /// It is not valid, or suppressed.
    pub(crate) fn changed(&self, record: Map<String, Value>, lists: &dyn ValueLists) -> Result<Value, Refusal> {
        if self.suppressed {
            return Err(Refusal::Conflict("Can't update an object that has been suppressed".to_owned()));
        }
        let of = record_type(self.place.kind).ok_or_else(|| Refusal::no(self.place.kind))?;
        let checked = check(of, Value::Object(record), lists, Purpose::Save)?;
        let mut entry = prepare_over(self.place, checked.record, Some(&self.doc))?;
        entry["id"] = self.id.into();
        Ok(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::StartingLists;

    fn locked() -> Locked {
        let doc = json!({"title": "Letters", "level": "file", "ref_id": "r1", "publish": true, "display_string": "Letters",
            "subjects": [{"ref": "/subjects/3"}]});
        Locked {
            place: Place { kind: "archival_object", repository: Some(2) },
            id: 7,
            doc: doc.as_object().cloned().expect("an object"),
            suppressed: false,
            version: 0,
            root: Some(("resource".to_owned(), 1)),
            parent: Some(5),
        }
    }

    #[test]
    fn a_change_keeps_the_place_and_the_identifier() {
        let locked = locked();
        let mut record = locked.whole();
        assert_eq!(record["resource"], json!({"ref": "/repositories/2/resources/1"}));
        assert_eq!(record["parent"], json!({"ref": "/repositories/2/archival_objects/5"}));
        record.insert("title".to_owned(), "Diaries".into());
        let entry = locked.changed(record, &StartingLists).expect("an entry");
        assert_eq!((&entry["id"], &entry["doc"]["title"]), (&json!(7), &json!("Diaries")));
        assert_eq!((&entry["doc"]["display_string"], &entry["doc"]["ref_id"]), (&json!("Diaries"), &json!("r1")));
        assert_eq!(entry["refs"][0]["uri"], "/subjects/3");
        assert_eq!((entry["doc"].get("resource"), entry["doc"].get("parent")), (None, None));
    }

    #[test]
    fn a_change_that_clients_could_not_make_is_refused() {
        let mut record = locked().whole();
        record.insert("level".to_owned(), "nonsense".into());
        assert!(matches!(locked().changed(record, &StartingLists), Err(Refusal::Invalid(_))));
        let hidden = Locked { suppressed: true, ..locked() };
        assert!(matches!(hidden.changed(hidden.whole(), &StartingLists), Err(Refusal::Conflict(_))));
    }
}
