//! A hundred kills in a row, of Carrel, of PostgreSQL and of both, during check-outs: the first start after each
//! succeeds, and no acknowledged change is lost.

use std::collections::VecDeque;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::doctor::assert_sound;
use super::kill::{Desk, base, compare, make_library};
use super::support::{Carrel, command, data_dir, database, postgres_of};

const KILLS: usize = 100;
/// Clients active at the moment of a kill, and how many items each tries to check out.
const CLIENTS: usize = 2;
const EACH: usize = 2;
/// Half of the starts must be faster; a machine busy with other tests may occasionally need longer.
const START: Duration = Duration::from_secs(5);

/// Kills all of them at the same moment.
fn kill(processes: &[u32]) {
    let mut kill = Command::new("kill");
    kill.args(["-s", "KILL"]).args(processes.iter().map(u32::to_string));
    assert!(kill.status().expect("kill is there").success());
}

/// The next check-outs and their patrons.
struct Queue {
    items: VecDeque<String>,
    patrons: Vec<String>,
}

impl Queue {
    fn next(&mut self) -> Vec<(String, String)> {
        let (left, turn) = (EACH.min(self.items.len()), self.items.len());
        let patrons = self.patrons.iter().cycle().skip(turn).cloned();
        self.items.drain(..left).zip(patrons).collect()
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_start_succeeds_after_each_of_a_hundred_kills() {
    let dir = data_dir();
    make_library(dir.path());
    let mut carrel = Carrel::start(dir.path());
    let mut desk = Desk::open(&carrel).await;
    let items = "/item-storage/items?limit=500&query=status.name==Available";
    let mut queue = Queue {
        items: desk.barcodes(items, "items").await.into(),
        patrons: desk.barcodes("/users?limit=200&query=active==true", "users").await,
    };
    let (mut acknowledged, mut starts) = (Vec::new(), Vec::new());
    for round in 0..KILLS {
        let (sender, mut heard) = tokio::sync::mpsc::channel(CLIENTS * EACH);
        for _ in 0..CLIENTS {
            let (desk, sender, loans) = (desk.clone(), sender.clone(), queue.next());
            tokio::spawn(async move {
                for (item, patron) in loans {
                    if let Some(loan) = desk.check_out(&item, &patron).await {
                        let _ = sender.send(loan).await;
                    }
                }
            });
        }
        drop(sender);
        acknowledged.extend(heard.recv().await);
        let postgres = postgres_of(dir.path()).expect("it runs");
        let process = carrel.process.id();
        let began = match round % 3 {
            0 => {
                kill(&[process]);
                Instant::now()
            }
            1 => {
                kill(&[postgres]);
                let began = Instant::now();
                carrel.line_with("PostgreSQL runs again");
                began
            }
            _ => {
                kill(&[process, postgres]);
                Instant::now()
            }
        };
        if round % 3 != 1 {
            // The killed process is reaped only afterwards: the next one does not wait for its end.
            carrel = Carrel::start(dir.path());
        }
        starts.push(began.elapsed());
        desk.base = base(&carrel);
        while let Some(loan) = heard.recv().await {
            acknowledged.push(loan);
        }
    }
    starts.sort_unstable();
    let (median, worst) = (starts[KILLS / 2], starts[KILLS - 1]);
    println!("{KILLS} starts, half of them in {median:?}, the slowest in {worst:?}");
    assert!(median < START, "{starts:?}");
    assert!(acknowledged.len() > KILLS / 2, "the desk lent all the time");
    compare(&carrel, &acknowledged).await;
    assert_sound(dir.path(), &["columns", "counters", "constraints", "indexes"]);
}

/// Starts with a new library, each killed a little later.
#[tokio::test]
async fn a_first_start_killed_while_creating_tables_is_repeated() {
    let dir = data_dir();
    for made in [0_i64, 3, 30, 200, 400] {
        let starting = Carrel::spawn(command(dir.path()));
        starting.line_with("PostgreSQL is ready");
        until_tables(dir.path(), made).await;
        kill(&[starting.process.id()]);
    }
    let carrel = Carrel::start(dir.path());
    assert_eq!(carrel.status("/readyz").await, Some(200));
    assert!(carrel.stop("TERM").success());
}

/// Waits until this many of Carrel's tables and indexes have files, including those of open transactions.
async fn until_tables(data_dir: &Path, made: i64) {
    let client = database(data_dir).await;
    let files = "SELECT count(*) FROM pg_ls_dir('base/' || (SELECT oid FROM pg_database WHERE datname = 'carrel'))
                     AS file WHERE file ~ '^[0-9]+$' AND file::bigint >= 16384";
    let deadline = Instant::now() + Duration::from_secs(30);
    while client.query_one(files, &[]).await.expect("a count").get::<_, i64>(0) < made {
        assert!(Instant::now() < deadline, "{made} files are not made");
    }
}
