//! Decides what becomes of a job that has run. Pure.

use jiff::{SignedDuration, Timestamp};
use store::jobs::{Claimed, Settlement};

use crate::{kinds::Outcome, run::Failure, schedule::Schedule};

/// The delay before the second attempt; each further delay is twice as long.
const FIRST_DELAY: SignedDuration = SignedDuration::from_secs(15);
/// The longest delay.
const LONGEST_DELAY: SignedDuration = SignedDuration::from_hours(1);

/// Decides what becomes of a job. `attempts` is how often its kind is attempted. `None`: it returns to the queue
/// unchanged.
pub(crate) fn settle(job: &Claimed, attempts: i32, outcome: Outcome, now: Timestamp) -> Option<Settlement> {
    let next = job.schedule.as_ref().map(|schedule| {
        let schedule = Schedule::read(schedule);
        schedule.and_then(|schedule| schedule.next_after(now)).unwrap_or(Timestamp::MAX)
    });
    let retried = now.saturating_add(delay(job.attempts)).unwrap_or(now);
    let (error, again) = match outcome {
        Ok(()) => (None, None),
        Err(Failure::Later(error)) if job.attempts < attempts => (Some(error), Some(retried)),
        Err(Failure::Later(error) | Failure::Never(error)) => (Some(error), None),
        Err(Failure::Stopped) => return None,
    };
    let run_after = match (again, next) {
        (Some(again), Some(next)) => Some(again.min(next)),
        (again, next) => again.or(next),
    };
    let state = match (run_after, &error) {
        (Some(_), _) => "waiting",
        (None, None) => "done",
        (None, Some(_)) => "failed",
    };
    let starts_over = next.is_some() && again.is_none();
    Some(Settlement {
        state,
        run_after: run_after.unwrap_or(now),
        attempts: if starts_over { 0 } else { job.attempts },
        error,
    })
}

/// The delay after that failed attempt.
fn delay(attempt: i32) -> SignedDuration {
    let doublings = u32::try_from(attempt - 1).unwrap_or_default().min(16);
    FIRST_DELAY.saturating_mul(1 << doublings).min(LONGEST_DELAY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(attempts: i32, schedule: Option<Schedule>) -> Claimed {
        Claimed {
            id: 1,
            kind: "work".into(),
            payload: serde_json::Value::Null,
            schedule: schedule.map(|schedule| schedule.stored()),
            attempts,
        }
    }

    fn later() -> Outcome {
        Err(Failure::Later("the mail server is away".into()))
    }

    /// State, seconds from now, attempts, and whether the reason is kept.
    fn settled(job: &Claimed, outcome: Outcome) -> (&'static str, i64, i32, bool) {
        let now = Timestamp::UNIX_EPOCH;
        let settlement = settle(job, 3, outcome, now).expect("settled");
        let seconds = settlement.run_after.duration_since(now).as_secs();
        (settlement.state, seconds, settlement.attempts, settlement.error.is_some())
    }

    #[test]
    fn a_job_is_done_retried_or_given_up() {
        let never = || Err(Failure::Never("no such loan".into()));
        for (attempts, outcome, expected) in [
            (1, Ok(()), ("done", 0, 1, false)),
            (1, later(), ("waiting", 15, 1, true)),
            (2, later(), ("waiting", 30, 2, true)),
            (3, later(), ("failed", 0, 3, true)),
            (1, never(), ("failed", 0, 1, true)),
        ] {
            assert_eq!(settled(&job(attempts, None), outcome), expected);
        }
    }

    #[test]
    fn a_scheduled_job_always_returns() {
        let minute = || Some(Schedule::Every(SignedDuration::from_secs(60)));
        for (attempts, outcome, expected) in [
            (1, Ok(()), ("waiting", 60, 0, false)),
            (1, later(), ("waiting", 15, 1, true)),
            (3, later(), ("waiting", 60, 0, true)),
            (1, Err(Failure::Never("no".into())), ("waiting", 60, 0, true)),
        ] {
            assert_eq!(settled(&job(attempts, minute()), outcome), expected);
        }
    }

    #[test]
    fn a_stopped_job_returns_to_the_queue() {
        assert_eq!(settle(&job(1, None), 3, Err(Failure::Stopped), Timestamp::UNIX_EPOCH), None);
    }

    #[test]
    fn the_delay_doubles_up_to_an_hour() {
        let delays: Vec<_> = [1, 2, 3, 8, 9, 100].map(|n| delay(n).as_secs()).into();
        assert_eq!(delays, [15, 30, 60, 1920, 3600, 3600]);
    }
}
