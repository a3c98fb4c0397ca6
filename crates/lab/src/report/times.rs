//! Response times of the transactions by number of users, and their percentile curves.

use super::Last;
use crate::{
    compare::{figure::Figure, statistics::Verdict},
    document::{
        Block,
        chart::{self, Across, Line, MOST_LINES, Unit},
        number,
        table::{Cell, Mark, Table},
    },
    results::model::{Figures, Latency, Results},
};

/// Number of transactions that fit side by side.
const SIDE_BY_SIDE: usize = 2;
const NAMES: [&str; 7] = ["Average", "50th", "75th", "90th", "95th", "99th", "Max"];

pub(super) fn blocks(results: &Results, last: Last<'_>) -> Vec<Block> {
    let mut names: Vec<&str> = Vec::new();
    for figures in results.stages.iter().flat_map(|stage| &stage.transactions) {
        if !names.contains(&figures.name.as_str()) {
            names.push(&figures.name);
        }
    }
    let mut blocks = if names.len() <= SIDE_BY_SIDE {
        vec![Block::Table(side_by_side(results, &names))]
    } else {
        each_on_its_own(results)
    };
    blocks.extend(last.into_iter().map(|last| Block::Table(compared(last))));
    blocks
}

fn side_by_side(results: &Results, names: &[&str]) -> Table {
    let mut table = Table::new("Response times by load, milliseconds", &["Load"]);
    names.iter().for_each(|name| table.numbers(&NAMES, Some(name)));
    for stage in &results.stages {
        let mut row = vec![Cell::text(stage.asked())];
        for name in names {
            let figures = stage.transactions.iter().find(|figures| figures.name == *name);
            row.extend(figures.map_or_else(none, cells));
        }
        table.row(row);
    }
    table
}

fn each_on_its_own(results: &Results) -> Vec<Block> {
    let tables = results.stages.iter().map(|stage| {
        let mut table = Table::new(format!("Response times with {}, milliseconds", stage.asked()), &["Transaction"]);
        table.numbers(&["Count", "Failed"], None);
        table.numbers(&NAMES, None);
        let records = stage.requests.iter().chain(&stage.transactions).any(|one| one.per_record_ms.is_some());
        if records {
            table.number("Per record", None);
        }
        for figures in &stage.transactions {
            let mut row = vec![Cell::text(&figures.name), Cell::count(figures.count), Cell::count(figures.failed())];
            row.extend(cells(figures));
            row.extend(figures.per_record_ms.map(Cell::millis));
            table.row(row);
        }
        Block::Table(table)
    });
    tables.collect()
}

pub(super) fn cells(figures: &Figures) -> Vec<Cell> {
    let Latency { count, mean_ms, p50_ms, p75_ms, p90_ms, p95_ms, p99_ms, max_ms, .. } = figures.corrected;
    if count == 0 {
        return none();
    }
    [mean_ms, p50_ms, p75_ms, p90_ms, p95_ms, p99_ms, max_ms].map(Cell::millis).to_vec()
}

fn none() -> Vec<Cell> {
    NAMES.map(|_| Cell::none()).to_vec()
}

/// Averages beside those of the last run.
fn compared(last: &crate::compare::Comparison) -> Table {
    let mut table =
        Table::new(format!("Average compared with {}, milliseconds", last.before), &["Transaction", "Load"]);
    table.numbers(&["Before", "Now", "Difference"], None);
    table.columns.extend(Table::new("", &["Verdict"]).columns);
    for stage in &last.stages {
        for one in &stage.transactions {
            let Some(average) = one.figure(Figure::Average) else {
                continue;
            };
            let millis = |value: Option<f64>| value.map_or_else(Cell::none, Cell::millis);
            let (word, mark) = match average.verdict {
                Some(Verdict::Better) => ("better", Mark::Better),
                Some(Verdict::Worse) => ("worse", Mark::Worse),
                Some(Verdict::Stable) => ("stable", Mark::Stable),
                Some(Verdict::Unstable) | None => ("unstable", Mark::Unstable),
            };
            table.row(vec![
                Cell::text(&one.name),
                Cell::text(&stage.asked),
                millis(average.before),
                millis(average.after),
                average.ratio().map_or_else(Cell::none, |ratio| Cell::text(number::change(ratio))),
                Cell::text(word).marked(mark),
            ]);
        }
    }
    table
}

/// One chart per transaction with one curve per load.
pub(super) fn curves(results: &Results) -> Vec<Block> {
    let Some(stage) = results.stages.last() else {
        return Vec::new();
    };
    let charts = stage.transactions.iter().take(MOST_LINES).map(|transaction| {
        let curve = |stage: &crate::results::model::Stage| {
            let mut figures = stage.transactions.iter();
            let figures = figures.find(|figures| figures.name == transaction.name)?;
            Some(Line { name: stage.asked(), points: points(figures) })
        };
        let shown = results.stages.len().saturating_sub(MOST_LINES);
        let lines: Vec<Line> = results.stages[shown..].iter().filter_map(curve).collect();
        let last = lines.iter().filter_map(|line| line.points.last()).map(|(one_in, _)| *one_in).fold(10.0, f64::max);
        let title = format!("{}: the share of all that is at least this fast", transaction.name);
        Block::Chart(chart::draw(&title, Across::OneIn(last), Unit::Millis, &lines))
    });
    charts.collect()
}

/// The curve as far as there are values: the slowest of 1,000 is the 99.9th percentile.
fn points(figures: &Figures) -> Vec<(f64, Option<f64>)> {
    let histogram = figures.corrected.histogram.histogram();
    let count = histogram.len();
    let steps = histogram.iter_quantiles(8);
    let points =
        steps.map(|step| (1.0 / (1.0 - step.quantile_iterated_to()), step.value_iterated_to() as f64 / 1000.0));
    points.take_while(|(one_in, _)| *one_in <= count as f64).map(|(one_in, millis)| (one_in, Some(millis))).collect()
}
