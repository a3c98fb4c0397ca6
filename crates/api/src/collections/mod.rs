//! The standard routes of a declared collection (docs/folio/conventions.md#the-five-routes): list, get, create,
//! replace, delete.

mod deletion;
mod kept;
mod lists;

pub use deletion::{delete, delete_found};
pub(crate) use deletion::{delete_all, delete_if_there};
pub(crate) use kept::{Question, kept};
pub use lists::{asked, list, page};
pub(crate) use lists::{list_end, query_problem};

use std::sync::Arc;

use http::StatusCode;
use refusals::{Refusal, Refused, Wording};
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::{Collection, IndexKind, Reference, Style, Unique},
    named_values,
    query::expression,
    records::{self, Update},
    schema::declared,
};
use uuid::Uuid;

use crate::{
    answer::{Problem, Reply},
    call::Call,
    manner::spring,
    route::{Answer, Form, Route, Routes},
};

refusals::table! {
    /// Any records, when the database refuses them.
    pub REFUSALS: Storage, "docs/folio/conventions.md#uniqueness-and-references";
    ID_TAKEN: "Another record has the id. Most PUT answer 400 with this text, and so with the next two."
        => 422 "id value already exists in table {table}: {id}" [id];
    VALUE_TAKEN: "Another record has the value of a member that is unique."
        => 422 "{expression} value already exists in table {table}: {value}" ["{expression}"];
    KEY_EXISTS: "Another record has the id or a value that is unique. Some reference data answers so to POST and PUT."
        => 400 "duplicate key value violates unique constraint \"{constraint}\": Key ({expression})=({value}) already \
            exists.";
    NO_SUCH_RECORD: "A member names a record that does not exist."
        => 422 "Cannot set {member} = {value} because it does not exist in {target}.id." ["{member}"];
    NO_SUCH_LISTED: "A list of the record names a record that does not exist." => 422 "{message} {detail}" ["{member}"];
    IN_USE: "Other records name the one that is deleted."
        => 400 "Cannot delete {table}.id = {id} because id is still referenced from table {user}.";
    STALE: "The record has changed since the client read it."
        => 409 "ERROR: Cannot update record {id} because it has been changed (optimistic locking): Stored _version is \
            {stored}, _version of request is {sent} (23F09)";
}

/// Adds the routes of a collection, except those it [leaves out](Collection::without).
pub fn enter(routes: &mut Routes, collection: &Arc<Collection>) {
    let offered = |method: &str| !collection.without.contains(&method);
    if offered("list") {
        serve(routes, collection, "list", list);
    }
    if offered("post") {
        serve(routes, collection, "post", create);
    }
    if offered("get") {
        serve(routes, collection, "get", get);
    }
    if offered("put") {
        serve(routes, collection, "put", replace);
    }
    if offered("delete") {
        serve(routes, collection, "delete", delete);
    }
}

/// Adds one of the five routes of a collection (`list get post put delete`) with its own handler.
pub fn serve<'r, H, F>(routes: &'r mut Routes, collection: &Arc<Collection>, method: &str, handler: H) -> &'r mut Route
where
    H: Fn(Call, Arc<Collection>) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let name = collection.list;
    let item = format!("{}/{{id}}", collection.path);
    let c = Arc::clone(collection);
    let handler = move |call| handler(call, Arc::clone(&c));
    match method {
        "list" => {
            let route = routes.get(collection.path, handler);
            route.result_info = collection.result_info;
            route.summary(&format!("List {name}")).gives_record(collection).lists(name)
        }
        "post" => {
            let route = routes.post(collection.path, handler);
            let status = created_status(collection);
            if status != StatusCode::NO_CONTENT {
                route.gives_record(collection);
            }
            route.summary(&format!("Create one of {name}")).takes_record(collection).with_status(status).refuses(&[422])
        }
        "get" => {
            routes.get(&item, handler).summary(&format!("Read one of {name}")).gives_record(collection).refuses(&[404])
        }
        "put" => {
            let route = routes.put(&item, handler);
            if collection.versioned {
                route.refuses_as(409, Form::Text);
            }
            route.summary(&format!("Replace one of {name}")).takes_record(collection).refuses(&[404, 422])
        }
        _ => routes.delete(&item, handler).summary(&format!("Delete one of {name}")).refuses(&[404]),
    }
}

