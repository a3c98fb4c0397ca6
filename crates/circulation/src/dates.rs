//! Dates as FOLIO clients send them and FOLIO modules print them (docs/folio/circulation.md#dates).

use std::fmt;

use jiff::{
    Timestamp, ToSpan, Zoned,
    civil::{Date, DateTime},
    fmt::temporal::{DateTimeParser, Pieces, PiecesOffset},
    tz::{AmbiguousOffset, Offset, TimeZone},
};

/// A moment with its original UTC offset. Periods of days and months are counted in that offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The instant itself.
    pub timestamp: Timestamp,
    /// The UTC offset it was written with.
    pub offset: Offset,
}

impl Moment {
    /// Wraps a timestamp with offset zero.
    pub fn utc(timestamp: Timestamp) -> Moment {
        Moment { timestamp, offset: Offset::UTC }
    }

    /// Parses ISO 8601 with `Z`, `+HH:MM` or `+HHMM`. A missing offset means UTC, a missing time midnight.
    pub fn parse(text: &str) -> Option<Moment> {
        static PARSER: DateTimeParser = DateTimeParser::new();
        let pieces: Pieces<'_> = PARSER.parse_pieces(text.trim()).ok()?;
        let offset = match pieces.offset() {
            Some(PiecesOffset::Numeric(offset)) => offset.offset(),
            _ => Offset::UTC,
        };
        let local = DateTime::from_parts(pieces.date(), pieces.time().unwrap_or_default());
        let timestamp = offset.to_timestamp(local).ok()?;
        Some(Moment { timestamp, offset })
    }

    /// The local date and time in the moment's own offset.
    pub fn zoned(self) -> Zoned {
        self.timestamp.to_zoned(TimeZone::fixed(self.offset))
    }
}

/// Parses a date and time like [`Moment::parse`].
pub fn parse_date_time(text: &str) -> Option<Timestamp> {
    Moment::parse(text).map(|moment| moment.timestamp)
}

/// 23:59:59.000 on a date in a time zone. If the clocks skip that time, the last second before the skip, so that the
/// result stays on the same date.
pub(crate) fn end_of_day(date: Date, zone: &TimeZone) -> Option<Timestamp> {
    let last_second = zone.to_ambiguous_timestamp(date.at(23, 59, 59, 0));
    if let AmbiguousOffset::Gap { .. } = last_second.offset() {
        let next_day = date.tomorrow().ok()?.to_zoned(zone.clone()).ok()?;
        return Some(next_day.start_of_day().ok()?.timestamp() - 1.second());
    }
    last_second.compatible().ok()
}

/// The [`end_of_day`] of a moment's local date in a time zone.
pub(crate) fn end_of_day_of(moment: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    end_of_day(local_date(moment, zone), zone)
}

/// The local date of a moment in a time zone.
pub(crate) fn local_date(moment: Timestamp, zone: &TimeZone) -> Date {
    zone.to_datetime(moment).date()
}

/// Reprints a stored date the way circulation prints a date it has parsed: [`computed`]. Returns text that is not a
/// date unchanged.
pub fn recomputed(text: &str) -> String {
    match parse_date_time(text) {
        Some(moment) => computed(moment).to_string(),
        None => text.to_owned(),
    }
}

/// Prints a value computed in memory: `2022-05-13T00:00:00.000Z`.
pub fn computed(moment: Timestamp) -> impl fmt::Display {
    moment.strftime("%Y-%m-%dT%H:%M:%S.%3fZ")
}

/// Prints a `date-time` that went through storage: `2022-12-09T23:59:59.000+00:00`.
pub fn stored(moment: Timestamp) -> impl fmt::Display {
    moment.strftime("%Y-%m-%dT%H:%M:%S.%3f+00:00")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_on_that_day() {
        for (zone, date, end) in [
            ("UTC", "2033-03-26", "2033-03-26T23:59:59Z"),
            ("Europe/Berlin", "2033-03-27", "2033-03-27T21:59:59Z"),
            // Clocks go forward from 23:00 to midnight.
            ("America/Godthab", "2033-03-26", "2033-03-27T00:59:59Z"),
            // Clocks go back from midnight to 23:00; the first 23:59:59 counts.
            ("America/Godthab", "2033-10-29", "2033-10-30T00:59:59Z"),
            // Clocks go forward from midnight to 1:00.
            ("America/Santiago", "2033-09-03", "2033-09-04T03:59:59Z"),
        ] {
            let date: Date = date.parse().expect("a date");
            let time_zone = TimeZone::get(zone).expect("a time zone");
            let expected: Timestamp = end.parse().expect("a moment");
            assert_eq!(end_of_day(date, &time_zone), Some(expected), "{zone}");
            assert_eq!(local_date(expected, &time_zone), date, "{zone}");
        }
    }

    #[test]
    fn every_spelling_of_a_date_is_read() {
        for (text, expected) in [
            ("2022-05-13T10:00:00Z", "2022-05-13T10:00:00.000Z"),
            ("2022-05-13T10:00:00.123+02:00", "2022-05-13T08:00:00.123Z"),
            ("2022-05-13T10:00:00.1234567+0200", "2022-05-13T08:00:00.123Z"),
            ("2022-05-13T10:00:00", "2022-05-13T10:00:00.000Z"),
            ("2022-05-13T10:00", "2022-05-13T10:00:00.000Z"),
            ("2022-05-13", "2022-05-13T00:00:00.000Z"),
            (" 2022-05-13 10:00:00-05:30 ", "2022-05-13T15:30:00.000Z"),
        ] {
            let read = parse_date_time(text).map(|m| computed(m).to_string());
            assert_eq!(read.as_deref(), Some(expected), "{text}");
        }
        for text in ["", "today", "2022-13-01", "2022-05-13T25:00:00Z", "13.05.2022"] {
            assert_eq!(parse_date_time(text), None, "{text}");
        }
    }

    #[test]
    fn stored_dates_end_with_a_numeric_offset() {
        let moment = parse_date_time("2022-12-09T23:59:59Z").expect("a date");
        assert_eq!(stored(moment).to_string(), "2022-12-09T23:59:59.000+00:00");
    }
}
