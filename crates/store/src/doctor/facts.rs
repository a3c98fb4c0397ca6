//! The facts about an installation: the input of every check.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use jiff::{SignedDuration, Timestamp};

/// Facts from outside the database.
#[derive(Debug, Clone, PartialEq)]
pub struct Surroundings {
    /// Memory in bytes of the database's machine, if it is this one.
    pub memory: Option<u64>,
    /// Maximum number of connections that Carrel opens per tenant.
    pub connections_of_a_tenant: usize,
    /// The database's disk, if it is on this machine.
    pub disk: Option<Disk>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Disk {
    /// The data directory.
    pub path: PathBuf,
    /// In bytes.
    pub free: u64,
    /// In bytes.
    pub size: u64,
    /// Median time to write a page durably, or why it could not be measured.
    pub sync: Result<Duration, String>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    /// In PostgreSQL's own form: `15.18`.
    pub version: String,
    pub settings: BTreeMap<String, Setting>,
    /// Start of its statistics.
    pub counting_since: Timestamp,
    /// How far its clock is ahead of this machine's; negative if behind.
    pub clock_ahead: SignedDuration,
    /// Size of the database.
    pub bytes: u64,
    /// Age of the oldest row, in transactions.
    pub transaction_age: u64,
    pub connections: u64,
    /// Transactions idle for more than five minutes.
    pub forgotten: u64,
    /// Age of the oldest client transaction.
    pub longest_transaction: Duration,
    /// Prepared transactions older than an hour.
    pub prepared: u64,
    /// Whether Carrel has ever started on this database.
    pub has_system: bool,
    pub tenants: u64,
    /// The schema of `pg_stat_statements`, if installed.
    pub statement_statistics: Option<String>,
}

impl Server {
    /// A setting's value; empty if the server does not know it.
    pub fn setting(&self, name: &str) -> &str {
        self.settings.get(name).map_or("", |setting| &setting.value)
    }

    /// A numeric setting; memory sizes are in bytes.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.settings.get(name)?.number()
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub value: String,
    /// Its unit: `8kB`, `ms`.
    pub unit: Option<String>,
}

impl Setting {
    /// The numeric value, in bytes for a memory size; `None` for text and negative numbers.
    pub fn number(&self) -> Option<u64> {
        let number: u64 = self.value.parse().ok()?;
        let factor = match self.unit.as_deref() {
            Some("8kB") => 8 << 10,
            Some("kB") => 1 << 10,
            Some("MB") => 1 << 20,
            _ => 1,
        };
        number.checked_mul(factor)
    }
}

/// A schema named like a tenant's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// The tenant id in its name.
    pub tenant: String,
    /// Version and checksum of the applied migrations; `None` if the schema keeps no history.
    pub history: Option<Vec<(i32, String)>>,
}

impl Schema {
    pub fn name(&self) -> String {
        crate::tenants::schema_name(&self.tenant)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    pub schema: String,
    pub table: String,
    pub name: String,
    /// Whether PostgreSQL can use it.
    pub valid: bool,
    /// Whether it enforces uniqueness.
    pub unique: bool,
    /// Number of uses.
    pub scans: u64,
    pub bytes: u64,
}

/// A constraint or a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    pub schema: String,
    pub table: String,
    pub name: String,
    /// Whether it is a trigger.
    pub trigger: bool,
    /// Whether it is enabled and validated for all rows.
    pub in_force: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub schema: String,
    pub name: String,
    /// Estimated number of live rows.
    pub live: u64,
    /// Estimated number of dead rows not yet vacuumed.
    pub dead: u64,
    /// Whether it was ever vacuumed.
    pub vacuumed: bool,
    /// Whether the planner has statistics.
    pub analyzed: bool,
    /// Size, including indexes.
    pub bytes: u64,
}

/// A statement in `pg_stat_statements`.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Text without values.
    pub text: String,
    pub calls: u64,
    pub mean_ms: f64,
    /// Rows per call.
    pub rows_each: f64,
}

/// A patron whose counters disagree with the records. Each pair is (stored, recounted).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Miscount {
    pub patron: String,
    pub open_loans: (i64, i64),
    pub claimed_returned: (i64, i64),
    pub lost_items: (i64, i64),
    pub fee_balance: (String, String),
}

/// Rows that disagree with what is kept beside them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Disagreement {
    pub table: String,
    /// What is wrong with the rows, such as `do not agree with the record`.
    pub what: String,
    /// Number of rows found.
    pub rows: u64,
    /// The id of one of them.
    pub example: String,
    pub cure: Cure,
}

/// What mends a [`Disagreement`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cure {
    /// The doctor derives it from the record again.
    Derive,
    /// What is missing is in no other place.
    Restore,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_among_the_settings_are_bytes() {
        for (value, unit, number) in [
            ("16384", Some("8kB"), Some(128 << 20)),
            ("4096", Some("kB"), Some(4 << 20)),
            ("64", Some("MB"), Some(64 << 20)),
            ("100", None, Some(100)),
            ("300", Some("ms"), Some(300)),
            ("-1", Some("kB"), None),
            ("on", None, None),
            ("18446744073709551615", Some("MB"), None),
        ] {
            let setting = Setting { value: value.to_owned(), unit: unit.map(str::to_owned) };
            assert_eq!(setting.number(), number, "{value} {unit:?}");
        }
    }
}

/// A subscriber to a tenant's events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The module, or Kafka.
    pub name: String,
    /// Carrel has given up on it.
    pub broken: bool,
    /// Failed connections since the last success.
    pub failures: u64,
    /// Events waiting for delivery.
    pub waiting: u64,
    /// Events that it refused for good.
    pub dead: u64,
    /// The last error.
    pub error: Option<String>,
}
