//! The largest series moved within its tree and to another collection, and until searches know.

use std::time::Instant;

use anyhow::{Context, ensure};

use super::staff::{REPOSITORY, Staff, resource};
use crate::process::Carrel;

/// Moves the first series, with a quarter of the largest collection, there and back.
pub async fn measure(carrel: &Carrel, staff: &Staff) -> anyhow::Result<()> {
    let (home, other) = (resource(1), resource(2));
    let series = staff.top_level(&home).await?;
    let (moved, sibling) = (series.first().context("no series")?, series.get(1).context("one series")?);
    let number = |uri: &str| uri.rsplit('/').next().unwrap_or_default().to_owned();
    let parent = |parent: &str| format!("{moved}/parent?parent={}&position=0", number(parent));
    let top = format!("{moved}/parent?position=0");
    let transfer = |to: &str| format!("{REPOSITORY}/component_transfers?target_resource={to}&component={moved}");
    println!("\n| move of the largest series | seconds | statements | searches know after, seconds |");
    println!("| --- | --- | --- | --- |");
    for (name, path) in [
        ("below the next series", parent(sibling)),
        ("back to the top", top),
        ("to another collection", transfer(&other)),
        ("back to its collection", transfer(&home)),
    ] {
        let began = Instant::now();
        let answer = staff.send("POST", &path).await?;
        let took = began.elapsed().as_secs_f64();
        carrel.indexed("archives").await?;
        let known = began.elapsed().as_secs_f64();
        println!("| {name} | {took:.2} | {} | {known:.1} |", answer.statements().unwrap_or_default());
    }
    // It came back as the last one.
    staff.send("POST", &format!("{moved}/parent?position=0")).await?;
    ensure!(staff.top_level(&home).await?.first() == Some(moved), "the series is not where it was");
    Ok(())
}
