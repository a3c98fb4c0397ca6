//! Whether and how the containers of a repository circulate: routes of Carrel's own (decision 48).

use ::archives::circulation;
use http::Method;
use serde_json::{Value, json};

use super::{
    call::Call,
    endpoint::{Answer, Endpoints},
};
use crate::answer::Reply;

const PATH: &str = "/repositories/{repo_id}/container_circulation";
const VIEW: &[&str] = &["view_repository"];
/// It makes items, and types of items, on the other side.
const ADMINISTER: &[&str] = &["administer_system"];
/// What was done, and how many items there are now.
const DONE: &str = "status*, items*:int";

pub(super) fn routes(endpoints: &mut Endpoints) {
    endpoints
        .add(Method::GET, PATH, VIEW, get)
        .summary("Read whether and how the containers of a repository circulate")
        .gives(":ContainerCirculation")
        .refuses(&[404]);
    endpoints
        .add(Method::POST, PATH, ADMINISTER, start)
        .summary("Let the containers of a repository circulate, or change how")
        .takes(":ContainerCirculation")
        .gives(DONE)
        .streams();
    endpoints
        .add(Method::DELETE, PATH, ADMINISTER, end)
        .summary("Let the containers of a repository circulate no more")
        .gives(DONE)
        .refuses(&[404, 409])
        .streams();
}

async fn get(call: Call) -> Answer {
    Ok(Reply::json(&circulation::get(&call.session, call.repository.unwrap_or_default()).await?))
}

async fn start(call: Call) -> Answer {
    let wanted = call.record("container_circulation")?.record;
    let items = circulation::start(&call.session, call.repository.unwrap_or_default(), wanted).await?;
    Ok(Reply::json(&json!({"status": "Updated", "items": items})))
}

async fn end(call: Call) -> Answer {
    circulation::end(&call.session, call.repository.unwrap_or_default()).await?;
    Ok(Reply::json(&json!({"status": "Deleted", "items": Value::from(0)})))
}
