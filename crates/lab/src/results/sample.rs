//! Hand-made results, for tests of code that reads results.

use std::{collections::BTreeMap, time::Duration};

use super::{
    histogram::Latencies,
    model::{
        Arrivals, Correction, Environment, Figures, Generator, Latency, Results, Run, SCHEMA, Series, Stage, Target,
        Timeline, Workload,
    },
};

/// Latencies in milliseconds.
pub fn latencies(millis: impl IntoIterator<Item = u64>) -> Latencies {
    let mut latencies = Latencies::default();
    millis.into_iter().for_each(|millis| latencies.record(Duration::from_millis(millis)));
    latencies
}

/// Figures of something with these latencies.
pub fn figures(name: &str, method_and_path: Option<(&str, &str)>, latencies: Latencies) -> Figures {
    let latency = Latency::from(latencies);
    Figures {
        name: name.to_owned(),
        method: method_and_path.map(|(method, _)| method.to_owned()),
        path: method_and_path.map(|(_, path)| path.to_owned()),
        count: latency.count,
        errors: BTreeMap::new(),
        bytes: 1_000 * latency.count,
        records: None,
        per_record_ms: None,
        statements: None,
        corrected: latency.clone(),
        measured: latency,
    }
}

/// A stage of ten seconds with this number of users.
pub fn stage(users: u32, transactions: Vec<Figures>, requests: Vec<Figures>) -> Stage {
    let sum = |figures: &[Figures]| figures.iter().map(|f| f.count as f64).sum::<f64>() / 10.0;
    Stage {
        users: Some(users),
        rate: None,
        begins_at: 0,
        counts_from: 2,
        ends_at: 12,
        seconds: 10.0,
        transactions_per_second: sum(&transactions),
        requests_per_second: sum(&requests),
        transactions,
        requests,
        generator: Generator::default(),
        correction: Correction::ExpectedInterval { session_ms: 100.0 },
    }
}

/// A run of check-ins and check-outs with one user.
pub fn results() -> Results {
    let transactions =
        vec![figures("Check-in", None, latencies(1..=100)), figures("Check-out", None, latencies(2..=101))];
    let path = "/circulation/check-in-by-barcode";
    let requests = vec![figures("check in", Some(("POST", path)), latencies(1..=50))];
    Results {
        schema: SCHEMA,
        run: Run {
            id: "20261122T101500Z-check-in-check-out".to_owned(),
            began: "2026-11-22T10:15:00Z".parse().expect("a time"),
            ended: "2026-11-22T10:15:12Z".parse().expect("a time"),
            cut_short: None,
            command: ["carrel", "lab", "run"].map(str::to_owned).to_vec(),
            lab: "0.1.0".to_owned(),
            label: None,
        },
        workload: Workload {
            name: "check-in-check-out".to_owned(),
            title: "A session at the desk".to_owned(),
            sha256: "0".repeat(64),
            arrivals: Arrivals::Closed,
            think_time: false,
            ramp_up_seconds: 0.0,
            warm_up_seconds: 2.0,
            stage_seconds: 10.0,
            shares: BTreeMap::from([("Check-in".to_owned(), 0.5), ("Check-out".to_owned(), 0.5)]),
        },
        target: Target {
            url: "http://127.0.0.1:9130".to_owned(),
            tenant: Some("diku".to_owned()),
            product: Some("Carrel".to_owned()),
            version: Some("0.1.0".to_owned()),
            records: BTreeMap::from([("items".to_owned(), 8_000)]),
        },
        environment: Environment::default(),
        stages: vec![stage(1, transactions, requests)],
        timeline: timeline(12),
        watch: BTreeMap::new(),
        hours: Vec::new(),
        drift: Vec::new(),
        statements: Vec::new(),
        warnings: Vec::new(),
    }
}

fn timeline(seconds: usize) -> Timeline {
    let series = Series {
        count: vec![10; seconds],
        errors: vec![0; seconds],
        p50_ms: vec![Some(50.0); seconds],
        p95_ms: vec![Some(95.0); seconds],
        max_ms: vec![Some(100.0); seconds],
    };
    let names = ["Check-in", "Check-out"];
    let transactions = names.map(|name| (name.to_owned(), series.clone()));
    Timeline { users: vec![1; seconds], transactions: transactions.into() }
}
