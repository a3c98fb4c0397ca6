//! Service point openings: the days around a date, and the days in a range.

use circulation::calendars::{Calendar, Day, Openings};
use jiff::civil::Date;
use serde_json::{Value, json};
use store::statements::calendars::OF_SERVICE_POINT;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    manner::{calendar::invalid, spring},
    route::{Answer, Routes},
};

const DAY: &str = "date*, allDay*:bool, open*:bool, exceptional*:bool, exceptionName, \
    openings[{startTime*, endTime*}]";
/// The longest range a client may ask for: a hundred years.
const MOST_DAYS: i64 = 36_525;

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/calendar/dates/{servicePointId}/surrounding-openings", surrounding)
        .summary("The open day before a date, the date, the open day after it")
        .asks("date*")
        .refuses(&[404])
        .gives(&format!("openings[{{{DAY}}}]"));
    routes
        .get("/calendar/dates/{servicePointId}/all-openings", all)
        .summary("The days of a range with their openings")
        .asks("startDate*, endDate*, includeClosed:bool, limit:int, offset:int")
        .refuses(&[404])
        .gives(&format!("dates[{{{DAY}}}], totalRecords:int"));
}

async fn surrounding(call: Call) -> Answer {
    let date = required(&call, "date")?;
    let days = openings(&call).await?.surrounding(date);
    Ok(Reply::json(&json!({"openings": days.iter().map(shown).collect::<Vec<_>>()})))
}

async fn all(call: Call) -> Answer {
    let range = (required(&call, "startDate")?, required(&call, "endDate")?);
    let include_closed = call.query.flag("includeClosed");
    let limit = call.limit(10)?.min(MOST_DAYS);
    let offset = call.offset()?;
    let openings = openings(&call).await?;
    let size = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
    let (days, total) = openings.page(range, include_closed, size(offset), size(limit));
    let days: Vec<_> = days.iter().map(shown).collect();
    Ok(Reply::json(&json!({"dates": days, "totalRecords": total})))
}

async fn openings(call: &Call) -> Result<Openings, Problem> {
    let point = call.id("servicePointId")?;
    let calendars: Value = call.session.value(OF_SERVICE_POINT, &[&point]).await?;
    let calendars: Vec<Calendar> =
        serde_json::from_value(calendars).map_err(|error| Problem::Internal(format!("calendar: {error}")))?;
    Ok(Openings::new(calendars))
}

fn shown(day: &Day) -> Value {
    let hours = day.openings.iter().map(|hours| {
        let time = |time: jiff::civil::Time| time.strftime("%H:%M:%S").to_string();
        json!({"startTime": time(hours.start), "endTime": time(hours.end)})
    });
    let mut shown = json!({"date": day.date.to_string(), "allDay": day.all_day, "open": day.open,
        "exceptional": day.exceptional, "openings": hours.collect::<Vec<_>>()});
    if let Some(name) = &day.exception_name {
        shown["exceptionName"] = name.as_str().into();
    }
    shown
}

pub(super) fn date(call: &Call, name: &str) -> Result<Option<Date>, Problem> {
    let Some(text) = call.query.get(name).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    let plain = text.len() == 10;
    match text.parse() {
        Ok(date) if plain => Ok(Some(date)),
        _ => {
            let detail = format!(
                "Failed to convert from type [java.lang.String] to type [java.time.LocalDate] for value [{text}]"
            );
            let told = spring::not_converted(name, "java.time.LocalDate", &detail);
            Err(invalid(&told, call.now))
        }
    }
}

fn required(call: &Call, name: &str) -> Result<Date, Problem> {
    date(call, name)?.ok_or_else(|| {
        let detail = format!("Required request parameter '{name}' for method parameter type LocalDate is not present");
        invalid(&detail, call.now)
    })
}
