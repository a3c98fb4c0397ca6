//! Shows that nothing grows: many check-outs and check-ins in one run, tenth by tenth.

use crate::{
    desk::{Desk, Until},
    process::Carrel,
};

const TENTHS: u64 = 10;
const CLIENTS: usize = 8;

/// Checks items out and in `operations` times and prints for each tenth: latency, rate, memory, connections.
pub async fn tenths(carrel: &Carrel, desk: &Desk, operations: u64) -> anyhow::Result<()> {
    println!("\n{operations} check-outs and check-ins by {CLIENTS} clients\n");
    println!(
        "| tenth | check-out p50 ms | p95 ms | check-in p50 ms | p95 ms | per second | Carrel MB | database connections |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let mut p95 = Vec::new();
    for tenth in 1..=TENTHS {
        let until = Until::Operations(operations / TENTHS);
        let measured = desk.check_out_and_in(CLIENTS, until).await?;
        let usage = carrel.usage().await?;
        println!(
            "| {tenth} | {:.2} | {:.2} | {:.2} | {:.2} | {:.0} | {:.0} | {} |",
            measured.check_out.quantile_ms(0.5),
            measured.check_out.quantile_ms(0.95),
            measured.check_in.quantile_ms(0.5),
            measured.check_in.quantile_ms(0.95),
            measured.rate(),
            usage.megabytes,
            usage.connections,
        );
        p95.push(measured.check_out.quantile_ms(0.95));
    }
    if let [first, .., last] = p95[..] {
        println!("\np95 of a check-out, last tenth to first: {:.2}", last / first);
    }
    Ok(())
}
