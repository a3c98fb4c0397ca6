//! Bulk upload of settings entries: adds new ones and changes the value of existing ones.

use std::sync::Arc;

use serde_json::{Map, Value, json};
use store::{collection::Collection, statements::settings::UPLOADED};
use uuid::Uuid;

use super::{
    access::Action,
    entries::{as_text, may},
    refusals::{FORBIDDEN, ID_SENT},
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    manner,
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, entries: &Arc<Collection>) {
    let collection = Arc::clone(entries);
    let route = routes.put("/settings/upload", move |call| upload(call, Arc::clone(&collection)));
    route
        .summary("Add or change many settings entries")
        .takes("[{id, scope*, key*, userId:uuid, value:any, ...}]")
        .gives("inserted:int, updated:int");
}

async fn upload(call: Call, collection: Arc<Collection>) -> Answer {
    let sent = call.json()?;
    let sent = sent.as_array().ok_or_else(|| manner::unreadable(&call, &"expected a JSON array"))?;
    let mut entries: Vec<Map<String, Value>> = Vec::with_capacity(sent.len());
    for entry in sent {
        let entry = accepted(&call, &collection, entry)?;
        let same = |other: &Map<String, Value>| {
            ["scope", "key", "userId"].iter().all(|name| other.get(*name) == entry.get(*name))
        };
        entries.retain(|other| !same(other));
        entries.push(entry);
    }
    let new: Vec<_> = entries.iter().filter_map(|entry| entry["id"].as_str().map(str::to_owned)).collect();
    let entries = Value::Array(entries.into_iter().map(Value::Object).collect());
    let kept: Vec<Uuid> = call.session.values(UPLOADED, &[&entries]).await?;
    let inserted = kept.iter().filter(|id| new.contains(&id.to_string())).count();
    Ok(Reply::json(&json!({"inserted": inserted, "updated": kept.len() - inserted})))
}

fn accepted(call: &Call, collection: &Collection, entry: &Value) -> Result<Map<String, Value>, Problem> {
    let accepted = collection.schema.accept(entry.clone());
    let mut entry = accepted.map_err(|rejection| as_text(call, rejection))?;
    if entry.contains_key("id") {
        return Err(ID_SENT.into());
    }
    if !may(call, Action::Write, &entry) {
        return Err(FORBIDDEN.into());
    }
    entry.insert("id".into(), Uuid::new_v4().to_string().into());
    Ok(entry)
}
