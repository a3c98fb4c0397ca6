//! The figures as CSV, for spreadsheets and scripts.

use csv::Writer;

use super::model::{Figures, Results, Stage};

/// Each transaction and request of each stage. Latencies count from the intended start.
pub fn figures(results: &Results) -> Vec<u8> {
    let mut rows = vec![FIGURES.map(str::to_owned).to_vec()];
    for stage in &results.stages {
        let kinds = [("transaction", &stage.transactions), ("request", &stage.requests)];
        for (kind, figures) in kinds {
            rows.extend(figures.iter().map(|figures| figures_row(stage, kind, figures)));
        }
    }
    written(rows)
}

const FIGURES: [&str; 24] = [
    "users",
    "rate",
    "kind",
    "name",
    "method",
    "path",
    "count",
    "failed",
    "per_second",
    "mean_ms",
    "deviation_ms",
    "p50_ms",
    "p75_ms",
    "p90_ms",
    "p95_ms",
    "p99_ms",
    "max_ms",
    "measured_p50_ms",
    "measured_p95_ms",
    "bytes",
    "records",
    "per_record_ms",
    "statements_mean",
    "statements_max",
];

fn figures_row(stage: &Stage, kind: &str, figures: &Figures) -> Vec<String> {
    let (corrected, measured) = (&figures.corrected, &figures.measured);
    let per_second = (figures.count - figures.failed()) as f64 / stage.seconds.max(0.001);
    let statements = figures.statements;
    vec![
        or_empty(stage.users),
        or_empty(stage.rate),
        kind.to_owned(),
        figures.name.clone(),
        figures.method.clone().unwrap_or_default(),
        figures.path.clone().unwrap_or_default(),
        figures.count.to_string(),
        figures.failed().to_string(),
        format!("{per_second:.3}"),
        corrected.mean_ms.to_string(),
        corrected.deviation_ms.to_string(),
        corrected.p50_ms.to_string(),
        corrected.p75_ms.to_string(),
        corrected.p90_ms.to_string(),
        corrected.p95_ms.to_string(),
        corrected.p99_ms.to_string(),
        corrected.max_ms.to_string(),
        measured.p50_ms.to_string(),
        measured.p95_ms.to_string(),
        figures.bytes.to_string(),
        or_empty(figures.records),
        or_empty(figures.per_record_ms),
        or_empty(statements.map(|statements| statements.mean)),
        or_empty(statements.map(|statements| statements.max)),
    ]
}

/// Each kind of error of each transaction and request of each stage.
pub fn errors(results: &Results) -> Vec<u8> {
    let mut rows = vec![["users", "rate", "name", "error", "count"].map(str::to_owned).to_vec()];
    for stage in &results.stages {
        for figures in stage.transactions.iter().chain(&stage.requests) {
            rows.extend(figures.errors.iter().map(|(error, count)| {
                let (users, rate) = (or_empty(stage.users), or_empty(stage.rate));
                vec![users, rate, figures.name.clone(), error.clone(), count.to_string()]
            }));
        }
    }
    written(rows)
}

/// Second by second: users, transactions, and watched series.
pub fn timeline(results: &Results) -> Vec<u8> {
    let (timeline, watch) = (&results.timeline, &results.watch);
    let mut head = vec!["second".to_owned(), "users".to_owned()];
    for name in timeline.transactions.keys() {
        head.extend(["count", "errors", "p50_ms", "p95_ms", "max_ms"].map(|what| format!("{name} {what}")));
    }
    head.extend(watch.iter().map(|(name, watched)| format!("{name} ({})", watched.unit)));
    let seconds = 0..timeline.users.len();
    let row = |second: usize| {
        let mut row = vec![second.to_string(), at(&timeline.users, second)];
        for series in timeline.transactions.values() {
            row.extend([at(&series.count, second), at(&series.errors, second)]);
            let millis = [&series.p50_ms, &series.p95_ms, &series.max_ms];
            row.extend(millis.map(|values| or_empty(values.get(second).copied().flatten())));
        }
        let values = watch.values().map(|watched| watched.values.get(second));
        row.extend(values.map(|value| or_empty(value.copied().flatten())));
        row
    };
    written([head].into_iter().chain(seconds.map(row)))
}

fn at(values: &[u32], second: usize) -> String {
    or_empty(values.get(second))
}

fn or_empty<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

fn written(rows: impl IntoIterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = Writer::from_writer(Vec::new());
    for row in rows {
        // Writes into memory, and all rows of a table have the same length.
        let _ = writer.write_record(&row);
    }
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{
        super::{model::Watched, sample},
        *,
    };

    fn text(table: Vec<u8>) -> String {
        String::from_utf8(table).expect("text")
    }

    #[test]
    fn each_transaction_and_request_has_a_row() {
        insta::assert_snapshot!(text(figures(&sample::results())));
    }

    #[test]
    fn errors_are_listed_by_kind() {
        let mut results = sample::results();
        results.stages[0].requests[0].errors = [("status 500, \"sorry\"".to_owned(), 3)].into();
        let expected = "users,rate,name,error,count\n1,,check in,\"status 500, \"\"sorry\"\"\",3\n";
        assert_eq!(text(errors(&results)), expected);
    }

    #[test]
    fn watched_series_are_beside_the_latencies() {
        let mut results = sample::results();
        let (unit, values) = ("cores".to_owned(), vec![Some(0.5), None]);
        results.watch = [("server_cpu".to_owned(), Watched { unit, values })].into();
        let text = text(timeline(&results));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with(",Check-out max_ms,server_cpu (cores)"), "{}", lines[0]);
        assert_eq!(lines[1], "0,1,10,0,50,95,100,10,0,50,95,100,0.5");
        assert_eq!(lines[12], "11,1,10,0,50,95,100,10,0,50,95,100,");
        assert_eq!(lines.len(), 13);
    }
}
