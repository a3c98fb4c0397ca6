//! Diagnoses an installation: `carrel doctor`.
//!
//! [`gather`] reads facts from the database and the machine and changes nothing. The [`checks`] are pure functions of
//! the [`facts`]; each [`finding`] says what is wrong, why it matters and what to do. A fact that could not be gathered
//! becomes a finding, and the other checks still run.

pub mod checks;
mod columns;
pub mod disk;
pub mod facts;
pub mod finding;
mod gather;
pub mod repair;

use jiff::Timestamp;

use crate::{collection::Collection, db::Database, schema::expected::expected};
use facts::Surroundings;
use finding::{Finding, Level, Report};

/// Runs all checks on `database`.
pub async fn examine(
    database: &Database,
    collections: &[Collection],
    around: &Surroundings,
    clock: &(dyn Fn() -> Timestamp + Sync),
) -> Report {
    let mut findings = Vec::new();
    let gathered = gather::server(database, clock).await;
    match gathered {
        Err(why) => findings.push(unknown("database", &why)),
        Ok(server) => {
            findings.extend(checks::settings::check(&server, around));
            findings.extend(checks::writes::check(&server));
            findings.extend(checks::clock::check(server.clock_ahead));
            findings.extend(checks::connections::check(&server, around));
            findings.extend(checks::housekeeping::server(&server));
            findings.extend(statements(database, &server).await);
            if server.has_system {
                findings.extend(tenants(database, collections, clock(), &server).await);
            } else {
                findings.push(checks::schema::empty());
            }
        }
    }
    findings.extend(checks::disk::check(around.disk.as_ref()));
    Report::new(findings)
}

/// The report when the database cannot be examined: why, and the state of its disk.
pub fn without_database(why: &str, around: &Surroundings) -> Report {
    let silent = Finding::new("database", Level::Fail, "The database cannot be examined");
    let mut findings = vec![silent.because(why)];
    findings.extend(checks::disk::check(around.disk.as_ref()));
    Report::new(findings)
}

async fn statements(database: &Database, server: &facts::Server) -> Vec<Finding> {
    match &server.statement_statistics {
        None => checks::statements::without(server),
        Some(schema) => judged("statements", gather::statements(database, schema).await, checks::statements::check),
    }
}

/// Checks the tenants' schemas.
async fn tenants(
    database: &Database,
    collections: &[Collection],
    now: Timestamp,
    server: &facts::Server,
) -> Vec<Finding> {
    let expected = match expected(collections) {
        Ok(expected) => expected,
        Err(error) => return vec![unknown("schema", &error.to_string())],
    };
    let (tenants, schemas) = match gather::tenants(database).await {
        Ok(found) => found,
        Err(why) => return vec![unknown("schema", &why)],
    };
    let mut findings = checks::schema::check(&tenants, &schemas, &expected);
    let indexes = gather::indexes(database).await;
    let known_for = now.duration_since(server.counting_since).as_hours() / 24;
    findings.extend(judged("indexes", indexes, |found| checks::indexes::check(found, &schemas, &expected, known_for)));
    let constraints = gather::constraints(database).await;
    findings.extend(judged("constraints", constraints, |found| checks::constraints::check(found, &schemas, &expected)));
    let tables = gather::tables(database).await;
    findings.extend(judged("bloat", tables, checks::housekeeping::tables));
    for schema in schemas.iter().filter(|schema| tenants.contains(&schema.tenant)) {
        let counters = gather::counters(database, &schema.tenant).await;
        findings.extend(judged("counters", counters, |found| checks::counters::check(&schema.tenant, found)));
        let disagreements = columns::disagreements(database, collections, &schema.tenant).await;
        findings.extend(judged("columns", disagreements, |found| checks::columns::check(&schema.tenant, found)));
        let listeners = gather::listeners(database, &schema.tenant).await;
        findings.extend(judged("events", listeners, |found| checks::events::check(&schema.tenant, found)));
    }
    findings
}

fn judged<T>(
    check: &'static str,
    gathered: Result<Vec<T>, String>,
    judge: impl FnOnce(&[T]) -> Vec<Finding>,
) -> Vec<Finding> {
    match gathered {
        Ok(found) => judge(&found),
        Err(why) => vec![unknown(check, &why)],
    }
}

/// The finding for a fact that could not be gathered.
fn unknown(check: &'static str, why: &str) -> Finding {
    Finding::new(check, Level::Warn, "This could not be examined").because(why)
}
