//! mod-calendar (docs/folio/calendars.md): calendars, and the service point openings they define.

mod openings;
mod refusals;

use std::sync::Arc;

use circulation::calendars::{Calendar, validity};
use http::StatusCode;
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::Collection,
    record::Rejection,
    records::{self, Update},
    statements::calendars::{FOUND, REMOVED},
};
use uuid::Uuid;

use self::refusals::{Refusals, not_found};
use super::declared;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Question, kept},
    manner::{self, calendar::invalid, spring},
    route::{Answer, Routes},
};

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let calendars = declared(all, "calendars");
    collections::serve(routes, &calendars, "list", list).asks("id[uuid], servicePointId[uuid], startDate, endDate");
    collections::serve(routes, &calendars, "post", create).refuses(&[409]);
    collections::serve(routes, &calendars, "get", get);
    collections::serve(routes, &calendars, "put", replace)
        .gives_record(&calendars)
        .with_status(StatusCode::OK)
        .refuses(&[409]);
    collections::serve(routes, &calendars, "delete", delete);
    routes.delete("/calendar/calendars", delete_several).summary("Delete calendars").asks("id*[uuid]").refuses(&[404]);
    openings::routes(routes, &calendars);
}

/// The ids in a repeated parameter; `None` if it is absent.
fn ids(call: &Call, name: &str) -> Result<Option<Vec<Uuid>>, Problem> {
    let texts = call.query.all(name).flat_map(|text| text.split(','));
    let ids = texts
        .filter(|text| !text.is_empty())
        .map(|text| {
            Uuid::parse_str(text).map_err(|_| {
                let detail = format!(
                    "Failed to convert from type [java.lang.String] to type [java.util.UUID] for value [{text}]"
                );
                invalid(&spring::not_converted(name, "java.util.List", &detail), call.now)
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok((!ids.is_empty()).then_some(ids))
}

fn date_text(call: &Call, name: &str) -> Result<Option<String>, Problem> {
    Ok(openings::date(call, name)?.map(|date| date.to_string()))
}

/// One round trip, or none.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let ids_wanted = ids(&call, "id")?;
    let points = ids(&call, "servicePointId")?;
    let points: Option<Vec<String>> = points.map(|points| points.iter().map(Uuid::to_string).collect());
    let (start, end) = (date_text(&call, "startDate")?, date_text(&call, "endDate")?);
    let (limit, offset) = (call.limit(10)?, call.offset()?);
    let asked = format!("{ids_wanted:?}&{points:?}&{start:?}&{end:?}&{limit}&{offset}");
    kept(Question::about(&call, &collection, &asked), async || {
        let row = call.session.get(FOUND, &[&ids_wanted, &points, &start, &end, &limit, &offset]).await?;
        let (records, total): (String, i64) = (row.get("records"), row.get("total"));
        Ok((row.get("stamp"), format!("{{\"calendars\":{records},\"totalRecords\":{total}}}")))
    })
    .await
}

async fn get(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    collections::record(&call, &collection, id).await?.ok_or_else(|| not_found(&[id], &[id], call.now))
}

/// POST, which always assigns a new id. Two round trips, because the calendars of a service point must not overlap.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let record = accepted(&call, &collection)?;
    let (id, record) = collections::prepared(&call, &collection, record, Some(Uuid::new_v4()))?;
    check(&call, id, &record).await?;
    let inserted = records::insert(&call.session, &collection, id, record.clone()).await;
    written(&call, id, &record, inserted).await?;
    Ok(Reply::json(&Value::Object(record)).with_status(StatusCode::CREATED))
}

/// PUT. Answers 200 with the calendar.
async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let record = accepted(&call, &collection)?;
    // mod-calendar checks that the calendar exists before it validates the new one.
    let Some(stored) = records::find(&call.session, &collection, id).await? else {
        return Err(not_found(&[id], &[id], call.now));
    };
    let (_, mut record) = collections::prepared(&call, &collection, record, Some(id))?;
    check(&call, id, &record).await?;
    let replaced = records::replace(&call.session, &collection, id, record.clone()).await;
    match written(&call, id, &record, replaced).await? {
        Update::NotFound => Err(not_found(&[id], &[id], call.now)),
        _ => {
            keep_creation(&mut record, &stored);
            Ok(Reply::json(&Value::Object(record)))
        }
    }
}

/// Who made a calendar, and when, does not change with it.
fn keep_creation(record: &mut Map<String, Value>, stored: &str) {
    let stored: Value = serde_json::from_str(stored).unwrap_or_default();
    if let Some(Value::Object(metadata)) = record.get_mut("metadata") {
        for name in ["createdDate", "createdByUserId"] {
            match &stored["metadata"][name] {
                Value::Null => metadata.shift_remove(name),
                value => metadata.insert(name.to_owned(), value.clone()),
            };
        }
    }
}

/// Handles a calendar that the database refuses because it overlaps one written in the meantime: repeats the check to
/// find that calendar.
async fn written<T>(
    call: &Call,
    id: Uuid,
    record: &Map<String, Value>,
    result: Result<T, StoreError>,
) -> Result<T, Problem> {
    if let Err(StoreError::Conflict(_)) = result {
        check(call, id, record).await?;
    }
    Ok(result?)
}

async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    if records::delete(&call.session, &collection, id).await? {
        Ok(Reply::no_content())
    } else {
        Err(not_found(&[id], &[id], call.now))
    }
}

