//! Tests with known distributions: equal ones must not be judged different, and real differences must be found.

use std::time::Duration;

use rand::{Rng, SeedableRng, rngs::SmallRng};

use super::*;
use crate::results::histogram::Latencies;

/// Latencies with the long tail typical of servers: the median in milliseconds, and the width.
fn latencies(random: &mut SmallRng, count: usize, median: f64, width: f64) -> Latencies {
    let mut latencies = Latencies::default();
    for _ in 0..count {
        let millis = median * (width * normal(random)).exp();
        latencies.record(Duration::from_secs_f64(millis / 1000.0));
    }
    latencies
}

fn normal(random: &mut SmallRng) -> f64 {
    let (one, two): (f64, f64) = (random.random_range(f64::EPSILON..1.0), random.random());
    (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * two).cos()
}

fn single(latencies: &Latencies, at: f64) -> Measured {
    Measured {
        values: vec![latencies.quantile_ms(at)],
        interval: quantile(latencies.histogram(), at, latencies.count()),
    }
}

fn repeated(values: &[f64]) -> Measured {
    Measured { values: values.to_vec(), interval: None }
}

fn verdict(before: &Measured, after: &Measured) -> Verdict {
    change(before, after).map_or(Verdict::Unstable, |change| change.verdict(true))
}

/// Number of each verdict: better, worse, stable, unstable.
fn verdicts(times: u64, mut one: impl FnMut(&mut SmallRng) -> Verdict) -> [u32; 4] {
    let mut counts = [0; 4];
    for seed in 0..times {
        counts[one(&mut SmallRng::seed_from_u64(seed)) as usize] += 1;
    }
    counts
}

#[test]
fn single_runs_of_the_same_are_stable() {
    for at in [0.5, 0.75, 0.95] {
        let [better, worse, stable, _] = verdicts(40, |random| {
            let [before, after] = [0; 2].map(|_| latencies(random, 20_000, 50.0, 0.5));
            verdict(&single(&before, at), &single(&after, at))
        });
        assert_eq!((better, worse), (0, 0), "{at}");
        assert!(stable >= 39, "{at}: {stable}");
    }
}

#[test]
fn a_fifth_slower_is_worse_and_a_fifth_faster_is_better() {
    for (factor, index) in [(1.2, 1), (1.0 / 1.2, 0)] {
        let counts = verdicts(50, |random| {
            let before = latencies(random, 10_000, 50.0, 0.5);
            let after = latencies(random, 10_000, 50.0 * factor, 0.5);
            verdict(&single(&before, 0.5), &single(&after, 0.5))
        });
        assert_eq!(counts[index], 50, "{counts:?}");
    }
}

#[test]
fn too_few_noisy_values_are_unstable() {
    let counts = verdicts(200, |random| {
        let [before, after] = [0; 2].map(|_| latencies(random, 40, 50.0, 1.0));
        verdict(&single(&before, 0.5), &single(&after, 0.5))
    });
    let [better, worse, _, unstable] = counts;
    assert!(better + worse <= 2 && unstable >= 195, "{counts:?}");
    let few = latencies(&mut SmallRng::seed_from_u64(1), 50, 50.0, 0.1);
    assert_eq!(single(&few, 0.95).interval, None, "the 95th percentile of 50 has no upper end");
}

#[test]
fn the_interval_of_a_quantile_holds_it_nearly_always() {
    let held = |at: f64, truth: f64| {
        let holds = |seed: u64| {
            let mut random = SmallRng::seed_from_u64(seed);
            let interval = single(&latencies(&mut random, 2_000, 50.0, 0.5), at).interval;
            interval.is_some_and(|Interval { low, high }| (low..=high).contains(&truth))
        };
        (0..300).filter(|seed| holds(*seed)).count()
    };
    // The 50th and 95th percentile of that distribution.
    assert!(held(0.5, 50.0) >= 293);
    assert!(held(0.95, 50.0 * (0.5 * 1.644_854_f64).exp()) >= 293);
}

