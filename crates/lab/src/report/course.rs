//! Charts over the time of the run, all on the same axis.

use std::collections::BTreeMap;

use crate::{
    document::{
        Block,
        chart::{self, Across, Line, MOST_LINES, Unit},
        table::{Cell, Table},
    },
    results::model::{Results, Series},
};

/// Number of points that fit in a chart; longer series are drawn in stretches of several seconds.
const POINTS: usize = 480;

/// Latency, throughput, errors and users.
pub(super) fn load(results: &Results) -> Vec<Block> {
    let transactions = &results.timeline.transactions;
    let lines = |value: fn(&Series, usize) -> Option<f64>, how: How| -> Vec<Line> {
        let lines = transactions.iter().map(|(name, series)| {
            let values: Vec<_> = (0..series.count.len()).map(|second| value(series, second)).collect();
            line(name, &values, how)
        });
        lines.collect()
    };
    let charts = [
        ("95th percentile, each second", Unit::Millis, lines(|it, at| it.p95_ms.get(at).copied()?, How::Highest)),
        ("Median, each second", Unit::Millis, lines(|it, at| it.p50_ms.get(at).copied()?, How::Mean)),
        (
            "Transactions that ended, a second",
            Unit::Number,
            lines(|it, at| it.count.get(at).map(|it| f64::from(*it)), How::Mean),
        ),
        (
            "Failed transactions, a second",
            Unit::Number,
            errors(results, lines(|it, at| it.errors.get(at).map(|it| f64::from(*it)), How::Mean)),
        ),
        ("Virtual users", Unit::Number, users(results)),
    ];
    let mut blocks = Vec::new();
    for (title, unit, lines) in charts {
        for some in lines.chunks(MOST_LINES) {
            blocks.push(Block::Chart(chart::draw(title, across(results), unit, some)));
        }
    }
    blocks
}

fn across(results: &Results) -> Across {
    let lengths = results.watch.values().map(|watched| watched.values.len());
    let longest = lengths.chain([results.timeline.users.len()]).max();
    Across::Seconds(longest.unwrap_or(0) as f64)
}

/// Omits the chart of errors if there are none.
fn errors(results: &Results, lines: Vec<Line>) -> Vec<Line> {
    let mut series = results.timeline.transactions.values();
    let some = series.any(|series| series.errors.iter().any(|count| *count > 0));
    if some { lines } else { Vec::new() }
}

fn users(results: &Results) -> Vec<Line> {
    let users = &results.timeline.users;
    if users.iter().all(|users| *users == 0) {
        return Vec::new();
    }
    let values: Vec<_> = users.iter().map(|users| Some(f64::from(*users))).collect();
    vec![line("users", &values, How::Highest)]
}

/// The watched series: one chart per unit, and a table of all.
pub(super) fn watched(results: &Results) -> Vec<Block> {
    let mut by_unit = BTreeMap::<&str, Vec<Line>>::new();
    for (name, watched) in &results.watch {
        if watched.values.iter().any(|value| value.is_some_and(|value| value != 0.0)) {
            let line = line(&in_words(name), &watched.values, How::Mean);
            by_unit.entry(&watched.unit).or_default().push(line);
        }
    }
    let mut blocks = Vec::new();
    for (unit, lines) in by_unit {
        for some in alike(lines) {
            let names: Vec<&str> = some.iter().map(|line| line.name.as_str()).collect();
            let title = match names.as_slice() {
                [name] if name.to_lowercase().contains(unit) => (*name).to_owned(),
                [name] => format!("{name}, {unit}"),
                _ => capital(unit),
            };
            blocks.push(Block::Chart(chart::draw(&title, across(results), of(unit), &some)));
        }
    }
    blocks.push(Block::Table(table(results)));
    if !results.statements.is_empty() {
        blocks.push(Block::Table(statements(results)));
    }
    blocks
}

/// The statements that took the most database time.
fn statements(results: &Results) -> Table {
    let caption = "Statements that took the database the most time (pg_stat_statements)";
    let mut table = Table::new(caption, &["Statement"]);
    table.numbers(&["Calls", "Total", "Mean", "Rows"], None);
    for one in &results.statements {
        table.row(vec![
            Cell::text(one.text.as_str()),
            Cell::count(one.calls),
            Cell::millis(one.total_ms),
            Cell::millis(one.mean_ms),
            Cell::count(one.rows),
        ]);
    }
    table
}

