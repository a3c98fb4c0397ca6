//! A page of a collection, assembled by PostgreSQL in one round trip (folio-platform §3.3).

use std::sync::Arc;

use crate::{collection::Collection, db::Session, error::StoreError};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct ListRequest<'a> {
    /// The CQL query; `None` when the request has none.
    pub cql: Option<&'a str>,
    /// At most so many records.
    pub limit: i64,
    /// So many are skipped.
    pub offset: i64,
    /// `totalRecords` of the request: exact, estimated, none or auto.
    pub totals: &'a str,
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The records as a JSON array.
    pub records: String,
    /// How many there are in all; `None` when the request did not want to know.
    pub total: Option<i64>,
    /// Fields of the query that nobody declared: they match nothing.
    pub undeclared: Vec<String>,
}

/// Why a query was not answered.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// The query itself is wrong: FOLIO's text.
    #[error("{0}")]
    Cql(String),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// A page of `collection`; `all` are all collections, for queries that look through foreign keys.
///
/// # Errors
/// [`QueryError`].
pub async fn list(
    session: &Session,
    _all: &[Arc<Collection>],
    collection: &Collection,
    request: &ListRequest<'_>,
) -> Result<Page, QueryError> {
    let (table, record) = (collection.table, collection.representation());
    let sql = format!(
        "SELECT coalesce((SELECT json_agg(p.rec) FROM (SELECT {record} AS rec FROM {table} r ORDER BY r.seq
             LIMIT $1 OFFSET $2) p)::text, '[]'), (SELECT count(*) FROM {table})"
    );
    let row = session
        .get(&sql, &[&request.limit, &request.offset])
        .await?;
    Ok(Page {
        records: row.get(0),
        total: Some(row.get(1)),
        undeclared: Vec::new(),
    })
}
