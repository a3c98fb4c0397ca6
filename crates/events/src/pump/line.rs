//! One subscriber's queue: batches of events, those about different records in parallel, those about one record in
//! sequence.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use futures_util::{StreamExt, stream};
use jiff::Timestamp;
use store::{
    Session, StoreError,
    events::{self, Lease, Outgoing, Refused, Settlement},
};

use super::Pump;
use crate::retry::{ATTEMPTS, Outcome, delay};

/// Events in a batch.
const BATCH: i32 = 200;
/// Events under way to one subscriber at once, each about a different record.
const ABREAST: usize = 16;
/// After this time no further event of a batch is sent. Even if the last one takes as long as it may, this is well
/// within the lease.
const BATCH_TIME: Duration = Duration::from_secs(10);
/// How long a silent process keeps a subscriber.
const LEASE: Duration = Duration::from_secs(30);

/// Delivers to a subscriber until nothing more can be delivered now, it cannot be reached, or the process stops.
pub(super) async fn work_off(pump: &Pump, session: &Session, tenant: &str, subscriber: &str) -> Result<(), StoreError> {
    let lease = Lease { subscriber, me: pump.me, seconds: LEASE.as_secs_f64() };
    while !pump.is_stopping() {
        let batch = events::take(session, lease, pump.now(), BATCH).await?;
        if batch.is_empty() {
            break;
        }
        let how = deliver(pump, tenant, batch).await;
        count(&how);
        events::settle(session, lease, pump.now(), &how).await?;
        if let Some((fault, _)) = how.unreachable {
            tracing::debug!(tenant, subscriber, fault, "a subscriber of events cannot be reached");
            break;
        }
    }
    events::release(session, subscriber, pump.me).await
}

fn count(how: &Settlement) {
    metrics::counter!("carrel_events_delivered_total").increment(how.delivered.len() as u64);
    metrics::counter!("carrel_events_refused_total").increment(how.refused.len() as u64);
}

async fn deliver(pump: &Pump, tenant: &str, batch: Vec<Outgoing>) -> Settlement {
    let now = pump.now();
    let failures = batch.first().map_or(0, |event| event.failures);
    let round = Arc::new(Round { ends: Instant::now() + BATCH_TIME, over: AtomicBool::new(false), now });
    let lines = by_key(batch);
    let gone =
        stream::iter(lines).map(|line| deliver_line(pump, tenant, line, Arc::clone(&round))).buffer_unordered(ABREAST);
    gone.fold(Settlement::default(), |all, line| async { together(all, line) }).await.with_retry(now, failures)
}

/// What the workers of a batch share.
struct Round {
    ends: Instant,
    over: AtomicBool,
    now: Timestamp,
}

impl Round {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || Instant::now() >= self.ends
    }
}

/// The events of each key, in order.
fn by_key(batch: Vec<Outgoing>) -> Vec<Vec<Outgoing>> {
    let mut places = std::collections::HashMap::new();
    let mut lines: Vec<Vec<Outgoing>> = Vec::new();
    for event in batch {
        let place = *places.entry(event.key.clone()).or_insert(lines.len());
        match lines.get_mut(place) {
            Some(line) => line.push(event),
            None => lines.push(vec![event]),
        }
    }
    lines
}

async fn deliver_line(pump: &Pump, tenant: &str, line: Vec<Outgoing>, round: Arc<Round>) -> Settlement {
    let mut how = Settlement::default();
    for event in line {
        if round.is_over() || pump.is_stopping() {
            break;
        }
        match pump.send(tenant, &event).await {
            Outcome::Delivered => how.delivered.push(event.seq),
            Outcome::Refused(error) => {
                let refused = refused(&event, error, round.now);
                let again = refused.due.is_some();
                how.refused.push(refused);
                if again {
                    // Later ones wait until it has arrived or is given up.
                    break;
                }
            }
            Outcome::Unreachable(fault) => {
                round.over.store(true, Ordering::Relaxed);
                how.unreachable = Some((fault, round.now));
                break;
            }
        }
    }
    how
}

fn refused(event: &Outgoing, error: String, now: Timestamp) -> Refused {
    let again = event.attempts + 1 < ATTEMPTS;
    let due = again.then(|| now.saturating_add(delay(event.attempts)).unwrap_or(now));
    Refused { seq: event.seq, error, due }
}

fn together(mut all: Settlement, line: Settlement) -> Settlement {
    all.delivered.extend(line.delivered);
    all.refused.extend(line.refused);
    all.unreachable = all.unreachable.or(line.unreachable);
    all
}

trait WithRetry {
    fn with_retry(self, now: Timestamp, failures: i32) -> Self;
}

impl WithRetry for Settlement {
    /// Sets when to retry a subscriber that could not be reached.
    fn with_retry(mut self, now: Timestamp, failures: i32) -> Self {
        // One delivered event shows that it is reachable.
        let failures = if self.delivered.is_empty() { failures } else { 0 };
        if let Some((_, again)) = &mut self.unreachable {
            *again = now.saturating_add(delay(failures)).unwrap_or(now);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn event(seq: i64, key: &str, attempts: i32) -> Outgoing {
        Outgoing {
            seq,
            id: Uuid::nil(),
            topic: "LOAN_CLOSED".into(),
            key: key.into(),
            payload: "{}".into(),
            written: Timestamp::UNIX_EPOCH,
            attempts,
            failures: 0,
            address: "/".into(),
            secret: None,
        }
    }

    #[test]
    fn events_of_a_key_stay_in_order() {
        let batch = [(1, "a"), (2, "b"), (3, "a"), (4, "c"), (5, "a")];
        let lines = by_key(batch.map(|(seq, key)| event(seq, key, 0)).to_vec());
        let places: Vec<Vec<i64>> = lines.iter().map(|line| line.iter().map(|event| event.seq).collect()).collect();
        assert_eq!(places, [vec![1, 3, 5], vec![2], vec![4]]);
    }

    #[test]
    fn an_event_is_given_up_after_the_last_attempt() {
        let now = Timestamp::UNIX_EPOCH;
        let due = |attempts| refused(&event(1, "a", attempts), "no".into(), now).due;
        assert_eq!(due(0).map(Timestamp::as_second), Some(1));
        assert_eq!(due(3).map(Timestamp::as_second), Some(8));
        assert_eq!(due(ATTEMPTS - 1), None);
    }
}
