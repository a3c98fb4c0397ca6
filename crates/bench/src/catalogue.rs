//! Measures the search of the catalogue: how fast it is indexed and what that does to the desk, keyword searches with facets,
//! searches for an ISBN, browsing, and how soon what was saved is found.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use lab::results::histogram::Latencies;
use serde_json::{Value, json};

use crate::{
    desk::{Desk, Until},
    line::{self, Kind},
    process::Carrel,
};

/// Clients at the desk while the index is built, and the pause of each before a scan ([`crate::attack`]).
const CLIENTS: usize = 8;
const PAUSE: Duration = Duration::from_millis(50);
/// Times that the desk is measured without the index and beside it; the median counts.
const WINDOWS: usize = 3;
/// The desk's p95 may grow by at most this factor while the index is built.
const SLOWER_AT_MOST: f64 = 1.5;
/// Instances whose titles and ISBNs are looked for.
const DIFFERENT: usize = 2_000;
/// Words shorter than this are not looked for: most titles have them.
const SHORTEST: usize = 4;
const FACETS: &str = "facet=source:10&facet=instanceTypeId:10&facet=languages:10&facet=items.effectiveLocationId:10&facet=instanceTags:10";
/// Records that are saved and looked for.
const SAVED: usize = 50;
const REBUILD: &str = "/search/index/instance-records/reindex/full";

/// Measures everything and prints tables.
///
/// # Errors
/// If a request fails or the desk suffers too much.
pub async fn measure(carrel: &Carrel, desk: &Desk, clients: &[usize], time: Duration) -> anyhow::Result<()> {
    // The first search opens the index.
    desk.send("GET", "/search/instances?limit=1&query=cql.allRecords=1", "").await?;
    let began = Instant::now();
    let instances = carrel.indexed("catalogue").await?;
    println!("index of {instances:.0} instances ready after {:.1} s", began.elapsed().as_secs_f64());
    println!("segments: {}", carrel.merged("catalogue").await?);
    let serving = carrel.memory()?;
    let asked = Asked::of(desk).await?;
    searches(carrel, desk, &asked, clients, time).await?;
    println!("\nmemory of Carrel before the searches: {serving}; after them: {}", carrel.memory()?);
    saves(desk).await?;
    rebuild(carrel, desk, instances, time).await
}

/// What is looked for.
struct Asked {
    words: Vec<String>,
    isbns: Vec<String>,
    subjects: Vec<String>,
}

impl Asked {
    /// Words, ISBNs and subjects of instances that the library has.
    async fn of(desk: &Desk) -> anyhow::Result<Self> {
        let answer = desk.send("GET", &format!("/instance-storage/instances?limit={DIFFERENT}"), "").await?;
        let body: Value = serde_json::from_slice(&answer.body)?;
        let mut asked = Self { words: Vec::new(), isbns: Vec::new(), subjects: Vec::new() };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        for instance in body["instances"].as_array().context("no instances")? {
            let title = instance["title"].as_str().unwrap_or_default();
            let words = title.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() >= SHORTEST);
            let words: Vec<&str> = words.take(2).collect();
            if !words.is_empty() {
                asked.words.push(words.join(" "));
            }
            let identifiers = instance["identifiers"].as_array().into_iter().flatten();
            let numbers = identifiers.filter_map(|identifier| text(&identifier["value"]));
            asked.isbns.extend(numbers.filter(|number| number.starts_with("978")));
            asked.subjects.extend(text(&instance["subjects"][0]["value"]));
        }
        ensure!(!asked.words.is_empty() && !asked.isbns.is_empty(), "the library has no titles with ISBNs");
        Ok(asked)
    }

    /// Kinds of requests: the name, the paths in turn, and the most milliseconds that 95 % may take at 8 clients.
    fn kinds(&self) -> Vec<(&'static str, Vec<String>, f64)> {
        let each = |values: &[String], path: &dyn Fn(String) -> String| -> Vec<String> {
            values.iter().map(|value| path(escaped(value))).collect()
        };
        let words = |words: String| format!("/search/instances?limit=100&query=keyword%20all%20%22{words}%22");
        let facets = |words: String| format!("/search/instances/facets?query=keyword%20all%20%22{words}%22&{FACETS}");
        let isbn = |isbn: String| format!("/search/instances?limit=100&query=isbn=%22{isbn}%22");
        let browsed = |subject: String| {
            let query = format!("value%3E=%22{subject}%22%20or%20value%3C%22{subject}%22");
            format!("/browse/subjects/instances?limit=100&precedingRecordsCount=5&query={query}")
        };
        vec![
            ("100 titles by keyword", each(&self.words, &words), 50.0),
            ("five facets of them", each(&self.words, &facets), 50.0),
            ("by ISBN", each(&self.isbns, &isbn), 5.0),
            ("100 subjects from one on", each(&self.subjects, &browsed), 10.0),
        ]
    }
}

