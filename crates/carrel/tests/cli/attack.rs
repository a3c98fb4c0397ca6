//! Carrel under attack from all sides at once. `make bench ARGS="--attack"` measures the same on a large library;
//! nothing is timed here: the desk keeps working, and the attackers' use of resources is bounded.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, Interest},
    net::TcpSocket,
    task::JoinSet,
    time::sleep,
};

use super::support::{Carrel, carrel, data_dir};

const READERS: usize = 20;
const LEAVERS: usize = 20;
const GUESSERS: usize = 20;
const SILENT: usize = 300;
const CLERKS: usize = 4;
/// Number of check-outs and check-ins of each client.
const TURNS: usize = 5;
/// How much a reader reads before it stops.
const TAKEN: u32 = 4_096;
/// Of the process, in MB.
const GROWTH_AT_MOST: u64 = 100;
const DESK: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";

/// What an attacker does after sending its request.
#[derive(Clone, Copy)]
enum Manner {
    /// Waits to be disconnected, and reads nothing.
    Hold,
    /// Disconnects at once.
    Leave,
    /// Reads the answer.
    Read,
}

/// Connects, sends the request and behaves in that manner, again and again.
async fn attack(address: Arc<str>, request: String, manner: Manner) {
    let address = address.parse().expect("an address");
    loop {
        let socket = TcpSocket::new_v4().expect("a socket");
        let _ = socket.set_recv_buffer_size(TAKEN);
        if let Ok(mut stream) = socket.connect(address).await
            && stream.write_all(request.as_bytes()).await.is_ok()
        {
            match manner {
                Manner::Leave => {}
                Manner::Read => drop(stream.read_to_end(&mut Vec::new()).await),
                Manner::Hold => {
                    while let Ok(ready) = stream.ready(Interest::READABLE).await
                        && !ready.is_read_closed()
                    {
                        sleep(Duration::from_millis(50)).await;
                    }
                }
            }
        }
        sleep(Duration::from_millis(50)).await;
    }
}

/// A client of the library.
struct Client {
    folio: Arc<str>,
    http: reqwest::Client,
    token: String,
}

impl Client {
    async fn new(folio: &str) -> Self {
        let mut client = Self { folio: folio.into(), http: reqwest::Client::new(), token: String::new() };
        let login = json!({"username": "diku_admin", "password": "admin"});
        let answer = client.post("/authn/login", &login).await;
        let token = answer.headers().get("x-okapi-token").expect("a token");
        client.token = token.to_str().expect("a text").to_owned();
        client
    }

    fn request(&self, method: reqwest::Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("http://{}{path}", self.folio));
        let request = request.header("x-okapi-tenant", "diku");
        match self.token.is_empty() {
            true => request,
            false => request.header("x-okapi-token", &self.token),
        }
    }

    async fn post(&self, path: &str, body: &Value) -> reqwest::Response {
        let request = self.request(reqwest::Method::POST, path).json(body);
        request.send().await.expect("an answer")
    }

    /// The values of a member in all records of a list.
    async fn all(&self, path: &str, list: &str, member: &str) -> Vec<String> {
        let answer = self.request(reqwest::Method::GET, path).send().await;
        let body: Value = answer.expect("an answer").json().await.expect("JSON");
        let records = body[list].as_array().expect("a list").iter();
        let texts = records.filter_map(|record| record[member].as_str());
        texts.map(str::to_owned).collect()
    }

    /// A request as sent on the wire.
    fn raw(&self, method: &str, path: &str, body: &str) -> String {
        format!(
            "{method} {path} HTTP/1.1\r\nhost: x\r\nx-okapi-tenant: diku\r\nx-okapi-token: {}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.token,
            body.len()
        )
    }
}

