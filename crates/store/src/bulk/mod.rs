//! Bulk loading: binary COPY, with indexes and foreign keys created afterwards.
//!
//! Use it only on tables that no one else uses yet. Each stream is its own transaction. Between [`indexes::suspend`]
//! and [`indexes::restore`] the tables have no secondary indexes, so a tenant whose load was interrupted must be
//! removed.

mod encode;
pub mod indexes;

use bytes::Bytes;
use futures_util::SinkExt;
use tokio::sync::mpsc;

pub use encode::Rows;

use crate::{collection::Collection, db::Session, error::StoreError};

/// Copies rows into the table of a collection until the stream ends; returns their number. Rows in an empty table are
/// frozen, so it needs no vacuum.
///
/// # Errors
/// [`StoreError`]; then no row is kept.
pub async fn copy(
    session: &Session,
    collection: &Collection,
    mut rows: mpsc::Receiver<Rows>,
) -> Result<u64, StoreError> {
    let table = collection.table;
    let transaction = session.begin_long().await?;
    let freeze = empty_table(&transaction, table).await?;
    let state = if collection.volatile.is_empty() { "" } else { ", state" };
    let sql = format!("COPY {table} (id, doc{state}) FROM STDIN (FORMAT binary{freeze})");
    let sink = transaction.client()?.copy_in::<_, Bytes>(sql.as_str()).await?;
    let mut sink = std::pin::pin!(sink);
    sink.feed(Bytes::from_static(encode::HEAD)).await?;
    while let Some(rows) = rows.recv().await {
        sink.send(rows.into_bytes()).await?;
    }
    sink.feed(Bytes::from_static(encode::TAIL)).await?;
    let copied = sink.finish().await?;
    transaction.commit().await?;
    Ok(copied)
}

/// Returns `, FREEZE` if the table has no rows, and truncates it, because COPY FREEZE requires that.
async fn empty_table(transaction: &crate::db::Transaction, table: &str) -> Result<&'static str, StoreError> {
    let used = transaction.query(&format!("SELECT FROM {table} LIMIT 1"), &[]).await?;
    if !used.is_empty() {
        return Ok("");
    }
    let sql = "SELECT FROM pg_constraint WHERE contype = 'f' AND confrelid = $1::text::regclass LIMIT 1";
    if !transaction.query(sql, &[&table]).await?.is_empty() {
        return Ok("");
    }
    transaction.batch(&format!("TRUNCATE {table}")).await?;
    Ok(", FREEZE")
}

/// Updates the planner's statistics of these tables.
pub async fn analyze(session: &Session, tables: &[&str]) -> Result<(), StoreError> {
    let transaction = session.begin_long().await?;
    let sql = format!("ANALYZE {}", tables.join(", "));
    transaction.batch(&sql).await?;
    transaction.commit().await
}
