//! The common routes of a declared collection (docs/folio/conventions.md#the-five-routes): list, get, create, replace,
//! delete.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, future, stream};
use http::StatusCode;
use serde_json::{Map, Value};
use store::{
    StoreError,
    collection::{Collection, IndexKind, Style, Unique},
    db::Rows,
    query::{self, expression},
    records::{self, Update},
    schema::declared,
};
use uuid::Uuid;

use crate::{
    answer::{ErrorItem, Problem, Reply},
    call::Call,
    manner::spring,
    route::{Answer, Routes},
};

/// Enters the routes of a collection, but for those it [leaves to others](Collection::without).
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

/// Enters one of the five routes of a collection (`list get post put delete`) with that handler.
pub fn serve<H, F>(routes: &mut Routes, collection: &Arc<Collection>, method: &str, handler: H)
where
    H: Fn(Call, Arc<Collection>) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let (name, schema) = (collection.list, Some(collection.schema.clone()));
    let item = format!("{}/{{id}}", collection.path);
    let c = Arc::clone(collection);
    let handler = move |call| handler(call, Arc::clone(&c));
    match method {
        "list" => {
            let route = routes.get(collection.path, handler);
            route.summary(&format!("List {name}")).lists(name).gives = schema;
        }
        "post" => {
            let route = routes.post(collection.path, handler);
            route.summary(&format!("Create one of {name}"));
            (route.takes, route.gives) = (schema.clone(), schema);
        }
        "get" => {
            let route = routes.get(&item, handler);
            route.summary(&format!("Read one of {name}")).gives = schema;
        }
        "put" => {
            let route = routes.put(&item, handler);
            route.summary(&format!("Replace one of {name}")).takes = schema;
        }
        _ => {
            let route = routes.delete(&item, handler);
            route.summary(&format!("Delete one of {name}"));
        }
    }
}

/// GET of the collection. One round trip.
pub async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    page(&call, &collection, &asked(&call, &collection)?).await
}

/// The page that the request's parameters ask for.
///
/// # Errors
/// The module's refusal of `limit` and `offset`.
pub fn asked<'a>(
    call: &'a Call,
    collection: &Collection,
) -> Result<query::ListRequest<'a>, Problem> {
    Ok(query::ListRequest {
        cql: call.query.get("query"),
        limit: call.limit(collection.default_limit)?,
        offset: call.offset()?,
        totals: call.query.get("totalRecords").unwrap_or("auto"),
    })
}

/// A page of more records than this comes from the database record by record.
const AT_ONCE: i64 = 1_000;

/// A page of the collection as PostgreSQL assembled it. One round trip.
pub async fn page(
    call: &Call,
    collection: &Collection,
    request: &query::ListRequest<'_>,
) -> Answer {
    let (session, all) = (&call.session, &call.app.collections);
    let refused = |error| query_problem(error, collection);
    let (mut reply, undeclared) = if request.limit <= AT_ONCE {
        let page = query::list(session, all, collection, request);
        let page = page.await.map_err(refused)?;
        let end = list_end(collection.result_info, page.total);
        let body = format!("{{\"{}\":{}{end}", collection.list, page.records);
        (Reply::json_text(body), page.undeclared)
    } else {
        let page = query::stream(session, all, collection, request);
        let page = page.await.map_err(refused)?;
        let parts = list_parts(collection, page.rows, page.with_total);
        let body = call.app.spools.body(parts).await?;
        (Reply::typed("application/json", body), page.undeclared)
    };
    if !undeclared.is_empty() {
        tracing::warn!(
            tenant = call.tenant.tenant.id,
            table = collection.table,
            fields = undeclared.join(" "),
            "query on fields nobody declared"
        );
        let name = http::HeaderName::from_static("x-carrel-undeclared-fields");
        reply = reply.with_header(name, &undeclared.join(" "));
    }
    Ok(reply)
}

/// A list in parts, as its rows come.
fn list_parts(
    collection: &Collection,
    rows: Rows,
    with_total: bool,
) -> impl Stream<Item = Result<Bytes, StoreError>> + Send + 'static {
    let begin = Bytes::from(format!("{{\"{}\":[", collection.list));
    let result_info = collection.result_info;
    let mut separator = "";
    let parts = rows.map_ok(move |row| match row.get::<_, Option<&str>>("record") {
        Some(record) => Bytes::from([std::mem::replace(&mut separator, ","), record].concat()),
        None => {
            let total = with_total.then(|| row.get("total"));
            Bytes::from(format!("]{}", list_end(result_info, total)))
        }
    });
    stream::once(future::ok(begin)).chain(parts)
}

