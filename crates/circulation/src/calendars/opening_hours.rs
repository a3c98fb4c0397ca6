//! Calendars by day: a service point's opening hours on a date, and the open days next to it.
//!
//! A calendar has weekly hours and exceptions, which replace the weekly hours on their dates. An opening that lasts
//! over midnight counts for each of its days, up to 23:59.

use jiff::{
    ToSpan,
    civil::{Date, Time, Weekday},
};
use serde::Deserialize;
use uuid::Uuid;

/// The end of the part of an opening that continues on the next day.
pub(crate) const LAST_MINUTE: Time = Time::constant(23, 59, 0, 0);
/// How many days to search for the next open day.
const HORIZON_DAYS: usize = 3_660;

/// A stored calendar.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Calendar {
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// The service points that use it.
    #[serde(default)]
    pub assignments: Vec<Uuid>,
    /// Weekly hours.
    #[serde(default)]
    pub normal_hours: Vec<NormalHours>,
    /// Exceptions to the weekly hours.
    #[serde(default)]
    pub exceptions: Vec<Exception>,
}

/// One opening of the weekly hours.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NormalHours {
    /// The day it begins.
    #[serde(with = "weekday")]
    pub start_day: Weekday,
    /// The time it begins.
    pub start_time: Time,
    /// The day it ends.
    #[serde(with = "weekday")]
    pub end_day: Weekday,
    /// The time it ends.
    pub end_time: Time,
}

/// Dates with hours of their own; closed if there are no openings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exception {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// First day.
    pub start_date: Date,
    /// Last day.
    pub end_date: Date,
    /// The openings on these dates.
    #[serde(default)]
    pub openings: Vec<ExceptionalHours>,
}

/// An opening of an exception.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExceptionalHours {
    /// The date it begins.
    pub start_date: Date,
    /// The time it begins.
    pub start_time: Time,
    /// The date it ends.
    pub end_date: Date,
    /// The time it ends.
    pub end_time: Time,
}

/// Opening hours within one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningHours {
    /// Opening time.
    pub start: Time,
    /// Closing time.
    pub end: Time,
}

impl OpeningHours {
    const WHOLE_DAY: OpeningHours = OpeningHours { start: Time::MIN, end: LAST_MINUTE };
}

/// A date at a service point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// The date.
    pub date: Date,
    /// Whether it is open, or closed, from midnight to midnight.
    pub all_day: bool,
    /// Whether it is open at any time of the day.
    pub open: bool,
    /// Whether the hours come from an exception.
    pub exceptional: bool,
    /// Name of that exception; absent for weekly hours.
    pub exception_name: Option<String>,
    /// The opening hours in chronological order.
    pub openings: Vec<OpeningHours>,
}

impl Day {
    /// A closed day, for dates that no calendar covers.
    pub fn closed(date: Date) -> Day {
        Day { date, all_day: true, open: false, exceptional: false, exception_name: None, openings: Vec::new() }
    }

    fn new(date: Date, mut openings: Vec<OpeningHours>, exception: Option<&Exception>) -> Day {
        openings.sort_by_key(|hours| hours.start);
        // As in mod-calendar, several openings add up to a whole day only if they are weekly hours.
        let whole_day = match exception {
            Some(_) => openings.len() == 1 && is_whole_day(&openings),
            None => is_whole_day(&openings),
        };
        Day {
            date,
            all_day: openings.is_empty() || whole_day,
            open: !openings.is_empty(),
            exceptional: exception.is_some(),
            exception_name: exception.map(|e| e.name.clone()),
            openings,
        }
    }
}

/// Whether the openings, in chronological order, cover every minute from 0:00 to 23:59.
fn is_whole_day(openings: &[OpeningHours]) -> bool {
    let minute = |time: Time| i32::from(time.hour()) * 60 + i32::from(time.minute());
    let (Some(first), Some(last)) = (openings.first(), openings.last()) else {
        return false;
    };
    minute(first.start) == 0
        && minute(last.end) == minute(LAST_MINUTE)
        && openings.windows(2).all(|pair| minute(pair[0].end) + 1 == minute(pair[1].start))
}

