//! Jobs beside the desk: 100,000 loans age to lost and 100,000 requests expire while eight clients check items out and
//! in.

use std::time::{Duration, Instant};

use anyhow::ensure;

use crate::{
    desk::{Desk, Measured, Until},
    process::Carrel,
    raw,
};

/// Makes the due loans and requests: as many of each as there are items from the 20,001st on, at most 100,000.
const DUE: &str = include_str!("background.sql");
const CLIENTS: usize = 8;
/// The desk is measured in pieces of this length while a job runs.
const PIECE: Duration = Duration::from_secs(1);

/// Prints how long each job took, and the desk's p95 before and during it.
pub async fn jobs(carrel: &Carrel, desk: &Desk, time: Duration) -> anyhow::Result<()> {
    println!("\nmaking loans and requests that are due …");
    raw::run(carrel, DUE)?;
    println!("\n| job | records | seconds | check-out p95 before, ms | meanwhile, ms | ratio |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, path, count) in [
        // First, because ageing blocks the patrons of its loans.
        (
            "expiry of requests",
            "/scheduled-request-expiration",
            "SELECT count(*) FROM request WHERE doc->>'status' = 'Closed - Unfilled'",
        ),
        (
            "ageing to lost",
            "/circulation/scheduled-age-to-lost",
            "SELECT count(*) FROM loan l WHERE l.doc->>'itemStatus' = 'Aged to lost'",
        ),
    ] {
        let before = desk.check_out_and_in(CLIENTS, Until::Elapsed(time)).await?;
        let already = raw::number(carrel, count)?;
        let (took, meanwhile) = beside(desk, path).await?;
        let done = raw::number(carrel, count)? - already;
        let (quiet, busy) = (before.check_out.quantile_ms(0.95), meanwhile.check_out.quantile_ms(0.95));
        println!("| {name} | {done} | {:.1} | {quiet:.2} | {busy:.2} | {:.2} |", took.as_secs_f64(), busy / quiet);
    }
    Ok(())
}

/// Runs a job while the desk works. Returns its duration and the desk's measurements.
async fn beside(desk: &Desk, path: &str) -> anyhow::Result<(Duration, Measured)> {
    let began = Instant::now();
    let job = async {
        let answer = desk.send("POST", path, "{}").await?;
        ensure!(answer.status < 300, "{path}: {}", answer.status);
        anyhow::Ok(began.elapsed())
    };
    let mut job = std::pin::pin!(job);
    let mut all = Measured::over(Duration::ZERO);
    loop {
        let mut piece = std::pin::pin!(desk.check_out_and_in(CLIENTS, Until::Elapsed(PIECE)));
        tokio::select! {
            took = &mut job => {
                all.merge(&piece.await?);
                return Ok((took?, all));
            }
            measured = &mut piece => all.merge(&measured?),
        }
    }
}
