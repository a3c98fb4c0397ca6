//! The routes that find records by identifiers, and the feed of deleted records (contract 3.5).

use ::archives::{lookups, refusal::Refusal};
use http::{Method, StatusCode, header::LOCATION};
use serde_json::{Value, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::{answer::Reply, route::Body};

/// A type whose records are found: the name in the path, the type, and its members in the query.
struct Found {
    path: &'static str,
    kind: &'static str,
    members: &'static [&'static str],
}

const TYPES: [Found; 5] = [
    Found { path: "resources", kind: "resource", members: &["identifier", "ark"] },
    Found { path: "archival_objects", kind: "archival_object", members: &["ref_id", "component_id", "ark"] },
    Found { path: "digital_objects", kind: "digital_object", members: &["digital_object_id"] },
    Found { path: "digital_object_components", kind: "digital_object_component", members: &["component_id"] },
    Found { path: "top_containers", kind: "top_container", members: &["indicator", "barcode"] },
];

pub(super) fn routes(endpoints: &mut Endpoints) {
    for of in &TYPES {
        let path = format!("/repositories/{{repo_id}}/find_by_id/{}", of.path);
        let endpoint = endpoints.add(Method::GET, &path, &["view_repository"], move |call| find(call, of));
        endpoint
            .asks("resolve:texts")
            .summary("Find records by their identifiers")
            .gives(&format!("{}*[Link]", of.path));
        for member in of.members {
            endpoint.asks_texts(member);
        }
    }
    endpoints
        .add(Method::GET, "/by-external-id", &["view_all_records"], by_external_id)
        .asks("eid!:text type:texts")
        .summary("Find records by the identifier of another system: one, several or none")
        .gives(":any")
        .or_gives(StatusCode::SEE_OTHER, Body::json(":any"))
        .or_gives(StatusCode::MULTIPLE_CHOICES, Body::json("[]"))
        .or_gives(StatusCode::NOT_FOUND, Body::json("[]"));
    endpoints
        .add(Method::GET, "/delete-feed", &["index_system"], deletions)
        .paged()
        .summary("List the addresses of deleted records")
        .gives(":text");
}

async fn find(call: Call, of: &'static Found) -> Answer {
    let mut wanted: Vec<(&str, Vec<String>)> = Vec::new();
    for member in of.members {
        let sent = call.parameters.texts(member);
        let stored = |text: &String| match *member {
            "identifier" => lookups::whole_identifier(text).transpose(),
            "ark" => Some(Ok(lookups::whole_ark(text))),
            _ => Some(Ok(text.clone())),
        };
        if !sent.is_empty() {
            wanted.push((member, sent.iter().filter_map(stored).collect::<Result<_, Refusal>>()?));
        }
    }
    let found = lookups::find(&call.session, call.place(of.kind), &wanted, call.seen()).await?;
    call.resolved(json!({of.path: found})).await
}

/// One record: its address to go to; several: their addresses.
async fn by_external_id(call: Call) -> Answer {
    let id = call.parameters.text("eid").unwrap_or_default();
    let types = Some(call.parameters.texts("type").to_vec()).filter(|types| !types.is_empty());
    let found = lookups::by_external_id(&call.session, id, types, call.seen()).await?;
    Ok(match found.as_slice() {
        [] => Reply::json(&json!([])).with_status(StatusCode::NOT_FOUND),
        [one] => Reply::json(&Value::Null).with_status(StatusCode::SEE_OTHER).with_header(LOCATION, one),
        several => Reply::json(&json!(several)).with_status(StatusCode::MULTIPLE_CHOICES),
    })
}

async fn deletions(call: Call) -> Answer {
    let (page, since) = call.page()?;
    let page = page.ok_or_else(|| Refusal::parameter("page", "Parameter required but no value provided"))?;
    Ok(Reply::json(&lookups::deletions(&call.session, page, since).await?))
}
