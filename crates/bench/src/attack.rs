//! Measures the desk under attack: first alone, then beside clients that never read, that leave, that guess passwords
//! and that stay silent. All of them together may slow the desk down a little and hardly change Carrel's memory.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, bail};
use lab::client::Target;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use rustix::process::setpriority_process;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, Interest},
    net::{TcpSocket, TcpStream},
    runtime,
    sync::oneshot,
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::{
    desk::{Desk, Measured, Until, per_second},
    process::Carrel,
};

const CLIENTS: usize = 8;
/// Time between two scans. Without it eight clients saturate the processors, and the figure shows how the machine is
/// shared, not how long a librarian waits. Eight desks at this pace still check out and check in 250,000 items an hour.
const PAUSE: Duration = Duration::from_millis(50);
const READERS: usize = 20;
const LEAVERS: usize = 20;
const GUESSERS: usize = 60;
const SILENT: usize = 1_000;

/// The desk's p95 may grow by at most this factor.
const SLOWER_AT_MOST: f64 = 2.0;
/// Carrel's memory may grow by at most this many MB.
const GROWTH_AT_MOST: f64 = 100.0;

/// Number of ids in a request.
const IDS: usize = 5_000;
/// Slow lists, which the leavers do not wait for.
const LISTS: [&str; 4] = [
    "/inventory-view/instances?limit=5000",
    "/item-storage/items?query=cql.allRecords=1%20sortby%20hrid/sort.descending&limit=2000&offset=20000",
    "/circulation/loans?query=cql.allRecords=1%20sortby%20dueDate&limit=2000",
    "/users?query=personal.lastName=*a*%20sortby%20personal.lastName&limit=2000",
];
/// The lowest priority.
const NICE: i32 = 19;
/// An endless reader reads this many bytes and then nothing.
const TAKEN: u32 = 4_096;
/// A client that was cut off, or has left, returns after this time: the machine must not run out of ports.
const AGAIN: Duration = Duration::from_millis(50);
/// The attack starts this long before the measurement.
const LEAD: Duration = Duration::from_secs(3);
/// Time limit of a log-in.
const PATIENCE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(200);

/// What the attackers have done so far: requests or connections of each kind, and the answers to guesses.
#[derive(Default)]
struct Done {
    readers: AtomicU64,
    leavers: AtomicU64,
    silent: AtomicU64,
    guesses: Mutex<BTreeMap<u16, u64>>,
}

/// Measures the desk before and during the attack, and prints both.
///
/// # Errors
/// If a limit is exceeded, after everything is printed.
pub async fn measure(carrel: &Carrel, desk: &Desk, time: Duration) -> anyhow::Result<()> {
    raise_descriptors()?;
    println!("\n| the desk | transaction | p50 ms | p95 ms | per second | failed | Carrel MB |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let (before, quiet) = watched(carrel, desk, time).await?;
    rows("alone", &before, quiet);
    let done = Arc::new(Done::default());
    let attack = Attack::begin(carrel.folio, desk, &done).await?;
    sleep(LEAD).await;
    let login = log_in(carrel.folio).await;
    let (during, busy) = watched(carrel, desk, time).await?;
    rows("attacked", &during, busy);
    attack.end()?;
    report(&done, &login);
    judge(&before, &during, busy - quiet)
}

/// A thousand connections need more file descriptors than a shell allows. Carrel already has them.
fn raise_descriptors() -> anyhow::Result<()> {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most, most).context("no more file descriptors")
}

/// Measures the desk, and the most memory that Carrel had meanwhile, in MB.
async fn watched(carrel: &Carrel, desk: &Desk, time: Duration) -> anyhow::Result<(Measured, f64)> {
    let mut measured = std::pin::pin!(desk.check_out_and_in_paced(CLIENTS, Until::Elapsed(time), PAUSE));
    let mut look = tokio::time::interval(LOOK);
    let mut most = 0_f64;
    loop {
        tokio::select! {
            measured = &mut measured => return Ok((measured?, most)),
            _ = look.tick() => most = most.max(carrel.usage().await?.megabytes),
        }
    }
}