/// Starts all attackers at once.
async fn attackers(client: &Client) -> JoinSet<()> {
    let instances = client.all("/instance-storage/instances?limit=5000", "instances", "id").await;
    let ids = json!({"instanceIds": instances, "skipSuppressedFromDiscoveryRecords": false});
    let long = [
        client.raw("POST", "/inventory-hierarchy/items-and-holdings", &ids.to_string()),
        client.raw("GET", "/inventory-view/instances?limit=5000", ""),
    ];
    let slow = client.raw("GET", "/item-storage/items?query=cql.allRecords=1%20sortby%20hrid&limit=1000", "");
    let guess = json!({"username": "nobody", "password": "password1"}).to_string();
    let guess = format!(
        "POST /authn/login HTTP/1.1\r\nhost: x\r\nx-okapi-tenant: diku\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{guess}",
        guess.len()
    );
    let mut all = JoinSet::new();
    let readers = (0..READERS).map(|reader| (long[reader % 2].clone(), Manner::Hold));
    let leavers = (0..LEAVERS).map(|_| (slow.clone(), Manner::Leave));
    let guessers = (0..GUESSERS).map(|_| (guess.clone(), Manner::Read));
    let silent = (0..SILENT).map(|_| (String::new(), Manner::Hold));
    for (request, manner) in readers.chain(leavers).chain(guessers).chain(silent) {
        all.spawn(attack(Arc::clone(&client.folio), request, manner));
    }
    all
}

/// Checks each item out to a patron and in again; returns all statuses.
async fn work(client: &Client, items: &[String], patron: &str) -> Vec<u16> {
    let mut statuses = Vec::new();
    for item in items {
        let lend = json!({"itemBarcode": item, "userBarcode": patron, "servicePointId": DESK});
        let lent = client.post("/circulation/check-out-by-barcode", &lend).await;
        statuses.push(lent.status().as_u16());
        let back = json!({"itemBarcode": item, "servicePointId": DESK,
            "checkInDate": jiff::Timestamp::now().to_string()});
        let taken = client.post("/circulation/check-in-by-barcode", &back).await;
        statuses.push(taken.status().as_u16());
    }
    statuses
}

/// Memory of a process, in MB.
fn memory(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or_default() / 1024
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_one_at_the_desk_is_refused_during_an_attack() {
    let dir = data_dir();
    let sample = ["sample", "--items", "1500", "--instances", "1500", "--users", "50"];
    let made = carrel(dir.path(), &sample);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let running = Carrel::start(dir.path());
    let client = Arc::new(Client::new(&running.folio).await);
    let available = "/item-storage/items?query=status.name==Available&limit=100";
    let items = client.all(available, "items", "barcode").await;
    let patrons = "/users?query=active==true%20and%20barcode=%22%22&limit=50";
    let patrons = client.all(patrons, "users", "barcode").await;
    // Once without attackers, so that the cost of the first requests is not attributed to them; this also finds patrons
    // who may borrow.
    let mut borrowers = Vec::new();
    for (patron, item) in patrons.iter().zip(&items) {
        let statuses = work(&client, std::slice::from_ref(item), patron).await;
        if statuses == [201, 200] {
            borrowers.push(patron.clone());
        }
    }
    assert!(borrowers.len() >= CLERKS, "{} may borrow", borrowers.len());
    let before = memory(running.process.id());

    let mut attackers = attackers(&client).await;
    let mut statuses = Vec::new();
    let mut most = before;
    for round in 0..TURNS {
        let mut clerks = JoinSet::new();
        for (clerk, borrower) in borrowers.iter().take(CLERKS).enumerate() {
            let at = (round * CLERKS + clerk) * 2 % (items.len() - 1);
            let own = items[at..at + 2].to_vec();
            let (client, borrower) = (Arc::clone(&client), borrower.clone());
            clerks.spawn(async move { work(&client, &own, &borrower).await });
        }
        statuses.extend(clerks.join_all().await.concat());
        most = most.max(memory(running.process.id()));
    }
    assert_eq!(statuses.len(), TURNS * CLERKS * 4);
    let refused: Vec<_> = statuses.iter().filter(|status| **status > 201).collect();
    assert!(refused.is_empty(), "at the desk: {refused:?}");
    assert!(most - before <= GROWTH_AT_MOST, "from {before} to {most} MB");
    attackers.shutdown().await;
    // A user who knows the password can still sign in.
    Client::new(&running.folio).await;
    assert!(running.stop("TERM").success());
}