/// What follows the records.
fn list_end(result_info: bool, total: Option<i64>) -> String {
    let Some(total) = total else {
        return "}".into();
    };
    if result_info {
        return format!(
            ",\"totalRecords\":{total},\"resultInfo\":{{\"totalRecords\":{total},\"facets\":[],\"diagnostics\":[]}}}}"
        );
    }
    format!(",\"totalRecords\":{total}}}")
}

/// A query that cannot be answered, in the collection's style (docs/folio/conventions.md#refused-queries).
#[must_use]
pub fn query_problem(error: query::QueryError, collection: &Collection) -> Problem {
    match error {
        query::QueryError::Store(error) => error.into(),
        query::QueryError::Cql(text) => match collection.style {
            Style::Rmb => Problem::bad_request(text),
            Style::Spring => spring::refused(&text),
        },
    }
}

/// GET of one record. One round trip.
pub async fn get(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    match records::find(&call.session, &collection, id).await? {
        Some(record) => Ok(Reply::json_text(record)),
        None => Err(not_found_at_read(&collection, id)),
    }
}

/// The collection's 404 of PUT and DELETE.
#[must_use]
pub fn not_found(collection: &Collection, id: Uuid) -> Problem {
    absent(collection, id, collection.not_found)
}

/// The collection's 404 of GET.
#[must_use]
pub fn not_found_at_read(collection: &Collection, id: Uuid) -> Problem {
    absent(
        collection,
        id,
        collection.not_found_at_read.or(collection.not_found),
    )
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

/// POST to the collection, whose refusals by the database are packed as `channel` says. One round trip.
pub async fn create_over(call: Call, collection: Arc<Collection>, channel: Channel) -> Answer {
    let (id, record) = accepted(&call, &collection, None)?;
    let written = records::insert(&call.session, &collection, id, record.clone()).await;
    written.map_err(|error| refused(error, &collection, &record, channel))?;
    let status = StatusCode::from_u16(collection.created_status).unwrap_or(StatusCode::CREATED);
    if status == StatusCode::NO_CONTENT {
        return Ok(Reply::no_content());
    }
    let location = format!("{}/{id}", collection.path);
    Ok(Reply::json(&Value::Object(record))
        .created(&location)
        .with_status(status))
}

/// PUT of one record. One round trip.
pub async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    replace_over(call, collection, Channel::Put).await
}

/// PUT of one record whose refusals by the database are packed as `channel` says. One round trip.
pub async fn replace_over(call: Call, collection: Arc<Collection>, channel: Channel) -> Answer {
    let path_id = call.id("id")?;
    let accepted = accepted(&call, &collection, Some(path_id))?;
    replace_accepted(&call, &collection, accepted, channel).await
}

/// PUT of a record that has been checked. One round trip.
///
/// # Errors
/// What the database has against it, packed as `channel` says.
pub async fn replace_accepted(
    call: &Call,
    collection: &Collection,
    (id, record): (Uuid, Map<String, Value>),
    channel: Channel,
) -> Answer {
    let written = records::replace(&call.session, collection, id, record.clone()).await;
    match written.map_err(|error| refused(error, collection, &record, channel))? {
        // FOLIO's storage does not tell that a PUT has made the record.
        Update::Done | Update::Created => Ok(Reply::no_content()),
        Update::NotFound => Err(not_found(collection, id)),
        Update::Stale(stored) => Err(stale(id, stored, &record)),
    }
}

/// The optimistic-locking refusal (docs/folio/inventory.md#optimistic-locking).
#[must_use]
pub fn stale(id: Uuid, stored: i64, record: &Map<String, Value>) -> Problem {
    let sent = record
        .get("_version")
        .map_or_else(|| "null".to_owned(), Value::to_string);
    let text = format!(
        "ERROR: Cannot update record {id} because it has been changed (optimistic locking): \
         Stored _version is {stored}, _version of request is {sent} (23F09)"
    );
    Problem::Text(StatusCode::CONFLICT, text)
}

/// DELETE of one record by a module that does not say whether there was one. One round trip.
pub async fn delete_if_there(call: Call, collection: Arc<Collection>) -> Answer {
    match delete(call, collection).await {
        Err(Problem::Text(StatusCode::NOT_FOUND, _)) => Ok(Reply::no_content()),
        answer => answer,
    }
}

/// DELETE of one record. One round trip.
pub async fn delete(call: Call, collection: Arc<Collection>) -> Answer {
    let id = call.id("id")?;
    let deleted = records::delete(&call.session, &collection, id).await;
    let found =
        deleted.map_err(|error| refused(error, &collection, &Map::new(), Channel::Delete(id)))?;
    if found {
        Ok(Reply::no_content())
    } else {
        Err(not_found(&collection, id))
    }
}

