//! `carrel lab report`, `compare` and `published`: reports on the results of runs.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::Context;
use clap::{Args, ValueEnum};
use lab::{
    compare::{Group, group, pages},
    document::{Document, html, markdown, text},
    published,
    report::{self, Beside},
    results::{
        export, file, jtl,
        model::Results,
        threshold::{self, Threshold, Verdict},
    },
};

use crate::lab_time::time;

/// The exit code when a threshold was not met.
pub const NOT_KEPT: u8 = 7;

/// Options of a report.
#[derive(Debug, Args)]
pub struct Reporting {
    /// A condition for the run to pass, may be repeated: "Check-out p95<200ms", "errors<1%", "rate>=50 @20". Exit code
    /// 7 if one is not met.
    #[arg(long = "threshold", value_name = "TEXT")]
    pub thresholds: Vec<Threshold>,
    /// An earlier run to compare with, such as the last release; repeat it for repetitions of that run.
    #[arg(long, value_name = "RUN")]
    pub last: Vec<PathBuf>,
    /// Show requests with a 75th percentile above this as slow.
    #[arg(long, value_name = "TIME", default_value = "100ms", value_parser = time)]
    pub slow: Duration,
}

#[derive(Debug, Args)]
pub struct ReportOptions {
    /// The run: its folder, its results.json, or a JTL (CSV) of JMeter.
    #[arg(value_name = "RUN")]
    pub run: PathBuf,
    #[command(flatten)]
    pub reporting: Reporting,
    /// Folder for the report; by default that of the run.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct CompareOptions {
    /// The runs, first the one to compare with. Runs with the same label, or the same commit, are repetitions.
    #[arg(value_name = "RUN", num_args = 2..)]
    pub runs: Vec<PathBuf>,
    /// Output format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Output format of a document.
#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub enum Format {
    /// For the terminal.
    #[default]
    Text,
    /// Markdown.
    Markdown,
    /// One self-contained page.
    Html,
}

/// The thresholds that were not met.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct NotKept(Vec<String>);

pub fn report(options: &ReportOptions) -> anyhow::Result<()> {
    let results = read(&options.run)?;
    let folder = match &options.out {
        Some(folder) => folder.as_path(),
        None if options.run.is_dir() => &options.run,
        None => options.run.parent().unwrap_or(Path::new("")),
    };
    let verdicts = write(&results, &options.reporting, folder)?;
    kept(&verdicts)
}

/// Writes the report and the files for other tools into a folder, and prints where. Returns the results of the
/// thresholds.
pub fn write(results: &Results, reporting: &Reporting, folder: &Path) -> anyhow::Result<Vec<Verdict>> {
    let verdicts = threshold::check(results, &reporting.thresholds);
    let beside = Beside {
        last: last(&reporting.last)?,
        verdicts: &verdicts,
        slow_ms: Some(reporting.slow.as_secs_f64() * 1000.0),
    };
    let document = report::document(results, &beside);
    let page = html::render(&document).context("the page of the report")?;
    let page = export::put(folder, "report.html", page.as_bytes())?;
    let words = export::put(folder, "report.md", markdown::render(&document).as_bytes())?;
    export::write(folder, results, &verdicts)?;
    println!("Report: {} and {}", page.display(), words.display());
    Ok(verdicts)
}

/// An error if a threshold was not met.
pub fn kept(verdicts: &[Verdict]) -> anyhow::Result<()> {
    let broken = verdicts.iter().filter(|verdict| !verdict.kept);
    let broken: Vec<String> = broken.map(Verdict::in_words).collect();
    if broken.is_empty() {
        return Ok(());
    }
    Err(NotKept(broken).into())
}

/// The runs of the last release as repetitions of one another, whatever their labels.
fn last(runs: &[PathBuf]) -> anyhow::Result<Option<Group>> {
    let runs = runs.iter().map(|run| read(run)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = runs.first() else {
        return Ok(None);
    };
    let label = first.run.label.clone();
    let name = label.map_or_else(|| "the last run".to_owned(), |label| format!("the last run ({label})"));
    Ok(Some(Group { name, runs }))
}

pub fn compare(options: &CompareOptions) -> anyhow::Result<()> {
    let runs = options.runs.iter().map(|run| read(run));
    let groups = group::groups(runs.collect::<Result<_, _>>()?);
    print(&pages::document(&groups), options.format)
}

/// Prints published results.
pub fn published(format: Format) -> anyhow::Result<()> {
    let reports = published::reports().context("the published figures")?;
    print(&published::document(&reports), format)
}

fn print(document: &Document, format: Format) -> anyhow::Result<()> {
    match format {
        Format::Text => print!("{}", text::render(document)),
        Format::Markdown => print!("{}", markdown::render(document)),
        Format::Html => print!("{}", html::render(document).context("the page")?),
    }
    Ok(())
}

fn read(run: &Path) -> anyhow::Result<Results> {
    if jtl::read::is_one(run) {
        return Ok(jtl::read::read(run)?);
    }
    Ok(file::read(run)?)
}
