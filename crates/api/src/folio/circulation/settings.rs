//! `/circulation/settings` on top of its storage (docs/folio/settings.md#circulation-settings). Posting a setting with
//! an existing name replaces the value of that setting.

use std::sync::Arc;

use http::StatusCode;
use serde_json::Value;
use store::{collection::Collection, record};

use super::refusals::{NO_SUCH_RECORD, SETTING_ID_INVALID, SETTING_INVALID};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const TABLE: &str = "circulation_settings";
const PATH: &str = "/circulation/settings";
const STORAGE: &str = "/circulation-settings-storage/circulation-settings";
const MEMBERS: &str = "id:uuid, name*, value*:object, metadata~:Metadata";

pub(super) fn routes(routes: &mut Routes) {
    let item = format!("{PATH}/{{id}}");
    routes.get(PATH, list).summary("List circulation settings").gives(MEMBERS).lists("circulationSettings");
    routes
        .post(PATH, save)
        .summary("Save a circulation setting")
        .takes(MEMBERS)
        .gives(MEMBERS)
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    routes.get(&item, read).summary("Read a circulation setting").gives(MEMBERS).refuses(&[422]);
    routes.put(&item, replace).summary("Replace a circulation setting").takes(MEMBERS).refuses(&[422]);
    routes.delete(&item, delete).summary("Delete a circulation setting").refuses(&[422]);
    routes
        .post(STORAGE, save)
        .summary("Save a circulation setting")
        .takes(MEMBERS)
        .gives(MEMBERS)
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
}

fn settings(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app.collection(TABLE).ok_or_else(|| Problem::Internal(format!("no collection {TABLE}")))
}

async fn list(call: Call) -> Answer {
    let collection = settings(&call)?;
    collections::list(call, collection).await
}

/// POST. One round trip.
async fn save(call: Call) -> Answer {
    let collection = settings(&call)?;
    let mut setting = checked(&call)?;
    // mod-circulation generates a missing id; the storage requires one.
    if call.route.path == PATH && setting["id"].is_null() {
        setting["id"] = store::new_id().to_string().into();
    }
    let record = collection.schema.accept(setting)?;
    let (id, record) = collections::prepared(&call, &collection, record, None)?;
    let saved = store::circulation::save_setting(&call.session, id, &Value::Object(record.clone())).await;
    let (id, text) =
        saved.map_err(|error| collections::refused(error, &collection, &record, collections::Channel::Post))?;
    Ok(Reply::json_text(text).created(&format!("{}/{id}", call.route.path)))
}

async fn read(call: Call) -> Answer {
    let (collection, id) = (settings(&call)?, named(&call)?);
    unknown(collections::get(call, collection).await, &id)
}

async fn replace(call: Call) -> Answer {
    let (collection, id) = (settings(&call)?, call.param("id").to_owned());
    checked(&call)?;
    unknown(collections::replace(call, collection).await, &id)
}

/// DELETE. mod-circulation gives the same answer whether or not the setting existed.
async fn delete(call: Call) -> Answer {
    let collection = settings(&call)?;
    named(&call)?;
    collections::delete_if_there(call, collection).await
}

fn named(call: &Call) -> Result<String, Problem> {
    let id = call.param("id");
    match record::is_uuid(id) {
        true => Ok(id.to_owned()),
        false => Err(SETTING_ID_INVALID.with("", "").into()),
    }
}

/// A 404 that names the setting, as mod-circulation sends it.
fn unknown(answer: Answer, id: &str) -> Answer {
    answer.map_err(|problem| match problem {
        Problem::Text(StatusCode::NOT_FOUND, _) => {
            let refusal = NO_SUCH_RECORD.with("name", "circulationSettings");
            refusal.with("id", id).into()
        }
        other => other,
    })
}

/// Validates a setting: name, value, optionally an id, and nothing else.
fn checked(call: &Call) -> Result<Value, Problem> {
    let setting = call.json()?;
    let known = ["id", "name", "value", "metadata"];
    let valid = setting.as_object().is_some_and(|members| {
        members.keys().all(|name| known.contains(&name.as_str()))
            && members.get("name").is_some_and(Value::is_string)
            && members.get("value").is_some_and(Value::is_object)
    });
    match setting.get("id") {
        _ if !valid => Err(SETTING_INVALID.with("", "").into()),
        Some(Value::String(id)) if record::is_uuid(id) => Ok(setting),
        None | Some(Value::Null) => Ok(setting),
        Some(_) => Err(SETTING_ID_INVALID.with("", "").into()),
    }
}
