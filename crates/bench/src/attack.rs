//! Under attack: the desk alone, then beside clients that never read, that leave, that guess passwords and that say
//! nothing. All of them together may cost the desk little, and Carrel's memory hardly anything.

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
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, Interest},
    net::{TcpSocket, TcpStream},
    task::JoinSet,
    time::{sleep, timeout},
};

use crate::{
    desk::{Desk, Lent, Until},
    http::Connection,
    process::Carrel,
};

const CLIENTS: usize = 8;
const READERS: usize = 20;
const LEAVERS: usize = 20;
const GUESSERS: usize = 60;
const SILENT: usize = 1_000;

/// The desk's p95 may grow by this factor.
const SLOWER_AT_MOST: f64 = 2.0;
/// Carrel's memory may grow by so many MB.
const GROWTH_AT_MOST: u64 = 100;

/// So many ids are asked for at once.
const IDS: usize = 5_000;
/// An endless reader takes no more than this from the line, and then nothing.
const TAKEN: u32 = 4_096;
/// Who was cut off, or has left, comes again after so long: the ports of this machine must last.
const AGAIN: Duration = Duration::from_millis(50);
/// The attack is under way before the desk is measured.
const LEAD: Duration = Duration::from_secs(3);
/// Nobody waits longer for a log-in.
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
/// A bound is passed; everything is printed before.
pub async fn measure(carrel: &Carrel, desk: &Desk, time: Duration) -> anyhow::Result<()> {
    raise_descriptors()?;
    println!("\n| the desk | transaction | p50 ms | p95 ms | per second | failed | Carrel MB |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let (before, quiet) = watched(carrel, desk, time).await?;
    rows("alone", &before, quiet);
    let done = Arc::new(Done::default());
    let mut attackers = attackers(carrel.folio, desk, &done).await?;
    sleep(LEAD).await;
    let login = log_in(carrel.folio).await;
    let (during, busy) = watched(carrel, desk, time).await?;
    rows("attacked", &during, busy);
    attackers.shutdown().await;
    told(&done, &login);
    judge(&before, &during, busy.saturating_sub(quiet))
}

/// A thousand connections need more descriptors than a shell gives. Carrel has been started with those.
fn raise_descriptors() -> anyhow::Result<()> {
    let (_, most) = getrlimit(Resource::RLIMIT_NOFILE)?;
    setrlimit(Resource::RLIMIT_NOFILE, most, most).context("no more file descriptors")
}

/// The desk at work, and the most memory that Carrel had meanwhile, in MB.
async fn watched(carrel: &Carrel, desk: &Desk, time: Duration) -> anyhow::Result<(Lent, u64)> {
    let mut lent = std::pin::pin!(desk.lend_whatever_comes(CLIENTS, Until::Elapsed(time)));
    let mut look = tokio::time::interval(LOOK);
    let mut most = 0;
    loop {
        tokio::select! {
            lent = &mut lent => return Ok((lent?, most)),
            _ = look.tick() => most = most.max(carrel.memory("VmRSS:")),
        }
    }
}

fn rows(name: &str, lent: &Lent, memory: u64) {
    let failed: u64 = lent.failed.values().sum();
    for (what, latencies) in [("check-out", &lent.check_out), ("check-in", &lent.check_in)] {
        println!(
            "| {name} | {what} | {:.2} | {:.2} | {:.0} | {failed} | {memory} |",
            latencies.quantile_ms(0.5),
            latencies.quantile_ms(0.95),
            latencies.rate()
        );
    }
}

fn told(done: &Done, login: &anyhow::Result<(u16, Duration)>) {
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
        Ok((status, took)) => println!(
            "a log-in of somebody who knows the password: {status} in {:.0} ms",
            took.as_secs_f64() * 1000.0
        ),
        Err(error) => println!("a log-in of somebody who knows the password: {error}"),
    }
}

