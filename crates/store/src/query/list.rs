//! A page of a collection, assembled by PostgreSQL in one round trip (docs/folio/conventions.md#lists).

use std::sync::Arc;

use uuid::Uuid;

use super::{
    Plan,
    page::{page, rows},
    plan,
    stamped::with_stamp,
};
use crate::{
    collection::{Collection, Style},
    db::{Rows, Session},
    error::StoreError,
};

#[derive(Debug, Clone, Copy)]
pub struct ListRequest<'a> {
    /// The CQL query, if the request has one.
    pub cql: Option<&'a str>,
    pub limit: i64,
    pub offset: i64,
    /// `totalRecords` of the request: exact, estimated, none or auto.
    pub totals: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The records as a JSON array.
    pub records: String,
    /// Total number of records; `None` if the request excluded it.
    pub total: Option<i64>,
    /// Undeclared fields of the query; they match nothing.
    pub undeclared: Vec<String>,
    /// For [near-static](Collection::is_near_static) records, the stamp of the snapshot.
    pub stamp: Option<Uuid>,
}

/// A page as a stream of rows.
pub struct Streamed {
    /// Each row has a record in the column `record` (text); the last one has only the column `total` (bigint).
    pub rows: Rows,
    /// Whether the request wants the total number.
    pub with_total: bool,
    /// Undeclared fields of the query; they match nothing.
    pub undeclared: Vec<String>,
}

/// Why a query failed.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The query is invalid; the text is FOLIO's.
    #[error("{0}")]
    Cql(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A page of `collection`; `all` are all collections, for queries through foreign keys.
pub async fn list(
    session: &Session,
    all: &[Arc<Collection>],
    collection: &Collection,
    request: &ListRequest<'_>,
) -> Result<Page, QueryError> {
    let plan = planned(all, collection, request)?;
    let is_near_static = collection.is_near_static();
    let page = page(collection, &plan, request.limit, request.offset);
    let statement = if is_near_static { with_stamp(page) } else { page };
    let row = lane(session, &plan).get(&statement.sql, &statement.values()).await?;
    Ok(Page {
        records: row.get("records"),
        total: with_total(collection, request).then(|| row.get("total")),
        undeclared: plan.undeclared,
        stamp: is_near_static.then(|| row.get("stamp")),
    })
}

/// The same page record by record, for pages that do not fit in memory.
///
/// # Errors
/// [`QueryError`] if the statement cannot start; later errors come with the rows.
pub async fn stream(
    session: &Session,
    all: &[Arc<Collection>],
    collection: &Collection,
    request: &ListRequest<'_>,
) -> Result<Streamed, QueryError> {
    let plan = planned(all, collection, request)?;
    let statement = rows(collection, &plan, request.limit, request.offset);
    Ok(Streamed {
        rows: lane(session, &plan).stream(&statement.sql, &statement.values()).await?,
        with_total: with_total(collection, request),
        undeclared: plan.undeclared,
    })
}

/// The session for a list.
fn lane(session: &Session, plan: &Plan) -> Session {
    if plan.condition.is_lookup() { session.lookups() } else { session.clone() }
}

pub(super) fn planned(
    all: &[Arc<Collection>],
    collection: &Collection,
    request: &ListRequest<'_>,
) -> Result<Plan, QueryError> {
    match request.cql {
        Some(cql) => read(all, collection, cql),
        None => Ok(Plan::everything()),
    }
}

fn with_total(collection: &Collection, request: &ListRequest<'_>) -> bool {
    request.totals != "none" || collection.result_info
}

/// The field that a query names and that does not exist, and the [class](Collection::entity) that has not got it, of a
/// module that refuses such queries. Of `a.b` that is `a`, or `b` of another record that is called `a`.
pub fn unresolved<'n>(
    all: &[Arc<Collection>],
    collection: &Collection,
    plan: &'n Plan,
) -> Option<(&'static str, &'n str)> {
    let (entity, name) = (collection.entity?, plan.undeclared.first()?);
    let Some((first, rest)) = name.split_once('.') else { return Some((entity, name)) };
    let alias = collection.aliases.iter().find(|alias| alias.name == first);
    if alias.is_some_and(|alias| alias.steps.is_empty()) {
        return Some((entity, rest));
    }
    let table = alias.and_then(|alias| alias.steps.last()).map(|step| step.0);
    let other = table.and_then(|table| all.iter().find(|one| one.table == table)?.entity);
    Some(other.map_or((entity, first), |other| (other, rest)))
}

/// Parses and plans a CQL query on `collection`, for lists and other statements.
///
/// # Errors
/// [`QueryError::Cql`] with FOLIO's text.
pub fn read(all: &[Arc<Collection>], collection: &Collection, cql: &str) -> Result<Plan, QueryError> {
    if collection.style == Style::Spring && cql.trim().is_empty() {
        return Ok(Plan::everything());
    }
    let neighbour = |table: &str| all.iter().map(Arc::as_ref).find(|one| one.table == table);
    cql::parse(cql).and_then(|query| plan(&query, collection, &neighbour)).map_err(|error| {
        QueryError::Cql(match collection.style {
            Style::Rmb => error.store_text(cql),
            Style::Spring => error.message,
        })
    })
}
