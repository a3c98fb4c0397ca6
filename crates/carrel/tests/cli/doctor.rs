//! `carrel doctor` on a real installation, healthy and with faults.

use std::path::Path;

use serde_json::Value;

use crate::archives;
use crate::kill::Desk;
use crate::search;
use crate::support::{Carrel, carrel, data_dir, database};

/// The findings as JSON, and the exit code.
fn examined(data_dir: &Path, arguments: &[&str]) -> (Vec<Value>, Option<i32>) {
    let output = carrel(data_dir, &[&["doctor", "--json"], arguments].concat());
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let findings = report["findings"].as_array().cloned();
    (findings.expect("findings"), output.status.code())
}

/// Nothing is wrong with what these checks look at.
pub fn assert_sound(data_dir: &Path, checks: &[&str]) {
    let (findings, _) = examined(data_dir, &[]);
    for check in checks {
        let mut of_check = findings.iter().filter(|finding| finding["check"] == *check).peekable();
        assert!(
            of_check.peek().is_some() && of_check.all(|finding| finding["level"] == "ok"),
            "{check}: {findings:#?}"
        );
    }
}

fn failed(findings: &[Value]) -> impl Iterator<Item = &Value> {
    findings.iter().filter(|finding| finding["level"] == "fail")
}

/// The failures of the installation as text. Findings about the disk are left out, because they depend on the machine
/// that runs the test (`disk_full` has a disk of its own).
fn faults(findings: &[Value]) -> Vec<String> {
    failed(findings)
        .filter(|finding| finding["check"] != "disk")
        .map(|finding| finding["finding"].as_str().unwrap_or_default().to_owned())
        .collect()
}

async fn run(data_dir: &Path, statements: &str) {
    let client = database(data_dir).await;
    // One by one: ALTER SYSTEM cannot run in a transaction.
    for statement in statements.split(';') {
        client.batch_execute(statement).await.expect("it runs");
    }
}

const PATRON: &str = "6b5a26d5-1a2c-4a1c-9c4f-6a8f0a1b2c3d";

#[tokio::test]
async fn a_fresh_installation_is_sound_and_each_fault_is_found() {
    let directory = data_dir();
    let data = directory.path();
    let created = carrel(data, &["tenant", "create", "lib1"]);
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));

    let running = Carrel::start(data);
    let (findings, code) = examined(data, &[]);
    assert_eq!(faults(&findings), Vec::<String>::new());
    assert_eq!(code, Some(i32::from(failed(&findings).count() > 0)));
    let checked = |name: &str| findings.iter().any(|f| f["check"] == name && f["level"] == "ok");
    for check in
        ["settings", "clock", "connections", "schema", "indexes", "constraints", "bloat", "counters", "columns"]
    {
        assert!(checked(check), "{check}: {findings:#?}");
    }

    run(
        data,
        &format!(
            "DROP INDEX t_lib1.loan_open_by_borrower_due;
             UPDATE pg_index SET indisvalid = false WHERE indexrelid = 't_lib1.accounts_open_by_user'::regclass;
             ALTER TABLE t_lib1.feefineactions DISABLE TRIGGER fee_movement_told;
             INSERT INTO t_lib1.patron_counters (user_id, open_loans, fee_balance) VALUES ('{PATRON}', 3, 1.50);
             DELETE FROM t_lib1.schema_history WHERE version = 10;
             ALTER SYSTEM SET synchronous_commit = off;
             ALTER SYSTEM SET fsync = off"
        ),
    )
    .await;
    assert!(running.stop("TERM").success());

    // No Carrel runs it now, so the doctor starts it with the new settings.
    let (findings, code) = examined(data, &[]);
    assert_eq!(code, Some(1));
    let faults_found = faults(&findings);
    for fault in [
        "fsync is off".to_owned(),
        "synchronous_commit is off".to_owned(),
        "The index accounts_open_by_user of accounts cannot be used".to_owned(),
        "The trigger fee_movement_told of feefineactions is disabled".to_owned(),
        "Migration 10 of t_lib1 is missing, though".to_owned(),
        format!("The counters of patron {PATRON} are wrong: 3 open loans instead of 0, a debt of 1.5 instead of 0"),
    ] {
        assert!(faults_found.iter().any(|found| found.starts_with(&fault)), "{fault}: {faults_found:#?}");
    }

    let (findings, _) = examined(data, &["--repair-counters", "lib1"]);
    assert!(!faults(&findings).iter().any(|fault| fault.contains("counters")));
}

