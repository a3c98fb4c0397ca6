//! Changes of many top containers at once, and what containers a record has (contract 3.1, 3.2, 3.4).

use ::archives::{
    containers::{self, Member, Unknown},
    refusal::Refusal,
};
use http::Method;
use serde_json::{Value, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
    records as generic,
};
use crate::answer::Reply;

const KIND: &str = "top_container";
const VIEW: &[&str] = &["view_repository"];
const UPDATE: &[&str] = &["update_container_record"];
const MANAGE: &[&str] = &["manage_container_record"];
/// Paths of changes to the same value, with the parameter that has it.
const BATCHES: [(&str, Member, &str); 3] = [
    ("ils_holding_id", Member::IlsHolding, "ids!:ints ils_holding_id!:text"),
    ("container_profile", Member::Profile, "ids!:ints container_profile_uri!:text"),
    ("location", Member::Location, "ids!:ints location_uri!:text"),
];
/// Paths of changes to a value for each container.
const BULKS: [(&str, Member); 3] =
    [("barcodes", Member::Barcode), ("indicators", Member::Indicator), ("locations", Member::Location)];

pub(super) fn routes(endpoints: &mut Endpoints) {
    let all = "/repositories/{repo_id}/top_containers";
    let one = format!("{all}/{{id}}");
    endpoints.add(Method::GET, all, VIEW, |call| generic::list(call, KIND)).paginated();
    endpoints.add(Method::POST, all, UPDATE, add).takes_record();
    endpoints.add(Method::GET, &one, VIEW, |call| generic::get(call, KIND)).asks("resolve:texts");
    endpoints.add(Method::POST, &one, UPDATE, change).takes_record();
    endpoints.add(Method::DELETE, &one, MANAGE, |call| generic::remove(call, KIND));
    for (name, member, parameters) in BATCHES {
        let path = format!("{all}/batch/{name}");
        endpoints
            .add(Method::POST, &path, MANAGE, move |call| batch(call, member))
            .asks(parameters)
            .summary("Give containers the same value of this kind")
            .gives("records_updated*:int, error");
    }
    for (name, member) in BULKS {
        let path = format!("{all}/bulk/{name}");
        let endpoint = endpoints
            .add(Method::POST, &path, MANAGE, move |call| bulk(call, member))
            .summary("Give each container a value of this kind")
            .takes(":object")
            .gives("updated[int], records_ids_updated[int], records_updated:int")
            .refuses(&[404]);
        // Without one it would be lent no more, and it may be on loan.
        if member == Member::Barcode {
            endpoint.refuses(&[409]);
        }
    }
    for kind in ["resource", "accession"] {
        let path = format!("/repositories/{{repo_id}}/{kind}s/{{id}}/top_containers");
        endpoints
            .add(Method::GET, &path, VIEW, move |call| of_record(call, kind))
            .asks("resolve:texts")
            .summary("List the containers of a record and of all below it")
            .gives("[Link]");
    }
    for kind in ["resource", "archival_object"] {
        let path = format!("/repositories/{{repo_id}}/{kind}s/{{id}}/models_in_graph");
        endpoints
            .add(Method::GET, &path, VIEW, move |call| types_of_graph(call, kind))
            .summary("List the types of the records that belong to a record")
            .gives("[]");
    }
}

async fn add(call: Call) -> Answer {
    let checked = call.record(KIND)?;
    containers::check_locations(&call.session, &checked.record).await?;
    generic::save(&call, KIND, checked).await
}

async fn change(call: Call) -> Answer {
    let checked = call.record(KIND)?;
    containers::check_locations(&call.session, &checked.record).await?;
    generic::replace(&call, KIND, checked).await
}

async fn set(call: &Call, member: Member, values: &[(i64, String)], unknown: Unknown) -> Result<Vec<i64>, Refusal> {
    let repository = call.repository.unwrap_or_default();
    containers::set(&call.session, repository, member, values, unknown, &call.author()).await
}

async fn batch(call: Call, member: Member) -> Answer {
    let name = match member {
        Member::Profile => "container_profile_uri",
        Member::Location => "location_uri",
        _ => "ils_holding_id",
    };
    let value = call.parameters.text(name).unwrap_or_default();
    let values: Vec<(i64, String)> =
        call.parameters.integers("ids").into_iter().map(|id| (id, value.to_owned())).collect();
    // A holding is given to the containers that there are; a profile or a location to all of them or to none, and what does not
    // exist is told in an answer of success (ArchivesSpace's `TopContainer.bulk_update_location`).
    let is_link = member != Member::IlsHolding;
    let unknown = if is_link && !value.trim().is_empty() { Unknown::Refused } else { Unknown::LeftOut };
    let failed = |error: String| json!({"records_updated": 0, "error": error});
    let answer = match set(&call, member, &values, unknown).await {
        Ok(changed) => json!({"records_updated": if is_link { values.len() } else { changed.len() }}),
        Err(Refusal::MissingReference(_)) => failed(format!("{} not found: {value}", member.target_name())),
        Err(refusal @ (Refusal::NotFound(_) | Refusal::BadRequest(_))) if unknown == Unknown::Refused => {
            failed(refusal.to_string())
        }
        Err(refusal) => return Err(refusal.into()),
    };
    Ok(Reply::json(&answer))
}

async fn bulk(call: Call, member: Member) -> Answer {
    let body = call.json()?;
    let Value::Object(sent) = body else {
        return Err(Refusal::BadRequest("Wanted an object of containers and their values".to_owned()).into());
    };
    let mut values = Vec::with_capacity(sent.len());
    for (uri, value) in sent {
        let text = match value {
            Value::String(text) => text,
            // An indicator that is not given stays; other values are removed.
            Value::Null if member == Member::Indicator => continue,
            Value::Null => String::new(),
            other => other.to_string(),
        };
        if member == Member::Location && text.is_empty() {
            return Err(Refusal::BadRequest("Location not found: ".to_owned()).into());
        }
        values.push((containers::id_of(&uri, call.repository.unwrap_or_default())?, text));
    }
    let changed = set(&call, member, &values, Unknown::Refused).await?;
    Ok(Reply::json(&if member == Member::Location {
        json!({"records_ids_updated": changed, "records_updated": changed.len()})
    } else {
        json!({"updated": changed})
    }))
}

async fn of_record(call: Call, kind: &'static str) -> Answer {
    Ok(Reply::json(&containers::of_record(&call.session, call.place(kind), call.id(), call.seen()).await?))
}

async fn types_of_graph(call: Call, kind: &'static str) -> Answer {
    let mut types = containers::types_of_graph(&call.session, call.place(kind), call.id(), call.seen()).await?;
    // A resource is no part of itself.
    if let Some(types) = types.as_array_mut().filter(|_| kind == "resource") {
        types.retain(|one| one != kind);
    }
    Ok(Reply::json(&types))
}
