//! Dates as clients write them.

use jiff::civil;
use jiff::fmt::strtime;

/// A day of any year, also of one before the common era; days compare by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day {
    year: i64,
    month: u8,
    day: u8,
}

/// How a day may be written where a whole one is asked for.
const WAYS: [&str; 14] = [
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y%m%d",
    "%d/%m/%Y",
    "%d-%m-%Y",
    "%d.%m.%Y",
    "%B %d, %Y",
    "%B %d %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%b %d %Y",
    "%d %b %Y",
    "%d-%b-%Y",
];

/// The whole day that the text names, in one of the usual ways; what follows an ISO day, such as a time, is ignored.
pub fn whole_day(text: &str) -> Option<civil::Date> {
    let text = text.trim();
    let iso = text.get(..10).filter(|_| matches!(text.as_bytes()[10..].first(), None | Some(b'T' | b' ')));
    let written = |text: &str, way: &str| strtime::parse(way, text).ok()?.to_date().ok();
    let month = || written(&format!("{text}-01"), "%Y-%m-%d");
    iso.and_then(|day| written(day, WAYS[0])).or_else(|| WAYS.iter().find_map(|way| written(text, way))).or_else(month)
}

/// The first day of what `1999`, `1999-05`, `1999-05-31` or `-44-03` names.
pub(crate) fn first_day(text: &str) -> Option<Day> {
    let (sign, rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let mut parts = rest.split('-');
    let mut next = |default: &'static str| parts.next().filter(|part| !part.is_empty()).unwrap_or(default).to_owned();
    let (year, month, day) = (next(""), next("01"), next("01"));
    let number = |text: &str, most: usize| {
        let fits = (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        if fits { text.parse::<i64>().ok() } else { None }
    };
    let year = sign * number(&year, 9)?;
    let month = u8::try_from(number(&month, 2)?).ok()?;
    let day = u8::try_from(number(&day, 2)?).ok()?;
    (day >= 1 && day <= days_in(year, month)?).then_some(Day { year, month, day })
}

fn days_in(year: i64, month: u8) -> Option<u8> {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    Some(match month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    })
}

/// Whether the text names a point in time, or at least a day.
pub(crate) fn is_time(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok() || text.parse::<civil::DateTime>().is_ok() || whole_day(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_day_is_read_as_written() {
        let cases = [
            ("2010-06-03", "2010-06-03"),
            ("2010-06-03T10:00:00Z", "2010-06-03"),
            ("2010-06", "2010-06-01"),
            ("20100603", "2010-06-03"),
            ("2010-6-3", "2010-06-03"),
            ("3 June 2010", "2010-06-03"),
            ("June 3, 2010", "2010-06-03"),
            ("03/06/2010", "2010-06-03"),
            ("9999-12-31", "9999-12-31"),
        ];
        for (text, day) in cases {
            assert_eq!(whole_day(text).map(|day| day.to_string()).as_deref(), Some(day), "{text}");
        }
        for text in ["", "soon", "2010-13-01", "2010-02-30", "2010"] {
            assert_eq!(whole_day(text), None, "{text}");
        }
    }

    #[test]
    fn a_part_of_a_day_starts_with_its_first() {
        for text in ["1999", "1999-05", "1999-05-31", "-44", "-44-03-15", "12345", "2000-02-29", "1999-5"] {
            assert!(first_day(text).is_some(), "{text}");
        }
        for text in ["", "c1999", "1999-13", "1999-02-29", "1999-05-00", "May 1999", "1999/05"] {
            assert_eq!(first_day(text), None, "{text}");
        }
        assert!(first_day("-44") < first_day("44"));
        assert!(first_day("1999") == first_day("1999-01-01") && first_day("1999") < first_day("1999-05"));
    }

    #[test]
    fn a_time_is_known() {
        for text in ["2010-06-03", "2010-06-03T10:00:00Z", "2010-06-03T10:00:00+02:00", "2010-06-03 10:00:00"] {
            assert!(is_time(text), "{text}");
        }
        assert!(!is_time("yesterday"));
    }
}