#[tokio::test]
async fn the_doctors_advice_restores_an_index() {
    let directory = data_dir();
    let data = directory.path();
    let created = carrel(data, &["tenant", "create", "lib1"]);
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    let running = Carrel::start(data);
    run(data, "DROP INDEX t_lib1.loan_one_open_for_an_item").await;

    let (findings, code) = examined(data, &[]);
    let fault = findings.iter().find(|finding| finding["level"] == "fail").expect("a fault");
    assert_eq!((fault["tenant"].as_str(), code), (Some("lib1"), Some(1)), "{fault}");
    assert_eq!(fault["finding"], "The index loan_one_open_for_an_item of loan is missing");
    run(data, fault["sql"].as_str().expect("what to run")).await;

    // As on an external PostgreSQL with statement statistics: one statement returns far too many rows.
    run(data, "CREATE EXTENSION pg_stat_statements").await;
    run(data, &["SELECT generate_series(1, 20000)"; 10].join(";")).await;
    let socket = data.join("run").display().to_string().replace('/', "%2F");
    let url = format!("postgres://carrel@{socket}/carrel");
    let (findings, code) = examined(data, &["--database-url", &url]);
    assert_eq!(code, Some(0), "{findings:#?}");
    let finds = |check: &str, level: &str, text: &str| {
        let mut findings = findings.iter();
        findings.any(|finding| {
            let sentence = finding["finding"].as_str().unwrap_or_default();
            finding["check"] == check && finding["level"] == level && sentence.contains(text)
        })
    };
    assert!(finds("statements", "warn", "returns 20000 rows on average of 10 calls"), "{findings:#?}");
    assert!(finds("disk", "skip", "not looked at"), "{findings:#?}");

    let words = carrel(data, &["doctor"]);
    let words = String::from_utf8_lossy(&words.stdout).into_owned();
    assert!(words.contains("ok    indexes "), "{words}");
    assert!(running.stop("TERM").success());
}

