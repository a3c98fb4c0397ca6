//! What clients ask about the server itself (contract 3.5).

use std::sync::OnceLock;

use ::archives::{
    RELEASE,
    model::{json_schema, record_type, record_types},
    permissions::{Level, PERMISSIONS},
    refusal::Refusal,
};
use bytes::Bytes;
use http::Method;
use serde_json::{Map, Value, json};
use store::statements::archives::{SCHEMA_STEPS, SERVER_VERSION};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::{answer::Reply, route::JSON};

pub(super) fn routes(endpoints: &mut Endpoints) {
    endpoints.add(Method::GET, "/", &[], about).summary("Tell the release").gives("archivesSpaceVersion*, carrel*");
    endpoints.add(Method::GET, "/version", &[], version).summary("Tell the release in one line").gives_text();
    endpoints
        .add(Method::GET, "/permissions", &[], permissions)
        .asks("level!:text")
        .summary("List the permissions that there are")
        .gives("[{jsonmodel_type*, permission_code*, level*:(repository|global)}]");
    let administer: &[&str] = &["administer_system"];
    endpoints
        .add(Method::GET, "/system/info", administer, info)
        .summary("Tell what helps to find out why something does not work")
        .gives("version*, carrel*, cpu_count*:int, environment*:object, db_info*:object, solr_info*?:object");
    endpoints
        .add(Method::GET, "/system/log", administer, log)
        .summary("Read the last requests to the archives")
        .gives_text();
    endpoints
        .add(Method::GET, "/system/events", administer, events)
        .summary("List when the library's tables were brought to which version")
        .gives("[{id*:int, title*, time*}]");
    endpoints
        .add(Method::GET, "/schemas", &[], schemas)
        .summary("List the schemas of all types of records")
        .gives(":object");
    endpoints
        .add(Method::GET, "/schemas/{schema}", &[], schema)
        .summary("Read the schema of a type of records")
        .gives(":object")
        .refuses(&[404]);
    endpoints.add(Method::GET, "/openapi.json", &[], api_document).summary("Read this document").gives(":object");
}

async fn about(_: Call) -> Answer {
    Ok(Reply::json(&json!({"archivesSpaceVersion": RELEASE, "carrel": env!("CARGO_PKG_VERSION")})))
}

async fn version(_: Call) -> Answer {
    Ok(Reply::text(format!("ArchivesSpace ({RELEASE})")))
}

/// What helps to find out why something does not work.
async fn info(call: Call) -> Answer {
    let database: String = call.session.value(SERVER_VERSION, &[]).await?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let index = call.tenant.archives.started_index().map(|index| index.status());
    let index = index.map(|of| {
        json!({"documents": of.documents, "documents_behind": of.behind, "seconds_behind": of.seconds,
            "is_building": of.is_building})
    });
    Ok(Reply::json(&json!({
        "version": RELEASE, "carrel": env!("CARGO_PKG_VERSION"), "cpu_count": cores,
        "environment": {"os": std::env::consts::OS, "arch": std::env::consts::ARCH, "tenant": call.tenant.tenant.id},
        "db_info": {"name": "PostgreSQL", "version": database}, "solr_info": index})))
}

/// The last requests to the archives.
async fn log(call: Call) -> Answer {
    Ok(Reply::text(call.tenant.archives.requests()))
}

/// When the library's tables were brought to which version.
async fn events(call: Call) -> Answer {
    let rows = call.session.query(SCHEMA_STEPS, &[]).await?;
    let steps: Value = rows
        .iter()
        .map(|row| {
            let (id, name, time): (i32, String, String) = (row.get("id"), row.get("name"), row.get("applied"));
            json!({"id": id, "title": format!("Schema updated: {name}"), "time": time})
        })
        .collect();
    Ok(Reply::json(&steps))
}

/// The API document, made at the first request.
async fn api_document(_: Call) -> Answer {
    static DOCUMENT: OnceLock<Bytes> = OnceLock::new();
    let document = DOCUMENT.get_or_init(|| super::document().to_string().into());
    Ok(Reply::typed(JSON, document.clone().into()))
}

async fn permissions(call: Call) -> Answer {
    let level = match call.parameters.text("level").unwrap_or("all") {
        "repository" => Some(Level::Repository),
        "global" => Some(Level::Global),
        "all" => None,
        other => {
            let wrong = format!("Wanted type (?-mix:^(repository|global|all)$) but got '{other}'");
            return Err(Refusal::parameter("level", wrong).into());
        }
    };
    let shown = PERMISSIONS.iter().filter(|one| level.is_none_or(|level| one.level == level));
    let word = |level| if level == Level::Repository { "repository" } else { "global" };
    let listed: Value = shown
        .map(|one| json!({"jsonmodel_type": "permission", "permission_code": one.code, "level": word(one.level)}))
        .collect();
    Ok(Reply::json(&listed))
}

async fn schemas(_: Call) -> Answer {
    let all: Map<String, Value> = record_types().iter().map(|of| (of.name.clone(), json_schema(of))).collect();
    Ok(Reply::json(&all.into()))
}

async fn schema(call: Call) -> Answer {
    let of = record_type(call.in_path("schema")).ok_or_else(Refusal::nothing)?;
    Ok(Reply::json(&json_schema(of)))
}
