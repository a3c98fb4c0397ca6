//! What words and values of a query mean in the fields of the index.

use jiff::{SignedDuration, Span, Timestamp, Unit, ZonedRound, tz::TimeZone};
use search::{
    query::Query,
    syntax::{Asked, Meaning},
};

use super::fields::{FIELDS, MOMENTS, is_known};

/// Where a word is looked for if no field is named, and how much it counts there.
const ANYWHERE: [(&str, f32); 4] =
    [("identifier_ws", 3.0), ("title_ws", 2.0), ("finding_aid_filing_title", 2.0), ("fullrecord", 1.0)];
/// The same for the public.
const ANYWHERE_PUBLIC: [(&str, f32); 3] = [("identifier_ws", 3.0), ("title_ws", 2.0), ("fullrecord_published", 1.0)];
/// Where else for containers: the identifiers of their collections and series.
const OF_CONTAINERS: [(&str, f32); 2] = [("series_identifier_u_stext", 1.0), ("collection_identifier_u_stext", 1.0)];

/// Fields with words that are not published in records that are, and where the public looks instead (ArchivesSpace's
/// `search_definitions`, `protects_unpublished`; contract 8.1, `notes`). Summaries may be of notes that are not published, and
/// ArchivesSpace searches them for nobody: what they are replaced by is no field, so that nothing is found there.
const PROTECTED: [(&str, &str); 3] =
    [("notes", "notes_published"), ("fullrecord", "fullrecord_published"), ("summary", "summary_published")];

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Audience {
    Staff,
    /// Sees only what is published.
    Public,
    /// The staff's screen of containers.
    Containers,
}

/// Whether the public sees nothing of what a field is found by.
pub(super) fn is_protected(field: &str) -> bool {
    PROTECTED.iter().any(|(name, _)| *name == field)
}

/// The meaning of queries at a moment.
pub(super) struct Meant {
    pub(super) audience: Audience,
    pub(super) now: Timestamp,
}

impl Meaning for Meant {
    fn is_field(&self, name: &str) -> bool {
        is_known(name)
    }

    fn query(&self, field: Option<&str>, asked: Asked<'_>) -> Query {
        match field {
            Some(field) => self.in_field(field, asked),
            None => {
                let fields: &[(&str, f32)] = match self.audience {
                    Audience::Staff | Audience::Containers => &ANYWHERE,
                    Audience::Public => &ANYWHERE_PUBLIC,
                };
                let others = OF_CONTAINERS.iter().filter(|_| self.audience == Audience::Containers);
                let each = fields.iter().chain(others);
                let each = each.map(|(field, by)| Query::Boost(Box::new(self.in_field(field, asked)), *by));
                Query::Best(each.collect())
            }
        }
    }
}

impl Meant {
    /// The field that is looked into for a field: the public does not look into those with words that are not published.
    pub(super) fn field<'f>(&self, field: &'f str) -> &'f str {
        if self.audience != Audience::Public {
            return field;
        }
        PROTECTED.iter().find(|(name, _)| *name == field).map_or(field, |(_, published)| published)
    }

    fn in_field(&self, field: &str, asked: Asked<'_>) -> Query {
        let field = self.field(field);
        let name = field.to_owned();
        match asked {
            Asked::Word(value) => Query::Has { field: name, value: value.to_owned() },
            Asked::Phrase(value) => Query::Phrase { field: name, value: value.to_owned() },
            Asked::Near(value, places) => Query::Near { field: name, value: value.to_owned(), places },
            Asked::Similar(value, edits) => Query::Similar { field: name, value: value.to_owned(), edits },
            // Of values as a whole the pattern is taken as it is; words have no signs.
            Asked::Pattern(pattern) => Query::Like { field: name, pattern: pattern.to_owned() },
            Asked::Anything => Query::Present { field: name },
            Asked::Range(from, to) if MOMENTS.contains(&field) => {
                let moment = |text: &str| self.moment(text).map(shown);
                match (from.map(moment), to.map(moment)) {
                    // A moment that cannot be read is none.
                    (Some(None), _) | (_, Some(None)) => Query::Or(Vec::new()),
                    (from, to) => Query::from_to(name, from.flatten(), to.flatten()),
                }
            }
            Asked::Range(None, None) if FIELDS.kind(field).is_some() => Query::Present { field: name },
            Asked::Range(from, to) => Query::from_to(name, from.map(str::to_owned), to.map(str::to_owned)),
        }
    }

    /// A moment with steps from it: `NOW`, `2026-01-01T00:00:00Z+1MONTH-1MILLISECOND`, `NOW/DAY`.
    pub(super) fn moment(&self, text: &str) -> Option<Timestamp> {
        let (mut at, mut steps) = match text.strip_prefix("NOW") {
            Some(steps) => (self.now, steps),
            None => {
                let end = text.find('Z').map_or(text.len(), |end| end + 1);
                (begin(text[..end].trim_end_matches('Z'))?, &text[end..])
            }
        };
        while let Some(sign) = steps.chars().next() {
            let rest = &steps[sign.len_utf8()..];
            let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let end = rest[digits..].find(['+', '-', '/']).map_or(rest.len(), |end| end + digits);
            let unit = rest[digits..end].trim_end_matches('S');
            let zoned = at.to_zoned(TimeZone::UTC);
            at = match sign {
                '+' | '-' => {
                    let many: i64 = rest[..digits].parse().ok()?;
                    let span = span(unit, if sign == '-' { -many } else { many })?;
                    zoned.checked_add(span).ok()?.timestamp()
                }
                '/' => {
                    let round = ZonedRound::new().smallest(named(unit)?).mode(jiff::RoundMode::Trunc);
                    match named(unit)? {
                        Unit::Year => begin(&zoned.strftime("%Y").to_string())?,
                        Unit::Month => begin(&zoned.strftime("%Y-%m").to_string())?,
                        _ => zoned.round(round).ok()?.timestamp(),
                    }
                }
                _ => return None,
            };
            steps = &rest[end..];
        }
        Some(at)
    }
}

