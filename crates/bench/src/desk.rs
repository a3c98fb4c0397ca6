//! Clients at the desk: each checks an item out to a patron and back in, over and over.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use lab::{
    access::{Access, Credentials},
    client::{Answer, Target},
    results::histogram::Latencies,
    workload::Protocol,
};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::line::{Line, PATIENCE, read_in_turn};

/// The service point of all transactions.
pub const SERVICE_POINT: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
const RECORDS: usize = 20_000;
/// The pause before a retry.
const AGAIN: Duration = Duration::from_millis(20);
/// Characters of a refusal that has its code.
const EXPLAINED: usize = 2_000;
/// Attempts at a check-in.
const TRIES: usize = 3;

/// A desk with barcodes to scan.
pub struct Desk {
    pub access: Arc<Access>,
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
#[derive(Default)]
pub struct Measured {
    pub time: Duration,
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
        Self { time, ..Self::default() }
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
            Ok(answer) => format!("{what}: {} {}", answer.status, answer.excerpt(80)),
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
        per_second(self.operations(), self.time)
    }
}

impl Desk {
    /// Logs in; there is nothing to scan yet.
    pub async fn signed_in(address: SocketAddr) -> anyhow::Result<Self> {
        let [tenant, user, password] = ["diku", "diku_admin", "admin"].map(str::to_owned);
        let credentials = Credentials { tenant, user, password };
        let target = Target::parse(&format!("http://{address}"))?;
        let access = Access::open(target, Protocol::Folio, credentials, PATIENCE).await?;
        let access = Arc::new(access);
        let fresh = Arc::clone(&access);
        tokio::spawn(async move { fresh.keep_fresh().await });
        Ok(Self { access, items: Vec::new(), patrons: Vec::new() })
    }

    /// Logs in and draws barcodes.
    pub async fn open(address: SocketAddr) -> anyhow::Result<Self> {
        let mut desk = Self::signed_in(address).await?;
        let items = "/item-storage/items?query=status.name==Available";
        desk.items = desk.records(items, "items").await?;
        desk.patrons = desk.records("/users?query=active==true", "users").await?;
        ensure!(desk.items.len() >= 1000 && desk.patrons.len() >= 50, "the library is too small");
        Ok(desk)
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
    pub async fn check_out_and_in_for(&self, patron: &str, until: Until) -> anyhow::Result<Measured> {
        let measured =
            work(self.line(), share(&self.items, 0, 1), vec![patron.to_owned()], until, Duration::ZERO).await?;
        ensure!(
            measured.refused == 0 && measured.failed.is_empty(),
            "{patron} could not check out: {:?}",
            measured.failed
        );
        Ok(measured)
    }

    /// A request of the desk's user in its HTTP form.
    pub fn request(&self, method: &str, path: &str, body: &str) -> Vec<u8> {
        self.access.request(method, path, Some(("application/json", body)))
    }

    fn line(&self) -> Line {
        Line::new(&self.access)
    }

    /// Sends a request, however long its answer takes.
    pub async fn send(&self, method: &str, path: &str, body: &str) -> anyhow::Result<Answer> {
        let mut connection = self.access.target.connect().await?;
        Ok(connection.send(&self.request(method, path, body), true).await?)
    }

    /// Creates a record unless it exists.
    pub async fn create(&self, path: &str, record: &Value) -> anyhow::Result<()> {
        let answer = self.send("POST", path, &record.to_string()).await?;
        ensure!([201, 400, 422].contains(&answer.status), "{path}: {}", answer.excerpt(200));
        Ok(())
    }

    /// The id and barcode of each record.
    async fn records(&self, path: &str, list: &str) -> anyhow::Result<Vec<(String, String)>> {
        let answer = self.send("GET", &format!("{path}&limit={RECORDS}"), "").await?;
        let body: Value = serde_json::from_slice(&answer.body)?;
        let text = |record: &Value, name: &str| Some(record[name].as_str()?.to_owned());
        let found = body[list].as_array().context("no list")?;
        Ok(found.iter().filter_map(|r| Some((text(r, "id")?, text(r, "barcode")?))).collect())
    }

    /// `clients` read items by barcode for `time`.
    pub async fn read_by_barcode(&self, clients: usize, time: Duration) -> anyhow::Result<Latencies> {
        let path = |(_, barcode): &(String, String)| format!("/item-storage/items?query=barcode==%22{barcode}%22");
        self.read(self.items.iter().map(path).collect(), clients, time).await
    }

    /// `clients` read these paths in turn for `time`.
    pub async fn read(&self, paths: Vec<String>, clients: usize, time: Duration) -> anyhow::Result<Latencies> {
        read_in_turn(&self.access, paths, clients, time).await
    }
}

/// One client's share of the barcodes.
pub fn share(all: &[(String, String)], client: usize, clients: usize) -> Vec<String> {
    let own = all.iter().skip(client).step_by(clients);
    own.map(|(_, barcode)| barcode.clone()).collect()
}

pub fn per_second(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

async fn work(
    mut line: Line,
    mut items: Vec<String>,
    mut patrons: Vec<String>,
    until: Until,
    pause: Duration,
) -> anyhow::Result<Measured> {
    let mut measured = Measured::over(Duration::ZERO);
    let began = Instant::now();
    let mut turn = 0;
    while !until.is_reached(began, measured.operations()) && !patrons.is_empty() && !items.is_empty() {
        let (item_place, place) = (turn % items.len(), turn % patrons.len());
        let item = &items[item_place];
        turn += 1;
        pause_for(pause).await;
        let body = json!({"itemBarcode": item, "userBarcode": patrons[place], "servicePointId": SERVICE_POINT});
        let began = Instant::now();
        let path = "/circulation/check-out-by-barcode";
        match line.post(path, &body).await {
            Ok(answer) if answer.status == 201 => measured.check_out.record(began.elapsed()),
            // An item for the reading room, which says nothing of the patron.
            Ok(answer) if answer.status == 422 && answer.excerpt(EXPLAINED).contains("ITEM_NOT_LOANABLE") => {
                items.swap_remove(item_place);
                continue;
            }
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
