//! Creates many instances, some of which may be refused (docs/folio/inventory-business.md#batches-of-instances).

use http::StatusCode;
use inventory::write::{Intent, Sent};
use serde_json::{Map, Value, json};
use store::records;
use uuid::Uuid;

use super::{
    instances::{blank_title, parted, run, shown},
    kind::{self, Kind},
    storage,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::Channel,
    route::{Answer, Body, Routes},
};

fn created() -> Body {
    Body::json("instances*[InventoryInstance], errorMessages*[], totalRecords*:int")
}

pub fn routes(routes: &mut Routes) {
    routes
        .post("/inventory/instances/batch", create)
        .summary("Create the instances that can be created")
        .takes("instances*[{title, source, instanceTypeId:uuid, ...}], totalRecords:int")
        .gives_body(created())
        .with_status(StatusCode::CREATED)
        .or_gives(StatusCode::INTERNAL_SERVER_ERROR, created())
        .refuses(&[422]);
}

/// An instance and its links.
type Whole = (Sent, Value);

async fn create(call: Call) -> Answer {
    let sent = storage::list(call.json()?, "instances")?;
    let (good, bad): (Vec<_>, Vec<_>) = sent.into_iter().map(valid).partition(Result::is_ok);
    let mut errors: Vec<String> = bad.into_iter().filter_map(Result::err).collect();
    let ids = write(&call, good.into_iter().flatten().collect(), &mut errors).await;
    let created = records::find_all(&call.session, &shown(), &ids).await?;
    let status = if ids.is_empty() { StatusCode::INTERNAL_SERVER_ERROR } else { StatusCode::CREATED };
    let (errors, total) = (json!(errors), ids.len());
    let body = format!("{{\"instances\":{created},\"errorMessages\":{errors},\"totalRecords\":{total}}}");
    Ok(Reply::json_text(body).with_status(status))
}

fn valid(body: Value) -> Result<Whole, String> {
    let invalid = |reason: String| format!("Instance is not valid for further processing: [{reason}]");
    let (record, links) = parted(body).map_err(|problem| invalid(told(problem)))?;
    if blank_title(&record) {
        let id = record.get("id").and_then(Value::as_str).unwrap_or("null");
        return Err(invalid(format!("Title must be provided for an instance: {id}")));
    }
    Ok((kind::with_own_id(record), links))
}

/// Writes the valid instances and returns their ids. All instances without links go into one statement; if that is
/// refused, each is tried alone to find the faulty ones, as those with links are.
async fn write(call: &Call, instances: Vec<Whole>, errors: &mut Vec<String>) -> Vec<Uuid> {
    let plain = |(_, links): &Whole| links.as_object().is_none_or(Map::is_empty);
    let (plain, mut alone): (Vec<_>, Vec<_>) = instances.into_iter().partition(plain);
    let mut written = Vec::new();
    let all: Vec<_> = plain.iter().map(|(sent, _)| sent.clone()).collect();
    match kind::write(call, Kind::Instances, Intent::Create, true, &all).await {
        Ok(_) => written.extend(all.iter().map(|sent| sent.id)),
        Err(_) => alone.extend(plain),
    }
    // A link may lead to an instance that stands later in the batch: what was refused is tried again after the others.
    loop {
        let (before, mut refused, mut reasons) = (alone.len(), Vec::new(), Vec::new());
        for (sent, links) in alone {
            match run(call, Intent::Create, true, sent.clone(), &links, Channel::Post).await {
                Ok(_) => written.push(sent.id),
                Err(problem) => {
                    refused.push((sent, links));
                    reasons.push(told(problem));
                }
            }
        }
        if refused.is_empty() || refused.len() == before {
            errors.extend(reasons);
            return written;
        }
        alone = refused;
    }
}

/// The sentence in a refusal.
fn told(problem: Problem) -> String {
    match problem {
        Problem::Text(_, text) | Problem::Unquoted(_, text) => text,
        Problem::Json(_, body) | Problem::Pretty(_, body) => match body["errors"][0]["message"].as_str() {
            Some(message) => message.to_owned(),
            None => body.to_string(),
        },
        Problem::Internal(_) => "the instance could not be stored".to_owned(),
    }
}