/// The status of a successful POST.
fn created_status(collection: &Collection) -> StatusCode {
    StatusCode::from_u16(collection.created_status).unwrap_or(StatusCode::CREATED)
}
/// GET of one record. One round trip, or none.
pub async fn get(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    record(&call, &collection, id).await?.ok_or_else(|| not_found_at_read(&collection, id))
}

/// The record with this id, if there is one. One round trip, or none.
pub(crate) async fn record(call: &Call, collection: &Collection, id: Uuid) -> Result<Option<Reply>, StoreError> {
    match Question::about_record(call, collection, id) {
        Some(question) => question.record(collection, id).await,
        None => Ok(records::find(&call.session, collection, id).await?.map(Reply::json_text)),
    }
}

/// The collection's 404 for PUT and DELETE.
pub fn not_found(collection: &Collection, id: Uuid) -> Problem {
    absent(collection, id, collection.not_found)
}

/// The collection's 404 for GET.
pub fn not_found_at_read(collection: &Collection, id: Uuid) -> Problem {
    absent(collection, id, collection.not_found_at_read.or(collection.not_found))
}

fn absent(collection: &Collection, id: Uuid, text: Option<&str>) -> Problem {
    let text = text.unwrap_or("Not found").replace("{id}", &id.to_string());
    match collection.style {
        Style::Rmb => Problem::not_found(text),
        Style::Spring => Problem::spring(StatusCode::NOT_FOUND, &text, Some("NOT_FOUND_ERROR")),
    }
}

/// POST to the collection. One round trip.
pub async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    create_over(call, collection, Channel::Post).await
}

/// POST to the collection. `channel` determines how constraint errors are sent. One round trip.
pub(crate) async fn create_over(call: Call, collection: Arc<Collection>, channel: Channel) -> Answer {
    let (id, record) = accepted(&call, &collection, None)?;
    let written = records::insert(&call.session, &collection, id, record.clone()).await;
    written.map_err(|error| refused(error, &collection, &record, channel))?;
    let status = created_status(&collection);
    if status == StatusCode::NO_CONTENT {
        return Ok(Reply::no_content());
    }
    let location = format!("{}/{id}", collection.path);
    Ok(Reply::json(&Value::Object(record)).created(&location).with_status(status))
}

/// PUT of one record. One round trip.
pub async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    replace_over(call, collection, Channel::Put).await
}

/// PUT of one record on a route that declares 422: constraint errors are JSON. One round trip.
pub(crate) async fn replace_as_json(call: Call, collection: Arc<Collection>) -> Answer {
    replace_over(call, collection, Channel::PutJson).await
}

/// PUT of one record. `channel` determines how constraint errors are sent. One round trip.
async fn replace_over(call: Call, collection: Arc<Collection>, channel: Channel) -> Answer {
    let path_id = call.id("id")?;
    let accepted = accepted(&call, &collection, Some(path_id))?;
    replace_accepted(&call, &collection, accepted, channel).await
}

/// PUT of a record that has already passed validation. `channel` determines how constraint errors are sent. One round
/// trip.
pub(crate) async fn replace_accepted(
    call: &Call,
    collection: &Collection,
    (id, record): (Uuid, Map<String, Value>),
    channel: Channel,
) -> Answer {
    let written = records::replace(&call.session, collection, id, record.clone()).await;
    match written.map_err(|error| refused(error, collection, &record, channel))? {
        // FOLIO's storage answers the same whether a PUT created or replaced the record.
        Update::Done | Update::Created => Ok(Reply::no_content()),
        Update::NotFound => Err(not_found(collection, id)),
        Update::Stale(stored) => Err(stale(id, stored, &record)),
    }
}

/// The refusal of an outdated `_version` (docs/folio/inventory.md#optimistic-locking). One that is missing is told as PostgreSQL's
/// messages do, from which FOLIO's text comes.
pub fn stale(id: Uuid, stored: i64, record: &Map<String, Value>) -> Problem {
    let sent = record.get("_version").filter(|version| !version.is_null());
    let sent = sent.map_or_else(|| "<NULL>".to_owned(), Value::to_string);
    STALE.with("id", id).with("stored", stored).with("sent", sent).into()
}

