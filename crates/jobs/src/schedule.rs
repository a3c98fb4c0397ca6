//! When a repeating job is due: after an interval, or by a cron pattern in a time zone.

use std::str::FromStr;

use croner::Cron;
use jiff::{
    SignedDuration, Timestamp,
    tz::{Offset, TimeZone},
};
use serde_json::{Value, json};

/// When a job is due again.
#[derive(Debug, Clone, PartialEq)]
pub enum Schedule {
    /// This long after the end of the last run.
    Every(SignedDuration),
    /// By a pattern of five fields.
    Cron {
        /// The pattern as written, `1 0 * * *`.
        pattern: String,
        /// Its time zone: a name, or a distance from UTC, `GMT+04:00`.
        zone: String,
    },
}

/// A kind of job that a tenant runs on a schedule.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheduled {
    pub kind: String,
    pub schedule: Schedule,
}

impl Schedule {
    /// A cron pattern of five fields (minute, hour, day, month, weekday) in a time zone.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn cron(pattern: &str, zone: &str) -> Result<Self, String> {
        if pattern.split_whitespace().count() != 5 {
            return Err(format!("cron pattern \"{pattern}\" has not five fields"));
        }
        Cron::from_str(pattern).map_err(|error| format!("cron pattern \"{pattern}\": {error}"))?;
        time_zone(zone).ok_or_else(|| format!("unknown time zone {zone}"))?;
        Ok(Self::Cron { pattern: pattern.into(), zone: zone.into() })
    }

    /// The first time after `now` at which it is due; `None` for a pattern that never is.
    #[must_use]
    pub(crate) fn next_after(&self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Every(delay) => now.checked_add(*delay).ok(),
            Self::Cron { pattern, zone } => {
                let now = now.to_zoned(time_zone(zone)?);
                let next = Cron::from_str(pattern).ok()?.find_next_occurrence(&now, false);
                next.ok().map(|next| next.timestamp())
            }
        }
    }

    /// The form stored with a job.
    pub fn stored(&self) -> Value {
        match self {
            Self::Every(delay) => json!({"everySeconds": delay.as_millis() as f64 / 1000.0}),
            Self::Cron { pattern, zone } => json!({"cron": pattern, "zone": zone}),
        }
    }

    /// Reads the form stored with a job.
    pub fn read(stored: &Value) -> Option<Self> {
        if let Some(seconds) = stored["everySeconds"].as_f64() {
            return SignedDuration::try_from_secs_f64(seconds).ok().map(Self::Every);
        }
        Self::cron(stored["cron"].as_str()?, stored["zone"].as_str()?).ok()
    }
}

/// A time zone as Okapi, whose Java does it, reads it.
fn time_zone(zone: &str) -> Option<TimeZone> {
    TimeZone::get(zone).ok().or_else(|| distance(zone).map(TimeZone::fixed))
}

/// A distance from UTC, up to 18 hours: `Z`, `+4`, `-0330`, `UTC+04:00`.
fn distance(zone: &str) -> Option<Offset> {
    if zone == "Z" {
        return Some(Offset::UTC);
    }
    let signed = ["UTC", "GMT", "UT"].iter().find_map(|begin| zone.strip_prefix(begin)).unwrap_or(zone);
    let (sign, digits) = match signed.strip_prefix('+') {
        Some(digits) => (1, digits),
        None => (-1, signed.strip_prefix('-')?),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b':') {
        return None;
    }
    let parts: Vec<&str> = match (digits.len(), digits.contains(':')) {
        (1 | 2, false) => vec![digits],
        (4, false) => vec![&digits[..2], &digits[2..]],
        (6, false) => vec![&digits[..2], &digits[2..4], &digits[4..]],
        (5 | 8, true) => digits.split(':').collect(),
        _ => return None,
    };
    let parts: Vec<i32> = parts.iter().map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let seconds = parts.iter().zip([3600, 60, 1]).map(|(part, worth)| part * worth).sum::<i32>();
    let is_one = parts[1..].iter().all(|part| *part < 60) && seconds <= 18 * 3600;
    Offset::from_seconds(sign * seconds).ok().filter(|_| is_one)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("an instant")
    }

    #[test]
    fn a_delay_counts_from_now() {
        let schedule = Schedule::Every(SignedDuration::from_mins(30));
        assert_eq!(schedule.next_after(at("2026-11-22T10:00:00Z")), Some(at("2026-11-22T10:30:00Z")));
    }

    #[test]
    fn a_pattern_is_due_by_the_wall_clock_of_its_zone() {
        let daily = Schedule::cron("1 0 * * *", "CET").expect("a pattern");
        for (now, next) in [
            // Winter, one hour ahead of UTC; summer, two.
            ("2026-11-22T10:00:00Z", "2026-11-22T23:01:00Z"),
            ("2026-11-22T23:01:00Z", "2026-11-23T23:01:00Z"),
            ("2026-07-01T10:00:00Z", "2026-07-01T22:01:00Z"),
            // The nights of the clock changes.
            ("2026-03-28T23:01:00Z", "2026-03-29T22:01:00Z"),
            ("2026-10-24T22:01:00Z", "2026-10-25T23:01:00Z"),
        ] {
            assert_eq!(daily.next_after(at(now)), Some(at(next)), "{now}");
        }
    }

    #[test]
    fn an_hour_that_is_left_out_is_not_forgotten() {
        let at_half_past_two = Schedule::cron("30 2 * * *", "Europe/Berlin").expect("a pattern");
        let next = at_half_past_two.next_after(at("2026-03-28T12:00:00Z"));
        assert!(next.is_some_and(|next| next < at("2026-03-30T00:00:00Z")), "{next:?}");
    }

    #[test]
    fn a_zone_is_a_name_or_a_distance_from_utc() {
        for (zone, next) in [
            ("GMT+04:00", "2026-11-22T20:01:00Z"),
            ("UTC+4", "2026-11-22T20:01:00Z"),
            ("+0400", "2026-11-22T20:01:00Z"),
            ("-03:30", "2026-11-23T03:31:00Z"),
            ("Z", "2026-11-23T00:01:00Z"),
        ] {
            let daily = Schedule::cron("1 0 * * *", zone).expect("a pattern");
            assert_eq!(daily.next_after(at("2026-11-22T10:00:00Z")), Some(at(next)), "{zone}");
        }
        for zone in ["GMT+4:00", "GMT+18:01", "UTC+", "+04:60", "+4é", "GMT04:00", "+04:00:"] {
            assert!(Schedule::cron("1 0 * * *", zone).is_err(), "{zone}");
        }
    }

    #[test]
    fn invalid_schedules_are_refused_with_a_message() {
        for (pattern, zone) in
            [("", "UTC"), ("* * * *", "UTC"), ("0 0 0 * * *", "UTC"), ("99 * * * *", "UTC"), ("1 0 * * *", "Nowhere")]
        {
            assert!(Schedule::cron(pattern, zone).is_err(), "{pattern} {zone}");
        }
        let never = Schedule::cron("0 0 30 2 *", "UTC").expect("a pattern");
        assert_eq!(never.next_after(at("2026-11-22T10:00:00Z")), None);
    }

    #[test]
    fn it_is_read_as_it_was_stored() {
        for schedule in [
            Schedule::Every(SignedDuration::from_millis(1500)),
            Schedule::Every(SignedDuration::from_hours(24)),
            Schedule::cron("1 0 * * *", "CET").expect("a pattern"),
        ] {
            assert_eq!(Schedule::read(&schedule.stored()), Some(schedule));
        }
        assert_eq!(Schedule::read(&json!({})), None);
    }
}
