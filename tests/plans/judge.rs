//! Finds plans that read a large table from end to end, or a set once for each member of another.

use std::collections::{BTreeMap, HashSet};

use serde_json::Value;
use testkit::{PlanLog, Planned};

use crate::filled::Filled;

/// In rows. There are more than a thousand permissions.
const LARGE: f32 = 1_500.0;

/// Tables with records that modules define: they do not grow with a library.
const DEFINED: [&str; 1] = ["permissions"];

/// Statements that may read a large table from end to end: a piece of their text, the table, and why.
const ALLOWED: &[(&str, &str, &str)] = &[
    ("FROM audit_setting", "audit_setting", "FOLIO's fifteen settings, which do not grow"),
    ("UPDATE audit_setting", "audit_setting", "the same"),
    ("password_reset_action", "password_reset_action", "swept at each use, so it holds a day's actions"),
    ("-- Patrons whose last action", "patron_action_session", "a job over today's sessions; ended ones are deleted"),
    ("-- Deletes deprecated permissions", "permissions_users", "an administrator's clean-up of all holders"),
    (
        "FROM patron_action_session_record r",
        "patron_action_session",
        "only the loans of the last minutes; ended ones are deleted",
    ),
    ("-- Instances changed from", "instance", "a harvest; without a period it asks for everything"),
    ("-- Instances changed from", "holdings_record", "a harvest; without a period it asks for everything"),
    ("-- Instances changed from", "item", "a harvest; without a period it asks for everything"),
    ("-- Instances changed from", "item_state", "a harvest; without a period it asks for everything"),
    ("-- Patrons whose counters disagree", "accounts", "the doctor counts everything again"),
    ("-- Items without a state", "item", "the doctor compares all items with their states"),
    ("-- Items without a state", "item_state", "the doctor compares all items with their states"),
    ("-- Items without a state", "item_uncommon_status", "the doctor compares all items with their states"),
    ("-- Lists the items with an uncommon", "item_state", "the doctor's repair compares all items"),
    ("-- Lists the items with an uncommon", "item_uncommon_status", "the doctor's repair compares all items"),
    ("FROM note r WHERE typeid IN (SELECT id FROM note_type", "note", "the only type there is, which all notes have"),
    ("JOIN unnest(titles)", "request", "a job that locks the queues of very many titles at once"),
    ("scheduled notices due before $1", "scheduled_notice", "a job over what is due, which here is all there is"),
    (
        "walked AS MATERIALIZED",
        "email_statistics",
        "a walk starts only if 30,000 matches are expected, ten times all there are",
    ),
    (
        "AS lent) AS number",
        "loan_history",
        "entries of check-outs and returns that neither a date, an item, a patron nor an id finds are looked for in all",
    ),
    ("AS lent) AS number", "circulation_log", "every entry here has the word that is looked for, and all are counted"),
    ("array_agg(locked.id)", "actual_cost_record", "a batch of five hundred costs, a good part of all"),
];

/// Knows the large tables and collects the findings.
pub struct Judge {
    large: HashSet<String>,
    /// Findings by statement and what it reads.
    scans: BTreeMap<(String, String), String>,
    /// Every statement seen.
    seen: HashSet<String>,
    /// Every index that a plan uses.
    indexes: HashSet<String>,
}

impl Judge {
    pub async fn new(filled: &Filled) -> Self {
        let sql = "SELECT relname::text FROM pg_class WHERE relkind = 'r' AND reltuples > $1
                   AND relnamespace = current_schema()::regnamespace";
        let rows = filled.session().query(sql, &[&LARGE]).await.expect("statistics");
        let mut large: HashSet<String> = rows.iter().map(|row| row.get(0)).collect();
        large.retain(|table| !DEFINED.contains(&table.as_str()));
        for table in ["instance", "item", "users", "loan", "loan_history", "accounts", "request"] {
            assert!(large.contains(table), "{table} is not large: {large:?}");
        }
        Self { large, scans: BTreeMap::new(), seen: HashSet::new(), indexes: HashSet::new() }
    }

    pub fn scans(&self) -> Vec<&str> {
        self.scans.values().map(String::as_str).collect()
    }

    /// The number of different statements.
    pub fn statements(&self) -> usize {
        self.seen.len()
    }

    /// Whether a plan uses the index.
    pub fn uses(&self, index: &str) -> bool {
        self.indexes.contains(index)
    }

