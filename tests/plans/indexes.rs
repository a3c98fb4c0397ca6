//! Each write at the desk pays for every index of the tables it changes: an index that no statement uses must go. And whoever deletes
//! a record pays for every reference to its table that no index can look up: each is looked for in all rows.

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

/// References that no index looks up, and why that does.
const WITHOUT_INDEX: [(&str, &str); 9] = [
    ("archival_building_location_fkey", "a row for each building"),
    ("archival_circulation_instance_type_fkey", "a row for each repository"),
    ("archival_circulation_loan_type_fkey", "a row for each repository"),
    ("archival_circulation_location_fkey", "a row for each repository"),
    ("archival_circulation_material_type_fkey", "a row for each repository"),
    ("archival_circulation_source_fkey", "a row for each repository"),
    ("archival_holdings_location_fkey", "locations are deleted one at a time"),
    ("authority_link_rule_fkey", "rules are not deleted"),
    ("event_interest_subscriber_fkey", "a row for each program that listens"),
];

/// The other references that no index looks up. The kind of what is referred to, beside its number, chooses nothing.
pub async fn without_index(filled: &Filled) -> Vec<String> {
    let sql = "SELECT c.conname::text FROM pg_constraint c
               WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND NOT EXISTS (
                 SELECT FROM pg_index i
                 CROSS JOIN LATERAL generate_series(1, cardinality(c.conkey)) AS l (many)
                 CROSS JOIN LATERAL (SELECT (i.indkey::int2[])[0:l.many - 1] AS columns) k
                 WHERE i.indrelid = c.conrelid AND k.columns <@ c.conkey AND ARRAY(
                   SELECT a.attnum FROM pg_attribute a
                   WHERE a.attrelid = c.conrelid AND a.attnum = ANY (c.conkey) AND a.attname !~ 'kind$') <@ k.columns)
               ORDER BY 1";
    let found: Vec<String> = filled.session().values(sql, &[]).await.expect("references");
    for (name, _) in WITHOUT_INDEX {
        assert!(found.iter().any(|reference| reference == name), "{name} has an index");
    }
    let allowed = |name: &str| WITHOUT_INDEX.iter().any(|(known, _)| *known == name);
    found.into_iter().filter(|name| !allowed(name)).collect()
}
