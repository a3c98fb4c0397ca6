//! Days and moments in conditions and records.

use jiff::{
    Timestamp, ToSpan,
    civil::{Date, DateTime},
    tz::TimeZone,
};

/// The first and the last millisecond of a day or moment; without a zone it is in UTC. `None`: the text is neither.
pub(crate) fn span(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    if let Ok(moment) = text.parse::<Timestamp>() {
        let moment = moment.as_millisecond();
        return Some((moment, moment));
    }
    let is_day = text.len() == 10;
    if let Ok(day) = text.parse::<Date>()
        && is_day
    {
        let start = day.to_zoned(TimeZone::UTC).ok()?.timestamp();
        let end = start.checked_add(24.hours()).ok()?;
        return Some((start.as_millisecond(), end.as_millisecond() - 1));
    }
    // A day with an offset, as in `2024-01-01+02:00`.
    if let (Some(day), Some(offset)) = (text.get(..10), text.get(10..))
        && !offset.is_empty()
        && !offset.starts_with('T')
        && let Ok(moment) = format!("{day}T00:00:00{offset}").parse::<Timestamp>()
    {
        let start = moment.as_millisecond();
        return Some((start, start + 86_399_999));
    }
    let moment = text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp().as_millisecond();
    Some((moment, moment))
}

/// A moment as it is indexed: texts in the order of time.
pub(crate) fn stored(millisecond: i64) -> String {
    format!("{:020}", i128::from(millisecond) + (1_i128 << 63))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_moments_are_read() {
        for (text, from, to) in [
            ("2020-12-12", 1_607_731_200_000, 1_607_817_599_999),
            ("2020-12-12Z", 1_607_731_200_000, 1_607_817_599_999),
            ("2020-12-12+01:00", 1_607_727_600_000, 1_607_813_999_999),
            ("2020-12-12T10:00:00Z", 1_607_767_200_000, 1_607_767_200_000),
            ("2020-12-12T10:00:00.123", 1_607_767_200_123, 1_607_767_200_123),
            ("2020-12-12T12:00:00.000+0200", 1_607_767_200_000, 1_607_767_200_000),
            ("2020-12-12T12:00:00+02:00", 1_607_767_200_000, 1_607_767_200_000),
        ] {
            assert_eq!(span(text), Some((from, to)), "{text}");
        }
        for text in ["", "12-12-2020", "2020-13-01", "soon", "2020", "*"] {
            assert_eq!(span(text), None, "{text}");
        }
        assert!(stored(-1) < stored(0) && stored(0) < stored(1_607_767_200_000));
    }
}
