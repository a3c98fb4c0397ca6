//! Profile pictures and their configuration (docs/folio/users.md#profile-pictures).

use base64::{Engine, engine::general_purpose::STANDARD};
use http::StatusCode;
use serde_json::{Value, json};
use store::record::Schema;

use super::refusals::{
    DELETED_PICTURE_UNKNOWN, ENCRYPTION_KEY_CHANGED, OLD_PICTURE_UNKNOWN, PICTURE_CONFIGURATION_UNKNOWN,
    PICTURE_LIMIT_TOO_GREAT, PICTURE_UNKNOWN, PICTURES_NOT_CONFIGURED,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Body, Form, Routes},
};

const CONFIGURATION: &str = "id:uuid, configName*, enabled:bool, enabledObjectStorage:bool, encryptionKey,
    maxFileSize:number, metadata~:Metadata";
const PICTURE: &str = "id:uuid, profile_picture_blob";
const MEGABYTE: f64 = 1024.0 * 1024.0;
/// The upper limit for a library's maximum picture size.
const MOST_MEGABYTES: f64 = 10.0;
/// The module cannot detect the type of a picture with fewer bytes.
const SHORTEST: usize = 12;

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/users/configurations/entry", configuration)
        .summary("How profile pictures are kept")
        .gives(CONFIGURATION);
    routes
        .put("/users/configurations/entry/{configId}", configure)
        .summary("Change how profile pictures are kept")
        .refuses(&[422])
        .takes(CONFIGURATION);
    let largest = (MOST_MEGABYTES * MEGABYTE) as usize;
    let path = "/users/profile-picture";
    routes
        .post(path, create)
        .summary("Keep a profile picture")
        .takes_body(Body::media("application/octet-stream"))
        .with_status(StatusCode::CREATED)
        .refuses_as(500, Form::Unquoted)
        .refuses_as(500, Form::Text)
        .body_limit(largest)
        .too_large(too_large)
        .any_type()
        .gives(PICTURE);
    let path = "/users/profile-picture/{id}";
    routes
        .put(path, replace)
        .summary("Replace a profile picture")
        .takes_body(Body::media("application/octet-stream"))
        .refuses_as(500, Form::Unquoted)
        .refuses_as(500, Form::Text)
        .body_limit(largest)
        .too_large(too_large)
        .any_type()
        .gives(PICTURE);
    routes
        .get(path, get)
        .summary("A profile picture in Base64")
        .refuses_as(500, Form::Unquoted)
        .refuses_as(500, Form::Text)
        .gives(PICTURE);
    routes
        .delete(path, delete)
        .summary("Delete a profile picture")
        .refuses_as(500, Form::Unquoted)
        .refuses_as(500, Form::Text);
}

async fn stored_configuration(call: &Call) -> Result<Value, Problem> {
    let sql = store::statements::patrons::PICTURE_CONFIGURATION;
    let found = call.session.find_value(sql, &[]).await?;
    found.ok_or_else(|| PICTURES_NOT_CONFIGURED.into())
}

async fn configuration(call: Call) -> Answer {
    Ok(Reply::json(&stored_configuration(&call).await?))
}

async fn configure(call: Call) -> Answer {
    let schema = Schema::declare(CONFIGURATION);
    let mut sent = schema.accept(call.json()?)?;
    let stored = stored_configuration(&call).await?;
    if sent.get("encryptionKey") != stored.get("encryptionKey") {
        return Err(ENCRYPTION_KEY_CHANGED.into());
    }
    if sent.get("maxFileSize").and_then(Value::as_f64).is_some_and(|size| size > MOST_MEGABYTES) {
        return Err(PICTURE_LIMIT_TOO_GREAT.into());
    }
    let id = call.id("configId")?;
    sent.insert("id".into(), id.to_string().into());
    let sql = store::statements::patrons::SET_PICTURE_CONFIGURATION;
    match call.session.execute(sql, &[&id, &Value::Object(sent)]).await? {
        0 => Err(PICTURE_CONFIGURATION_UNKNOWN.into()),
        _ => Ok(Reply::no_content()),
    }
}

