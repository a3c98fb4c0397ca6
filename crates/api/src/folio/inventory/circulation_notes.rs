//! Check-in and check-out notes record who wrote them and when (docs/folio/inventory.md#circulation-notes).

use serde_json::{Value, json};
use store::{record::print_instant, records};

use crate::{answer::Problem, call::Call};

/// Adds author and date to an item's new circulation notes, those without an id. Reads the author only if there are
/// any.
pub async fn sign(call: &Call, item: &mut Value) -> Result<(), Problem> {
    let notes = item.get_mut("circulationNotes").and_then(Value::as_array_mut);
    let is_new = |note: &&mut Value| note.is_object() && note.get("id").is_none_or(Value::is_null);
    let mut new: Vec<_> = notes.into_iter().flatten().filter(is_new).collect();
    if new.is_empty() {
        return Ok(());
    }
    let source = source(call).await?;
    for note in &mut new {
        note["date"] = print_instant(call.now).into();
        if let Some(source) = &source {
            note["source"] = source.clone();
        }
    }
    Ok(())
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
