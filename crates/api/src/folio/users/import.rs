//! POST /user-import (docs/folio/user-import.md): at most five round trips for any number of users.

use std::{collections::HashMap, sync::Arc};

use http::StatusCode;
use patrons::{
    import::{self, Manner, Prepared, Record, System, included, records},
    users::{self, Writing},
};
use serde_json::{Value, json};
use store::{
    StoreError,
    collection::Collection,
    record::{Schema, is_uuid},
};
use uuid::Uuid;

use super::records::{refused, stamp};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel},
    route::{Answer, Form, Routes},
};

const REQUEST: &str = "users*[any], totalRecords*:int, deactivateMissingUsers:bool=false,
    updateOnlyPresentFields:bool=false, sourceType, included{departments[any], customFields[any]}";
/// The result of the import.
pub(crate) const RESPONSE: &str = "message*, error, createdRecords:int, updatedRecords:int, failedRecords:int,
    failedUsers[{username, externalSystemId, errorMessage}], totalRecords*:int";
/// The maximum size of an import, in bytes.
const BODY_LIMIT: usize = 64 << 20;

const DONE: &str = "Users were imported successfully.";
const FAILED: &str = "Failed to import users.";

pub(super) fn routes(routes: &mut Routes, users: &Arc<Collection>) {
    let collection = Arc::clone(users);
    let taken = REQUEST
        .replace("users*[any]", "users*[{username, externalSystemId, patronGroup, departments[], ...}]")
        .replace("departments[any]", "departments[{name, code, ...}]")
        .replace("customFields[any]", "customFields[{name, type, ...}]");
    routes
        .post("/user-import", move |call| import(call, Arc::clone(&collection)))
        .summary("Add and change users by their external system ids")
        .body_limit(BODY_LIMIT)
        .takes(&taken)
        .gives(RESPONSE)
        .refuses(&[422])
        .refuses_as(422, Form::Import);
}

async fn import(call: Call, collection: Arc<Collection>) -> Answer {
    let request = Schema::declare(REQUEST).accept(call.json()?)?;
    if request["totalRecords"] == 0 {
        return Ok(Reply::json(&json!({"message": "No users to import.", "totalRecords": 0})));
    }
    let sent = list(request.get("users"));
    let sent: Vec<Record> = sent.into_iter().map(|user| user.as_object().cloned().unwrap_or_default()).collect();
    let manner = Manner {
        only_present: request["updateOnlyPresentFields"] == true,
        source_type: request.get("sourceType").and_then(Value::as_str).map(str::to_owned),
    };
    let external_ids: Vec<_> = sent.iter().map(|user| manner.external_id(text(user, "externalSystemId"))).collect();
    let mut system = records::system(&call.session, &external_ids, &service_points(&sent)).await?;
    if let Err(sentence) = bring_along(&call, request.get("included"), &mut system).await? {
        return Err(all_failed(&sent, &sentence));
    }
    let import = Import::of(&call, &collection, &sent, &manner, &system);
    let import = import.written(&call, &collection).await?;
    let message = if request["deactivateMissingUsers"] == true {
        deactivate(&call, &manner, &system, &import, &external_ids).await?
    } else {
        DONE.to_owned()
    };
    Ok(Reply::json(&import.report(&sent, &message)))
}

fn list(value: Option<&Value>) -> Vec<Value> {
    value.and_then(Value::as_array).cloned().unwrap_or_default()
}

fn text<'a>(user: &'a Record, member: &str) -> &'a str {
    user.get(member).and_then(Value::as_str).unwrap_or_default()
}

fn service_points(users: &[Record]) -> Vec<Uuid> {
    let named = users.iter().filter_map(|user| user.get("requestPreference")?.get("defaultServicePointId")?.as_str());
    named.filter(|id| is_uuid(id)).filter_map(|id| Uuid::parse_str(id).ok()).collect()
}

/// Writes the import's departments and custom fields. The inner error is FOLIO's message.
async fn bring_along(
    call: &Call,
    included: Option<&Value>,
    system: &mut System,
) -> Result<Result<(), String>, Problem> {
    let metadata = call.metadata();
    let part = |name: &str| list(included.and_then(|included| included.get(name)));
    let change = match included::custom_fields(&part("customFields"), system, &metadata) {
        Ok(change) => change,
        Err(sentence) => return Ok(Err(sentence)),
    };
    let departments = included::departments(&part("departments"), system, &metadata);
    match records::write_departments(&call.session, departments).await {
        Ok(()) => {}
        Err(StoreError::Duplicate { .. }) => return Ok(Err("Failed to create department".into())),
        Err(error) => return Err(error.into()),
    }
    if !change.saved.is_empty() {
        change.write(&call.session).await?;
    }
    Ok(Ok(()))
}

/// FOLIO's answer when nothing could be imported.
fn all_failed(sent: &[Record], sentence: &str) -> Problem {
    let failed: Vec<_> = sent.iter().map(|user| failure(user, sentence)).collect();
    let body = json!({"message": FAILED, "error": sentence, "createdRecords": 0, "updatedRecords": 0,
        "failedRecords": sent.len(), "failedUsers": failed, "totalRecords": sent.len()});
    Problem::Json(StatusCode::UNPROCESSABLE_ENTITY, body)
}

