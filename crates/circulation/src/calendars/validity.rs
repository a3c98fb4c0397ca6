//! Which calendars make sense (docs/folio/calendars.md#faults-of-a-calendar): every fault is told, with what conflicts.

use jiff::civil::{Date, Time};

use super::days::{Calendar, Exception, ExceptionalHours, NormalHours};

const EXCEPTIONS: &[&str] = &["exceptions"];
const MINUTES_OF_A_WEEK: i32 = 7 * 24 * 60;

/// A fault of a calendar: FOLIO's code and sentence, and the parts of the calendar that cause it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// `calendarNoName` and the like.
    pub code: &'static str,
    /// The sentence.
    pub message: String,
    /// What the fault is about.
    pub about: About,
    /// The members of the calendar that it is told with.
    pub members: &'static [&'static str],
}

/// The parts of a calendar that are at fault, by their places in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// The calendar itself.
    Calendar,
    /// These of its normal hours.
    NormalHours(Vec<usize>),
    /// One exception.
    Exception(usize),
    /// These exceptions.
    Exceptions(Vec<usize>),
}

/// Faults of a calendar's name and dates: they are told before calendars that it overlaps.
#[must_use]
pub fn of_itself(name: &str, calendar: &Calendar) -> Vec<Fault> {
    let mut found = Vec::new();
    if name.trim().is_empty() {
        let message = "Please provide a non-empty calendar name".to_owned();
        found.push(Fault {
            members: &["name"],
            code: "calendarNoName",
            message,
            about: About::Calendar,
        });
    }
    if calendar.start_date > calendar.end_date {
        let (start, end) = (medium(calendar.start_date), medium(calendar.end_date));
        let message = format!("Start date ({start}) cannot be after end date ({end})");
        found.push(Fault {
            members: &["startDate", "endDate"],
            code: "calendarInvalidDateRange",
            message,
            about: About::Calendar,
        });
    }
    found
}

/// Faults of a calendar's hours and exceptions.
#[must_use]
pub fn of_hours(calendar: &Calendar) -> Vec<Fault> {
    let mut found = Vec::new();
    found.extend(overlapping_hours(&calendar.normal_hours));
    found.extend(nameless(&calendar.exceptions));
    found.extend(backward(&calendar.exceptions));
    found.extend(outside(calendar));
    found.extend(overlapping_exceptions(&calendar.exceptions));
    found.extend(openings_outside(&calendar.exceptions));
    found.extend(overlapping_openings(&calendar.exceptions));
    found
}

/// The fault of a calendar that shares a service point and a date with another.
#[must_use]
pub fn overlap(name: &str, other: &Calendar) -> String {
    let (start, end) = (medium(other.start_date), medium(other.end_date));
    format!("This calendar overlaps with another calendar (“{name}” from {start} to {end})")
}

fn overlapping_hours(hours: &[NormalHours]) -> Option<Fault> {
    let spans: Vec<_> = hours.iter().map(span).collect();
    let conflicts = places_in_conflict(hours.len(), |a, b| {
        let week = [-MINUTES_OF_A_WEEK, 0, MINUTES_OF_A_WEEK];
        week.iter()
            .any(|shift| spans[a].0 <= spans[b].1 + shift && spans[b].0 + shift <= spans[a].1)
    });
    if conflicts.is_empty() {
        return None;
    }
    let shown: Vec<_> = conflicts
        .iter()
        .map(|place| shown_hours(&hours[*place]))
        .collect();
    let message = format!(
        "The following openings conflict with each other: {}",
        list(&shown)
    );
    Some(Fault {
        members: &["normalHours"],
        code: "calendarInvalidNormalOpenings",
        message,
        about: About::NormalHours(conflicts),
    })
}

