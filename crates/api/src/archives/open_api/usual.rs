//! What follows from the place of a route: those at the address of a record type are alike for all types (contract 2, 3.1).

use ::archives::model::{RecordType, class_name, record_types};
use http::Method;

use crate::{
    archives::endpoint::{Endpoint, Paging},
    route::Body,
};

/// Types whose records may be needed by others, so that they cannot be deleted.
const NEEDED: [&str; 8] = [
    "accession",
    "agent_corporate_entity",
    "agent_person",
    "archival_object",
    "digital_object",
    "location",
    "resource",
    "top_container",
];

/// What is said of a route that does not say it itself.
pub(super) struct Usual {
    pub(super) summary: String,
    pub(super) takes: Option<Body>,
    pub(super) gives: Body,
    pub(super) refuses: &'static [u16],
}

/// The usual description of a route; `None` if it is not at the address of a record type.
pub(super) fn usual(endpoint: &Endpoint) -> Option<Usual> {
    record_types().iter().find_map(|of| {
        let rest = endpoint.path.strip_prefix(&of.uri.as_deref()?.replace(":repo_id", "{repo_id}"))?;
        at(endpoint, of, rest)
    })
}

fn at(endpoint: &Endpoint, of: &RecordType, rest: &str) -> Option<Usual> {
    let class = class_name(&of.name);
    let record = || Body::json(&format!(":{class}"));
    let words = of.name.replace('_', " ");
    let one = format!("{} {words}", if words.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" });
    let many = endpoint.path.rsplit('/').next().unwrap_or_default().replace('_', " ");
    let plain = |summary: String, gives: Body| Usual { summary, takes: None, gives, refuses: &[] };
    let answer = |name: &str| Body::json(&format!(":{name}"));
    Some(match (&endpoint.method, rest) {
        (&Method::GET, "") if endpoint.paging == Paging::None => {
            plain(format!("List all {many}"), Body::json(&format!("[{class}]")))
        }
        (&Method::GET, "") => plain(format!("List {many}"), record()),
        (&Method::GET, "/{id}") => plain(format!("Read {one}"), record()),
        (&Method::POST, "") => Usual { takes: Some(record()), ..plain(format!("Add {one}"), answer("Saved")) },
        (&Method::POST, "/{id}") => {
            Usual { takes: Some(record()), refuses: &[409], ..plain(format!("Replace {one}"), answer("Saved")) }
        }
        (&Method::DELETE, "/{id}") => {
            let refuses: &[u16] = if NEEDED.contains(&of.name.as_str()) { &[409] } else { &[] };
            Usual { refuses, ..plain(format!("Delete {one}"), answer("Deleted")) }
        }
        (&Method::POST, "/{id}/publish") => plain(format!("Publish {one} and all below"), answer("Updated")),
        (&Method::POST, "/{id}/unpublish") => plain(format!("Take back {one} and all below"), answer("Updated")),
        (&Method::POST, "/{id}/suppressed") => plain(format!("Suppress {one}, or show it again"), answer("Suppressed")),
        _ => return None,
    })
}
