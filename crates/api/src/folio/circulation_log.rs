//! mod-audit's circulation log (docs/folio/circulation-log.md): what happened to loans, requests, fees, notices and blocks.

use std::sync::Arc;

use http::StatusCode;
use serde_json::json;
use store::{
    collection::{Collection, IndexKind},
    query::{self, QueryError},
    record::print_instant,
    statements::circulation::FORGET_LOG,
};

use super::declared;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::{Answer, Form, Routes},
};

const TABLE: &str = "circulation_log";
/// How many days entries are kept unless a library says otherwise: five years.
const KEPT_DAYS: i64 = 1_826;
/// Entries deleted by one statement.
const AT_ONCE: i64 = 10_000;

pub(super) fn collection() -> Collection {
    Collection::new(
        "/audit-data/circulation/logs",
        "logRecords",
        TABLE,
        "eventId:uuid, userBarcode, items[{itemBarcode, itemId:uuid, instanceId:uuid, holdingId:uuid, loanId:uuid}], object,
         action, date:datetime, servicePointId:uuid, source, description,
         linkToIds{userId:uuid, requestId:uuid, feeFineId:uuid, templateId:uuid, noticePolicyId:uuid}",
    )
    .without_metadata()
    .unsequenced()
    .plain()
    .index(&IndexKind::Exact, &["date"])
    .keys(&IndexKind::Folded, &["action", "object"])
    .keys(&IndexKind::CaseFolded, &["servicePointId"])
    .column("item_values", "tsvector", "carrel.item_values(doc->'items')")
    .column("request_id", "uuid", "(doc#>>'{linkToIds,requestId}')::uuid")
    .without_routes()
}

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let log = declared(all, TABLE);
    let c = Arc::clone(&log);
    routes
        .get(log.path, move |call| list(call, Arc::clone(&c)))
        .summary("List entries of the circulation log")
        .gives_record(&log)
        .lists(log.list)
        .refuses_as(400, Form::Coded);
    routes
        .post("/audit-data/cleanup/timer", forget)
        .summary("Forget old entries of the circulation log")
        .timer_of("mod-audit");
}

/// POST. One round trip for each ten thousand entries.
async fn forget(call: Call) -> Answer {
    let now = print_instant(call.now);
    while call.session.execute(FORGET_LOG, &[&now, &KEPT_DAYS, &AT_ONCE]).await? == AT_ONCE.unsigned_abs() {}
    Ok(Reply::no_content())
}

/// GET. One round trip.
async fn list(call: Call, log: Arc<Collection>) -> Answer {
    let request = collections::asked(&call, &log)?;
    let page = query::log_page(&call.session, &log, &request).await.map_err(|error| match error {
        QueryError::Cql(text) => {
            let error = json!({"message": text, "code": "HTTP_BAD_REQUEST", "parameters": []});
            Problem::Json(StatusCode::BAD_REQUEST, error)
        }
        QueryError::Store(error) => error.into(),
    })?;
    let total = page.total.map_or_else(String::new, |total| format!(",\"totalRecords\":{total}"));
    Ok(Reply::json_text(format!("{{\"{}\":{}{total}}}", log.list, page.records)))
}
