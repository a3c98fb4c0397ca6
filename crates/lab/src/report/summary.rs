//! The outcome of a run, in sentences generated from the figures.

use super::Last;
use crate::{
    compare::pages,
    document::{Block, number},
    results::{
        model::{Arrivals, Figures, Results, Stage},
        threshold::Verdict,
    },
};

pub(super) fn blocks(
    results: &Results,
    last: Last<'_>,
    verdicts: &[Verdict],
    slow: f64,
    warnings: Vec<String>,
) -> Vec<Block> {
    let mut sentences = Vec::new();
    sentences.extend(times(results));
    sentences.extend(last.into_iter().flat_map(pages::last_sentences));
    sentences.extend(slowest(results));
    sentences.extend(above(results, slow));
    sentences.extend(throughput(results));
    sentences.push(errors(results));
    sentences.extend(kept(verdicts));
    vec![
        Block::Text(what(results)),
        Block::List(sentences),
        Block::Warnings(early(results).into_iter().chain(warnings).collect()),
    ]
}

/// The workload, the target, the time and the duration.
fn what(results: &Results) -> String {
    let target = &results.target;
    let product = target.product.as_deref().unwrap_or("the server");
    let version = target.version.as_deref().map_or_else(String::new, |version| format!(" {version}"));
    let seconds = results.run.ended.duration_since(results.run.began).as_secs_f64();
    let loads: Vec<String> = results.stages.iter().map(Stage::asked).collect();
    let pauses = match (results.workload.arrivals, results.workload.think_time) {
        (Arrivals::Closed, true) => " who paused between steps as staff do",
        (Arrivals::Closed, false) => " without pauses",
        (Arrivals::Open, _) => " of new sessions, whether or not the earlier ones had ended",
    };
    let began = results.run.began.strftime("%-d %B %Y, %H:%M");
    format!(
        "{} ran against {product}{version} at {} on {began} UTC, for {}, with {}{pauses}.",
        results.workload.name,
        target.url,
        number::duration(seconds),
        listed(&loads),
    )
}

fn listed(all: &[String]) -> String {
    match all {
        [] => "no load".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// The response times at the first and last load.
fn times(results: &Results) -> Vec<String> {
    let stages = [results.stages.first(), results.stages.last()];
    let mut loads: Vec<&Stage> = stages.into_iter().flatten().collect();
    loads.dedup_by_key(|stage| stage.asked());
    let few = |stage: &&Stage| stage.transactions.len() <= 4;
    let sentences = loads.into_iter().filter(few).map(|stage| {
        let succeeded = stage.transactions.iter().filter(|figures| figures.corrected.count > 0);
        let times: Vec<String> = succeeded.map(time).collect();
        (!times.is_empty()).then(|| format!("With {}, {}.", stage.asked(), times.join("; ")))
    });
    sentences.flatten().collect()
}

fn time(figures: &Figures) -> String {
    let (average, p95) = (figures.corrected.mean_ms, figures.corrected.p95_ms);
    format!(
        "{} took {} on average, and 95 % of them at most {}",
        figures.name,
        number::latency(average),
        number::latency(p95)
    )
}

/// The slowest request at the last load.
fn slowest(results: &Results) -> Option<String> {
    let stage = results.stages.last()?;
    let requests = stage.requests.iter().filter(|figures| figures.corrected.count > 0);
    let slowest = requests.max_by(|one, other| one.corrected.p75_ms.total_cmp(&other.corrected.p75_ms))?;
    Some(format!(
        "{} is the slowest request with {}: three in four take at most {}, 99 in 100 at most {}.",
        slowest.name,
        stage.asked(),
        number::latency(slowest.corrected.p75_ms),
        number::latency(slowest.corrected.p99_ms)
    ))
}

fn above(results: &Results, slow: f64) -> Option<String> {
    let stage = results.stages.last().filter(|stage| !stage.requests.is_empty())?;
    let count = stage.requests.iter().filter(|figures| figures.corrected.p75_ms > slow).count();
    let all = stage.requests.len();
    let count = match count {
        0 => format!("None of the {all} requests has"),
        1 => format!("1 of the {all} requests has"),
        count => format!("{count} of the {all} requests have"),
    };
    Some(format!("{count} a 75th percentile above {} with {}.", number::latency(slow), stage.asked()))
}

fn throughput(results: &Results) -> Option<String> {
    let rate = |stage: &&Stage| stage.transactions_per_second;
    let best = results.stages.iter().max_by(|one, other| rate(one).total_cmp(&rate(other)))?;
    let limit = if best.generator.was_the_limit {
        " The generator was then itself the limit: the server may be able to do more."
    } else {
        ""
    };
    Some(format!(
        "At most {} transactions ({} requests) a second were reached, with {}.{limit}",
        number::number(best.transactions_per_second, 1),
        number::number(best.requests_per_second, 1),
        best.asked()
    ))
}

fn errors(results: &Results) -> String {
    let all = || results.stages.iter().flat_map(|stage| &stage.transactions);
    let (count, failed) = (all().map(|one| one.count).sum::<u64>(), all().map(Figures::failed).sum::<u64>());
    if failed == 0 {
        return format!("None of {} transactions failed.", number::count(count));
    }
    let kinds = all().flat_map(|one| &one.errors);
    let mut by_kind = std::collections::BTreeMap::<&str, u64>::new();
    kinds.for_each(|(kind, count)| *by_kind.entry(kind).or_default() += count);
    let most = by_kind.iter().max_by_key(|(_, count)| **count);
    let most = most.map_or_else(String::new, |(kind, _)| format!(", most often with: {kind}"));
    let share = number::share(failed as f64 / count.max(1) as f64);
    format!("{} of {} transactions failed ({share}){most}.", number::count(failed), number::count(count))
}

fn kept(verdicts: &[Verdict]) -> Vec<String> {
    let broken: Vec<&Verdict> = verdicts.iter().filter(|verdict| !verdict.kept).collect();
    match (verdicts.len(), broken.len()) {
        (0, _) => Vec::new(),
        (1, 0) => vec!["The threshold was kept.".to_owned()],
        (all, 0) => vec![format!("All {all} thresholds were kept.")],
        _ => broken.iter().map(|verdict| format!("Threshold not kept: {}.", verdict.in_words())).collect(),
    }
}

fn early(results: &Results) -> Option<String> {
    let why = results.run.cut_short.as_ref()?;
    Some(format!("The run ended early ({why}): the last load is shorter than the others, or missing."))
}
