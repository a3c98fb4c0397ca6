//! Detects growth or decline over a run by statistics.
//!
//! **Slices.** The counted part of the longest stage is cut into slices of a minute, or into 40 slices if it is shorter
//! than 40 minutes. The value of a slice is the median of its seconds (of each second's 95th percentile, for a
//! latency), so that a single stall is not a trend.
//!
//! **Slope.** Theil-Sen: the median of the slopes between all pairs of slices; up to a third of them may be outliers.
//!
//! **Significance.** Mann-Kendall: rising minus falling pairs, compared with chance (normal approximation with
//! continuity correction, variance corrected for ties).
//!
//! **Trend.** In a long run the smallest slope is significant, so it must also be large: something grows if the
//! probability of chance is below 0.01 *and* the last tenth is more than 1.1 times the first (and falls below 1 / 1.1).

use super::model::{Drift, Results, Stage, Trend, Watched};

/// Fewer slices are not conclusive.
const FEWEST: usize = 10;
/// Slices of a short run.
const SLICES: u64 = 40;
/// More slices are merged, to limit the number of pairs.
const MOST: u64 = 2_000;
/// A probability of chance below this is significant.
const SIGNIFICANT: f64 = 0.01;
/// A smaller factor does not matter.
const MATTERS: f64 = 1.1;
/// Series checked for drift: memory, connections and the effects of growth.
const WATCHED: [&str; 8] = [
    "database_connections",
    "database_cpu",
    "database_memory",
    "generator_memory",
    "pool_connections",
    "round_trips_per_request",
    "server_cpu",
    "server_memory",
];

/// The drift of latencies, memory, connections and processor time.
pub fn of(results: &Results) -> Vec<Drift> {
    let Some(stage) = results.stages.iter().max_by_key(|stage| counted(stage)) else {
        return Vec::new();
    };
    let (from, to) = (stage.counts_from, stage.ends_at);
    let slice = slice_seconds(to.saturating_sub(from));
    let latencies = results.timeline.transactions.iter().map(|(name, series)| {
        let name = format!("{name} p95");
        judge(&name, "ms", &slices(&series.p95_ms, from, to, slice), slice)
    });
    let watched = WATCHED.iter().filter_map(|name| {
        let Watched { unit, values } = results.watch.get(*name)?;
        judge(name, unit, &slices(values, from, to, slice), slice)
    });
    latencies.flatten().chain(watched).collect()
}

fn counted(stage: &Stage) -> u64 {
    stage.ends_at.saturating_sub(stage.counts_from)
}

/// A minute; a fortieth of less than 40 minutes; longer than a minute for runs of days.
fn slice_seconds(seconds: u64) -> u64 {
    (seconds / SLICES).clamp(1, 60).max(seconds.div_ceil(MOST))
}

/// The medians of the full slices that have values.
fn slices(values: &[Option<f64>], from: u64, to: u64, slice: u64) -> Vec<f64> {
    let at = |second: u64| usize::try_from(second).unwrap_or(usize::MAX).min(values.len());
    let seconds = &values[at(from)..at(to).max(at(from))];
    let slice = usize::try_from(slice).unwrap_or(usize::MAX);
    let medians = seconds.chunks_exact(slice).map(|slice| {
        let mut known: Vec<f64> = slice.iter().flatten().copied().collect();
        median(&mut known)
    });
    medians.flatten().collect()
}

