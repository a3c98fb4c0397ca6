//! Loans and requests with their related records: one statement reads everything, and the names come from the
//! configuration in memory.

use std::sync::Arc;

use circulation::configuration::Configuration;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use store::{
    collection::Collection,
    query::{self, ListRequest},
    records,
};

use super::refusals::NO_SUCH_RECORD;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections,
    route::Answer,
};

/// A record with its related records, as the database returns it.
pub(super) trait Surrounded: DeserializeOwned {
    /// The name of the record in the text of a 404.
    const NAME: &'static str;

    /// The version of the configuration that supplies its names.
    fn version(&self) -> i64;

    /// The record as clients see it.
    fn show(self, configuration: &Configuration) -> Value;
}

/// The query of a request, unless it is empty.
pub(super) fn cql(call: &Call) -> Option<&str> {
    call.query.get("query").filter(|query| !query.trim().is_empty())
}

/// A page of the collection. One round trip.
pub(super) async fn page<T: Surrounded>(
    call: &Call,
    collection: &Collection,
    cql: Option<&str>,
    limit: i64,
    offset: i64,
) -> Answer {
    let totals = call.query.get("totalRecords").unwrap_or("auto");
    let request = ListRequest { cql, limit, offset, totals };
    let page = query::list(&call.session, &call.app.collections, collection, &request)
        .await
        .map_err(|error| collections::query_problem(error, collection))?;
    let rows: Vec<T> = rows::<T, _>(&page.records)?;
    let configuration = configuration(call, rows.first()).await?;
    let shown = rows.into_iter().map(|row| row.show(&configuration)).collect();
    let mut body = Map::from_iter([(collection.list.to_owned(), Value::Array(shown))]);
    if let Some(total) = page.total {
        body.insert("totalRecords".into(), total.into());
    }
    Ok(Reply::pretty(&Value::Object(body)))
}

/// One record of the collection. One round trip.
pub(super) async fn read<T: Surrounded>(call: Call, collection: Arc<Collection>) -> Answer {
    let text = call.param("id").to_owned();
    let unknown = || NO_SUCH_RECORD.with("name", T::NAME).with("id", &text);
    let id = call.id("id").map_err(|_| unknown())?;
    let found = records::find(&call.session, &collection, id).await?.ok_or_else(unknown)?;
    let row: T = rows::<T, _>(&found)?;
    let configuration = configuration(&call, Some(&row)).await?;
    Ok(Reply::pretty(&row.show(&configuration)))
}

fn rows<T: Surrounded, R: DeserializeOwned>(text: &str) -> Result<R, Problem> {
    serde_json::from_str(text).map_err(|error| Problem::Internal(format!("a stored {}: {error}", T::NAME)))
}

async fn configuration<T: Surrounded>(call: &Call, row: Option<&T>) -> Result<Arc<Configuration>, Problem> {
    match row {
        None => Ok(Arc::default()),
        Some(row) => Ok(call.tenant.desk.configuration(&call.session, row.version()).await?),
    }
}
