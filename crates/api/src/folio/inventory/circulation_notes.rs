//! Check-in and check-out notes record who wrote them and when (docs/folio/inventory.md#circulation-notes).

use serde_json::{Value, json};
use store::{record::print_instant, records};
use uuid::Uuid;

use super::kind::Kind;
use crate::{answer::Problem, call::Call};

/// What makes a note another one.
const SAID: &[&str] = &["noteType", "note", "staffOnly"];

/// Adds author and date to the circulation notes of a new item, all of which are new.
pub(super) async fn sign_all(call: &Call, item: &mut Value) -> Result<(), Problem> {
    for note in notes(item).filter_map(Value::as_object_mut) {
        note.shift_remove("id");
    }
    sign(call, item, None).await
}

/// Adds author and date to the circulation notes that are new in an item, or say something else than before. Reads the stored
/// item only if it is sent notes with ids, and the author only if there is something to sign.
pub(super) async fn sign_changed(call: &Call, id: Uuid, item: &mut Value) -> Result<(), Problem> {
    let items = Kind::Items.collection(call)?;
    let stored = match notes(item).any(|note| !is_new(note)) {
        true => records::find(&call.session, &items, id).await?,
        false => None,
    };
    let stored = stored.and_then(|item| serde_json::from_str(&item).ok());
    sign(call, item, stored.as_ref()).await
}

async fn sign(call: &Call, item: &mut Value, stored: Option<&Value>) -> Result<(), Problem> {
    let before = stored.and_then(|item| item["circulationNotes"].as_array()).into_iter().flatten();
    let before: Vec<_> = before.collect();
    let is_unchanged = |note: &Value| {
        let of_id = before.iter().find(|before| before["id"] == note["id"]);
        of_id.is_some_and(|before| SAID.iter().all(|member| before.get(member) == note.get(member)))
    };
    let mut changed: Vec<_> =
        notes(item).filter(|note| note.is_object() && (is_new(note) || !is_unchanged(note))).collect();
    if changed.is_empty() {
        return Ok(());
    }
    let source = source(call).await?;
    for note in &mut changed {
        note["date"] = print_instant(call.now).into();
        if let Some(source) = &source {
            note["source"] = source.clone();
        }
    }
    Ok(())
}

fn notes(item: &mut Value) -> impl Iterator<Item = &mut Value> {
    item.get_mut("circulationNotes").and_then(Value::as_array_mut).into_iter().flatten()
}

fn is_new(note: &Value) -> bool {
    note.get("id").is_none_or(Value::is_null)
}

async fn source(call: &Call) -> Result<Option<Value>, Problem> {
    let (Some(id), Some(users)) = (call.user_id(), call.app.collection("users")) else {
        return Ok(None);
    };
    let user = records::find(&call.session, &users, id).await?;
    let user: Option<Value> = user.and_then(|user| serde_json::from_str(&user).ok());
    let name = |member: &str| user.as_ref()?.get("personal")?.get(member).cloned();
    let mut personal = json!({});
    for member in ["lastName", "firstName"] {
        if let Some(value) = name(member) {
            personal[member] = value;
        }
    }
    Ok(Some(json!({"id": id, "personal": personal})))
}
