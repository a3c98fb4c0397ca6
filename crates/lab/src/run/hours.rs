//! Hour by hour results of a long stage, which show whether anything grows.

use std::time::{Duration, Instant};

use super::watching::Watching;
use crate::{
    results::model::{Hour, HourWatched, Named, Watched},
    virtual_users::{
        Stage,
        tally::{Counting, Tally, lock},
    },
};

/// The hours of one stage.
pub(super) struct Hours {
    length: Duration,
    counts_from: Instant,
    /// The stage's measurements at the end of the last hour.
    before: Vec<Tally>,
    /// Second of the run at the end of the last hour.
    from: u64,
    number: u32,
}

impl Hours {
    /// The hours of a stage; `None` if it lasts less than `length`.
    pub fn of(stage: &Stage, lasts: Duration, length: Duration) -> Option<Self> {
        let from = stage.counts_from.saturating_duration_since(stage.run.pulse.began());
        let hours = Self {
            length,
            counts_from: stage.counts_from,
            before: vec![Tally::default(); stage.tallies.transactions.len()],
            from: from.as_secs(),
            number: 0,
        };
        (lasts >= length).then_some(hours)
    }

    /// The hour that has just ended at `now`, if one has; at the end of the stage, the incomplete rest.
    pub fn passed(
        &mut self,
        stage: &Stage,
        watching: &Watching,
        counting: Counting,
        now: Instant,
        over: bool,
    ) -> Option<Hour> {
        let whole = now >= self.counts_from + self.length * (self.number + 1);
        let to = now.saturating_duration_since(stage.run.pulse.began()).as_secs();
        if !(whole || over) || to <= self.from {
            return None;
        }
        self.number += 1;
        let seen: Vec<Tally> = stage.tallies.transactions.iter().map(|tally| lock(tally).clone()).collect();
        let names = stage.run.workload.transactions.iter().map(|transaction| &transaction.name);
        let figures = names.zip(seen.iter().zip(&self.before));
        let figures = figures.map(|(name, (now, before))| now.since(before).figures(name, None, counting));
        let hour = Hour {
            hour: self.number,
            from: self.from,
            to,
            transactions: figures.filter(|figures| figures.count > 0).collect(),
            watch: watched(&watching.values(usize::try_from(to).unwrap_or(usize::MAX)), self.from),
        };
        (self.before, self.from) = (seen, to);
        Some(hour)
    }
}

/// The watched series from a second on.
fn watched(series: &Named<Watched>, from: u64) -> Named<HourWatched> {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let one = |(name, watched): (&String, &Watched)| {
        let values: Vec<f64> = watched.values.iter().skip(from).flatten().copied().collect();
        let last = *values.last()?;
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let max = values.iter().copied().fold(f64::MIN, f64::max);
        Some((name.clone(), HourWatched { mean, max, last }))
    };
    series.iter().filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_hour_knows_its_own_seconds_of_a_series() {
        let values = vec![Some(100.0), Some(1.0), None, Some(3.0)];
        let series = Named::from([
            ("memory".to_owned(), Watched { unit: "bytes".to_owned(), values }),
            ("nothing".to_owned(), Watched { unit: String::new(), values: vec![None; 4] }),
        ]);
        let hour = HourWatched { mean: 2.0, max: 3.0, last: 3.0 };
        assert_eq!(watched(&series, 1), Named::from([("memory".to_owned(), hour)]));
    }
}
