//! What one check-out and its check-in cost: processor time, statements, WAL, index entries, the dearest statements.

use std::{
    collections::BTreeMap,
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, bail, ensure};

use crate::{
    desk::{Desk, Until},
    process::Carrel,
    raw,
};

/// WAL records that are entries in an index.
const INDEX_ENTRIES: [&str; 4] = ["Btree/INSERT_LEAF", "Btree/INSERT_POST", "Gin/INSERT", "Gin/UPDATE_META_PAGE"];

/// Prints what a pair costs with one client and with eight.
pub async fn measure(carrel: &Carrel, desk: &Desk, time: Duration) -> anyhow::Result<()> {
    raw::run(carrel, "CREATE EXTENSION IF NOT EXISTS pg_stat_statements SCHEMA public;")?;
    desk.check_out_and_in(8, Until::Elapsed(time)).await?;
    println!("\n| clients | pairs/s | Carrel ms | PostgreSQL ms | statements | WAL kB | WAL records | index entries |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for clients in [1, 8] {
        raw::run(carrel, "CHECKPOINT; SELECT public.pg_stat_statements_reset() \\g /dev/null\n")?;
        let (began, from) = (Instant::now(), wal_position(carrel)?);
        carrel.usage().await?;
        let measured = desk.check_out_and_in(clients, Until::Elapsed(time)).await?;
        let used = carrel.usage().await?;
        let (took, to) = (began.elapsed().as_secs_f64(), wal_position(carrel)?);
        let pairs = measured.check_in.count() as f64;
        let statements = raw::number(carrel, "SELECT coalesce(sum(calls), 0)::bigint FROM public.pg_stat_statements")?;
        let wal = raw::number(carrel, &format!("SELECT ('{to}'::pg_lsn - '{from}')::bigint"))?;
        let records = wal_records(carrel, &from, &to)?;
        let entries: u64 = INDEX_ENTRIES.iter().filter_map(|kind| records.get(*kind)).sum();
        println!(
            "| {clients} | {:.0} | {:.2} | {:.2} | {:.1} | {:.1} | {:.0} | {:.0} |",
            pairs / took,
            used.cores * took * 1000.0 / pairs,
            used.database_cores * took * 1000.0 / pairs,
            statements as f64 / pairs,
            wal as f64 / 1024.0 / pairs,
            records.values().sum::<u64>() as f64 / pairs,
            entries as f64 / pairs
        );
    }
    dearest(carrel, desk, time).await
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

/// The number of WAL records of each kind between two positions.
fn wal_records(carrel: &Carrel, from: &str, to: &str) -> anyhow::Result<BTreeMap<String, u64>> {
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
    let rows = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let kind = words.next().filter(|kind| kind.contains('/') && *kind != "FPI/Total")?;
        Some((kind.to_owned(), words.next()?.parse().ok()?))
    });
    let records: BTreeMap<String, u64> = rows.collect();
    ensure!(!records.is_empty(), "no WAL between {from} and {to}");
    Ok(records)
}
