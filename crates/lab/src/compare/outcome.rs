//! The comparison of two groups of runs, stage by stage.

use super::{
    Group,
    figure::{self, Figure, Seen},
    statistics::{self, Change, LEAST_MILLIS, Verdict},
    wavering,
};
use crate::results::model::{Figures, Stage};

/// What changed from one group to another.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Name of the first group.
    pub before: String,
    /// Name of the second group.
    pub after: String,
    /// Stages that both groups have.
    pub stages: Vec<ComparedStage>,
    /// Loads of the stages that only one group has.
    pub missing: Vec<String>,
}

/// A stage in both groups.
#[derive(Debug, Clone)]
pub struct ComparedStage {
    /// The load: `20 users`.
    pub asked: String,
    pub transactions: Vec<Compared>,
    pub requests: Vec<Compared>,
}

/// A transaction or request in both groups.
#[derive(Debug, Clone)]
pub struct Compared {
    pub name: String,
    /// In the order of [`figure::ALL`].
    pub figures: Vec<ComparedFigure>,
    /// The overall verdict: from the 50th, 75th and 95th percentile and the errors.
    pub verdict: Verdict,
}

/// A figure in both groups.
#[derive(Debug, Clone, Copy)]
pub struct ComparedFigure {
    pub figure: Figure,
    /// Value in the first group; the middle of repeated runs.
    pub before: Option<f64>,
    /// Value in the second group.
    pub after: Option<f64>,
    /// The change, if it can be determined.
    pub change: Option<Change>,
    /// `None` for a figure that no test can judge.
    pub verdict: Option<Verdict>,
}

pub fn compare(before: &Group, after: &Group) -> Comparison {
    let (ours, theirs) = (asked(before), asked(after));
    let both = ours.iter().filter(|asked| theirs.contains(asked));
    let stages = both.map(|asked| stage(asked, &stages(before, asked), &stages(after, asked))).collect();
    let apart = ours.iter().filter(|asked| !theirs.contains(asked));
    let apart = apart.chain(theirs.iter().filter(|asked| !ours.contains(asked)));
    Comparison { before: before.name.clone(), after: after.name.clone(), stages, missing: apart.cloned().collect() }
}

/// The loads of the stages of all runs, in order.
fn asked(group: &Group) -> Vec<String> {
    let mut all = Vec::new();
    for stage in group.runs.iter().flat_map(|run| &run.stages) {
        if !all.contains(&stage.asked()) {
            all.push(stage.asked());
        }
    }
    all
}

/// A stage of one run, and the run's variation in it.
type Wavering<'a> = (&'a Stage, f64);

fn stages<'a>(group: &'a Group, asked: &str) -> Vec<Wavering<'a>> {
    let stages = group.runs.iter().flat_map(|run| {
        let of_run = run.stages.iter().filter(|stage| stage.asked() == asked);
        of_run.map(|stage| (stage, wavering::of(&run.timeline, stage)))
    });
    stages.collect()
}

type Pick = fn(&Stage) -> &[Figures];

fn stage(asked: &str, before: &[Wavering<'_>], after: &[Wavering<'_>]) -> ComparedStage {
    let all = |pick: Pick| {
        let names = pick(before[0].0).iter().map(|figures| figures.name.as_str());
        let both = names.filter_map(|name| {
            let (ours, theirs) = (named(before, name, pick), named(after, name, pick));
            (!theirs.is_empty()).then(|| one(name, &ours, &theirs))
        });
        both.collect()
    };
    ComparedStage {
        asked: asked.to_owned(),
        transactions: all(|stage| &stage.transactions),
        requests: all(|stage| &stage.requests),
    }
}

fn named<'a>(stages: &[Wavering<'a>], name: &str, pick: Pick) -> Vec<Seen<'a>> {
    let found = stages.iter().filter_map(|&(stage, wavering)| {
        let figures = pick(stage).iter().find(|figures| figures.name == name)?;
        Some(Seen { stage, figures, wavering })
    });
    found.collect()
}

fn one(name: &str, before: &[Seen<'_>], after: &[Seen<'_>]) -> Compared {
    let figures = figure::ALL.map(|figure| compared(figure, before, after));
    let judged = |one: &&ComparedFigure| matches!(one.figure, Figure::Percentile(50 | 75 | 95) | Figure::Errors);
    let verdicts: Vec<Verdict> = figures.iter().filter(judged).filter_map(|one| one.verdict).collect();
    Compared { name: name.to_owned(), verdict: together(&verdicts), figures: figures.to_vec() }
}

fn compared(figure: Figure, before: &[Seen<'_>], after: &[Seen<'_>]) -> ComparedFigure {
    let (ours, theirs) = (figure.measured(before), figure.measured(after));
    let change = statistics::change(&ours, &theirs);
    let value = |measured: &statistics::Measured| match figure {
        // Shares may be 0, which has no logarithm.
        Figure::Errors => mean(&measured.values),
        _ => (!measured.values.is_empty()).then(|| measured.value()),
    };
    let (first, second) = (value(&ours), value(&theirs));
    let verdict = match figure {
        Figure::Longest => None,
        Figure::Errors => (first.is_some() && second.is_some()).then(|| figure::errors(before, after)),
        _ => match (first, second) {
            (Some(first), Some(second)) => Some(judged(figure, first, second, change)),
            _ => None,
        },
    };
    ComparedFigure { figure, before: first, after: second, change, verdict }
}

