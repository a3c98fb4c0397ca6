//! Compares check-outs of a patron with a history, 500 loans and 200 debts with those of a newly registered one: both
//! should cost the same.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::{
    desk::{Desk, Until},
    process::Carrel,
    raw,
};

/// Makes the history of the busy patron.
const PAST: &str = include_str!("patron.sql");
const GROUP: &str = "5a0b1b2c-7d7e-4a1c-9a55-0c1f3a2b4d01";
const BUSY: (&str, &str) = ("5a0b1b2c-7d7e-4a1c-9a55-0c1f3a2b4d02", "bench-busy");
const NEW: (&str, &str) = ("5a0b1b2c-7d7e-4a1c-9a55-0c1f3a2b4d03", "bench-new");
/// Turns for each before the other's: disturbances then affect both.
const TURNS: u64 = 20;

/// Prints the latencies of both, in turns, and the ratio.
pub async fn beside_a_new_one(carrel: &Carrel, desk: &Desk, time: Duration) -> anyhow::Result<()> {
    register(desk).await?;
    raw::run(carrel, PAST)?;
    println!("\n| patron | check-outs | p50 ms | p95 ms | mean ms |\n| --- | --- | --- | --- | --- |");
    let (mut busy, mut new) = (Vec::new(), Vec::new());
    let end = Instant::now() + time * 2;
    while Instant::now() < end {
        for ((_, barcode), measured) in [(BUSY, &mut busy), (NEW, &mut new)] {
            measured.push(desk.check_out_and_in_for(barcode, Until::Operations(2 * TURNS)).await?);
        }
    }
    let mean = |name: &str, all: &[crate::desk::Measured]| {
        let mut latencies = lab::results::histogram::Latencies::default();
        all.iter().for_each(|measured| latencies.merge(&measured.check_out));
        println!(
            "| {name} | {} | {:.2} | {:.2} | {:.2} |",
            latencies.count(),
            latencies.quantile_ms(0.5),
            latencies.quantile_ms(0.95),
            latencies.mean_ms()
        );
        (latencies.quantile_ms(0.5), latencies.mean_ms())
    };
    let busy = mean("10,000 past loans, 500 open ones, 200 fees", &busy);
    let new = mean("new", &new);
    println!(
        "\na check-out of the busy patron to one of the new: {:.2} (p50), {:.2} (mean)",
        busy.0 / new.0,
        busy.1 / new.1
    );
    Ok(())
}

/// Creates both, in a group without limits. They may exist from an earlier run.
async fn register(desk: &Desk) -> anyhow::Result<()> {
    let group = json!({"id": GROUP, "group": "bench"});
    desk.create("/groups", &group).await?;
    for (id, barcode) in [BUSY, NEW] {
        let user = json!({"id": id, "username": barcode, "barcode": barcode, "active": true, "patronGroup": GROUP,
            "personal": {"lastName": barcode, "preferredContactTypeId": "002"}});
        desk.create("/users", &user).await?;
    }
    Ok(())
}
