//! A library's date formats: language, region and time zone.

use std::sync::LazyLock;

use jiff::{Timestamp, Zoned, tz::TimeZone};
use serde_json::Value;

/// One line for each language: tag, short date, long date, short time, separator of a short date and of a long date
/// from a time, the twelve months, the two halves of the day. From Unicode CLDR 42, which FOLIO's Java uses.
const PATTERNS: &str = include_str!("../../data/dates.tsv");

static KNOWN: LazyLock<Vec<Patterns>> = LazyLock::new(|| PATTERNS.lines().filter_map(Patterns::read).collect());

#[derive(Debug)]
struct Patterns {
    tag: &'static str,
    short_date: &'static str,
    long_date: &'static str,
    time: &'static str,
    short_join: &'static str,
    long_join: &'static str,
    months: Vec<&'static str>,
    halves: Vec<&'static str>,
}

/// A library's date format.
#[derive(Debug, Clone)]
pub struct Locale {
    patterns: &'static Patterns,
    zone: TimeZone,
}

/// How much of an instant to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `9/18/19`
    Date,
    /// `9/18/19, 10:04 AM`
    DateTime,
    /// `September 18, 2019 at 10:04 AM`
    DetailedDateTime,
}

impl Patterns {
    fn read(line: &'static str) -> Option<Patterns> {
        let mut fields = line.split('\t');
        let mut next = || fields.next();
        Some(Patterns {
            tag: next().filter(|tag| !tag.starts_with('#'))?,
            short_date: next()?,
            long_date: next()?,
            time: next()?,
            short_join: next()?,
            long_join: next()?,
            months: next()?.split(',').collect(),
            halves: next().unwrap_or("AM,PM").split(',').collect(),
        })
    }

    /// Formats an instant with a pattern: `yyyy yy y MMMM MM M dd d HH H hh h mm a`; anything else stays as it is.
    fn write(&self, pattern: &str, at: &Zoned, out: &mut String) {
        let mut rest = pattern;
        while let Some(letter) = rest.chars().next() {
            let same = rest.chars().take_while(|next| *next == letter).count();
            let run = &rest[..same * letter.len_utf8()];
            rest = &rest[run.len()..];
            let hour = (at.hour() + 11) % 12 + 1;
            match run {
                "y" | "yyyy" => out.push_str(&at.year().to_string()),
                "yy" => out.push_str(&format!("{:02}", at.year().rem_euclid(100))),
                "MMMM" => out.push_str(self.month(at)),
                "MM" => out.push_str(&format!("{:02}", at.month())),
                "M" => out.push_str(&at.month().to_string()),
                "dd" => out.push_str(&format!("{:02}", at.day())),
                "d" => out.push_str(&at.day().to_string()),
                "HH" => out.push_str(&format!("{:02}", at.hour())),
                "H" => out.push_str(&at.hour().to_string()),
                "hh" => out.push_str(&format!("{hour:02}")),
                "h" => out.push_str(&hour.to_string()),
                "mm" => out.push_str(&format!("{:02}", at.minute())),
                "a" => out.push_str(self.halves.get(usize::from(at.hour() >= 12)).unwrap_or(&"")),
                other => out.push_str(other),
            }
        }
    }

    fn month(&self, at: &Zoned) -> &str {
        let place = usize::try_from(at.month() - 1).unwrap_or_default();
        self.months.get(place).copied().unwrap_or_default()
    }
}

impl Locale {
    /// The locale of a language tag (`en-US`) in a time zone. An unknown region falls back to its language, an unknown
    /// language to English.
    pub fn new(tag: &str, zone: TimeZone) -> Locale {
        let language = tag.split(['-', '_']).next().unwrap_or_default();
        let tag = tag.replace('_', "-");
        let of = |wanted: &str| KNOWN.iter().find(|known| known.tag.eq_ignore_ascii_case(wanted));
        let english = || KNOWN.first();
        let patterns = of(&tag).or_else(|| of(language)).or_else(english);
        Locale { patterns: patterns.unwrap_or(&FALLBACK), zone }
    }