fn rows(name: &str, measured: &Measured, memory: f64) {
    let failed: u64 = measured.failed.values().sum();
    for (what, latencies) in [("check-out", &measured.check_out), ("check-in", &measured.check_in)] {
        println!(
            "| {name} | {what} | {:.2} | {:.2} | {:.0} | {failed} | {memory:.0} |",
            latencies.quantile_ms(0.5),
            latencies.quantile_ms(0.95),
            per_second(latencies.count(), measured.time)
        );
    }
}

fn report(done: &Done, login: &anyhow::Result<(u16, Duration)>) {
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let guesses = done.guesses.lock().unwrap_or_else(PoisonError::into_inner);
    println!(
        "\n{READERS} endless readers asked {} times, {LEAVERS} leavers {} times, {GUESSERS} guessers were answered \
         {guesses:?}, {SILENT} silent clients connected {} times",
        count(&done.readers),
        count(&done.leavers),
        count(&done.silent)
    );
    match login {
        Ok((status, took)) => {
            println!("a log-in of a user who knows the password: {status} in {:.0} ms", took.as_secs_f64() * 1000.0)
        }
        Err(error) => println!("a log-in of a user who knows the password: {error}"),
    }
}

/// Compares the measurements with the limits.
fn judge(before: &Measured, during: &Measured, growth: f64) -> anyhow::Result<()> {
    let mut broken = Vec::new();
    for (what, before, during) in
        [("check-out", &before.check_out, &during.check_out), ("check-in", &before.check_in, &during.check_in)]
    {
        let ratio = during.quantile_ms(0.95) / before.quantile_ms(0.95);
        println!("p95 of a {what}, attacked to alone: {ratio:.2}");
        if during.count() == 0 || ratio > SLOWER_AT_MOST {
            broken.push(format!("a {what} is {ratio:.2} times as slow"));
        }
    }
    println!("memory of the Carrel process: {growth:.0} MB more");
    if growth > GROWTH_AT_MOST {
        broken.push(format!("memory grows by {growth:.0} MB"));
    }
    println!("failed at the desk: {:?}", during.failed);
    if !during.failed.is_empty() {
        broken.push(format!("the desk sees {:?}", during.failed));
    }
    match broken.is_empty() {
        true => Ok(()),
        false => bail!("under attack {}", broken.join(", ")),
    }
}

fn target(address: SocketAddr) -> anyhow::Result<Target> {
    Ok(Target::parse(&format!("http://{address}"))?)
}

/// A log-in in its HTTP form.
fn log_in_request(user: &str, password: &str) -> Vec<u8> {
    let body = json!({"username": user, "password": password}).to_string();
    let length = body.len();
    let head = "POST /authn/login HTTP/1.1\r\nhost: carrel\r\nx-okapi-tenant: diku\r\n";
    format!("{head}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}").into()
}

/// A log-in with the right password: its status and duration.
async fn log_in(address: SocketAddr) -> anyhow::Result<(u16, Duration)> {
    let began = Instant::now();
    let mut connection = target(address)?.connect().await?;
    let request = log_in_request("diku_admin", "admin");
    let answer = timeout(PATIENCE, connection.send(&request, false)).await;
    let answer = answer.context("no answer in time")??;
    Ok((answer.status, began.elapsed()))
}

/// The running attackers. Real ones come from other machines. These share the processors of their target, so they run
/// on a thread of their own with a low priority.
struct Attack {
    end: oneshot::Sender<()>,
    thread: std::thread::JoinHandle<()>,
}

impl Attack {
    async fn begin(address: SocketAddr, desk: &Desk, done: &Arc<Done>) -> anyhow::Result<Self> {
        let attackers = Attackers {
            address,
            target: target(address)?,
            streams: streams(desk).await?,
            lists: LISTS.map(|path| desk.request("GET", path, "")),
            done: Arc::clone(done),
        };
        let (end, ended) = oneshot::channel();
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let thread = std::thread::spawn(move || {
            if let Err(error) = setpriority_process(None, NICE) {
                println!("the attackers keep an ordinary priority: {error}");
            }
            runtime.block_on(async {
                let mut all = attackers.all();
                let _ = ended.await;
                all.shutdown().await;
            });
        });
        Ok(Self { end, thread })
    }

    fn end(self) -> anyhow::Result<()> {
        let _ = self.end.send(());
        let ended = self.thread.join();
        ended.map_err(|_| anyhow::anyhow!("the attackers panicked"))
    }
}

