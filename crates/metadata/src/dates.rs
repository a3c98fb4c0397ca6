//! Dates as exports show them.

use jiff::{
    Timestamp,
    civil::{Date, DateTime},
};
use record_xml::json::text;
use serde_json::Value;

/// A date as readers see it: what was written, or its begin and end.
pub(crate) fn date_text(date: &Value) -> Option<String> {
    if let Some(expression) = text(date, "expression") {
        return Some(expression.to_owned());
    }
    let (begin, end) = (text(date, "begin"), text(date, "end"));
    match (begin, end) {
        (Some(begin), Some(end)) if begin != end => Some(format!("{begin} - {end}")),
        (begin, end) => begin.or(end).map(str::to_owned),
    }
}

/// A time that a record holds, in UTC: a time with its zone, or without one, or only a date.
pub(crate) fn moment(text: &str) -> Option<DateTime> {
    let plain = text.trim().trim_end_matches("UTC").trim_end();
    let in_utc = plain.parse::<Timestamp>().ok().map(|time| time.to_zoned(jiff::tz::TimeZone::UTC).datetime());
    in_utc
        .or_else(|| plain.parse::<DateTime>().ok())
        .or_else(|| plain.parse::<Date>().ok().map(|date| date.to_datetime(jiff::civil::Time::midnight())))
}

/// A time in ISO 8601.
pub(crate) fn iso(text: &str) -> Option<String> {
    moment(text).map(|time| time.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_are_shown_as_written_or_from_begin_to_end() {
        for (date, wanted) in [
            (json!({"expression": "1970s", "begin": "1970"}), Some("1970s")),
            (json!({"begin": "1970", "end": "1979"}), Some("1970 - 1979")),
            (json!({"begin": "1970", "end": "1970"}), Some("1970")),
            (json!({"begin": "1970"}), Some("1970")),
            (json!({}), None),
        ] {
            assert_eq!(date_text(&date).as_deref(), wanted, "{date}");
        }
    }

    #[test]
    fn times_are_read_in_all_forms() {
        for (text, wanted) in [
            ("2020-11-24 00:00:00 UTC", Some("2020-11-24T00:00:00+00:00")),
            ("2020-11-24T12:30:00Z", Some("2020-11-24T12:30:00+00:00")),
            ("2020-11-24T12:30:00+02:00", Some("2020-11-24T10:30:00+00:00")),
            ("2020-11-24", Some("2020-11-24T00:00:00+00:00")),
            ("last week", None),
        ] {
            assert_eq!(iso(text).as_deref(), wanted, "{text}");
        }
    }
}
