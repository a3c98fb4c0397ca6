//! The log of printed slips (docs/folio/slips-and-reports.md#print-events).

use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::{
    lending::{self, PrintEvent},
    record::{self, Schema},
};
use uuid::Uuid;

use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const EVENT: &str =
    "requestIds*[uuid], requesterId*:uuid, requesterName*, printEventDate*:datetime";

const ASKED: &str = "requestIds*[uuid]";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .post("/circulation/print-events-entry", log)
        .summary("Log that slips of requests were printed")
        .takes(EVENT);
    routes
        .post("/print-events-storage/print-events-entry", save)
        .summary("Store that slips of requests were printed")
        .takes(EVENT);
    routes
        .post("/print-events-storage/print-events-status", status)
        .summary("How often slips of requests were printed")
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

/// Four members, all of them, and nothing else.
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

/// POST of the desk: only where the library logs prints, and only for requests there are.
async fn log(call: Call) -> Answer {
    let event = read(&call).ok_or_else(|| refused("Print Event Request  JSON is invalid"))?;
    let (settings, found) = lending::print_check(&call.session, &event.requests).await?;
    let settings: Vec<Value> = serde_json::from_str(&settings).unwrap_or_default();
    let wrong = match settings.as_slice() {
        [] => Some("No configuration found for print event feature"),
        [value] if !enabled(value) => Some("print event feature is disabled for this tenant"),
        [_] if usize::try_from(found) != Ok(distinct(&event.requests)) => {
            Some("invalid request found")
        }
        [_] => None,
        _ => Some("Multiple configurations found for print event feature"),
    };
    if let Some(message) = wrong {
        return Err(refused(message));
    }
    lending::save_print_event(&call.session, &event).await?;
    Ok(Reply::no_content())
}

fn enabled(setting: &Value) -> bool {
    setting["enablePrintLog"] == true || setting["enablePrintLog"] == "true"
}

fn distinct(ids: &[Uuid]) -> usize {
    ids.iter().collect::<std::collections::HashSet<_>>().len()
}

fn refused(message: &str) -> Problem {
    let item = ErrorItem {
        message: message.into(),
        ..ErrorItem::default()
    };
    Problem::circulation(&[item])
}

async fn save(call: Call) -> Answer {
    let (sent, requests) = stored_form(&call, EVENT)?;
    let text = |name: &str| sent.get(name).and_then(Value::as_str).unwrap_or_default();
    if text("requesterName").trim().is_empty() {
        let item = pattern_breach("^(?!\\s*$).+", "requesterName", text("requesterName"));
        return Err(Problem::unprocessable(&[item]));
    }
    let event = PrintEvent {
        requests,
        requester: Uuid::parse_str(text("requesterId")).unwrap_or_default(),
        requester_name: text("requesterName").to_owned(),
        printed: text("printEventDate").to_owned(),
    };
    lending::save_print_event(&call.session, &event).await?;
    Ok(Reply::no_content().with_status(StatusCode::CREATED))
}

async fn status(call: Call) -> Answer {
    let (_, requests) = stored_form(&call, ASKED)?;
    let status = lending::print_status(&call.session, &requests).await?;
    let total = serde_json::from_str::<Vec<Value>>(&status).map_or(0, |list| list.len());
    let body = format!("{{\"printEventsStatusResponses\":{status},\"totalRecords\":{total}}}");
    Ok(Reply::json_text(body))
}

/// What is sent to the storage, checked as its schemas say, and the requests it names.
///
/// # Errors
/// The storage tells of the requests first: that there are none, or that one is not an identifier.
fn stored_form(call: &Call, declared: &str) -> Result<(Map<String, Value>, Vec<Uuid>), Problem> {
    let sent = call.json()?;
    if let Some(Value::Array(ids)) = sent.get("requestIds") {
        listed(ids)?;
    }
    let sent = Schema::declare(declared)
        .with_versioned_ids()
        .accept(sent)?;
    let ids = sent.get("requestIds").and_then(Value::as_array);
    let ids = ids.into_iter().flatten().filter_map(Value::as_str);
    let requests = ids.filter_map(|id| Uuid::parse_str(id).ok()).collect();
    Ok((sent, requests))
}

/// A list of identifiers breaches its schema as one whole, other than a single identifier.
fn listed(ids: &[Value]) -> Result<(), Problem> {
    let shown: Vec<_> = ids
        .iter()
        .map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned))
        .collect();
    let (message, code) = if ids.is_empty() {
        (
            "size must be between 1 and 2147483647",
            "jakarta.validation.constraints.Size.message",
        )
    } else if shown.iter().all(|id| record::is_versioned_uuid(id)) {
        return Ok(());
    } else {
        let message = "elements in list must match pattern";
        (message, message)
    };
    Err(Problem::unprocessable(&[ErrorItem {
        code: Some(code.into()),
        ..ErrorItem::rmb(message, "requestIds", &format!("[{}]", shown.join(", ")))
    }]))
}

fn pattern_breach(pattern: &str, key: &str, value: &str) -> ErrorItem {
    ErrorItem {
        code: Some("jakarta.validation.constraints.Pattern.message".into()),
        ..ErrorItem::rmb(format!("must match \"{pattern}\""), key, value)
    }
}
