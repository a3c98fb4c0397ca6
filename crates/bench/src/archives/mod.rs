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

/// How often the index is looked at.
const LOOK: Duration = Duration::from_millis(200);

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
    let documents = indexed(&carrel).await?;
    println!("index of {documents:.0} documents ready after {:.1} s", began.elapsed().as_secs_f64());
    let staff = Staff::sign_in(carrel.archives, options.resources).await?;
    reads::within_budgets(&staff).await?;
    reads::measure(&carrel, &staff, &options.clients, time).await?;
    let finding_aid = exchange::export(&carrel, &staff, options.components / 5).await?;
    moves::measure(&carrel, &staff).await?;
    let (now, most) = (carrel.usage().await?.megabytes, carrel.peak()?);
    println!("\nmemory of the Carrel process: {now:.0} MB now, {most} MB at most");
    carrel.stop()?;
    exchange::import(options, &finding_aid).await
}

/// Waits until the index has everything; returns the number of its documents.
async fn indexed(carrel: &Carrel) -> anyhow::Result<f64> {
    // Between two looks the index may not yet know what it lacks.
    let mut quiet = 0;
    while quiet < 3 {
        tokio::time::sleep(LOOK).await;
        let building = carrel.metric("carrel_search_building").await.unwrap_or(1.0);
        let behind = carrel.metric("carrel_search_documents_behind").await.unwrap_or(1.0);
        quiet = if building + behind > 0.0 { 0 } else { quiet + 1 };
    }
    carrel.metric("carrel_search_documents").await
}

/// Seconds that a program needs, its output discarded; `None` if it is missing or fails.
fn seconds(command: &mut Command) -> Option<f64> {
    let began = Instant::now();
    let output = command.output().ok()?;
    output.status.success().then(|| began.elapsed().as_secs_f64())
}
