//! The compared figures.

use super::statistics::{self, Measured, Verdict};
use crate::{
    document::number,
    results::model::{Figures, Stage},
};

/// A transaction or a request in one stage of one run.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    pub stage: &'a Stage,
    pub figures: &'a Figures,
    /// Variation within the run, from [`super::wavering::of`].
    pub wavering: f64,
}

/// A figure of a transaction or a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    Average,
    /// A quantile of the latency, in hundredths.
    Percentile(u8),
    /// The longest latency: a single value, so no test can judge whether it changed.
    Longest,
    /// Successes per second.
    Rate,
    /// Share of failures.
    Errors,
}

/// All figures, in the order of reports.
pub const ALL: [Figure; 9] = [
    Figure::Average,
    Figure::Percentile(50),
    Figure::Percentile(75),
    Figure::Percentile(90),
    Figure::Percentile(95),
    Figure::Percentile(99),
    Figure::Longest,
    Figure::Rate,
    Figure::Errors,
];

impl Figure {
    pub fn name(self) -> String {
        match self {
            Self::Average => "Average, ms".to_owned(),
            Self::Percentile(percent) => format!("{percent}th percentile, ms"),
            Self::Longest => "Longest, ms".to_owned(),
            Self::Rate => "Successful each second".to_owned(),
            Self::Errors => "Failed".to_owned(),
        }
    }

    /// Formats a value.
    pub fn write(self, value: f64) -> String {
        match self {
            Self::Rate => number::number(value, if value < 10.0 { 2 } else { 1 }),
            Self::Errors => number::share(value),
            _ => number::millis(value),
        }
    }

    pub(crate) fn less_is_better(self) -> bool {
        self != Self::Rate
    }

    pub(crate) fn is_latency(self) -> bool {
        matches!(self, Self::Average | Self::Percentile(_) | Self::Longest)
    }

    /// Its value in repeated runs, or in a single run with its interval; empty if nothing succeeded.
    pub fn measured(self, runs: &[Seen<'_>]) -> Measured {
        let values = runs.iter().filter_map(|seen| self.of(seen.stage, seen.figures));
        let values: Vec<f64> = values.collect();
        let interval = match (runs, values.as_slice()) {
            ([seen], [value]) => {
                let interval = self.interval(seen.stage, seen.figures);
                interval.map(|interval| interval.at_least(*value, seen.wavering))
            }
            _ => None,
        };
        Measured { values, interval }
    }

    fn of(self, stage: &Stage, figures: &Figures) -> Option<f64> {
        let latency = &figures.corrected;
        let time = |millis: f64| (latency.count > 0).then_some(millis);
        match self {
            Self::Average => time(latency.mean_ms),
            Self::Percentile(percent) => time(latency.histogram.quantile_ms(f64::from(percent) / 100.0)),
            Self::Longest => time(latency.max_ms),
            Self::Rate => Some(succeeded(figures) / stage.seconds.max(0.001)),
            Self::Errors => (figures.count > 0).then(|| figures.failed() as f64 / figures.count as f64),
        }
    }

    fn interval(self, stage: &Stage, figures: &Figures) -> Option<statistics::Interval> {
        // Latencies added for a stall are not independent observations.
        let (latency, count) = (&figures.corrected, figures.measured.count);
        match self {
            Self::Average => statistics::mean(latency.mean_ms, latency.deviation_ms, count),
            Self::Percentile(percent) => {
                statistics::quantile(latency.histogram.histogram(), f64::from(percent) / 100.0, count)
            }
            Self::Rate => statistics::rate(succeeded(figures) / stage.seconds.max(0.001), succeeded(figures)),
            Self::Longest | Self::Errors => None,
        }
    }
}

fn succeeded(figures: &Figures) -> f64 {
    figures.count.saturating_sub(figures.failed()) as f64
}

/// Whether the share of failures changed: the two intervals do not overlap.
pub fn errors(before: &[Seen<'_>], after: &[Seen<'_>]) -> Verdict {
    let share = |runs: &[Seen<'_>]| {
        let failed = runs.iter().map(|seen| seen.figures.failed()).sum();
        statistics::share(failed, runs.iter().map(|seen| seen.figures.count).sum())
    };
    let (before, after) = (share(before), share(after));
    match () {
        () if after.low > before.high => Verdict::Worse,
        () if after.high < before.low => Verdict::Better,
        () => Verdict::Stable,
    }
}