/// DELETE of the records a query finds; the query is required (docs/folio/conventions.md#deletion-by-query). One round
/// trip.
pub async fn delete_found(call: Call, collection: Arc<Collection>) -> Answer {
    let query = call
        .query
        .get("query")
        .filter(|query| !query.trim().is_empty());
    let query =
        query.ok_or_else(|| Problem::bad_request("Expected CQL but query parameter is empty"))?;
    delete_matching(&call, &collection, query).await
}

/// DELETE of the records a query finds; without a query, of all. One round trip.
pub async fn delete_all(call: Call, collection: Arc<Collection>) -> Answer {
    let query = call
        .query
        .get("query")
        .filter(|query| !query.trim().is_empty());
    let query = query.unwrap_or("cql.allRecords=1");
    delete_matching(&call, &collection, query).await
}

async fn delete_matching(call: &Call, collection: &Collection, query: &str) -> Answer {
    let plan = query::read(&call.app.collections, collection, query)
        .map_err(|error| query_problem(error, collection))?;
    let deleted = records::delete_found(&call.session, collection, &plan).await;
    deleted.map_err(|error| {
        let used = used_id(&error);
        refused(error, collection, &Map::new(), Channel::Delete(used))
    })?;
    Ok(Reply::no_content())
}

/// The id of the record that is still used: PostgreSQL says `Key (id)=(…) is still referenced …`.
fn used_id(error: &StoreError) -> Uuid {
    let StoreError::ForeignKey { detail, .. } = error else {
        return Uuid::nil();
    };
    let id = detail
        .split_once(")=(")
        .and_then(|(_, rest)| rest.split_once(')'));
    id.and_then(|(id, _)| id.parse().ok()).unwrap_or_default()
}

/// The request's record in stored form, with id, `metadata` and (for a new one) `_version`.
///
/// # Errors
/// The schema's and the collection's own refusals.
pub fn accepted(
    call: &Call,
    collection: &Collection,
    path_id: Option<Uuid>,
) -> Result<(Uuid, Map<String, Value>), Problem> {
    let record = match collection.style {
        Style::Rmb => collection.schema.accept(call.json()?)?,
        Style::Spring => spring_record(call, collection)?,
    };
    prepared(call, collection, record, path_id)
}

/// The Spring modules ignore members they do not know.
fn spring_record(call: &Call, collection: &Collection) -> Result<Map<String, Value>, Problem> {
    let name = match collection.table {
        "tags" => "tagDto",
        "note_type" => "noteType",
        table => table,
    };
    spring::accepted(call, &collection.schema, name)
}

/// A record in stored form, with id, `metadata` and (for a new one) `_version`, checked by the collection's
/// own rules.
///
/// # Errors
/// The collection's refusals.
pub fn prepared(
    call: &Call,
    collection: &Collection,
    mut record: Map<String, Value>,
    path_id: Option<Uuid>,
) -> Result<(Uuid, Map<String, Value>), Problem> {
    let sent = record
        .get("id")
        .and_then(Value::as_str)
        .and_then(|id| Uuid::parse_str(id).ok());
    let id = path_id.or(sent).unwrap_or_else(store::new_id);
    record.insert("id".into(), id.to_string().into());
    if collection.versioned && path_id.is_none() {
        record.insert("_version".into(), 1.into());
    }
    if collection.metadata {
        record.insert("metadata".into(), call.metadata());
    }
    if let Some(check) = collection.check {
        check(&mut record).map_err(|fault| spoken(collection, fault))?;
    }
    Ok((id, record))
}

fn spoken(collection: &Collection, fault: store::collection::Fault) -> Problem {
    match collection.style {
        Style::Rmb => Problem::fault(fault),
        Style::Spring => spring::refused(&fault.message),
    }
}

/// Which request met the database's refusal; FOLIO words them alike but packs them differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// 422 JSON.
    Post,
    /// POST of the few routes that answer 400 text.
    PostText,
    /// 400 text.
    Put,
    /// PUT of the few routes that answer 422 JSON.
    PutJson,
    /// 400 text.
    Delete(Uuid),
}

