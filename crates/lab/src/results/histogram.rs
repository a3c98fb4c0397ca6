//! Latencies of one kind of request: an HDR histogram in microseconds, and its form in `results.json`.

use std::{fmt, time::Duration};

use base64::{Engine, prelude::BASE64_STANDARD};
use hdrhistogram::{
    Histogram,
    serialization::{Deserializer, Serializer, V2DeflateSerializer},
};
use serde::{Deserialize, Serialize};

/// Longer latencies count as this one: an hour.
const LONGEST_MICROS: u64 = 3_600_000_000;
/// Exact digits: a value is off by at most a thousandth.
const DIGITS: u8 = 3;

/// Latencies in microseconds, from 1 µs to 1 hour with three exact digits.
///
/// In JSON: base64 of HdrHistogram's compressed V2 encoding (`HISTFAAAA…`), which every HdrHistogram library and log
/// processor reads. Merging the histograms of two runs therefore gives the true percentiles of both.
#[derive(Clone, PartialEq)]
pub struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        // It grows on demand, so that many short ones stay small.
        Self(Histogram::new(DIGITS).expect("as many digits as there may be"))
    }
}

impl Latencies {
    /// Adds a latency; longer than an hour counts as an hour.
    pub fn record(&mut self, latency: Duration) {
        // It grows on demand.
        let _ = self.0.record(micros(latency));
    }

    /// The latencies, with those of the requests that a caller at a fixed `interval` would have sent during a stall, as
    /// in `HdrHistogram` (a stall of 2 s at an interval of 100 ms adds 1.9 s, 1.8 s, … 0.1 s).
    pub fn corrected(&self, interval: Duration) -> Self {
        Self(self.0.clone_correct(micros(interval)))
    }

    /// Adds the latencies of another histogram.
    pub fn merge(&mut self, other: &Self) {
        // It grows on demand.
        let _ = self.0.add(&other.0);
    }

    /// The latencies added since an earlier state.
    pub fn since(&self, earlier: &Self) -> Self {
        let mut later = self.0.clone();
        // Counts never decrease.
        let _ = later.subtract(&earlier.0);
        Self(later)
    }

    /// Number of latencies.
    pub fn count(&self) -> u64 {
        self.0.len()
    }

    /// The latency in milliseconds that a share of `quantile` (0 to 1) does not exceed; 0 if empty.
    pub fn quantile_ms(&self, quantile: f64) -> f64 {
        in_millis(self.0.value_at_quantile(quantile))
    }

    /// The mean in milliseconds; 0 if empty.
    pub fn mean_ms(&self) -> f64 {
        rounded(self.0.mean() / 1000.0)
    }

    /// In milliseconds.
    pub(crate) fn deviation_ms(&self) -> f64 {
        rounded(self.0.stdev() / 1000.0)
    }

    /// In milliseconds.
    pub fn max_ms(&self) -> f64 {
        in_millis(self.0.max())
    }

    /// The histogram itself (in microseconds), for percentile curves and `.hgrm` files.
    pub fn histogram(&self) -> &Histogram<u64> {
        &self.0
    }

    /// Empties the histogram but keeps its memory.
    pub fn clear(&mut self) {
        self.0.reset();
    }

    fn to_base64(&self) -> Option<String> {
        let mut bytes = Vec::new();
        V2DeflateSerializer::new().serialize(&self.0, &mut bytes).ok()?;
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
        Self::from_base64(&text)
            .ok_or_else(|| serde::de::Error::custom("not an HdrHistogram (base64 of the compressed V2 encoding)"))
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).map_or(LONGEST_MICROS, |micros| micros.clamp(1, LONGEST_MICROS))
}

fn in_millis(micros: u64) -> f64 {
    micros as f64 / 1000.0
}

/// Rounds to a microsecond.
fn rounded(millis: f64) -> f64 {
    (millis * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(millis: &[u64]) -> Latencies {
        let mut latencies = Latencies::default();
        millis.iter().for_each(|&m| latencies.record(Duration::from_millis(m)));
        latencies
    }

    #[test]
    fn a_stall_counts_for_the_requests_it_prevented() {
        let mut asked = of(&[10; 100]);
        asked.record(Duration::from_secs(2));
        assert_eq!(asked.quantile_ms(0.95).round(), 10.0);
        let corrected = asked.corrected(Duration::from_millis(10));
        assert_eq!(corrected.count(), 300);
        assert!((corrected.quantile_ms(0.5) - 500.0).abs() < 15.0);
        assert!((corrected.quantile_ms(0.95) - 1850.0).abs() < 15.0);
    }

    #[test]
    fn later_latencies_are_separated() {
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
        assert!((all.max_ms() / 3_600_000.0 - 1.0).abs() < 0.001, "an hour at most");
    }
}