impl Calendar {
    /// The date in this calendar; `None` if the calendar does not cover it.
    fn day(&self, date: Date) -> Option<Day> {
        if date < self.start_date || date > self.end_date {
            return None;
        }
        if let Some(exception) = self.exception_on(date) {
            let hours = exception.openings.iter().filter_map(|o| o.on(date));
            return Some(Day::new(date, hours.collect(), Some(exception)));
        }
        let hours: Vec<_> = self.normal_hours.iter().flat_map(|opening| opening.on(date.weekday())).collect();
        (!hours.is_empty()).then(|| Day::new(date, hours, None))
    }

    fn exception_on(&self, date: Date) -> Option<&Exception> {
        self.exceptions.iter().find(|e| e.start_date <= date && date <= e.end_date)
    }
}

impl ExceptionalHours {
    fn on(&self, date: Date) -> Option<OpeningHours> {
        (self.start_date <= date && date <= self.end_date).then(|| OpeningHours {
            start: if date == self.start_date { self.start_time } else { Time::MIN },
            end: if date == self.end_date { self.end_time } else { LAST_MINUTE },
        })
    }
}

impl NormalHours {
    /// The parts of the opening on a weekday: one, or two if it lasts a whole week and ends on the weekday it began.
    fn on(&self, day: Weekday) -> impl Iterator<Item = OpeningHours> + use<> {
        let around_the_week = self.start_day == self.end_day && self.start_time > self.end_time;
        let (first, last) = (day == self.start_day, day == self.end_day);
        let morning = OpeningHours { start: Time::MIN, end: self.end_time };
        let evening = OpeningHours { start: self.start_time, end: LAST_MINUTE };
        let inside = self.start_day.until(day) < self.start_day.until(self.end_day);
        let pieces = match (first, last) {
            (true, true) if around_the_week => [Some(morning), Some(evening)],
            (true, true) => [Some(OpeningHours { start: self.start_time, end: self.end_time }), None],
            (true, false) => [Some(evening), None],
            (false, true) => [Some(morning), None],
            (false, false) if inside || around_the_week => [Some(OpeningHours::WHOLE_DAY), None],
            (false, false) => [None, None],
        };
        pieces.into_iter().flatten()
    }
}

/// The calendars of one service point.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Openings {
    calendars: Vec<Calendar>,
}

impl Openings {
    /// No calendars: closed every day.
    pub const NONE: Openings = Openings { calendars: Vec::new() };

    /// The calendars of a service point, in any order; without any, it is closed every day.
    pub fn new(calendars: Vec<Calendar>) -> Openings {
        Openings { calendars }
    }

    /// The day at a date; closed if no calendar covers it.
    pub fn day(&self, date: Date) -> Day {
        self.known_day(date).unwrap_or_else(|| Day::closed(date))
    }

    fn known_day(&self, date: Date) -> Option<Day> {
        self.calendars.iter().find_map(|calendar| calendar.day(date))
    }

    /// The last open day before the date, the date, and the first open day after it. If there is no such open day, the
    /// adjacent date stands in, closed.
    pub fn surrounding(&self, date: Date) -> [Day; 3] {
        [self.nearest_open(date, -1), self.day(date), self.nearest_open(date, 1)]
    }

    /// The days of the range that a calendar covers, or every day with `include_closed`.
    pub fn between(&self, start: Date, end: Date, include_closed: bool) -> Vec<Day> {
        start
            .series(1.day())
            .take_while(|date| *date <= end)
            .filter_map(|date| match include_closed {
                true => Some(self.day(date)),
                false => self.known_day(date),
            })
            .collect()
    }

