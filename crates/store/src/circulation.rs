//! Statements of circulation that go beyond plain records: the rules text, settings by name, anonymization, patron
//! sessions, print events, request expiry.

use std::collections::HashSet;

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::{Session, StoreError};

/// The circulation rules record as JSON text, `None` if the tenant has none yet, and the stamp of the near-static records.
pub async fn rules(session: &Session) -> Result<(Uuid, Option<String>), StoreError> {
    let sql = "SELECT (SELECT stamp FROM snapshot_stamp) AS stamp,
                      (SELECT doc::text FROM circulation_rules ORDER BY seq LIMIT 1) AS rules";
    let row = session.get(sql, &[]).await?;
    Ok((row.get("stamp"), row.get("rules")))
}

pub async fn save_rules(session: &Session, text: &str, metadata: &Value) -> Result<(), StoreError> {
    let sql = crate::statements::circulation::SAVE_RULES;
    session.execute(sql, &[&text, metadata]).await?;
    Ok(())
}

/// All policies, as (letter of the kind, id).
pub async fn policy_ids(session: &Session) -> Result<HashSet<(char, Uuid)>, StoreError> {
    let sql = crate::statements::circulation::POLICY_IDS;
    let rows = session.query(sql, &[]).await?;
    let letter = |text: &str| text.chars().next().unwrap_or_default();
    Ok(rows.iter().map(|row| (letter(row.get("letter")), row.get("id"))).collect())
}

/// Saves a setting by its name; returns its id and the stored record.
pub async fn save_setting(session: &Session, id: Uuid, setting: &Value) -> Result<(Uuid, String), StoreError> {
    let sql = crate::statements::circulation::SAVE_SETTING;
    let row = session.get(sql, &[&id, setting]).await?;
    Ok((row.get("id"), row.get("record")))
}

/// The borrower's closed loans, at most five thousand, each with whether it has fees or fines.
pub async fn closed_loans_of(session: &Session, user: Uuid) -> Result<Vec<(Uuid, bool)>, StoreError> {
    let sql = crate::statements::circulation::CLOSED_LOANS_OF_USER;
    let rows = session.query(sql, &[&user]).await?;
    Ok(rows.iter().map(|row| (row.get("id"), row.get("has_fees"))).collect())
}

/// Removes the borrower from those of the loans that are closed, and from their history; returns the ids of the changed
/// loans.
pub async fn anonymize_loans(session: &Session, loans: &[Uuid]) -> Result<Vec<Uuid>, StoreError> {
    session.value("SELECT anonymize_loans($1)", &[&loans]).await
}

/// Removes a borrower from all closed loans.
pub async fn anonymize_loans_of(session: &Session, user: Uuid) -> Result<(), StoreError> {
    let sql = "SELECT anonymize_loans(array_agg(id)) FROM loan WHERE userid = $1 AND status_name = 'Closed'";
    session.query(sql, &[&user]).await?;
    Ok(())
}

/// Patrons whose last action at the desk was before `limit` (an instant in stored form), as JSON text.
pub async fn expired_sessions(
    session: &Session,
    action: Option<&str>,
    limit: &str,
    at_most: i64,
) -> Result<String, StoreError> {
    let sql = crate::statements::circulation::EXPIRED_SESSIONS;
    session.value(sql, &[&action, &limit, &at_most]).await
}

/// A client's lock on a patron.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lock {
    pub id: Uuid,
    pub user: Uuid,
    pub created: Timestamp,
}

/// Takes the lock on a patron until `end`; `None` if another client holds it. A lock taken at or before `stale` has
/// ended, whatever its end.
pub async fn take_lock(
    session: &Session,
    user: Uuid,
    now: Timestamp,
    end: Timestamp,
    stale: Timestamp,
) -> Result<Option<Lock>, StoreError> {
    let sql = crate::statements::circulation::TAKE_LOCK;
    let row = session.find(sql, &[&Uuid::new_v4(), &user, &now, &end, &stale]).await?;
    Ok(row.map(|row| Lock { id: row.get("id"), user, created: now }))
}

/// The current lock on a patron.
pub async fn lock_of(session: &Session, user: Uuid, now: Timestamp) -> Result<Option<Lock>, StoreError> {
    let sql = "SELECT id, created FROM check_out_lock WHERE user_id = $1 AND expires > $2";
    let row = session.find(sql, &[&user, &now]).await?;
    Ok(row.map(|row| Lock { id: row.get("id"), user, created: row.get("created") }))
}

pub async fn lock(session: &Session, id: Uuid) -> Result<Option<Lock>, StoreError> {
    let sql = "SELECT user_id, created FROM check_out_lock WHERE id = $1";
    let row = session.find(sql, &[&id]).await?;
    Ok(row.map(|row| Lock { id, user: row.get("user_id"), created: row.get("created") }))
}

/// Releases a lock; returns false if it does not exist.
pub async fn release_lock(session: &Session, id: Uuid) -> Result<bool, StoreError> {
    Ok(session.execute("DELETE FROM check_out_lock WHERE id = $1", &[&id]).await? > 0)
}

/// Changes several requests, all or none; those that do not exist are left out.
///
/// # Errors
/// [`StoreError::Duplicate`] if two would have the same position in a queue.
pub async fn replace_requests(session: &Session, requests: &[Value]) -> Result<(), StoreError> {
    let sql = crate::statements::circulation::REPLACE_REQUESTS;
    session.execute(sql, &[&requests]).await?;
    Ok(())
}

/// Deletes the session records of patrons at the desk; `ended` lists `{patron, action}`, where no action means both.
pub async fn end_sessions(session: &Session, ended: &Value) -> Result<(), StoreError> {
    session.execute("SELECT end_sessions($1)", &[ended]).await?;
    Ok(())
}

