//! Dates, extents and room for containers (contract 3.4).

use ::archives::{
    calculators,
    model::Uri,
    refusal::Refusal,
    resolve::{Wanted, resolve},
    space::{self, Where},
};
use http::Method;
use serde_json::Value;

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::{Problem, Reply};

const VIEW: &str = "view_repository";
/// The types that have dates and containers.
const KINDS: [&str; 4] = ["accession", "archival_object", "digital_object", "resource"];
/// How many locations one request looks at most.
const MOST: usize = 1000;
const EXTENT: &str = "object*:Titled, resource*?:Titled, total_extent*:number, container_count*:int,
    container_without_profile_count*:int, units*?, volume*:bool, containers*:object, timestamp*:datetime";
const LISTS: [&str; 3] = ["locations_with_space", "locations_without_space", "uncalculatable_locations"];

pub(super) fn routes(endpoints: &mut Endpoints) {
    // The record says in which repository the caller needs the right to view it.
    endpoints
        .add(Method::GET, "/date_calculator", &[], dates)
        .asks("record_uri!:text label:text")
        .summary("Tell the first and last dates below a record")
        .gives("object*:Titled, resource*:Titled, label*?, min_begin_date*?, min_begin*?, max_end_date*?, max_end*?")
        .refuses(&[403, 404]);
    endpoints
        .add(Method::GET, "/extent_calculator", &[], extent)
        .asks("record_uri!:text unit:text")
        .summary("Tell how much room the containers of a record take")
        .gives(EXTENT)
        .refuses(&[403, 404]);
    let by_location = "/space_calculator/by_location";
    endpoints
        .add(Method::GET, by_location, &[], at_locations)
        .asks("container_profile_uri!:text location_uris!:texts")
        .summary("Tell how many containers fit into locations")
        .gives(":Room");
    let by_building = "/space_calculator/by_building";
    endpoints
        .add(Method::GET, by_building, &[], in_building)
        .asks("container_profile_uri!:text building!:text floor:text room:text area:text")
        .summary("Tell how many containers fit into a building, or a part of it")
        .gives(":Room");
    endpoints
        .add(Method::GET, "/space_calculator/buildings", &[], buildings)
        .summary("List buildings with their floors, rooms and areas")
        .gives(":object");
}

impl Call {
    /// The record that a parameter names, if the caller may see it.
    fn viewed(&self) -> Result<Uri, Problem> {
        let uri = self.parameters.text("record_uri").and_then(Uri::parse);
        let uri = uri.filter(|uri| KINDS.contains(&uri.kind.name.as_str()) && uri.repository.is_some());
        let uri = uri.ok_or_else(|| Refusal::parameter("record_uri", "Record not found"))?;
        if self.rights.can(VIEW, uri.repository) { Ok(uri) } else { Err(Refusal::Denied.into()) }
    }
}

async fn dates(call: Call) -> Answer {
    let label = call.parameters.text("label").filter(|label| !label.is_empty());
    Ok(Reply::json(&calculators::dates(&call.session, &call.viewed()?, label).await?))
}

async fn extent(call: Call) -> Answer {
    let unit = call.parameters.text("unit").filter(|unit| !unit.is_empty());
    Ok(Reply::json(&calculators::extent(&call.session, &call.viewed()?, unit, call.now).await?))
}

async fn at_locations(call: Call) -> Answer {
    let uris = call.parameters.texts("location_uris");
    if uris.len() > MOST {
        return Err(Refusal::parameter("location_uris", format!("At most {MOST} locations can be looked at")).into());
    }
    let id = |uri: &String| {
        let found = Uri::parse(uri).filter(|uri| uri.kind.name == "location");
        Ok::<_, Refusal>(found.ok_or_else(|| Refusal::MissingReference(uri.clone()))?.id)
    };
    let ids: Result<Vec<i64>, Refusal> = uris.iter().map(id).collect();
    fit(&call, Where::Locations(ids?)).await
}

async fn in_building(call: Call) -> Answer {
    let text = |name: &str| call.parameters.text(name).filter(|text| !text.is_empty()).map(str::to_owned);
    fit(&call, Where::Building(["building", "floor", "room", "area"].map(text))).await
}

/// The locations of the answer are resolved, with their profiles.
async fn fit(call: &Call, places: Where) -> Answer {
    let profile = call.parameters.text("container_profile_uri").unwrap_or_default();
    let mut found: Value = space::fit(&call.session, profile, &places).await?;
    let wanted = LISTS.map(|list| format!("{list}::location_profile"));
    resolve(&call.session, &mut found, &Wanted::read(wanted.iter().map(String::as_str)), call.seen()).await?;
    Ok(Reply::json(&found))
}

async fn buildings(call: Call) -> Answer {
    Ok(Reply::json(&space::buildings(&call.session).await?))
}
