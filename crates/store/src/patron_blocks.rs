//! Statements that count again what patron blocks look at (docs/folio/patron-blocks.md#counting-again), and of the
//! records of such a synchronization. Each function is one round trip.

use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError, db::Row};

/// A synchronization that is in progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Synchronization {
    /// Its id.
    pub id: Uuid,
    /// The only patron to be counted, or everybody.
    pub patron: Option<Uuid>,
}

/// How far a synchronization is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counted {
    /// Patrons counted.
    pub patrons: i64,
    /// Their open loans.
    pub loans: i64,
    /// Their open fees and fines.
    pub fees: i64,
    /// The last of them by id.
    pub last: Option<Uuid>,
}

/// Enters a synchronization and the job that does it.
///
/// # Errors
/// [`StoreError`].
pub async fn enter(
    session: &Session,
    id: Uuid,
    record: &Value,
    kind: &str,
) -> Result<(), StoreError> {
    let sql = "WITH entered AS (INSERT INTO synchronization_jobs (id, doc) VALUES ($1, $2))
               SELECT enqueue_job($3, '{}', NULL, $3)";
    session.query(sql, &[&id, record, &kind]).await?;
    Ok(())
}

/// The record of a synchronization as JSON text.
///
/// # Errors
/// [`StoreError`].
pub async fn find(session: &Session, id: Uuid) -> Result<Option<String>, StoreError> {
    let sql = "SELECT doc::text FROM synchronization_jobs WHERE id = $1";
    Ok(session.find(sql, &[&id]).await?.map(|row| row.get(0)))
}

/// Enters the job when a synchronization is open.
///
/// # Errors
/// [`StoreError`].
pub async fn start(session: &Session, kind: &str) -> Result<(), StoreError> {
    let sql = "SELECT enqueue_job($1, '{}', NULL, $1)
               WHERE EXISTS (SELECT FROM synchronization_jobs WHERE doc->>'status' = 'open')";
    session.query(sql, &[&kind]).await?;
    Ok(())
}

/// Begins the synchronization that was asked for first.
///
/// # Errors
/// [`StoreError`].
pub async fn begin(session: &Session) -> Result<Option<Synchronization>, StoreError> {
    let sql = crate::statements::circulation::BEGIN_SYNCHRONIZATION;
    let row = session.find(sql, &[]).await?;
    Ok(row.map(|row| {
        let (patron, everybody): (Option<Uuid>, bool) = (row.get(1), row.get(2));
        Synchronization {
            id: row.get(0),
            patron: patron.filter(|_| !everybody),
        }
    }))
}

/// Counts one patron again.
///
/// # Errors
/// [`StoreError`].
pub async fn recount(session: &Session, patron: Uuid) -> Result<Counted, StoreError> {
    let sql = "SELECT patrons, loans, fees, last_id FROM recount_these_patrons(ARRAY[$1::uuid])";
    Ok(counted(&session.get(sql, &[&patron]).await?))
}

/// Counts the patrons that come after that one again, at most so many.
///
/// # Errors
/// [`StoreError`].
pub async fn recount_after(
    session: &Session,
    after: Uuid,
    at_most: i32,
) -> Result<Counted, StoreError> {
    let sql = "SELECT patrons, loans, fees, last_id FROM recount_patrons_after($1, $2)";
    Ok(counted(&session.get(sql, &[&after, &at_most]).await?))
}

fn counted(row: &Row) -> Counted {
    Counted {
        patrons: row.get(0),
        loans: row.get(1),
        fees: row.get(2),
        last: row.get(3),
    }
}

/// Keeps members of the record of a synchronization.
///
/// # Errors
/// [`StoreError`].
pub async fn keep(session: &Session, id: Uuid, members: &Value) -> Result<(), StoreError> {
    let sql = "UPDATE synchronization_jobs SET doc = doc || $2 WHERE id = $1";
    session.execute(sql, &[&id, members]).await?;
    Ok(())
}
