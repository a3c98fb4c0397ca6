//! The log of printed slips (docs/folio/slips-and-reports.md#print-events).

use ::refusals::Refusal;
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::{
    circulation::PrintEvent,
    record::{self, Schema},
};
use uuid::Uuid;

use super::refusals::{
    LIST_EMPTY, LISTED_ID_INVALID, PRINT_CONFIGURED_TWICE, PRINT_DISABLED, PRINT_INVALID, PRINT_NOT_CONFIGURED,
    PRINTED_REQUEST_UNKNOWN, REQUESTER_NAME_BLANK,
};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const EVENT: &str = "requestIds*[uuid], requesterId*:uuid, requesterName*, printEventDate*:datetime";

/// The storage's schema is open.
const STORED: &str = "requestIds*[uuid]=[], requesterId*:uuid, requesterName*, printEventDate*:datetime, ...";

const ASKED: &str = "requestIds*[uuid]=[], ...";

const PRINTED: &str = "printEventsStatusResponses*[{requestId*:uuid, count*:int, requesterId*:uuid, requesterName,
    printEventDate*:datetime}], totalRecords*:int";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/print-events-entry", log)
        .summary("Log print events of requests")
        .refuses(&[422])
        .takes(EVENT);
    routes
        .post("/print-events-storage/print-events-entry", save)
        .summary("Store print events of requests")
        .with_status(StatusCode::CREATED)
        .refuses(&[422])
        .takes(STORED);
    routes
        .post("/print-events-storage/print-events-status", status)
        .summary("Print status of requests")
        .gives(PRINTED)
        .refuses(&[422])
        .takes(ASKED);
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sent {
    request_ids: Vec<Uuid>,
    requester_id: Uuid,
    requester_name: String,
    print_event_date: String,
}

/// Reads a print event; `None` unless it has exactly the four required members.
fn read(call: &Call) -> Option<PrintEvent> {
    let sent: Sent = call.parse().ok()?;
    let named = !sent.requester_name.trim().is_empty() && !sent.requester_name.contains('\0');
    (named && !sent.request_ids.is_empty()).then_some(())?;
    Some(PrintEvent {
        requests: sent.request_ids,
        requester: sent.requester_id,
        requester_name: sent.requester_name,
        printed: record::stored_instant(&sent.print_event_date)?,
    })
}

/// POST by staff. Refused unless the library logs prints and all requests exist.
async fn log(call: Call) -> Answer {
    let event = read(&call).ok_or_else(|| PRINT_INVALID.with("", ""))?;
    let (settings, found) = store::circulation::print_check(&call.session, &event.requests).await?;
    let settings: Vec<Value> = serde_json::from_str(&settings).unwrap_or_default();
    let wrong = match settings.as_slice() {
        [] => Some(PRINT_NOT_CONFIGURED),
        [value] if !enabled(value) => Some(PRINT_DISABLED),
        [_] if usize::try_from(found) != Ok(event.requests.len()) => Some(PRINTED_REQUEST_UNKNOWN),
        [_] => None,
        _ => Some(PRINT_CONFIGURED_TWICE),
    };
    if let Some(wording) = wrong {
        return Err(wording.with("", "").into());
    }
    store::circulation::save_print_event(&call.session, &event).await?;
    Ok(Reply::no_content())
}

fn enabled(setting: &Value) -> bool {
    setting["enablePrintLog"] == true || setting["enablePrintLog"] == "true"
}

async fn save(call: Call) -> Answer {
    let (sent, requests) = stored_form(&call, STORED)?;
    let text = |name: &str| sent.get(name).and_then(Value::as_str).unwrap_or_default();
    if text("requesterName").trim().is_empty() {
        let refusal = REQUESTER_NAME_BLANK.with("pattern", "^(?!\\s*$).+");
        return Err(refusal.with("requesterName", text("requesterName")).into());
    }
    let event = PrintEvent {
        requests,
        requester: Uuid::parse_str(text("requesterId")).unwrap_or_default(),
        requester_name: text("requesterName").to_owned(),
        printed: text("printEventDate").to_owned(),
    };
    store::circulation::save_print_event(&call.session, &event).await?;
    Ok(Reply::no_content().with_status(StatusCode::CREATED))
}

async fn status(call: Call) -> Answer {
    let (_, requests) = stored_form(&call, ASKED)?;
    let status = store::circulation::print_status(&call.session, &requests).await?;
    let total = serde_json::from_str::<Vec<Value>>(&status).map_or(0, |list| list.len());
    let body = format!("{{\"printEventsStatusResponses\":{status},\"totalRecords\":{total}}}");
    Ok(Reply::json_text(body))
}

/// The body for storage, checked against the storage's schemas, and the request ids in it. Like FOLIO's storage,
/// reports missing or malformed request ids before other faults.
fn stored_form(call: &Call, declared: &str) -> Result<(Map<String, Value>, Vec<Uuid>), Problem> {
    let sent = call.json()?;
    match sent.get("requestIds") {
        Some(Value::Array(ids)) => listed(ids)?,
        None | Some(Value::Null) => listed(&[])?,
        Some(_) => {}
    }
    let sent = Schema::declare(declared).with_versioned_ids().accept(sent)?;
    let ids = sent.get("requestIds").and_then(Value::as_array);
    let ids = ids.into_iter().flatten().filter_map(Value::as_str);
    let requests = ids.filter_map(|id| Uuid::parse_str(id).ok()).collect();
    Ok((sent, requests))
}

/// A malformed id in a list is reported against the whole list, unlike a single malformed id.
fn listed(ids: &[Value]) -> Result<(), Refusal> {
    let shown: Vec<_> = ids.iter().map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned)).collect();
    let listed = format!("[{}]", shown.join(", "));
    if ids.is_empty() {
        return Err(LIST_EMPTY.about("requestIds", listed));
    }
    match shown.iter().all(|id| record::is_versioned_uuid(id)) {
        true => Ok(()),
        false => Err(LISTED_ID_INVALID.with("requestIds", listed)),
    }
}