    /// A page of [`Openings::between`] and the total number of days. It does not collect the other days, because a
    /// request may span millennia.
    pub fn page(
        &self,
        (start, end): (Date, Date),
        include_closed: bool,
        offset: usize,
        limit: usize,
    ) -> (Vec<Day>, usize) {
        let (start, end) = match (include_closed, self.bounds()) {
            (true, _) => (start, end),
            (false, Some((first, last))) => (start.max(first), end.min(last)),
            (false, None) => return (Vec::new(), 0),
        };
        let days = || start.series(1.day()).take_while(|date| *date <= end);
        if include_closed {
            let page = days().skip(offset).take(limit).map(|date| self.day(date));
            return (page.collect(), days().count());
        }
        let known = || days().filter_map(|date| self.known_day(date));
        (known().skip(offset).take(limit).collect(), known().count())
    }

    fn nearest_open(&self, date: Date, direction: i64) -> Day {
        let neighbour = date.checked_add(direction.days()).unwrap_or(date);
        let bounds = self.bounds();
        neighbour
            .series(direction.days())
            .take(HORIZON_DAYS)
            .take_while(|date| {
                bounds.is_some_and(|(first, last)| match direction {
                    1 => *date <= last,
                    _ => *date >= first,
                })
            })
            .filter_map(|date| self.known_day(date))
            .find(|day| day.open)
            .unwrap_or_else(|| Day::closed(neighbour))
    }

    /// The first and last date of all calendars.
    fn bounds(&self) -> Option<(Date, Date)> {
        let first = self.calendars.iter().map(|c| c.start_date).min()?;
        let last = self.calendars.iter().map(|c| c.end_date).max()?;
        Some((first, last))
    }
}

/// Weekdays in FOLIO's spelling: `MONDAY`.
mod weekday {
    use jiff::civil::Weekday;
    use serde::{Deserialize, Deserializer, de::Error};

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Weekday, D::Error> {
        let name = String::deserialize(deserializer)?;
        Weekday::Monday
            .cycle_forward()
            .take(7)
            .find(|day| format!("{day:?}").eq_ignore_ascii_case(&name))
            .ok_or_else(|| D::Error::custom(format!("no weekday: {name}")))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};
    use serde_json::json;

    use super::*;

    /// Open from Monday 20:00 to Wednesday 02:00; Thursday 1 May all day; Friday 2 May closed.
    fn night_owl() -> Openings {
        let calendar = json!({
            "startDate": "2025-04-01", "endDate": "2025-05-31", "assignments": [],
            "normalHours": [
                {"startDay": "MONDAY", "startTime": "20:00", "endDay": "WEDNESDAY", "endTime": "02:00"},
                {"startDay": "FRIDAY", "startTime": "08:00", "endDay": "FRIDAY", "endTime": "12:00"},
            ],
            "exceptions": [
                {"name": "May Day", "startDate": "2025-05-01", "endDate": "2025-05-01", "openings": [
                    {"startDate": "2025-05-01", "startTime": "00:00", "endDate": "2025-05-01", "endTime": "23:59"}]},
                {"name": "Bridge", "startDate": "2025-05-02", "endDate": "2025-05-02", "openings": []},
            ],
        });
        Openings::new(vec![serde_json::from_value(calendar).expect("a calendar")])
    }

    fn hours(day: &Day) -> Vec<(i8, i8)> {
        day.openings.iter().map(|h| (h.start.hour(), h.end.hour())).collect()
    }

    #[test]
    fn openings_over_midnight_belong_to_each_of_their_days() {
        // 7 April 2025 is a Monday.
        for (day, expected, all_day, open) in [
            (6, vec![], true, false),
            (7, vec![(20, 23)], false, true),
            (8, vec![(0, 23)], true, true),
            (9, vec![(0, 2)], false, true),
            (10, vec![], true, false),
            (11, vec![(8, 12)], false, true),
        ] {
            let found = night_owl().day(date(2025, 4, day));
            assert_eq!(hours(&found), expected, "{day} April");
            assert_eq!((found.all_day, found.open), (all_day, open), "{day} April");
        }
    }

