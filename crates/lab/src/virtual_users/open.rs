//! An open load: sessions begin at a fixed rate, whether or not earlier ones have ended.

use std::{
    sync::{Arc, Mutex, atomic::Ordering},
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

use super::{
    Stage,
    session::{User, choose, perform},
    tally::lock,
};

/// Maximum number of sessions under way: with a server slower than the rate, the generator would otherwise run out of
/// memory.
const MOST: u32 = 2_000;

/// Starts `rate` sessions per second, evenly spaced. They end with the stage.
pub fn start(stage: &Arc<Stage>, rate: f64) -> JoinSet<()> {
    let mut scheduler = JoinSet::new();
    scheduler.spawn(schedule(Arc::clone(stage), rate));
    scheduler
}

async fn schedule(stage: Arc<Stage>, rate: f64) {
    let users: Arc<Mutex<Vec<User>>> = Arc::default();
    let mut sessions = JoinSet::new();
    for number in 0_u64.. {
        let intended = stage.began + Duration::from_secs_f64(number as f64 / rate);
        if intended >= stage.ends || !stage.goes_on() {
            break;
        }
        stage.wait(intended).await;
        while sessions.try_join_next().is_some() {}
        if stage.counts(intended) {
            stage.intended.fetch_add(1, Ordering::Relaxed);
        }
        let begins =
            stage.active.load(Ordering::Relaxed) < MOST && begin(&stage, &users, number, intended, &mut sessions);
        if !begins && stage.counts(intended) {
            stage.missed.fetch_add(1, Ordering::Relaxed);
        }
    }
    while sessions.join_next().await.is_some() {}
}

/// Begins a session if there are free rows.
fn begin(
    stage: &Arc<Stage>,
    users: &Arc<Mutex<Vec<User>>>,
    number: u64,
    intended: Instant,
    sessions: &mut JoinSet<()>,
) -> bool {
    let Some((chosen, rows)) = choose(&stage.run) else {
        stage.starved.fetch_add(1, Ordering::Relaxed);
        return false;
    };
    if !stage.take_one() {
        return true;
    }
    stage.active.fetch_add(1, Ordering::Relaxed);
    let (stage, users) = (Arc::clone(stage), Arc::clone(users));
    sessions.spawn(async move {
        let idle = lock(&users).pop();
        let mut user = idle.unwrap_or_else(|| User::new(number));
        perform(&stage, &mut user, chosen, rows, intended).await;
        lock(&users).push(user);
        stage.active.fetch_sub(1, Ordering::Relaxed);
    });
    true
}
