//! No acknowledged change is lost: the server, or its database, is killed during a stream of check-outs, restarted, and
//! compared with the answers that the clients got.

use std::collections::HashSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::sync::mpsc;

use testkit::Hook;

use super::support::{Carrel, command, data_dir, postgres_of, send};

pub const SERVICE_POINT: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
/// Check-outs acknowledged before the kill.
const BEFORE_THE_KILL: usize = 40;
const CLIENTS: usize = 4;

/// The base URL of the desk's requests.
pub fn base(carrel: &Carrel) -> String {
    format!("http://{}/folio", carrel.staff)
}

/// A user signed in at the desk.
#[derive(Clone)]
pub struct Desk {
    pub http: reqwest::Client,
    pub base: String,
    pub token: String,
}

impl Desk {
    /// Signs in, also where the time for a request is too short for the first one on a busy machine.
    pub async fn open(carrel: &Carrel) -> Self {
        let base = base(carrel);
        let http = reqwest::Client::new();
        let login = json!({"username": "diku_admin", "password": "admin"}).to_string();
        let deadline = Instant::now() + Duration::from_secs(60);
        loop {
            let request = http.post(format!("{base}/authn/login")).header("x-okapi-tenant", "diku");
            let answer = request.body(login.clone()).send().await.expect("an answer");
            if let Some(token) = answer.headers().get("x-okapi-token") {
                let token = token.to_str().expect("a token").to_owned();
                return Self { http, base, token };
            }
            let status = answer.status();
            assert!(status == 503 && Instant::now() < deadline, "the log-in is answered with {status}");
        }
    }

    pub async fn get(&self, path: &str) -> Value {
        let request = self.http.get(format!("{}{path}", self.base));
        let answer = request.header("x-okapi-token", &self.token).send().await.expect("an answer");
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
        answer.json().await.expect("JSON")
    }

    pub async fn barcodes(&self, path: &str, list: &str) -> Vec<String> {
        let found = self.get(path).await;
        let records = found[list].as_array().expect("a list").clone();
        records.iter().filter_map(|record| Some(record["barcode"].as_str()?.to_owned())).collect()
    }

    /// Sends check-outs to a webhook.
    async fn subscribe(&self, hook: &Hook) {
        let subscription = json!({"eventType": "ITEM_CHECKED_OUT", "callbackAddress": hook.address()});
        let body = json!({"moduleId": "mod-ear-1.0.0", "subscriptionDefinitions": [subscription]});
        let request = self.http.post(format!("{}/pubsub/event-types/declare/subscriber", self.base));
        let request = request
            .header("x-okapi-token", &self.token)
            .header("content-type", "application/json")
            .body(body.to_string());
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), 201);
    }

    /// The id of the new loan; `None` if it was refused or the server is gone.
    pub async fn check_out(&self, item: &str, patron: &str) -> Option<String> {
        let (status, body) = self.try_check_out(item, patron).await?;
        let loan: Value = serde_json::from_str(&body).ok().filter(|_| status == 201)?;
        Some(loan["id"].as_str()?.to_owned())
    }

    /// The answer to a check-out; `None` if the server is gone.
    pub async fn try_check_out(&self, item: &str, patron: &str) -> Option<(u16, String)> {
        let body = json!({"itemBarcode": item, "userBarcode": patron, "servicePointId": SERVICE_POINT});
        let request = self.http.post(format!("{}/circulation/check-out-by-barcode", self.base));
        let request = request.header("x-okapi-token", &self.token).body(body.to_string());
        let answer = request.send().await.ok()?;
        Some((answer.status().as_u16(), answer.text().await.ok()?))
    }
}

/// Checks out one item after another until the server is gone; sends each acknowledged loan.
async fn check_out_until_gone(desk: Desk, items: Vec<String>, patrons: Vec<String>, sender: mpsc::Sender<String>) {
    for (item, patron) in items.iter().zip(patrons.iter().cycle()) {
        if let Some(loan) = desk.check_out(item, patron).await
            && sender.send(loan).await.is_err()
        {
            return;
        }
    }
}

pub fn make_library(data: &Path) {
    make_library_in(&["--data-dir", data.to_str().expect("a plain path")]);
}

