//! Finding aids out and in: the largest collection as EAD, beside the time that `xmllint` needs to read the file, and back
//! into an empty library.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde_json::json;

use super::{
    seconds,
    staff::{Staff, resource},
};
use crate::{Options, process::Carrel};

/// Carrel's memory may grow by at most this many MB while it writes a finding aid.
const GROWTH_AT_MOST: f64 = 128.0;
const LOOK: Duration = Duration::from_millis(100);
/// Components per second that an import should reach on two processors.
const AIM: f64 = 10_000.0;

/// Exports the first collection three times, which has so many components; returns the file.
///
/// # Errors
/// If Carrel's memory grows with the collection.
pub async fn export(carrel: &Carrel, staff: &Staff, components: u32) -> anyhow::Result<PathBuf> {
    let path = resource(1).replace("/resources/", "/resource_descriptions/");
    let path = format!("{path}.xml?include_daos=true&include_unpublished=true");
    println!("\n| EAD export | MB | seconds | components/s | MB/s | memory grows by MB | xmllint, seconds | of it |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let file = carrel.data.join("finding-aid.xml");
    for turn in 1..=3 {
        let before = carrel.usage().await?.megabytes;
        let began = Instant::now();
        let mut asked = std::pin::pin!(staff.send("GET", &path));
        let mut look = tokio::time::interval(LOOK);
        let mut most = before;
        let answer = loop {
            tokio::select! {
                answer = &mut asked => break answer?,
                _ = look.tick() => most = most.max(carrel.usage().await?.megabytes),
            }
        };
        let took = began.elapsed().as_secs_f64();
        let megabytes = answer.bytes as f64 / 1e6;
        std::fs::write(&file, &answer.body)?;
        ensure!(answer.body.ends_with(b"</ead>") || answer.body.ends_with(b"</ead>\n"), "the finding aid is cut");
        let read = seconds(Command::new("xmllint").args(["--noout", "--huge"]).arg(&file));
        let read_in = read.map_or_else(|| "none".to_owned(), |read| format!("{read:.2} | {:.1}", took / read));
        println!(
            "| {turn} | {megabytes:.1} | {took:.2} | {:.0} | {:.1} | {:.0} | {read_in} |",
            f64::from(components) / took,
            megabytes / took,
            most - before
        );
        ensure!(most - before <= GROWTH_AT_MOST, "an export grows the memory by {:.0} MB", most - before);
    }
    Ok(file)
}

/// Loads the finding aid into an empty library, from the command line.
pub async fn import(options: &Options, file: &Path) -> anyhow::Result<()> {
    const CODE: &str = "BENCH";
    let empty = Carrel::with_new_archives(options).await?;
    let staff = Staff::sign_in(empty.archives, 1).await?;
    staff.post("/repositories", &json!({"repo_code": CODE, "name": "For an import"})).await?;
    let data = empty.data.clone();
    empty.stop()?;
    let idle = seconds(&mut carrel(options, &data, &["tenant", "list"])).context("carrel tenant list failed")?;
    let text = std::fs::read_to_string(file)?;
    let components = text.matches("<c ").count() as f64;
    let name = file.display().to_string();
    let load = ["load", "ead", &name, "--repository", CODE, "--tolerant"];
    let took = seconds(&mut carrel(options, &data, &load)).context("carrel load ead failed")?;
    let rate = components / (took - idle).max(0.001);
    let mark = if rate < AIM { "**" } else { "" };
    println!("\n| EAD import | components | seconds | start and stop of it | components/s | MB/s |");
    println!("| --- | --- | --- | --- | --- | --- |");
    println!(
        "| carrel load ead | {components:.0} | {took:.1} | {idle:.1} | {mark}{rate:.0}{mark} | {:.1} |",
        text.len() as f64 / 1e6 / (took - idle).max(0.001)
    );
    std::fs::remove_dir_all(data)?;
    Ok(())
}

fn carrel(options: &Options, data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(&options.carrel);
    command.args(arguments).arg("--data-dir").arg(data);
    command
}
