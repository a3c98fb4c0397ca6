//! Clients at the desk: each lends an item to a patron and takes it back, over and over.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use anyhow::{Context, ensure};
use serde_json::{Value, json};

use crate::{http::Connection, measure::Latencies};

const SERVICE_POINT: &str = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
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

/// What the clients measured.
pub struct Lent {
    /// Check-outs.
    pub check_out: Latencies,
    /// Check-ins.
    pub check_in: Latencies,
    /// Check-outs that were refused (a blocked patron).
    pub refused: u64,
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

    /// `clients` lend and take back for `time`.
    pub async fn lend_and_take_back(&self, clients: usize, time: Duration) -> anyhow::Result<Lent> {
        let mut running = Vec::new();
        for client in 0..clients {
            let items = share(&self.items, client, clients);
            let patrons = share(&self.patrons, client, clients);
            let connection = Connection::open(self.address, &self.headers).await?;
            running.push(tokio::spawn(work(connection, items, patrons, time)));
        }
        let (check_out, check_in) = (Latencies::new(time), Latencies::new(time));
        let mut all = Lent {
            check_out,
            check_in,
            refused: 0,
        };
        for client in running {
            let one = client.await??;
            all.check_out.merge(&one.check_out);
            all.check_in.merge(&one.check_in);
            all.refused += one.refused;
        }
        Ok(all)
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

fn share(all: &[(String, String)], client: usize, clients: usize) -> Vec<String> {
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
    time: Duration,
) -> anyhow::Result<Lent> {
    let (check_out, check_in) = (Latencies::new(time), Latencies::new(time));
    let mut lent = Lent {
        check_out,
        check_in,
        refused: 0,
    };
    let end = Instant::now() + time;
    let mut turn = 0;
    while Instant::now() < end && !patrons.is_empty() {
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
    let body = json!({"itemBarcode": item, "servicePointId": SERVICE_POINT,
        "checkInDate": "2030-01-01T00:00:00.000Z"});
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
