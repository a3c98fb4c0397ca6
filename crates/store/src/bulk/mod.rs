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
use tokio_postgres::CopyInSink;

pub use encode::Rows;

use crate::{
    collection::Collection,
    db::{Session, Transaction},
    error::StoreError,
    query::plain::{self, Written},
};

/// Copies rows into the tables of a collection until the stream ends; returns their number. Rows in an empty table are
/// frozen, so it needs no vacuum.
///
/// # Errors
/// [`StoreError`]; then the tables must not be used.
pub async fn copy(
    session: &Session,
    collection: &Collection,
    mut rows: mpsc::Receiver<Rows>,
) -> Result<u64, StoreError> {
    let table = collection.table;
    let transaction = session.begin_long().await?;
    let staged = format!("{table}_copied");
    let sql = match collection.plain {
        true => {
            let sql = format!("CREATE TEMP TABLE {staged} (id uuid, doc jsonb) ON COMMIT DROP");
            transaction.batch(&sql).await?;
            copying(&staged, "doc", "")
        }
        false => copying(table, "doc", empty_table(&transaction, table).await?),
    };
    let mut docs = begin(&transaction, &sql).await?;
    // A connection copies into one table at a time.
    let beside = match collection.volatile.is_empty() {
        true => None,
        false => Some(session.begin_long().await?),
    };
    let mut states = match &beside {
        Some(beside) => Some(begin(beside, &copying(&format!("{table}_state"), "state", "")).await?),
        None => None,
    };
    while let Some(rows) = rows.recv().await {
        let (of_docs, of_states) = rows.into_bytes();
        docs.send(of_docs).await?;
        if let Some(states) = &mut states {
            states.send(of_states).await?;
        }
    }
    let copied = end(docs).await?;
    if collection.plain {
        let Written { names, values, from } = plain::written(collection, ", ", "staged.doc");
        let sql = format!("INSERT INTO {table} (id{names}) SELECT staged.id{values} FROM {staged} staged{from}");
        transaction.batch(&sql).await?;
    }
    transaction.commit().await?;
    if let (Some(states), Some(beside)) = (states, beside) {
        end(states).await?;
        beside.commit().await?;
    }
    Ok(copied)
}

fn copying(table: &str, column: &str, how: &str) -> String {
    format!("COPY {table} (id, {column}) FROM STDIN (FORMAT binary{how})")
}

type Sink = std::pin::Pin<Box<CopyInSink<Bytes>>>;

async fn begin(transaction: &Transaction, sql: &str) -> Result<Sink, StoreError> {
    let mut sink = Box::pin(transaction.client()?.copy_in::<_, Bytes>(sql).await?);
    sink.feed(Bytes::from_static(encode::HEAD)).await?;
    Ok(sink)
}

async fn end(mut sink: Sink) -> Result<u64, StoreError> {
    sink.feed(Bytes::from_static(encode::TAIL)).await?;
    Ok(sink.as_mut().finish().await?)
}

/// Returns `, FREEZE` if the table has no rows, and truncates it, because COPY FREEZE requires that.
async fn empty_table(transaction: &Transaction, table: &str) -> Result<&'static str, StoreError> {
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

/// Writes what follows from the copied loans and items: counters, history, and the list of rare statuses.
pub async fn entail(session: &Session) -> Result<(), StoreError> {
    let transaction = session.begin_long().await?;
    transaction.batch("SELECT items_copied(), loans_copied(), catalogue_copied()").await?;
    transaction.commit().await
}

/// Updates the planner's statistics of these tables.
pub async fn analyze(session: &Session, tables: &[&str]) -> Result<(), StoreError> {
    let transaction = session.begin_long().await?;
    let sql = format!("ANALYZE {}", tables.join(", "));
    transaction.batch(&sql).await?;
    transaction.commit().await
}
