//! Variation within a single run: if something else kept the machines busy for a while, the requests of that time are
//! all slow together, and an interval that treats them as independent would be too narrow.

use super::statistics;
use crate::results::model::{Series, Stage, Timeline};

/// Number of equal pieces that a stage is divided into.
const PIECES: usize = 10;

/// Half the width of the interval of a stage's latency, from its pieces, relative to the latency: 0.1 is ±10 %. Taken
/// from the transaction that varied most; 0 if the stage is too short.
pub fn of(timeline: &Timeline, stage: &Stage) -> f64 {
    let (from, to) = (stage.counts_from as usize, stage.ends_at as usize);
    let all = timeline.transactions.values();
    all.filter_map(|series| of_series(series, from, to)).fold(0.0, f64::max)
}

fn of_series(series: &Series, from: usize, to: usize) -> Option<f64> {
    let medians = series.p50_ms.get(from..to.min(series.p50_ms.len()))?;
    let length = medians.len() / PIECES;
    if length == 0 {
        return None;
    }
    let pieces = medians.chunks_exact(length).filter_map(|seconds| {
        let some: Vec<f64> = seconds.iter().copied().flatten().filter(|millis| *millis > 0.0).collect();
        let mean = some.iter().sum::<f64>() / some.len() as f64;
        (!some.is_empty()).then(|| mean.ln())
    });
    let pieces: Vec<f64> = pieces.collect();
    (pieces.len() >= PIECES / 2).then(|| statistics::half_width(&pieces).exp() - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::sample;

    fn wavering(medians: impl Fn(usize) -> Option<f64>) -> f64 {
        let mut results = sample::results();
        for series in results.timeline.transactions.values_mut() {
            series.p50_ms = (0..12).map(&medians).collect();
        }
        of(&results.timeline, &results.stages[0])
    }

    #[test]
    fn a_steady_run_does_not_waver() {
        assert!(wavering(|_| Some(50.0)) < 1e-9);
        assert!(wavering(|second| Some(50.0 + (second % 2) as f64)) < 0.02);
    }

    #[test]
    fn a_run_that_was_disturbed_for_a_while_wavers() {
        assert!(wavering(|second| Some(if second > 8 { 150.0 } else { 50.0 })) > 0.5);
        assert!(wavering(|second| Some(50.0 + 10.0 * second as f64)) > 0.2, "it drifts");
    }

    #[test]
    fn warm_up_does_not_count() {
        assert!(wavering(|second| Some(if second < 2 { 900.0 } else { 50.0 })) < 1e-9);
    }

    #[test]
    fn a_stage_too_short_has_no_wavering() {
        assert_eq!(wavering(|_| None), 0.0);
        assert_eq!(of(&Timeline::default(), &sample::results().stages[0]), 0.0);
    }
}
