//! The time of each statement since the run began, from `pg_stat_statements`.

use std::collections::HashMap;

use tokio_postgres::Client;

use super::with_causes;
use crate::results::model::StatementTime;

/// Number of statements to report.
const NAMED: usize = 15;
const LONGEST: usize = 500;
/// Marks the lab's own statements.
const OWN: &str = "/* carrel lab */";

/// Counters of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Counted {
    calls: i64,
    total_ms: f64,
    rows: i64,
}

/// The extension, with its counters at the start of the run.
pub(super) struct Statements {
    /// Its functions, with their schema.
    view: String,
    before: HashMap<i64, Counted>,
}

impl Statements {
    /// Finds the extension.
    ///
    /// # Errors
    /// It is missing or not readable; the message says what to do.
    pub async fn open(client: &Client) -> Result<Self, String> {
        const WHERE: &str = "SELECT /* carrel lab */ quote_ident(n.nspname) FROM pg_extension e \
                             JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'";
        let found = client.query_opt(WHERE, &[]).await.map_err(|error| with_causes(&error))?;
        let Some(schema) = found.map(|row| row.get::<_, String>(0)) else {
            return Err("pg_stat_statements is not installed in this database (shared_preload_libraries = \
                        'pg_stat_statements', then CREATE EXTENSION pg_stat_statements)"
                .to_owned());
        };
        let mut statements = Self { view: format!("{schema}.pg_stat_statements"), before: HashMap::new() };
        statements.before = statements.read(client).await?;
        Ok(statements)
    }

    /// Number of statements in the server's statistics.
    pub async fn calls(&self, client: &Client) -> Result<f64, String> {
        let sql = format!(
            "SELECT {OWN} coalesce(sum(s.calls), 0)::float8 FROM {}(false) s \
             WHERE s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())",
            self.view
        );
        let row = client.query_one(&sql, &[]).await.map_err(|error| with_causes(&error))?;
        Ok(row.get(0))
    }

    /// The statements that took the most time since the run began.
    pub async fn compare(&self, client: &Client) -> Result<Vec<StatementTime>, String> {
        let now = self.read(client).await?;
        let most = most(&self.before, &now);
        let ids: Vec<i64> = most.iter().map(|(id, _)| *id).collect();
        let sql =
            format!("SELECT {OWN} queryid, min(query) FROM {} WHERE queryid = ANY ($1) GROUP BY queryid", self.view);
        let rows = client.query(&sql, &[&ids]).await.map_err(|error| with_causes(&error))?;
        let texts: HashMap<i64, String> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        let named = most.into_iter().filter_map(|(id, counted)| statement(texts.get(&id)?, counted));
        Ok(named.take(NAMED).collect())
    }

    async fn read(&self, client: &Client) -> Result<HashMap<i64, Counted>, String> {
        let sql = format!(
            "SELECT {OWN} s.queryid, sum(s.calls)::int8, sum(s.total_exec_time)::float8, sum(s.rows)::int8 \
             FROM {}(false) s WHERE s.queryid IS NOT NULL \
             AND s.dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY 1",
            self.view
        );
        let rows = client.query(&sql, &[]).await.map_err(|error| with_causes(&error))?;
        let counted = rows.iter().map(|row| {
            let (calls, total_ms, rows) = (row.get(1), row.get(2), row.get(3));
            (row.get(0), Counted { calls, total_ms, rows })
        });
        Ok(counted.collect())
    }
}

/// The increases, largest first; more than are reported, since the lab's own are among them.
fn most(before: &HashMap<i64, Counted>, now: &HashMap<i64, Counted>) -> Vec<(i64, Counted)> {
    let mut grown: Vec<_> = now
        .iter()
        .map(|(id, now)| {
            // A statement dropped from the statistics meanwhile starts again from zero.
            let before = before.get(id).copied().filter(|before| before.calls <= now.calls).unwrap_or_default();
            let grown = Counted {
                calls: now.calls - before.calls,
                total_ms: (now.total_ms - before.total_ms).max(0.0),
                rows: (now.rows - before.rows).max(0),
            };
            (*id, grown)
        })
        .filter(|(_, grown)| grown.calls > 0)
        .collect();
    grown.sort_by(|(_, a), (_, b)| b.total_ms.total_cmp(&a.total_ms));
    grown.truncate(NAMED + 5);
    grown
}

fn statement(text: &str, counted: Counted) -> Option<StatementTime> {
    if text.contains(OWN) {
        return None;
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    Some(StatementTime {
        text: line.chars().take(LONGEST).collect(),
        calls: u64::try_from(counted.calls).unwrap_or(0),
        total_ms: counted.total_ms,
        mean_ms: counted.total_ms / counted.calls as f64,
        rows: u64::try_from(counted.rows).unwrap_or(0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(calls: i64, total_ms: f64) -> Counted {
        Counted { calls, total_ms, rows: calls }
    }

    #[test]
    fn only_growth_during_the_run_counts() {
        let before = HashMap::from([(1, counted(10, 500.0)), (2, counted(5, 5.0)), (4, counted(100, 1.0))]);
        let now = HashMap::from([
            (1, counted(10, 500.0)),
            (2, counted(7, 25.0)),
            (3, counted(1, 90.0)),
            (4, counted(3, 30.0)),
        ]);
        let most = most(&before, &now);
        assert_eq!(most, [(3, counted(1, 90.0)), (4, counted(3, 30.0)), (2, counted(2, 20.0))]);
    }

    #[test]
    fn statements_are_on_one_line_without_the_labs_own() {
        let shown = statement("SELECT\n  1", counted(4, 10.0)).expect("shown");
        assert_eq!((shown.text.as_str(), shown.mean_ms), ("SELECT 1", 2.5));
        assert_eq!(statement("SELECT /* carrel lab */ 1", counted(4, 10.0)), None);
        assert_eq!(statement(&"x".repeat(900), counted(1, 1.0)).expect("shown").text.len(), LONGEST);
    }
}
