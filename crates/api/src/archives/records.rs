//! The routes that every type of archival description has: list, read, add, change and delete; publish and suppress
//! (contract 3.1).

use ::archives::{
    model::{Checked, record_type},
    records,
};
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
    /// Permissions to list and read.
    view: &'static [&'static str],
    /// Permissions to add and change.
    update: &'static [&'static str],
    /// Permissions to delete.
    delete: &'static [&'static str],
    /// Further routes: `publish`, `unpublish`, `suppressed`.
    also: &'static [&'static str],
}

const VIEW: &[&str] = &["view_repository"];
const DELETE: &[&str] = &["delete_archival_record"];
const UPDATE_RESOURCE: &[&str] = &["update_resource_record"];
const UPDATE_DIGITAL: &[&str] = &["update_digital_object_record"];
const UPDATE_LOCATION: &[&str] = &["update_location_record"];
const UPDATE_PROFILE: &[&str] = &["update_container_profile_record"];
const UPDATE_LOCATION_PROFILE: &[&str] = &["update_location_profile_record"];
const UPDATE_ACCESSION: &[&str] = &["update_accession_record"];
const UPDATE_EVENT: &[&str] = &["update_event_record"];
const DELETE_EVENT: &[&str] = &["delete_event_record"];
const UPDATE_CLASSES: &[&str] = &["update_classification_record"];
const DELETE_CLASSES: &[&str] = &["delete_classification_record"];
const UPDATE_ASSESSMENT: &[&str] = &["update_assessment_record"];
const DELETE_ASSESSMENT: &[&str] = &["delete_assessment_record"];
const ALL: &[&str] = &["publish", "unpublish", "suppressed"];

const TYPES: [Described; 12] = [
    Described { kind: "resource", view: VIEW, update: UPDATE_RESOURCE, delete: DELETE, also: ALL },
    Described { kind: "archival_object", view: VIEW, update: UPDATE_RESOURCE, delete: DELETE, also: ALL },
    Described {
        kind: "digital_object",
        view: VIEW,
        update: UPDATE_DIGITAL,
        delete: DELETE,
        also: &["publish", "suppressed"],
    },
    Described {
        kind: "digital_object_component",
        view: VIEW,
        update: UPDATE_DIGITAL,
        delete: DELETE,
        also: &["suppressed"],
    },
    Described { kind: "accession", view: VIEW, update: UPDATE_ACCESSION, delete: DELETE, also: &["suppressed"] },
    Described { kind: "event", view: VIEW, update: UPDATE_EVENT, delete: DELETE_EVENT, also: &["suppressed"] },
    Described { kind: "classification", view: VIEW, update: UPDATE_CLASSES, delete: DELETE_CLASSES, also: &[] },
    Described { kind: "classification_term", view: VIEW, update: UPDATE_CLASSES, delete: DELETE_CLASSES, also: &[] },
    Described { kind: "assessment", view: VIEW, update: UPDATE_ASSESSMENT, delete: DELETE_ASSESSMENT, also: &[] },
    Described { kind: "container_profile", view: &[], update: UPDATE_PROFILE, delete: UPDATE_PROFILE, also: &[] },
    Described {
        kind: "location_profile",
        view: &[],
        update: UPDATE_LOCATION_PROFILE,
        delete: UPDATE_LOCATION_PROFILE,
        also: &[],
    },
    Described { kind: "location", view: &[], update: UPDATE_LOCATION, delete: UPDATE_LOCATION, also: &[] },
];

/// The permissions to delete records of a type; `None` for types that cannot be deleted.
pub(super) fn delete_needs(kind: &str) -> Option<&'static [&'static str]> {
    let described = TYPES.iter().find(|of| of.kind == kind).map(|of| of.delete);
    described.or(match kind {
        "top_container" => Some(&["manage_container_record"]),
        "subject" => Some(&["delete_subject_record"]),
        "agent_person" | "agent_family" | "agent_corporate_entity" | "agent_software" => Some(&["delete_agent_record"]),
        _ => None,
    })
}

pub(super) fn routes(endpoints: &mut Endpoints) {
    for Described { kind, view, update, delete, also } in TYPES {
        let uri = record_type(kind).and_then(|of| of.uri.as_deref()).unwrap_or_default();
        let all = uri.replace(":repo_id", "{repo_id}");
        let one = format!("{all}/{{id}}");
        endpoints.add(Method::GET, &all, view, move |call| list(call, kind)).paginated();
        endpoints.add(Method::POST, &all, update, move |call| add(call, kind)).takes_record();
        endpoints.add(Method::GET, &one, view, move |call| get(call, kind)).asks("resolve:texts");
        endpoints.add(Method::POST, &one, update, move |call| change(call, kind)).takes_record();
        endpoints.add(Method::DELETE, &one, delete, move |call| remove(call, kind));
        for word in also {
            let path = format!("{one}/{word}");
            match *word {
                "suppressed" => {
                    let needs: &[&str] = &["suppress_archival_record"];
                    endpoints
                        .add(Method::POST, &path, needs, move |call| suppress(call, kind))
                        .asks("suppressed!:bool");
                }
                word => {
                    let published = word == "publish";
                    endpoints.add(Method::POST, &path, update, move |call| publish(call, kind, published));
                }
            }
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
    let checked = call.new_record(kind)?;
    save(&call, kind, checked).await
}

/// Adds a record.
pub(super) async fn save(call: &Call, kind: &'static str, checked: Checked) -> Answer {
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
