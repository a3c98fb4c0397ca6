//! What changes of instances, holdings and items have in common: stored form, id, version, provenance.

use serde_json::{Map, Value};
use store::inventory::{Record, Writes};

use super::{Change, Intent, NotWritten, Sent, text, version};

/// A record about to be written.
#[derive(Debug)]
pub(super) struct Draft {
    /// Complete except for what its kind computes.
    pub record: Record,
    /// The stored version it replaces; `None` for a new record.
    pub expected: Option<i64>,
}

/// Brings a sent record into stored form.
pub(super) fn draft(change: Change<'_>, sent: &Sent, stored: Option<&Record>) -> Result<Draft, NotWritten> {
    let whole = match (change.intent, stored) {
        (Intent::Patch, Some(stored)) => patched(stored, &sent.record),
        (Intent::Patch, None) => return Err(NotWritten::NotFound(sent.id)),
        _ => sent.record.clone(),
    };
    let mut record = change.collection.schema.accept(whole)?;
    record.insert("id".into(), sent.id.to_string().into());
    if text(&record, "hrid").is_some_and(|hrid| hrid.trim().is_empty()) {
        record.shift_remove("hrid");
    }
    if let Some(check) = change.collection.check {
        check(&mut record)?;
    }
    match (change.intent, stored) {
        (Intent::Create, _) | (Intent::Upsert | Intent::ReplaceOrCreate, None) => Ok(added(change, record)),
        (_, Some(stored)) => replacing(change, sent, record, stored),
        (_, None) => Err(NotWritten::NotFound(sent.id)),
    }
}

/// The stored record with the members sent; `null` removes one.
fn patched(stored: &Record, sent: &Value) -> Value {
    let mut whole = stored.clone();
    for (member, value) in sent.as_object().into_iter().flatten() {
        whole.insert(member.clone(), value.clone());
    }
    Value::Object(whole)
}

fn added(change: Change<'_>, mut record: Record) -> Draft {
    record.insert("_version".into(), 1.into());
    record.insert("metadata".into(), change.metadata.clone());
    Draft { record, expected: None }
}

fn replacing(change: Change<'_>, sent: &Sent, mut record: Record, stored: &Record) -> Result<Draft, NotWritten> {
    keep_hrid(change, &mut record, stored)?;
    let current = version(stored).unwrap_or_default();
    let known = version(&record);
    if change.locking && known != Some(current) {
        return Err(NotWritten::Stale { id: sent.id, stored: current, sent: known });
    }
    record.insert("_version".into(), (current + 1).into());
    record.insert("metadata".into(), updated(change.metadata, stored.get("metadata")));
    Ok(Draft { record, expected: Some(current) })
}

fn keep_hrid(change: Change<'_>, record: &mut Record, stored: &Record) -> Result<(), NotWritten> {
    let old = stored.get("hrid");
    if change.intent == Intent::Upsert {
        if let (None, Some(old)) = (record.get("hrid"), old) {
            record.insert("hrid".into(), old.clone());
        }
        return Ok(());
    }
    if record.get("hrid") != old {
        let [new, old] = [text(record, "hrid"), text(stored, "hrid")].map(|hrid| hrid.map(str::to_owned));
        return Err(NotWritten::HridChanged { new, old });
    }
    Ok(())
}

/// `metadata` of a changed record: who created it and when stays.
fn updated(now: &Value, stored: Option<&Value>) -> Value {
    let created = stored.and_then(Value::as_object).into_iter().flatten();
    let created = created.filter(|(member, _)| member.starts_with("created"));
    let updated = now.as_object().into_iter().flatten();
    let updated = updated.filter(|(member, _)| member.starts_with("updated"));
    let members: Map<_, _> = created.chain(updated).map(|(member, value)| (member.clone(), value.clone())).collect();
    Value::Object(members)
}

/// Whether a single record is replaced by the same one, or changed to what it is. Nothing is written then, and the record keeps its version
/// (mod-inventory-storage 29.0, `ComparisonUtils.equalsIgnoringMetadata`).
pub(super) fn changes_nothing(change: Change<'_>, drafts: &[Draft], stored: Option<&Record>) -> bool {
    let ([draft], Some(stored)) = (drafts, stored) else { return false };
    let counts = |name: &str| !matches!(name, "metadata" | "_version");
    let members = |record: &Record| record.keys().filter(|name| counts(name)).count();
    let same = |(name, value): (&String, &Value)| !counts(name) || stored.get(name) == Some(value);
    matches!(change.intent, Intent::Replace | Intent::ReplaceOrCreate | Intent::Patch)
        && draft.expected.is_some()
        && members(&draft.record) == members(stored)
        && draft.record.iter().all(same)
}

