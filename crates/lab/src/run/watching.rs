//! Asks the samplers once a second, beside the load.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use tokio::{
    task::JoinSet,
    time::{Instant as Tick, MissedTickBehavior, interval_at},
};

use crate::{
    results::model::{Named, Watched},
    virtual_users::tally::lock,
    watch::{Reading, Sampler},
};

/// The samplers' values so far. Dropping it stops them.
pub(super) struct Watching {
    values: Arc<Mutex<BTreeMap<String, Watched>>>,
    _samplers: JoinSet<()>,
}

impl Watching {
    /// Starts asking; second 0 began at `began`.
    pub fn start(samplers: Vec<Box<dyn Sampler>>, began: Instant) -> Self {
        let values: Arc<Mutex<BTreeMap<String, Watched>>> = Arc::default();
        let mut tasks = JoinSet::new();
        for sampler in samplers {
            tasks.spawn(ask(sampler, began, Arc::clone(&values)));
        }
        Self { values, _samplers: tasks }
    }

    /// The values of the first `seconds` seconds.
    pub fn values(&self, seconds: usize) -> Named<Watched> {
        let mut values = lock(&self.values).clone();
        values.values_mut().for_each(|watched| watched.values.resize(seconds, None));
        values
    }
}

async fn ask(mut sampler: Box<dyn Sampler>, began: Instant, values: Arc<Mutex<BTreeMap<String, Watched>>>) {
    let mut ticks = interval_at(Tick::from_std(began), Duration::from_secs(1));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    loop {
        ticks.tick().await;
        let second = began.elapsed().as_secs();
        let readings = sampler.sample().await;
        keep(&mut lock(&values), usize::try_from(second).unwrap_or(usize::MAX), readings);
    }
}

fn keep(values: &mut BTreeMap<String, Watched>, second: usize, readings: Vec<Reading>) {
    for Reading { name, unit, value } in readings {
        let watched = values.entry(name).or_default();
        if watched.values.len() <= second {
            watched.values.resize(second + 1, None);
        }
        unit.clone_into(&mut watched.unit);
        watched.values[second] = value.is_finite().then_some(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_without_a_reading_are_gaps() {
        let mut values = BTreeMap::new();
        keep(&mut values, 1, vec![Reading::new("cpu", "cores", 0.5)]);
        keep(&mut values, 3, vec![Reading::new("cpu", "cores", f64::NAN), Reading::new("memory", "bytes", 7.0)]);
        assert_eq!(values["cpu"], Watched { unit: "cores".to_owned(), values: vec![None, Some(0.5), None, None] });
        assert_eq!(values["memory"].values, [None, None, None, Some(7.0)]);
    }
}