/// The requests that the attackers send.
struct Attackers {
    address: SocketAddr,
    target: Target,
    streams: Vec<Vec<u8>>,
    lists: [Vec<u8>; LISTS.len()],
    done: Arc<Done>,
}

impl Attackers {
    /// Starts all attackers. They end when the set is dropped.
    fn all(&self) -> JoinSet<()> {
        let mut all = JoinSet::new();
        let done = || Arc::clone(&self.done);
        for reader in 0..READERS {
            let request = self.streams[reader % self.streams.len()].clone();
            all.spawn(read_nothing(self.address, request, done()));
        }
        for leaver in 0..LEAVERS {
            let request = self.lists[leaver % self.lists.len()].clone();
            all.spawn(leave(self.address, request, done()));
        }
        for guesser in 0..GUESSERS {
            all.spawn(guess(self.target.clone(), guesser, done()));
        }
        for _ in 0..SILENT {
            all.spawn(say_nothing(self.address, done()));
        }
        all
    }
}

/// Requests with long answers.
async fn streams(desk: &Desk) -> anyhow::Result<Vec<Vec<u8>>> {
    let path = format!("/instance-storage/instances?limit={IDS}");
    let answer = desk.send("GET", &path, "").await?;
    let body: Value = serde_json::from_slice(&answer.body)?;
    let instances = body["instances"].as_array().context("no instances")?;
    let ids: Vec<_> = instances.iter().map(|instance| &instance["id"]).collect();
    let ids = json!({"instanceIds": ids, "skipSuppressedFromDiscoveryRecords": false}).to_string();
    let dates = json!({"startDate": "2000-01-01", "endDate": "2100-01-01", "feeFineOwner": "Main"});
    Ok(vec![
        desk.request("POST", "/inventory-hierarchy/items-and-holdings", &ids),
        desk.request("GET", "/inventory-view/instances?limit=5000", ""),
        desk.request("POST", "/feefine-reports/financial-transactions-detail", &dates.to_string()),
    ])
}

/// Asks for a long answer and does not read it; asks again when it is cut off.
async fn read_nothing(address: SocketAddr, request: Vec<u8>, done: Arc<Done>) {
    loop {
        if let Ok(mut stream) = narrow(address).await
            && stream.write_all(&request).await.is_ok()
        {
            done.readers.fetch_add(1, Ordering::Relaxed);
            while let Ok(ready) = stream.ready(Interest::READABLE).await {
                if ready.is_read_closed() {
                    break;
                }
                sleep(AGAIN).await;
            }
        }
        sleep(AGAIN).await;
    }
}

/// A connection whose client can receive little at a time.
async fn narrow(address: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(TAKEN)?;
    socket.connect(address).await
}

/// Asks for a slow list and leaves, over and over.
async fn leave(address: SocketAddr, request: Vec<u8>, done: Arc<Done>) {
    loop {
        if let Ok(mut stream) = TcpStream::connect(address).await
            && stream.write_all(&request).await.is_ok()
        {
            done.leavers.fetch_add(1, Ordering::Relaxed);
            // The request must arrive before the end of the connection.
            sleep(AGAIN).await;
        }
        sleep(AGAIN).await;
    }
}

/// Guesses passwords as fast as the answers come: of users that do not exist, and of one that may.
async fn guess(target: Target, guesser: usize, done: Arc<Done>) {
    let mut turn = 0_u64;
    loop {
        let Ok(mut connection) = target.connect().await else {
            sleep(AGAIN).await;
            continue;
        };
        loop {
            turn += 1;
            let name = match turn % 4 {
                0 => "admin".to_owned(),
                _ => format!("guess-{guesser}-{turn}"),
            };
            let request = log_in_request(&name, &format!("password{turn}"));
            let Ok(answer) = connection.send(&request, false).await else {
                break;
            };
            let mut guesses = done.guesses.lock().unwrap_or_else(PoisonError::into_inner);
            *guesses.entry(answer.status).or_default() += 1;
        }
        sleep(AGAIN).await;
    }
}

/// Connects and stays silent; again when it is cut off.
async fn say_nothing(address: SocketAddr, done: Arc<Done>) {
    loop {
        if let Ok(mut stream) = TcpStream::connect(address).await {
            done.silent.fetch_add(1, Ordering::Relaxed);
            let _ = stream.read(&mut [0; 64]).await;
        }
        sleep(AGAIN).await;
    }
}
