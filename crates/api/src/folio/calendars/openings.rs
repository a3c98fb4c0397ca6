//! Service point openings: the days around a date, and the days in a range.

use std::sync::Arc;

use circulation::calendars::{Calendar, Day, Openings};
use jiff::civil::Date;
use serde_json::{Value, json};
use store::{collection::Collection, statements::calendars::OF_SERVICE_POINT};

use crate::{
    answer::Problem,
    call::Call,
    collections::{Question, kept},
    manner::{calendar::invalid, spring},
    route::{Answer, Routes},
};

const DAY: &str = "date*, allDay*:bool, open*:bool, exceptional*:bool, exceptionName, \
    openings[{startTime*, endTime*}]";
/// The longest range a client may ask for: a hundred years.
const MOST_DAYS: i64 = 36_525;

pub(super) fn routes(routes: &mut Routes, calendars: &Arc<Collection>) {
    let collection = Arc::clone(calendars);
    routes
        .get("/calendar/dates/{servicePointId}/surrounding-openings", move |call| {
            surrounding(call, Arc::clone(&collection))
        })
        .summary("The open day before a date, the date, the open day after it")
        .asks("date*")
        .refuses(&[404])
        .gives(&format!("openings[{{{DAY}}}]"));
    let collection = Arc::clone(calendars);
    routes
        .get("/calendar/dates/{servicePointId}/all-openings", move |call| all(call, Arc::clone(&collection)))
        .summary("The days of a range with their openings")
        .asks("startDate*, endDate*, includeClosed:bool, limit:int, offset:int")
        .refuses(&[404])
        .gives(&format!("dates[{{{DAY}}}], totalRecords:int"));
}

/// One round trip, or none.
async fn surrounding(call: Call, collection: Arc<Collection>) -> Answer {
    let date = required(&call, "date")?;
    answer(&call, &collection, &format!("around {date}"), |openings| {
        let days = openings.surrounding(date);
        json!({"openings": days.iter().map(shown).collect::<Vec<_>>()})
    })
    .await
}

/// One round trip, or none.
async fn all(call: Call, collection: Arc<Collection>) -> Answer {
    let range = (required(&call, "startDate")?, required(&call, "endDate")?);
    let include_closed = call.query.flag("includeClosed");
    let limit = call.limit(10)?.min(MOST_DAYS);
    let offset = call.offset()?;
    let asked = format!("{range:?}&{include_closed}&{limit}&{offset}");
    answer(&call, &collection, &asked, |openings| {
        let size = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
        let (days, total) = openings.page(range, include_closed, size(offset), size(limit));
        json!({"dates": days.iter().map(shown).collect::<Vec<_>>(), "totalRecords": total})
    })
    .await
}

/// What is asked of the openings of the service point in the path.
async fn answer(call: &Call, collection: &Collection, asked: &str, of: impl FnOnce(&Openings) -> Value) -> Answer {
    let point = call.id("servicePointId")?;
    kept(Question::about(call, collection, &format!("{point}&{asked}")), async || {
        let row = call.session.get(OF_SERVICE_POINT, &[&point]).await?;
        let calendars: Vec<Calendar> = serde_json::from_value(row.get("calendars"))
            .map_err(|error| Problem::Internal(format!("calendar: {error}")))?;
        Ok((row.get("stamp"), of(&Openings::new(calendars)).to_string()))
    })
    .await
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
