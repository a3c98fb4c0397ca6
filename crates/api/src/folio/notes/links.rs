//! The notes about one thing, and tying notes to it.

use std::sync::Arc;

use patrons::notes::{self, LinkStatus, LinkedNotes, NoteOrder};
use serde_json::Value;
use store::{collection::Collection, record::is_uuid};

use super::unprocessable;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

/// More notes than this are not given at once.
const MOST: i64 = 1_000;

pub(super) fn routes(routes: &mut Routes, collection: &Arc<Collection>) {
    let notes = Arc::clone(collection);
    let route = routes.get(
        "/note-links/domain/{domain}/type/{type}/id/{id}",
        move |call| list(call, Arc::clone(&notes)),
    );
    route
        .summary("Notes about one thing")
        .lists(collection.list);
    route.gives = Some(collection.schema.clone());
    routes
        .put("/note-links/type/{type}/id/{id}", link)
        .summary("Tie notes to a thing, or untie them")
        .takes("notes*[{id*:uuid, status*:(ASSIGNED|UNASSIGNED)}]");
}

async fn list(call: Call, collection: Arc<Collection>) -> Answer {
    let wanted = LinkedNotes {
        domain: call.param("domain"),
        kind: call.param("type"),
        id: call.param("id"),
        status: status(call.query.get("status"))?,
        search: call
            .query
            .get("search")
            .filter(|text| !text.trim().is_empty()),
        types: call
            .query
            .all("noteType")
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        order: order(call.query.get("orderBy"), call.query.get("order"))?,
        limit: call.limit(MOST)?.min(MOST),
        offset: call.offset()?,
    };
    if has_nul(&call) {
        return Err(unprocessable("a parameter contains a NUL character"));
    }
    let (notes, total) = notes::linked(&call.session, &collection, &wanted).await?;
    Ok(Reply::json_text(format!(
        "{{\"notes\":{notes},\"totalRecords\":{total}}}"
    )))
}

/// PostgreSQL cannot compare with a NUL character.
fn has_nul(call: &Call) -> bool {
    let in_path = call.path.iter().any(|(_, value)| value.contains('\0'));
    let query = ["search", "noteType"];
    in_path
        || query
            .iter()
            .any(|name| call.query.all(name).any(|value| value.contains('\0')))
}

fn status(text: Option<&str>) -> Result<LinkStatus, Problem> {
    match text.map(str::to_lowercase).as_deref() {
        None | Some("all" | "") => Ok(LinkStatus::All),
        Some("assigned") => Ok(LinkStatus::Assigned),
        Some("unassigned") => Ok(LinkStatus::Unassigned),
        Some(other) => Err(unprocessable(&format!(
            "Unexpected value '{other}' of status"
        ))),
    }
}

fn order(by: Option<&str>, direction: Option<&str>) -> Result<Option<(NoteOrder, bool)>, Problem> {
    let order = match by.map(str::to_lowercase).as_deref() {
        None | Some("") => None,
        Some("title") => Some(NoteOrder::Title),
        Some("content") => Some(NoteOrder::Content),
        Some("notetype") => Some(NoteOrder::NoteType),
        Some("updateddate") => Some(NoteOrder::UpdatedDate),
        Some(other) => {
            return Err(unprocessable(&format!(
                "Unexpected value '{other}' of orderBy"
            )));
        }
    };
    let descending = match direction.map(str::to_lowercase).as_deref() {
        None | Some("") => None,
        Some("asc") => Some(false),
        Some("desc") => Some(true),
        Some(other) => {
            return Err(unprocessable(&format!(
                "Unexpected value '{other}' of order"
            )));
        }
    };
    Ok(order.map(|order| (order, descending.unwrap_or(order.descends()))))
}

async fn link(call: Call) -> Answer {
    let sent: Value = serde_json::from_slice(&call.body)
        .map_err(|error| unprocessable(&format!("JSON parse error: {error}")))?;
    let changes = sent["notes"]
        .as_array()
        .ok_or_else(|| unprocessable("notes must not be null"))?;
    for change in changes {
        if !change["id"].as_str().is_some_and(is_uuid) {
            return Err(unprocessable("id of a note must be a UUID"));
        }
        if !matches!(change["status"].as_str(), Some("ASSIGNED" | "UNASSIGNED")) {
            return Err(unprocessable(
                "status of a note must be ASSIGNED or UNASSIGNED",
            ));
        }
    }
    if has_nul(&call) {
        return Err(unprocessable("the path contains a NUL character"));
    }
    notes::link(
        &call.session,
        call.param("type"),
        call.param("id"),
        &sent["notes"],
    )
    .await?;
    Ok(Reply::no_content())
}
