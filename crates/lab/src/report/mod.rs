//! The report of a run: readable for librarians, reliable for engineers.
//!
//! - [`summary`]: the outcome, in sentences.
//! - [`stages`]: the stages, requested and reached load, errors.
//! - [`times`]: response times by number of users, and percentile curves.
//! - [`requests`]: each request, and the slow ones.
//! - [`course`]: charts over the time of the run: latency, throughput, server and database.
//! - [`longevity`]: hour by hour.
//! - [`setting`]: the machine, the data, the command.
//! - [`method`]: how latency was measured.

mod course;
mod longevity;
mod method;
mod requests;
mod setting;
mod stages;
mod summary;
mod times;

use crate::{
    compare::{Comparison, Group, compare, machine, pages},
    document::{Block, Document, Section},
    published,
    results::{model::Results, threshold::Verdict},
};

/// Additional input of a report.
#[derive(Debug, Default)]
pub struct Beside<'a> {
    /// Earlier runs to compare with: the last release.
    pub last: Option<Group>,
    /// The results of the thresholds.
    pub verdicts: &'a [Verdict],
    /// Requests with a 75th percentile above this many milliseconds are slow.
    pub slow_ms: Option<f64>,
}

/// The default of `slow_ms`.
pub(crate) const SLOW_MS: f64 = 100.0;

pub fn document(results: &Results, beside: &Beside<'_>) -> Document {
    let slow = beside.slow_ms.unwrap_or(SLOW_MS);
    let last = beside.last.as_ref().map(|last| {
        let ours = Group::of("this run", results.clone());
        let differences = machine::differences(&[last.clone(), ours.clone()]);
        (compare(last, &ours), differences)
    });
    let comparison = last.as_ref().map(|(comparison, _)| comparison);
    let mut warnings = results.warnings.clone();
    warnings.extend(last.iter().flat_map(|(_, differences)| differences.clone()));
    if beside.last.as_ref().is_some_and(|last| last.runs.len() == 1) {
        warnings.push(pages::SINGLE.to_owned());
    }
    let published = published::reports().unwrap_or_default();
    let sections = [
        Section::of("Summary", summary::blocks(results, comparison, beside.verdicts, slow, warnings)),
        Section::of("Test runs", stages::runs(results)),
        Section::of("Response times", times::blocks(results, comparison)),
        Section::of("Beside published figures", published::beside(&published, results)),
        Section::of("Requests", requests::blocks(results, slow)),
        Section::of("Throughput", stages::throughput(results)),
        Section::of("Errors", stages::errors(results)),
        Section::of("Thresholds", thresholds(beside.verdicts)),
        Section::of("Over time", course::load(results)),
        Section::of("Percentiles", times::curves(results)),
        Section::of("Server and database", course::watched(results)),
        Section::of("Longevity", longevity::blocks(results)),
        Section::of("Environment", setting::blocks(results)),
        Section::of("How latency was counted", method::blocks(results, comparison.is_some())),
    ];
    Document { title: title(results), about: about(results), sections: sections.into_iter().flatten().collect() }
}

fn title(results: &Results) -> String {
    let label = results.run.label.as_deref().filter(|label| !label.is_empty());
    match label {
        Some(label) => format!("{}: {label}", results.workload.name),
        None => format!("{}, {}", results.workload.name, results.run.began.strftime("%-d %B %Y")),
    }
}

fn about(results: &Results) -> String {
    let title = results.workload.title.trim_end_matches('.');
    format!("Performance report. {title}. Run {}.", results.run.id)
}

fn thresholds(verdicts: &[Verdict]) -> Vec<Block> {
    use crate::document::table::{Cell, Mark, Table};
    let columns = ["Threshold", "Load", "Of", "Measured", "Kept"];
    let mut table = Table::new("What the run had to keep", &columns);
    for verdict in verdicts {
        let (word, mark) = if verdict.kept { ("yes", Mark::Better) } else { ("no", Mark::Worse) };
        table.row(vec![
            Cell::text(&verdict.threshold),
            Cell::text(&verdict.stage),
            Cell::text(&verdict.name),
            verdict.measured.as_ref().map_or_else(|| Cell::text("nothing"), Cell::text),
            Cell::text(word).marked(mark),
        ]);
    }
    vec![Block::Table(table)]
}

/// The comparison with the last run, if there is one.
type Last<'a> = Option<&'a Comparison>;

#[cfg(test)]
mod tests;
