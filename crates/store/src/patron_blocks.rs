//! Statements that recount the counters behind patron blocks (docs/folio/patron-blocks.md#counting-again), and the
//! records of such a synchronization. Each function is one round trip. The rule itself works on all patrons at once:
//! `store/sql/replaceable/set_rules/patron_blocks.sql`.

use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError, db::Row};

/// A running synchronization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synchronization {
    pub id: Uuid,
    /// The only patron to recount; `None` for all.
    pub patron: Option<Uuid>,
}

/// Progress of a synchronization.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Number of patrons recounted.
    pub patrons: i64,
    pub loans: i64,
    pub fees: i64,
    /// The patron with the highest id so far.
    pub last: Option<Uuid>,
}

/// Creates a synchronization and its job.
pub async fn enter(session: &Session, id: Uuid, record: &Value, kind: &str) -> Result<(), StoreError> {
    let sql = "WITH entered AS (INSERT INTO synchronization_jobs (id, doc) VALUES ($1, $2))
               SELECT enqueue_job($3, '{}', NULL, $3)";
    session.query(sql, &[&id, record, &kind]).await?;
    Ok(())
}

/// The record of a synchronization as JSON text.
pub async fn find(session: &Session, id: Uuid) -> Result<Option<String>, StoreError> {
    let sql = "SELECT doc::text FROM synchronization_jobs WHERE id = $1";
    session.find_value(sql, &[&id]).await
}

/// Enters the job if a synchronization is open.
pub async fn start(session: &Session, kind: &str) -> Result<(), StoreError> {
    let sql = "SELECT enqueue_job($1, '{}', NULL, $1)
               WHERE EXISTS (SELECT FROM synchronization_jobs WHERE doc->>'status' = 'open')";
    session.query(sql, &[&kind]).await?;
    Ok(())
}

/// Starts the oldest open synchronization.
pub async fn begin(session: &Session) -> Result<Option<Synchronization>, StoreError> {
    let sql = crate::statements::circulation::BEGIN_SYNCHRONIZATION;
    let row = session.find(sql, &[]).await?;
    Ok(row.map(|row| {
        let (patron, all_patrons): (Option<Uuid>, bool) = (row.get("patron"), row.get("all_patrons"));
        Synchronization { id: row.get("id"), patron: patron.filter(|_| !all_patrons) }
    }))
}

/// Recounts one patron.
pub async fn recount(session: &Session, patron: Uuid) -> Result<Counted, StoreError> {
    let sql = "SELECT patrons, loans, fees, last_id FROM recount_these_patrons(ARRAY[$1::uuid])";
    Ok(counted(&session.get(sql, &[&patron]).await?))
}

/// Recounts at most `limit` patrons, in order of id, after the given one.
pub async fn recount_after(session: &Session, after: Uuid, at_most: i32) -> Result<Counted, StoreError> {
    let sql = "SELECT patrons, loans, fees, last_id FROM recount_patrons_after($1, $2)";
    Ok(counted(&session.get(sql, &[&after, &at_most]).await?))
}

fn counted(row: &Row) -> Counted {
    Counted { patrons: row.get("patrons"), loans: row.get("loans"), fees: row.get("fees"), last: row.get("last_id") }
}

/// Updates members of a synchronization's record.
pub async fn keep(session: &Session, id: Uuid, members: &Value) -> Result<(), StoreError> {
    let sql = "UPDATE synchronization_jobs SET doc = doc || $2 WHERE id = $1";
    session.execute(sql, &[&id, members]).await?;
    Ok(())
}