/// Ends sessions without action since `before`, in stored form; returns the number of patrons concerned.
pub async fn end_idle_sessions(session: &Session, before: &str) -> Result<i64, StoreError> {
    session.value("SELECT end_idle_sessions($1)", &[&before]).await
}

/// What a patron has on loan and owes, with the version of the configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct PatronStanding {
    pub version: i64,
    pub group: Option<Uuid>,
    /// The counters behind blocks.
    pub standing: Value,
}

/// The data that determine a patron's blocks; `None` for an unknown patron. `now` is in stored form.
pub async fn patron_standing(session: &Session, patron: Uuid, now: &str) -> Result<Option<PatronStanding>, StoreError> {
    let sql = crate::statements::circulation::PATRON_STANDING;
    let row = session.find(sql, &[&patron, &now]).await?;
    Ok(row.map(|row| PatronStanding {
        version: row.get("version"),
        group: row.get("patron_group"),
        standing: row.get("standing"),
    }))
}

/// A patron's open loans and debts as JSON text; `None` if there are none.
pub async fn user_summary(session: &Session, patron: Uuid) -> Result<Option<String>, StoreError> {
    let sql = crate::statements::circulation::USER_SUMMARY;
    session.find_value(sql, &[&patron]).await
}

/// The printing of slips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PrintEvent {
    pub requests: Vec<Uuid>,
    /// Id of the staff member who printed.
    pub requester: Uuid,
    /// Name of that staff member.
    pub requester_name: String,
    /// In stored form.
    pub printed: String,
}

/// Records that slips were printed and, on each request, how often and by whom last.
pub async fn save_print_event(session: &Session, event: &PrintEvent) -> Result<(), StoreError> {
    let sql = crate::statements::circulation::SAVE_PRINT_EVENT;
    let name = &event.requester_name;
    session.execute(sql, &[&event.requests, &event.requester, name, &event.printed]).await?;
    Ok(())
}

/// How often slips of these requests were printed, as JSON text.
pub async fn print_status(session: &Session, requests: &[Uuid]) -> Result<String, StoreError> {
    let sql = crate::statements::circulation::PRINT_STATUS;
    session.value(sql, &[&requests]).await
}

/// The print log's settings as a JSON list, and how many of these requests exist.
pub async fn print_check(session: &Session, requests: &[Uuid]) -> Result<(String, i64), StoreError> {
    let sql = crate::statements::circulation::PRINT_CHECK;
    let row = session.get(sql, &[&requests]).await?;
    Ok((row.get("settings"), row.get("requests")))
}

pub async fn delete_loans(session: &Session) -> Result<(), StoreError> {
    session.execute("TRUNCATE loan", &[]).await?;
    Ok(())
}

/// Titles whose requests expire in one transaction: few enough that the desk never waits long for one of them.
const EXPIRING_TITLES: i32 = 500;

/// Closes the requests expired `at` a time in stored form, and closes the gaps in their queues (by title or by item);
/// returns the number of closed requests. One round trip, plus one per five hundred titles.
///
/// # Errors
/// [`StoreError`]; batches already committed stay expired.
pub async fn expire_requests(session: &Session, at: &str, of_titles: bool) -> Result<i64, StoreError> {
    let stamp = serde_json::json!({"updatedDate": at});
    let sql = "SELECT closed, last_title FROM expire_requests($1, $2, $3, $4, $5)";
    let (mut total, mut last) = (0, Some(Uuid::nil()));
    while let Some(after) = last {
        let row = session.get(sql, &[&at, &of_titles, &stamp, &after, &EXPIRING_TITLES]).await?;
        total += row.get::<_, i64>("closed");
        last = row.get("last_title");
    }
    Ok(total)
}

/// Removes the patrons from a closed request. Returns its status; `None` if it does not exist.
pub async fn anonymize_request(session: &Session, id: Uuid, at: &str) -> Result<Option<String>, StoreError> {
    let stamp = serde_json::json!({"updatedDate": at});
    session.value("SELECT anonymize_request($1, $2)", &[&id, &stamp]).await
}

/// Enters the job that renumbers queues if a switch of title-level requests is pending.
pub async fn start_title_level_toggle(session: &Session, kind: &str) -> Result<(), StoreError> {
    let sql = "SELECT enqueue_job($1, '{}', NULL, $1)
               WHERE EXISTS (SELECT FROM tlr_feature_toggle_job WHERE doc->>'status' = 'open')";
    session.query(sql, &[&kind]).await?;
    Ok(())
}

/// Starts the last requested switch; returns its id.
pub async fn begin_title_level_toggle(session: &Session) -> Result<Option<Uuid>, StoreError> {
    let sql = crate::statements::circulation::BEGIN_TITLE_LEVEL_TOGGLE;
    session.find_value(sql, &[]).await
}

/// Renumbers all queues by title or by item, and records that the switch is done.
pub async fn renumber_queues(session: &Session, toggle: Uuid, of_titles: bool, at: &str) -> Result<(), StoreError> {
    let stamp = serde_json::json!({"updatedDate": at});
    let sql = "UPDATE tlr_feature_toggle_job
               SET doc = doc || jsonb_build_object('status', 'done', 'numberOfUpdatedRequests', renumber_queues($2, $3))
               WHERE id = $1";
    session.execute(sql, &[&toggle, &of_titles, &stamp]).await?;
    Ok(())
}

/// Records why a switch failed.
pub async fn fail_title_level_toggle(session: &Session, toggle: Uuid, error: &str) -> Result<(), StoreError> {
    let failed = serde_json::json!({"status": "failed", "errors": [error]});
    let sql = "UPDATE tlr_feature_toggle_job SET doc = doc || $2 WHERE id = $1";
    session.execute(sql, &[&toggle, &failed]).await?;
    Ok(())
}