#[test]
fn without_a_database_it_reports_that_and_creates_none() {
    let directory = data_dir();
    let output = carrel(directory.path(), &["doctor"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("there is no database in"), "{text}");
    assert!(!directory.path().join("postgres").exists());
}

/// An item whose state says it is lost, and one without a state; loans, a check-in and a session with wrong columns, beside
/// right ones.
const DISAGREEING: &str = "SET session_replication_role = replica;
    INSERT INTO t_lib1.item (id, doc) VALUES ('00000000-0000-4000-8000-000000000001', '{}'),
      ('00000000-0000-4000-8000-000000000002', '{}'), ('00000000-0000-4000-8000-000000000003', '{}');
    INSERT INTO t_lib1.item_state (id, state) VALUES
      ('00000000-0000-4000-8000-000000000001', '{\"status\": {\"name\": \"Missing\"}}'),
      ('00000000-0000-4000-8000-000000000002', '{\"status\": {\"name\": \"Available\"}}'),
      ('00000000-0000-4000-8000-000000000004', '{\"status\": {\"name\": \"Available\"}}');
    INSERT INTO t_lib1.item_uncommon_status (record_id, name) VALUES
      ('00000000-0000-4000-8000-000000000002', 'Missing');
    INSERT INTO t_lib1.loan (id, rest, itemid) VALUES
      ('00000000-0000-4000-8000-000000000011', '{\"itemId\": \"00000000-0000-4000-8000-000000000001\"}', NULL),
      ('00000000-0000-4000-8000-000000000012', NULL, '00000000-0000-4000-8000-000000000001');
    INSERT INTO t_lib1.check_in (id, rest) VALUES
      ('00000000-0000-4000-8000-000000000031', '{\"itemId\": \"00000000-0000-4000-8000-000000000001\"}');
    INSERT INTO t_lib1.patron_action_session (id, rest) VALUES
      ('00000000-0000-4000-8000-000000000041', '{\"patronId\": \"00000000-0000-4000-8000-000000000001\"}')";

#[tokio::test]
async fn what_disagrees_with_the_records_is_found_and_derived_again() {
    let directory = data_dir();
    let data = directory.path();
    let created = carrel(data, &["tenant", "create", "lib1"]);
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    let running = Carrel::start(data);
    // All on one connection, on which no keys and triggers are checked.
    database(data).await.batch_execute(DISAGREEING).await.expect("it runs");

    let of_columns = |findings: &[Value]| -> Vec<String> {
        let of = findings.iter().filter(|finding| finding["check"] == "columns" && finding["level"] == "fail");
        of.map(|finding| finding["finding"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let (findings, code) = examined(data, &[]);
    assert_eq!(code, Some(1));
    let id = |last: &str| format!("00000000-0000-4000-8000-0000000000{last}");
    let differ = "have columns that do not follow from the record, such as";
    let mut expected = vec![
        format!("1 rows of loan {differ} {}", id("11")),
        format!("1 rows of check_in {differ} {}", id("31")),
        format!("1 rows of patron_action_session {differ} {}", id("41")),
        format!("1 rows of item have no row in item_state, such as {}", id("03")),
        format!("1 rows of item_state have no item, such as {}", id("04")),
        format!("2 rows of item_uncommon_status do not agree with item_state, such as {}", id("01")),
    ];
    let mut found = of_columns(&findings);
    expected.sort();
    found.sort();
    assert_eq!(found, expected);

    let (findings, _) = examined(data, &["--repair-columns", "lib1"]);
    let left: Vec<_> =
        expected.iter().filter(|fault| fault.contains("rows of item have") || fault.contains("no item")).collect();
    let mut found = of_columns(&findings);
    found.sort();
    assert_eq!(found.iter().collect::<Vec<_>>(), left);
    assert!(running.stop("TERM").success());
}

/// The finding about the index of the archives or of the catalogue: its level and sentence.
fn search_index(data: &Path, of: &str) -> (String, String) {
    let (findings, _) = examined(data, &[]);
    let is_of = |finding: &&Value| {
        let sentence = finding["finding"].as_str().unwrap_or_default();
        finding["check"] == "search" && sentence.starts_with(&format!("The index for searches in the {of}, "))
    };
    let found = findings.iter().find(is_of).unwrap_or_else(|| panic!("no finding about the {of}: {findings:#?}"));
    assert_eq!(found["tenant"], "diku");
    let text = |member: &str| found[member].as_str().unwrap_or_default().to_owned();
    (text("level"), text("finding") + " " + &text("command"))
}

#[tokio::test]
async fn the_indexes_for_searches_are_looked_at() {
    let directory = data_dir();
    let data = directory.path();
    archives::make(data);
    let finds = |of: &str, level: &str, text: &str| {
        let (found, said) = search_index(data, of);
        assert!(found == level && said.contains(text), "{of}, {level}, {text}: {found}, {said}");
    };
    let running = Carrel::start(data);
    let session = archives::session(&running, "admin").await.expect("a session");
    archives::until_found(&running, &session, "papers").await;
    finds("archives", "ok", "has everything");
    finds("catalogue", "warn", "is not there start Carrel and search once, which makes it");
    search::until_found(&Desk::open(&running).await, "cql.allRecords=1").await;
    finds("catalogue", "ok", "has everything");
    assert!(running.stop("TERM").success());

    for (of, place, key) in [
        ("archives", "search/t_diku/1", serde_json::json!(["subject", 1])),
        ("catalogue", "search/catalogue/t_diku/1", serde_json::json!(PATRON)),
    ] {
        let place = data.join(place);
        let index = std::fs::read_dir(&place).expect("a folder").flatten().find(|entry| entry.path().is_dir());
        let index = index.expect("an index").path();
        finds(of, "ok", "has everything");
        let meta = std::fs::read_to_string(index.join("meta.json")).expect("the index");
        let with = |change: &dyn Fn(&mut Value)| {
            let mut meta: Value = serde_json::from_str(&meta).expect("JSON");
            let mut position = serde_json::from_str(meta["payload"].as_str().expect("a position")).expect("JSON");
            change(&mut position);
            meta["payload"] = position.to_string().into();
            std::fs::write(index.join("meta.json"), meta.to_string()).expect("written");
        };
        with(&|position| position["seconds"] = 1.into());
        finds(of, "warn", "lacks changes that are no longer kept start Carrel, which makes another");
        with(&|position| position["snapshot"] = "1:1:".into());
        finds(of, "ok", "which Carrel takes over at its next start");
        with(&|position| position["origin"] = "another".into());
        finds(of, "warn", "is of another database");
        with(&|position| position["cursor"] = key.clone());
        finds(of, "warn", "is not complete");
        with(&|position| position["version"] = 1_000_000.into());
        finds(of, "warn", "is of another version");
        std::fs::write(index.join("meta.json"), "{").expect("written");
        finds(of, "warn", "is damaged");
        std::fs::remove_dir_all(&place).expect("removed");
        finds(of, "warn", "is not there start Carrel");
        std::fs::write(&place, "a file").expect("written");
        finds(of, "fail", "cannot be read");
    }
}
