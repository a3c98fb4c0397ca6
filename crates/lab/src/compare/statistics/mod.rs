//! Decides whether a difference is real: intervals that contain the true ratio of two figures with 99 % confidence.
//!
//! - **Repeated runs**: Welch's t interval for the difference of the means of the logarithms of the runs' figures. It
//!   includes the variation between runs. A single run against repeated ones uses the prediction interval of the
//!   latter.
//! - **Single runs** on both sides: for a quantile, the interval between two order statistics of the sample, with ranks
//!   from the binomial distribution and no assumption about the form of the distribution. For a mean, the normal
//!   interval; for a rate, the Poisson interval. It is at least as wide as the variation within the run
//!   ([`super::wavering`]). It does *not* include the variation between runs, so single runs need a larger difference.
//!
//! The [`Verdict`] follows from the interval. A comparison has many figures: at 99 %, one interval in a hundred misses
//! the true value, and must then still show a change as large as the minimum effect.

use hdrhistogram::Histogram;
use serde::Serialize;

/// Two-sided 99 % of the normal distribution.
const Z: f64 = 2.576;
/// Minimum effect for repeated runs.
pub(crate) const LEAST_REPEATED: f64 = 0.05;
/// Minimum effect for single runs.
pub(crate) const LEAST_SINGLE: f64 = 0.10;
/// Smaller changes of a latency, in milliseconds, do not count.
pub(crate) const LEAST_MILLIS: f64 = 0.1;

/// Whether a figure changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Better,
    Worse,
    /// Changed by at most twice the minimum effect.
    Stable,
    /// Too variable, or too few values, to judge.
    Unstable,
}

/// A 99 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
}

impl Interval {
    /// Widens the interval to at least `half` around a value: 0.1 is ±10 %.
    pub fn at_least(self, value: f64, half: f64) -> Self {
        Self { low: self.low.min(value / (1.0 + half)), high: self.high.max(value * (1.0 + half)) }
    }
}

/// A figure of one side: values of repeated runs, or the value and interval of a single run.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// One per run, above 0.
    pub values: Vec<f64>,
    /// The interval of a single run's value.
    pub interval: Option<Interval>,
}

/// The change from one side to the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The second value divided by the first.
    pub ratio: f64,
    /// The interval of the true ratio.
    pub interval: Interval,
    /// Whether it comes from repeated runs.
    pub repeated: bool,
}

impl Measured {
    /// The geometric mean of the runs.
    pub fn value(&self) -> f64 {
        let (mean, _) = mean_and_variance(&self.logarithms());
        mean.exp()
    }

    fn logarithms(&self) -> Vec<f64> {
        self.values.iter().map(|value| value.ln()).collect()
    }
}

/// The change; `None` if one side lacks the figure.
pub fn change(before: &Measured, after: &Measured) -> Option<Change> {
    let sound = |side: &Measured| !side.values.is_empty() && side.values.iter().all(|value| *value > 0.0);
    if !sound(before) || !sound(after) {
        return None;
    }
    let ratio = after.value() / before.value();
    let repeated = before.values.len() > 1 || after.values.len() > 1;
    let interval = if repeated {
        of_repeated(&before.logarithms(), &after.logarithms())
    } else {
        let (before, after) = (before.interval?, after.interval?);
        Interval { low: after.low / before.high, high: after.high / before.low }
    };
    Some(Change { ratio, interval, repeated })
}

impl Change {
    pub fn verdict(&self, less_is_better: bool) -> Verdict {
        let least = if self.repeated { LEAST_REPEATED } else { LEAST_SINGLE };
        let Interval { low, high } = self.interval;
        let (grown, shrunk) = (1.0 + least, 1.0 / (1.0 + least));
        let (widest, narrowest) = (1.0 + 2.0 * least, 1.0 / (1.0 + 2.0 * least));
        match (low > 1.0 && self.ratio >= grown, high < 1.0 && self.ratio <= shrunk) {
            (true, _) => {
                if less_is_better {
                    Verdict::Worse
                } else {
                    Verdict::Better
                }
            }
            (_, true) => {
                if less_is_better {
                    Verdict::Better
                } else {
                    Verdict::Worse
                }
            }
            _ if low >= narrowest && high <= widest => Verdict::Stable,
            _ => Verdict::Unstable,
        }
    }
}