/// First and last minute of an opening, counted from Monday; one over Sunday ends in the next week.
fn span(hours: &NormalHours) -> (i32, i32) {
    let minute = |time: Time| i32::from(time.hour()) * 60 + i32::from(time.minute());
    let day = |day: jiff::civil::Weekday| i32::from(day.to_monday_zero_offset()) * 24 * 60;
    let start = day(hours.start_day) + minute(hours.start_time);
    let end = day(hours.end_day) + minute(hours.end_time);
    if end < start {
        (start, end + MINUTES_OF_A_WEEK)
    } else {
        (start, end)
    }
}

fn places_in_conflict(count: usize, conflict: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let against = |a: &usize| (0..count).any(|b| b != *a && conflict(*a, b));
    (0..count).filter(against).collect()
}

fn nameless(exceptions: &[Exception]) -> Option<Fault> {
    let nameless = |exception: &Exception| exception.name.trim().is_empty();
    exceptions.iter().any(nameless).then(|| Fault {
        members: EXCEPTIONS,
        code: "calendarInvalidExceptionName",
        message: "At least one exception is missing a name".into(),
        about: About::Calendar,
    })
}

fn backward(exceptions: &[Exception]) -> impl Iterator<Item = Fault> {
    let backward = |(_, one): &(usize, &Exception)| one.start_date > one.end_date;
    exceptions
        .iter()
        .enumerate()
        .filter(backward)
        .map(|(place, one)| Fault {
            members: EXCEPTIONS,
            code: "calendarInvalidExceptionDateOrder",
            message: format!(
                "The start date ({}) is after the end date ({}) for exception “{}”",
                medium(one.start_date),
                medium(one.end_date),
                one.name
            ),
            about: About::Exception(place),
        })
}

fn outside(calendar: &Calendar) -> impl Iterator<Item = Fault> {
    let (first, last) = (calendar.start_date, calendar.end_date);
    let outside =
        move |(_, one): &(usize, &Exception)| one.start_date < first || one.end_date > last;
    calendar.exceptions.iter().enumerate().filter(outside).map(move |(place, one)| Fault {
        members: EXCEPTIONS,
            code: "calendarInvalidExceptionDateBoundary",
        message: format!(
            "The exception “{}” ({} to {}) is not fully enclosed by the calendar's start and end dates ({} to {})",
            one.name,
            medium(one.start_date),
            medium(one.end_date),
            medium(first),
            medium(last)
        ),
        about: About::Exception(place),
    })
}

fn overlapping_exceptions(exceptions: &[Exception]) -> Option<Fault> {
    let conflicts = places_in_conflict(exceptions.len(), |a, b| {
        let (a, b) = (&exceptions[a], &exceptions[b]);
        a.start_date <= b.end_date && b.start_date <= a.end_date
    });
    if conflicts.is_empty() {
        return None;
    }
    let shown: Vec<_> = conflicts
        .iter()
        .map(|place| shown_exception(&exceptions[*place]))
        .collect();
    let message = format!(
        "The following exceptions conflict with each other: {}",
        list(&shown)
    );
    Some(Fault {
        members: EXCEPTIONS,
        code: "calendarInvalidExceptions",
        message,
        about: About::Exceptions(conflicts),
    })
}

fn openings_outside(exceptions: &[Exception]) -> impl Iterator<Item = Fault> {
    exceptions.iter().filter_map(|one| {
        let outside = |opening: &&ExceptionalHours| {
            opening.start_date < one.start_date || opening.end_date > one.end_date
        };
        let shown: Vec<_> = one
            .openings
            .iter()
            .filter(outside)
            .map(shown_opening)
            .collect();
        let number = match shown.len() {
            0 => return None,
            1 => "an opening",
            _ => "openings",
        };
        Some(Fault {
            members: EXCEPTIONS,
            code: "calendarInvalidExceptionOpeningBoundary",
            message: format!(
                "The exception “{}” has {number} outside of the exception's bounds: {}",
                one.name,
                list(&shown)
            ),
            about: About::Calendar,
        })
    })
}

