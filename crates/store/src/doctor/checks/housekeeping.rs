//! Whether PostgreSQL keeps up with vacuuming, and what prevents it.

use std::time::Duration;

use super::or_ok;
use crate::doctor::{
    facts::{Server, Table},
    finding::{Finding, Level, size},
};

const CHECK: &str = "bloat";
/// Fewer dead rows do no harm.
const MANY: u64 = 10_000;
/// PostgreSQL stops at 2 000 million.
const OLD: u64 = 500_000_000;
const TOO_OLD: u64 = 1_200_000_000;
/// No request lasts this long.
const LONG: Duration = Duration::from_secs(3600);

/// Checks of the whole server.
pub fn server(server: &Server) -> Vec<Finding> {
    let mut findings = Vec::new();
    if server.transaction_age >= OLD {
        let level = if server.transaction_age >= TOO_OLD { Level::Fail } else { Level::Warn };
        let text = format!("Rows of {} million transactions ago were never frozen", server.transaction_age / 1_000_000);
        findings.push(
            Finding::new(CHECK, level, text)
                .because("At 2000 million PostgreSQL refuses every change, to protect the data")
                .sql("VACUUM (FREEZE);"),
        );
    }
    if server.longest_transaction >= LONG {
        let text = format!("A transaction has been open for {} hours", server.longest_transaction.as_secs() / 3600);
        findings.push(
            Finding::new(CHECK, Level::Warn, text)
                .because("Until it ends, no row changed since can be vacuumed")
                .sql("SELECT pid, usename, application_name, xact_start, query FROM pg_stat_activity ORDER BY xact_start LIMIT 1;"),
        );
    }
    if server.prepared > 0 {
        findings.push(
            Finding::new(CHECK, Level::Warn, format!("{} prepared transactions were never finished", server.prepared))
                .because("They hold locks, and no row changed since can be vacuumed")
                .sql("SELECT gid, prepared, owner FROM pg_prepared_xacts;    -- then ROLLBACK PREPARED 'gid';"),
        );
    }
    findings
}

pub fn tables(tables: &[Table]) -> Vec<Finding> {
    let findings = tables.iter().filter_map(|table| dead(table).or_else(|| uncounted(table)));
    or_ok(findings.collect(), || {
        let bytes = tables.iter().map(|table| table.bytes).sum();
        Finding::ok(CHECK, format!("All {} tables ({}) are vacuumed", tables.len(), size(bytes)))
    })
}

fn dead(table: &Table) -> Option<Finding> {
    let Table { schema, name, live, dead, .. } = table;
    let share = *dead as f64 / (live + dead).max(1) as f64;
    if *dead < MANY || share < 0.2 {
        return None;
    }
    let behind = if table.vacuumed { "was vacuumed, but not often enough" } else { "was never vacuumed" };
    let text =
        format!("{:.0} % of the rows of {name} are dead ({dead} of {}); it {behind}", share * 100.0, live + dead);
    let finding = Finding::new(CHECK, Level::Warn, text)
        .because("Every query of the table reads them, too; it takes up more memory and disk than it needs")
        .sql(format!(
            "VACUUM (ANALYZE) {schema}.{name}; ALTER TABLE {schema}.{name} SET (autovacuum_vacuum_scale_factor = 0.02);"
        ))
        .of_schema(schema);
    Some(finding)
}

fn uncounted(table: &Table) -> Option<Finding> {
    let Table { schema, name, live, analyzed, .. } = table;
    (*live >= MANY && !analyzed).then(|| {
        Finding::new(CHECK, Level::Warn, format!("PostgreSQL has no statistics on the {live} rows of {name}"))
            .because("It guesses how to run queries, and may choose a slow way")
            .sql(format!("ANALYZE {schema}.{name};"))
            .of_schema(schema)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    #[test]
    fn many_dead_rows_and_big_unanalyzed_tables_are_reported() {
        for (live, dead, analyzed, level, words) in [
            (1_000_000, 100_000, true, Level::Ok, "All 1 tables"),
            (100_000, 9_999, true, Level::Ok, "All 1 tables"),
            (10, 9_999, true, Level::Ok, "All 1 tables"),
            (40_000, 10_000, true, Level::Warn, "20 % of the rows of loan are dead (10000 of 50000)"),
            (40_001, 10_000, true, Level::Ok, "All 1 tables"),
            (0, 10_000, false, Level::Warn, "VACUUM (ANALYZE) t_a.loan;"),
            (10_000, 0, false, Level::Warn, "ANALYZE t_a.loan;"),
            (9_999, 0, false, Level::Ok, "All 1 tables"),
        ] {
            let table = Table {
                schema: "t_a".to_owned(),
                name: "loan".to_owned(),
                live,
                dead,
                vacuumed: analyzed,
                analyzed,
                bytes: 1,
            };
            let (worst, text) = sample::worst_and_text(&tables(&[table]));
            assert_eq!(worst, level, "{live} {dead}: {text}");
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn obstacles_to_vacuum_are_reported() {
        let healthy = sample::server();
        assert_eq!(server(&healthy), []);
        for (age, hours, prepared, level) in
            [(OLD, 0, 0, Level::Warn), (TOO_OLD, 0, 0, Level::Fail), (0, 1, 0, Level::Warn), (0, 0, 1, Level::Warn)]
        {
            let sick = Server {
                transaction_age: age,
                longest_transaction: Duration::from_secs(hours * 3600),
                prepared,
                ..healthy.clone()
            };
            assert_eq!(sample::worst_and_text(&server(&sick)).0, level);
        }
    }
}
