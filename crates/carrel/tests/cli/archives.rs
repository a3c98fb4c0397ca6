//! The archives of a library as an operator gets them, and as the lab measures them.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::support::{Carrel, carrel, data_dir, database, send};

/// A session of the user `admin`; `None` if the password is not theirs.
pub async fn session(carrel: &Carrel, password: &str) -> Option<String> {
    let url = format!("http://{}/users/admin/login?password={password}", carrel.archives);
    let answer = reqwest::Client::new().post(url).send().await.expect("an answer");
    let answer: Value = serde_json::from_str(&answer.text().await.expect("a text")).expect("JSON");
    answer["session"].as_str().map(str::to_owned)
}

pub async fn text(carrel: &Carrel, session: &str, path: &str) -> String {
    let url = format!("http://{}{path}", carrel.archives);
    let answer = reqwest::Client::new().get(url).header("x-archivesspace-session", session).send().await;
    let answer = answer.expect("an answer");
    assert_eq!(answer.status().as_u16(), 200, "{path}");
    answer.text().await.expect("a text")
}

pub fn make(data: &Path) {
    let sizes = ["--items=2", "--instances=1", "--users=1", "--resources=2", "--components=200"];
    let made = carrel(data, &[&["sample"], &sizes[..]].concat());
    let said = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(made.status.success(), "{said}");
    assert!(said.contains("2 collections, 200 components") && said.contains("INSECURE"), "{said}");
}

/// How many records a search of everything finds, and whether the answer says that something may be missing; `None` while the
/// index is made.
pub async fn found(carrel: &Carrel, session: &str, word: &str) -> Option<(u64, bool)> {
    let url = format!("http://{}/search?q={word}&page=1", carrel.archives);
    let answer = reqwest::Client::new().get(url).header("x-archivesspace-session", session).send().await;
    let answer = answer.expect("an answer");
    if answer.status().as_u16() == 503 {
        return None;
    }
    assert_eq!(answer.status().as_u16(), 200);
    let is_behind = answer.headers().contains_key("x-carrel-search-behind");
    let body: Value = serde_json::from_str(&answer.text().await.expect("a text")).expect("JSON");
    Some((body["total_hits"].as_u64().expect("a number"), is_behind))
}

/// Waits until the index has everything; returns how many records have the word.
pub async fn until_found(carrel: &Carrel, session: &str, word: &str) -> u64 {
    let deadline = Instant::now() + Duration::from_secs(120);
    loop {
        if let Some((many, false)) = found(carrel, session, word).await {
            return many;
        }
        assert!(Instant::now() < deadline, "the index is never complete");
    }
}

/// Adds a subject of one term; `false` if the server is gone.
pub async fn add_subject(carrel: &Carrel, session: &str, term: &str) -> bool {
    let term = json!({"term": term, "term_type": "topical", "vocabulary": "/vocabularies/1"});
    let subject = json!({"terms": [term], "source": "local", "vocabulary": "/vocabularies/1"});
    let request = reqwest::Client::new().post(format!("http://{}/subjects", carrel.archives));
    let request = request.header("x-archivesspace-session", session).body(subject.to_string());
    let Ok(answer) = request.send().await else { return false };
    let status = answer.status().as_u16();
    let Ok(text) = answer.text().await else { return false };
    assert_eq!(status, 200, "{text}");
    true
}

#[tokio::test]
async fn the_sample_has_finding_aids_and_the_lab_measures_them() {
    let dir = data_dir();
    make(dir.path());
    let running = Carrel::start(dir.path());
    let session = session(&running, "admin").await.expect("a session");
    let finding_aid = text(&running, &session, "/repositories/2/resource_descriptions/1.xml").await;
    assert!(finding_aid.matches("<c ").count() > 30, "{finding_aid}");
    assert!(until_found(&running, &session, "papers").await > 0);

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
        assert_eq!(transaction["errors"], json!({}), "{transaction}");
        assert!(transaction["count"].as_u64() > Some(0), "{transaction}");
    }
    let report = std::fs::read_to_string(out.join("report.md")).expect("a report");
    assert!(report.contains("110,000 queries"), "the published findings: {report}");
    assert!(running.stop("TERM").success());
}