fn overlapping_openings(exceptions: &[Exception]) -> impl Iterator<Item = Fault> {
    exceptions.iter().filter_map(|one| {
        let openings = &one.openings;
        let conflicts = places_in_conflict(openings.len(), |a, b| {
            let bounds = |hours: &ExceptionalHours| {
                (
                    hours.start_date.to_datetime(hours.start_time),
                    hours.end_date.to_datetime(hours.end_time),
                )
            };
            let (a, b) = (bounds(&openings[a]), bounds(&openings[b]));
            a.0 <= b.1 && b.0 <= a.1
        });
        if conflicts.is_empty() {
            return None;
        }
        let shown: Vec<_> = conflicts
            .iter()
            .map(|place| shown_opening(&openings[*place]))
            .collect();
        Some(Fault {
            members: EXCEPTIONS,
            code: "calendarInvalidExceptionOpenings",
            message: format!(
                "The following openings within “{}” conflict with each other: {}",
                one.name,
                list(&shown)
            ),
            about: About::Calendar,
        })
    })
}

/// `Jan 8, 2022`
fn medium(date: Date) -> String {
    date.strftime("%b %-d, %Y").to_string()
}

/// `7:00 AM`
fn short(time: Time) -> String {
    time.strftime("%-I:%M %p").to_string()
}

fn shown_hours(hours: &NormalHours) -> String {
    let day = |day: jiff::civil::Weekday| format!("{day:?}").chars().take(3).collect::<String>();
    format!(
        "{} {} - {} {}",
        day(hours.start_day),
        short(hours.start_time),
        day(hours.end_day),
        short(hours.end_time)
    )
}

fn shown_exception(exception: &Exception) -> String {
    let (name, start) = (&exception.name, medium(exception.start_date));
    if exception.start_date == exception.end_date {
        format!("“{name}” on {start}")
    } else {
        format!("“{name}” from {start} to {}", medium(exception.end_date))
    }
}

fn shown_opening(hours: &ExceptionalHours) -> String {
    format!(
        "{} {} to {} {}",
        medium(hours.start_date),
        short(hours.start_time),
        medium(hours.end_date),
        short(hours.end_time)
    )
}

/// `a`, `a and b`, `a, b, and c`
fn list(texts: &[String]) -> String {
    match texts {
        [] => String::new(),
        [only] => only.clone(),
        [first, second] => format!("{first} and {second}"),
        [most @ .., last] => format!("{}, and {last}", most.join(", ")),
    }
}