/// The interval of the ratio, from the logarithms of two samples. A single run is assumed to vary as much as those it
/// is compared with.
fn of_repeated(before: &[f64], after: &[f64]) -> Interval {
    let ((mean_a, variance_a), (mean_b, variance_b)) = (mean_and_variance(before), mean_and_variance(after));
    let (count_a, count_b) = (before.len() as f64, after.len() as f64);
    let (error, freedom) = match (before.len(), after.len()) {
        (1, _) => (variance_b * (1.0 + 1.0 / count_b), count_b - 1.0),
        (_, 1) => (variance_a * (1.0 + 1.0 / count_a), count_a - 1.0),
        _ => welch((variance_a / count_a, count_a), (variance_b / count_b, count_b)),
    };
    let (difference, half) = (mean_b - mean_a, student(freedom) * error.sqrt());
    Interval { low: (difference - half).exp(), high: (difference + half).exp() }
}

/// Half the width of the interval of a sample's mean.
pub(crate) fn half_width(values: &[f64]) -> f64 {
    let (count, (_, variance)) = (values.len() as f64, mean_and_variance(values));
    student(count - 1.0) * (variance / count).sqrt()
}

/// Squared standard error and degrees of freedom of the difference of two means.
fn welch((error_a, count_a): (f64, f64), (error_b, count_b): (f64, f64)) -> (f64, f64) {
    let error = error_a + error_b;
    if error <= 0.0 {
        return (0.0, count_a + count_b - 2.0);
    }
    let freedom = error.powi(2) / (error_a.powi(2) / (count_a - 1.0) + error_b.powi(2) / (count_b - 1.0));
    (error, freedom)
}

fn mean_and_variance(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, if count > 1.0 { squares / (count - 1.0) } else { 0.0 })
}

/// Two-sided 99 % of Student's t distribution, interpolated linearly in its table.
fn student(freedom: f64) -> f64 {
    const TABLE: [(f64, f64); 18] = [
        (1.0, 63.657),
        (2.0, 9.925),
        (3.0, 5.841),
        (4.0, 4.604),
        (5.0, 4.032),
        (6.0, 3.707),
        (7.0, 3.499),
        (8.0, 3.355),
        (9.0, 3.250),
        (10.0, 3.169),
        (12.0, 3.055),
        (15.0, 2.947),
        (20.0, 2.845),
        (25.0, 2.787),
        (30.0, 2.750),
        (40.0, 2.704),
        (60.0, 2.660),
        (120.0, 2.617),
    ];
    let next = TABLE.iter().position(|(from, _)| *from > freedom);
    match next {
        Some(0) => TABLE[0].1,
        Some(next) => {
            let ((from, more), (to, less)) = (TABLE[next - 1], TABLE[next]);
            more + (less - more) * (freedom - from) / (to - from)
        }
        None => TABLE[TABLE.len() - 1].1,
    }
}

/// The interval of a quantile, from `count` independent values. `histogram` may contain more: values added for a stall
/// are not independent. `None` if the sample is too small for both ends.
pub(crate) fn quantile(histogram: &Histogram<u64>, quantile: f64, count: u64) -> Option<Interval> {
    let count = count as f64;
    let (middle, half) = (count * quantile, Z * (count * quantile * (1.0 - quantile)).sqrt());
    let (low, high) = ((middle - half).floor(), (middle + half).ceil() + 1.0);
    if low < 1.0 || high > count {
        return None;
    }
    let at = |rank: f64| histogram.value_at_quantile(rank / count) as f64 / 1000.0;
    Some(Interval { low: at(low), high: at(high) })
}

/// The interval of the mean. `None` for fewer than 30 values, which may not be normal.
pub fn mean(mean: f64, deviation: f64, count: u64) -> Option<Interval> {
    let half = Z * deviation / (count as f64).sqrt();
    (count >= 30 && half < mean).then_some(Interval { low: mean - half, high: mean + half })
}

/// The interval of a rate, from `count` events. `None` for fewer than 30.
pub fn rate(rate: f64, count: f64) -> Option<Interval> {
    let half = Z / count.sqrt();
    (count >= 30.0).then_some(Interval { low: rate * (1.0 - half), high: rate * (1.0 + half) })
}

/// The interval of a share: Wilson's score interval.
pub fn share(some: u64, all: u64) -> Interval {
    let (all, share) = (all.max(1) as f64, some as f64 / all.max(1) as f64);
    let square = Z * Z / all;
    let middle = (share + square / 2.0) / (1.0 + square);
    let half = Z / (1.0 + square) * (share * (1.0 - share) / all + square / (4.0 * all)).sqrt();
    Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) }
}

#[cfg(test)]
mod tests;
