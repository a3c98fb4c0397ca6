//! The transactions of a run in a table, for the terminal.

use std::fmt::Write;

use super::model::{Figures, Results, Stage};

/// The table, followed by the warnings.
pub fn text(results: &Results) -> String {
    let mut text = String::new();
    line(
        &mut text,
        &["load", "transaction", "count", "errors", "a second", "mean ms", "p50", "p75", "p95", "p99", "max"],
    );
    text.push_str(&"| --- ".repeat(11));
    text.push_str("|\n");
    for stage in &results.stages {
        stage.transactions.iter().for_each(|figures| row(&mut text, stage, figures));
    }
    text.push('\n');
    for warning in &results.warnings {
        // Writing to a String does not fail.
        let _ = writeln!(text, "Note: {warning}");
    }
    text
}

fn row(text: &mut String, stage: &Stage, figures: &Figures) {
    let latency = &figures.corrected;
    let (count, errors) = (figures.count.to_string(), figures.failed().to_string());
    let rate = (figures.count - figures.failed()) as f64 / stage.seconds.max(0.001);
    let rate = format!("{rate:.1}");
    let millis = [latency.mean_ms, latency.p50_ms, latency.p75_ms, latency.p95_ms, latency.p99_ms, latency.max_ms];
    let millis = millis.map(|millis| format!("{millis:.1}"));
    let mut cells = vec![stage.asked(), figures.name.clone(), count, errors, rate];
    cells.extend(millis);
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    line(text, &cells);
}

fn line(text: &mut String, cells: &[&str]) {
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    #[test]
    fn each_transaction_of_each_stage_has_a_row() {
        let mut results = sample::results();
        results.warnings.push("the disk was nearly full".to_owned());
        let text = text(&results);
        assert!(
            text.contains("| 1 user | Check-in | 100 | 0 | 10.0 | 50.5 | 50.0 | 75.0 | 95.0 | 99.0 | 100.0 |"),
            "{text}"
        );
        assert!(text.contains("| 1 user | Check-out | 100 |"), "{text}");
        assert!(text.ends_with("Note: the disk was nearly full\n"), "{text}");
    }
}
