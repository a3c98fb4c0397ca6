//! Writes to `/circulation/requests`: placing, changing, cancelling and deleting requests (docs/folio/requests.md).

use std::sync::Arc;

use circulation::{
    blocks::Granted,
    requests::{
        by_instance::TitleCommand,
        change::MoveCommand,
        place::PlaceCommand,
        refusal::NO_SUCH_REQUEST,
        reorder::{NewPlace, QueueOwner},
        representation,
    },
};
use desk::{self, ChangedRequest, Failed, Operator};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::collection::Collection;
use uuid::Uuid;

use super::shown;
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel},
    route::{Answer, Routes},
};

const PATH: &str = "/circulation/requests";

/// Members of a request as clients send it.
const MEMBERS: &str = "id:uuid, requestLevel:(Item|Title), requestType*:(Hold|Recall|Page), requestDate*:datetime,
    requesterId*:uuid, proxyUserId:uuid, instanceId:uuid, holdingsRecordId, itemId:uuid, status,
    fulfillmentPreference*:(Hold Shelf|Delivery), deliveryAddressTypeId:uuid, pickupServicePointId:uuid,
    requestExpirationDate:datetime, patronComments, tags{tagList[]},
    requestProcessingParameters{overrideBlocks{patronBlock:object, comment}}";

pub(super) fn routes(routes: &mut Routes) {
    let one = format!("{PATH}/{{id}}");
    routes
        .post(PATH, create)
        .summary("Place a request")
        .at_the_desk()
        .takes(MEMBERS)
        .gives_body(shown::request())
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    routes.put(&one, replace).summary("Change or cancel a request").at_the_desk().takes(MEMBERS).refuses(&[422]);
    routes.delete(&one, delete).summary("Delete a request");
    routes.delete(PATH, delete_all).summary("Delete every request");
    routes
        .post(&format!("{one}/move"), relocate)
        .summary("Move a request to another item of its title")
        .at_the_desk()
        .takes("destinationItemId*:uuid, requestType:(Hold|Recall|Page)")
        .gives_body(shown::request())
        .refuses(&[422]);
    routes
        .post(&format!("{PATH}/instances"), by_instance)
        .summary("Place a request for any item of a title")
        .at_the_desk()
        .takes(
            "instanceId*:uuid, requesterId*:uuid, requestDate*:datetime, pickupServicePointId:uuid,
             requestExpirationDate:datetime, patronComments, proxyUserId:uuid, deliveryAddressTypeId:uuid,
             itemLocationCode, tags{tagList[]}",
        )
        .gives_body(shown::request())
        .with_status(StatusCode::CREATED)
        .refuses(&[422]);
    for (owner, member) in [("item", "itemId"), ("instance", "instanceId")] {
        routes
            .post(&format!("{PATH}/queue/{owner}/{{{member}}}/reorder"), move |call| reorder(call, member))
            .summary("Reorder a request queue")
            .takes("reorderedQueue[{id*:uuid, newPosition*:int}]")
            .gives_body(shown::request())
            .lists_all("requests")
            .refuses(&[422]);
    }
}

/// POST of a request. Two round trips.
async fn create(call: Call) -> Answer {
    let command = command(&call, None)?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let placed = desk::place_request(desk, &call.session, &command, operator, call.now).await;
    let placed = placed.map_err(|failed| problem(&call, failed, command.request.record()))?;
    Ok(created(&placed))
}

/// POST of a request for any item of a title. Two round trips.
async fn by_instance(call: Call) -> Answer {
    let command = TitleCommand::read(call.json()?, granted(&call))?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let placed = desk::place_title_request(desk, &call.session, &command, operator, call.now).await;
    let placed = placed.map_err(|failed| problem(&call, failed, &Map::new()))?;
    Ok(created(&placed))
}

fn created(placed: &ChangedRequest) -> Reply {
    let location = format!("{PATH}/{}", placed.change.request.id());
    Reply::pretty(&placed.representation()).created(&location)
}

/// PUT of a request. Two round trips.
async fn replace(call: Call) -> Answer {
    let id = request_id(&call)?;
    let command = command(&call, Some(id))?.put();
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let written = (id, &command);
    let replaced = desk::replace_request(desk, &call.session, written, operator, call.now).await;
    replaced.map_err(|failed| problem(&call, failed, command.request.record()))?;
    Ok(Reply::no_content())
}

/// DELETE of a request. Two round trips.
async fn delete(call: Call) -> Answer {
    let id = request_id(&call)?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let deleted = desk::delete_request(desk, &call.session, id, operator, call.now).await;
    deleted.map_err(|failed| problem(&call, failed, &Map::new()))?;
    Ok(Reply::no_content())
}

async fn delete_all(call: Call) -> Answer {
    let collection = requests(&call)?;
    collections::delete_all(call, collection).await
}

/// POST of a move. Two round trips.
async fn relocate(call: Call) -> Answer {
    let (id, body) = (request_id(&call)?, call.json()?);
    let destination = body["destinationItemId"].as_str();
    let command = MoveCommand {
        kind: body["requestType"].as_str().map(str::to_owned),
        destination: destination.and_then(|id| Uuid::try_parse(id).ok()),
        granted: granted(&call),
    };
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let moved = desk::move_request(desk, &call.session, (id, &command), operator, call.now).await;
    let moved = moved.map_err(|failed| problem(&call, failed, &Map::new()))?;
    Ok(Reply::pretty(&moved.representation()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reordered {
    reordered_queue: Vec<NewPlace>,
}

/// POST of a new queue order. Two round trips.
async fn reorder(call: Call, member: &'static str) -> Answer {
    let id = call.id(member)?;
    let owner = match member {
        "itemId" => QueueOwner::Item(id),
        _ => QueueOwner::Title(id),
    };
    let order: Reordered = call.parse()?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let order = order.reordered_queue;
    let queue = desk::reorder_queue(desk, &call.session, owner, &order, operator, call.now).await?;
    let shown = queue.rows.iter();
    let shown: Vec<Value> = shown.map(|row| representation::request(row, &queue.configuration)).collect();
    Ok(Reply::pretty(&json!({"requests": shown, "totalRecords": queue.rows.len()})))
}

fn request_id(call: &Call) -> Result<Uuid, Problem> {
    let unknown = |_| NO_SUCH_REQUEST.with("id", call.param("id"));
    Ok(call.id("id").map_err(unknown)?)
}

/// In refusals, writes the request's id as the path has it. Constraint errors concern the body, `sent`.
fn problem(call: &Call, failed: Failed, sent: &Map<String, Value>) -> Problem {
    match (failed, requests(call)) {
        (Failed::Store(error), Ok(collection)) => collections::refused(error, &collection, sent, Channel::Post),
        (Failed::Refused(refused), _) => refused.with("id", call.param("id")).into(),
        (failed, _) => failed.into(),
    }
}

/// The body as a command. The id in the path overrides the one in the body.
fn command(call: &Call, id: Option<Uuid>) -> Result<PlaceCommand, Problem> {
    let mut body = call.json()?;
    if let (Some(id), Some(body)) = (id, body.as_object_mut()) {
        body.insert("id".into(), id.to_string().into());
    }
    Ok(PlaceCommand::read(body, granted(call))?)
}

fn granted(call: &Call) -> Granted {
    Granted::by(|permission| call.may(permission))
}

fn requests(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app.collection("request").ok_or_else(|| Problem::Internal("no collection request".into()))
}
