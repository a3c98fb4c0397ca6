//! What becomes of an event that did not arrive, and when it is retried.

use jiff::SignedDuration;

/// An event that its subscriber refuses this often is dead.
pub const ATTEMPTS: i32 = 10;
const LONGEST: u32 = 300;

/// The result of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It arrived.
    Delivered,
    /// It does not take this event.
    Refused(String),
    /// It cannot take any event now.
    Unreachable(String),
}

/// The outcome that a status code stands for.
pub fn judge(status: u16) -> Outcome {
    match status {
        200..=299 => Outcome::Delivered,
        408 | 425 | 429 | 502 | 503 | 504 => Outcome::Unreachable(format!("status {status}")),
        _ => Outcome::Refused(format!("status {status}")),
    }
}

/// The delay after that many failures: one second, doubled each time, at most five minutes.
pub fn delay(failures: i32) -> SignedDuration {
    let doubled = u32::try_from(failures).ok().and_then(|failures| 1_u32.checked_shl(failures)).unwrap_or(LONGEST);
    let seconds = if failures < 0 { 1 } else { doubled.min(LONGEST) };
    SignedDuration::from_secs(seconds.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_grow_to_five_minutes() {
        let seconds = |failures| delay(failures).as_secs();
        assert_eq!([0, 1, 2, 8].map(seconds), [1, 2, 4, 256]);
        assert_eq!([9, 31, 32, 99, i32::MAX].map(seconds), [300; 5]);
        assert_eq!(seconds(-1), 1);
    }

    #[test]
    fn a_status_says_whether_to_try_the_event_again_or_the_subscriber() {
        for status in [200, 201, 202, 204] {
            assert_eq!(judge(status), Outcome::Delivered);
        }
        for status in [301, 400, 401, 404, 410, 422, 500, 501] {
            assert!(matches!(judge(status), Outcome::Refused(_)), "{status}");
        }
        for status in [408, 425, 429, 502, 503, 504] {
            assert!(matches!(judge(status), Outcome::Unreachable(_)), "{status}");
        }
    }
}
