//! Lists the notes linked to an object, and links notes to it.

use std::sync::Arc;

use store::{
    collection::Collection,
    notes::{self, LinkStatus, LinkedNotes, NoteOrder},
    record::Schema,
};

use crate::{
    answer::{Problem, Reply},
    call::Call,
    manner::spring,
    route::{Answer, Routes},
};

/// The maximum number of notes in one response.
const MOST: i64 = 1_000;
const LINKS: &str = "notes*[{id*:uuid, status*:(ASSIGNED|UNASSIGNED)}]=[]";

pub(super) fn routes(routes: &mut Routes, collection: &Arc<Collection>) {
    let notes = Arc::clone(collection);
    let route =
        routes.get("/note-links/domain/{domain}/type/{type}/id/{id}", move |call| list(call, Arc::clone(&notes)));
    route
        .summary("Notes linked to a record")
        .asks("status, search, noteType, orderBy, order")
        .gives_record(collection)
        .lists(collection.list);
    routes.put("/note-links/type/{type}/id/{id}", link).summary("Link notes to a record, or unlink them").takes(LINKS);
}

async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let wanted = LinkedNotes {
        domain: call.param("domain"),
        kind: call.param("type"),
        id: call.param("id"),
        status: status(call.query.get("status"))?,
        search: call.query.get("search").filter(|text| !text.trim().is_empty()),
        types: call.query.all("noteType").filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        order: order(call.query.get("orderBy"), call.query.get("order"))?,
        limit: call.limit(MOST)?.min(MOST),
        offset: call.offset()?,
    };
    if has_nul(&call) {
        return Err(spring::refused("a parameter contains a NUL character"));
    }
    let (notes, total) = notes::linked(&call.session.lookups(), &collection, &wanted).await?;
    Ok(Reply::json_text(format!("{{\"notes\":{notes},\"totalRecords\":{total}}}")))
}

/// PostgreSQL cannot compare with a NUL character.
fn has_nul(call: &Call) -> bool {
    let in_path = call.path.iter().any(|(_, value)| value.contains('\0'));
    let query = ["search", "noteType"];
    in_path || query.iter().any(|name| call.query.all(name).any(|value| value.contains('\0')))
}

/// The refusal of a parameter with an unknown value. `class` is the Java enum of the valid values.
fn unexpected(name: &str, class: &str, value: Option<&str>) -> Problem {
    let class = format!("org.folio.notes.domain.dto.{class}");
    let detail = format!(
        "Failed to convert from type [java.lang.String] to type [{class}] for value [{}]",
        value.unwrap_or_default()
    );
    spring::refused(&spring::not_converted(name, &class, &detail))
}

fn status(text: Option<&str>) -> Result<LinkStatus, Problem> {
    match text.map(str::to_lowercase).as_deref() {
        None | Some("all" | "") => Ok(LinkStatus::All),
        Some("assigned") => Ok(LinkStatus::Assigned),
        Some("unassigned") => Ok(LinkStatus::Unassigned),
        Some(_) => Err(unexpected("status", "LinkStatusFilter", text)),
    }
}

fn order(by: Option<&str>, direction: Option<&str>) -> Result<Option<(NoteOrder, bool)>, Problem> {
    let order = match by.map(str::to_lowercase).as_deref() {
        None | Some("") => None,
        Some("title") => Some(NoteOrder::Title),
        Some("content") => Some(NoteOrder::Content),
        Some("notetype") => Some(NoteOrder::NoteType),
        Some("updateddate") => Some(NoteOrder::UpdatedDate),
        Some(_) => return Err(unexpected("orderBy", "NotesOrderBy", by)),
    };
    let descending = match direction.map(str::to_lowercase).as_deref() {
        None | Some("") => None,
        Some("asc") => Some(false),
        Some("desc") => Some(true),
        Some(_) => return Err(unexpected("order", "OrderDirection", direction)),
    };
    Ok(order.map(|order| (order, descending.unwrap_or(order.descends()))))
}

async fn link(call: Call) -> Answer {
    let schema = Schema::declare(LINKS);
    let mut sent = spring::accepted(&call, &schema, "noteLinkUpdateCollection")?;
    if has_nul(&call) {
        return Err(spring::refused("the path contains a NUL character"));
    }
    let changes = sent.remove("notes").unwrap_or_default();
    notes::link(&call.session, call.param("type"), call.param("id"), &changes).await?;
    Ok(Reply::no_content())
}
