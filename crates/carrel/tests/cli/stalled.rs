//! Nothing stops the desk: neither clients that request much and never read it, nor clients that go away; and if the
//! database does not answer, the client gets an error within the promised time.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_postgres::Client;

use super::kill::{Desk, SERVICE_POINT, make_library};
use super::search::until_gauge;
use super::support::{Carrel, command, data_dir, database, postgres_of, send};

/// Longer than anything here takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A Carrel with few connections and short time limits.
fn start(data: &Path, settings: &[&str]) -> Carrel {
    let mut command = command(data);
    command.args(settings);
    Carrel::start_with(command)
}

async fn until(what: &str, mut holds: impl AsyncFnMut() -> bool) {
    until_none(async || if holds().await { Vec::new() } else { vec![what.to_owned()] }).await;
}

/// Waits until nothing is left, and tells what is if that takes too long.
async fn until_none(mut left: impl AsyncFnMut() -> Vec<String>) {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = left().await;
        if left.is_empty() {
            return;
        }
        assert!(Instant::now() < deadline, "never came true, or ended: {left:#?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

impl Desk {
    /// Checks an item in; returns the status.
    async fn check_in(&self, item: &str) -> u16 {
        let now = jiff::Timestamp::now().to_string();
        let body = json!({"itemBarcode": item, "servicePointId": SERVICE_POINT, "checkInDate": now});
        self.post("/circulation/check-in-by-barcode", &body).await.status().as_u16()
    }

    async fn post(&self, path: &str, body: &Value) -> reqwest::Response {
        let request = self.http.post(format!("{}{path}", self.base));
        let request =
            request.header("x-okapi-token", &self.token).header("content-type", "application/json").timeout(PATIENCE);
        request.body(body.to_string()).send().await.expect("an answer")
    }

    /// Sends a request over a connection with a tiny receive buffer.
    async fn ask(&self, carrel: &Carrel, method: &str, path: &str, body: &str) -> TcpStream {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.set_recv_buffer_size(4096).expect("a small buffer");
        let address = carrel.folio.parse().expect("an address");
        let mut stream = socket.connect(address).await.expect("a connection");
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: carrel\r\nx-okapi-token: {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.expect("it is sent");
        stream
    }
}

/// A body that asks for instances with a large item each: an answer of many megabytes.
async fn much(data: &Path) -> Value {
    let sql = "WITH chosen AS (
                 SELECT DISTINCT ON (h.instanceid) h.instanceid, i.id
                 FROM t_diku.item i JOIN t_diku.holdings_record h ON h.id = i.holdingsrecordid ORDER BY h.instanceid LIMIT $1),
               wordy AS (
                 UPDATE t_diku.item i SET doc = i.doc || jsonb_build_object('volume', repeat('v', 500000))
                 FROM chosen c WHERE i.id = c.id RETURNING c.instanceid::text)
               SELECT array_agg(instanceid) FROM wordy";
    let database = database(data).await;
    let path = database.batch_execute("SET search_path = t_diku, carrel");
    path.await.expect("a tenant");
    let found = database.query_one(sql, &[&MANY]).await;
    let ids: Vec<String> = found.expect("instances").get(0);
    json!({"instanceIds": ids, "skipSuppressedFromDiscoveryRecords": false})
}

/// Of half a megabyte each: more than the system's buffers hold.
const MANY: i64 = 24;
const STREAM: &str = "/inventory-hierarchy/items-and-holdings";

#[tokio::test]
async fn clients_that_never_read_stop_neither_desk_nor_lists_nor_each_other() {
    let dir = data_dir();
    make_library(dir.path());
    let carrel = start(dir.path(), &["--database-tenant-connections=4", "--stream-idle-seconds=3"]);
    let desk = Desk::open(&carrel).await;
    let items = desk.barcodes("/item-storage/items?limit=2", "items").await;
    let body = much(dir.path()).await;
    let mut stalled = Vec::new();
    for _ in 0..5 {
        let mut reader = desk.ask(&carrel, "POST", STREAM, &body.to_string()).await;
        // The answer has begun: its statement is running, or has run.
        let mut first = [0; 12];
        reader.read_exact(&mut first).await.expect("a status");
        assert_eq!(&first, b"HTTP/1.1 200");
        stalled.push(reader);
    }
    assert_eq!(desk.check_in(&items[0]).await, 200);
    Desk::open(&carrel).await;
    desk.get("/users?limit=1").await;
    let whole = desk.post(STREAM, &body).await;
    let text = whole.text().await.expect("the whole answer");
    let many = usize::try_from(MANY).expect("a number");
    assert_eq!(text.matches("\"instanceId\"").count(), many);
    assert!(text.len() > many * 500_000, "only {} bytes", text.len());
    carrel.line_with("nothing was read for 3 seconds");
    assert_eq!(desk.check_in(&items[1]).await, 200);
}

/// A connection that has a table locked, and another one.
async fn locked(data: &Path, table: &str) -> (Client, Client) {
    let (holder, watcher) = (database(data).await, database(data).await);
    let lock = format!("BEGIN; LOCK TABLE t_diku.{table} IN ACCESS EXCLUSIVE MODE");
    holder.batch_execute(&lock).await.expect("a lock");
    (holder, watcher)
}

/// Carrel's statements that wait for a lock.
async fn waiting(database: &Client) -> Vec<String> {
    let sql = "SELECT format('%s since %s: %s', pid, query_start, query) FROM pg_stat_activity
               WHERE application_name = 'carrel' AND state = 'active' AND wait_event_type = 'Lock'";
    let rows = database.query(sql, &[]).await.expect("statements");
    rows.iter().map(|row| row.get(0)).collect()
}

/// Waits until the archives have their index, for which items are read.
async fn until_indexed(carrel: &Carrel) {
    until_gauge(carrel, "carrel_search_documents", "archives", |documents| documents > 0.0).await;
    until_gauge(carrel, "carrel_search_building", "archives", |building| building == 0.0).await;
}

#[tokio::test]
async fn clients_that_go_away_leave_no_statement_behind() {
    let dir = data_dir();
    make_library(dir.path());
    let carrel = start(dir.path(), &["--database-tenant-connections=8"]);
    let desk = Desk::open(&carrel).await;
    until_indexed(&carrel).await;
    let (holder, watcher) = locked(dir.path(), "item").await;
    let mut leavers = Vec::new();
    for _ in 0..6 {
        leavers.push(desk.ask(&carrel, "GET", "/item-storage/items", "").await);
    }
    until("statements wait", async || !waiting(&watcher).await.is_empty()).await;
    drop(leavers);
    until_none(async || waiting(&watcher).await).await;
    let line = carrel.line_with("\"status\":499");
    assert!(line.contains("/item-storage/items"), "{line}");
    desk.get("/users?limit=1").await;
    holder.batch_execute("COMMIT").await.expect("no lock");
    desk.get("/item-storage/items?limit=1").await;
}

/// A process that is asked to cancel its statement before it begins one does not: it must be asked again.
#[tokio::test]
async fn a_statement_that_begins_after_its_client_went_away_is_cancelled() {
    let dir = data_dir();
    make_library(dir.path());
    let carrel = start(dir.path(), &["--database-tenant-connections=8", "--request-timeout-seconds=600"]);
    let desk = Desk::open(&carrel).await;
    // What is known of the session is remembered.
    desk.get("/item-storage/items?limit=1").await;
    until_indexed(&carrel).await;
    let (holder, watcher) = locked(dir.path(), "item").await;
    let frozen = Frozen::freeze_connections(&watcher).await;
    until("one is asked to cancel", async || {
        drop(desk.ask(&carrel, "GET", "/item-storage/items", "").await);
        frozen.0.iter().any(|process| is_interrupted(*process))
    })
    .await;
    drop(frozen);
    until_none(async || waiting(&watcher).await).await;
    holder.batch_execute("COMMIT").await.expect("no lock");
    desk.get("/item-storage/items?limit=1").await;
}

/// Its bit in masks of signals.
const SIGINT: u64 = 1 << (2 - 1);

/// Whether the signal that cancels a statement waits for a suspended process.
fn is_interrupted(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("the process is there");
    let pending = status.lines().find_map(|line| line.strip_prefix("ShdPnd:")).expect("its signals");
    u64::from_str_radix(pending.trim(), 16).expect("a mask") & SIGINT != 0
}

/// Processes of PostgreSQL, suspended until this is dropped.
struct Frozen(Vec<u32>);

impl Frozen {
    /// PostgreSQL with all its processes.
    fn freeze(data: &Path) -> Self {
        let postmaster = postgres_of(data).expect("PostgreSQL runs");
        send("STOP", postmaster);
        let mut all = Self(vec![postmaster]);
        for entry in std::fs::read_dir("/proc").expect("processes").flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
            let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
            if parent == Some(postmaster.to_string().as_str())
                && let Ok(process) = name.parse()
            {
                send("STOP", process);
                all.0.push(process);
            }
        }
        all
    }

    /// The processes that serve Carrel's connections.
    async fn freeze_connections(database: &Client) -> Self {
        let sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'carrel'";
        let rows = database.query(sql, &[]).await.expect("processes");
        let all: Vec<u32> = rows.iter().map(|row| row.get::<_, i32>(0).cast_unsigned()).collect();
        all.iter().for_each(|process| send("STOP", *process));
        Self(all)
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        for process in &self.0 {
            send("CONT", *process);
        }
    }
}

#[tokio::test]
async fn a_frozen_database_is_reported_in_time_until_it_responds() {
    let dir = data_dir();
    make_library(dir.path());
    // Enough for what works, on a machine that has other tests to run.
    let carrel = start(dir.path(), &["--desk-timeout-seconds=5", "--request-timeout-seconds=5"]);
    let desk = Desk::open(&carrel).await;
    let items = desk.barcodes("/item-storage/items?limit=2", "items").await;
    until("the desk works", async || desk.check_in(&items[0]).await == 200).await;
    assert_eq!(carrel.status("/readyz").await, Some(200));

    let frozen = Frozen::freeze(dir.path());
    let asked = Instant::now();
    assert_eq!(carrel.status("/readyz").await, Some(503));
    assert!(asked.elapsed() < Duration::from_secs(2), "/readyz took {:?}", asked.elapsed());
    let list = async {
        let request = desk.http.get(format!("{}/users?limit=1", desk.base));
        let request = request.header("x-okapi-token", &desk.token);
        let answer = request.timeout(PATIENCE).send().await.expect("an answer");
        let status = answer.status().as_u16();
        (status, answer.text().await.expect("a text"))
    };
    let asked = Instant::now();
    let (back, (listed, text)) = tokio::join!(desk.check_in(&items[0]), list);
    assert_eq!((back, listed), (503, 503), "{text}");
    assert!(text.contains("within 5 seconds"), "{text}");
    // The permission look-up and the request itself each have that time.
    assert!(asked.elapsed() < Duration::from_secs(20), "they took {:?}", asked.elapsed());
    drop(frozen);
    until("the desk works", async || desk.check_in(&items[1]).await == 200).await;
    until("it is ready", async || carrel.status("/readyz").await == Some(200)).await;
    desk.get("/users?limit=1").await;
}

#[tokio::test]
async fn a_job_may_take_longer_than_a_list() {
    let dir = data_dir();
    make_library(dir.path());
    let carrel = start(dir.path(), &["--request-timeout-seconds=1"]);
    let desk = Desk::open(&carrel).await;
    let (holder, watcher) = locked(dir.path(), "request").await;
    let nothing = json!({});
    let job = desk.post("/scheduled-request-expiration", &nothing);
    let release = async {
        until("the job waits", async || !waiting(&watcher).await.is_empty()).await;
        // The list begins after the job, when its time is up.
        let list = desk.http.get(format!("{}/request-storage/requests", desk.base));
        let list = list.header("x-okapi-token", &desk.token).timeout(PATIENCE);
        let listed = list.send().await.expect("an answer").status();
        holder.batch_execute("COMMIT").await.expect("no lock");
        listed
    };
    let (done, listed) = tokio::join!(job, release);
    assert_eq!((listed.as_u16(), done.status().as_u16()), (503, 204));
}
