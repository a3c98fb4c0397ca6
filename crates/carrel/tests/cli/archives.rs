//! The archives of a library as an operator gets them, and as the lab measures them.

use std::path::Path;

use serde_json::Value;

use super::support::{Carrel, carrel, data_dir};

/// A session of the user `admin`; `None` if the password is not theirs.
async fn session(carrel: &Carrel, password: &str) -> Option<String> {
    let url = format!("http://{}/users/admin/login?password={password}", carrel.archives);
    let answer = reqwest::Client::new().post(url).send().await.expect("an answer");
    let answer: Value = serde_json::from_str(&answer.text().await.expect("a text")).expect("JSON");
    answer["session"].as_str().map(str::to_owned)
}

async fn text(carrel: &Carrel, session: &str, path: &str) -> String {
    let url = format!("http://{}{path}", carrel.archives);
    let answer = reqwest::Client::new().get(url).header("x-archivesspace-session", session).send().await;
    let answer = answer.expect("an answer");
    assert_eq!(answer.status().as_u16(), 200, "{path}");
    answer.text().await.expect("a text")
}

fn make(data: &Path) {
    let sizes = ["--items=2", "--instances=1", "--users=1", "--resources=2", "--components=200"];
    let made = carrel(data, &[&["sample"], &sizes[..]].concat());
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(made.status.success(), "{said}");
    assert!(said.contains("2 collections, 200 components") && said.contains("INSECURE"), "{said}");
}

#[tokio::test]
async fn the_sample_has_finding_aids_and_the_lab_measures_them() {
    let dir = data_dir();
    make(dir.path());
    let running = Carrel::start(dir.path());
    let session = session(&running, "admin").await.expect("a session");
    let finding_aid = text(&running, &session, "/repositories/2/resource_descriptions/1.xml").await;
    assert!(finding_aid.matches("<c ").count() > 30, "{finding_aid}");
    let found = text(&running, &session, "/repositories/2/search?q=papers&page=1").await;
    assert!(found.contains("\"total_hits\":"), "{found}");

    let out = dir.path().join("measured");
    let (url, folder) = (format!("http://{}", running.archives), out.display().to_string());
    let arguments = ["lab", "run", "--workload", "archives", "--url", &url, "--user", "admin", "--password", "admin"];
    let options = ["--no-think-time", "--transactions", "24", "--warm-up", "0", "--ramp-up", "0", "--out", &folder];
    let measured = carrel(dir.path(), &[&arguments[..], &options].concat());
    let said = String::from_utf8_lossy(&measured.stderr);
    assert!(measured.status.success(), "{said}");
    let results = std::fs::read_to_string(out.join("results.json")).expect("results");
    let results: Value = serde_json::from_str(&results).expect("JSON");
    assert_eq!(results["target"]["product"], "Carrel");
    for transaction in results["stages"][0]["transactions"].as_array().expect("transactions") {
        assert_eq!(transaction["errors"], serde_json::json!({}), "{transaction}");
        assert!(transaction["count"].as_u64() > Some(0), "{transaction}");
    }
    let report = std::fs::read_to_string(out.join("report.md")).expect("a report");
    assert!(report.contains("110,000 queries"), "the published findings: {report}");
    assert!(running.stop("TERM").success());
}

#[tokio::test]
async fn a_real_library_has_the_password_of_its_setting_and_no_other() {
    let dir = data_dir();
    let made = carrel(dir.path(), &["tenant", "create", "lib1"]);
    assert!(made.status.success() && !String::from_utf8_lossy(&made.stdout).contains("archives"));
    let running = Carrel::start(dir.path());
    assert_eq!(session(&running, "admin").await, None);
    assert!(running.stop("TERM").success());

    let mut command = super::support::command(dir.path());
    command.env("CARREL_ARCHIVES_ADMIN_PASSWORD", "chosen");
    let running = Carrel::start_with(command);
    assert_eq!(session(&running, "admin").await, None);
    assert!(session(&running, "chosen").await.is_some());
    assert!(running.stop("TERM").success());
}
