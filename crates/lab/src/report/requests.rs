//! Each request, and the slow ones.

use crate::{
    document::{
        Block, number,
        table::{Cell, Mark, Table},
    },
    results::model::{Figures, Results, Stage},
};

pub(super) fn blocks(results: &Results, slow: f64) -> Vec<Block> {
    let mut blocks = vec![Block::Table(slow_ones(results, slow))];
    if results.stages.len() > 1 {
        blocks.push(Block::Table(by_load(results, slow)));
    }
    blocks.extend(results.stages.iter().map(|stage| Block::Table(all(stage, slow))));
    blocks
}

/// Requests above the threshold at the 75th percentile, slowest first.
fn slow_ones(results: &Results, slow: f64) -> Table {
    let caption = format!("Requests above {} at the 75th percentile", number::latency(slow));
    let mut table = Table::new(caption, &["Request", "Load"]);
    table.numbers(&["75th, ms", "99th, ms", "Statements"], None);
    let all = results.stages.iter().flat_map(|stage| stage.requests.iter().map(move |one| (stage, one)));
    let mut above: Vec<(&Stage, &Figures)> = all.filter(|(_, one)| one.corrected.p75_ms > slow).collect();
    above.sort_by(|(_, one), (_, other)| other.corrected.p75_ms.total_cmp(&one.corrected.p75_ms));
    for (stage, one) in above {
        table.row(vec![
            Cell::text(&one.name),
            Cell::text(stage.asked()),
            Cell::millis(one.corrected.p75_ms).marked(Mark::Worse),
            Cell::millis(one.corrected.p99_ms),
            statements(one),
        ]);
    }
    table
}

/// The 75th percentile of each request at each load.
fn by_load(results: &Results, slow: f64) -> Table {
    let mut table = Table::new("75th percentile of each request by load, milliseconds", &["Request"]);
    let loads: Vec<String> = results.stages.iter().map(Stage::asked).collect();
    loads.iter().for_each(|load| table.number(load, None));
    let names = results.stages[0].requests.iter().map(|one| &one.name);
    for name in names {
        let at = |stage: &Stage| {
            let one = stage.requests.iter().find(|one| one.name == *name);
            one.map_or_else(Cell::none, |one| p75(one, slow))
        };
        let cells = results.stages.iter().map(at);
        table.row([Cell::text(name)].into_iter().chain(cells).collect());
    }
    table
}

fn p75(one: &Figures, slow: f64) -> Cell {
    let cell = Cell::millis(one.corrected.p75_ms);
    match one.corrected.count {
        0 => Cell::none(),
        _ if one.corrected.p75_ms > slow => cell.marked(Mark::Worse),
        _ => cell,
    }
}

/// All requests of a stage.
fn all(stage: &Stage, slow: f64) -> Table {
    let mut table = Table::new(format!("Requests with {}", stage.asked()), &["Request"]);
    table.numbers(&["Count", "Failed"], None);
    table.numbers(&["Average", "50th", "75th", "90th", "95th", "99th", "Max"], Some("Milliseconds"));
    let (counted, recorded) = (
        stage.requests.iter().any(|one| one.statements.is_some()),
        stage.requests.iter().any(|one| one.per_record_ms.is_some()),
    );
    if recorded {
        table.number("Per record, ms", None);
    }
    table.number("Bytes", None);
    if counted {
        table.number("Statements", None);
    }
    for one in &stage.requests {
        let failed = Cell::count(one.failed());
        let failed = if one.failed() > 0 { failed.marked(Mark::Worse) } else { failed };
        let mut row = vec![Cell::text(&one.name), Cell::count(one.count), failed];
        let mut times = super::times::cells(one);
        times[2] = p75(one, slow);
        row.extend(times);
        if recorded {
            row.push(one.per_record_ms.map_or_else(Cell::none, Cell::millis));
        }
        row.push(Cell::text(number::bytes(one.bytes as f64 / one.count.max(1) as f64)));
        row.push(statements(one));
        row.truncate(table.columns.len());
        table.row(row);
    }
    table
}

fn statements(one: &Figures) -> Cell {
    one.statements.map_or_else(Cell::none, |statements| Cell::number(statements.mean, 1))
}