/// The same in the database given by these flags.
pub fn make_library_in(place: &[&str]) {
    let status = Command::new(env!("CARGO_BIN_EXE_carrel"))
        .args(["sample", "--instances", "400", "--items", "600"])
        .args(["--users", "200"])
        .args(place)
        .output()
        .expect("it runs");
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
}

/// Streams check-outs and kills in the middle; returns the acknowledged loans.
pub async fn killed_during_check_outs(carrel: &Carrel, victim: u32) -> Vec<String> {
    let desk = Desk::open(carrel).await;
    let items = "/item-storage/items?limit=400&query=status.name==Available";
    let items = desk.barcodes(items, "items").await;
    let patrons = desk.barcodes("/users?limit=200&query=active==true", "users").await;
    let (sender, mut heard) = mpsc::channel(1024);
    for client in 0..CLIENTS {
        let share = |all: &[String]| all.iter().skip(client).step_by(CLIENTS).cloned().collect();
        tokio::spawn(check_out_until_gone(desk.clone(), share(&items), share(&patrons), sender.clone()));
    }
    drop(sender);
    let mut acknowledged = Vec::new();
    while acknowledged.len() < BEFORE_THE_KILL {
        acknowledged.push(heard.recv().await.expect("enough check-outs before the kill"));
    }
    send("KILL", victim);
    while let Some(loan) = heard.recv().await {
        acknowledged.push(loan);
    }
    acknowledged
}

/// Every acknowledged loan is stored, and no loan or item is half-written.
pub async fn compare(carrel: &Carrel, acknowledged: &[String]) {
    let desk = Desk::open(carrel).await;
    let open = desk.get("/circulation/loans?limit=10000&query=status.name==Open").await;
    let open = open["loans"].as_array().expect("loans");
    let ids: Vec<_> = open.iter().filter_map(|loan| loan["id"].as_str()).collect();
    for loan in acknowledged {
        assert!(ids.contains(&loan.as_str()), "the acknowledged loan {loan} is lost");
    }
    let not_out: Vec<_> = open.iter().filter(|loan| loan["item"]["status"]["name"] == "Available").collect();
    assert!(not_out.is_empty(), "open loans of items that are not out: {not_out:?}");
    let lent = desk.get("/item-storage/items?limit=0&query=status.name==%22Checked%20out%22").await;
    let on_loan = open.iter().filter(|loan| loan["item"]["status"]["name"] == "Checked out").count();
    assert_eq!(lent["totalRecords"], on_loan, "items that are out without an open loan");
}

#[tokio::test]
async fn a_killed_carrel_loses_no_acknowledged_check_out() {
    let dir = data_dir();
    make_library(dir.path());
    let carrel = Carrel::start(dir.path());
    let acknowledged = killed_during_check_outs(&carrel, carrel.process.id()).await;
    drop(carrel);
    compare(&Carrel::start(dir.path()), &acknowledged).await;
}

#[tokio::test]
async fn a_killed_postgresql_loses_no_acknowledged_check_out() {
    let dir = data_dir();
    make_library(dir.path());
    let carrel = Carrel::start(dir.path());
    let postgres = postgres_of(dir.path()).expect("PostgreSQL runs");
    let acknowledged = killed_during_check_outs(&carrel, postgres).await;
    assert!(carrel.stop("TERM").success());
    compare(&Carrel::start(dir.path()), &acknowledged).await;
}

#[tokio::test]
async fn a_killed_carrel_delivers_an_event_for_every_acknowledged_check_out() {
    let dir = data_dir();
    make_library(dir.path());
    let mut hook = Hook::open().await;
    let start = || {
        let mut command = command(dir.path());
        command.env("CARREL_ALLOW_PRIVATE_WEBHOOKS", "true");
        Carrel::start_with(command)
    };
    let carrel = start();
    Desk::open(&carrel).await.subscribe(&hook).await;
    let acknowledged = killed_during_check_outs(&carrel, carrel.process.id()).await;
    drop(carrel);
    let _carrel = start();
    let mut undelivered: HashSet<String> = acknowledged.into_iter().collect();
    while !undelivered.is_empty() {
        let event = hook.next().await;
        undelivered.remove(event.body["loanId"].as_str().expect("a loan"));
    }
}
