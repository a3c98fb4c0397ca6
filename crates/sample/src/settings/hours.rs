//! Settings that depend on the day: opening hours and semesters, from the year before to the year after.

use jiff::civil::Date;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::reference::Reference;

/// The schedule in the faculty's loan policy.
const SEMESTERS: &str = "0afe993c-2ba0-4fef-a3ba-e2fbca76e398";

const WEEK: [&str; 7] = ["MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"];

/// Opening hours of a week from Monday to Sunday; `None` for a closed day.
type Week = [Option<(&'static str, &'static str)>; 7];

const LONG: Option<(&str, &str)> = Some(("08:00", "22:00"));
const OFFICE: Option<(&str, &str)> = Some(("09:00", "18:00"));
const ALL_DAY: Option<(&str, &str)> = Some(("00:00", "23:59"));

const CALENDARS: [(&str, &[&str], Week); 4] = [
    (
        "Main Library",
        &["Circ Desk 1", "Circ Desk 2"],
        [LONG, LONG, LONG, LONG, Some(("08:00", "20:00")), Some(("10:00", "18:00")), Some(("12:00", "20:00"))],
    ),
    ("Science Library", &["Science Library Desk"], [LONG, LONG, LONG, LONG, OFFICE, Some(("10:00", "16:00")), None]),
    ("Law Library", &["Law Library Desk"], [OFFICE, OFFICE, OFFICE, OFFICE, OFFICE, None, None]),
    ("Always open", &["Online", "Interim service point"], [ALL_DAY; 7]),
];

fn years(today: Date) -> impl Iterator<Item = i16> {
    today.year() - 1..=today.year() + 1
}

/// The calendars of all service points.
pub(super) fn calendars(reference: &Reference, today: Date) -> Vec<Value> {
    let calendar = |(name, desks, week): &(&str, &[&str], Week)| {
        let desks = desks.iter().map(|desk| reference.id(&format!("service-points/{desk}")));
        let exceptions: Vec<_> = match week == &[ALL_DAY; 7] {
            true => Vec::new(),
            false => years(today).flat_map(exceptions).collect(),
        };
        json!({"id": Uuid::new_v5(&Uuid::NAMESPACE_OID, format!("carrel sample calendar {name}").as_bytes()),
            "name": name, "startDate": format!("{}-01-01", today.year() - 1),
            "endDate": format!("{}-12-31", today.year() + 1), "assignments": desks.collect::<Vec<_>>(),
            "normalHours": normal_hours(week), "exceptions": exceptions})
    };
    CALENDARS.iter().map(calendar).collect()
}

fn normal_hours(week: &Week) -> Vec<Value> {
    let open = WEEK.iter().zip(week).filter_map(|(day, hours)| Some((day, (*hours)?)));
    open.map(|(day, (start, end))| json!({"startDay": day, "startTime": start, "endDay": day, "endTime": end}))
        .collect()
}

/// Days with other hours.
fn exceptions(year: i16) -> [Value; 3] {
    let closed = |name: &str, from: &str, to: &str| json!({"name": name, "startDate": format!("{year}-{from}"), "endDate": format!("{year}-{to}"), "openings": []});
    let exams = (7..=13).map(|day| {
        let date = format!("{year}-12-{day:02}");
        json!({"startDate": date, "startTime": "07:00", "endDate": date, "endTime": "23:45"})
    });
    [
        closed("New Year's Day", "01-01", "01-01"),
        json!({"name": "Exam week", "startDate": format!("{year}-12-07"), "endDate": format!("{year}-12-13"),
            "openings": exams.collect::<Vec<_>>()}),
        closed("Winter closing", "12-24", "12-26"),
    ]
}

/// When semester loans are due.
pub(super) fn semesters(today: Date) -> Value {
    let semester = |year: i16, from: &str, to: &str| {
        json!({"from": format!("{year}-{from}T00:00:00.000+00:00"), "to": format!("{year}-{to}T23:59:59.000+00:00"),
            "due": format!("{year}-{to}T23:59:59.000+00:00")})
    };
    let schedules: Vec<_> =
        years(today).flat_map(|year| [semester(year, "01-01", "06-30"), semester(year, "07-01", "12-31")]).collect();
    json!({"id": SEMESTERS, "name": "Semesters", "description": "Spring until 30 June, autumn until 31 December",
        "schedules": schedules})
}
