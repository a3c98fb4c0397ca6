//! What is known of an installation: the input of every check.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use jiff::{SignedDuration, Timestamp};

/// What is around the database.
#[derive(Debug, Clone, PartialEq)]
pub struct Surroundings {
    /// Bytes of memory of the machine the database runs on, if it is this one.
    pub memory: Option<u64>,
    /// Connections that Carrel opens for one tenant at most.
    pub connections_of_a_tenant: usize,
    /// The disk of the database, if it is on this machine.
    pub disk: Option<Disk>,
}

/// A disk.
#[derive(Debug, Clone, PartialEq)]
pub struct Disk {
    /// Where the data is.
    pub path: PathBuf,
    /// Bytes free.
    pub free: u64,
    /// Bytes in all.
    pub size: u64,
    /// How long it takes to write a page so that it outlives the machine: the median. Why not, if that failed.
    pub sync: Result<Duration, String>,
}

/// The database server.
#[derive(Debug, Clone, PartialEq)]
pub struct Server {
    /// As it writes it: `15.18`.
    pub version: String,
    /// By name.
    pub settings: BTreeMap<String, Setting>,
    /// Since when its statistics count.
    pub counting_since: Timestamp,
    /// How far its clock is ahead of this machine's; negative when it is behind.
    pub clock_ahead: SignedDuration,
    /// Bytes of the database.
    pub bytes: u64,
    /// Age of the oldest row's transaction number.
    pub transaction_age: u64,
    /// Connections of clients.
    pub connections: u64,
    /// Transactions that nobody has gone on with for five minutes.
    pub forgotten: u64,
    /// Age of the oldest transaction of a client.
    pub longest_transaction: Duration,
    /// Prepared transactions that are older than an hour.
    pub prepared: u64,
    /// Whether Carrel has started on this database before.
    pub has_system: bool,
    /// Tenants there are.
    pub tenants: u64,
    /// The schema of `pg_stat_statements`, where it is installed.
    pub statement_statistics: Option<String>,
}

impl Server {
    /// A setting as it was read; empty when the server does not know it.
    #[must_use]
    pub fn setting(&self, name: &str) -> &str {
        self.settings.get(name).map_or("", |setting| &setting.value)
    }

    /// A setting that is a number, in bytes where it has a unit of memory.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.settings.get(name)?.number()
    }
}

/// A setting of the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// Its value.
    pub value: String,
    /// What it counts: `8kB`, `ms`.
    pub unit: Option<String>,
}

impl Setting {
    /// Its number, in bytes where it has a unit of memory; none when it has none, or a negative one.
    #[must_use]
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

/// A schema that looks like a tenant's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schema {
    /// Id of the tenant it would be of.
    pub tenant: String,
    /// Version and checksum of what was applied to it; none when it keeps no history.
    pub history: Option<Vec<(i32, String)>>,
}

impl Schema {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        crate::tenants::schema_name(&self.tenant)
    }
}

/// An index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Its schema.
    pub schema: String,
    /// Its table.
    pub table: String,
    /// Its name.
    pub name: String,
    /// Whether it can be used.
    pub valid: bool,
    /// Whether it keeps something unique.
    pub unique: bool,
    /// How often it was used.
    pub scans: u64,
    /// Its size.
    pub bytes: u64,
}

/// A constraint or a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its schema.
    pub schema: String,
    /// Its table.
    pub table: String,
    /// Its name.
    pub name: String,
    /// Whether it is a trigger.
    pub trigger: bool,
    /// Whether it holds for every row.
    pub in_force: bool,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Rows, about.
    pub live: u64,
    /// Rows that were changed or deleted and still take up space, about.
    pub dead: u64,
    /// Whether it was ever tidied.
    pub vacuumed: bool,
    /// Whether its rows were ever counted for the planner.
    pub analyzed: bool,
    /// Bytes, indexes included.
    pub bytes: u64,
}

/// A statement that runs again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Its text, values left out.
    pub text: String,
    /// How often it ran.
    pub calls: u64,
    /// Mean time, in milliseconds.
    pub mean_ms: f64,
    /// Rows for each call.
    pub rows_each: f64,
}

/// The counters of a patron that are not what the records say: kept, and counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Miscount {
    /// The patron.
    pub patron: String,
    /// Open loans.
    pub open_loans: (i64, i64),
    /// Items they claim to have returned.
    pub claimed_returned: (i64, i64),
    /// Items that are lost.
    pub lost_items: (i64, i64),
    /// What they owe.
    pub fee_balance: (String, String),
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
            let setting = Setting {
                value: value.to_owned(),
                unit: unit.map(str::to_owned),
            };
            assert_eq!(setting.number(), number, "{value} {unit:?}");
        }
    }
}

/// Who listens to a tenant's events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listener {
    /// The module, or Kafka.
    pub name: String,
    /// It gets no more events.
    pub broken: bool,
    /// How often it could not be reached since it was last.
    pub failures: u64,
    /// Events that wait for it.
    pub waiting: u64,
    /// Events that it refused for good.
    pub dead: u64,
    /// What went wrong last.
    pub error: Option<String>,
}
