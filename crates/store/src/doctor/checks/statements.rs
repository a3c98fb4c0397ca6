//! Statements that exceed their time or row budget.

use super::or_ok;
use crate::doctor::{
    facts::{Server, Statement},
    finding::{Finding, Level},
};

const CHECK: &str = "statements";
/// A desk statement takes one or two milliseconds, a list about ten.
const MEAN_MS: f64 = 100.0;
/// More rows per call suggest an export, or a list without a limit.
const ROWS: f64 = 10_000.0;
/// Number of statements to report.
const NAMED: usize = 10;

/// The finding for a server without statement statistics.
pub fn without(server: &Server) -> Vec<Finding> {
    let finding = Finding::new(CHECK, Level::Skip, "Which statements are slow is not known: pg_stat_statements is not installed")
        .because(format!("PostgreSQL {} can record the cost of each statement if configured", server.version))
        .sql("CREATE EXTENSION pg_stat_statements;")
        .command("run the SQL below; if the PostgreSQL is not Carrel's own, first set shared_preload_libraries = 'pg_stat_statements' and restart it");
    vec![finding]
}

pub fn check(all: &[Statement]) -> Vec<Finding> {
    let over = all.iter().filter(|one| one.mean_ms > MEAN_MS || one.rows_each > ROWS);
    let findings = over.take(NAMED).map(|one| {
        let Statement { calls, mean_ms, rows_each, .. } = one;
        let text = format!(
            "A statement needs {mean_ms:.0} ms and returns {rows_each:.0} rows on average of {calls} calls: {}",
            excerpt(&one.text)
        );
        Finding::new(CHECK, Level::Warn, text)
            .because(format!("The budget is {MEAN_MS:.0} ms and {ROWS:.0} rows: a user is waiting for it"))
            .command("if it is a query of a client, ask for less at a time; if it is Carrel's, please report it with this line")
    });
    or_ok(findings.collect(), || {
        let count = all.len();
        Finding::ok(CHECK, format!("No statement is over its budget of {MEAN_MS:.0} ms ({count} were looked at)"))
    })
}

/// The start of a statement, on one line.
fn excerpt(sql: &str) -> String {
    const LONGEST: usize = 160;
    let line = sql.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    fn statement(mean_ms: f64, rows_each: f64) -> Statement {
        Statement { text: "SELECT\n  1".to_owned(), calls: 10, mean_ms, rows_each }
    }

    #[test]
    fn slow_and_greedy_statements_are_named() {
        for (mean, rows, level, words) in [
            (100.0, 10_000.0, Level::Ok, "No statement"),
            (100.5, 1.0, Level::Warn, "of 10 calls: SELECT 1"),
            (1.0, 20_000.0, Level::Warn, "returns 20000 rows"),
        ] {
            let (worst, text) = sample::worst_and_text(&check(&[statement(mean, rows)]));
            assert_eq!(worst, level, "{text}");
            assert!(text.contains(words), "{text}");
        }
        let many = vec![statement(500.0, 1.0); 50];
        assert_eq!(check(&many).len(), NAMED);
    }

    #[test]
    fn long_statements_are_cut_at_a_character() {
        assert_eq!(excerpt(&"ö".repeat(200)), format!("{}…", "ö".repeat(160)));
    }

    #[test]
    fn without_statistics_it_says_how_to_get_them() {
        let (level, text) = sample::worst_and_text(&without(&sample::server()));
        assert_eq!(level, Level::Skip);
        assert!(text.contains("CREATE EXTENSION pg_stat_statements"), "{text}");
    }
}
