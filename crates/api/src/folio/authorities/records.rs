//! Authorities, and the archive of deleted ones.

use std::sync::Arc;

use ::authorities::{
    collections::{ARCHIVE, AUTHORITY},
    records,
    refusal::{AUTHORITY_UNKNOWN, ID_DIFFERS},
};
use http::StatusCode;
use serde_json::Value;
use store::{collection::Collection, query};

use super::{accepted, asked, get, id, refusing, stamped, switch};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{page, serve},
    folio::declared,
    route::{Answer, Body, Routes, TEXT},
};

/// The records of one list, with only their ids or with all members.
struct Shelf {
    whole: Arc<Collection>,
    ids: Collection,
}

impl Shelf {
    fn of(all: &[Arc<Collection>], table: &str) -> Self {
        let whole = declared(all, table);
        let ids = (*whole).clone().shown_as(whole.path, whole.list, "jsonb_build_object('id', r.id)".to_owned());
        Self { whole, ids }
    }
}

const IDS: &str = "authorities*[{id*:uuid, ...}], totalRecords*:int";

pub(super) fn routes(routes: &mut Routes, all: &[Arc<Collection>]) {
    let kept = declared(all, AUTHORITY);
    let (present, archived) = (Arc::new(Shelf::of(all, AUTHORITY)), Arc::new(Shelf::of(all, ARCHIVE)));
    let listing = serve(routes, &kept, "list", move |call, _| {
        let shelf = Arc::clone(if call.query.flag("deleted") { &archived } else { &present });
        list(call, shelf)
    });
    listing.asks("deleted:bool, idOnly:bool").or_gives(StatusCode::OK, Body::json(IDS));
    refusing(listing.or_gives(StatusCode::OK, Body::media(TEXT)), &[]);
    refusing(serve(routes, &kept, "post", create), &[422]);
    refusing(serve(routes, &kept, "get", |call, kept| get(call, kept, AUTHORITY_UNKNOWN)), &[404]);
    refusing(serve(routes, &kept, "put", replace), &[404, 409, 422]);
    refusing(serve(routes, &kept, "delete", |call, _| delete(call)), &[404]);
    routes
        .post("/authority-storage/expire/authorities", expire)
        .summary("Delete authorities that have been in the archive for longer than the library wants")
        .with_status(StatusCode::ACCEPTED)
        .timer_of("mod-entities-links");
}

/// GET of the list, of the archive with `deleted=true`; as a text only of ids. One round trip.
async fn list(call: Call, shelf: Arc<Shelf>) -> Answer {
    let (id_only, _) = (switch(&call, "idOnly")?, switch(&call, "deleted")?);
    let accepted: Vec<&str> = call.header("accept").unwrap_or("application/json").split(',').map(str::trim).collect();
    if !id_only {
        if accepted == [TEXT] {
            return Err(Problem::bad_request(
                "message: It is not allowed to retrieve authorities in text/plain format\ncode: validation\n\
                 parameters: [(key: Accept, value: text/plain),(key: idOnly, value: false)]",
            ));
        }
        return page(&call, &shelf.whole, &asked(&call, &shelf.whole)?).await;
    }
    let request = asked(&call, &shelf.ids)?;
    if !accepted.contains(&TEXT) {
        return page(&call, &shelf.ids, &request).await;
    }
    let found = query::list(&call.session, &call.app.collections, &shelf.ids, &request).await;
    let found = found.map_err(|error| crate::collections::query_problem(error, &shelf.ids))?;
    let ids: Value = serde_json::from_str(&found.records).map_err(|error| Problem::Internal(error.to_string()))?;
    let ids = ids.as_array().map_or(&[][..], Vec::as_slice).iter().filter_map(|one| one["id"].as_str());
    Ok(Reply::text(ids.collect::<Vec<_>>().join("\n")))
}

/// POST. One round trip.
async fn create(call: Call, collection: Arc<Collection>) -> Answer {
    let mut record = records::normalized(accepted(&call, &collection.schema)?);
    record.insert("_version".to_owned(), 0.into());
    let id = stamped(&call, &mut record);
    records::create(&call.session, id, &record).await?;
    let location = format!("{}/{id}", collection.path);
    Ok(Reply::json(&Value::Object(record)).created(&location))
}

/// PUT. One round trip.
async fn replace(call: Call, collection: Arc<Collection>) -> Answer {
    let id = id(&call, "id")?;
    let mut record = records::normalized(accepted(&call, &collection.schema)?);
    let sent = record.get("id").and_then(Value::as_str).map(str::to_lowercase);
    if sent.as_deref() != Some(&id.to_string()) {
        return Err(ID_DIFFERS.with("path", id).with("id", sent.as_deref().unwrap_or("null")).into());
    }
    stamped(&call, &mut record);
    records::replace(&call.session, id, &record).await?;
    Ok(Reply::no_content())
}

/// DELETE. One round trip.
async fn delete(call: Call) -> Answer {
    records::delete(&call.session, id(&call, "id")?, &call.metadata()).await?;
    Ok(Reply::no_content())
}

async fn expire(call: Call) -> Answer {
    let expired = records::expire(&call.session, call.now).await?;
    tracing::info!(tenant = call.tenant.tenant.id, expired, "deleted authorities expired");
    Ok(Reply::no_content().with_status(StatusCode::ACCEPTED))
}
