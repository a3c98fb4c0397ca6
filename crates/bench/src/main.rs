//! `make bench` measures the desk beside the same writes on raw PostgreSQL, in one run.
//!
//! For each size of library it makes (or reuses) a sample library, serves it with the release binary, and measures
//! check-out and check-in over HTTP, the same writes with pgbench, reads by barcode, memory and start times. Options show
//! what a pair costs, or measure self-checks, jobs beside the desk, a patron with a long history, the desk under attack,
//! searches of the catalogue, or the archives.

mod archives;
mod attack;
mod background;
mod catalogue;
mod desk;
mod line;
mod lists;
mod patron;
mod process;
mod profile;
mod raw;
mod reads;
mod self_checks;
mod steady;

use std::{path::PathBuf, time::Duration};

use anyhow::Context;
use clap::Parser;
use lab::results::histogram::Latencies;

/// Measures Carrel and prints tables.
#[derive(Parser)]
struct Options {
    /// Sizes of the libraries, in items.
    #[arg(long, value_delimiter = ',', default_value = "100000,1000000")]
    items: Vec<u64>,
    /// Concurrent clients.
    #[arg(long, value_delimiter = ',', default_value = "1,8,50")]
    clients: Vec<usize>,
    /// Seconds for each measurement.
    #[arg(long, default_value_t = 10)]
    seconds: u64,
    /// Check-outs and check-ins in the long run, which shows that nothing grows.
    #[arg(long, default_value_t = 100_000)]
    operations: u64,
    /// Also compare check-outs of a patron with a long history and many loans with those of a new one.
    #[arg(long)]
    patron: bool,
    /// Also age 100,000 loans and expire 100,000 requests beside the desk; needs a library of 125,000 items.
    #[arg(long)]
    jobs: bool,
    /// Only measure this many self-checks at once, on the first library.
    #[arg(long, value_name = "TERMINALS")]
    sip2: Option<usize>,
    /// Only attack the first library while eight clients check items out and in; fails if they slow down too much.
    #[arg(long, conflicts_with = "sip2")]
    attack: bool,
    /// Only show what a check-out and its check-in cost, on the first library.
    #[arg(long, conflicts_with_all = ["sip2", "attack"], group = "paired")]
    profile: bool,
    /// Only show what each read of the desk's session costs, on the first library; with a word, only reads so named.
    #[arg(long, value_name = "WORD", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with_all = ["sip2", "attack", "profile"], group = "paired")]
    reads: Option<String>,
    /// With --profile or --reads: an earlier program to measure in turn with this one, on a copy of the library.
    #[arg(long, value_name = "PROGRAM", requires = "paired")]
    beside: Option<PathBuf>,
    /// Only measure the lists that FOLIO's pages ask for, on the first library.
    #[arg(long, conflicts_with_all = ["sip2", "attack", "profile", "reads"])]
    lists: bool,
    /// Only measure searches of the catalogue, in libraries of so many instances (`--items`).
    #[arg(long, conflicts_with_all = ["sip2", "attack", "profile", "reads", "lists"])]
    search: bool,
    /// Only measure the archives.
    #[arg(long, conflicts_with_all = ["sip2", "attack", "profile", "reads", "lists", "search"])]
    archives: bool,
    /// With --archives: the number of collections.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(10..))]
    resources: u32,
    /// With --archives: components of all collections. The first, whose tree is moved and exported, has a fifth of them.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(10_000..))]
    components: u32,
    /// Folder that keeps the libraries between runs.
    #[arg(long, default_value = "/var/lib/carrel-bench")]
    data: PathBuf,
    /// The program to measure.
    #[arg(long, default_value = "target/release/carrel")]
    carrel: PathBuf,
    /// The first of the ports that Carrel listens on.
    #[arg(long, default_value_t = 9430)]
    first_port: u16,
}

