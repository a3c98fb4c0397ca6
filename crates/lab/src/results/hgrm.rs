//! `.hgrm` files: latency percentiles in the format of HdrHistogram's tools and plotters.

use std::fmt::Write;

use super::histogram::Latencies;

/// Steps between 0 and the median, between the median and the 75th percentile, and so on, as in HdrHistogram.
const STEPS: u32 = 5;

/// The distribution in milliseconds.
pub fn text(latencies: &Latencies) -> String {
    let histogram = latencies.histogram();
    let mut text = "       Value     Percentile TotalCount 1/(1-Percentile)\n\n".to_owned();
    let mut total = 0;
    for step in histogram.iter_quantiles(STEPS) {
        total += step.count_since_last_iteration();
        let millis = step.value_iterated_to() as f64 / 1000.0;
        let quantile = step.quantile_iterated_to();
        // Writing to a String does not fail, here and below.
        let _ = write!(text, "{millis:12.3} {quantile:2.12} {total:10}");
        let _ = if quantile < 1.0 { writeln!(text, " {:14.2}", 1.0 / (1.0 - quantile)) } else { writeln!(text) };
    }
    let (mean, deviation) = (histogram.mean() / 1000.0, histogram.stdev() / 1000.0);
    let (max, count) = (histogram.max() as f64 / 1000.0, histogram.len());
    let _ = writeln!(text, "#[Mean    = {mean:12.3}, StdDeviation   = {deviation:12.3}]");
    let _ = writeln!(text, "#[Max     = {max:12.3}, Total count    = {count:12}]");
    let (buckets, digits) = (histogram.buckets(), u32::from(histogram.sigfig()));
    let halves = (2 * 10_u64.pow(digits)).next_power_of_two();
    let _ = writeln!(text, "#[Buckets = {buckets:12}, SubBuckets     = {halves:12}]");
    text
}

#[cfg(test)]
mod tests {
    use super::{super::sample::latencies, *};

    #[test]
    fn it_is_printed_as_hdrhistogram_prints_it() {
        insta::assert_snapshot!(text(&latencies(1..=100)));
    }

    #[test]
    fn every_latency_is_counted_by_the_last_line() {
        let text = text(&latencies((1..=5_000).map(|at| at % 700 + 1)));
        let mut lines = text.lines().rev().filter(|line| !line.starts_with('#'));
        let last = lines.next().expect("a line");
        let columns: Vec<&str> = last.split_whitespace().collect();
        assert_eq!(columns[1..], ["1.000000000000", "5000"], "{text}");
    }

    #[test]
    fn nothing_measured_is_no_line() {
        let text = text(&Latencies::default());
        assert!(text.contains("Total count    =            0"), "{text}");
    }
}
