//! Validates calendars (docs/folio/calendars.md#faults-of-a-calendar): finds every fault, with its cause.

use jiff::civil::{Date, Time};

use refusals::{Refusal, Wording};

use super::{
    opening_hours::{Calendar, Exception, ExceptionalHours, NormalHours},
    refusal::{
        ENDS_BEFORE_START, EXCEPTION_ENDS_BEFORE_START, EXCEPTION_OUTSIDE, EXCEPTION_WITHOUT_NAME, EXCEPTIONS_OVERLAP,
        HOURS_OVERLAP, NO_NAME, OPENINGS_OUTSIDE, OPENINGS_OVERLAP, OVERLAP,
    },
};

const MINUTES_OF_A_WEEK: i32 = 7 * 24 * 60;

/// A fault of a calendar, and the parts that cause it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The fault as an error for the client.
    pub refusal: Refusal,
    /// The parts at fault.
    pub about: About,
}

impl<R: Into<Refusal>> From<R> for Fault {
    fn from(refusal: R) -> Self {
        Fault { refusal: refusal.into(), about: About::Calendar }
    }
}

/// The parts of a calendar at fault, by index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum About {
    /// The calendar as a whole.
    Calendar,
    /// Some of its normal hours.
    NormalHours(Vec<usize>),
    /// One exception.
    Exception(usize),
    /// Several exceptions.
    Exceptions(Vec<usize>),
}

/// Faults of a calendar's name and dates, reported before overlaps with other calendars.
pub fn of_itself(name: &str, calendar: &Calendar) -> Vec<Fault> {
    let mut found = Vec::new();
    if name.trim().is_empty() {
        found.push(NO_NAME.into());
    }
    if calendar.start_date > calendar.end_date {
        let refusal = ENDS_BEFORE_START.with("start", medium(calendar.start_date));
        found.push(refusal.with("end", medium(calendar.end_date)).into());
    }
    found
}

/// Faults in a calendar's hours and exceptions.
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

/// The fault of overlapping another calendar: both cover the same date at the same service point.
pub fn overlap(name: &str, other: &Calendar) -> Refusal {
    let refusal = OVERLAP.with("name", name);
    let refusal = refusal.with("start", medium(other.start_date));
    refusal.with("end", medium(other.end_date))
}

fn overlapping_hours(hours: &[NormalHours]) -> Option<Fault> {
    let spans: Vec<_> = hours.iter().map(span).collect();
    let conflicts = places_in_conflict(hours.len(), |a, b| {
        let week = [-MINUTES_OF_A_WEEK, 0, MINUTES_OF_A_WEEK];
        week.iter().any(|shift| spans[a].0 <= spans[b].1 + shift && spans[b].0 + shift <= spans[a].1)
    });
    if conflicts.is_empty() {
        return None;
    }
    let shown: Vec<_> = conflicts.iter().map(|place| shown_hours(&hours[*place])).collect();
    Some(Fault { refusal: HOURS_OVERLAP.with("openings", list(&shown)), about: About::NormalHours(conflicts) })
}

/// The first and last minute of an opening, counted from Monday; past Sunday, the count continues into the next week.
fn span(hours: &NormalHours) -> (i32, i32) {
    let minute = |time: Time| i32::from(time.hour()) * 60 + i32::from(time.minute());
    let day = |day: jiff::civil::Weekday| i32::from(day.to_monday_zero_offset()) * 24 * 60;
    let start = day(hours.start_day) + minute(hours.start_time);
    let end = day(hours.end_day) + minute(hours.end_time);
    if end < start { (start, end + MINUTES_OF_A_WEEK) } else { (start, end) }
}

fn places_in_conflict(count: usize, conflict: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let against = |a: &usize| (0..count).any(|b| b != *a && conflict(*a, b));
    (0..count).filter(against).collect()
}

fn nameless(exceptions: &[Exception]) -> Option<Fault> {
    let nameless = |exception: &Exception| exception.name.trim().is_empty();
    let found = exceptions.iter().any(nameless);
    found.then(|| EXCEPTION_WITHOUT_NAME.into())
}

fn backward(exceptions: &[Exception]) -> impl Iterator<Item = Fault> {
    let backward = |(_, one): &(usize, &Exception)| one.start_date > one.end_date;
    exceptions.iter().enumerate().filter(backward).map(|(place, one)| Fault {
        refusal: of_exception(EXCEPTION_ENDS_BEFORE_START, one),
        about: About::Exception(place),
    })
}

