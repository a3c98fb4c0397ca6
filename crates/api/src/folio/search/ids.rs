//! Ids of all results, at once or by jobs.

use ::catalogue::{Entity, Form as Written, jobs};
use http::StatusCode;

use super::{instances::STRING, refusing, text, told};
use crate::{
    answer::Reply,
    call::Call,
    route::{Answer, Body, Form, Routes, TEXT},
};

const IDS: &str = "ids*[{id*}], totalRecords*:int";
const JOB: &str = "id*:uuid, query*, entityType*:(INSTANCE|HOLDINGS|AUTHORITY),
    status*:(IN_PROGRESS|COMPLETED|DEPRECATED|ERROR), createdDate*:datetime";

pub(super) fn routes(routes: &mut Routes) {
    for (path, entity, summary) in [
        ("/search/instances/ids", Entity::Instance, "List the ids of all instances found"),
        ("/search/holdings/ids", Entity::Holdings, "List the ids of the holdings of all instances found"),
    ] {
        let list = routes.get(path, move |call| ids(call, entity)).summary(summary).asks("query*").gives(IDS);
        list.or_gives(StatusCode::OK, Body::media(TEXT)).refuses_as(422, Form::Errors).streams();
        refusing(list);
    }
    let add = routes
        .post("/search/resources/jobs", add)
        .summary("Keep a query to fetch the ids of its results later")
        .takes("query*, entityType*:(INSTANCE|HOLDINGS|AUTHORITY)")
        .gives(JOB);
    refusing(add);
    let get = routes.get("/search/resources/jobs/{jobId}", get).summary("Read a kept query").gives(JOB);
    refusing(get).refuses_as(404, Form::Errors);
    let fetch = routes
        .get("/search/resources/jobs/{jobId}/ids", fetch)
        .summary("Fetch the ids of a kept query, once")
        .gives(IDS)
        .streams();
    refusing(fetch).refuses_as(404, Form::Errors).refuses_as(422, Form::Errors);
}

async fn ids(call: Call, entity: Entity) -> Answer {
    let query = call.required("query", STRING)?;
    let is_text = call.header("content-type").is_some_and(|sent| sent.starts_with(TEXT));
    let (written, media) = if is_text { (Written::Lines, TEXT) } else { (Written::Json, crate::route::JSON) };
    let found = call.catalogue().ids(query, entity, written).await?;
    let body = call.app.spools.body(found.body).await?;
    Ok(told(Reply::typed(media, body), found.is_behind))
}

async fn add(call: Call) -> Answer {
    let sent = call.sent()?;
    let (query, entity) = (text(&sent, "query")?, text(&sent, "entityType")?);
    let job = jobs::add(&call.catalogue(), &call.session, &query, Entity::of(&entity)?, call.now).await?;
    Ok(Reply::json(&job))
}

async fn get(call: Call) -> Answer {
    Ok(Reply::json(&jobs::get(&call.session, call.param("jobId")).await?))
}

async fn fetch(call: Call) -> Answer {
    let (query, entity) = jobs::take(&call.session, call.param("jobId")).await?;
    let found = call.catalogue().ids(&query, entity, Written::Json).await?;
    let body = call.app.spools.body(found.body).await?;
    Ok(told(Reply::typed(crate::route::JSON, body), found.is_behind))
}
