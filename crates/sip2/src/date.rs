//! Dates: `YYYYMMDDZZZZHHMMSS`, where ZZZZ is four blanks for local time or `   Z` for UTC.

use jiff::{Timestamp, Zoned, civil::DateTime, tz::TimeZone};

const LENGTH: usize = 18;

/// A moment as the terminal's local time.
#[must_use]
pub fn stamp(moment: &Zoned) -> String {
    moment.strftime("%Y%m%d    %H%M%S").to_string()
}

/// The moment of a date; local times are in `zone`. `None` for what is no date.
#[must_use]
pub fn moment(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    if text.len() != LENGTH || !text.is_ascii() {
        return None;
    }
    let number = |from: usize, to: usize| {
        let digits = &text[from..to];
        let all = digits.bytes().all(|byte| byte.is_ascii_digit());
        all.then(|| digits.parse::<i16>().ok()).flatten()
    };
    let small = |from: usize| number(from, from + 2)?.try_into().ok();
    let civil = DateTime::new(
        number(0, 4)?,
        small(4)?,
        small(6)?,
        small(12)?,
        small(14)?,
        small(16)?,
        0,
    );
    let zone = match text[8..12].trim() {
        "" => zone.clone(),
        "Z" | "UTC" | "GMT" => TimeZone::UTC,
        _ => return None,
    };
    let zoned = civil.ok()?.to_zoned(zone).ok()?;
    Some(zoned.timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_local_or_utc() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        for (text, expected) in [
            ("20261122    143000", Some("2026-11-22T13:30:00Z")),
            ("20261122   Z143000", Some("2026-11-22T14:30:00Z")),
            ("20261122UTC 143000", Some("2026-11-22T14:30:00Z")),
            ("20261122 EST143000", None),
            ("20261332    143000", None),
            ("2026-1-2    143000", None),
            ("+026+1+2    143000", None),
            ("                  ", None),
            ("20261122", None),
            ("ééééééééé", None),
        ] {
            let expected = expected.map(|text| text.parse::<Timestamp>().unwrap());
            assert_eq!(moment(text, &zone), expected, "{text}");
        }
        let summer: Timestamp = "2026-07-01T10:00:00Z".parse().unwrap();
        let shown = stamp(&summer.to_zoned(zone.clone()));
        assert_eq!(shown, "20260701    120000");
        assert_eq!(moment(&shown, &zone), Some(summer));
    }
}