/// Groups lines that can share an axis: the highest is at most twenty times another.
fn alike(mut lines: Vec<Line>) -> Vec<Vec<Line>> {
    let height = |line: &Line| line.points.iter().filter_map(|point| point.1).fold(0.0, f64::max);
    lines.sort_by(|one, other| height(other).total_cmp(&height(one)));
    let mut charts: Vec<Vec<Line>> = Vec::new();
    for line in lines {
        match charts.last_mut() {
            Some(chart) if chart.len() < MOST_LINES && height(&chart[0]) <= 20.0 * height(&line) => chart.push(line),
            _ => charts.push(vec![line]),
        }
    }
    charts
}

fn table(results: &Results) -> Table {
    let mut table = Table::new("What was watched, over the whole run", &["Series", "Unit"]);
    table.numbers(&["Mean", "Lowest", "Highest", "Last"], None);
    for (name, watched) in &results.watch {
        let values: Vec<f64> = watched.values.iter().copied().flatten().collect();
        let Some(last) = values.last() else { continue };
        let (low, high) = values.iter().fold((f64::MAX, f64::MIN), |(low, high), &it| (low.min(it), high.max(it)));
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let unit = of(&watched.unit);
        let mut row = vec![Cell::text(in_words(name)), Cell::text(&watched.unit)];
        row.extend([mean, low, high, *last].map(|value| Cell::text(unit.write(value))));
        table.row(row);
    }
    table
}

pub(super) fn of(unit: &str) -> Unit {
    match unit {
        "bytes" | "bytes per second" => Unit::Bytes,
        "ratio" => Unit::Share,
        "ms" | "milliseconds" => Unit::Millis,
        _ => Unit::Number,
    }
}

/// Formats `server_cpu` as `Server cpu`.
pub(super) fn in_words(name: &str) -> String {
    let words = capital(&name.replace('_', " "));
    words.replace(" cpu", " CPU").replace(" wal", " WAL")
}

fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[derive(Clone, Copy)]
enum How {
    Mean,
    Highest,
}

/// A line with at most [`POINTS`] points, each in the middle of its stretch of seconds.
fn line(name: &str, values: &[Option<f64>], how: How) -> Line {
    let stretch = values.len().div_ceil(POINTS).max(1);
    let points = values.chunks(stretch).enumerate().map(|(number, values)| {
        let some: Vec<f64> = values.iter().copied().flatten().collect();
        let value = match how {
            How::Mean => some.iter().sum::<f64>() / some.len() as f64,
            How::Highest => some.iter().copied().fold(0.0, f64::max),
        };
        let middle = number as f64 * stretch as f64 + values.len() as f64 / 2.0;
        (middle, (!some.is_empty()).then_some(value))
    });
    Line { name: name.to_owned(), points: points.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_is_drawn_in_stretches_that_hide_no_peak() {
        let mut values = vec![Some(1.0); 57_600];
        values[30_000] = Some(500.0);
        let long = line("p95", &values, How::Highest);
        assert!(long.points.len() <= POINTS);
        assert_eq!(long.points.iter().filter_map(|point| point.1).fold(0.0, f64::max), 500.0);
        let short = line("p95", &[Some(1.0), None, Some(3.0)], How::Mean);
        assert_eq!(short.points, [(0.5, Some(1.0)), (1.5, None), (2.5, Some(3.0))]);
    }

    #[test]
    fn small_values_get_their_own_chart() {
        let of = |value: f64| line("x", &[Some(value)], How::Mean);
        let charts = alike(vec![of(1.0), of(1_000.0), of(90.0), of(5.0)]);
        let lengths: Vec<usize> = charts.iter().map(Vec::len).collect();
        assert_eq!(lengths, [2, 2]);
    }

    #[test]
    fn series_have_readable_names() {
        assert_eq!(in_words("server_cpu"), "Server CPU");
        assert_eq!(in_words("database_wal_bytes"), "Database WAL bytes");
    }
}
