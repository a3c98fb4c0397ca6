//! Records the plan of every statement that runs on a test's database, including those inside functions and triggers:
//! PostgreSQL's module auto_explain writes them to the server's log, and this reads them there.

use std::{
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::PathBuf,
};

use serde_json::Value;

use crate::{Library, server::Server};

/// A planned statement.
#[derive(Debug, Clone)]
pub struct Planned {
    pub sql: String,
    /// The root of its plan, as in `EXPLAIN (FORMAT JSON)`.
    pub plan: Value,
}

/// How PostgreSQL plans from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planning {
    /// By default: with the values at first.
    Usual,
    /// Without the values, as it plans frequent statements.
    Generic,
}

/// Reads the plans of one database. While it exists, no other database of the process may be explained.
pub struct PlanLog {
    path: PathBuf,
    read: u64,
}

impl Library {
    /// Records the plans of all statements from now on. Closes open connections.
    ///
    /// # Panics
    /// If the server has no auto_explain.
    pub async fn explain_everything(&self, planning: Planning) -> PlanLog {
        let database = &self.app.database;
        let mode = match planning {
            Planning::Usual => "auto",
            Planning::Generic => "force_generic_plan",
        };
        let settings = [
            ("session_preload_libraries", "auto_explain"),
            ("auto_explain.log_min_duration", "0"),
            ("auto_explain.log_nested_statements", "on"),
            ("auto_explain.log_format", "json"),
            ("plan_cache_mode", mode),
        ];
        let set = |(name, value)| {
            format!("EXECUTE format('ALTER DATABASE %I SET {name} = ''{value}''', current_database());")
        };
        let sql: String = settings.into_iter().map(set).collect();
        let session = database.session("public").expect("a session");
        session.batch(&format!("LOAD 'auto_explain'; DO $$ BEGIN {sql} END $$")).await.expect("auto_explain");
        for tenant in self.app.all_tenants() {
            database.forget(&tenant.schema);
        }
        database.forget(store::db::SYSTEM_SCHEMA);
        database.forget("public");
        let path = Server::get().await.log();
        let read = path.metadata().map_or(0, |file| file.len());
        PlanLog { path, read }
    }
}

impl PlanLog {
    /// The plans since the last call.
    ///
    /// # Panics
    /// If the log cannot be read.
    pub fn take(&mut self) -> Vec<Planned> {
        let length = self.path.metadata().map_or(0, |file| file.len());
        let mut text = Vec::new();
        if length < self.read {
            // The log was full and has been rotated.
            self.append(&self.path.with_extension("log.1"), &mut text);
            self.read = 0;
        }
        let path = self.path.clone();
        self.append(&path, &mut text);
        self.read = length;
        entries(&String::from_utf8_lossy(&text))
    }

    fn append(&self, path: &PathBuf, text: &mut Vec<u8>) {
        let mut file = File::open(path).expect("the server's log");
        file.seek(SeekFrom::Start(self.read)).expect("its place");
        file.read_to_end(text).expect("its text");
    }
}

/// An entry is a line that ends with `plan:`, followed by the lines of the plan, indented by tabs.
fn entries(log: &str) -> Vec<Planned> {
    let mut found = Vec::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        if !line.ends_with("plan:") {
            continue;
        }
        let mut text = String::new();
        while let Some(line) = lines.next_if(|line| line.starts_with('\t')) {
            text.push_str(line);
            text.push('\n');
        }
        let mut entry: Value = serde_json::from_str(&text).unwrap_or_default();
        if let Some(sql) = entry["Query Text"].as_str() {
            let sql = sql.to_owned();
            let plan = entry["Plan"].take();
            found.push(Planned { sql, plan });
        }
    }
    found
}