fn failure(user: &Record, sentence: &str) -> Value {
    json!({"username": text(user, "username"), "externalSystemId": text(user, "externalSystemId"),
        "errorMessage": sentence})
}

/// The users that can be written, and why the others cannot.
struct Import {
    prepared: Vec<Prepared>,
    /// Indexes of the prepared users in the request.
    places: Vec<usize>,
    failed: HashMap<usize, String>,
}

impl Import {
    fn of(call: &Call, collection: &Collection, sent: &[Record], manner: &Manner, system: &System) -> Self {
        let surroundings = system.surroundings();
        let mut import = Self { prepared: Vec::new(), places: Vec::new(), failed: HashMap::new() };
        for (place, user) in sent.iter().enumerate() {
            match accepted(call, collection, user, manner, system, &surroundings) {
                Ok(prepared) => {
                    import.prepared.push(prepared);
                    import.places.push(place);
                }
                Err(sentence) => {
                    import.failed.insert(place, sentence);
                }
            }
        }
        import
    }

    async fn written(mut self, call: &Call, collection: &Collection) -> Result<Self, Problem> {
        if self.prepared.is_empty() {
            return Ok(self);
        }
        let refusals = records::write(&call.session, &self.prepared).await?;
        for refusal in refusals.iter().rev() {
            let prepared = self.prepared.remove(refusal.place);
            let place = self.places.remove(refusal.place);
            self.failed.insert(place, why(collection, &prepared, refusal));
        }
        Ok(self)
    }

    fn report(&self, sent: &[Record], message: &str) -> Value {
        let created = self.prepared.iter().filter(|prepared| prepared.new).count();
        let mut places: Vec<_> = self.failed.keys().copied().collect();
        places.sort_unstable();
        let failed: Vec<_> = places.iter().map(|place| failure(&sent[*place], &self.failed[place])).collect();
        json!({"message": message, "createdRecords": created, "updatedRecords": self.prepared.len() - created,
            "failedRecords": failed.len(), "failedUsers": failed, "totalRecords": sent.len()})
    }
}

/// Validates one user like POST does.
fn accepted(
    call: &Call,
    collection: &Collection,
    user: &Record,
    manner: &Manner,
    system: &System,
    surroundings: &users::Surroundings,
) -> Result<Prepared, String> {
    for member in ["username", "externalSystemId"] {
        if text(user, member).trim().is_empty() {
            return Err(format!("{member} must not be null"));
        }
    }
    let mut prepared = import::prepare(user.clone(), manner, system)?;
    let id = text(&prepared.user, "id").to_owned();
    let id = Uuid::parse_str(&id).map_err(|_| format!("Invalid UUID format of id: {id}"))?;
    let sent = Value::Object(std::mem::take(&mut prepared.user));
    let record = collection.schema.accept(sent).map_err(|rejection| in_words(rejection.into()))?;
    let (_, mut record) = collections::prepared(call, collection, record, Some(id)).map_err(in_words)?;
    users::judge(&record, surroundings, Writing::New).map_err(|refused| in_words(refused.into()))?;
    stamp(call, &mut record);
    prepared.user = record;
    Ok(prepared)
}

fn in_words(problem: Problem) -> String {
    match problem {
        Problem::Text(_, text) | Problem::Unquoted(_, text) => text,
        Problem::Json(_, body) | Problem::Pretty(_, body) => {
            let told = list(body.get("errors")).into_iter().map(|error| {
                let about = error.pointer("/parameters/0/key").and_then(Value::as_str);
                let message = error["message"].as_str().unwrap_or_default();
                about.map_or_else(|| message.to_owned(), |about| format!("{message} ({about})"))
            });
            told.collect::<Vec<_>>().join("; ")
        }
        Problem::Internal(_) => "the user cannot be read".into(),
    }
}

fn why(collection: &Collection, prepared: &Prepared, refusal: &records::Refused) -> String {
    let external = text(&prepared.user, "externalSystemId");
    let done = if prepared.new { "create new" } else { "update" };
    let error = StoreError::Duplicate {
        table: collection.table.into(),
        constraint: refusal.constraint.clone(),
        detail: refusal.message.clone(),
    };
    let told = in_words(refused(error, collection, &prepared.user, Channel::Put));
    format!("Failed to {done} user with externalSystemId: {external} Error message: {told}")
}

/// Deactivates users missing from the import, unless part of it failed.
async fn deactivate(
    call: &Call,
    manner: &Manner,
    system: &System,
    import: &Import,
    imported: &[String],
) -> Result<String, Problem> {
    if !import.failed.is_empty() && !system.users.is_empty() {
        return Ok(format!("{DONE} Users were not deactivated because of import failures."));
    }
    let prefix = manner.external_id("");
    records::deactivate_others(&call.session, &prefix, imported, call.now).await?;
    Ok("Deactivated missing users.".into())
}
