//! Finding aids out and in: the largest collection as EAD, beside the time that `xmllint` needs to read the file, and back
//! into an empty library; then a folder of others.

use std::{
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde_json::json;

use super::{
    seconds,
    staff::{Staff, finding_aid},
};
use crate::{Options, process::Carrel};

/// Carrel's memory may grow by at most this many MB while it writes a finding aid.
const GROWTH_AT_MOST: f64 = 128.0;
const LOOK: Duration = Duration::from_millis(100);
/// Collections in the folder, of those after the first.
const FOLDER: u32 = 200;
/// Components per second that an import should reach on two processors.
const AIM: f64 = 10_000.0;

/// Exports the first collection three times, which has so many components; returns the file.
///
/// # Errors
/// If Carrel's memory grows with the collection.
pub async fn export(carrel: &Carrel, staff: &Staff, components: u32) -> anyhow::Result<PathBuf> {
    let path = finding_aid(1);
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

/// Exports collections of an ordinary size into a folder.
pub async fn export_folder(carrel: &Carrel, staff: &Staff) -> anyhow::Result<PathBuf> {
    let folder = carrel.data.join("finding-aids");
    std::fs::create_dir_all(&folder)?;
    for number in 2..=staff.resources.min(FOLDER + 1) {
        let answer = staff.send("GET", &finding_aid(number)).await?;
        std::fs::write(folder.join(format!("{number}.xml")), &answer.body)?;
    }
    Ok(folder)
}

/// Loads a finding aid, and then a folder of others, into an empty library, from the command line.
pub async fn import(options: &Options, file: &Path, folder: &Path) -> anyhow::Result<()> {
    const CODE: &str = "BENCH";
    let empty = Carrel::with_new_archives(options).await?;
    let staff = Staff::sign_in(empty.archives, 1).await?;
    staff.post("/repositories", &json!({"repo_code": CODE, "name": "For an import"})).await?;
    let data = empty.data.clone();
    empty.stop()?;
    let idle = seconds(&mut carrel(options, &data, &["tenant", "list"])).context("carrel tenant list failed")?;
    println!("\n| EAD import | components | seconds | start and stop of it | components/s | MB/s |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for (name, path) in [("one file", file), ("a folder", folder)] {
        let (components, bytes) = size(path)?;
        let path = path.display().to_string();
        let load = ["load", "ead", &path, "--repository", CODE, "--tolerant"];
        let took = seconds(&mut carrel(options, &data, &load)).context("carrel load ead failed")?;
        let took_alone = (took - idle).max(0.001);
        let rate = components / took_alone;
        let mark = if rate < AIM { "**" } else { "" };
        println!(
            "| {name} | {components:.0} | {took:.1} | {idle:.1} | {mark}{rate:.0}{mark} | {:.1} |",
            bytes / 1e6 / took_alone
        );
    }
    std::fs::remove_dir_all(data)?;
    Ok(())
}

/// How many components and bytes a file has, or all files of a folder.
fn size(path: &Path) -> anyhow::Result<(f64, f64)> {
    let files: Vec<PathBuf> = if path.is_dir() {
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?
    } else {
        vec![path.to_owned()]
    };
    let (mut components, mut bytes) = (0, 0);
    for file in files {
        let text = std::fs::read_to_string(file)?;
        components += text.matches("<c ").count();
        bytes += text.len();
    }
    Ok((components as f64, bytes as f64))
}

fn carrel(options: &Options, data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(&options.carrel);
    command.args(arguments).arg("--data-dir").arg(data);
    command
}