/// The shape of the module's picture refusals.
fn refusal(text: impl Into<String>) -> Problem {
    Problem::Unquoted(StatusCode::INTERNAL_SERVER_ERROR, text.into())
}

fn too_large() -> Problem {
    refusal("Requested file size should be within allowed size updated in profile_picture configuration")
}

fn check_enabled(call: &Call, configuration: &Value) -> Result<(), Problem> {
    if configuration["enabled"] == true {
        return Ok(());
    }
    let tenant = &call.tenant.tenant.id;
    Err(refusal(format!("Profile picture feature is not enabled for tenant {tenant}")))
}

/// Checks the bytes of the picture. This comes before the library's configuration.
fn check_type(picture: &[u8]) -> Result<(), Problem> {
    match picture.len() {
        0 => return Err(too_large()),
        1..SHORTEST => {
            return Err(refusal("failed to save profile picture Insufficient data provided to detect file type"));
        }
        _ => {}
    }
    if picture.starts_with(&[0xFF, 0xD8, 0xFF]) || picture.starts_with(b"\x89PNG") {
        return Ok(());
    }
    Err(refusal("Requested image should be of supported type-[PNG,JPG,JPEG]"))
}

/// The picture in the request, if the library allows pictures.
async fn accepted(call: &Call) -> Result<String, Problem> {
    check_type(&call.body)?;
    let configuration = stored_configuration(call).await?;
    check_enabled(call, &configuration)?;
    let most = configuration["maxFileSize"].as_f64().unwrap_or(MOST_MEGABYTES);
    if call.body.len() as f64 > most * MEGABYTE {
        return Err(too_large());
    }
    Ok(STANDARD.encode(&call.body))
}

async fn create(call: Call) -> Answer {
    let picture = accepted(&call).await?;
    let id = store::new_id();
    let sql = store::statements::patrons::ADD_PICTURE;
    call.session.execute(sql, &[&id, &json!({"id": id, "content": picture})]).await?;
    Ok(Reply::json(&json!({"id": id})).with_status(StatusCode::CREATED))
}

async fn replace(call: Call) -> Answer {
    let picture = accepted(&call).await?;
    let id = call.id("id")?;
    let sql = store::statements::patrons::REPLACE_PICTURE;
    match call.session.execute(sql, &[&id, &json!({"id": id, "content": picture})]).await? {
        0 => Err(OLD_PICTURE_UNKNOWN.into()),
        _ => Ok(Reply::json(&json!({"id": id}))),
    }
}

/// GET. One round trip, which also reads the configuration: whether the library has pictures at all comes first, whatever is in the
/// place of the id (mod-users 19.5.4, `UsersAPI`).
async fn get(call: Call) -> Answer {
    let id = match call.id("id") {
        Ok(id) => id,
        Err(problem) => {
            check_enabled(&call, &stored_configuration(&call).await?)?;
            return Err(problem);
        }
    };
    let row = call.session.get(store::statements::patrons::PICTURE, &[&id]).await?;
    let configuration: Option<Value> = row.get("configuration");
    check_enabled(&call, &configuration.unwrap_or_default())?;
    match row.get::<_, Option<String>>("picture") {
        Some(picture) => Ok(Reply::json(&json!({"id": id, "profile_picture_blob": picture}))),
        None => Err(PICTURE_UNKNOWN.with("id", id).into()),
    }
}

async fn delete(call: Call) -> Answer {
    check_enabled(&call, &stored_configuration(&call).await?)?;
    let id = call.id("id")?;
    match call.session.execute(store::statements::patrons::DELETE_PICTURE, &[&id]).await? {
        0 => Err(DELETED_PICTURE_UNKNOWN.into()),
        _ => Ok(Reply::no_content()),
    }
}
