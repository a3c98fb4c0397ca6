//! The routes that every type of archival description has: list, read, add, change and delete; publish and suppress
//! (contract 3.1).

use ::archives::{model::Checked, records};
use http::Method;
use serde_json::json;

use super::{
    call::{Call, saved, updated},
    endpoint::{Answer, Endpoints},
};
use crate::answer::Reply;

/// A type with these routes.
struct Described {
    kind: &'static str,
    /// In the path.
    plural: &'static str,
    /// Permissions to add and change.
    update: &'static [&'static str],
    /// Permissions to delete.
    delete: &'static [&'static str],
    publishes: bool,
    unpublishes: bool,
    suppresses: bool,
}

const UPDATE_RESOURCE: &[&str] = &["update_resource_record"];
const DELETE: &[&str] = &["delete_archival_record"];
const VIEW: &[&str] = &["view_repository"];

const TYPES: [Described; 2] = [
    Described {
        kind: "resource",
        plural: "resources",
        update: UPDATE_RESOURCE,
        delete: DELETE,
        publishes: true,
        unpublishes: true,
        suppresses: true,
    },
    Described {
        kind: "archival_object",
        plural: "archival_objects",
        update: UPDATE_RESOURCE,
        delete: DELETE,
        publishes: true,
        unpublishes: true,
        suppresses: true,
    },
];

pub(super) fn routes(endpoints: &mut Endpoints) {
    for Described { kind, plural, update, delete, publishes, unpublishes, suppresses } in TYPES {
        let all = format!("/repositories/{{repo_id}}/{plural}");
        let one = format!("{all}/{{id}}");
        endpoints.add(Method::GET, &all, VIEW, move |call| list(call, kind)).paginated();
        endpoints.add(Method::POST, &all, update, move |call| add(call, kind)).takes_record();
        endpoints.add(Method::GET, &one, VIEW, move |call| get(call, kind)).asks("resolve:texts");
        endpoints.add(Method::POST, &one, update, move |call| change(call, kind)).takes_record();
        endpoints.add(Method::DELETE, &one, delete, move |call| remove(call, kind));
        for (word, published) in [("publish", true), ("unpublish", false)] {
            if if published { publishes } else { unpublishes } {
                let path = format!("{one}/{word}");
                endpoints.add(Method::POST, &path, update, move |call| publish(call, kind, published));
            }
        }
        if suppresses {
            let path = format!("{one}/suppressed");
            let needs: &[&str] = &["suppress_archival_record"];
            endpoints.add(Method::POST, &path, needs, move |call| suppress(call, kind)).asks("suppressed!:bool");
        }
    }
}

pub(super) async fn list(call: Call, kind: &'static str) -> Answer {
    let (listing, since) = call.listing()?;
    let mut found = records::list(&call.session, call.place(kind), &listing, since, call.seen()).await?;
    match found.get_mut("results") {
        Some(results) => {
            call.resolve(results).await?;
            Ok(Reply::json(&found))
        }
        None => call.resolved(found).await,
    }
}

pub(super) async fn add(call: Call, kind: &'static str) -> Answer {
    let checked = call.record(kind)?;
    let warnings = checked.warnings.clone();
    let id = records::add(&call.session, call.place(kind), checked, &call.author()).await?;
    Ok(saved("Created", call.place(kind), id, 0, &warnings))
}

pub(super) async fn get(call: Call, kind: &'static str) -> Answer {
    let found = records::get(&call.session, call.place(kind), call.id(), call.seen()).await?;
    call.resolved(found).await
}

pub(super) async fn change(call: Call, kind: &'static str) -> Answer {
    let checked = call.record(kind)?;
    replace(&call, kind, checked).await
}

/// Replaces the record of the path.
pub(super) async fn replace(call: &Call, kind: &'static str, checked: Checked) -> Answer {
    let warnings = checked.warnings.clone();
    let version = records::change(&call.session, call.place(kind), call.id(), checked, &call.author()).await?;
    Ok(saved("Updated", call.place(kind), call.id(), version, &warnings))
}

pub(super) async fn remove(call: Call, kind: &'static str) -> Answer {
    records::delete(&call.session, call.place(kind), call.id(), &call.author()).await?;
    Ok(Reply::json(&json!({"status": "Deleted", "id": call.id()})))
}

pub(super) async fn publish(call: Call, kind: &'static str, published: bool) -> Answer {
    let version = records::publish(&call.session, call.place(kind), call.id(), published, &call.author()).await?;
    Ok(updated(call.id(), version.into()))
}

async fn suppress(call: Call, kind: &'static str) -> Answer {
    let hidden = call.parameters.boolean("suppressed").unwrap_or_default();
    records::suppress(&call.session, call.place(kind), call.id(), hidden, &call.author()).await?;
    Ok(Reply::json(&json!({"status": "Suppressed", "id": call.id(), "suppressed_state": hidden})))
}