/// DELETE of several calendars, all or none.
async fn delete_several(call: Call) -> Answer {
    let required = "Required request parameter 'id' for method parameter type List is not present";
    let wanted = ids(&call, "id")?.ok_or_else(|| invalid(required, call.now))?;
    let row = call.session.get(REMOVED, &[&wanted]).await?;
    let missing: Vec<Uuid> = row.get("missing");
    if missing.is_empty() { Ok(Reply::no_content()) } else { Err(not_found(&wanted, &missing, call.now)) }
}

/// The calendar in the request, with its times in stored form.
fn accepted(call: &Call, collection: &Collection) -> Result<Map<String, Value>, Problem> {
    let mut sent: Value = call.json()?;
    name_days(&mut sent);
    let mut record =
        collection.schema.accept(collection.schema.without_unknown(sent)).map_err(|rejection| match rejection {
            Rejection::Unreadable(text) => manner::unreadable(call, &text),
            Rejection::Breaches(breaches) => {
                let told: Vec<_> = breaches.iter().map(|breach| breach.in_words()).collect();
                let told = told.iter().map(|(message, _, key, _)| format!("{key} {message}"));
                invalid(&told.collect::<Vec<_>>().join("; "), call.now)
            }
        })?;
    for value in record.values_mut() {
        store_times(value, call)?;
    }
    Ok(record)
}

/// mod-calendar takes the names of days in any case.
fn name_days(sent: &mut Value) {
    let hours = sent.get_mut("normalHours").and_then(Value::as_array_mut);
    for opening in hours.into_iter().flatten().filter_map(Value::as_object_mut) {
        for day in ["startDay", "endDay"] {
            if let Some(Value::String(name)) = opening.get_mut(day) {
                *name = name.to_uppercase();
            }
        }
    }
}

fn store_times(value: &mut Value, call: &Call) -> Result<(), Problem> {
    match value {
        Value::Array(values) => values.iter_mut().try_for_each(|value| store_times(value, call)),
        Value::Object(members) => members.iter_mut().try_for_each(|(name, value)| match value {
            Value::String(text) if name == "startTime" || name == "endTime" => {
                let wrong = || invalid(&format!("Text '{text}' could not be parsed"), call.now);
                *value = validity::stored_time(text).ok_or_else(wrong)?.into();
                Ok(())
            }
            value => store_times(value, call),
        }),
        _ => Ok(()),
    }
}

/// Refuses a calendar that is inconsistent or overlaps another calendar of one of its service points.
async fn check(call: &Call, id: Uuid, record: &Map<String, Value>) -> Result<(), Problem> {
    let calendar = read(record).map_err(|error| invalid(&error, call.now))?;
    let name = record.get("name").and_then(Value::as_str).unwrap_or_default();
    let mut refusals = Refusals::default();
    refusals.add_faults(record, &validity::of_itself(name, &calendar));
    let points: Vec<String> = calendar.assignments.iter().map(Uuid::to_string).collect();
    if !points.is_empty() {
        let (start, end) = (calendar.start_date.to_string(), calendar.end_date.to_string());
        let none: Option<Vec<Uuid>> = None;
        let row = call
            .session
            .get(FOUND, &[&none, &Some(points), &Some(start), &Some(end), &i64::from(i32::MAX), &0_i64])
            .await?;
        let others: Vec<Map<String, Value>> = serde_json::from_str(&row.get::<_, String>("records"))
            .map_err(|error| Problem::Internal(error.to_string()))?;
        for other in others.iter().filter(|other| other["id"] != id.to_string()) {
            let stored = read(other).map_err(Problem::Internal)?;
            refusals.add_overlap(&calendar, other, &stored);
        }
    }
    refusals.add_faults(record, &validity::of_hours(&calendar));
    refusals.or_good(call.now)
}

fn read(record: &Map<String, Value>) -> Result<Calendar, String> {
    serde_json::from_value(Value::Object(record.clone())).map_err(|error| error.to_string())
}