/// A refusal that names an exception with its dates.
fn of_exception(wording: &'static Wording, one: &Exception) -> Refusal {
    let refusal = wording.with("name", &one.name);
    let refusal = refusal.with("start", medium(one.start_date));
    refusal.with("end", medium(one.end_date))
}

fn outside(calendar: &Calendar) -> impl Iterator<Item = Fault> {
    let (first, last) = (calendar.start_date, calendar.end_date);
    let outside = move |(_, one): &(usize, &Exception)| one.start_date < first || one.end_date > last;
    let found = calendar.exceptions.iter().enumerate().filter(outside);
    found.map(move |(place, one)| {
        let refusal = of_exception(EXCEPTION_OUTSIDE, one);
        let refusal = refusal.with("first", medium(first));
        Fault { refusal: refusal.with("last", medium(last)), about: About::Exception(place) }
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
    let shown: Vec<_> = conflicts.iter().map(|place| shown_exception(&exceptions[*place])).collect();
    Some(Fault { refusal: EXCEPTIONS_OVERLAP.with("exceptions", list(&shown)), about: About::Exceptions(conflicts) })
}

fn openings_outside(exceptions: &[Exception]) -> impl Iterator<Item = Fault> {
    exceptions.iter().filter_map(|one| {
        let outside =
            |opening: &&ExceptionalHours| opening.start_date < one.start_date || opening.end_date > one.end_date;
        let shown: Vec<_> = one.openings.iter().filter(outside).map(shown_opening).collect();
        let number = match shown.len() {
            0 => return None,
            1 => "an opening",
            _ => "openings",
        };
        let refusal = OPENINGS_OUTSIDE.with("name", &one.name);
        let refusal = refusal.with("number", number);
        Some(refusal.with("openings", list(&shown)).into())
    })
}

fn overlapping_openings(exceptions: &[Exception]) -> impl Iterator<Item = Fault> {
    exceptions.iter().filter_map(|one| {
        let openings = &one.openings;
        let conflicts = places_in_conflict(openings.len(), |a, b| {
            let bounds = |hours: &ExceptionalHours| {
                (hours.start_date.to_datetime(hours.start_time), hours.end_date.to_datetime(hours.end_time))
            };
            let (a, b) = (bounds(&openings[a]), bounds(&openings[b]));
            a.0 <= b.1 && b.0 <= a.1
        });
        if conflicts.is_empty() {
            return None;
        }
        let shown: Vec<_> = conflicts.iter().map(|place| shown_opening(&openings[*place])).collect();
        let refusal = OPENINGS_OVERLAP.with("name", &one.name);
        Some(refusal.with("openings", list(&shown)).into())
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
    format!("{} {} - {} {}", day(hours.start_day), short(hours.start_time), day(hours.end_day), short(hours.end_time))
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

/// A time in the form in which it is stored and shown, `07:00:00`; `None` if the text is not a time.
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
        faults(&name, &calendar).iter().filter_map(|fault| fault.refusal.wording().code).collect()
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
            (json!({"endDate": "2022-01-07"}), vec!["calendarInvalidDateRange"]),
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
            (json!({"exceptions": [exception("", day, day, json!([]))]}), vec!["calendarInvalidExceptionName"]),
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
            found[0].refusal.message(),
            "The following openings conflict with each other: Mon 7:00 AM - Mon 12:00 PM and Mon 11:00 AM - Tue 6:30 PM"
        );
        assert_eq!(found[0].about, About::NormalHours(vec![0, 1]));
        assert_eq!(
            found[1].refusal.message(),
            "The following exceptions conflict with each other: “a” on Mar 1, 2022 and “b” from Mar 1, 2022 to Mar 4, 2022"
        );
        assert_eq!(
            overlap("Spring", &calendar).message(),
            "This calendar overlaps with another calendar (“Spring” from Jan 8, 2022 to May 9, 2022)"
        );
    }

    #[test]
    fn times_are_stored_in_one_form() {
        for (sent, stored) in
            [("07:00", Some("07:00:00")), ("23:59:59", Some("23:59:59")), ("7", None), ("25:00", None)]
        {
            assert_eq!(stored_time(sent).as_deref(), stored, "{sent}");
        }
    }
}