/// The drafts in the form the database takes; a single added record is returned.
pub(super) fn writes(drafts: Vec<Draft>) -> Writes {
    let answer = drafts.len() == 1;
    let (records, expected) = drafts.into_iter().map(|draft| (draft.record, draft.expected)).unzip();
    Writes { records, expected, answer }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use store::collection::Collection;

    use super::*;

    fn collection() -> Collection {
        Collection::new("/things", "things", "thing", "hrid, name*").versioned()
    }

    fn record(value: Value) -> Record {
        value.as_object().cloned().unwrap_or_default()
    }

    fn stored() -> Record {
        record(json!({"id": "00000000-0000-0000-0000-000000000000", "hrid": "t1", "name": "old", "_version": 2,
            "metadata": {"createdDate": "then", "createdByUserId": "a", "updatedDate": "then", "updatedByUserId": "b"}}))
    }

    fn drafted(intent: Intent, sent: Value, stored: Option<&Record>) -> Result<Draft, NotWritten> {
        let metadata = json!({"createdDate": "now", "updatedDate": "now"});
        let change =
            Change { collection: &collection(), intent, locking: true, metadata: &metadata, now: "now", rule: None };
        draft(change, &Sent { id: uuid::Uuid::nil(), record: sent }, stored)
    }

    #[test]
    fn a_new_record_starts_at_version_one() {
        let draft = drafted(Intent::Create, json!({"name": "n", "hrid": " ", "_version": 7}), None).unwrap();
        assert_eq!(draft.expected, None);
        assert_eq!(draft.record["_version"], 1);
        assert_eq!(draft.record["metadata"]["createdDate"], "now");
        assert!(!draft.record.contains_key("hrid"));
    }

    #[test]
    fn a_replacement_raises_the_version_and_keeps_the_creator() {
        let sent = json!({"name": "new", "hrid": "t1", "_version": 2});
        let draft = drafted(Intent::Replace, sent, Some(&stored())).unwrap();
        assert_eq!(draft.expected, Some(2));
        assert_eq!(draft.record["_version"], 3);
        let metadata = json!({"createdDate": "then", "createdByUserId": "a", "updatedDate": "now"});
        assert_eq!(draft.record["metadata"], metadata);
    }

    #[test]
    fn the_same_record_changes_nothing() {
        let stored = stored();
        let (collection, metadata) = (collection(), json!({}));
        let same: Value = stored.clone().into();
        for (intent, name, expected) in [
            (Intent::Replace, "old", true),
            (Intent::ReplaceOrCreate, "old", true),
            (Intent::Upsert, "old", false),
            (Intent::Replace, "new", false),
        ] {
            let change =
                Change { collection: &collection, intent, locking: true, metadata: &metadata, now: "now", rule: None };
            let mut sent = same.clone();
            sent["name"] = name.into();
            let drafts = [drafted(intent, sent, Some(&stored)).unwrap()];
            assert_eq!(changes_nothing(change, &drafts, Some(&stored)), expected, "{intent:?} {name}");
            assert!(!changes_nothing(change, &drafts, None), "it is new");
        }
    }

    #[test]
    fn a_stale_or_missing_version_is_refused() {
        for (version, sent) in [(json!(1), Some(1)), (Value::Null, None)] {
            let body = json!({"name": "new", "hrid": "t1", "_version": version});
            match drafted(Intent::Replace, body, Some(&stored())) {
                Err(NotWritten::Stale { stored: 2, sent: known, .. }) => assert_eq!(known, sent),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn the_hrid_can_not_change_or_vanish_but_an_upsert_keeps_it() {
        for hrid in [json!("t2"), Value::Null] {
            let body = json!({"name": "new", "hrid": hrid, "_version": 2});
            let refused = drafted(Intent::Replace, body, Some(&stored())).unwrap_err();
            assert!(matches!(refused, NotWritten::HridChanged { old: Some(old), .. } if old == "t1"));
        }
        let kept = drafted(Intent::Upsert, json!({"name": "new", "_version": 2}), Some(&stored())).unwrap();
        assert_eq!(kept.record["hrid"], "t1");
    }

    #[test]
    fn a_patch_changes_the_members_sent() {
        let patched = drafted(Intent::Patch, json!({"name": "new", "_version": 2}), Some(&stored())).unwrap();
        assert_eq!((&patched.record["name"], &patched.record["hrid"]), (&json!("new"), &json!("t1")));
        let removed = drafted(Intent::Patch, json!({"name": null, "_version": 2}), Some(&stored()));
        assert!(matches!(removed, Err(NotWritten::Rejected(_))));
        assert!(matches!(drafted(Intent::Patch, json!({}), None), Err(NotWritten::NotFound(_))));
    }

    #[test]
    fn only_an_upsert_adds_an_unknown_id() {
        assert!(drafted(Intent::Upsert, json!({"name": "n"}), None).is_ok());
        assert!(matches!(drafted(Intent::Replace, json!({"name": "n"}), None), Err(NotWritten::NotFound(_))));
    }
}
