//! Clients at the desk: each checks an item out to a patron and back in, over and over.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::{
    http::{self, Answer, Connection},
    measure::Latencies,
};

/// The service point of all transactions.
pub const SERVICE_POINT: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
const RECORDS: usize = 20_000;
/// The pause before a retry.
const AGAIN: Duration = Duration::from_millis(20);
/// Attempts at a check-in.
const TRIES: usize = 3;
/// Time limit of an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// A desk with barcodes to scan.
pub struct Desk {
    address: SocketAddr,
    headers: String,
    /// Available items: id and barcode.
    pub items: Vec<(String, String)>,
    /// Active patrons: id and barcode.
    pub patrons: Vec<(String, String)>,
}

/// When the clients stop.
#[derive(Clone, Copy)]
pub enum Until {
    Elapsed(Duration),
    /// After this many check-outs and check-ins in total.
    Operations(u64),
}

/// The clients' measurements.
pub struct Measured {
    pub check_out: Latencies,
    pub check_in: Latencies,
    /// Check-outs that were refused (a blocked patron).
    pub refused: u64,
    /// Failures, by answer.
    pub failed: BTreeMap<String, u64>,
}

impl Until {
    fn is_reached(self, began: Instant, operations: u64) -> bool {
        match self {
            Until::Elapsed(time) => began.elapsed() >= time,
            Until::Operations(enough) => operations >= enough,
        }
    }
}

impl Measured {
    pub fn over(time: Duration) -> Self {
        Self {
            check_out: Latencies::new(time),
            check_in: Latencies::new(time),
            refused: 0,
            failed: BTreeMap::new(),
        }
    }

    /// Adds those of another client.
    pub fn merge(&mut self, other: &Self) {
        self.check_out.merge(&other.check_out);
        self.check_in.merge(&other.check_in);
        self.refused += other.refused;
        for (what, count) in &other.failed {
            *self.failed.entry(what.clone()).or_default() += count;
        }
    }

    /// Counts a failure.
    fn note(&mut self, what: &str, answer: anyhow::Result<Answer>) {
        let failure = match answer {
            Ok(answer) => {
                let text = String::from_utf8_lossy(&answer.body);
                let text: String = text.chars().take(80).collect();
                format!("{what}: {} {text}", answer.status)
            }
            Err(error) => format!("{what}: {error}"),
        };
        *self.failed.entry(failure).or_default() += 1;
    }

    /// Number of check-outs and check-ins.
    pub fn operations(&self) -> u64 {
        self.check_out.count() + self.check_in.count()
    }

    /// Check-outs and check-ins per second.
    pub fn rate(&self) -> f64 {
        self.check_out.rate() + self.check_in.rate()
    }
}

impl Desk {
    /// Logs in and draws barcodes.
    pub async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let mut connection = Connection::open(address, "x-okapi-tenant: diku\r\n").await?;
        let login = json!({"username": "diku_admin", "password": "admin"}).to_string();
        let answer = connection.send("POST", "/authn/login", &login).await?;
        let token = answer.token.context("no token after the log-in")?;
        let headers = format!("x-okapi-tenant: diku\r\nx-okapi-token: {token}\r\n");
        let mut connection = Connection::open(address, &headers).await?;
        let items = "/item-storage/items?query=status.name==Available";
        let items = records(&mut connection, items, "items").await?;
        let patrons = records(&mut connection, "/users?query=active==true", "users").await?;
        ensure!(items.len() >= 1000 && patrons.len() >= 50, "the library is too small");
        Ok(Self { address, headers, items, patrons })
    }

    /// Runs `clients` that check items out and in.
    pub async fn check_out_and_in(&self, clients: usize, until: Until) -> anyhow::Result<Measured> {
        let all = self.check_out_and_in_paced(clients, until, Duration::ZERO).await?;
        ensure!(all.failed.is_empty(), "the desk failed: {:?}", all.failed);
        Ok(all)
    }

    /// The same with a pause before each scan; retries after a failure, as staff at a desk would.
    pub async fn check_out_and_in_paced(
        &self,
        clients: usize,
        until: Until,
        pause: Duration,
    ) -> anyhow::Result<Measured> {
        let mut running = Vec::new();
        let began = Instant::now();
        let until = match until {
            Until::Elapsed(time) => Until::Elapsed(time),
            Until::Operations(all) => Until::Operations(all / clients as u64),
        };
        for client in 0..clients {
            let items = share(&self.items, client, clients);
            let patrons = share(&self.patrons, client, clients);
            running.push(tokio::spawn(work(self.line(), items, patrons, until, pause)));
        }
        let mut each = Vec::new();
        for client in running {
            each.push(client.await??);
        }
        let mut all = Measured::over(began.elapsed());
        for one in &each {
            all.merge(one);
        }
        Ok(all)
    }

    /// Checks items out to one patron and back in, with one client.
    pub async fn check_out_and_in_for(
        &self,
        patron: &str,
        until: Until,
    ) -> anyhow::Result<Measured> {
        let measured = work(
            self.line(),
            share(&self.items, 0, 1),
            vec![patron.to_owned()],
            until,
            Duration::ZERO,
        )
        .await?;
        ensure!(
            measured.refused == 0 && measured.failed.is_empty(),
            "{patron} could not check out: {:?}",
            measured.failed
        );
        Ok(measured)
    }

    pub fn headers(&self) -> &str {
        &self.headers
    }

    /// A request of the desk's user in its HTTP form.
    pub fn request(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        let headers = http::headers_to(self.address, &self.headers);
        http::written(method, path, &headers, body)
    }

    fn line(&self) -> Line {
        Line { address: self.address, headers: self.headers.clone(), connection: None }
    }

    pub async fn post(&self, path: &str, body: &str) -> anyhow::Result<Answer> {
        let mut connection = Connection::open(self.address, &self.headers).await?;
        connection.send("POST", path, body).await
    }

    /// Creates a record unless it exists.
    pub async fn create(&self, path: &str, record: &Value) -> anyhow::Result<()> {
        let answer = self.post(path, &record.to_string()).await?;
        let text = String::from_utf8_lossy(&answer.body);
        ensure!([201, 400, 422].contains(&answer.status), "{path}: {text}");
        Ok(())
    }

    /// `clients` read items by barcode for `time`.
    pub async fn read_by_barcode(
        &self,
        clients: usize,
        time: Duration,
    ) -> anyhow::Result<Latencies> {
        let mut running = Vec::new();
        for client in 0..clients {
            let items = share(&self.items, client, clients);
            let connection = Connection::open(self.address, &self.headers).await?;
            running.push(tokio::spawn(read(connection, items, time)));
        }
        let mut all = Latencies::new(time);
        for client in running {
            all.merge(&client.await??);
        }
        Ok(all)
    }
}

