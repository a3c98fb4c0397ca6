//! Custom fields (docs/folio/custom-fields.md). An invalid definition is reported as one error, not as a list.

use std::sync::Arc;

use http::StatusCode;
use patrons::custom_fields::{
    CustomField, definition,
    records::{self, Change, Record, Unchangeable},
};
use serde_json::{Value, json};
use store::{collection::Collection, query};
use uuid::Uuid;

use super::refusals::CUSTOM_FIELD_UNKNOWN;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, serve},
    route::{Answer, Form, Routes},
};

pub(super) fn routes(routes: &mut Routes, fields: &Arc<Collection>) {
    serve(routes, fields, "list", list);
    serve(routes, fields, "get", get);
    serve(routes, fields, "post", create).refuses_as(422, Form::OneError);
    serve(routes, fields, "put", replace).refuses_as(422, Form::OneError);
    serve(routes, fields, "delete", delete);
    let collection = Arc::clone(fields);
    routes
        .put("/custom-fields", move |call| replace_all(call, Arc::clone(&collection)))
        .summary("Replace all custom fields")
        .takes("customFields*[{id, name*, type*, entityType*, ...}], entityType*, metadata~:Metadata")
        .refuses(&[422])
        .refuses_as(422, Form::OneError);
    routes
        .get("/custom-fields/{id}/stats", stats)
        .summary("How many users have a value in a custom field")
        .gives("fieldId:uuid, entityType, count:int");
    routes
        .get("/custom-fields/{id}/options/{optId}/stats", option_stats)
        .summary("How many users have an option of a custom field")
        .refuses_as(422, Form::OneError)
        .gives("customFieldId:uuid, optionId, entityType, count:int");
}

/// The fields in their order, which is the last sort key of any query.
async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let cql = match call.query.get("query").map(str::trim) {
        None | Some("") => "cql.allRecords=1 sortby order/number".to_owned(),
        Some(cql) if cql.to_lowercase().contains(" sortby ") => format!("{cql} order/number"),
        Some(cql) => format!("{cql} sortby order/number"),
    };
    let request = query::ListRequest {
        cql: Some(&cql),
        limit: call.limit(collection.default_limit)?,
        offset: call.offset()?,
        totals: call.query.get("totalRecords").unwrap_or("auto"),
    };
    collections::page(&call, &collection, &request).await
}

async fn get(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    collections::record(&call, &collection, id).await?.ok_or_else(|| not_found(id))
}

fn not_found(id: Uuid) -> Problem {
    CUSTOM_FIELD_UNKNOWN.with("id", id).into()
}

/// POST. Two round trips, because it needs the names and positions of the other fields first.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let (id, record) = collections::accepted(&call, &collection, None)?;
    check(&record)?;
    let known = records::all(&call.session).await?;
    if known.iter().any(|one| records::id(one) == Some(id)) {
        let message = format!("id value already exists in table custom_fields: {id}");
        return Err(one_error(&message, Some(("id", &id.to_string()))));
    }
    let mut change = Change::default();
    change.add(record, &known);
    let created = change.saved.first().cloned().unwrap_or_default();
    change.write(&call.session).await?;
    Ok(Reply::json(&Value::Object(created)).created(&format!("/custom-fields/{id}")))
}

fn check(record: &Record) -> Result<(), Problem> {
    let field =
        CustomField::read(record).map_err(|error| Problem::bad_request(format!("Json content error: {error}")))?;
    definition::check(record, &field).map_err(|sentence| one_error(&sentence, None))
}

/// FOLIO's single error.
fn one_error(message: &str, about: Option<(&str, &str)>) -> Problem {
    let parameter = match about {
        Some((key, value)) => json!({"key": key, "value": value}),
        None => json!({}),
    };
    let body = json!({"message": message, "type": "1", "code": "-1", "parameters": [parameter]});
    Problem::Json(StatusCode::UNPROCESSABLE_ENTITY, body)
}

fn unchangeable((member, value, sentence): Unchangeable) -> Problem {
    one_error(&sentence, Some((member, &Value::from(value).to_string())))
}

async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let (_, record) = collections::accepted(&call, &collection, Some(id))?;
    check(&record)?;
    let known = records::all(&call.session).await?;
    let old = known.iter().find(|one| records::id(one) == Some(id));
    let old = old.ok_or_else(|| not_found(id))?;
    let mut change = Change::default();
    change.replace(record, old).map_err(unchangeable)?;
    change.write(&call.session).await?;
    Ok(Reply::no_content())
}

async fn delete(call: Call, _: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    if records::remove(&call.session, id).await? { Ok(Reply::no_content()) } else { Err(not_found(id)) }
}

