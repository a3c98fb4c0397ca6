//! The stages: requested and reached load, and errors.

use crate::{
    document::{
        Block, number,
        table::{Cell, Mark, Table},
    },
    results::model::{Arrivals, Figures, Results, Stage},
};

/// The stages with their times.
pub(super) fn runs(results: &Results) -> Vec<Block> {
    let mut table = Table::new("Test runs", &["Load", "Began (UTC)", "Warm-up", "Counted"]);
    table.numbers(&["Transactions", "Requests", "Failed transactions"], None);
    for stage in &results.stages {
        let sum = |figures: &[Figures]| figures.iter().map(|one| one.count).sum::<u64>();
        let failed = stage.transactions.iter().map(Figures::failed).sum();
        let warm_up = stage.counts_from.saturating_sub(stage.begins_at);
        table.row(vec![
            Cell::text(stage.asked()),
            Cell::text(began(results, stage)),
            Cell::text(number::duration(warm_up as f64)),
            Cell::text(number::duration(stage.seconds)),
            Cell::count(sum(&stage.transactions)),
            Cell::count(sum(&stage.requests)),
            count_or_marked(failed),
        ]);
    }
    vec![Block::Table(table)]
}

fn began(results: &Results, stage: &Stage) -> String {
    let seconds = i64::try_from(stage.begins_at).unwrap_or(0);
    let began = results.run.began.checked_add(jiff::SignedDuration::from_secs(seconds));
    began.map_or_else(|_| "—".to_owned(), |time| time.strftime("%Y-%m-%d %H:%M:%S").to_string())
}

fn count_or_marked(failed: u64) -> Cell {
    let cell = Cell::count(failed);
    if failed > 0 { cell.marked(Mark::Worse) } else { cell }
}

/// Requested and reached throughput, and the state of the generator.
pub(super) fn throughput(results: &Results) -> Vec<Block> {
    let mut table = Table::new("Throughput asked and reached", &["Load", "Asked"]);
    table.numbers(&["Transactions", "Requests"], Some("Reached a second"));
    table.numbers(&["Cores", "Late starts", "Missed starts"], Some("Generator"));
    table.columns.extend(Table::new("", &["Generator was the limit"]).columns);
    for stage in &results.stages {
        let generator = &stage.generator;
        let limit = if generator.was_the_limit { Cell::text("yes").marked(Mark::Worse) } else { Cell::text("no") };
        table.row(vec![
            Cell::text(stage.asked()),
            Cell::text(asked(results, stage)),
            Cell::number(stage.transactions_per_second, 1),
            Cell::number(stage.requests_per_second, 1),
            Cell::number(generator.cpu_cores, 2),
            Cell::count(generator.late_starts),
            Cell::count(generator.missed_starts),
            limit,
        ]);
    }
    vec![Block::Table(table), Block::Text(shares(results))]
}

fn asked(results: &Results, stage: &Stage) -> String {
    match (results.workload.arrivals, stage.rate, results.workload.think_time) {
        (_, Some(rate), _) => format!("{rate} sessions a second"),
        (Arrivals::Open, None, _) => "—".to_owned(),
        (Arrivals::Closed, None, true) => "as fast as people work".to_owned(),
        (Arrivals::Closed, None, false) => "as fast as answers come".to_owned(),
    }
}

/// The requested and reached share of each transaction over all loads.
fn shares(results: &Results) -> String {
    let count = |name: Option<&str>| -> u64 {
        let all = results.stages.iter().flat_map(|stage| &stage.transactions);
        all.filter(|one| name.is_none_or(|name| one.name == name)).map(|one| one.count).sum()
    };
    let all = count(None).max(1) as f64;
    if results.workload.shares.is_empty() || results.workload.shares.len() > 6 {
        return String::new();
    }
    let shares = results.workload.shares.iter().map(|(name, asked)| {
        let reached = count(Some(name)) as f64 / all;
        format!("{name} {} asked, {} reached", number::share(*asked), number::share(reached))
    });
    format!("Shares: {}.", shares.collect::<Vec<_>>().join("; "))
}

/// Errors by kind.
pub(super) fn errors(results: &Results) -> Vec<Block> {
    let mut table = Table::new("Errors by kind", &["Of", "Load", "Error"]);
    table.numbers(&["Count", "Share"], None);
    for stage in &results.stages {
        for figures in stage.transactions.iter().chain(&stage.requests) {
            for (kind, count) in &figures.errors {
                table.row(vec![
                    Cell::text(&figures.name),
                    Cell::text(stage.asked()),
                    Cell::text(kind),
                    Cell::count(*count),
                    Cell::text(number::share(*count as f64 / figures.count.max(1) as f64)),
                ]);
            }
        }
    }
    if table.rows.is_empty() {
        return vec![Block::Text("There was no error.".to_owned())];
    }
    vec![Block::Table(table)]
}