/// How moments are written in the index; parts of a second are left out, downwards.
fn shown(at: Timestamp) -> String {
    let whole = at - SignedDuration::from_nanos(i64::from(at.subsec_nanosecond().rem_euclid(1_000_000_000)));
    whole.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// The beginning of a year, month or day, or the moment itself.
fn begin(text: &str) -> Option<Timestamp> {
    let complete = match text.len() {
        4 => format!("{text}-01-01T00:00:00Z"),
        7 => format!("{text}-01T00:00:00Z"),
        10 => format!("{text}T00:00:00Z"),
        _ => format!("{}Z", text.trim_end_matches('Z')),
    };
    complete.parse().ok()
}

fn named(unit: &str) -> Option<Unit> {
    Some(match unit {
        "YEAR" => Unit::Year,
        "MONTH" => Unit::Month,
        "DAY" | "DATE" => Unit::Day,
        "HOUR" => Unit::Hour,
        "MINUTE" => Unit::Minute,
        "SECOND" => Unit::Second,
        "MILLI" | "MILLISECOND" => Unit::Millisecond,
        _ => return None,
    })
}

fn span(unit: &str, many: i64) -> Option<Span> {
    let span = Span::new();
    match named(unit)? {
        Unit::Year => span.try_years(many).ok(),
        Unit::Month => span.try_months(many).ok(),
        Unit::Day => span.try_days(many).ok(),
        Unit::Hour => span.try_hours(many).ok(),
        Unit::Minute => span.try_minutes(many).ok(),
        Unit::Second => span.try_seconds(many).ok(),
        _ => span.try_milliseconds(many).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_public_looks_into_what_is_published() {
        let now = "2026-03-05T10:20:30Z".parse().expect("a moment");
        let of = |audience, field: &'static str| Meant { audience, now }.field(field);
        for (field, published) in PROTECTED {
            assert_eq!((of(Audience::Staff, field), of(Audience::Public, field)), (field, published));
        }
        assert_eq!(of(Audience::Public, "title"), "title");
        assert!(FIELDS.kind("summary_published").is_none(), "nothing is found there");
    }

    #[test]
    fn moments_have_steps() {
        let meant = Meant { audience: Audience::Staff, now: "2026-03-05T10:20:30Z".parse().expect("a moment") };
        for (text, expected) in [
            ("NOW", Some("2026-03-05T10:20:30Z")),
            ("NOW/DAY", Some("2026-03-05T00:00:00Z")),
            ("NOW/YEAR+1MONTH", Some("2026-02-01T00:00:00Z")),
            ("2026-01-31T00:00:00Z+1MONTH-1MILLISECOND", Some("2026-02-27T23:59:59Z")),
            ("2026", Some("2026-01-01T00:00:00Z")),
            ("NOW-1DECADE", None),
            ("soon", None),
            ("NOWé", None),
            ("NOW+99999999999999DAYS", None),
        ] {
            assert_eq!(meant.moment(text).map(shown).as_deref(), expected, "{text}");
        }
    }
}
