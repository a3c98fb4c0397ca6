//! `/circulation/settings` over its storage (docs/folio/settings.md#circulation-settings): a posted setting with a
//! known name replaces that one's value.

use std::sync::Arc;

use http::StatusCode;
use serde_json::Value;
use store::{collection::Collection, lending, record};

use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Routes},
};

const TABLE: &str = "circulation_settings";
const PATH: &str = "/circulation/settings";
const STORAGE: &str = "/circulation-settings-storage/circulation-settings";
const NO_UUID: &str = "Circulation setting ID is not a valid UUID";
const MEMBERS: &str = "id:uuid, name*, value*:object, metadata~:object";

pub(super) fn routes(routes: &mut Routes) {
    let item = format!("{PATH}/{{id}}");
    routes
        .get(PATH, list)
        .summary("List circulation settings")
        .lists("circulationSettings");
    routes
        .post(PATH, save)
        .summary("Save a circulation setting")
        .takes(MEMBERS)
        .gives(MEMBERS);
    routes
        .get(&item, read)
        .summary("Read a circulation setting")
        .gives(MEMBERS);
    routes
        .put(&item, replace)
        .summary("Replace a circulation setting")
        .takes(MEMBERS);
    routes
        .delete(&item, delete)
        .summary("Delete a circulation setting");
    routes
        .post(STORAGE, save)
        .summary("Save a circulation setting")
        .takes(MEMBERS)
        .gives(MEMBERS);
}

fn settings(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app
        .collection(TABLE)
        .ok_or_else(|| Problem::Internal(format!("no collection {TABLE}")))
}

async fn list(call: Call) -> Answer {
    let collection = settings(&call)?;
    collections::list(call, collection).await
}

/// POST. One round trip.
async fn save(call: Call) -> Answer {
    let collection = settings(&call)?;
    let mut setting = checked(&call)?;
    // mod-circulation gives a setting its id; the storage wants one.
    if call.route.path == PATH && setting["id"].is_null() {
        setting["id"] = store::new_id().to_string().into();
    }
    let record = collection.schema.accept(setting)?;
    let (id, record) = collections::prepared(&call, &collection, record, None)?;
    let saved = lending::save_setting(&call.session, id, &Value::Object(record.clone())).await;
    let (id, text) = saved.map_err(|error| {
        collections::refused(error, &collection, &record, collections::Channel::Post)
    })?;
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

/// DELETE; mod-circulation does not say whether there was such a setting.
async fn delete(call: Call) -> Answer {
    let collection = settings(&call)?;
    named(&call)?;
    collections::delete_if_there(call, collection).await
}

/// The id in the path.
fn named(call: &Call) -> Result<String, Problem> {
    let id = call.param("id");
    match record::is_uuid(id) {
        true => Ok(id.to_owned()),
        false => Err(refused(NO_UUID)),
    }
}

/// mod-circulation names no member that is wrong.
fn refused(message: &str) -> Problem {
    Problem::unprocessable(&[ErrorItem::plain(message, "", Some(""))])
}

/// mod-circulation names what it did not find.
fn unknown(answer: Answer, id: &str) -> Answer {
    answer.map_err(|problem| match problem {
        Problem::Text(StatusCode::NOT_FOUND, _) => Problem::not_found(format!(
            "circulationSettings record with ID \"{id}\" cannot be found"
        )),
        other => other,
    })
}

/// A setting has name, value and perhaps an id, and nothing else.
fn checked(call: &Call) -> Result<Value, Problem> {
    let setting = call.json()?;
    let known = ["id", "name", "value", "metadata"];
    let valid = setting.as_object().is_some_and(|members| {
        members.keys().all(|name| known.contains(&name.as_str()))
            && members.get("name").is_some_and(Value::is_string)
            && members.get("value").is_some_and(Value::is_object)
    });
    match setting.get("id") {
        _ if !valid => Err(refused("Circulation setting JSON is invalid")),
        Some(Value::String(id)) if record::is_uuid(id) => Ok(setting),
        None | Some(Value::Null) => Ok(setting),
        Some(_) => Err(refused(NO_UUID)),
    }
}
