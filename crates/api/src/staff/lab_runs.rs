//! The runs of the performance lab that this installation keeps: their list, and the report of each, for whom the
//! metrics are. What a run's folder has is documented in `docs/lab/README.md`.

use std::{
    fs::{self, File},
    io::BufReader,
    path::{Path, PathBuf},
};

use axum::body::Body;
use http::{Response, StatusCode};
use serde::{Deserialize, Serialize};

use super::{text, typed};
use crate::app::App;

/// Runs in the list; older ones stay in the folder.
const MOST_RUNS: usize = 50;
/// Results and reports that are larger are not read: those of a day's run have a few megabytes.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// What the list tells of a run, with the names of `results.json`; the rest of that file is skipped.
#[derive(Debug, Deserialize, Serialize)]
struct Listed {
    run: Run,
    workload: Workload,
    target: Target,
    #[serde(default)]
    stages: Vec<Stage>,
    #[serde(default)]
    warnings: Vec<String>,
    /// The name of its folder, by which its report is read.
    #[serde(default)]
    folder: String,
    #[serde(default, rename = "hasReport")]
    has_report: bool,
}

#[derive(Debug, Deserialize, Serialize)]
struct Run {
    began: String,
    ended: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cut_short: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Workload {
    name: String,
    title: String,
}

#[derive(Debug, Deserialize, Serialize)]
struct Target {
    url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    product: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    version: Option<String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Stage {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    users: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rate: Option<f64>,
    transactions_per_second: f64,
}

/// Answers `/lab/runs` and `/lab/runs/{folder}/report`. The files are read apart from the threads that serve requests.
pub(super) async fn serve(app: &App, path: String) -> Response<Body> {
    let Some(folder) = app.settings.lab_directory.clone() else { return none() };
    let answer = tokio::task::spawn_blocking(move || answer(&folder, &path)).await;
    answer.unwrap_or_else(|_| text(StatusCode::INTERNAL_SERVER_ERROR, "The runs could not be read\n"))
}

fn answer(folder: &Path, path: &str) -> Response<Body> {
    match path.strip_prefix("/lab/runs") {
        Some("" | "/") => typed("application/json", serde_json::json!({"runs": runs(folder)}).to_string()),
        Some(rest) => match rest.strip_prefix('/').and_then(|rest| rest.strip_suffix("/report")) {
            Some(run) => report(folder, run),
            None => none(),
        },
        None => none(),
    }
}

fn none() -> Response<Body> {
    text(StatusCode::NOT_FOUND, "There is no such run\n")
}

/// The newest runs first. The lab begins the names of their folders with the time, which tells the newest of many. What is no
/// run is passed over.
fn runs(folder: &Path) -> Vec<Listed> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut names: Vec<String> = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort_unstable_by(|one, other| other.cmp(one));
    let mut runs: Vec<_> = names.into_iter().filter_map(|name| listed(folder, name)).take(MOST_RUNS).collect();
    runs.sort_by(|one, other| other.run.began.cmp(&one.run.began));
    runs
}

fn listed(folder: &Path, name: String) -> Option<Listed> {
    let folder = folder.join(&name);
    let file = File::open(small(folder.join("results.json"))?).ok()?;
    let read: Listed = serde_json::from_reader(BufReader::new(file)).ok()?;
    Some(Listed { folder: name, has_report: folder.join("report.html").is_file(), ..read })
}

/// The page that the lab has made of a run, without scripts.
fn report(folder: &Path, run: &str) -> Response<Body> {
    // The name of a folder directly below, and nothing that leads elsewhere.
    if run.is_empty() || run.starts_with('.') || run.contains(['/', '\\', '%']) {
        return none();
    }
    let page = small(folder.join(run).join("report.html")).and_then(|path| fs::read(path).ok());
    page.map_or_else(none, |page| typed("text/html; charset=utf-8", page))
}

fn small(path: PathBuf) -> Option<PathBuf> {
    let about = fs::metadata(&path).ok()?;
    (about.is_file() && about.len() <= MOST_BYTES).then_some(path)
}
