//! Clients at the desk: each lends an item to a patron and takes it back, over and over.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::{
    http::{Answer, Connection},
    measure::Latencies,
};

/// The service point that everything happens at.
pub const SERVICE_POINT: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
const RECORDS: usize = 20_000;

/// A desk with barcodes to scan.
pub struct Desk {
    address: SocketAddr,
    headers: String,
    /// Available items: id and barcode.
    pub items: Vec<(String, String)>,
    /// Active patrons: id and barcode.
    pub patrons: Vec<(String, String)>,
}

/// When clients stop.
#[derive(Clone, Copy)]
pub enum Until {
    /// After this time.
    Elapsed(Duration),
    /// After so many check-outs and check-ins of all of them.
    Operations(u64),
}

/// What the clients measured.
pub struct Lent {
    /// Check-outs.
    pub check_out: Latencies,
    /// Check-ins.
    pub check_in: Latencies,
    /// Check-outs that were refused (a blocked patron).
    pub refused: u64,
}

impl Until {
    fn is_reached(self, began: Instant, operations: u64) -> bool {
        match self {
            Until::Elapsed(time) => began.elapsed() >= time,
            Until::Operations(enough) => operations >= enough,
        }
    }
}

impl Lent {
    /// None yet.
    pub fn over(time: Duration) -> Self {
        Self {
            check_out: Latencies::new(time),
            check_in: Latencies::new(time),
            refused: 0,
        }
    }

    /// Those of another client.
    pub fn merge(&mut self, other: &Self) {
        self.check_out.merge(&other.check_out);
        self.check_in.merge(&other.check_in);
        self.refused += other.refused;
    }

    /// Check-outs and check-ins.
    pub fn operations(&self) -> u64 {
        self.check_out.count() + self.check_in.count()
    }

    /// Check-outs and check-ins each second.
    pub fn rate(&self) -> f64 {
        self.check_out.rate() + self.check_in.rate()
    }
}

impl Desk {
    /// Signs in and draws barcodes.
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
        ensure!(
            items.len() >= 1000 && patrons.len() >= 50,
            "the library is too small"
        );
        Ok(Self {
            address,
            headers,
            items,
            patrons,
        })
    }

    /// `clients` lend and take back.
    pub async fn lend_and_take_back(&self, clients: usize, until: Until) -> anyhow::Result<Lent> {
        let mut running = Vec::new();
        let began = Instant::now();
        let until = match until {
            Until::Elapsed(time) => Until::Elapsed(time),
            Until::Operations(all) => Until::Operations(all / clients as u64),
        };
        for client in 0..clients {
            let items = share(&self.items, client, clients);
            let patrons = share(&self.patrons, client, clients);
            let connection = Connection::open(self.address, &self.headers).await?;
            running.push(tokio::spawn(work(connection, items, patrons, until)));
        }
        let mut each = Vec::new();
        for client in running {
            each.push(client.await??);
        }
        let mut all = Lent::over(began.elapsed());
        for one in &each {
            all.merge(one);
        }
        Ok(all)
    }

    /// One client lends to one patron and takes back.
    pub async fn lend_to(&self, patron: &str, until: Until) -> anyhow::Result<Lent> {
        let connection = Connection::open(self.address, &self.headers).await?;
        let lent = work(
            connection,
            share(&self.items, 0, 1),
            vec![patron.to_owned()],
            until,
        )
        .await?;
        ensure!(lent.refused == 0, "{patron} is not lent to");
        Ok(lent)
    }

    /// Posts a body.
    pub async fn post(&self, path: &str, body: &str) -> anyhow::Result<Answer> {
        let mut connection = Connection::open(self.address, &self.headers).await?;
        connection.send("POST", path, body).await
    }

    /// Makes a record, which may be there already.
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

/// The barcodes of one of so many clients.
pub fn share(all: &[(String, String)], client: usize, clients: usize) -> Vec<String> {
    let own = all.iter().skip(client).step_by(clients);
    own.map(|(_, barcode)| barcode.clone()).collect()
}

async fn records(
    connection: &mut Connection,
    path: &str,
    list: &str,
) -> anyhow::Result<Vec<(String, String)>> {
    let answer = connection
        .send("GET", &format!("{path}&limit={RECORDS}"), "")
        .await?;
    let body: Value = serde_json::from_slice(&answer.body)?;
    let text = |record: &Value, name: &str| Some(record[name].as_str()?.to_owned());
    let found = body[list].as_array().context("no list")?;
    Ok(found
        .iter()
        .filter_map(|r| Some((text(r, "id")?, text(r, "barcode")?)))
        .collect())
}

async fn work(
    mut connection: Connection,
    items: Vec<String>,
    mut patrons: Vec<String>,
    until: Until,
) -> anyhow::Result<Lent> {
    let mut lent = Lent::over(Duration::ZERO);
    let began = Instant::now();
    let mut turn = 0;
    while !until.is_reached(began, lent.operations()) && !patrons.is_empty() {
        let (item, place) = (&items[turn % items.len()], turn % patrons.len());
        turn += 1;
        let body = json!({"itemBarcode": item, "userBarcode": patrons[place], "servicePointId": SERVICE_POINT});
        let began = Instant::now();
        let path = "/circulation/check-out-by-barcode";
        let answer = connection.send("POST", path, &body.to_string()).await?;
        if answer.status == 422 {
            lent.refused += 1;
            patrons.swap_remove(place);
            continue;
        }
        ensure!(
            answer.status == 201,
            "check-out: {}",
            String::from_utf8_lossy(&answer.body)
        );
        lent.check_out.record(began.elapsed());
        take_back(&mut connection, item, &mut lent.check_in).await?;
    }
    Ok(lent)
}

async fn take_back(
    connection: &mut Connection,
    item: &str,
    latencies: &mut Latencies,
) -> anyhow::Result<()> {
    // Today: an item that comes back late is fined, and a patron who owes too much is not lent to.
    let body = json!({"itemBarcode": item, "servicePointId": SERVICE_POINT,
        "checkInDate": jiff::Timestamp::now().to_string()});
    let began = Instant::now();
    let answer = connection
        .send(
            "POST",
            "/circulation/check-in-by-barcode",
            &body.to_string(),
        )
        .await?;
    ensure!(
        answer.status == 200,
        "check-in: {}",
        String::from_utf8_lossy(&answer.body)
    );
    latencies.record(began.elapsed());
    Ok(())
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
        let path = format!(
            "/item-storage/items?query=barcode==%22{}%22",
            items[turn % items.len()]
        );
        turn += 1;
        let began = Instant::now();
        let answer = connection.send("GET", &path, "").await?;
        ensure!(
            answer.status == 200,
            "read: {}",
            String::from_utf8_lossy(&answer.body)
        );
        latencies.record(began.elapsed());
    }
    Ok(latencies)
}
