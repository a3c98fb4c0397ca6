//! What one check-out and its check-in cost: processor time, statements, WAL, index entries, the dearest statements.

use std::{
    ops::AddAssign,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};

use crate::{
    Options,
    desk::{Desk, Until},
    process::Carrel,
    raw,
};

/// WAL records that are entries in an index.
const INDEX_ENTRIES: [&str; 4] = ["Btree/INSERT_LEAF", "Btree/INSERT_POST", "Gin/INSERT", "Gin/UPDATE_META_PAGE"];
/// Turns of each program when there are two.
const TURNS: u32 = 3;
const COLUMNS: &str =
    "pairs/s | Carrel ms | PostgreSQL ms | statements | WAL kB | without full pages | WAL records | index entries";

/// What a number of pairs took.
#[derive(Default)]
struct Cost {
    pairs: f64,
    seconds: f64,
    carrel: f64,
    postgresql: f64,
    statements: f64,
    wal: Wal,
}

/// What was written to the log of PostgreSQL, in bytes and records.
#[derive(Default)]
struct Wal {
    bytes: f64,
    /// Of them, without the images of pages that the first change after a checkpoint writes.
    changes: f64,
    records: f64,
    index_entries: f64,
}

impl AddAssign for Wal {
    fn add_assign(&mut self, other: Self) {
        self.bytes += other.bytes;
        self.changes += other.changes;
        self.records += other.records;
        self.index_entries += other.index_entries;
    }
}

impl Cost {
    /// The values of [`COLUMNS`].
    fn columns(&self) -> [f64; 8] {
        let each = |all: f64| all / self.pairs;
        [
            self.pairs / self.seconds,
            each(self.carrel * 1000.0),
            each(self.postgresql * 1000.0),
            each(self.statements),
            each(self.wal.bytes / 1024.0),
            each(self.wal.changes / 1024.0),
            each(self.wal.records),
            each(self.wal.index_entries),
        ]
    }
}

