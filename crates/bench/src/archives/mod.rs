//! Measures the archives: what staff read, searches, finding aids, imports and moved trees, in a sample library whose first
//! collection has a fifth of all components. Fails if a request takes more statements than it may.

mod exchange;
mod moves;
mod reads;
mod staff;

use std::{
    process::Command,
    time::{Duration, Instant},
};

use crate::{Options, process::Carrel};
use staff::Staff;

/// Measures everything and prints tables.
///
/// # Errors
/// If a request fails or takes more statements than it may.
pub async fn measure(options: &Options, time: Duration) -> anyhow::Result<()> {
    let Options { resources, components, .. } = options;
    println!("# archives: {resources} collections, {components} components\n");
    let carrel = Carrel::with_archives(options).await?;
    println!("start on the existing cluster: {:.2} s", carrel.started_in.as_secs_f64());
    let began = Instant::now();
    let documents = carrel.indexed("archives").await?;
    println!("index of {documents:.0} documents ready after {:.1} s", began.elapsed().as_secs_f64());
    let staff = Staff::sign_in(carrel.archives, options.resources).await?;
    reads::within_budgets(&staff).await?;
    reads::measure(&carrel, &staff, &options.clients, time).await?;
    let finding_aid = exchange::export(&carrel, &staff, options.components / 5).await?;
    let folder = exchange::export_folder(&carrel, &staff).await?;
    moves::measure(&carrel, &staff).await?;
    let (now, most) = (carrel.usage().await?.megabytes, carrel.peak()?);
    println!("\nmemory of the Carrel process: {now:.0} MB now, {most} MB at most");
    carrel.stop()?;
    exchange::import(options, &finding_aid, &folder).await
}

/// Seconds that a program needs, its output discarded; `None` if it is missing or fails.
fn seconds(command: &mut Command) -> Option<f64> {
    let began = Instant::now();
    let output = command.output().ok()?;
    output.status.success().then(|| began.elapsed().as_secs_f64())
}
