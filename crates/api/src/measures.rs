//! The metrics of a route's requests. Their registrations are looked up once, not with each request.

use std::{
    sync::{OnceLock, PoisonError, RwLock},
    time::Duration,
};

use http::StatusCode;
use metrics::{Counter, Histogram};

/// The metrics of one route.
#[derive(Default)]
pub(crate) struct Measures {
    /// By method and status: a route has few.
    seconds: RwLock<Vec<(&'static str, StatusCode, Histogram)>>,
    trips: OnceLock<Counter>,
}

impl Measures {
    /// Notes a request to `route`. `method` is one of a few words.
    pub fn note(&self, method: &'static str, route: &str, status: StatusCode, took: Duration, trips: u32) {
        self.seconds(method, route, status).record(took.as_secs_f64());
        let counter = || metrics::counter!("carrel_round_trips_total", "route" => route.to_owned());
        self.trips.get_or_init(counter).increment(u64::from(trips));
    }

    fn seconds(&self, method: &'static str, route: &str, status: StatusCode) -> Histogram {
        let known = self.seconds.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((.., found)) = known.iter().find(|(of, with, _)| *of == method && *with == status) {
            return found.clone();
        }
        drop(known);
        let new = metrics::histogram!("carrel_request_seconds", "method" => method, "route" => route.to_owned(),
            "status" => status.as_str().to_owned());
        let mut known = self.seconds.write().unwrap_or_else(PoisonError::into_inner);
        known.push((method, status, new.clone()));
        new
    }
}