    /// Whether one of the statements has all these pieces.
    pub fn has_seen(&self, pieces: &[&str]) -> bool {
        let mut seen = self.seen.iter();
        seen.any(|sql| pieces.iter().all(|piece| sql.contains(piece)))
    }

    /// Checks what was planned since the last call.
    pub fn look(&mut self, log: &mut PlanLog, driven_by: &str) {
        // Statements explained only for an estimate do not run.
        let run = log.take().into_iter().filter(|one| !one.sql.starts_with("EXPLAIN"));
        for statement in run {
            self.judge(&statement, driven_by);
        }
    }

    pub fn judge(&mut self, statement: &Planned, driven_by: &str) {
        let mut found = Vec::new();
        self.find_scans(&statement.plan, None, &mut found);
        found.retain(|table| !allowed(&statement.sql, table));
        if pairs_sets(&statement.plan) && !statement.sql.contains(PLANNED_EACH_TIME) {
            found.push("a set for each member of another".to_owned());
        }
        for table in found {
            let (sql, plan) = (&statement.sql, outline(&statement.plan, 0));
            let finding = format!("{driven_by} reads all of {table}:\n{sql}\n{plan}");
            let key = (sql.clone(), table);
            self.scans.entry(key).or_insert(finding);
        }
        self.seen.insert(statement.sql.clone());
        self.note_indexes(&statement.plan);
    }

    fn note_indexes(&mut self, node: &Value) {
        self.indexes.extend(node["Index Name"].as_str().map(str::to_owned));
        for child in node["Plans"].as_array().into_iter().flatten() {
            self.note_indexes(child);
        }
    }

    fn find_scans(&self, node: &Value, parent: Option<&Value>, found: &mut Vec<String>) {
        let table = node["Relation Name"].as_str().unwrap_or_default();
        if self.large.contains(table) && reads_everything(node, parent) {
            found.push(table.to_owned());
        }
        for child in node["Plans"].as_array().into_iter().flatten() {
            self.find_scans(child, Some(node), found);
        }
    }
}

/// Whether a node scans without an index. Reading the first rows in any order does not count.
fn reads_everything(node: &Value, parent: Option<&Value>) -> bool {
    let first_rows = parent.is_some_and(|parent| parent["Node Type"] == "Limit") && node["Filter"].is_null();
    node["Node Type"] == "Seq Scan" && !first_rows
}

/// What a statement of a function says that is planned for as many rows as there are (EXECUTE): one row may be compared with
/// one.
const PLANNED_EACH_TIME: &str = "-- Planned each time";

/// Whether a plan compares each member of a set that the statement was given with each of another: 3,000 changed loans
/// are nine million pairs.
fn pairs_sets(node: &Value) -> bool {
    let below = || node["Plans"].as_array().into_iter().flatten();
    let pairs = node["Node Type"] == "Nested Loop" && node["Join Filter"].is_string() && below().all(reads_a_set);
    pairs || below().any(pairs_sets)
}

fn reads_a_set(node: &Value) -> bool {
    // A plan does not name several functions that are read side by side: `unnest(docs, befores)`. The rows of a trigger are a
    // set, too, and the first statement, which may have changed one row, decides how those of all others are joined.
    let here = node["Node Type"] == "Named Tuplestore Scan"
        || node["Node Type"] == "Function Scan"
            && (node["Function Name"] == "unnest" || node["Function Name"].is_null());
    here || node["Plans"].as_array().into_iter().flatten().any(reads_a_set)
}

fn allowed(sql: &str, table: &str) -> bool {
    ALLOWED.iter().any(|(piece, of, _)| *of == table && sql.contains(piece))
}

/// The plan in a few lines.
fn outline(node: &Value, depth: usize) -> String {
    let mut line = format!("{}{}", "  ".repeat(depth), node["Node Type"].as_str().unwrap_or_default());
    for member in ["Relation Name", "Index Name", "Index Cond", "Join Filter", "Filter", "Plan Rows", "Subplan Name"] {
        match &node[member] {
            Value::Null => {}
            Value::String(text) => line.push_str(&format!(" | {member}: {text}")),
            value => line.push_str(&format!(" | {member}: {value}")),
        }
    }
    line.push('\n');
    for child in node["Plans"].as_array().into_iter().flatten() {
        line.push_str(&outline(child, depth + 1));
    }
    line
}
