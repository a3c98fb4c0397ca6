//! Statements of circulation beside plain record keeping: the rules' text, settings kept by name, anonymisation.

use std::collections::HashSet;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError};

/// The circulation rules record as JSON text; `None` for a library that has none yet.
///
/// # Errors
/// [`StoreError`].
pub async fn rules(session: &Session) -> Result<Option<String>, StoreError> {
    let row = session
        .find(
            "SELECT doc::text FROM circulation_rules ORDER BY seq LIMIT 1",
            &[],
        )
        .await?;
    Ok(row.map(|row| row.get(0)))
}

/// Replaces the rules' text.
///
/// # Errors
/// [`StoreError`].
pub async fn save_rules(session: &Session, text: &str, metadata: &Value) -> Result<(), StoreError> {
    let sql = crate::statements::circulation::SAVE_RULES;
    session.execute(sql, &[&text, metadata]).await?;
    Ok(())
}

/// Every policy there is, as (letter of its kind, id).
///
/// # Errors
/// [`StoreError`].
pub async fn policy_ids(session: &Session) -> Result<HashSet<(char, Uuid)>, StoreError> {
    let sql = crate::statements::circulation::POLICY_IDS;
    let rows = session.query(sql, &[]).await?;
    let letter = |text: &str| text.chars().next().unwrap_or_default();
    Ok(rows
        .iter()
        .map(|row| (letter(row.get(0)), row.get(1)))
        .collect())
}

/// Keeps a setting by its name; its id and the stored record.
///
/// # Errors
/// [`StoreError`].
pub async fn save_setting(
    session: &Session,
    id: Uuid,
    setting: &Value,
) -> Result<(Uuid, String), StoreError> {
    let sql = crate::statements::circulation::SAVE_SETTING;
    let row = session.get(sql, &[&id, setting]).await?;
    Ok((row.get(0), row.get(1)))
}

/// The closed loans that name this borrower, at most five thousand, each with whether it has fees or fines.
///
/// # Errors
/// [`StoreError`].
pub async fn closed_loans_of(
    session: &Session,
    user: Uuid,
) -> Result<Vec<(Uuid, bool)>, StoreError> {
    let sql = crate::statements::circulation::CLOSED_LOANS_OF_USER;
    let rows = session.query(sql, &[&user]).await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

/// Takes the borrower out of those of the loans that are closed, and out of their history; the ids of those that named
/// one.
///
/// # Errors
/// [`StoreError`].
pub async fn anonymize_loans(session: &Session, loans: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    let row = session.get("SELECT anonymize_loans($1)", &[&loans]).await?;
    Ok(row.get(0))
}

/// Takes a borrower out of all closed loans.
///
/// # Errors
/// [`StoreError`].
pub async fn anonymize_loans_of(session: &Session, user: Uuid) -> Result<(), StoreError> {
    let sql = "SELECT anonymize_loans(array_agg(id)) FROM loan
               WHERE userid = $1 AND doc#>>'{status,name}' = 'Closed'";
    session.query(sql, &[&user]).await?;
    Ok(())
}

/// Patrons whose last action at the desk is older than `limit` (an instant as stored), as JSON text.
///
/// # Errors
/// [`StoreError`].
pub async fn expired_sessions(
    session: &Session,
    action: Option<&str>,
    limit: &str,
    at_most: i64,
) -> Result<String, StoreError> {
    let sql = crate::statements::circulation::EXPIRED_SESSIONS;
    Ok(session.get(sql, &[&action, &limit, &at_most]).await?.get(0))
}

/// A client's lock on a patron.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    /// Its id.
    pub id: Uuid,
    /// The patron.
    pub user: Uuid,
    /// When it was taken.
    pub created: Timestamp,
}

/// Takes the lock on a patron until `end`; `None` while somebody else has it. A lock taken at `stale` or before
/// is over, too, whatever its taker wanted.
///
/// # Errors
/// [`StoreError`].
pub async fn take_lock(
    session: &Session,
    user: Uuid,
    now: Timestamp,
    end: Timestamp,
    stale: Timestamp,
) -> Result<Option<Lock>, StoreError> {
    let sql = crate::statements::circulation::TAKE_LOCK;
    let row = session
        .find(sql, &[&Uuid::new_v4(), &user, &now, &end, &stale])
        .await?;
    Ok(row.map(|row| Lock {
        id: row.get(0),
        user,
        created: now,
    }))
}

