//! Lists of records, and the queries that find them.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, future, stream};
use store::{
    StoreError,
    collection::{Collection, Style},
    db::Rows,
    query,
};

use super::kept::Question;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    manner::spring,
    route::Answer,
};

/// GET of the collection. One round trip.
pub async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    page(&call, &collection, &asked(&call, &collection)?).await
}

/// The page the request asks for, or the module's refusal of an invalid `limit` or `offset`.
pub fn asked<'a>(call: &'a Call, collection: &Collection) -> Result<query::ListRequest<'a>, Problem> {
    Ok(query::ListRequest {
        cql: call.query.get("query"),
        limit: call.limit(collection.default_limit)?,
        offset: call.offset()?,
        totals: call.query.get("totalRecords").unwrap_or("auto"),
    })
}

/// Larger pages are read from the database row by row.
const AT_ONCE: i64 = 1_000;

/// A page of the collection, assembled by PostgreSQL. One round trip, or none for near-static records.
pub async fn page(call: &Call, collection: &Collection, request: &query::ListRequest<'_>) -> Answer {
    let (session, all) = (&call.session, &call.app.collections);
    let refused = |error| query_problem(error, collection);
    let question = Question::about_page(call, collection, request);
    if let Some(kept) = question.as_ref().and_then(Question::answer) {
        return Ok(kept);
    }
    let (mut reply, undeclared) = if question.is_some() || request.limit <= AT_ONCE {
        let page = query::list(session, all, collection, request);
        let page = page.await.map_err(refused)?;
        let end = list_end(collection.result_info, page.total);
        let body = Bytes::from(format!("{{\"{}\":{}{end}", collection.list, page.records));
        if let (Some(question), Some(stamp), []) = (question, page.stamp, &page.undeclared[..]) {
            question.keep(stamp, &body);
        }
        (Reply::json_text(body), page.undeclared)
    } else {
        let page = query::stream(session, all, collection, request);
        let page = page.await.map_err(refused)?;
        let parts = list_parts(collection, page.rows, page.with_total);
        let body = call.app.spools.body(parts).await?;
        (Reply::typed("application/json", body), page.undeclared)
    };
    if !undeclared.is_empty() {
        tracing::warn!(
            tenant = call.tenant.tenant.id,
            table = collection.table,
            fields = undeclared.join(" "),
            "query on fields nobody declared"
        );
        let name = http::HeaderName::from_static("x-carrel-undeclared-fields");
        reply = reply.with_header(name, &undeclared.join(" "));
    }
    Ok(reply)
}

/// A list in parts, streamed as the rows arrive.
fn list_parts(
    collection: &Collection,
    rows: Rows,
    with_total: bool,
) -> impl Stream<Item = Result<Bytes, StoreError>> + Send + 'static {
    let begin = Bytes::from(format!("{{\"{}\":[", collection.list));
    let result_info = collection.result_info;
    let mut separator = "";
    let parts = rows.map_ok(move |row| match row.get::<_, Option<&str>>("record") {
        Some(record) => Bytes::from([std::mem::replace(&mut separator, ","), record].concat()),
        None => {
            let total = with_total.then(|| row.get("total"));
            Bytes::from(format!("]{}", list_end(result_info, total)))
        }
    });
    stream::once(future::ok(begin)).chain(parts)
}

/// The text after the last record.
pub(crate) fn list_end(result_info: bool, total: Option<i64>) -> String {
    let Some(total) = total else {
        return "}".into();
    };
    if result_info {
        return format!(
            ",\"totalRecords\":{total},\"resultInfo\":{{\"totalRecords\":{total},\"facets\":[],\"diagnostics\":[]}}}}"
        );
    }
    format!(",\"totalRecords\":{total}}}")
}

/// The refusal of a bad query, in the collection's style (docs/folio/conventions.md#refused-queries).
#[must_use]
pub(crate) fn query_problem(error: query::QueryError, collection: &Collection) -> Problem {
    match error {
        query::QueryError::Store(error) => error.into(),
        query::QueryError::Cql(text) => match collection.style {
            Style::Rmb => Problem::bad_request(text),
            Style::Spring => spring::refused(&text),
        },
    }
}