impl Options {
    /// The size of the first library.
    fn first(&self) -> anyhow::Result<u64> {
        self.items.first().copied().context("no library")
    }
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let time = Duration::from_secs(options.seconds);
    if let Some(word) = &options.reads {
        return reads::measure(&options, word, time).await;
    }
    if options.archives {
        return archives::measure(&options, time).await;
    }
    if options.search {
        for &instances in &options.items {
            println!("\n# {instances} instances\n");
            let carrel = process::Carrel::with_catalogue(&options, instances).await?;
            let desk = desk::Desk::open(carrel.folio).await?;
            catalogue::measure(&carrel, &desk, &options.clients, time).await?;
            carrel.stop()?;
        }
        return Ok(());
    }
    if options.profile {
        return profile::measure(&options, time).await;
    }
    if options.attack || options.lists || options.sip2.is_some() {
        let items = options.first()?;
        println!("# {items} items");
        let carrel = process::Carrel::with_library(&options, items, true).await?;
        if options.lists {
            lists::measure(&carrel, &desk::Desk::signed_in(carrel.folio).await?).await?;
            return carrel.stop();
        }
        let desk = desk::Desk::open(carrel.folio).await?;
        match options.sip2 {
            Some(terminals) => self_checks::measure(&carrel, &desk, terminals, time).await?,
            None => attack::measure(&carrel, &desk, time).await?,
        }
        return carrel.stop();
    }
    let first = process::Carrel::first_start(&options).await?;
    println!("first start, on an empty directory: {:.2} s", first.as_secs_f64());
    for &items in &options.items {
        println!("\n# {items} items\n");
        let carrel = process::Carrel::with_library(&options, items, !options.jobs).await?;
        println!("start on the existing cluster: {:.2} s", carrel.started_in.as_secs_f64());
        let desk = desk::Desk::open(carrel.folio).await?;
        println!(
            "\n| clients | operation | p50 ms | p95 ms | per second | per core-second of Carrel | raw, one call | of it | raw, statements | of it |"
        );
        println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        raw::prepare(&carrel, &desk)?;
        for &clients in &options.clients {
            carrel.usage().await?;
            let until = desk::Until::Elapsed(time);
            let measured = desk.check_out_and_in(clients, until).await?;
            let cores = carrel.usage().await?.cores;
            let one_call = raw::rate(&carrel, raw::Way::OneCall, clients, time)?;
            let statements = raw::rate(&carrel, raw::Way::Statements, clients, time)?;
            let both = measured.rate();
            row(clients, "check-out", &measured.check_out, measured.time, None);
            row(clients, "check-in", &measured.check_in, measured.time, None);
            println!(
                "| {clients} | both | | | {both:.0} | {:.0} | {one_call:.0} | {:.0} % | {statements:.0} | {:.0} % |",
                both / cores.max(0.01),
                100.0 * both / one_call,
                100.0 * both / statements
            );
            if measured.refused > 0 {
                println!("| {clients} | refused | | | {} | | | | | |", measured.refused);
            }
        }
        for &clients in &options.clients {
            carrel.usage().await?;
            let reads = desk.read_by_barcode(clients, time).await?;
            let cores = carrel.usage().await?.cores;
            row(clients, "GET item by barcode", &reads, time, Some(cores));
        }
        steady::tenths(&carrel, &desk, options.operations).await?;
        if options.patron {
            patron::beside_a_new_one(&carrel, &desk, time).await?;
        }
        if options.jobs {
            background::jobs(&carrel, &desk, time).await?;
        }
        let (now, most) = (carrel.usage().await?.megabytes, carrel.peak()?);
        println!("\nmemory of the Carrel process: {now:.0} MB now, {most} MB at most");
        carrel.stop()?;
    }
    Ok(())
}

/// A row of the table; with the processors that Carrel used meanwhile, also the rate of each.
fn row(clients: usize, what: &str, latencies: &Latencies, time: Duration, cores: Option<f64>) {
    let rate = desk::per_second(latencies.count(), time);
    let core = cores.map(|cores| format!("{:.0}", rate / cores.max(0.01)));
    println!(
        "| {clients} | {what} | {:.2} | {:.2} | {rate:.0} | {} | | | | |",
        latencies.quantile_ms(0.5),
        latencies.quantile_ms(0.95),
        core.unwrap_or_default()
    );
}