/// A first start makes the folder of its data itself.
#[tokio::test]
async fn the_index_of_a_first_start_is_beside_its_data() {
    let dir = data_dir();
    let data = dir.path().join("new");
    let mut command = super::support::command(&data);
    command.arg("--sample");
    let running = Carrel::start_with(command);
    let session = session(&running, "admin").await.expect("a session");
    assert!(until_found(&running, &session, "letters").await > 0);
    assert!(data.join("search").is_dir(), "the index is elsewhere, and gone after the next start");
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

/// Sends a finding aid with this many components to be imported; returns the address of the job.
async fn import(carrel: &Carrel, session: &str, components: usize) -> String {
    let parts: String = (0..components)
        .map(|n| format!("<c level=\"file\" id=\"k{n}\"><did><unittitle>File {n}</unittitle></did></c>"))
        .collect();
    let job = r#"{"job": {"jsonmodel_type": "import_job", "filenames": ["a.xml"], "import_type": "ead_xml"}}"#;
    let body = format!(
        "--xx\r\nContent-Disposition: form-data; name=\"job\"\r\n\r\n{job}\r\n--xx\r\nContent-Disposition: form-data; \
         name=\"files[0]\"; filename=\"a.xml\"\r\n\r\n<ead><eadheader><eadid>killed</eadid></eadheader><archdesc \
         level=\"collection\"><did><unitid>KILL 1</unitid><unittitle>Papers</unittitle><unitdate>1900</unitdate><physdesc>\
         <extent>1 box</extent></physdesc></did><dsc>{parts}</dsc></archdesc></ead>\r\n--xx--\r\n"
    );
    let url = format!("http://{}/repositories/2/jobs_with_files", carrel.archives);
    let request = reqwest::Client::new().post(url).header("x-archivesspace-session", session);
    let answer = request.header("content-type", "multipart/form-data; boundary=xx").body(body).send().await;
    let answer: Value = serde_json::from_str(&answer.expect("an answer").text().await.expect("a text")).expect("JSON");
    answer["uri"].as_str().expect("an address").to_owned()
}

/// Waits until a job has a status, having had no others than these.
async fn wait_for(carrel: &Carrel, session: &str, job: &str, before: &[&str], status: &str) {
    loop {
        let found: Value = serde_json::from_str(&text(carrel, session, job).await).expect("JSON");
        let found = found["status"].as_str().expect("a status");
        if found == status {
            return;
        }
        assert!(before.contains(&found), "{found}, not {status}");
    }
}

async fn many(carrel: &Carrel, session: &str, kind: &str) -> usize {
    let ids = text(carrel, session, &format!("/repositories/2/{kind}?all_ids=true")).await;
    serde_json::from_str::<Vec<u64>>(&ids).expect("ids").len()
}

#[tokio::test]
async fn an_import_whose_process_is_killed_begins_again_and_is_made_once() {
    let dir = data_dir();
    make(dir.path());
    let running = Carrel::start(dir.path());
    let admin = session(&running, "admin").await.expect("a session");
    let before = (many(&running, &admin, "resources").await, many(&running, &admin, "archival_objects").await);
    let job = import(&running, &admin, 5_000).await;
    wait_for(&running, &admin, &job, &["queued"], "running").await;
    send("KILL", running.process.id());
    drop(running);
    let running = Carrel::start(dir.path());
    let admin = session(&running, "admin").await.expect("a session");
    let between = (many(&running, &admin, "resources").await, many(&running, &admin, "archival_objects").await);
    assert_eq!(between, before, "nothing half-imported remains");
    // As if the time were over in which the process might still have lived.
    let sooner = "UPDATE t_diku.job SET run_after = 'epoch' WHERE kind = 'archives' AND state = 'running'";
    assert_eq!(database(dir.path()).await.execute(sooner, &[]).await.expect("an update"), 1);
    wait_for(&running, &admin, &job, &["running"], "completed").await;
    let after = (many(&running, &admin, "resources").await, many(&running, &admin, "archival_objects").await);
    assert_eq!(after, (before.0 + 1, before.1 + 5_000));
    let log = text(&running, &admin, &format!("{job}/log")).await;
    assert!(log.contains("it begins again") && log.contains("5001 records saved"), "{log}");
}
