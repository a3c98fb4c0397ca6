//! Latencies of one kind of request: an HDR histogram in microseconds, and its form in `results.json`.

use std::{fmt, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use hdrhistogram::{
    Histogram,
    serialization::{Deserializer, Serializer, V2DeflateSerializer},
};
use serde::{Deserialize, Serialize};

/// The longest latency that is told apart from longer ones: an hour.
const LONGEST_MICROS: u64 = 3_600_000_000;
/// Digits that are exact: a value is off by at most a thousandth.
const DIGITS: u8 = 3;

/// Latencies, in microseconds, from 1 µs to 1 hour with three exact digits.
///
/// In JSON it is base64 of HdrHistogram's compressed V2 encoding (`HISTFAAAA…`), as every HdrHistogram library and
/// log processor reads it. Merging the histograms of two runs therefore gives true percentiles of both.
#[derive(Clone, PartialEq)]
pub struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        // It grows with what it is given, so that many short ones stay small.
        Self(Histogram::new(DIGITS).expect("as many digits as there may be"))
    }
}

impl Latencies {
    /// One more latency. Anything past an hour counts as an hour.
    pub fn record(&mut self, latency: Duration) {
        // It grows as far as it must.
        let _ = self.0.record(micros(latency));
    }

    /// One more latency that held up its caller, who would have asked again each `interval`: the requests that were
    /// never sent meanwhile count, too, as `HdrHistogram`'s `recordValueWithExpectedInterval` has it (a stall of 2 s
    /// at an interval of 100 ms adds 1.9 s, 1.8 s, … 0.1 s).
    pub fn record_corrected(&mut self, latency: Duration, interval: Duration) {
        let _ = self.0.record_correct(micros(latency), micros(interval));
    }

    /// The same latencies as if each had been recorded by [`Self::record_corrected`].
    pub fn corrected(&self, interval: Duration) -> Self {
        Self(self.0.clone_correct(micros(interval)))
    }

    /// Those of another one, too.
    pub fn merge(&mut self, other: &Self) {
        // It grows as far as it must.
        let _ = self.0.add(&other.0);
    }

    /// Those that are not in an earlier state of the same one.
    pub fn since(&self, earlier: &Self) -> Self {
        let mut later = self.0.clone();
        // What was counted once stays counted.
        let _ = later.subtract(&earlier.0);
        Self(later)
    }

    /// How many.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The latency that the share `quantile` (0 to 1) of all does not exceed, in milliseconds. 0 when there is none.
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        in_millis(self.0.value_at_quantile(quantile))
    }

    /// The mean, in milliseconds. 0 when there is none.
    pub fn mean_ms(&self) -> f64 {
        rounded(self.0.mean() / 1000.0)
    }

    /// The standard deviation, in milliseconds.
    pub fn deviation_ms(&self) -> f64 {
        rounded(self.0.stdev() / 1000.0)
    }

    /// The longest, in milliseconds.
    pub fn max_ms(&self) -> f64 {
        in_millis(self.0.max())
    }

    /// The histogram itself (values in microseconds), for percentile curves and `.hgrm` files.
    pub fn histogram(&self) -> &Histogram<u64> {
        &self.0
    }

    /// Forgets everything, and keeps the memory.
    pub fn clear(&mut self) {
        self.0.reset();
    }

    fn to_base64(&self) -> Option<String> {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new()
            .serialize(&self.0, &mut bytes)
            .ok()?;
        Some(BASE64_STANDARD.encode(bytes))
    }

    fn from_base64(text: &str) -> Option<Self> {
        let bytes = BASE64_STANDARD.decode(text).ok()?;
        let read = Deserializer::new().deserialize(&mut bytes.as_slice());
        let mut histogram: Histogram<u64> = read.ok()?;
        histogram.auto(true);
        Some(Self(histogram))
    }
}

impl From<Histogram<u64>> for Latencies {
    /// A histogram of microseconds.
    fn from(micros: Histogram<u64>) -> Self {
        Self(micros)
    }
}

impl fmt::Debug for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, median, max) = (self.count(), self.quantile_ms(0.5), self.max_ms());
        write!(f, "{count} latencies, median {median} ms, max {max} ms")
    }
}

impl Serialize for Latencies {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let text = self.to_base64();
        serializer.serialize_str(&text.ok_or_else(|| serde::ser::Error::custom("no histogram"))?)
    }
}

impl<'de> Deserialize<'de> for Latencies {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::from_base64(&text).ok_or_else(|| {
            serde::de::Error::custom("not an HdrHistogram (base64 of the compressed V2 encoding)")
        })
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).map_or(LONGEST_MICROS, |micros| micros.clamp(1, LONGEST_MICROS))
}

fn in_millis(micros: u64) -> f64 {
    micros as f64 / 1000.0
}

/// To a microsecond.
fn rounded(millis: f64) -> f64 {
    (millis * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(millis: &[u64]) -> Latencies {
        let mut latencies = Latencies::default();
        millis
            .iter()
            .for_each(|&m| latencies.record(Duration::from_millis(m)));
        latencies
    }

    #[test]
    fn a_stall_counts_for_those_who_could_not_ask_meanwhile() {
        let mut asked = of(&[10; 100]);
        asked.record(Duration::from_secs(2));
        assert_eq!(asked.quantile_ms(0.95).round(), 10.0);
        let corrected = asked.corrected(Duration::from_millis(10));
        assert_eq!(corrected.count(), 300);
        assert!((corrected.quantile_ms(0.5) - 500.0).abs() < 15.0);
        assert!((corrected.quantile_ms(0.95) - 1850.0).abs() < 15.0);
    }

    #[test]
    fn what_came_since_is_told_apart() {
        let earlier = of(&[1, 1, 5_000]);
        let mut later = earlier.clone();
        later.merge(&of(&[1, 7]));
        let since = later.since(&earlier);
        assert_eq!((since.count(), since.max_ms().round()), (2, 7.0));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let before = of(&[1, 2, 3, 500, 2_000]);
        let text = serde_json::to_string(&before).expect("written");
        assert!(text.starts_with("\"HISTFAAAA"), "{text}");
        let after: Latencies = serde_json::from_str(&text).expect("read");
        assert_eq!(after, before);
        assert!(serde_json::from_str::<Latencies>("\"HISTFAAAAB94\"").is_err());
    }

    #[test]
    fn merged_latencies_are_those_of_both() {
        let mut all = of(&[1, 1]);
        all.merge(&of(&[9, 9, 9_000_000]));
        assert_eq!((all.count(), all.quantile_ms(0.5).round()), (5, 9.0));
        assert!(
            (all.max_ms() / 3_600_000.0 - 1.0).abs() < 0.001,
            "an hour at most"
        );
    }
}