fn judge(name: &str, unit: &str, values: &[f64], slice: u64) -> Option<Drift> {
    if values.len() < FEWEST {
        return None;
    }
    let tenth = values.len().div_ceil(10);
    let first_tenth = median(&mut values[..tenth].to_vec())?;
    let last_tenth = median(&mut values[values.len() - tenth..].to_vec())?;
    let ratio = (first_tenth > 0.0).then(|| last_tenth / first_tenth);
    let probability = mann_kendall(values);
    let trend = match ratio.unwrap_or(if last_tenth > 0.0 { f64::INFINITY } else { 1.0 }) {
        _ if probability >= SIGNIFICANT => Trend::Flat,
        ratio if ratio > MATTERS => Trend::Grows,
        ratio if ratio < 1.0 / MATTERS => Trend::Falls,
        _ => Trend::Flat,
    };
    Some(Drift {
        name: name.to_owned(),
        unit: unit.to_owned(),
        slices: u32::try_from(values.len()).unwrap_or(u32::MAX),
        slice_seconds: slice,
        first_tenth,
        last_tenth,
        ratio,
        per_hour: theil_sen(values) * 3600.0 / slice as f64,
        probability,
        trend,
    })
}

/// The middle value, or the mean of the two in the middle.
fn median(values: &mut [f64]) -> Option<f64> {
    if values.is_empty() {
        return None;
    }
    let middle = values.len() / 2;
    let even = values.len().is_multiple_of(2);
    let (below, &mut upper, _) = values.select_nth_unstable_by(middle, f64::total_cmp);
    if !even {
        return Some(upper);
    }
    let lower = below.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    Some(f64::midpoint(lower, upper))
}

/// The median slope between all pairs, per slice.
pub(crate) fn theil_sen(values: &[f64]) -> f64 {
    let mut slopes: Vec<f64> = Vec::with_capacity(values.len() * values.len() / 2);
    for (at, earlier) in values.iter().enumerate() {
        let later = values.iter().enumerate().skip(at + 1);
        slopes.extend(later.map(|(then, value)| (value - earlier) / (then - at) as f64));
    }
    median(&mut slopes).unwrap_or(0.0)
}

/// The two-sided probability of so clear a trend by chance.
pub(crate) fn mann_kendall(values: &[f64]) -> f64 {
    let mut score = 0_i64;
    for (at, earlier) in values.iter().enumerate() {
        let later = &values[at + 1..];
        score += later.iter().filter(|value| *value > earlier).count() as i64;
        score -= later.iter().filter(|value| *value < earlier).count() as i64;
    }
    let spread = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let ties: f64 = ties(values).map(|tied| spread(tied as f64)).sum();
    let variance = (spread(values.len() as f64) - ties) / 18.0;
    if score == 0 || variance <= 0.0 {
        return 1.0;
    }
    let beyond = (score.unsigned_abs() - 1) as f64 / variance.sqrt();
    two_sided(beyond)
}

/// The numbers of equal values.
fn ties(values: &[f64]) -> impl Iterator<Item = usize> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let groups: Vec<usize> = sorted.chunk_by(|a, b| a == b).map(<[f64]>::len).collect();
    groups.into_iter()
}

