//! The routes of value lists (contract 3.3).

use ::archives::{
    model::{Labels, StartingLists, Uri},
    records::Place,
    refusal::Refusal,
    value_lists::{self, ValueChange, Which},
};
use http::Method;
use serde_json::{Value, json};

use super::{
    call::{Call, saved, updated},
    endpoint::{Answer, Endpoints},
};
use crate::answer::{Problem, Reply};

const LISTS: Place = Place { kind: "enumeration", repository: None };
const VALUES: Place = Place { kind: "enumeration_value", repository: None };
const MIGRATION: &str = "enumeration_migration";

pub(super) fn routes(endpoints: &mut Endpoints) {
    let update: &[&str] = &["update_enumeration_record"];
    endpoints.add(Method::GET, "/config/enumerations", &[], list).reads_lists();
    endpoints.add(Method::POST, "/config/enumerations", update, add).takes_record();
    endpoints
        .add(Method::GET, "/config/enumerations/csv", &[], csv)
        .reads_lists()
        .summary("Read the values of all lists as a table")
        .gives_media("text/csv");
    endpoints
        .add(Method::POST, "/config/enumerations/migration", update, migrate)
        .takes(":EnumerationMigration")
        .streams()
        .summary("Give all records that have a value another one")
        .gives(":Enumeration")
        .refuses(&[404, 409]);
    endpoints
        .add(Method::GET, "/config/enumerations/names/{name}", &[], named)
        .reads_lists()
        .summary("Read a value list by its name")
        .gives(":Enumeration")
        .refuses(&[404]);
    endpoints.add(Method::GET, "/config/enumerations/{id}", &[], get).reads_lists();
    endpoints.add(Method::POST, "/config/enumerations/{id}", update, change).takes_record().streams();
    let value = "/config/enumeration_values/{id}";
    endpoints.add(Method::GET, value, &[], get_value).reads_lists();
    endpoints.add(Method::POST, value, update, change_value).takes_record();
    endpoints
        .add(Method::POST, &format!("{value}/position"), update, place_value)
        .asks("position!:int")
        .summary("Move a value within its list")
        .gives(":Updated");
    endpoints.add(Method::POST, &format!("{value}/suppressed"), update, suppress_value).asks("suppressed!:bool");
}

async fn list(call: Call) -> Answer {
    Ok(Reply::json(&value_lists::all(&call.session).await?.into()))
}

async fn get(call: Call) -> Answer {
    Ok(Reply::json(&value_lists::get(&call.session, Which::Id(call.id())).await?))
}

async fn named(call: Call) -> Answer {
    Ok(Reply::json(&value_lists::get(&call.session, Which::Name(call.in_path("name"))).await?))
}

async fn get_value(call: Call) -> Answer {
    Ok(Reply::json(&value_lists::get_value(&call.session, call.id()).await?))
}

async fn add(call: Call) -> Answer {
    let checked = call.record(LISTS.kind)?;
    let id = value_lists::add(&call.session, &checked.record, &call.author()).await?;
    call.tenant.archives.forget_lists();
    Ok(saved("Created", LISTS, id, 0, &checked.warnings))
}

async fn change(call: Call) -> Answer {
    let checked = call.record(LISTS.kind)?;
    let version = Refusal::read_version(checked.lock_version)?;
    let changed = value_lists::change(&call.session, call.id(), version, &checked.record, &call.author()).await?;
    call.tenant.archives.forget_lists();
    Ok(saved("Updated", LISTS, call.id(), changed, &checked.warnings))
}

async fn change_value(call: Call) -> Answer {
    let checked = call.record(VALUES.kind)?;
    let change = ValueChange {
        version: Some(Refusal::read_version(checked.lock_version)?),
        value: checked.record.get("value").and_then(Value::as_str),
        position: checked.record.get("position").and_then(Value::as_i64),
        suppressed: None,
    };
    let version = changed_value(&call, &change).await?;
    Ok(saved("Updated", VALUES, call.id(), version, &checked.warnings))
}

async fn place_value(call: Call) -> Answer {
    let change = ValueChange { position: call.parameters.integer("position"), ..ValueChange::default() };
    let version = changed_value(&call, &change).await?;
    Ok(updated(call.id(), version))
}

async fn suppress_value(call: Call) -> Answer {
    let hidden = call.parameters.boolean("suppressed").unwrap_or_default();
    changed_value(&call, &ValueChange { suppressed: Some(hidden), ..ValueChange::default() }).await?;
    Ok(Reply::json(&json!({"status": "Suppressed", "id": call.id(), "suppressed_state": hidden})))
}

async fn changed_value(call: &Call, change: &ValueChange<'_>) -> Result<i64, Problem> {
    let version = value_lists::change_value(&call.session, call.id(), change, &call.author()).await?;
    call.tenant.archives.forget_lists();
    Ok(version)
}

async fn migrate(call: Call) -> Answer {
    let request = call.record(MIGRATION)?.record;
    let text = |name: &str| request.get(name).and_then(Value::as_str).unwrap_or_default();
    let list = Uri::parse(text("enum_uri")).ok_or_else(|| Refusal::no(LISTS.kind))?;
    value_lists::migrate(&call.session, list.id, text("from"), text("to"), &call.author()).await?;
    call.tenant.archives.forget_lists();
    Ok(Reply::json(&value_lists::get(&call.session, Which::Id(list.id)).await?))
}

const CSV_HEADER: [&str; 6] = ["Enumeration code", "Enumeration", "Value code", "Value", "Position", "Read-only"];

/// The values that are offered, a line each, in the order of the lists' names.
async fn csv(call: Call) -> Answer {
    let mut lists = value_lists::all(&call.session).await?;
    lists.sort_by(|one, other| one["name"].as_str().cmp(&other["name"].as_str()));
    let broken = |error: csv::Error| Problem::Internal(error.to_string());
    let mut table = csv::Writer::from_writer(Vec::new());
    table.write_record(CSV_HEADER).map_err(broken)?;
    for list in &lists {
        let name = list["name"].as_str().unwrap_or_default();
        let readonly = list["readonly_values"].as_array().map(Vec::as_slice).unwrap_or_default();
        for value in list["enumeration_values"].as_array().into_iter().flatten() {
            if value["suppressed"] == true {
                continue;
            }
            let code = value["value"].as_str().unwrap_or_default();
            let label = StartingLists.label_or_value(name, code);
            let is_readonly = if readonly.contains(&value["value"]) { "1" } else { "0" };
            let position = value["position"].to_string();
            table.write_record([name, name, code, &label, &position, is_readonly]).map_err(broken)?;
        }
    }
    let text = table.into_inner().map_err(|error| Problem::Internal(error.to_string()))?;
    Ok(Reply::typed("text/csv", text.into()))
}
