//! Merging records into one of their kind (contract 3.2, 3.3).

use ::archives::{
    merges::{Merge, combined, selected},
    model::Uri,
    records::{Place, Replacement},
    refusal::Refusal,
    resolve::{Wanted, resolve},
};
use http::Method;
use serde_json::{Map, Value, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::{Problem, Reply};

const VIEW_CONTACTS: &str = "view_agent_contact_record_global";
/// Types that are merged by themselves, with the permission; those of a repository name it in a parameter.
const SERVED: [(&str, &[&str]); 5] = [
    ("subject", &["merge_subject_record"]),
    ("container_profile", &["update_container_profile_record"]),
    ("top_container", &["manage_container_record"]),
    ("resource", &["merge_archival_record"]),
    ("digital_object", &["merge_archival_record"]),
];
/// What the answer of a detailed merge resolves.
const RESOLVED: &str = "subjects related_agents agent_places agent_occupations agent_functions agent_topics \
                        agent_resources places";

pub(super) fn routes(endpoints: &mut Endpoints) {
    for (kind, needs) in SERVED {
        let path = format!("/merge_requests/{kind}");
        let endpoint = endpoints
            .add(Method::POST, &path, needs, move |call| merge(call, kind))
            .takes(":MergeRequest")
            .summary("Merge records of this type")
            .gives(":Merged")
            .refuses(&[404]);
        // It may be on loan.
        if kind == "top_container" {
            endpoint.refuses(&[409]);
        }
        if !["subject", "container_profile"].contains(&kind) {
            endpoint.asks("repo_id!:int");
        }
    }
    let needs: &[&str] = &["merge_agent_record"];
    endpoints
        .add(Method::POST, "/merge_requests/agent", needs, merge_agents)
        .takes(":MergeRequest")
        .summary("Merge agents")
        .gives(":Merged")
        .refuses(&[404, 409]);
    endpoints
        .add(Method::POST, "/merge_requests/agent_detail", needs, merge_details)
        .takes(":any")
        .asks("dry_run:bool")
        .summary("Merge an agent with chosen parts of another, or show how it would be")
        .gives(":Merged")
        .refuses(&[404, 409]);
}

async fn merge(call: Call, kind: &'static str) -> Answer {
    let request = call.record("merge_request")?.record;
    let outside = "All records to merge must be in the repository specified";
    let repository = call.repository;
    if repository.is_some() {
        Merge::read(&request, |uri| uri.repository == repository, outside)?;
    }
    let message = format!("This merge request can only merge {kind} records");
    let merge = Merge::read(&request, |uri| uri.kind.name == kind, &message)?;
    merge.run(&call.session, &call.author()).await?;
    Ok(Reply::json(&merge.answer(json!([]))))
}

fn is_agent(uri: &Uri) -> bool {
    uri.kind.name.starts_with("agent_")
}

const ONLY_AGENTS: &str = "Agent merge request can only merge agent records";

/// Who may not see the contacts of agents cannot merge those that have some.
async fn check_contacts(call: &Call, merge: &Merge) -> Result<(), Problem> {
    if call.rights.can(VIEW_CONTACTS, None) {
        return Ok(());
    }
    let records = merge.records(&call.session).await?;
    let has_contacts = |record: &Value| record["agent_contacts"].as_array().is_some_and(|all| !all.is_empty());
    if records.iter().any(has_contacts) {
        let text = "The merge cannot be completed because one or more of the agents has contact details you do not \
                    have permission to access.";
        return Err(Refusal::Conflict(text.to_owned()).into());
    }
    Ok(())
}

async fn merge_agents(call: Call) -> Answer {
    let request = call.record("merge_request")?.record;
    let merge = Merge::read(&request, is_agent, ONLY_AGENTS)?;
    check_contacts(&call, &merge).await?;
    merge.run(&call.session, &call.author()).await?;
    Ok(Reply::json(&merge.answer(json!([]))))
}

/// Merges agents of one type, the destination with chosen parts of the first candidate; a dry run only shows it.
async fn merge_details(call: Call) -> Answer {
    // Clients may send the request as a member beside the parameters.
    let mut body = call.json()?;
    let dry_run = call.parameters.boolean("dry_run").or_else(|| body["dry_run"].as_bool()).unwrap_or(false);
    let sent = body.get_mut("merge_request_detail").map(Value::take).unwrap_or(body);
    let request = call.checked("merge_request_detail", sent)?.record;
    let merge = Merge::read(&request, is_agent, ONLY_AGENTS)?;
    let chosen = selected(request.get("selections").unwrap_or(&Value::Null));
    let mut records = merge.records(&call.session).await?.into_iter();
    let destination = records.next().unwrap_or_default();
    let candidate = records.next().unwrap_or_else(|| destination.clone());
    let kind = merge.destination.kind.name.as_str();
    if candidate["jsonmodel_type"] != kind {
        return Err(Refusal::parameter("merge_request_detail", "The agents are not of the same type").into());
    }
    let mut result = combined(destination.clone(), &candidate, &chosen)?;
    let checked = call.checked(kind, result.clone())?;
    if !dry_run {
        check_contacts(&call, &merge).await?;
        let place = Place { kind, repository: None };
        let replacement = Replacement { place, id: merge.destination.id, checked, before: &destination };
        merge.run_with(&call.session, Some(replacement).filter(|_| !chosen.is_empty()), &call.author()).await?;
        result = merge_result(&call, &merge).await?;
    }
    resolve(&call.session, &mut result, &Wanted::read(RESOLVED.split_whitespace()), call.seen()).await?;
    call.hide_of_authorities(&mut result);
    let selections: Map<String, Value> = chosen
        .iter()
        .map(|(part, place, field, position)| (format!("{part}.{place}.{field}.{position}"), json!("REPLACE")))
        .collect();
    let mut answer = merge.answer(selections.into());
    answer["result"] = result;
    Ok(Reply::json(&answer))
}

/// The destination after the merge.
async fn merge_result(call: &Call, merge: &Merge) -> Result<Value, Problem> {
    let alone = Merge { destination: merge.destination, candidates: Vec::new() };
    Ok(alone.records(&call.session).await?.into_iter().next().unwrap_or_default())
}