/// The lock on a patron, if it is not over.
///
/// # Errors
/// [`StoreError`].
pub async fn lock_of(
    session: &Session,
    user: Uuid,
    now: Timestamp,
) -> Result<Option<Lock>, StoreError> {
    let sql = "SELECT id, created FROM check_out_lock WHERE user_id = $1 AND expires > $2";
    let row = session.find(sql, &[&user, &now]).await?;
    Ok(row.map(|row| Lock {
        id: row.get(0),
        user,
        created: row.get(1),
    }))
}

/// The lock of that id.
///
/// # Errors
/// [`StoreError`].
pub async fn lock(session: &Session, id: Uuid) -> Result<Option<Lock>, StoreError> {
    let sql = "SELECT user_id, created FROM check_out_lock WHERE id = $1";
    let row = session.find(sql, &[&id]).await?;
    Ok(row.map(|row| Lock {
        id,
        user: row.get(0),
        created: row.get(1),
    }))
}

/// Gives a lock back; false when there is none.
///
/// # Errors
/// [`StoreError`].
pub async fn release_lock(session: &Session, id: Uuid) -> Result<bool, StoreError> {
    Ok(session
        .execute("DELETE FROM check_out_lock WHERE id = $1", &[&id])
        .await?
        > 0)
}

/// Writes several requests at once or none.
///
/// # Errors
/// [`StoreError::Duplicate`] when two would have one position in a queue.
pub async fn save_requests(session: &Session, requests: &[Value]) -> Result<(), StoreError> {
    let sql = crate::statements::circulation::SAVE_REQUESTS;
    session.execute(sql, &[&requests]).await?;
    Ok(())
}

/// Deletes the session records of patrons at the desk; `ended` lists `{patron, action}`, no action meaning both.
///
/// # Errors
/// [`StoreError`].
pub async fn end_sessions(session: &Session, ended: &Value) -> Result<(), StoreError> {
    session.execute("SELECT end_sessions($1)", &[ended]).await?;
    Ok(())
}

/// Ends the sessions in which nothing has happened since `before`, a date as stored; how many patrons have left. One round
/// trip.
///
/// # Errors
/// [`StoreError`].
pub async fn end_idle_sessions(session: &Session, before: &str) -> Result<i64, StoreError> {
    let row = session
        .get("SELECT end_idle_sessions($1)", &[&before])
        .await?;
    Ok(row.get(0))
}

/// A patron's group and what the patron has and owes, with the version of the configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct PatronStanding {
    /// Version of the configuration.
    pub version: i64,
    /// The patron's group.
    pub group: Option<Uuid>,
    /// What blocks look at.
    pub standing: Value,
}

/// What a patron's blocks are computed from; `None` for an unknown patron. `now` is written as stored dates are.
///
/// # Errors
/// [`StoreError`].
pub async fn patron_standing(
    session: &Session,
    patron: Uuid,
    now: &str,
) -> Result<Option<PatronStanding>, StoreError> {
    let sql = crate::statements::circulation::PATRON_STANDING;
    let row = session.find(sql, &[&patron, &now]).await?;
    Ok(row.map(|row| PatronStanding {
        version: row.get(0),
        group: row.get(1),
        standing: row.get(2),
    }))
}

/// A patron's open loans and debts as JSON text; `None` for a patron who has none now.
///
/// # Errors
/// [`StoreError`].
pub async fn user_summary(session: &Session, patron: Uuid) -> Result<Option<String>, StoreError> {
    let sql = crate::statements::circulation::USER_SUMMARY;
    Ok(session.find(sql, &[&patron]).await?.map(|row| row.get(0)))
}

/// Somebody printed slips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintEvent {
    /// Of these requests.
    pub requests: Vec<Uuid>,
    /// Who printed.
    pub requester: Uuid,
    /// Their name.
    pub requester_name: String,
    /// When, as stored.
    pub printed: String,
}

/// Remembers that slips were printed, and on each request how often and by whom last. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn save_print_event(session: &Session, event: &PrintEvent) -> Result<(), StoreError> {
    let sql = crate::statements::circulation::SAVE_PRINT_EVENT;
    let name = &event.requester_name;
    session
        .execute(
            sql,
            &[&event.requests, &event.requester, name, &event.printed],
        )
        .await?;
    Ok(())
}

/// How often slips of these requests were printed, as JSON text.
///
/// # Errors
/// [`StoreError`].
pub async fn print_status(session: &Session, requests: &[Uuid]) -> Result<String, StoreError> {
    let sql = crate::statements::circulation::PRINT_STATUS;
    Ok(session.get(sql, &[&requests]).await?.get(0))
}