    #[test]
    fn an_opening_can_last_from_a_day_to_the_same_day_a_week_later() {
        let week = NormalHours {
            start_day: Weekday::Monday,
            start_time: time(10, 0, 0, 0),
            end_day: Weekday::Monday,
            end_time: time(6, 0, 0, 0),
        };
        let on = |day| week.on(day).map(|h| (h.start.hour(), h.end.hour())).collect::<Vec<_>>();
        assert_eq!(on(Weekday::Monday), [(0, 6), (10, 23)]);
        assert_eq!(on(Weekday::Thursday), [(0, 23)]);
    }

    #[test]
    fn weekly_openings_that_leave_out_no_minute_are_a_whole_day() {
        let hours = |start: (i8, i8), end: (i8, i8)| OpeningHours {
            start: time(start.0, start.1, 0, 0),
            end: time(end.0, end.1, 0, 0),
        };
        let whole = vec![hours((12, 0), (23, 59)), hours((0, 0), (11, 59))];
        let gap = vec![hours((0, 0), (11, 58)), hours((12, 0), (23, 59))];
        let exception = Exception {
            name: "Night".into(),
            start_date: date(2025, 5, 1),
            end_date: date(2025, 5, 1),
            openings: Vec::new(),
        };
        let all_day = |hours: &[OpeningHours], exception| Day::new(date(2025, 5, 1), hours.to_vec(), exception).all_day;
        assert!(all_day(&whole, None));
        assert!(!all_day(&gap, None));
        assert!(!all_day(&whole, Some(&exception)));
        assert!(all_day(&[OpeningHours::WHOLE_DAY], Some(&exception)));
    }

    #[test]
    fn exceptions_replace_the_hours_of_the_week() {
        let may_day = night_owl().day(date(2025, 5, 1));
        assert!(may_day.exceptional && may_day.open && may_day.all_day);
        assert_eq!(may_day.exception_name.as_deref(), Some("May Day"));
        let bridge = night_owl().day(date(2025, 5, 2));
        assert!(bridge.exceptional && !bridge.open && bridge.all_day);
    }

    #[test]
    fn a_page_is_cut_out_of_the_days_between() {
        let range = (date(2025, 4, 28), date(2025, 5, 4));
        for closed in [true, false] {
            let all = night_owl().between(range.0, range.1, closed);
            let (page, total) = night_owl().page(range, closed, 1, 2);
            assert_eq!((page.as_slice(), total), (&all[1..3], all.len()));
        }
        let ages = (Date::MIN, Date::MAX);
        assert_eq!(night_owl().page(ages, false, 0, 1).0[0].date, date(2025, 4, 1));
        assert_eq!(Openings::default().page(ages, false, 0, 1), (Vec::new(), 0));
    }

    #[test]
    fn neighbours_are_the_nearest_open_days() {
        let around = |y, m, d| night_owl().surrounding(date(y, m, d)).map(|day| (day.date, day.open));
        let bridge = [(date(2025, 5, 1), true), (date(2025, 5, 2), false), (date(2025, 5, 5), true)];
        assert_eq!(around(2025, 5, 2), bridge);
        let before_all = [(date(2025, 3, 1), false), (date(2025, 3, 2), false), (date(2025, 4, 1), true)];
        assert_eq!(around(2025, 3, 2), before_all);
        let nothing = Openings::default().surrounding(date(2025, 5, 2));
        assert!(nothing.iter().all(|day| !day.open && day.all_day && !day.exceptional));
        assert_eq!(nothing[0].date, date(2025, 5, 1));
    }

    #[test]
    fn a_range_lists_known_days_or_all() {
        let days = |closed| night_owl().between(date(2025, 4, 28), date(2025, 5, 4), closed).len();
        assert_eq!((days(false), days(true)), (5, 7));
    }
}