    /// The locale from `/locale` (`locale`, `timezone`); English and UTC if it is missing or wrong.
    pub fn of_tenant(locale: &Value) -> Locale {
        let zone = locale["timezone"].as_str().map(TimeZone::get);
        let zone = zone.and_then(Result::ok).unwrap_or(TimeZone::UTC);
        Locale::new(locale["locale"].as_str().unwrap_or("en-US"), zone)
    }

    /// A short date with the time, as fee reports have it: with ordinary spaces, for programs read them.
    pub fn short(&self, moment: Timestamp) -> String {
        self.write(moment, Style::DateTime).replace('\u{202f}', " ")
    }

    /// Formats an instant.
    pub(crate) fn write(&self, moment: Timestamp, style: Style) -> String {
        let at = moment.to_zoned(self.zone.clone());
        let mut out = String::new();
        let of = self.patterns;
        let (date, join) = match style {
            Style::Date => (of.short_date, None),
            Style::DateTime => (of.short_date, Some(of.short_join)),
            Style::DetailedDateTime => (of.long_date, Some(of.long_join)),
        };
        of.write(date, &at, &mut out);
        if let Some(join) = join {
            out.push_str(join);
            of.write(of.time, &at, &mut out);
        }
        out
    }
}

static FALLBACK: Patterns = Patterns {
    tag: "",
    short_date: "yyyy-MM-dd",
    long_date: "yyyy-MM-dd",
    time: "HH:mm",
    short_join: " ",
    long_join: " ",
    months: Vec::new(),
    halves: Vec::new(),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_the_library_writes_them() {
        let moment = "2019-09-18T14:04:33.205Z".parse().expect("a moment");
        for (zone, tag, short, detailed) in [
            ("America/New_York", "en-US", "9/18/19, 10:04\u{202f}AM", "September 18, 2019 at 10:04\u{202f}AM"),
            ("Europe/London", "en-GB", "18/09/2019, 15:04", "18 September 2019 at 15:04"),
            ("Europe/Stockholm", "en-SE", "2019-09-18, 16:04", "18 September 2019 at 16:04"),
            ("Asia/Hong_Kong", "zh-CN", "2019/9/18 22:04", "2019年9月18日 22:04"),
            ("Europe/Copenhagen", "da-DK", "18.09.2019 16.04", "18. september 2019 kl. 16.04"),
            ("Europe/Berlin", "de-DE", "18.09.19, 16:04", "18. September 2019 um 16:04"),
            ("Europe/Paris", "fr_FR", "18/09/2019 16:04", "18 septembre 2019 à 16:04"),
            ("UTC", "tlh", "9/18/19, 2:04\u{202f}PM", "September 18, 2019 at 2:04\u{202f}PM"),
        ] {
            let zone = TimeZone::get(zone).expect("a zone");
            let locale = Locale::new(tag, zone);
            assert_eq!(locale.write(moment, Style::DateTime), short, "{tag}");
            assert_eq!(locale.write(moment, Style::DetailedDateTime), detailed, "{tag}");
        }
    }

    #[test]
    fn noon_and_midnight_are_twelve() {
        let locale = Locale::new("en-US", TimeZone::UTC);
        for (moment, written) in
            [("2026-01-02T00:05:00Z", "1/2/26, 12:05\u{202f}AM"), ("2026-01-02T12:05:00Z", "1/2/26, 12:05\u{202f}PM")]
        {
            let moment = moment.parse().expect("a moment");
            assert_eq!(locale.write(moment, Style::DateTime), written);
        }
    }

    #[test]
    fn every_language_has_twelve_months_and_two_halves_of_the_day() {
        assert!(KNOWN.len() > 20);
        for known in KNOWN.iter() {
            assert_eq!((known.months.len(), known.halves.len()), (12, 2), "{}", known.tag);
        }
    }
}