/// PUT of the collection: the request lists all fields in their new order. Others are deleted.
async fn replace_all(call: Call, collection: Arc<Collection>) -> Answer {
    let (entity_type, sent) = requested(&call, &collection)?;
    let known = records::all(&call.session).await?;
    let of_type = |record: &&Record| record.get("entityType").and_then(Value::as_str) == Some(entity_type.as_str());
    let mut change = Change::default();
    for old in known.iter().filter(of_type) {
        if !sent.iter().any(|one| records::id(one) == records::id(old)) {
            change.remove(old);
        }
    }
    let kept: Vec<_> =
        known.iter().filter(|old| records::id(old).is_none_or(|id| !change.removed.contains(&id))).cloned().collect();
    for (place, mut record) in sent.into_iter().enumerate() {
        record.insert("order".into(), (place + 1).into());
        let old = kept.iter().find(|one| records::id(one) == records::id(&record));
        match old {
            Some(old) => change.replace(record, old).map_err(unchangeable)?,
            None => change.add(record, &kept),
        }
    }
    change.write(&call.session).await?;
    Ok(Reply::no_content())
}

/// The validated fields of the request, and the record type they belong to.
fn requested(call: &Call, collection: &Collection) -> Result<(String, Vec<Record>), Problem> {
    let body =
        store::record::Schema::declare("customFields*[any], entityType*, metadata~:Metadata").accept(call.json()?)?;
    let entity_type = body["entityType"].as_str().unwrap_or_default().to_owned();
    let mut accepted = Vec::new();
    for field in body["customFields"].as_array().into_iter().flatten() {
        let record = collection.schema.accept(without_blank_id(field.clone()))?;
        let (_, record) = collections::prepared(call, collection, record, None)?;
        check(&record)?;
        accepted.push(record);
    }
    check_entity_types(&entity_type, &accepted)?;
    Ok((entity_type, accepted))
}

/// A new field may have an empty id.
fn without_blank_id(mut field: Value) -> Value {
    if field["id"].as_str().is_some_and(|id| id.trim().is_empty())
        && let Value::Object(members) = &mut field
    {
        members.shift_remove("id");
    }
    field
}

fn check_entity_types(wanted: &str, fields: &[Record]) -> Result<(), Problem> {
    let mut types: Vec<_> = fields.iter().filter_map(|field| field.get("entityType")?.as_str()).collect();
    types.dedup();
    match types.as_slice() {
        [] => Ok(()),
        [only] if *only == wanted => Ok(()),
        [other] => Err(one_error(
            &format!("Collection entityType '{wanted}' does not match custom fields entityType '{other}'"),
            None,
        )),
        several => Err(one_error(&format!("Multiple entityTypes found: [{}]", several.join(", ")), None)),
    }
}

/// The field in the path, and the number of users who have a value for it or have chosen the option.
async fn uses(call: &Call, option: Option<&str>) -> Result<(Record, i64), Problem> {
    let id = call.id("id")?;
    let found = records::uses(&call.session, id, option).await?;
    found.ok_or_else(|| not_found(id))
}

async fn stats(call: Call) -> Answer {
    let (field, count) = uses(&call, None).await?;
    let (id, entity_type) = (&field["id"], &field["entityType"]);
    Ok(Reply::json(&json!({"fieldId": id, "entityType": entity_type, "count": count})))
}

async fn option_stats(call: Call) -> Answer {
    let option = call.param("optId");
    let (record, count) = uses(&call, Some(option)).await?;
    check_offered(&record, option)?;
    Ok(Reply::json(&json!({"customFieldId": record["id"], "optionId": option,
        "entityType": record["entityType"], "count": count})))
}

/// Refuses an option that the field does not offer.
fn check_offered(record: &Record, option: &str) -> Result<(), Problem> {
    let choice = CustomField::read(record).ok().filter(|field| field.field_type.is_choice());
    let Some(field) = choice else {
        let sentence = "The type of the custom field must be one of:\
            SINGLE_SELECT_DROPDOWN, MULTI_SELECT_DROPDOWN, RADIO_BUTTON";
        let kind = record["type"].to_string();
        return Err(one_error(sentence, Some(("type", &kind))));
    };
    let mut offered = field.choices().iter().filter_map(|one| one.id.as_deref());
    if offered.any(|id| id == option) {
        return Ok(());
    }
    let id = record["id"].as_str().unwrap_or_default();
    let sentence = format!("Option with id '{option}' not found in custom field '{id}'");
    Err(one_error(&sentence, Some(("optId", option))))
}