fn judged(figure: Figure, before: f64, after: f64, change: Option<Change>) -> Verdict {
    if figure.is_latency() && (after - before).abs() < LEAST_MILLIS {
        return Verdict::Stable;
    }
    change.map_or(Verdict::Unstable, |change| change.verdict(figure.less_is_better()))
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Combines verdicts; contradictory ones give unstable.
fn together(verdicts: &[Verdict]) -> Verdict {
    let has = |verdict| verdicts.contains(&verdict);
    match (has(Verdict::Better), has(Verdict::Worse)) {
        (true, false) => Verdict::Better,
        (false, true) => Verdict::Worse,
        (false, false) if !verdicts.is_empty() && !has(Verdict::Unstable) => Verdict::Stable,
        _ => Verdict::Unstable,
    }
}

impl ComparedFigure {
    /// The factor of change, significant or not.
    pub fn ratio(&self) -> Option<f64> {
        match (self.before, self.after) {
            (Some(before), Some(after)) if before > 0.0 => Some(after / before),
            _ => None,
        }
    }
}

impl Compared {
    pub fn figure(&self, figure: Figure) -> Option<&ComparedFigure> {
        self.figures.iter().find(|one| one.figure == figure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{
        model::Results,
        sample::{self, figures, latencies},
    };

    /// A run of 6,000 check-ins of 90 to 110 ms, and a request, scaled by a percentage.
    fn run(percent: u64) -> Results {
        let millis = |at: u64| (90 + at * 7 % 21) * percent / 100;
        let latency = || latencies((0..6_000).map(millis));
        let mut results = sample::results();
        let path = ("GET", "/users");
        let stage = sample::stage(
            20,
            vec![figures("Check-in", None, latency())],
            vec![figures("GET users", Some(path), latency())],
        );
        results.stages = vec![stage];
        results
    }

    fn verdicts(before: Vec<Results>, after: Vec<Results>) -> (Verdict, Verdict) {
        let group = |name: &str, runs| Group { name: name.to_owned(), runs };
        let comparison = compare(&group("a", before), &group("b", after));
        let stage = &comparison.stages[0];
        (stage.transactions[0].verdict, stage.requests[0].verdict)
    }

    #[test]
    fn single_runs_are_judged() {
        for (percent, expected) in
            [(100, Verdict::Stable), (104, Verdict::Stable), (120, Verdict::Worse), (80, Verdict::Better)]
        {
            assert_eq!(verdicts(vec![run(100)], vec![run(percent)]), (expected, expected), "{percent}");
        }
    }

    #[test]
    fn repeated_runs_are_judged_by_how_they_vary() {
        let runs = |percents: &[u64]| percents.iter().map(|percent| run(*percent)).collect::<Vec<_>>();
        for (before, after, expected) in [
            (&[100, 101, 99, 100][..], &[100, 101, 100, 99][..], Verdict::Stable),
            (&[100, 101, 99], &[120, 121, 119], Verdict::Worse),
            (&[100, 130, 85], &[110, 95, 140], Verdict::Unstable),
        ] {
            assert_eq!(verdicts(runs(before), runs(after)).0, expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn a_wavering_run_is_unstable() {
        let mut wavering = run(130);
        for (second, value) in
            wavering.timeline.transactions.values_mut().flat_map(|series| series.p50_ms.iter_mut().enumerate())
        {
            *value = Some(if second % 3 == 0 { 400.0 } else { 50.0 });
        }
        assert_eq!(verdicts(vec![run(100)], vec![run(130)]).0, Verdict::Worse);
        assert_eq!(verdicts(vec![run(100)], vec![wavering]).0, Verdict::Unstable);
    }

    #[test]
    fn failing_more_often_is_worse_however_fast() {
        let mut after = run(100);
        after.stages[0].requests[0].errors = [("status 500".to_owned(), 600)].into();
        let (transaction, request) = verdicts(vec![run(100)], vec![after]);
        assert_eq!((transaction, request), (Verdict::Stable, Verdict::Worse));
    }

    #[test]
    fn a_change_too_small_to_notice_is_stable() {
        let quick = |micros: u64| {
            let mut results = run(100);
            let mut latencies = crate::results::histogram::Latencies::default();
            (0..5_000).for_each(|_| latencies.record(std::time::Duration::from_micros(micros)));
            results.stages[0].transactions = vec![figures("Check-in", None, latencies)];
            results
        };
        assert_eq!(verdicts(vec![quick(200)], vec![quick(280)]).0, Verdict::Stable);
        assert_eq!(verdicts(vec![quick(200)], vec![quick(480)]).0, Verdict::Worse);
    }

    #[test]
    fn stages_of_only_one_group_are_listed() {
        let mut other = run(100);
        other.stages.push(sample::stage(50, Vec::new(), Vec::new()));
        let comparison = compare(&Group::of("a", run(100)), &Group::of("b", other));
        assert_eq!(comparison.missing, ["50 users"]);
        let mut none = run(100);
        none.stages[0].transactions[0].name = "Renewal".to_owned();
        let comparison = compare(&Group::of("a", run(100)), &Group::of("b", none));
        assert!(comparison.stages[0].transactions.is_empty());
    }

    #[test]
    fn contradictions_are_unstable() {
        use Verdict::{Better, Stable, Unstable, Worse};
        for (all, expected) in [
            (&[Stable, Worse, Unstable][..], Worse),
            (&[Better, Stable], Better),
            (&[Better, Worse], Unstable),
            (&[Stable, Unstable], Unstable),
            (&[Stable, Stable], Stable),
            (&[], Unstable),
        ] {
            assert_eq!(together(all), expected, "{all:?}");
        }
    }
}
