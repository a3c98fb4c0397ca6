//! Searches in the index.

use indexing::{Index, Shown};
use search::{
    hits::{Hits, Request},
    query::Query,
};
use serde_json::{Map, Value};
use store::StoreError;

use super::ask::Asking;
use crate::refusal::Refusal;

/// Until the index is complete for the first time.
const NO_INDEX: &str = "The index for searches is still being made; try again in a moment";
/// If that fails, for example because its disk is full.
const INDEX_FAILING: &str = "The index for searches cannot be made at the moment; the server's log says why";
/// What is found, and whether the index could not show all that was saved before.
pub(super) async fn run(index: &Index, asking: &Asking) -> Result<(Hits, bool), Refusal> {
    let (shown, is_behind) = index.reader().await;
    // Of one that is made for the first time, nobody could tell what a search would not find.
    let Some(Shown::Complete(reader)) = shown else {
        let why = if index.status().is_failing { INDEX_FAILING } else { NO_INDEX };
        return Err(Refusal::NotYet(why.to_owned()));
    };
    let request: Request = asking.request.clone();
    let hits = index.run(move || reader.search(&request)).await.map_err(|error| failed(&error))?;
    Ok((hits, is_behind))
}

/// A search that failed, or an answer.
pub(super) fn failed(error: &dyn std::fmt::Display) -> Refusal {
    StoreError::Other(format!("the search failed: {error}")).into()
}

/// The documents that a query finds, at most so many, in no order.
pub(super) async fn matching(index: &Index, query: Query, limit: usize) -> Result<Vec<Map<String, Value>>, Refusal> {
    let request = Request { query, sort: Vec::new(), offset: 0, limit, facets: Vec::new(), least: 1, most: 0 };
    let (hits, _) = run(index, &Asking { request, wanted: Query::All }).await?;
    Ok(hits.documents)
}