/// Prints what a pair costs with each number of clients; with another program beside, what it needs, and this one's
/// share of that.
pub async fn measure(options: &Options, time: Duration) -> anyhow::Result<()> {
    let items = options.first()?;
    println!("# {items} items");
    let all = Carrel::with_another(options, items).await?;
    let mut programs = Vec::new();
    for carrel in &all {
        raw::run(carrel, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public;")?;
        let desk = Desk::open(carrel.folio).await?;
        desk.check_out_and_in(8, Until::Elapsed(time)).await?;
        programs.push((carrel, desk));
    }
    println!("\n| clients | program | {COLUMNS} |");
    println!("| --- | --- |{}", " --- |".repeat(8));
    let turns = if programs.len() > 1 { TURNS } else { 1 };
    for &clients in &options.clients {
        let mut costs: Vec<Cost> = programs.iter().map(|_| Cost::default()).collect();
        for _ in 0..turns {
            for ((carrel, desk), cost) in programs.iter().zip(&mut costs) {
                add(carrel, desk, clients, time, cost).await?;
            }
        }
        for (name, cost) in ["this", "beside"].iter().zip(&costs) {
            let [rate, carrel, postgresql, statements, wal, changes, records, entries] = cost.columns();
            println!(
                "| {clients} | {name} | {rate:.0} | {carrel:.2} | {postgresql:.2} | {statements:.1} | {wal:.1} | {changes:.1} | \
                 {records:.0} | {entries:.0} |"
            );
        }
        if let [this, beside] = &costs[..] {
            let shares = this.columns().into_iter().zip(beside.columns()).map(|(this, beside)| this / beside);
            let shares: Vec<_> = shares.map(|share| format!("{share:.2}")).collect();
            println!("| {clients} | this of it | {} |", shares.join(" | "));
        }
    }
    let (carrel, desk) = &programs[0];
    dearest(carrel, desk, time).await?;
    drop(programs);
    all.into_iter().try_for_each(Carrel::stop)
}

async fn add(carrel: &Carrel, desk: &Desk, clients: usize, time: Duration, cost: &mut Cost) -> anyhow::Result<()> {
    raw::run(carrel, "CHECKPOINT; SELECT public.pg_stat_statements_reset() \\g /dev/null\n")?;
    let (began, from) = (Instant::now(), wal_position(carrel)?);
    carrel.usage().await?;
    let measured = desk.check_out_and_in(clients, Until::Elapsed(time)).await?;
    let used = carrel.usage().await?;
    let (took, to) = (began.elapsed().as_secs_f64(), wal_position(carrel)?);
    let statements = raw::number(carrel, "SELECT coalesce(sum(calls), 0)::bigint FROM public.pg_stat_statements")?;
    cost.pairs += measured.check_in.count() as f64;
    cost.seconds += took;
    cost.carrel += used.cores * took;
    cost.postgresql += used.database_cores * took;
    cost.statements += statements as f64;
    cost.wal += wal(carrel, &from, &to)?;
    Ok(())
}

/// Prints the ten statements that took most of PostgreSQL's time, those inside functions too. Counting them slows
/// everything down, so this is a run of its own.
async fn dearest(carrel: &Carrel, desk: &Desk, time: Duration) -> anyhow::Result<()> {
    let track = |what: &str| {
        let sql = format!(
            "ALTER SYSTEM SET pg_stat_statements.track = '{what}'; SELECT pg_reload_conf() \\g /dev/null
             SELECT pg_sleep(0.2) \\g /dev/null
             SELECT public.pg_stat_statements_reset() \\g /dev/null\n"
        );
        raw::run(carrel, &sql)
    };
    track("all")?;
    let measured = desk.check_out_and_in(1, Until::Elapsed(time)).await;
    println!("\nthe ten dearest statements, each with what it calls, per pair:\n");
    let pairs = measured.as_ref().map_or(1, |measured| measured.check_in.count().max(1));
    let listed = raw::run(
        carrel,
        &format!(
            "\\pset format unaligned\n\\pset fieldsep ' | '\n\\pset footer off
             SELECT round(total_exec_time::numeric / {pairs}, 3) AS ms, round(calls::numeric / {pairs}, 1) AS calls,
               round(wal_bytes / {pairs}) AS wal_bytes, toplevel AS from_carrel,
               left(regexp_replace(regexp_replace(query, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g'), 90) AS statement
             FROM public.pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%'
             ORDER BY total_exec_time DESC LIMIT 10;\n"
        ),
    );
    track("top")?;
    measured?;
    listed
}

/// Where the WAL ends.
fn wal_position(carrel: &Carrel) -> anyhow::Result<String> {
    raw::text(carrel, "SELECT pg_current_wal_insert_lsn()")
}

/// What was written between two positions.
fn wal(carrel: &Carrel, from: &str, to: &str) -> anyhow::Result<Wal> {
    let programs = raw::text(carrel, "SELECT setting FROM pg_config WHERE name = 'BINDIR'")?;
    let output = Command::new(Path::new(&programs).join("pg_waldump"))
        .args(["--stats=record", "--start", from, "--end", to, "--path"])
        .arg(carrel.data.join("postgres/pg_wal"))
        .output()
        .context("pg_waldump is missing")?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() && text.is_empty() {
        bail!("pg_waldump: {}", String::from_utf8_lossy(&output.stderr));
    }
    let bytes = raw::number(carrel, &format!("SELECT ('{to}'::pg_lsn - '{from}')::bigint"))?;
    let mut all = Wal { bytes: bytes as f64, ..Wal::default() };
    for line in text.lines() {
        // Kind, number, its share, bytes without full pages, …; kinds like `Heap/INSERT+INIT` have no blank.
        let words: Vec<_> = line.split_whitespace().filter(|word| !word.contains(['(', ')'])).collect();
        let [kind, number, changes, ..] = words[..] else { continue };
        let (Ok(number), Ok(changes)) = (number.parse::<f64>(), changes.parse::<f64>()) else { continue };
        if kind.contains('/') {
            all.records += number;
            all.changes += changes;
            all.index_entries += if INDEX_ENTRIES.contains(&kind) { number } else { 0.0 };
        }
    }
    ensure!(all.records > 0.0, "no WAL between {from} and {to}");
    Ok(all)
}
