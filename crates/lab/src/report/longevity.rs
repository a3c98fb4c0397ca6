//! Hour by hour: whether anything grows.

use std::collections::BTreeSet;

use super::course::{in_words, of};
use crate::{
    document::{
        Block, number,
        table::{Cell, Table},
    },
    results::model::{Hour, Results},
};

pub(super) fn blocks(results: &Results) -> Vec<Block> {
    if results.hours.is_empty() {
        return Vec::new();
    }
    vec![
        Block::Text(first_and_last(&results.hours)),
        Block::Table(latency(&results.hours)),
        Block::Table(watched(results)),
    ]
}

/// The first hour and the last that is whole, in a sentence.
fn first_and_last(hours: &[Hour]) -> String {
    let whole: Vec<&Hour> = hours
        .iter()
        .filter(|hour| hour.to - hour.from >= 3_600)
        .collect();
    let [first, .., last] = whole.as_slice() else {
        return String::new();
    };
    let told = first.transactions.iter().filter_map(|before| {
        let after = last
            .transactions
            .iter()
            .find(|figures| figures.name == before.name)?;
        let (before_ms, after_ms) = (before.corrected.p95_ms, after.corrected.p95_ms);
        let change = number::change(after_ms / before_ms);
        let [from, to] = [before_ms, after_ms].map(number::latency);
        Some(format!("{} from {from} to {to} ({change})", before.name))
    });
    let told: Vec<String> = told.collect();
    format!(
        "95th percentile from hour {} to hour {}: {}.",
        first.hour,
        last.hour,
        told.join("; ")
    )
}

fn latency(hours: &[Hour]) -> Table {
    let mut table = Table::new("Hour by hour, milliseconds", &["Hour", "Length"]);
    let names: BTreeSet<&str> = hours
        .iter()
        .flat_map(|hour| &hour.transactions)
        .map(|one| one.name.as_str())
        .collect();
    for name in &names {
        table.numbers(
            &["Count", "Failed", "Average", "50th", "95th", "99th"],
            Some(name),
        );
    }
    for hour in hours {
        let mut row = vec![
            Cell::text(hour.hour.to_string()),
            Cell::text(number::duration((hour.to - hour.from) as f64)),
        ];
        for name in &names {
            let one = hour.transactions.iter().find(|one| one.name == *name);
            row.extend(one.map_or_else(
                || vec![Cell::none(); 6],
                |one| {
                    let latency = &one.corrected;
                    let times = [
                        latency.mean_ms,
                        latency.p50_ms,
                        latency.p95_ms,
                        latency.p99_ms,
                    ]
                    .map(Cell::millis);
                    [Cell::count(one.count), Cell::count(one.failed())]
                        .into_iter()
                        .chain(times)
                        .collect()
                },
            ));
        }
        table.row(row);
    }
    table
}

/// Means of what was watched.
fn watched(results: &Results) -> Table {
    let mut table = Table::new("Hour by hour, means of what was watched", &["Hour"]);
    let names: BTreeSet<&String> = results
        .hours
        .iter()
        .flat_map(|hour| hour.watch.keys())
        .collect();
    names
        .iter()
        .for_each(|name| table.number(&in_words(name), None));
    if names.is_empty() {
        return table;
    }
    for hour in &results.hours {
        let cells = names.iter().map(|name| {
            let unit = results
                .watch
                .get(*name)
                .map_or("", |watched| watched.unit.as_str());
            let mean = hour.watch.get(*name).map(|watched| watched.mean);
            mean.map_or_else(Cell::none, |mean| Cell::text(of(unit).write(mean)))
        });
        table.row(
            [Cell::text(hour.hour.to_string())]
                .into_iter()
                .chain(cells)
                .collect(),
        );
    }
    table
}