/// The request's record in stored form, with id, `metadata` and, if new, `_version`; or the refusal of the schema or
/// the collection.
pub fn accepted(
    call: &Call,
    collection: &Collection,
    path_id: Option<Uuid>,
) -> Result<(Uuid, Map<String, Value>), Problem> {
    let record = match collection.style {
        Style::Rmb => {
            let mut sent = call.json()?;
            if let (Some(id), Some(of_body)) = (path_id.filter(|_| collection.id_of_path), sent.get_mut("id")) {
                *of_body = id.to_string().into();
            }
            collection.schema.accept(sent)?
        }
        Style::Spring => spring_record(call, collection)?,
    };
    prepared(call, collection, record, path_id)
}

/// Parses a record for a Spring module, which ignores unknown members.
fn spring_record(call: &Call, collection: &Collection) -> Result<Map<String, Value>, Problem> {
    let name = match collection.table {
        "tags" => "tagDto",
        "note_type" => "noteType",
        table => table,
    };
    spring::accepted(call, &collection.schema, name)
}

/// A record in stored form, with id, `metadata` and, if new, `_version`, checked by the collection's own rules.
pub fn prepared(
    call: &Call,
    collection: &Collection,
    mut record: Map<String, Value>,
    path_id: Option<Uuid>,
) -> Result<(Uuid, Map<String, Value>), Problem> {
    let sent = record.get("id").and_then(Value::as_str).and_then(|id| Uuid::parse_str(id).ok());
    let id = path_id.or(sent).unwrap_or_else(store::new_id);
    record.insert("id".into(), id.to_string().into());
    if collection.versioned && path_id.is_none() {
        record.insert("_version".into(), 1.into());
    }
    if collection.metadata {
        record.insert("metadata".into(), call.metadata());
    }
    if let Some(check) = collection.check {
        check(&mut record).map_err(|refused| spoken(collection, refused))?;
    }
    Ok((id, record))
}

fn spoken(collection: &Collection, refused: Refused) -> Problem {
    match collection.style {
        Style::Rmb => refused.into(),
        Style::Spring => spring::refused(&refused.to_string()),
    }
}

/// The kind of request that hit a constraint. FOLIO uses the same words for all but different statuses and shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    /// 422 JSON.
    Post,
    /// 400 text, for the few POST routes that answer so.
    PostText,
    /// 400 text.
    Put,
    /// 422 JSON, for the few PUT routes that answer so.
    PutJson,
    /// 400 text. The id is that of the record to delete.
    Delete(Uuid),
}

/// A database constraint violation in FOLIO's words (docs/folio/conventions.md#uniqueness-and-references).
pub fn refused(error: StoreError, collection: &Collection, record: &Map<String, Value>, channel: Channel) -> Problem {
    let own = constraint(collection, record, &error);
    let own_words = own.is_some();
    let told = own.or_else(|| match &error {
        StoreError::Duplicate { constraint, detail, .. } => duplicate(collection, record, constraint, detail),
        StoreError::ForeignKey { table, detail, in_use: true, .. } => in_use(collection, detail, table, channel),
        StoreError::ForeignKey { constraint, .. } => dangling(collection, record, constraint),
        StoreError::NoSuchListed { message, detail } => Some(no_such_listed(collection, message, detail)),
        _ => None,
    });
    let Some(refusal) = told else {
        return error.into();
    };
    if let (Channel::Post, Some(wording)) = (channel, collection.refused_in_general) {
        return wording.into();
    }
    // Constraints with their own wording, and errors that have only a code, come from checks in the module itself.
    let of_module = own_words || refusal.wording().parameters.is_empty();
    match (channel, collection.style) {
        (_, Style::Spring) => spring::refused(&refusal.message()),
        (Channel::Post | Channel::PutJson, _) => refusal.into(),
        (Channel::Put, _) if of_module => refusal.into(),
        _ => Problem::bad_request(refusal.message()),
    }
}

