//! The results of a stage, and warnings for the reader.

use std::{sync::atomic::Ordering, time::Instant};

use super::{machine, options::Asked};
use crate::{
    results::model::{self, Correction, Figures, Generator, Results},
    virtual_users::{
        Run, Stage,
        tally::{Counting, lock},
    },
};

/// Data about a stage beside its measurements.
#[derive(Debug, Clone, Copy)]
pub(super) struct About {
    pub asked: Asked,
    pub paced: bool,
    pub threads: usize,
    /// Processor time of the generator at the start of the counted part.
    pub cpu: Option<f64>,
    pub begins_at: u64,
}

/// The figures at `now` of a stage that has ended or is under way.
pub(super) fn of(stage: &Stage, about: About, now: Instant) -> model::Stage {
    let now = now.min(stage.ends);
    let seconds = now.saturating_duration_since(stage.counts_from).as_secs_f64();
    let counting = counting(stage, about);
    let (transactions, requests) = figures(stage, counting);
    let rate = |all: &[Figures]| {
        let ended: u64 = all.iter().map(|figures| figures.count - figures.failed()).sum();
        if seconds > 0.0 { rounded(ended as f64 / seconds) } else { 0.0 }
    };
    let at = |moment: Instant| moment.saturating_duration_since(stage.run.pulse.began()).as_secs();
    model::Stage {
        users: if let Asked::Users(users) = about.asked { Some(users) } else { None },
        rate: if let Asked::Rate(rate) = about.asked { Some(rate) } else { None },
        begins_at: about.begins_at,
        counts_from: at(stage.counts_from),
        ends_at: at(now),
        seconds: rounded(seconds),
        transactions_per_second: rate(&transactions),
        requests_per_second: rate(&requests),
        transactions,
        requests,
        generator: generator(stage, about, seconds),
        correction: match counting {
            Counting::Intended => Correction::IntendedStart,
            Counting::Expected { session, .. } => {
                Correction::ExpectedInterval { session_ms: rounded(session.as_secs_f64() * 1000.0) }
            }
        },
    }
}

/// How the latencies of a stage are counted.
pub(super) fn counting(stage: &Stage, about: About) -> Counting {
    match about.asked {
        Asked::Users(_) if !about.paced => stage.tallies.expected(),
        _ => Counting::Intended,
    }
}

fn figures(stage: &Stage, counting: Counting) -> (Vec<Figures>, Vec<Figures>) {
    let (workload, tallies) = (&stage.run.workload, &stage.tallies);
    let transactions = workload.transactions.iter().zip(&tallies.transactions);
    let transactions = transactions.map(|(one, tally)| lock(tally).figures(&one.name, None, counting));
    let requests = workload.kinds.iter().zip(&tallies.requests);
    let requests =
        requests.map(|(kind, tally)| lock(tally).figures(&kind.name, Some((&kind.method, &kind.path)), counting));
    let seen = |figures: &Figures| figures.count > 0;
    (transactions.filter(seen).collect(), requests.filter(seen).collect())
}

fn generator(stage: &Stage, about: About, seconds: f64) -> Generator {
    let used = about.cpu.map_or(0.0, |cpu| machine::processor_time() - cpu);
    let cpu_cores = if seconds > 0.0 { used / seconds } else { 0.0 };
    let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed);
    let (late_starts, intended_starts) = (count(&stage.late), count(&stage.intended));
    let often_late = late_starts > 10 && late_starts * 100 > intended_starts;
    Generator {
        cpu_cores: rounded(cpu_cores),
        late_starts,
        missed_starts: count(&stage.missed),
        intended_starts,
        was_the_limit: often_late || cpu_cores > 0.9 * about.threads as f64,
    }
}

/// Rounds to three decimals, as written to files.
fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

/// What a reader should know before trusting the figures.
pub(super) fn warnings(run: &Run, results: &Results) -> Vec<String> {
    let mut warnings = Vec::new();
    for stage in &results.stages {
        let (asked, generator) = (stage.asked(), &stage.generator);
        if generator.was_the_limit {
            warnings.push(format!(
                "at {asked} the generator was itself the limit ({:.2} cores busy, {} late starts): the server may be faster",
                generator.cpu_cores, generator.late_starts
            ));
        }
        if generator.missed_starts > 0 {
            let (missed, intended) = (generator.missed_starts, generator.intended_starts);
            warnings.push(format!("at {asked} {missed} of {intended} sessions never began: too many were under way"));
        }
    }
    for (set, pool) in run.workload.data.iter().zip(&run.pools).filter(|(_, pool)| pool.retired() > 0) {
        warnings.push(format!("{} rows of {:?} were refused by the target and used no more", pool.retired(), set.name));
    }
    let requests = run.workload.transactions.iter().flat_map(|transaction| {
        let steps = transaction.steps.iter();
        steps.flat_map(|step| &step.requests)
    });
    let mut lacking: Vec<_> = requests.filter(|request| run.is_absent(request)).collect();
    lacking.sort_by_key(|request| request.kind);
    lacking.dedup_by_key(|request| request.kind);
    warnings.extend(lacking.into_iter().map(|request| {
        format!(
            "{}: left out, because the target does not serve it (status 404; it came with {})",
            run.workload.kinds[request.kind].name,
            request.since.as_deref().unwrap_or_default()
        )
    }));
    let examples = run.pulse.examples();
    warnings.extend(examples.iter().map(|((request, kind), text)| format!("{request}: {kind}, for example: {text}")));
    warnings
}
