//! Tells in the log how far the update of a large library is.

use std::{collections::HashMap, time::Instant};

use super::declared::Step;
use crate::{db::Transaction, error::StoreError};

/// Fewer rows take no time to speak of.
const WORTH_TELLING: i64 = 10_000;
/// Smaller tables need no statistics, in bytes.
const LARGE: i64 = 1 << 20;

/// The update of one library.
pub(super) struct Progress {
    schema: String,
    /// Estimated rows of each large table.
    rows: HashMap<String, i64>,
    began: Instant,
    told: bool,
}

impl Progress {
    pub(super) async fn of(transaction: &Transaction, schema: &str) -> Result<Self, StoreError> {
        let sql = "SELECT relname::text AS name, reltuples::bigint AS rows FROM pg_class
                   WHERE relnamespace = $1::text::regnamespace AND relkind = 'r' AND reltuples >= $2::bigint";
        let found = transaction.query(sql, &[&schema, &WORTH_TELLING]).await?;
        let rows = found.iter().map(|row| (row.get("name"), row.get("rows"))).collect();
        Ok(Self { schema: schema.to_owned(), rows, began: Instant::now(), told: false })
    }

    /// Whether the table of the step is large.
    pub(super) fn is_slow(&self, step: &Step) -> bool {
        self.rows.contains_key(step.table)
    }

    /// A step on one table begins, which makes this.
    pub(super) fn table(&mut self, table: &str, makes: &str) {
        if let Some(rows) = self.rows.get(table) {
            tracing::info!(library = self.library(), table, rows, "updating the library: {makes}");
            self.told = true;
        }
    }

    /// A step on the whole library begins.
    pub(super) fn step(&mut self, name: &str) {
        if self.is_large() {
            let rows = self.rows.values().sum::<i64>();
            tracing::info!(library = self.library(), rows, "updating the library: {name}");
            self.told = true;
        }
    }

    /// Collects statistics, which a new or rewritten column has none of: PostgreSQL does so by itself only after changes of
    /// a tenth of the rows.
    pub(super) async fn end(&self, transaction: &Transaction) -> Result<(), StoreError> {
        if self.told {
            let sql = "SELECT string_agg(oid::regclass::text, ', ') AS tables FROM pg_class
                       WHERE relnamespace = $1::text::regnamespace AND relkind = 'r' AND pg_relation_size(oid) > $2::bigint";
            let found = transaction.query(sql, &[&self.schema, &LARGE]).await?;
            if let Some(tables) = found.first().and_then(|row| row.get::<_, Option<String>>("tables")) {
                tracing::info!(library = self.library(), "updating the library: statistics");
                transaction.batch(&format!("ANALYZE {tables}")).await?;
            }
            let seconds = self.began.elapsed().as_secs();
            tracing::info!(library = self.library(), seconds, "the library is up to date");
        }
        Ok(())
    }

    fn is_large(&self) -> bool {
        !self.rows.is_empty()
    }

    fn library(&self) -> &str {
        self.schema.strip_prefix("t_").unwrap_or(&self.schema)
    }
}