/// A refusal of the database's constraints in FOLIO's words (docs/folio/conventions.md#uniqueness-and-references).
#[must_use]
pub fn refused(
    error: StoreError,
    collection: &Collection,
    record: &Map<String, Value>,
    channel: Channel,
) -> Problem {
    let worded = constraint(collection, record, &error);
    let own_words = worded.is_some();
    let told = worded.or_else(|| match &error {
        StoreError::Duplicate { constraint, .. } => duplicate(collection, record, constraint),
        StoreError::ForeignKey {
            table,
            detail,
            in_use: true,
            ..
        } => in_use(collection, detail, table, channel),
        StoreError::ForeignKey { constraint, .. } => dangling(collection, record, constraint),
        _ => None,
    });
    let Some(item) = told else {
        return error.into();
    };
    if let (Channel::Post, Some(text)) = (channel, collection.refused_in_general) {
        return Problem::bad_request(text);
    }
    match (channel, collection.style) {
        (_, Style::Spring) => spring::refused(&item.message),
        (Channel::Post | Channel::PutJson, _) => Problem::unprocessable(&[item]),
        // A constraint in words of its own, and an error that has only a code, are what the module itself looks for.
        (Channel::Put, _) if own_words || item.parameters.is_empty() => {
            Problem::unprocessable(&[item])
        }
        (Channel::PostText | Channel::Put | Channel::Delete(_), _) => {
            Problem::bad_request(item.message)
        }
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

/// A constraint that the collection words itself.
fn constraint(
    collection: &Collection,
    record: &Map<String, Value>,
    error: &StoreError,
) -> Option<ErrorItem> {
    let name = match error {
        StoreError::Duplicate { constraint, .. }
        | StoreError::ForeignKey {
            constraint,
            in_use: false,
            ..
        }
        | StoreError::Check { constraint, .. } => constraint,
        _ => return None,
    };
    let known = collection
        .constraints
        .iter()
        .find(|known| known.name == name)?;
    Some(match known.code {
        None => ErrorItem::rmb(known.message, known.key, &text_of(record, known.key)),
        Some(code) => ErrorItem {
            message: known.message.to_owned(),
            code: Some(code.to_owned()),
            ..ErrorItem::default()
        },
    })
}

fn duplicate(
    collection: &Collection,
    record: &Map<String, Value>,
    constraint: &str,
) -> Option<ErrorItem> {
    let table = collection.table;
    if constraint == format!("{table}_pkey") {
        let id = text_of(record, "id");
        let message = format!("id value already exists in table {table}: {id}");
        return Some(ErrorItem::rmb(message, "id", &id));
    }
    let unique = collection
        .uniques
        .iter()
        .find(|unique| declared::unique_name(collection, unique) == constraint)?;
    let values: Vec<_> = unique
        .fields
        .iter()
        .map(|field| text_of(record, field))
        .collect();
    let value = values.join(", ");
    let general = folio_expression(unique);
    let message = match unique.message {
        Some(message) => message.replace("{value}", &value),
        None => format!("{general} value already exists in table {table}: {value}"),
    };
    if let (Some(code), None) = (unique.code, unique.key) {
        return Some(ErrorItem {
            message,
            code: Some(code.to_owned()),
            ..ErrorItem::default()
        });
    }
    // A key that names another member (`Service Point Exists` names the service point) shows that one.
    let shown = unique
        .key
        .map(|key| text_of(record, key))
        .filter(|text| !text.is_empty());
    let mut item = ErrorItem::rmb(
        message,
        unique.key.unwrap_or(&general),
        &shown.unwrap_or(value),
    );
    if let Some(code) = unique.code {
        item.code = Some(code.into());
    }
    Some(item)
}

/// How FOLIO's database words the unique expression: `lower(f_unaccent(jsonb ->> 'name'::text))`.
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

fn dangling(
    collection: &Collection,
    record: &Map<String, Value>,
    constraint: &str,
) -> Option<ErrorItem> {
    let table = collection.table;
    let reference = collection
        .references
        .iter()
        .find(|reference| declared::foreign_key_name(table, &reference.column()) == constraint)?;
    let (column, target) = (reference.column(), reference.table?);
    let value = text_of(record, reference.field);
    let message =
        format!("Cannot set {table}.{column} = {value} because it does not exist in {target}.id.");
    Some(ErrorItem::rmb(
        message,
        &format!("{table}.{column}"),
        &value,
    ))
}

fn in_use(
    collection: &Collection,
    detail: &str,
    table: &str,
    channel: Channel,
) -> Option<ErrorItem> {
    let Channel::Delete(id) = channel else {
        return None;
    };
    let user = detail.rsplit('"').nth(1).unwrap_or(table);
    let own = collection.table;
    let message =
        format!("Cannot delete {own}.id = {id} because id is still referenced from table {user}.");
    Some(ErrorItem::rmb(
        message,
        &format!("{own}.id"),
        &id.to_string(),
    ))
}
