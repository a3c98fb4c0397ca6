//! A client's connection, and clients that read.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use lab::{
    access::Access,
    client::{Answer, Connection},
    results::histogram::Latencies,
};
use serde_json::Value;
use tokio::time::timeout;

use crate::process::Carrel;

/// Time limit of an answer.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A client's connection to Carrel, reopened when lost.
pub struct Line {
    access: Arc<Access>,
    connection: Option<Connection>,
}

impl Line {
    pub fn new(access: &Arc<Access>) -> Self {
        Self { access: Arc::clone(access), connection: None }
    }

    pub async fn post(&mut self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let body = body.to_string();
        self.send(&self.access.request("POST", path, Some(("application/json", &body)))).await
    }

    pub async fn send(&mut self, request: &[u8]) -> anyhow::Result<Answer> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.access.target.connect().await?,
        };
        let answer = timeout(PATIENCE, connection.send(request, true)).await;
        let answer = answer.context("no answer in time")??;
        self.connection = Some(connection);
        Ok(answer)
    }
}

/// `clients` read these paths in turn for `time`.
pub async fn read_in_turn(
    access: &Arc<Access>,
    paths: Vec<String>,
    clients: usize,
    time: Duration,
) -> anyhow::Result<Latencies> {
    let mut running = Vec::new();
    let paths: Arc<[String]> = paths.into();
    for client in 0..clients {
        running.push(tokio::spawn(read(Line::new(access), Arc::clone(&paths), client * paths.len() / clients, time)));
    }
    let mut all = Latencies::default();
    for client in running {
        all.merge(&client.await??);
    }
    Ok(all)
}

/// Kinds of requests in a table: the name, the paths in turn, and the most milliseconds that 95 % of them may take.
pub struct Kind<'a> {
    pub name: &'a str,
    pub paths: &'a [String],
    pub aim: Option<f64>,
}

/// Prints the head of a table of requests.
pub fn head() {
    println!("\n| clients | request | p50 ms | p95 ms | per second | Carrel ms | PostgreSQL ms |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
}

/// Measures requests of a kind, and prints their row: a p95 above the aim is bold.
pub async fn row(
    carrel: &Carrel,
    access: &Arc<Access>,
    kind: Kind<'_>,
    clients: usize,
    time: Duration,
) -> anyhow::Result<()> {
    carrel.usage().await?;
    let latencies = read_in_turn(access, kind.paths.to_vec(), clients, time).await?;
    let used = carrel.usage().await?;
    let each = |cores: f64| cores * time.as_secs_f64() * 1000.0 / latencies.count().max(1) as f64;
    let p95 = latencies.quantile_ms(0.95);
    let mark = if kind.aim.is_some_and(|aim| p95 > aim) { "**" } else { "" };
    println!(
        "| {clients} | {} | {:.2} | {mark}{p95:.2}{mark} | {:.0} | {:.2} | {:.2} |",
        kind.name,
        latencies.quantile_ms(0.5),
        latencies.count() as f64 / time.as_secs_f64(),
        each(used.cores),
        each(used.database_cores)
    );
    Ok(())
}

async fn read(mut line: Line, paths: Arc<[String]>, first: usize, time: Duration) -> anyhow::Result<Latencies> {
    let mut latencies = Latencies::default();
    let end = Instant::now() + time;
    let mut turn = first;
    while Instant::now() < end {
        let path = &paths[turn % paths.len()];
        turn += 1;
        let began = Instant::now();
        let answer = line.send(&line.access.request("GET", path, None)).await?;
        ensure!(answer.status == 200, "{path}: {} {}", answer.status, answer.excerpt(200));
        latencies.record(began.elapsed());
    }
    Ok(latencies)
}