async fn searches(
    carrel: &Carrel,
    desk: &Desk,
    asked: &Asked,
    clients: &[usize],
    time: Duration,
) -> anyhow::Result<()> {
    line::head();
    for &clients in clients {
        for (name, paths, aim) in &asked.kinds() {
            let kind = Kind { name, paths, aim: Some(*aim).filter(|_| clients == CLIENTS) };
            line::row(carrel, &desk.access, kind, clients, time).await?;
        }
    }
    Ok(())
}

/// Saves records and looks for each at once.
async fn saves(desk: &Desk) -> anyhow::Result<()> {
    let answer = desk.send("GET", &format!("/inventory/instances?limit={SAVED}"), "").await?;
    let body: Value = serde_json::from_slice(&answer.body)?;
    let (mut found, mut at_once) = (Latencies::default(), 0);
    for (place, instance) in body["instances"].as_array().context("no instances")?.iter().enumerate() {
        let id = instance["id"].as_str().context("no id")?;
        let path = format!("/instance-storage/instances/{id}");
        let mut record: Value = serde_json::from_slice(&desk.send("GET", &path, "").await?.body)?;
        let word = format!("saved{}x{place}", jiff::Timestamp::now().as_second());
        record["title"] = json!(format!("{} {word}", record["title"].as_str().unwrap_or_default()));
        let saved = desk.send("PUT", &path, &record.to_string()).await?;
        ensure!(saved.status == 204, "{path}: {}", saved.excerpt(200));
        let began = Instant::now();
        for attempt in 0.. {
            ensure!(attempt < 1_000, "{word} is not found");
            let path = format!("/search/instances?query=title=={word}");
            let answer: Value = serde_json::from_slice(&desk.send("GET", &path, "").await?.body)?;
            if answer["totalRecords"] == 1 {
                at_once += usize::from(attempt == 0);
                break;
            }
        }
        found.record(began.elapsed());
    }
    println!(
        "\nfrom saved to found: p50 {:.1} ms, p95 {:.1} ms; {at_once} of {} by the first search",
        found.quantile_ms(0.5),
        found.quantile_ms(0.95),
        found.count()
    );
    Ok(())
}

/// Builds the index again beside the desk.
async fn rebuild(carrel: &Carrel, desk: &Desk, instances: f64, time: Duration) -> anyhow::Result<()> {
    let began = Instant::now();
    desk.send("POST", REBUILD, "{}").await?;
    let (_, most) = carrel.watched(carrel.indexed("catalogue")).await?;
    let alone = instances / began.elapsed().as_secs_f64();
    carrel.merged("catalogue").await?;
    // The desk's own caches are filled before it is measured alone.
    desk.check_out_and_in_paced(CLIENTS, Until::Elapsed(time), PAUSE).await?;
    let before = check_outs(desk, time).await?;
    let began = Instant::now();
    desk.send("POST", REBUILD, "{}").await?;
    let during = check_outs(desk, time).await?;
    let is_building = carrel.metric_of("carrel_search_building", "index=\"catalogue\"").await? > 0.0;
    carrel.indexed("catalogue").await?;
    let beside = instances / began.elapsed().as_secs_f64();
    println!("\nindexed again: {alone:.0} instances a second, {beside:.0} with the desk beside it");
    println!("memory of Carrel while it indexed alone: at most {most} MB of its own");
    if !is_building {
        println!("the index was ready before the desk was measured: use a larger library");
    }
    let ratio = median(&during) / median(&before);
    println!(
        "check-out p95: {} ms alone, {} ms meanwhile, ratio of the medians {ratio:.2}; at most {} MB",
        listed(&before),
        listed(&during),
        carrel.peak()?
    );
    ensure!(ratio <= SLOWER_AT_MOST, "the desk is {ratio:.2} times as slow while the index is built");
    Ok(())
}

/// The 95th percentile of check-outs, in milliseconds, for each window.
async fn check_outs(desk: &Desk, time: Duration) -> anyhow::Result<[f64; WINDOWS]> {
    let mut all = [0.0; WINDOWS];
    for p95 in &mut all {
        let measured = desk.check_out_and_in_paced(CLIENTS, Until::Elapsed(time), PAUSE).await?;
        *p95 = measured.check_out.quantile_ms(0.95);
    }
    Ok(all)
}

fn median(of: &[f64; WINDOWS]) -> f64 {
    let mut sorted = *of;
    sorted.sort_by(f64::total_cmp);
    sorted[WINDOWS / 2]
}

fn listed(all: &[f64]) -> String {
    all.iter().map(|one| format!("{one:.2}")).collect::<Vec<_>>().join(", ")
}

/// A value in a query in a path.
fn escaped(value: &str) -> String {
    let escape = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    value.bytes().filter(|byte| !matches!(byte, b'"' | b'\\')).map(escape).collect()
}