/// The times of a calendar in the form they are stored and shown, `07:00:00`; `None` for what is no time.
#[must_use]
pub fn stored_time(text: &str) -> Option<String> {
    let time: Time = text.parse().ok()?;
    Some(time.strftime("%H:%M:%S").to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn faults(name: &str, calendar: &Calendar) -> Vec<Fault> {
        [of_itself(name, calendar), of_hours(calendar)].concat()
    }

    fn codes(calendar: Value) -> Vec<&'static str> {
        let name = calendar["name"].as_str().unwrap_or("Spring").to_owned();
        let mut whole = json!({"startDate": "2022-01-08", "endDate": "2022-05-09", "assignments": [],
            "normalHours": [], "exceptions": []});
        for (member, value) in calendar.as_object().unwrap() {
            whole[member] = value.clone();
        }
        let calendar = serde_json::from_value(whole).expect("a calendar");
        faults(&name, &calendar)
            .iter()
            .map(|fault| fault.code)
            .collect()
    }

    fn hours(start: &str, from: &str, end: &str, to: &str) -> Value {
        json!({"startDay": start, "startTime": from, "endDay": end, "endTime": to})
    }

    fn exception(name: &str, start: &str, end: &str, openings: Value) -> Value {
        json!({"name": name, "startDate": start, "endDate": end, "openings": openings})
    }

    #[test]
    fn every_fault_has_its_code() {
        let opening = |start: &str, from: &str, to: &str| json!({"startDate": start, "startTime": from, "endDate": start, "endTime": to});
        let day = "2022-03-01";
        let cases = [
            (json!({}), vec![]),
            (json!({"name": " "}), vec!["calendarNoName"]),
            (
                json!({"endDate": "2022-01-07"}),
                vec!["calendarInvalidDateRange"],
            ),
            (
                json!({"normalHours": [hours("MONDAY", "07:00", "MONDAY", "12:00"), hours("MONDAY", "12:01", "MONDAY", "18:00")]}),
                vec![],
            ),
            (
                json!({"normalHours": [hours("MONDAY", "07:00", "MONDAY", "12:00"), hours("MONDAY", "12:00", "MONDAY", "18:00")]}),
                vec!["calendarInvalidNormalOpenings"],
            ),
            (
                json!({"normalHours": [hours("SUNDAY", "20:00", "MONDAY", "02:00"), hours("MONDAY", "01:00", "MONDAY", "18:00")]}),
                vec!["calendarInvalidNormalOpenings"],
            ),
            (
                json!({"exceptions": [exception("", day, day, json!([]))]}),
                vec!["calendarInvalidExceptionName"],
            ),
            (
                json!({"exceptions": [exception("e", "2022-03-02", day, json!([]))]}),
                vec!["calendarInvalidExceptionDateOrder"],
            ),
            (
                json!({"exceptions": [exception("e", "2021-03-02", day, json!([]))]}),
                vec!["calendarInvalidExceptionDateBoundary"],
            ),
            (
                json!({"exceptions": [exception("a", day, day, json!([])), exception("b", day, "2022-03-04", json!([]))]}),
                vec!["calendarInvalidExceptions"],
            ),
            (
                json!({"exceptions": [exception("e", day, day, json!([opening("2022-03-02", "07:00", "12:00")]))]}),
                vec!["calendarInvalidExceptionOpeningBoundary"],
            ),
            (
                json!({"exceptions": [exception("e", day, day, json!([opening(day, "07:00", "12:00"), opening(day, "11:00", "13:00")]))]}),
                vec!["calendarInvalidExceptionOpenings"],
            ),
        ];
        for (calendar, expected) in cases {
            assert_eq!(codes(calendar.clone()), expected, "{calendar}");
        }
    }

    #[test]
    fn sentences_show_dates_and_times_as_people_write_them() {
        let calendar: Calendar = serde_json::from_value(json!({"startDate": "2022-01-08", "endDate": "2022-05-09",
            "normalHours": [hours("MONDAY", "07:00", "MONDAY", "12:00"), hours("MONDAY", "11:00", "TUESDAY", "18:30")],
            "exceptions": [exception("a", "2022-03-01", "2022-03-01", json!([])),
                exception("b", "2022-03-01", "2022-03-04", json!([]))]}))
        .unwrap();
        let found = faults("Spring", &calendar);
        assert_eq!(
            found[0].message,
            "The following openings conflict with each other: Mon 7:00 AM - Mon 12:00 PM and Mon 11:00 AM - Tue 6:30 PM"
        );
        assert_eq!(found[0].about, About::NormalHours(vec![0, 1]));
        assert_eq!(
            found[1].message,
            "The following exceptions conflict with each other: “a” on Mar 1, 2022 and “b” from Mar 1, 2022 to Mar 4, 2022"
        );
        assert_eq!(
            overlap("Spring", &calendar),
            "This calendar overlaps with another calendar (“Spring” from Jan 8, 2022 to May 9, 2022)"
        );
    }

    #[test]
    fn times_are_stored_in_one_form() {
        for (sent, stored) in [
            ("07:00", Some("07:00:00")),
            ("23:59:59", Some("23:59:59")),
            ("7", None),
            ("25:00", None),
        ] {
            assert_eq!(stored_time(sent).as_deref(), stored, "{sent}");
        }
    }
}
