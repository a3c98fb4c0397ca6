//! Moving records to another repository or resource, and deleting several at once (contract 3.1, 3.2).

use ::archives::{
    model::Uri,
    records::{self, Place},
    refusal::Refusal,
    transfers,
};
use http::{Method, StatusCode};
use serde_json::{Value, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
    records as generic,
};
use crate::answer::{Problem, Reply};

/// The types that move alone, with the permission, which is needed in both repositories.
const SERVED: [(&str, &[&str]); 3] = [
    ("accession", &["update_accession_record"]),
    ("resource", &["update_resource_record"]),
    ("digital_object", &["update_digital_object_record"]),
];
/// What is in the way of a move, by address.
const CONFLICTS: &str = "error*:text|Conflicts";
/// How many records one request deletes at most.
const MOST: usize = 1000;

pub(super) fn routes(endpoints: &mut Endpoints) {
    for (kind, needs) in SERVED {
        let path = format!("/repositories/{{repo_id}}/{kind}s/{{id}}/transfer");
        endpoints
            .add(Method::POST, &path, needs, move |call| transfer(call, kind, needs))
            .asks("target_repo!:text")
            .summary("Move a record to another repository")
            .gives(":Moved")
            .refuses_with(409, CONFLICTS);
    }
    let all = "/repositories/{repo_id}/transfer";
    endpoints
        .add(Method::POST, all, &["transfer_repository"], transfer_all)
        .asks("target_repo!:text")
        .summary("Move all records to another repository")
        .gives(":Done")
        .refuses_with(409, CONFLICTS);
    let components = "/repositories/{repo_id}/component_transfers";
    endpoints
        .add(Method::POST, components, &["update_resource_record"], transfer_component)
        .asks("target_resource!:text component!:text")
        .summary("Move a component and all below to another resource")
        .gives("component*, resource*, event*")
        .refuses(&[404]);
    // The permission follows from each record.
    endpoints
        .add(Method::POST, "/batch_delete", &[], delete)
        .asks("record_uris!:texts")
        .summary("Delete records, all or none")
        .gives("status*, results*[{status*, id*:int, uri*}]")
        .refuses(&[409])
        .refuses_with(403, "error*{failures*[{response*[], uri*}]}");
}

/// The repository that records go to, in which the caller has the right, too.
async fn target(call: &Call, needs: &[&str]) -> Result<i64, Problem> {
    let uri = call.parameters.text("target_repo").unwrap_or_default();
    let found = Uri::parse(uri).filter(|uri| uri.kind.name == "repository" && uri.id != 1).map(|uri| uri.id);
    let unknown = || Refusal::parameter("target_repo", "Repository not found");
    let id = found.ok_or_else(unknown)?;
    if !call.tenant.archives.has_repository(&call.session, id).await? {
        return Err(unknown().into());
    }
    if needs.iter().all(|code| call.rights.can(code, Some(id))) { Ok(id) } else { Err(Refusal::Denied.into()) }
}

async fn transfer(call: Call, kind: &'static str, needs: &'static [&'static str]) -> Answer {
    let to = target(&call, needs).await?;
    transfers::transfer(&call.session, call.place(kind), Some(call.id()), to, &call.author()).await?;
    Ok(Reply::json(&json!({"status": "Moved", "id": call.id(), "merge_destination": to})))
}

async fn transfer_all(call: Call) -> Answer {
    let to = target(&call, &["transfer_repository"]).await?;
    transfers::transfer(&call.session, call.place("repository"), None, to, &call.author()).await?;
    Ok(Reply::json(&json!({"status": "OK"})))
}

async fn transfer_component(call: Call) -> Answer {
    let text = |name| call.parameters.text(name).unwrap_or_default();
    let repository = call.repository.unwrap_or_default();
    let (component, resource) = (text("component"), text("target_resource"));
    let author = call.author();
    Ok(Reply::json(&transfers::transfer_component(&call.session, repository, component, resource, &author).await?))
}

/// Deletes records, all of them or none. Each is refused as it would be alone.
async fn delete(call: Call) -> Answer {
    let uris = call.parameters.texts("record_uris");
    if uris.len() > MOST {
        return Err(Refusal::parameter("record_uris", format!("At most {MOST} records can be deleted at once")).into());
    }
    let mut failures = Vec::new();
    let mut places: Vec<(Place, i64)> = Vec::new();
    let mut refuse = |uri: &str, refusal: Refusal| {
        let body = refusal.answer().map_or(Value::Null, |(_, body)| body);
        failures.push(json!({"response": [body.to_string()], "uri": uri}));
    };
    for uri in uris {
        let known = Uri::parse(uri).and_then(|of| Some((of, generic::delete_needs(&of.kind.name)?)));
        match known {
            None => refuse(uri, Refusal::NotFound("Resource not found".to_owned())),
            Some((of, needs)) if !needs.iter().all(|code| call.rights.can(code, of.repository)) => {
                refuse(uri, Refusal::Denied);
            }
            Some((of, _)) => places.push((Place { kind: &of.kind.name, repository: of.repository }, of.id)),
        }
    }
    if places.len() == uris.len() {
        for (place, refusal) in records::delete_all(&call.session, &places, &call.author()).await? {
            refuse(&uris[place], refusal);
        }
    }
    if !failures.is_empty() {
        return Err(Problem::Json(StatusCode::FORBIDDEN, json!({"error": {"failures": failures}})));
    }
    let results = uris.iter().zip(&places).map(|(uri, (_, id))| json!({"status": "Deleted", "id": id, "uri": uri}));
    Ok(Reply::json(&json!({"status": "OK", "results": results.collect::<Vec<_>>()})))
}