fn text_of(record: &Map<String, Value>, path: &str) -> String {
    let pointer = format!("/{}", path.replace('.', "/"));
    match Value::Object(record.clone()).pointer(&pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}

/// A constraint for which the collection declares its own wording.
fn constraint(collection: &Collection, record: &Map<String, Value>, error: &StoreError) -> Option<Refusal> {
    let name = match error {
        StoreError::Duplicate { constraint, .. }
        | StoreError::ForeignKey { constraint, in_use: false, .. }
        | StoreError::Check { constraint, .. } => constraint,
        _ => return None,
    };
    let known = collection.constraints.iter().find(|known| known.name == name)?;
    Some(told(known.wording, record, ""))
}

/// A refusal about a record. Its parameters show the members that they name, or else the value.
fn told(wording: &'static Wording, record: &Map<String, Value>, value: &str) -> Refusal {
    let members = wording.parameters.iter().filter(|key| !key.contains('{'));
    members.fold(wording.with("value", value), |refusal, key| {
        let shown = Some(text_of(record, key)).filter(|text| !text.is_empty());
        refusal.with(*key, shown.as_deref().unwrap_or(value))
    })
}

fn duplicate(collection: &Collection, record: &Map<String, Value>, constraint: &str, detail: &str) -> Option<Refusal> {
    let table = collection.table;
    // The state of an item has a row of its own, which is written first.
    if constraint == format!("{table}_pkey") || constraint == format!("{table}_state_pkey") {
        let id = text_of(record, "id");
        return Some(match collection.database_words {
            true => KEY_EXISTS.with("constraint", constraint).with("expression", "id").with("value", id),
            false => ID_TAKEN.with("table", table).with("id", id),
        });
    }
    let unique = collection.uniques.iter().find(|unique| declared::unique_name(collection, unique) == constraint)?;
    let values: Vec<_> = unique.fields.iter().map(|field| text_of(record, field)).collect();
    // FOLIO's own words are about the record, the database's about what it compares: in lower case, without accents.
    let compared = named_values(detail).filter(|_| unique.wording.is_none());
    let (value, expression) = (compared.map_or_else(|| values.join(", "), str::to_owned), folio_expression(unique));
    let general = if collection.database_words { KEY_EXISTS } else { VALUE_TAKEN };
    let refusal = told(unique.wording.unwrap_or(general), record, &value);
    let name = format!("{table}_{}_idx_unique", unique.fields.join("_").to_lowercase());
    let refusal = refusal.with("table", table).with("expression", &expression).with("constraint", name);
    Some(refusal.with(expression, value))
}

/// The unique expression as FOLIO's database prints it: `lower(f_unaccent(jsonb ->> 'name'::text))`.
fn folio_expression(unique: &Unique) -> String {
    let parts: Vec<_> = unique
        .fields
        .iter()
        .map(|field| {
            let path = expression::literal(field);
            match unique.kind {
                IndexKind::Folded => format!("lower(f_unaccent(jsonb ->> {path}::text))"),
                IndexKind::CaseFolded => format!("lower(jsonb ->> {path}::text)"),
                _ => format!("jsonb ->> {path}::text"),
            }
        })
        .collect();
    parts.join(", ")
}

fn dangling(collection: &Collection, record: &Map<String, Value>, constraint: &str) -> Option<Refusal> {
    let table = collection.table;
    let reference = collection
        .references
        .iter()
        .find(|reference| declared::foreign_key_name(table, &reference.column()) == constraint)?;
    let value = text_of(record, reference.field);
    // A computed reference has the value of one that the client sent, and that one is named. Which of the two keys the
    // database checks first depends on the order in which they were made.
    let same = |other: &&Reference| other.table == reference.table && text_of(record, other.field) == value;
    let first = collection.references.iter().find(same).filter(|_| !value.is_empty());
    let reference = first.unwrap_or(reference);
    let member = format!("{table}.{}", reference.column());
    let refusal = NO_SUCH_RECORD.with("target", reference.table?).with("value", &value);
    Some(refusal.about(member, value))
}

/// The database says which record it is, and which list.
fn no_such_listed(collection: &Collection, message: &str, detail: &str) -> Refusal {
    let id = detail.rsplit_once("id=").map_or("", |(_, id)| id);
    NO_SUCH_LISTED.with("message", message).with("detail", detail).about(collection.table, id)
}

fn in_use(collection: &Collection, detail: &str, table: &str, channel: Channel) -> Option<Refusal> {
    let Channel::Delete(id) = channel else {
        return None;
    };
    let user = detail.rsplit('"').nth(1).unwrap_or(table);
    Some(collection.kept.unwrap_or(IN_USE).with("table", collection.table).with("id", id).with("user", user))
}