#[test]
fn values_added_for_a_stall_do_not_narrow_the_interval() {
    let mut random = SmallRng::seed_from_u64(1);
    let measured = latencies(&mut random, 200, 50.0, 0.5);
    let mut doubled = measured.clone();
    (0..9).for_each(|_| doubled.merge(&measured));
    let interval = |count| quantile(doubled.histogram(), 0.5, count).expect("enough");
    let (honest, naive) = (interval(200), interval(2_000));
    assert!(honest.high - honest.low > 2.0 * (naive.high - naive.low));
}

#[test]
fn repeated_runs_are_judged_by_how_they_vary() {
    let steady = repeated(&[100.0, 101.0, 99.5, 100.4]);
    for (after, expected) in [
        (&[100.2, 100.9, 99.8, 100.0][..], Verdict::Stable),
        (&[120.0, 121.0, 119.0, 120.5], Verdict::Worse),
        (&[80.0, 81.0, 79.5, 80.2], Verdict::Better),
        // Certainly different, but too little to matter.
        (&[102.0, 103.1, 102.5, 102.2], Verdict::Stable),
        (&[60.0, 180.0, 95.0, 130.0], Verdict::Unstable),
    ] {
        assert_eq!(verdict(&steady, &repeated(after)), expected, "{after:?}");
    }
    assert_eq!(verdict(&repeated(&[100.0, 103.0]), &repeated(&[112.0, 118.0])), Verdict::Unstable, "two are few");
}

#[test]
fn repeated_runs_of_the_same_are_rarely_judged_different() {
    let counts = verdicts(2_000, |random| {
        let mut runs = || -> Vec<f64> { (0..5).map(|_| 100.0 * (0.08 * normal(random)).exp()).collect() };
        verdict(&repeated(&runs()), &repeated(&runs()))
    });
    assert!(counts[0] + counts[1] <= 30, "at most 1.5 %: {counts:?}");
}

#[test]
fn a_single_run_is_assumed_to_vary_like_the_others() {
    let one = |value: f64| Measured {
        values: vec![value],
        interval: Some(Interval { low: value * 0.99, high: value * 1.01 }),
    };
    let steady = repeated(&[100.0, 101.0, 99.0, 100.5]);
    assert_eq!(verdict(&steady, &one(101.0)), Verdict::Stable);
    assert_eq!(verdict(&steady, &one(130.0)), Verdict::Worse);
    assert_eq!(verdict(&one(130.0), &steady), Verdict::Better);
    assert_eq!(verdict(&repeated(&[100.0, 110.0, 95.0]), &one(116.0)), Verdict::Unstable);
}

#[test]
fn students_distribution_is_that_of_the_tables() {
    for (freedom, expected) in [(0.5, 63.657), (1.0, 63.657), (4.0, 4.604), (11.0, 3.112), (30.0, 2.75), (1e9, 2.617)] {
        assert!((student(freedom) - expected).abs() < 1e-3, "{freedom}: {}", student(freedom));
    }
}

#[test]
fn nothing_measured_is_no_change() {
    assert_eq!(change(&repeated(&[]), &repeated(&[1.0])), None);
    assert_eq!(change(&repeated(&[0.0, 1.0]), &repeated(&[1.0, 1.0])), None);
    assert_eq!(change(&Measured { values: vec![1.0], interval: None }, &repeated(&[1.0])), None);
}

#[test]
fn more_may_be_better() {
    let change = change(&repeated(&[100.0, 101.0, 99.0]), &repeated(&[150.0, 151.0, 149.0])).expect("a change");
    assert_eq!((change.verdict(false), change.verdict(true)), (Verdict::Better, Verdict::Worse));
}

#[test]
fn shares_have_an_interval_even_when_there_was_none() {
    let none = share(0, 1_000);
    assert!(none.low < 1e-12 && (0.005..0.008).contains(&none.high), "{none:?}");
    let half = share(50, 100);
    assert!((0.37..0.38).contains(&half.low) && (0.62..0.63).contains(&half.high), "{half:?}");
}

#[test]
fn means_and_rates_of_few_have_no_interval() {
    assert_eq!((mean(10.0, 1.0, 29), rate(10.0, 29.0)), (None, None));
    let Interval { low, high } = mean(10.0, 2.0, 100).expect("enough");
    assert!((low - 9.4848).abs() < 1e-6 && (high - 10.5152).abs() < 1e-6);
    assert!(rate(100.0, 10_000.0).is_some_and(|rate| rate.low > 97.0 && rate.high < 103.0));
}
