//! The lists that FOLIO's pages and clients ask for, first pages and deep ones, in a large library.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::{desk::Desk, process::Carrel, raw};

/// Path, query and offset of each, and for some why they may take longer than [`AIM`].
const LISTS: &str = include_str!("lists.tsv");
/// What stands in their queries for a value of the library.
const VALUES: [(&str, &str); 9] = [
    ("{patron}", "SELECT userid FROM loan WHERE status_name_fold = 'open' ORDER BY seq LIMIT 1"),
    ("{loan}", "SELECT id FROM loan WHERE status_name_fold = 'open' ORDER BY seq LIMIT 1"),
    ("{item}", "SELECT itemid FROM loan WHERE status_name_fold = 'open' ORDER BY seq LIMIT 1"),
    ("{barcode}", "SELECT doc->>'barcode' FROM item WHERE doc ? 'barcode' ORDER BY seq LIMIT 1 OFFSET 1000"),
    ("{patron barcode}", "SELECT doc->>'barcode' FROM users WHERE doc ? 'barcode' ORDER BY seq LIMIT 1"),
    ("{material type}", "SELECT id FROM material_type WHERE doc->>'name' = 'book'"),
    ("{location}", "SELECT effectivelocationid FROM item GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"),
    ("{service point}", "SELECT id FROM service_point WHERE (doc->>'pickupLocation')::boolean ORDER BY seq LIMIT 1"),
    ("{group}", "SELECT patrongroup FROM users GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"),
];
/// The page that the pages show at once.
const LIMIT: usize = 100;
/// PostgreSQL plans a statement anew five times, and then perhaps once for all values.
const TIMES: usize = 8;
/// A list that takes longer is not asked for again.
const PATIENCE: Duration = Duration::from_secs(3);
const AIM: Duration = Duration::from_millis(100);

/// Prints how long each list takes; an error if one misses the aim without a reason.
pub async fn measure(carrel: &Carrel, desk: &Desk) -> anyhow::Result<()> {
    raw::run(carrel, "VACUUM (ANALYZE) item, holdings_record, instance, users, loan, request, accounts;")?;
    let mut values = Vec::new();
    for (name, sql) in VALUES {
        values.push((name, raw::text(carrel, sql)?));
    }
    println!("| list | offset | first ms | median ms | slowest ms | records | total | may be slow |");
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    let (mut lists, mut slow, mut missed) = (0, 0, 0);
    for line in LISTS.lines().filter(|line| !line.starts_with('#')) {
        let [path, query, offset, reason @ ..] = &line.split('\t').collect::<Vec<_>>()[..] else {
            anyhow::bail!("not a list: {line}");
        };
        let query = values.iter().fold((*query).to_owned(), |query, (name, value)| query.replace(name, value));
        let measured = Measured::of(desk, path, &query, offset).await?;
        lists += 1;
        let is_slow = measured.median() > AIM;
        slow += usize::from(is_slow);
        missed += usize::from(is_slow && reason.is_empty());
        let mark = if is_slow { "**" } else { "" };
        println!(
            "| `{path}` `{query}` | {offset} | {:.1} | {mark}{:.1}{mark} | {:.1} | {} | {} | {} |",
            milliseconds(measured.times[0]),
            milliseconds(measured.median()),
            milliseconds(measured.times.iter().copied().max().unwrap_or_default()),
            measured.records,
            measured.total,
            reason.concat()
        );
    }
    println!("\n{slow} of {lists} lists take more than {} ms, {missed} of them without a reason", AIM.as_millis());
    ensure!(missed == 0, "{missed} lists miss the aim");
    Ok(())
}

struct Measured {
    /// In the order of the requests.
    times: Vec<Duration>,
    records: usize,
    total: i64,
}

impl Measured {
    async fn of(desk: &Desk, path: &str, query: &str, offset: &str) -> anyhow::Result<Self> {
        let mut asked = format!("{path}?limit={LIMIT}&offset={offset}");
        if !query.is_empty() {
            asked.push_str("&query=");
            asked.extend(query.bytes().map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => char::from(byte).to_string(),
                byte => format!("%{byte:02X}"),
            }));
        }
        let mut measured = Self { times: Vec::new(), records: 0, total: 0 };
        for _ in 0..TIMES {
            let began = Instant::now();
            let answer = desk.send("GET", &asked, "").await?;
            measured.times.push(began.elapsed());
            if answer.status != 200 {
                println!("{asked}: {}", answer.excerpt(200));
                break;
            }
            let body: Value = serde_json::from_slice(&answer.body).context("no JSON")?;
            measured.total = body["totalRecords"].as_i64().unwrap_or(-1);
            let lists = body.as_object().into_iter().flat_map(|body| body.values());
            measured.records = lists.filter_map(Value::as_array).map(Vec::len).max().unwrap_or_default();
            if began.elapsed() > PATIENCE {
                break;
            }
        }
        Ok(measured)
    }

    fn median(&self) -> Duration {
        let mut sorted = self.times.clone();
        sorted.sort_unstable();
        sorted[sorted.len() / 2]
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
