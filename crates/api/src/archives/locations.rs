//! Many locations from one request (contract 3.4).

use ::archives::locations;
use http::Method;
use serde_json::{Map, Value, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::{Problem, Reply};

const KIND: &str = "location";
const UPDATE: &[&str] = &["update_location_record"];

pub(super) fn routes(endpoints: &mut Endpoints) {
    endpoints
        .add(Method::POST, "/locations/batch", UPDATE, batch)
        .takes(":LocationBatch")
        .asks("dry_run:bool")
        .summary("Add locations for ranges of coordinates")
        .gives("[]");
    endpoints
        .add(Method::POST, "/locations/batch_update", UPDATE, batch_update)
        .takes(":LocationBatchUpdate")
        .summary("Change many locations alike")
        .gives("[]")
        .refuses(&[404, 409]);
}

/// Makes the locations that ranges of coordinates stand for, or only says which.
async fn batch(call: Call) -> Answer {
    let batch = call.record("location_batch")?.record;
    let mut made: Vec<Map<String, Value>> = Vec::new();
    for location in locations::of_batch(&batch)? {
        made.push(call.checked(KIND, Value::Object(location))?.record);
    }
    if call.parameters.boolean("dry_run") == Some(true) {
        return Ok(Reply::json(&json!(made.iter().map(locations::title).collect::<Vec<_>>())));
    }
    Ok(Reply::json(&json!(locations::add(&call.session, made, &call.author()).await?)))
}

/// Sets the members of the body on all locations that it names.
async fn batch_update(call: Call) -> Answer {
    let body = call.json()?;
    let wanted = call.checked("location_batch_update", body.clone())?.record;
    let uris = wanted.get("record_uris").and_then(Value::as_array).into_iter().flatten();
    let uris: Vec<String> = uris.filter_map(Value::as_str).map(str::to_owned).collect();
    // Members that the client did not send stay as they are, those it left empty, too.
    let set: Map<String, Value> = wanted
        .into_iter()
        .filter(|(name, _)| name != "record_uris" && name != "jsonmodel_type")
        .filter(|(name, _)| body.get(name).is_some_and(|sent| !sent.is_null()))
        .collect();
    let mut replaced = Vec::new();
    for found in locations::read(&call.session, &uris).await? {
        let Value::Object(mut location) = found else { continue };
        let number = |name: &str| location.get(name).and_then(Value::as_i64).unwrap_or_default();
        let version = number("lock_version");
        let uri = location.get("uri").and_then(Value::as_str).unwrap_or_default();
        let id = uri.rsplit('/').next().and_then(|id| id.parse().ok()).unwrap_or_default();
        location.extend(set.clone());
        let checked = call.checked(KIND, Value::Object(location)).map_err(Problem::from)?;
        replaced.push((id, version, checked.record));
    }
    locations::replace(&call.session, replaced, &call.author()).await?;
    Ok(Reply::json(&json!(uris)))
}
