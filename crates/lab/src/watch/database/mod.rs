//! PostgreSQL's own statistics, read over a separate connection.
//!
//! - [`connect`]: the connection.
//! - [`statements`]: the time of each statement, from `pg_stat_statements`.
//!
//! The lab's own statements (one a second, and a few each ten seconds) add to PostgreSQL's count of commits and are
//! subtracted.

pub mod connect;
mod statements;

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use tokio_postgres::{Client, Row};

use super::{Growth, Notes, Reading, Readings, Sampler};
use connect::Address;
use statements::Statements;

/// Longer readings are abandoned.
const PATIENCE: Duration = Duration::from_secs(10);
/// Statements are compared at the third reading and then at every tenth: reading all of them has a cost.
const FIRST_COMPARED: u64 = 3;
const COMPARED_EACH: u64 = 10;

const COUNTERS: &str = "SELECT /* carrel lab */ \
    (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend' \
       AND pid <> pg_backend_pid())::float8, \
    (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' \
       AND pid <> pg_backend_pid())::float8, \
    blks_hit::float8, blks_read::float8, temp_files::float8, temp_bytes::float8, deadlocks::float8, \
    xact_commit::float8, xact_rollback::float8, \
    pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() \
                         ELSE pg_current_wal_insert_lsn() END, '0/0')::float8 \
    FROM pg_stat_database WHERE datname = current_database()";

/// The place behind those counters of the calls of statements, which are counted elsewhere.
const CALLS: usize = 8;

/// The settings shown in reports.
const SETTINGS: &str = "SELECT /* carrel lab */ name, current_setting(name) FROM pg_settings WHERE name IN \
    ('server_version', 'max_connections', 'shared_buffers', 'effective_cache_size', 'work_mem', 'maintenance_work_mem', \
     'wal_level', 'max_wal_size', 'checkpoint_timeout', 'wal_compression', 'synchronous_commit', 'fsync', \
     'full_page_writes', 'random_page_cost', 'jit', 'autovacuum', 'max_parallel_workers_per_gather')";

pub struct Database {
    address: Address,
    open: Option<Open>,
    notes: Notes,
    counters: Growth<9>,
    /// The lab's own statements since the last reading.
    own: f64,
}

/// An open connection and what was read over it.
struct Open {
    client: Client,
    statements: Option<Statements>,
    /// Number of readings.
    readings: u64,
}

impl Database {
    pub fn new(address: Address, notes: Notes) -> Self {
        Self { address, open: None, notes, counters: Growth::default(), own: 0.0 }
    }

    async fn read(&mut self) -> Result<Vec<Reading>, String> {
        if self.open.as_ref().is_none_or(|open| open.client.is_closed()) {
            self.open = Some(self.connect().await?);
        }
        let Some(open) = self.open.as_mut() else {
            return Ok(Vec::new());
        };
        let row = open.client.query_one(COUNTERS, &[]).await.map_err(|error| with_causes(&error))?;
        let now = Instant::now();
        let calls = match &open.statements {
            Some(statements) => Some(statements.calls(&open.client).await?),
            None => None,
        };
        let asked = 1.0 + f64::from(u8::from(calls.is_some()));
        let own = std::mem::replace(&mut self.own, asked);
        open.readings += 1;
        let due = open.readings == FIRST_COMPARED || open.readings.is_multiple_of(COMPARED_EACH);
        if due && let Some(statements) = &open.statements {
            let found = statements.compare(&open.client).await?;
            self.own += 2.0;
            self.notes.change(|notes| notes.statements = found);
        }
        Ok(self.readings(&row, calls, own, now))
    }

    async fn connect(&self) -> Result<Open, String> {
        let client = self.address.connect().await?;
        let rows = client.query(SETTINGS, &[]).await.map_err(|error| with_causes(&error))?;
        let settings: BTreeMap<String, String> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        self.notes.change(|notes| notes.postgres = settings);
        let statements = match Statements::open(&client).await {
            Ok(statements) => Some(statements),
            Err(why) => {
                self.notes.warn(format!("statements are not counted: {why}"));
                None
            }
        };
        Ok(Open { client, statements, readings: 0 })
    }

    fn readings(&mut self, row: &Row, calls: Option<f64>, own: f64, now: Instant) -> Vec<Reading> {
        let mut readings = vec![
            Reading::new("database_connections", "connections", row.get(0)),
            Reading::new("database_active_connections", "connections", row.get(1)),
        ];
        let counters = std::array::from_fn(|at| match at {
            CALLS => calls.unwrap_or(0.0),
            _ => row.get(at + 2),
        });
        let Some((grown, seconds)) = self.counters.since(now, counters) else {
            return readings;
        };
        let [hit, read, files, temporary, deadlocks, commits, rollbacks, wal, calls_grown] = grown;
        let commits = (commits - own).max(0.0);
        let transactions = commits + rollbacks;
        if hit + read > 0.0 {
            readings.push(Reading::new("database_cache_hits", "ratio", hit / (hit + read)));
        }
        for (name, unit, value) in [
            ("database_wal", "bytes per second", wal),
            ("database_temporary", "bytes per second", temporary),
            ("database_temporary_files", "per second", files),
            ("database_deadlocks", "per second", deadlocks),
            ("database_commits", "per second", commits),
            ("database_rollbacks", "per second", rollbacks),
        ] {
            readings.push(Reading::new(name, unit, value / seconds));
        }
        if calls.is_some() {
            let statements = (calls_grown - own).max(0.0);
            readings.push(Reading::new("database_statements", "per second", statements / seconds));
            if transactions > 0.0 {
                let each = statements / transactions;
                readings.push(Reading::new("database_statements_per_transaction", "statements", each));
            }
        }
        readings
    }
}

impl Sampler for Database {
    fn sample(&mut self) -> Readings<'_> {
        Box::pin(async {
            let read = tokio::time::timeout(PATIENCE, self.read()).await;
            let read = read.unwrap_or_else(|_| Err(format!("no answer within {} seconds", PATIENCE.as_secs())));
            read.unwrap_or_else(|why| {
                self.open = None;
                self.notes.warn(format!("the database at {} could not be watched: {why}", self.address.place()));
                Vec::new()
            })
        })
    }
}

/// An error with its causes.
fn with_causes(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(refusal) => refusal.message().to_owned(),
        None => {
            let cause = std::error::Error::source(error).map(ToString::to_string);
            cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
        }
    }
}
