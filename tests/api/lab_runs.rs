//! `/lab/runs` of the staff port: the runs of the performance lab that an installation keeps.

use std::path::PathBuf;

use testkit::{Client, library_with};

/// The runs that are kept with the documents.
fn kept() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/lab/2026-11-24-archives")
}

#[tokio::test]
async fn the_runs_of_the_folder_are_listed_with_their_reports() {
    let library = library_with(|settings| settings.lab_directory = Some(kept())).await;
    let page = Client::new(&library.staff, &[]).unchecked();
    let list = page.get("/lab/runs").await.expect(200).json();
    let runs = list["runs"].as_array().expect("runs");
    let folders: Vec<_> = runs.iter().map(|run| run["folder"].as_str().expect("a folder")).collect();
    assert_eq!(folders, ["no-think-time", "with-think-time"]);
    for run in runs {
        assert_eq!(run["workload"]["name"], "archives");
        assert_eq!(run["hasReport"], true);
        assert!(!run["stages"].as_array().expect("stages").is_empty());
        assert_eq!(run["timeline"], serde_json::Value::Null, "only what the list shows");
    }
    let report = page.get("/lab/runs/no-think-time/report").await.expect(200);
    assert_eq!(report.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(report.text.starts_with("<!doctype html>"));
}

#[tokio::test]
async fn only_reports_of_runs_in_the_folder_are_given() {
    let library = library_with(|settings| settings.lab_directory = Some(kept())).await;
    let page = Client::new(&library.staff, &[]).unchecked();
    for path in [
        "/lab/runs/missing/report",
        "/lab/runs/no-think-time",
        "/lab/runs/no-think-time/results.json",
        "/lab/runs/%2e%2e/report",
        "/lab/runs/..%2f2026-11-24-archives%2fno-think-time/report",
        "/lab/runs//report",
        "/lab/",
    ] {
        page.get(path).await.expect(404);
    }
}

#[tokio::test]
async fn an_installation_without_runs_has_an_empty_list() {
    let library = library_with(|settings| settings.lab_directory = Some(kept().join("none"))).await;
    let page = Client::new(&library.staff, &[]).unchecked();
    assert_eq!(page.get("/lab/runs").await.expect(200).json(), serde_json::json!({"runs": []}));
}

#[tokio::test]
async fn the_runs_are_for_whom_the_metrics_are() {
    let library = library_with(|settings| settings.lab_directory = Some(kept())).await;
    let elsewhere = Client::new(&library.staff, &[("x-forwarded-for", "192.0.2.1")]).unchecked();
    elsewhere.get("/lab/runs").await.expect(403);
    elsewhere.get("/lab/runs/no-think-time/report").await.expect(403);
}
