//! Aggregates the samples of a JTL: figures, and second by second.

use std::{collections::BTreeMap, path::Path, time::Duration};

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::samples::{Log, Sample};
use crate::results::{
    histogram::Latencies,
    model::{
        Arrivals, Correction, Environment, Figures, Generator, Latency, Results, Run, SCHEMA, Series, Stage, Target,
        Timeline, Workload,
    },
};

/// Name of all requests together if there are no transactions.
const ALL: &str = "All requests";
const NOTE: &str = "The samples are from a JTL, so latency is counted from when each request was sent. When each should \
    have been sent is not known: if the server stalled and held up the generator, the requests that were not sent \
    meanwhile are missing, and the high percentiles are lower than users would have seen.";

/// The results of a non-empty log.
pub(super) fn results(path: &Path, log: &Log) -> Results {
    let (first, last) = span(log);
    let seconds = (last - first) as f64 / 1000.0;
    let name = path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let stage = stage(log, seconds);
    Results {
        schema: SCHEMA,
        run: Run {
            id: name.clone(),
            began: timestamp(first),
            ended: timestamp(last),
            cut_short: None,
            command: Vec::new(),
            lab: env!("CARGO_PKG_VERSION").to_owned(),
            label: None,
        },
        workload: Workload {
            title: format!("Samples that another tool recorded in {}", path.display()),
            sha256: fingerprint(log),
            name,
            arrivals: Arrivals::Closed,
            think_time: false,
            ramp_up_seconds: 0.0,
            warm_up_seconds: 0.0,
            stage_seconds: seconds,
            shares: BTreeMap::new(),
        },
        target: Target {
            url: log.url.as_deref().map_or_else(|| "not recorded".to_owned(), origin),
            tenant: None,
            product: None,
            version: None,
            records: BTreeMap::new(),
        },
        environment: Environment::default(),
        timeline: timeline(log, first, &stage),
        stages: vec![stage],
        watch: BTreeMap::new(),
        hours: Vec::new(),
        drift: Vec::new(),
        statements: Vec::new(),
        warnings: vec![NOTE.to_owned()],
    }
}

/// The first start and the last end, in milliseconds.
fn span(log: &Log) -> (i64, i64) {
    let first = log.samples.iter().map(|sample| sample.began).min();
    let last = log.samples.iter().map(Sample::ended).max();
    let first = first.unwrap_or_default();
    (first, last.unwrap_or_default().max(first + 1))
}

impl Sample {
    fn ended(&self) -> i64 {
        self.began.saturating_add_unsigned(self.elapsed)
    }
}

fn timestamp(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap_or_default()
}

/// Logs with the same labels are assumed to come from the same plan.
fn fingerprint(log: &Log) -> String {
    let mut labels: Vec<&str> = log.labels.iter().map(|(label, _)| label.as_str()).collect();
    labels.sort_unstable();
    format!("{:x}", Sha256::digest(labels.join("\n")))
}

/// Scheme, host and port of a URL.
fn origin(url: &str) -> String {
    let host = url.find("://").map_or(0, |at| at + 3);
    let end = url[host..].find(['/', '?', '#']).map_or(url.len(), |at| host + at);
    url[..end].to_owned()
}

fn stage(log: &Log, seconds: f64) -> Stage {
    let figures = |transaction: bool| -> Vec<Figures> {
        let labels = log.labels.iter().enumerate();
        let wanted = labels.filter(|(_, (_, is))| *is == transaction);
        wanted.map(|(label, (name, _))| count(log, name, |sample| sample.label == label)).collect()
    };
    let (mut transactions, requests) = (figures(true), figures(false));
    if transactions.is_empty() {
        transactions.push(count(log, ALL, |_| true));
    }
    let rate = |figures: &[Figures]| {
        let good: u64 = figures.iter().map(|figures| figures.count - figures.failed()).sum();
        good as f64 / seconds
    };
    let users = log.samples.iter().map(|sample| sample.users).max();
    Stage {
        users: users.filter(|users| *users > 0),
        rate: None,
        begins_at: 0,
        counts_from: 0,
        ends_at: seconds.ceil() as u64,
        seconds,
        transactions_per_second: rate(&transactions),
        requests_per_second: rate(&requests),
        transactions,
        requests,
        generator: Generator::default(),
        correction: Correction::AsRecorded,
    }
}

fn count(log: &Log, name: &str, wanted: impl Fn(&Sample) -> bool) -> Figures {
    let (mut latencies, mut errors, mut count, mut bytes) = (Latencies::default(), BTreeMap::new(), 0, 0_u64);
    for sample in log.samples.iter().filter(|sample| wanted(sample)) {
        count += 1;
        bytes = bytes.saturating_add(sample.bytes);
        match sample.error {
            None => latencies.record(Duration::from_millis(sample.elapsed)),
            Some(error) => *errors.entry(log.errors[error].clone()).or_default() += 1,
        }
    }
    let latency = Latency::from(latencies);
    Figures {
        name: name.to_owned(),
        method: None,
        path: None,
        count,
        errors,
        bytes,
        records: None,
        per_record_ms: None,
        statements: None,
        corrected: latency.clone(),
        measured: latency,
    }
}

fn timeline(log: &Log, first: i64, stage: &Stage) -> Timeline {
    let seconds = usize::try_from(stage.ends_at).unwrap_or(0);
    let second = |sample: &Sample| {
        let at = usize::try_from((sample.ended() - first) / 1000).unwrap_or(0);
        at.min(seconds - 1)
    };
    let mut users = vec![0; seconds];
    let mut ended: Vec<BTreeMap<&str, Vec<&Sample>>> = vec![BTreeMap::new(); seconds];
    let alone = log.labels.iter().all(|(_, transaction)| !transaction);
    for sample in &log.samples {
        let at = second(sample);
        users[at] = sample.users.max(users[at]);
        let (label, transaction) = &log.labels[sample.label];
        if alone || *transaction {
            let name = if alone { ALL } else { label };
            ended[at].entry(name).or_default().push(sample);
        }
    }
    // A second in which nothing ended has the users of the previous one.
    for at in 1..seconds {
        if users[at] == 0 {
            users[at] = users[at - 1];
        }
    }
    let names = stage.transactions.iter().map(|figures| figures.name.clone());
    let series = names.map(|name| {
        let series = series(ended.iter().map(|second| second.get(name.as_str())));
        (name, series)
    });
    Timeline { transactions: series.collect(), users }
}

fn series<'a>(seconds: impl Iterator<Item = Option<&'a Vec<&'a Sample>>>) -> Series {
    let mut series = Series::default();
    for samples in seconds {
        let samples = samples.map_or(&[][..], Vec::as_slice);
        let mut good: Vec<u64> = samples.iter().filter(|it| it.error.is_none()).map(|it| it.elapsed).collect();
        good.sort_unstable();
        let at = |quantile: f64| {
            let rank = (quantile * good.len() as f64).ceil() as usize;
            good.get(rank.saturating_sub(1)).map(|millis| *millis as f64)
        };
        series.count.push(number(samples.len()));
        series.errors.push(number(samples.len() - good.len()));
        series.p50_ms.push(at(0.5));
        series.p95_ms.push(at(0.95));
        series.max_ms.push(at(1.0));
    }
    series
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
