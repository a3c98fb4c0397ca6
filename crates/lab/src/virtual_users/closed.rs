//! A closed load: a fixed number of virtual users, each waiting for its answer before the next request.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use super::{
    Stage,
    session::{User, choose, perform},
};

/// How long a user waits when there are no rows or the server is unreachable.
const NOTHING_TO_DO: Duration = Duration::from_millis(100);

/// How long users with a pace may catch up after the end.
const GRACE: Duration = Duration::from_secs(10);

/// Settings of a closed load.
#[derive(Debug, Clone, Copy)]
pub struct Closed {
    pub users: u32,
    /// The time over which they start.
    pub ramp_up: Duration,
    /// Time between the intended starts of a user's sessions; `None` starts each when the last has ended.
    pub pace: Option<Duration>,
}

/// Starts the users. They end with the stage.
pub fn start(stage: &Arc<Stage>, closed: Closed) -> JoinSet<()> {
    let mut users = JoinSet::new();
    for number in 0..closed.users {
        let starts = stage.began + closed.ramp_up.mul_f64(f64::from(number) / f64::from(closed.users));
        users.spawn(work(Arc::clone(stage), number, starts, closed.pace));
    }
    users
}

async fn work(stage: Arc<Stage>, number: u32, starts: Instant, pace: Option<Duration>) {
    stage.run.clock.wait(starts).await;
    let mut user = User::new(number.into());
    user.warm(&stage.run).await;
    stage.active.fetch_add(1, Ordering::Relaxed);
    let mut intended = Instant::now();
    while goes_on(&stage, intended, pace) {
        let began = intended;
        if let Some((chosen, rows)) = choose(&stage.run) {
            if !stage.take_one() {
                break;
            }
            if stage.counts(intended) {
                stage.intended.fetch_add(1, Ordering::Relaxed);
            }
            if !perform(&stage, &mut user, chosen, rows, intended).await {
                tokio::time::sleep(NOTHING_TO_DO).await;
            }
        } else {
            stage.starved.fetch_add(1, Ordering::Relaxed);
            tokio::time::sleep(NOTHING_TO_DO).await;
        }
        intended = next(&stage, began, pace).await;
        if pace.is_none() && stage.counts(began) {
            stage.tallies.session(intended - began);
        }
    }
    if let Some(pace) = pace {
        let never = stage.ends.saturating_duration_since(intended).div_duration_f64(pace);
        stage.missed.fetch_add(never as u64, Ordering::Relaxed);
    }
    stage.active.fetch_sub(1, Ordering::Relaxed);
}

/// Whether another session begins. One intended before the end still does, unless it is much too late.
fn goes_on(stage: &Stage, intended: Instant, pace: Option<Duration>) -> bool {
    match pace {
        None => stage.goes_on(),
        Some(_) => !stage.stop.load(Ordering::Relaxed) && intended < stage.ends && stage.ends.elapsed() < GRACE,
    }
}

/// Waits for the intended start of the next session, unless it has passed.
async fn next(stage: &Stage, began: Instant, pace: Option<Duration>) -> Instant {
    let Some(pace) = pace else {
        return Instant::now();
    };
    let intended = began + pace;
    if intended > Instant::now() {
        stage.wait(intended.min(stage.ends)).await;
    }
    intended
}
