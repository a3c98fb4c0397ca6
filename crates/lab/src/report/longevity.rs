//! Hour by hour: whether anything grows.

use std::collections::BTreeSet;

use super::course::{in_words, of};
use crate::{
    document::{
        Block, number,
        table::{Cell, Table},
    },
    results::model::{Drift, Hour, Results, Trend},
};

pub(super) fn blocks(results: &Results) -> Vec<Block> {
    let mut blocks = Vec::new();
    if !results.drift.is_empty() {
        blocks.push(Block::Text(grown(&results.drift)));
        blocks.push(Block::Table(drift(&results.drift)));
    }
    if !results.hours.is_empty() {
        blocks.push(Block::Text(first_and_last(&results.hours)));
        blocks.push(Block::Table(latency(&results.hours)));
        blocks.push(Block::Table(watched(results)));
    }
    blocks
}

/// What grew, in a sentence.
fn grown(drift: &[Drift]) -> String {
    let growing = drift.iter().filter(|one| one.trend == Trend::Grows);
    let growing: Vec<_> = growing.map(|one| in_words(&one.name)).collect();
    let what = match growing.as_slice() {
        [] => "Nothing grew over the run".to_owned(),
        names => format!("Over the run these grew: {}", names.join(", ")),
    };
    format!(
        "{what}. (Something grows if Mann-Kendall's test gives chance less than 1 % and the last tenth is more than \
         1.1 times the first; the slope is Theil-Sen's, over medians of {}.)",
        drift.first().map_or_else(String::new, |one| number::duration(one.slice_seconds as f64))
    )
}

fn drift(drift: &[Drift]) -> Table {
    let mut table = Table::new("Drift: the last tenth of the run beside the first", &["What", "Trend"]);
    table.numbers(&["First tenth", "Last tenth", "Ratio", "Slope per hour", "Probability of chance"], None);
    for one in drift {
        let unit = of(&one.unit);
        let trend = match one.trend {
            Trend::Grows => "grows",
            Trend::Falls => "falls",
            Trend::Flat => "flat",
        };
        table.row(vec![
            Cell::text(in_words(&one.name)),
            Cell::text(trend),
            Cell::text(unit.write(one.first_tenth)),
            Cell::text(unit.write(one.last_tenth)),
            one.ratio.map_or_else(Cell::none, |ratio| Cell::number(ratio, 2)),
            Cell::text(unit.write(one.per_hour)),
            Cell::number(one.probability, 3),
        ]);
    }
    table
}

/// The first hour and the last full hour, in a sentence.
fn first_and_last(hours: &[Hour]) -> String {
    let whole: Vec<&Hour> = hours.iter().filter(|hour| hour.to - hour.from >= 3_600).collect();
    let [first, .., last] = whole.as_slice() else {
        return String::new();
    };
    let changes = first.transactions.iter().filter_map(|before| {
        let after = last.transactions.iter().find(|figures| figures.name == before.name)?;
        let (before_ms, after_ms) = (before.corrected.p95_ms, after.corrected.p95_ms);
        let change = number::change(after_ms / before_ms);
        let [from, to] = [before_ms, after_ms].map(number::latency);
        Some(format!("{} from {from} to {to} ({change})", before.name))
    });
    let changes: Vec<String> = changes.collect();
    format!("95th percentile from hour {} to hour {}: {}.", first.hour, last.hour, changes.join("; "))
}

fn latency(hours: &[Hour]) -> Table {
    let mut table = Table::new("Hour by hour, milliseconds", &["Hour", "Length"]);
    let names: BTreeSet<&str> = hours.iter().flat_map(|hour| &hour.transactions).map(|one| one.name.as_str()).collect();
    for name in &names {
        table.numbers(&["Count", "Failed", "Average", "50th", "95th", "99th"], Some(name));
    }
    for hour in hours {
        let mut row =
            vec![Cell::text(hour.hour.to_string()), Cell::text(number::duration((hour.to - hour.from) as f64))];
        for name in &names {
            let one = hour.transactions.iter().find(|one| one.name == *name);
            row.extend(one.map_or_else(
                || vec![Cell::none(); 6],
                |one| {
                    let latency = &one.corrected;
                    let times = [latency.mean_ms, latency.p50_ms, latency.p95_ms, latency.p99_ms].map(Cell::millis);
                    [Cell::count(one.count), Cell::count(one.failed())].into_iter().chain(times).collect()
                },
            ));
        }
        table.row(row);
    }
    table
}

/// Means of the watched series.
fn watched(results: &Results) -> Table {
    let mut table = Table::new("Hour by hour, means of what was watched", &["Hour"]);
    let names: BTreeSet<&String> = results.hours.iter().flat_map(|hour| hour.watch.keys()).collect();
    names.iter().for_each(|name| table.number(&in_words(name), None));
    if names.is_empty() {
        return table;
    }
    for hour in &results.hours {
        let cells = names.iter().map(|name| {
            let unit = results.watch.get(*name).map_or("", |watched| watched.unit.as_str());
            let mean = hour.watch.get(*name).map(|watched| watched.mean);
            mean.map_or_else(Cell::none, |mean| Cell::text(of(unit).write(mean)))
        });
        table.row([Cell::text(hour.hour.to_string())].into_iter().chain(cells).collect());
    }
    table
}
