//! What `carrel lab run` measures of a real Carrel and its PostgreSQL beside the load.

use std::path::Path;
use std::process::Command;

use lab::results::{file, model::Results};

use crate::support::{Carrel, data_dir, database};

fn run(arguments: &[&str], data_dir: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carrel"));
    let output = command.args(arguments).arg("--data-dir").arg(data_dir).output();
    let output = output.expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The readable values of a series.
fn series(results: &Results, name: &str) -> Vec<f64> {
    let watched = results.watch.get(name);
    let watched = watched.unwrap_or_else(|| panic!("{name} of {:?}, {:?}", results.watch.keys(), results.warnings));
    watched.values.iter().copied().flatten().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_watches_the_server_its_database_and_its_metrics() {
    let directory = data_dir();
    let data = directory.path();
    run(&["sample", "--items", "300"], data);
    let carrel = Carrel::start(data);
    let client = database(data).await;
    client.batch_execute("CREATE EXTENSION pg_stat_statements").await.expect("it is installed");

    let socket = data.join("run").display().to_string().replace('/', "%2F");
    let (folio, metrics) = (format!("http://{}", carrel.folio), format!("http://{}/metrics", carrel.staff));
    let database = format!("postgres://carrel@{socket}/carrel");
    let results = data.join("results");
    let out = results.display().to_string();
    // So many that they are among the longest statements, however busy the machine is.
    let many = ["--transactions", "200", "--warm-up", "0"];
    let line = [["lab", "run", "--workload", "check-in-check-out", "--no-think-time"].as_slice(), &many].concat();
    let watched = ["--url", &folio, "--metrics-url", &metrics, "--database-url", &database, "--out", &out];
    run(&[line.as_slice(), watched.as_slice()].concat(), data);

    let results = file::read(&results).expect("results");
    for (name, least) in [
        ("server_cpu", 0.001),
        ("server_memory", 1e6),
        ("database_cpu", 0.001),
        ("database_memory", 1e6),
        ("database_connections", 1.0),
        ("database_cache_hits", 0.1),
        ("database_wal", 1.0),
        ("database_commits", 1.0),
        ("database_statements", 1.0),
        ("database_statements_per_transaction", 0.5),
        ("pool_connections", 1.0),
        ("round_trips", 1.0),
        ("round_trips_per_request", 0.1),
    ] {
        let highest = series(&results, name).into_iter().fold(0.0, f64::max);
        assert!(highest >= least, "{name}: {highest}");
    }
    assert!(series(&results, "pool_wait").iter().all(|millis| *millis >= 0.0));
    let fsync = results.environment.postgres.get("fsync").map(String::as_str);
    assert_eq!(fsync, Some("on"));
    let texts: Vec<_> = results.statements.iter().map(|statement| statement.text.as_str()).collect();
    assert!(texts.iter().any(|text| text.contains("write_check_out")), "{texts:#?}");
    assert!(texts.iter().all(|text| !text.contains("carrel lab")), "{texts:#?}");
    let command = results.run.command.join(" ");
    assert!(!command.contains("postgres://"), "{command}");
    assert!(carrel.stop("TERM").success());
}