/// The settings of the print log as a JSON list, and how many of these requests there are.
///
/// # Errors
/// [`StoreError`].
pub async fn print_check(
    session: &Session,
    requests: &[Uuid],
) -> Result<(String, i64), StoreError> {
    let sql = crate::statements::circulation::PRINT_CHECK;
    let row = session.get(sql, &[&requests]).await?;
    Ok((row.get(0), row.get(1)))
}

/// Deletes every loan.
///
/// # Errors
/// [`StoreError`].
pub async fn delete_loans(session: &Session) -> Result<(), StoreError> {
    session.execute("TRUNCATE loan", &[]).await?;
    Ok(())
}

/// The requests of so many titles expire in one transaction: few enough that the desk never waits long for one of them.
const EXPIRING_TITLES: i32 = 500;

/// Closes the requests that have expired `at` a moment, written as dates are stored, and the gaps in their queues: those
/// of titles, or those of items. How many were closed. One round trip, and one more for every five hundred titles.
///
/// # Errors
/// [`StoreError`]. What has expired by then stays so; the next run goes on.
pub async fn expire_requests(
    session: &Session,
    at: &str,
    of_titles: bool,
) -> Result<i64, StoreError> {
    let stamp = serde_json::json!({"updatedDate": at});
    let sql = "SELECT closed, last_title FROM expire_requests($1, $2, $3, $4, $5)";
    let (mut total, mut last) = (0, Some(Uuid::nil()));
    while let Some(after) = last {
        let row = session
            .get(sql, &[&at, &of_titles, &stamp, &after, &EXPIRING_TITLES])
            .await?;
        total += row.get::<_, i64>(0);
        last = row.get(1);
    }
    Ok(total)
}

/// Takes the people out of a request that is closed. Its status; `None` for one that is not there.
///
/// # Errors
/// [`StoreError`].
pub async fn anonymize_request(
    session: &Session,
    id: Uuid,
    at: &str,
) -> Result<Option<String>, StoreError> {
    let stamp = serde_json::json!({"updatedDate": at});
    let row = session
        .get("SELECT anonymize_request($1, $2)", &[&id, &stamp])
        .await?;
    Ok(row.get(0))
}

/// Enters the job that numbers queues anew when somebody has asked for that.
///
/// # Errors
/// [`StoreError`].
pub async fn start_title_level_toggle(session: &Session, kind: &str) -> Result<(), StoreError> {
    let sql = "SELECT enqueue_job($1, '{}', NULL, $1)
               WHERE EXISTS (SELECT FROM tlr_feature_toggle_job WHERE doc->>'status' = 'open')";
    session.query(sql, &[&kind]).await?;
    Ok(())
}

/// Begins what was asked for last; its id.
///
/// # Errors
/// [`StoreError`].
pub async fn begin_title_level_toggle(session: &Session) -> Result<Option<Uuid>, StoreError> {
    let sql = crate::statements::circulation::BEGIN_TITLE_LEVEL_TOGGLE;
    Ok(session.find(sql, &[]).await?.map(|row| row.get(0)))
}

/// Numbers the queues of titles, or those of items, anew, and notes in the record of the switching that it is done.
///
/// # Errors
/// [`StoreError`]; nothing is changed then.
pub async fn renumber_queues(
    session: &Session,
    toggle: Uuid,
    of_titles: bool,
    at: &str,
) -> Result<(), StoreError> {
    let stamp = serde_json::json!({"updatedDate": at});
    let sql = "UPDATE tlr_feature_toggle_job
               SET doc = doc || jsonb_build_object('status', 'done', 'numberOfUpdatedRequests', renumber_queues($2, $3))
               WHERE id = $1";
    session.execute(sql, &[&toggle, &of_titles, &stamp]).await?;
    Ok(())
}

/// Notes why a switching could not be followed.
///
/// # Errors
/// [`StoreError`].
pub async fn fail_title_level_toggle(
    session: &Session,
    toggle: Uuid,
    error: &str,
) -> Result<(), StoreError> {
    let failed = serde_json::json!({"status": "failed", "errors": [error]});
    let sql = "UPDATE tlr_feature_toggle_job SET doc = doc || $2 WHERE id = $1";
    session.execute(sql, &[&toggle, &failed]).await?;
    Ok(())
}