/// The share of the normal distribution beyond `z` on both sides: Abramowitz and Stegun 7.1.26, accurate to 1.5e-7.
fn two_sided(z: f64) -> f64 {
    let x = z.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * x);
    let factors = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let polynomial = factors.iter().fold(0.0, |sum, factor| sum * t + factor) * t;
    (polynomial * (-x * x).exp()).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    /// Reproducible noise between -1 and 1.
    fn noise(at: usize) -> f64 {
        let mixed = (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn trend(value: impl Fn(usize) -> f64) -> Drift {
        let values: Vec<f64> = (0..960).map(value).collect();
        judge("x", "ms", &values, 60).expect("enough slices")
    }

    #[test]
    fn medians_are_in_the_middle() {
        for (values, expected) in [
            (vec![], None),
            (vec![3.0], Some(3.0)),
            (vec![4.0, 1.0], Some(2.5)),
            (vec![9.0, 1.0, 2.0], Some(2.0)),
            (vec![4.0, 1.0, 3.0, 2.0], Some(2.5)),
        ] {
            assert_eq!(median(&mut values.clone()), expected, "{values:?}");
        }
    }

    #[test]
    fn growth_is_distinguished_from_noise() {
        let flat = trend(|at| 20.0 + 5.0 * noise(at));
        assert_eq!(flat.trend, Trend::Flat, "{flat:?}");
        let leak = trend(|at| 20.0 + 5.0 * noise(at) + at as f64 / 200.0);
        assert_eq!(leak.trend, Trend::Grows, "{leak:?}");
        assert!((leak.per_hour - 0.3).abs() < 0.05, "{leak:?}");
        let healing = trend(|at| 30.0 + 5.0 * noise(at) - at as f64 / 200.0);
        assert_eq!(healing.trend, Trend::Falls, "{healing:?}");
    }

    #[test]
    fn significance_alone_is_no_trend_and_neither_is_a_stall_at_the_end() {
        let slight = trend(|at| 100.0 + at as f64 / 1_000.0);
        assert!(slight.probability < 1e-6, "{slight:?}");
        assert_eq!(slight.trend, Trend::Flat, "{slight:?}");
        let stall = trend(|at| if at == 955 { 5_000.0 } else { 20.0 + noise(at) });
        assert_eq!(stall.trend, Trend::Flat, "{stall:?}");
    }

    #[test]
    fn constant_connections_are_flat_and_the_first_one_too_many_is_not() {
        let constant = trend(|_| 10.0);
        assert_eq!((constant.trend, constant.probability, constant.per_hour), (Trend::Flat, 1.0, 0.0));
        assert_eq!(trend(|at| if at < 480 { 10.0 } else { 12.0 }).trend, Trend::Grows);
        let from_nothing = trend(|at| at as f64);
        assert_eq!((from_nothing.trend, from_nothing.per_hour.round()), (Trend::Grows, 60.0));
    }

    #[test]
    fn the_test_is_mann_and_kendalls() {
        // 39 pairs rise and 6 fall: S = 33, variance 10 * 9 * 25 / 18 = 125, z = 32 / sqrt(125) = 2.862.
        let rising = [10.0, 15.0, 14.0, 20.0, 21.0, 22.0, 19.0, 25.0, 26.0, 24.0];
        let probability = mann_kendall(&rising);
        assert!((probability - 0.0042).abs() < 0.0001, "{probability}");
        assert!((theil_sen(&[1.0, 2.0, 3.0, 100.0, 5.0]) - 1.0).abs() < 0.6);
        assert!((two_sided(1.96) - 0.05).abs() < 0.001);
        assert!((two_sided(0.0) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn a_run_is_cut_into_minutes_or_fortieths() {
        for (seconds, slice) in [(20, 1), (400, 10), (2_400, 60), (57_600, 60), (604_800, 303)] {
            assert_eq!(slice_seconds(seconds), slice, "{seconds}");
        }
        let gaps: Vec<_> = (0..30).map(|at| (at % 3 == 0).then_some(f64::from(at))).collect();
        assert_eq!(slices(&gaps, 3, 12, 3), [3.0, 6.0, 9.0]);
        assert!(slices(&gaps, 29, 400, 3).is_empty());
        assert!(slices(&[None; 30], 0, 30, 3).is_empty());
    }

    #[test]
    fn the_longest_stage_is_judged_without_its_warm_up() {
        let mut results = sample::results();
        let seconds = 600;
        let p95 = |at: usize| Some(if at < 100 { 500.0 } else { 50.0 + at as f64 / 20.0 });
        let series = results.timeline.transactions.get_mut("Check-out").expect("there");
        series.p95_ms = (0..seconds).map(p95).collect();
        let stage = results.stages.first_mut().expect("one");
        (stage.counts_from, stage.ends_at) = (100, 600);
        let drift = of(&results);
        let out = drift.iter().find(|drift| drift.name == "Check-out p95").expect("judged");
        assert_eq!((out.trend, out.slice_seconds, out.slices), (Trend::Grows, 12, 41));
        assert!((out.per_hour - 180.0).abs() < 1.0, "{out:?}");
    }
}
