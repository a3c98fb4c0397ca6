//! The log of printed slips (folio-circulation §1.6, §6.3).

use http::StatusCode;
use serde::Deserialize;
use serde_json::Value;
use store::{
    lending::{self, PrintEvent},
    record,
};
use uuid::Uuid;

use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

const EVENT: &str =
    "requestIds*[uuid], requesterId*:uuid, requesterName*, printEventDate*:datetime";

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
        .takes("requestIds*[uuid]");
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
    let unreadable =
        || Problem::unprocessable(&[ErrorItem::rmb("must not be null", "requestIds", "null")]);
    let event = read(&call).ok_or_else(unreadable)?;
    lending::save_print_event(&call.session, &event).await?;
    Ok(Reply::no_content().with_status(StatusCode::CREATED))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Asked {
    request_ids: Vec<Uuid>,
}

async fn status(call: Call) -> Answer {
    let asked: Asked = call.parse()?;
    if asked.request_ids.is_empty() {
        let message = "size must be between 1 and 2147483647";
        return Err(Problem::unprocessable(&[ErrorItem {
            code: Some("jakarta.validation.constraints.Size.message".into()),
            ..ErrorItem::rmb(message, "requestIds", "[]")
        }]));
    }
    let status = lending::print_status(&call.session, &asked.request_ids).await?;
    let total = serde_json::from_str::<Vec<Value>>(&status).map_or(0, |list| list.len());
    let body = format!("{{\"printEventsStatusResponses\":{status},\"totalRecords\":{total}}}");
    Ok(Reply::json_text(body))
}