/// Holds what was measured against the bounds.
fn judge(before: &Lent, during: &Lent, growth: u64) -> anyhow::Result<()> {
    let mut broken = Vec::new();
    for (what, before, during) in [
        ("check-out", &before.check_out, &during.check_out),
        ("check-in", &before.check_in, &during.check_in),
    ] {
        let ratio = during.quantile_ms(0.95) / before.quantile_ms(0.95);
        println!("p95 of a {what}, attacked to alone: {ratio:.2}");
        if during.count() == 0 || ratio > SLOWER_AT_MOST {
            broken.push(format!("a {what} is {ratio:.2} times as slow"));
        }
    }
    println!("memory of the Carrel process: {growth} MB more");
    if growth > GROWTH_AT_MOST {
        broken.push(format!("memory grows by {growth} MB"));
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

/// A good log-in: its status, and how long it took.
async fn log_in(address: SocketAddr) -> anyhow::Result<(u16, Duration)> {
    let began = Instant::now();
    let mut connection = Connection::open(address, "x-okapi-tenant: diku\r\n").await?;
    let body = json!({"username": "diku_admin", "password": "admin"}).to_string();
    let answer = timeout(PATIENCE, connection.send("POST", "/authn/login", &body)).await;
    let answer = answer.context("no answer in time")??;
    Ok((answer.status, began.elapsed()))
}

/// Sets all of them going. They end when the set is dropped.
async fn attackers(
    address: SocketAddr,
    desk: &Desk,
    done: &Arc<Done>,
) -> anyhow::Result<JoinSet<()>> {
    let streams = streams(address, desk).await?;
    let lists = [
        "/inventory-view/instances?limit=5000",
        "/item-storage/items?query=cql.allRecords=1%20sortby%20hrid/sort.descending&limit=2000&offset=20000",
        "/circulation/loans?query=cql.allRecords=1%20sortby%20dueDate&limit=2000",
        "/users?query=personal.lastName=*a*%20sortby%20personal.lastName&limit=2000",
    ];
    let lists: Vec<_> = lists
        .iter()
        .map(|path| desk.request("GET", path, ""))
        .collect();
    let mut all = JoinSet::new();
    for reader in 0..READERS {
        let request = streams[reader % streams.len()].clone();
        all.spawn(read_nothing(address, request, Arc::clone(done)));
    }
    for leaver in 0..LEAVERS {
        let request = lists[leaver % lists.len()].clone();
        all.spawn(leave(address, request, Arc::clone(done)));
    }
    for guesser in 0..GUESSERS {
        all.spawn(guess(address, guesser, Arc::clone(done)));
    }
    for _ in 0..SILENT {
        all.spawn(say_nothing(address, Arc::clone(done)));
    }
    Ok(all)
}

/// Requests whose answers are long.
async fn streams(address: SocketAddr, desk: &Desk) -> anyhow::Result<Vec<Vec<u8>>> {
    let mut connection = Connection::open(address, desk.headers()).await?;
    let path = format!("/instance-storage/instances?limit={IDS}");
    let answer = connection.send("GET", &path, "").await?;
    let body: Value = serde_json::from_slice(&answer.body)?;
    let instances = body["instances"].as_array().context("no instances")?;
    let ids: Vec<_> = instances.iter().map(|instance| &instance["id"]).collect();
    let ids = json!({"instanceIds": ids, "skipSuppressedFromDiscoveryRecords": false}).to_string();
    let dates = json!({"startDate": "2000-01-01", "endDate": "2100-01-01", "feeFineOwner": "Main"});
    Ok(vec![
        desk.request("POST", "/inventory-hierarchy/items-and-holdings", &ids),
        desk.request("GET", "/inventory-view/instances?limit=5000", ""),
        desk.request(
            "POST",
            "/feefine-reports/financial-transactions-detail",
            &dates.to_string(),
        ),
    ])
}

/// Asks for a long answer and does not read it; asks again when it was cut off.
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

/// A connection whose client can take little at a time.
async fn narrow(address: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(TAKEN)?;
    socket.connect(address).await
}

/// Asks for a slow list and goes, again and again.
async fn leave(address: SocketAddr, request: Vec<u8>, done: Arc<Done>) {
    loop {
        if let Ok(mut stream) = TcpStream::connect(address).await
            && stream.write_all(&request).await.is_ok()
        {
            done.leavers.fetch_add(1, Ordering::Relaxed);
            // The request arrives before the end of the connection does.
            sleep(AGAIN).await;
        }
        sleep(AGAIN).await;
    }
}

/// Guesses passwords as fast as the answers come: of users that nobody knows, and of one that many might.
async fn guess(address: SocketAddr, guesser: usize, done: Arc<Done>) {
    let mut turn = 0_u64;
    loop {
        let Ok(mut connection) = Connection::open(address, "x-okapi-tenant: diku\r\n").await else {
            sleep(AGAIN).await;
            continue;
        };
        loop {
            turn += 1;
            let name = match turn % 4 {
                0 => "admin".to_owned(),
                _ => format!("guess-{guesser}-{turn}"),
            };
            let body = json!({"username": name, "password": format!("password{turn}")});
            let Ok(answer) = connection
                .send("POST", "/authn/login", &body.to_string())
                .await
            else {
                break;
            };
            let mut guesses = done.guesses.lock().unwrap_or_else(PoisonError::into_inner);
            *guesses.entry(answer.status).or_default() += 1;
        }
        sleep(AGAIN).await;
    }
}

/// Connects and says nothing; again when it was cut off.
async fn say_nothing(address: SocketAddr, done: Arc<Done>) {
    loop {
        if let Ok(mut stream) = TcpStream::connect(address).await {
            done.silent.fetch_add(1, Ordering::Relaxed);
            let _ = stream.read(&mut [0; 64]).await;
        }
        sleep(AGAIN).await;
    }
}
