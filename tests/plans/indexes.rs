//! Each write at the desk pays for every index of the tables it changes: an index that no statement uses must go.

use crate::{filled::Filled, judge::Judge};

/// What the desk writes.
const TABLES: [&str; 8] = [
    "loan",
    "loan_history",
    "check_in",
    "patron_action_session",
    "item_state",
    "patron_counters",
    "request",
    "accounts",
];

/// Indexes that no statement here uses, and why they stay.
const ALLOWED: [(&str, &str); 3] = [
    (
        "loan_open_by_due",
        "open loans by due date: PostgreSQL uses it with the value of the status, but not in a generic plan",
    ),
    (
        "patron_action_session_patronid_ref",
        "the table holds the sessions of minutes, and here so few that PostgreSQL reads all",
    ),
    ("request_with_past_requester", "a job that runs only in libraries whose settings anonymize requests"),
];

/// The other indexes of these tables that no plan uses. Unique ones guard what must be unique.
pub async fn unused(filled: &Filled, judge: &Judge) -> Vec<String> {
    let sql = "SELECT i.relname::text AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
               JOIN pg_class t ON t.oid = x.indrelid
               WHERE t.relnamespace = current_schema()::regnamespace AND t.relname = ANY ($1::text[])
                 AND NOT x.indisunique ORDER BY 1";
    let indexes: Vec<String> = filled.session().values(sql, &[&&TABLES[..]]).await.expect("indexes");
    assert!(indexes.len() > 15, "only {indexes:?}");
    let allowed = |index: &str| ALLOWED.iter().any(|(name, _)| *name == index);
    for (name, _) in ALLOWED {
        assert!(indexes.iter().any(|index| index == name), "{name} is not there");
    }
    indexes.into_iter().filter(|index| !judge.uses(index) && !allowed(index)).collect()
}
