//! Facts of a healthy installation, for the tests of the checks.

use std::{collections::BTreeMap, time::Duration};

use jiff::{SignedDuration, Timestamp};

use crate::doctor::{
    facts::{Server, Setting, Surroundings},
    finding::{Finding, Level},
};

const GIB: u64 = 1 << 30;

pub fn server() -> Server {
    let settings = [
        ("autovacuum", "on", None),
        ("fsync", "on", None),
        ("full_page_writes", "on", None),
        ("max_connections", "110", None),
        ("shared_buffers", "262144", Some("8kB")),
        ("superuser_reserved_connections", "3", None),
        ("synchronous_commit", "on", None),
        ("track_counts", "on", None),
        ("work_mem", "8192", Some("kB")),
        ("zero_damaged_pages", "off", None),
    ];
    let settings = settings.map(|(name, value, unit)| {
        let unit = unit.map(str::to_owned);
        (name.to_owned(), Setting { value: value.to_owned(), unit })
    });
    Server {
        version: "15.18".to_owned(),
        settings: BTreeMap::from(settings),
        counting_since: Timestamp::UNIX_EPOCH,
        clock_ahead: SignedDuration::ZERO,
        bytes: GIB,
        transaction_age: 1_000,
        connections: 5,
        forgotten: 0,
        longest_transaction: Duration::ZERO,
        prepared: 0,
        has_system: true,
        tenants: 2,
        statement_statistics: Some("public".to_owned()),
    }
}

/// A healthy server, except for one setting.
pub fn with(name: &str, value: &str) -> Server {
    let mut server = server();
    if let Some(setting) = server.settings.get_mut(name) {
        value.clone_into(&mut setting.value);
    }
    server
}

/// A machine of 8 GB.
pub fn around() -> Surroundings {
    Surroundings { memory: Some(8 * GIB), connections_of_a_tenant: 20, disk: None }
}

/// The worst level, and the text of all findings.
pub(crate) fn worst_and_text(findings: &[Finding]) -> (Level, String) {
    let worst = findings.iter().map(|finding| finding.level).max();
    let texts: Vec<String> = findings.iter().map(|finding| format!("{finding:?}")).collect();
    (worst.unwrap_or(Level::Skip), texts.join("\n"))
}
