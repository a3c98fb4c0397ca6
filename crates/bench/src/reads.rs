//! What each small read of the desk's session costs: requests per second, and processor time of Carrel and of PostgreSQL.

use std::time::Duration;

use anyhow::Context;
use serde_json::Value;

use crate::{
    Options,
    desk::{Desk, SERVICE_POINT},
    process::Carrel,
};

/// Clients on connections that they keep.
const CLIENTS: usize = 8;
/// Patrons and items to ask for in turn.
const DIFFERENT: usize = 500;
/// Turns of each program when there are two.
const TURNS: u32 = 6;
/// Before anything counts.
const WARM_UP: Duration = Duration::from_millis(200);

/// What a request of one kind costs.
#[derive(Default)]
struct Cost {
    requests: u64,
    seconds: f64,
    carrel: f64,
    postgresql: f64,
}

impl Cost {
    fn per_second(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    fn carrel_ms(&self) -> f64 {
        self.carrel * 1000.0 / self.requests as f64
    }

    fn postgresql_ms(&self) -> f64 {
        self.postgresql * 1000.0 / self.requests as f64
    }
}

/// Prints a line for each read; with another program beside, what it needs, and this one's share of that.
pub async fn measure(options: &Options, word: &str, time: Duration) -> anyhow::Result<()> {
    let items = options.first()?;
    println!("# reads of the desk's session, {CLIENTS} clients, {items} items\n");
    let mut all = Vec::new();
    for carrel in Carrel::with_another(options, items).await? {
        all.push((Desk::open(carrel.folio).await?, carrel));
    }
    print!("| read | requests/s | Carrel ms | PostgreSQL ms |");
    print!("{}", if all.len() > 1 { " beside: requests/s | Carrel ms | PostgreSQL ms | Carrel | both |" } else { "" });
    println!("\n| --- | --- | --- | --- |{}", " --- |".repeat(if all.len() > 1 { 5 } else { 0 }));
    for (name, paths) in reads(&all[0].0).await?.into_iter().filter(|(name, _)| name.contains(word)) {
        let mut costs: Vec<Cost> = all.iter().map(|_| Cost::default()).collect();
        let turns = if all.len() > 1 { TURNS } else { 1 };
        for _ in 0..turns {
            for ((desk, carrel), cost) in all.iter().zip(&mut costs) {
                desk.read(paths.clone(), CLIENTS, WARM_UP).await?;
                add(desk, carrel, &paths, time / turns, cost).await?;
            }
        }
        print!("| {name} |");
        for cost in &costs {
            print!(" {:.0} | {:.3} | {:.3} |", cost.per_second(), cost.carrel_ms(), cost.postgresql_ms());
        }
        if let [this, other] = &costs[..] {
            let both = |cost: &Cost| cost.carrel_ms() + cost.postgresql_ms();
            print!(" {:.2} | {:.2} |", this.carrel_ms() / other.carrel_ms(), both(this) / both(other));
        }
        println!();
    }
    all.into_iter().try_for_each(|(_, carrel)| carrel.stop())
}

async fn add(desk: &Desk, carrel: &Carrel, paths: &[String], time: Duration, cost: &mut Cost) -> anyhow::Result<()> {
    carrel.usage().await?;
    let began = std::time::Instant::now();
    let read = desk.read(paths.to_vec(), CLIENTS, time).await?;
    let took = began.elapsed().as_secs_f64();
    let used = carrel.usage().await?;
    cost.requests += read.count();
    cost.seconds += took;
    cost.carrel += used.cores * took;
    cost.postgresql += used.database_cores * took;
    Ok(())
}

/// The reads of the session in tests/workloads/check-in-check-out.toml, and those that do less.
async fn reads(desk: &Desk) -> anyhow::Result<Vec<(&'static str, Vec<String>)>> {
    let one = |path: &str| vec![path.to_owned()];
    let patrons = |path: &str| -> Vec<String> {
        let patrons = desk.patrons.iter().take(DIFFERENT);
        patrons.map(|(id, barcode)| path.replace("{id}", id).replace("{barcode}", barcode)).collect()
    };
    let items = desk.items.iter().take(DIFFERENT);
    let items = items.map(|(_, barcode)| format!("/inventory/items?query=barcode==%22{barcode}%22")).collect();
    let group = first_group(desk).await?;
    let of = |field: &str| format!("query={field}==%22{{id}}%22");
    let loans = format!("/circulation/loans?{}%20and%20status.name%3C%3EClosed&limit=1000", of("userId"));
    let accounts = format!("/accounts?{}%20and%20status.name==%22Open%22&limit=10000", of("userId"));
    let requests = format!(
        "/circulation/requests?{}%20and%20pickupServicePointId==%22{SERVICE_POINT}%22%20and%20\
         status==%22Open%20-%20Awaiting%20pickup%22",
        of("requesterId")
    );
    Ok(vec![
        ("version", one("/_/version")),
        ("service points", one("/service-points?limit=1000")),
        ("circulation settings", one("/circulation/settings?query=name==other_settings")),
        ("staff slips", one("/staff-slips-storage/staff-slips?limit=1000")),
        ("groups", one("/groups?query=cql.allRecords=1%20sortby%20group&limit=2000")),
        ("group by id", one(&format!("/groups/{group}"))),
        ("own user", one("/users?query=username==%22diku_admin%22")),
        ("user by barcode", patrons("/users?query=barcode==%22{barcode}%22")),
        ("item by barcode", items),
        ("open loans", patrons(&loans)),
        ("open accounts", patrons(&accounts)),
        ("requests to pick up", patrons(&requests)),
        ("automated blocks", patrons("/automated-patron-blocks/{id}?limit=100")),
        ("manual blocks", patrons(&format!("/manualblocks?{}&limit=100", of("userId")))),
        ("sponsors", patrons(&format!("/proxiesfor?{}&limit=10000", of("proxyUserId")))),
        ("notes", patrons("/note-links/domain/users/type/user/id/{id}?limit=10000&order=desc&status=assigned")),
    ])
}

async fn first_group(desk: &Desk) -> anyhow::Result<String> {
    let answer = desk.send("GET", "/groups?limit=1", "").await?;
    let body: Value = serde_json::from_slice(&answer.body)?;
    let id = body.pointer("/usergroups/0/id").and_then(Value::as_str);
    Ok(id.context("no group")?.to_owned())
}