/// One client's share of the barcodes.
pub fn share(all: &[(String, String)], client: usize, clients: usize) -> Vec<String> {
    let own = all.iter().skip(client).step_by(clients);
    own.map(|(_, barcode)| barcode.clone()).collect()
}

async fn records(
    connection: &mut Connection,
    path: &str,
    list: &str,
) -> anyhow::Result<Vec<(String, String)>> {
    let answer = connection.send("GET", &format!("{path}&limit={RECORDS}"), "").await?;
    let body: Value = serde_json::from_slice(&answer.body)?;
    let text = |record: &Value, name: &str| Some(record[name].as_str()?.to_owned());
    let found = body[list].as_array().context("no list")?;
    Ok(found.iter().filter_map(|r| Some((text(r, "id")?, text(r, "barcode")?))).collect())
}

/// A client's connection to Carrel, reopened when lost.
struct Line {
    address: SocketAddr,
    headers: String,
    connection: Option<Connection>,
}

impl Line {
    async fn post(&mut self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection::open(self.address, &self.headers).await?,
        };
        let body = body.to_string();
        let answer = timeout(PATIENCE, connection.send("POST", path, &body)).await;
        let answer = answer.context("no answer in time")??;
        self.connection = Some(connection);
        Ok(answer)
    }
}

async fn work(
    mut line: Line,
    items: Vec<String>,
    mut patrons: Vec<String>,
    until: Until,
    pause: Duration,
) -> anyhow::Result<Measured> {
    let mut measured = Measured::over(Duration::ZERO);
    let began = Instant::now();
    let mut turn = 0;
    while !until.is_reached(began, measured.operations()) && !patrons.is_empty() {
        let (item, place) = (&items[turn % items.len()], turn % patrons.len());
        turn += 1;
        pause_for(pause).await;
        let body = json!({"itemBarcode": item, "userBarcode": patrons[place], "servicePointId": SERVICE_POINT});
        let began = Instant::now();
        let path = "/circulation/check-out-by-barcode";
        match line.post(path, &body).await {
            Ok(answer) if answer.status == 201 => measured.check_out.record(began.elapsed()),
            Ok(answer) if answer.status == 422 => {
                measured.refused += 1;
                patrons.swap_remove(place);
                continue;
            }
            other => {
                measured.note("check-out", other);
                sleep(AGAIN).await;
                continue;
            }
        }
        pause_for(pause).await;
        check_in(&mut line, item, &mut measured).await;
    }
    Ok(measured)
}

/// Waits before a scan. Even a sleep of zero would yield to other tasks.
async fn pause_for(pause: Duration) {
    if !pause.is_zero() {
        sleep(pause).await;
    }
}

/// Checks an item in, retrying if necessary: it would be missing in the next turn.
async fn check_in(line: &mut Line, item: &str, measured: &mut Measured) {
    for _ in 0..TRIES {
        // Dated today: a late return would be fined, and a patron who owes too much is blocked.
        let body = json!({"itemBarcode": item, "servicePointId": SERVICE_POINT,
            "checkInDate": jiff::Timestamp::now().to_string()});
        let began = Instant::now();
        let path = "/circulation/check-in-by-barcode";
        match line.post(path, &body).await {
            Ok(answer) if answer.status == 200 => {
                measured.check_in.record(began.elapsed());
                return;
            }
            other => measured.note("check-in", other),
        }
        sleep(AGAIN).await;
    }
}

async fn read(
    mut connection: Connection,
    items: Vec<String>,
    time: Duration,
) -> anyhow::Result<Latencies> {
    let mut latencies = Latencies::new(time);
    let end = Instant::now() + time;
    let mut turn = 0;
    while Instant::now() < end {
        let path =
            format!("/item-storage/items?query=barcode==%22{}%22", items[turn % items.len()]);
        turn += 1;
        let began = Instant::now();
        let answer = connection.send("GET", &path, "").await?;
        ensure!(answer.status == 200, "read: {}", String::from_utf8_lossy(&answer.body));
        latencies.record(began.elapsed());
    }
    Ok(latencies)
}
