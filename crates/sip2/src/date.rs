//! Dates: `YYYYMMDDZZZZHHMMSS`, where ZZZZ is four blanks for local time or the letter of a zone (`   Z` is UTC).

use jiff::{
    Timestamp, Zoned,
    civil::DateTime,
    tz::{self, TimeZone},
};

const LENGTH: usize = 18;

/// A moment as the terminal's local time.
pub fn stamp(moment: &Zoned) -> String {
    moment.strftime("%Y%m%d    %H%M%S").to_string()
}

/// The instant of a date; local times are in `zone`. `None` for a malformed date.
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
    let civil = DateTime::new(number(0, 4)?, small(4)?, small(6)?, small(12)?, small(14)?, small(16)?, 0);
    let zone = match text[8..12].trim() {
        "" => zone.clone(),
        named => self::zone(named)?,
    };
    let zoned = civil.ok()?.to_zoned(zone).ok()?;
    Some(zoned.timestamp())
}

/// The zone of that letter in ANSI X3.51; Q is the specification's Atlantic Standard Time.
fn zone(name: &str) -> Option<TimeZone> {
    let hours = match name.as_bytes() {
        b"Z" | b"UTC" | b"GMT" => return Some(TimeZone::UTC),
        [letter @ b'A'..=b'I'] => i8::try_from(letter - b'A').ok()? + 1,
        [letter @ b'K'..=b'M'] => i8::try_from(letter - b'K').ok()? + 10,
        [letter @ b'N'..=b'Y'] => -i8::try_from(letter - b'N').ok()? - 1,
        _ => return None,
    };
    Some(tz::offset(hours).to_time_zone())
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
            ("20261122   Q103000", Some("2026-11-22T14:30:00Z")),
            ("20261122   A143000", Some("2026-11-22T13:30:00Z")),
            ("20261122   I143000", Some("2026-11-22T05:30:00Z")),
            ("20261122   K143000", Some("2026-11-22T04:30:00Z")),
            ("20261122   M143000", Some("2026-11-22T02:30:00Z")),
            ("20261122   N143000", Some("2026-11-22T15:30:00Z")),
            ("20261122   Y143000", Some("2026-11-23T02:30:00Z")),
            ("20261122   J143000", None),
            // Local times that a clock change skips, and that occur twice.
            ("20260329    023000", Some("2026-03-29T01:30:00Z")),
            ("20261025    023000", Some("2026-10-25T00:30:00Z")),
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
