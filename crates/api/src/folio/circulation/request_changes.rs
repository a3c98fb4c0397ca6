//! `/circulation/requests`, written: requests placed, changed, cancelled and deleted (docs/folio/requests.md).

use std::sync::Arc;

use circulation::{
    blocks::Granted,
    requests::{
        by_instance::{NothingPlaced, TitleCommand},
        change::{MoveCommand, NotChanged},
        place::{NotPlaced, PlaceCommand, Unreadable},
        reorder::{NewPlace, QueueOwner},
        representation,
    },
};
use desk::{self, ChangedRequest, Failed, Operator};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::collection::Collection;
use uuid::Uuid;

use super::told::{IntoProblem, not_an_id, refused, rules_failed};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    collections::{self, Channel},
    route::{Answer, Routes},
};

const PATH: &str = "/circulation/requests";

/// Members of a request as circulation takes it.
const MEMBERS: &str = "id:uuid, requestLevel:(Item|Title), requestType*:(Hold|Recall|Page), requestDate*:datetime,
    requesterId*:uuid, proxyUserId:uuid, instanceId:uuid, holdingsRecordId:uuid, itemId:uuid, status,
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
        .gives(MEMBERS);
    routes
        .put(&one, replace)
        .summary("Change or cancel a request")
        .at_the_desk()
        .takes(MEMBERS);
    routes.delete(&one, delete).summary("Delete a request");
    routes
        .delete(PATH, delete_all)
        .summary("Delete every request");
    routes
        .post(&format!("{one}/move"), relocate)
        .summary("Move a request to another item of its title")
        .at_the_desk()
        .takes("destinationItemId*:uuid, requestType:(Hold|Recall|Page)");
    routes
        .post(&format!("{PATH}/instances"), by_instance)
        .summary("Place a request for whichever item of a title suits best")
        .at_the_desk()
        .takes(
            "instanceId*:uuid, requesterId*:uuid, requestDate*:datetime, pickupServicePointId:uuid,
             requestExpirationDate:datetime, patronComments, proxyUserId:uuid, deliveryAddressTypeId:uuid,
             itemLocationCode, tags{tagList[]}",
        );
    for (owner, member) in [("item", "itemId"), ("instance", "instanceId")] {
        routes
            .post(
                &format!("{PATH}/queue/{owner}/{{{member}}}/reorder"),
                move |call| reorder(call, member),
            )
            .summary("Put a queue in another order")
            .takes("reorderedQueue[{id*:uuid, newPosition*:int}]");
    }
}

/// POST of a request. Two round trips.
async fn create(call: Call) -> Answer {
    let command = command(&call, None)?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let placed = desk::place_request(desk, &call.session, &command, operator, call.now).await;
    let told = |fault| problem(fault, &command.granted);
    Ok(created(&placed.map_err(|failed| {
        not_done(&call, failed, &command.record, told)
    })?))
}

/// POST of a request for a title by any item. Two round trips.
async fn by_instance(call: Call) -> Answer {
    let granted = granted(&call);
    let told = |fault: NothingPlaced| match fault {
        NothingPlaced::Unreadable(fault) => unreadable(fault),
        fault => refused(fault.told(&granted)),
    };
    let command = TitleCommand::read(call.json()?, granted.clone()).map_err(told)?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let placed = desk::place_title_request(desk, &call.session, &command, operator, call.now).await;
    Ok(created(&placed.map_err(|failed| {
        not_done(&call, failed, &Map::new(), told)
    })?))
}

fn created(placed: &ChangedRequest) -> Reply {
    let id = placed.change.request.get("id").and_then(Value::as_str);
    let location = format!("{PATH}/{}", id.unwrap_or_default());
    Reply::pretty(&placed.representation()).created(&location)
}

/// PUT of a request. Two round trips.
async fn replace(call: Call) -> Answer {
    let id = request_id(&call)?;
    let command = command(&call, Some(id))?.put();
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let written = (id, &command);
    let replaced = desk::replace_request(desk, &call.session, written, operator, call.now).await;
    replaced.map_err(|failed| not_changed(&call, failed, &command.record))?;
    Ok(Reply::no_content())
}

/// DELETE of a request. Two round trips.
async fn delete(call: Call) -> Answer {
    let id = request_id(&call)?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let deleted = desk::delete_request(desk, &call.session, id, operator, call.now).await;
    deleted.map_err(|failed| not_changed(&call, failed, &Map::new()))?;
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
    let moved = moved.map_err(|failed| not_changed(&call, failed, &Map::new()))?;
    Ok(Reply::pretty(&moved.representation()))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reordered {
    reordered_queue: Vec<NewPlace>,
}

/// POST of a new order. Two round trips.
async fn reorder(call: Call, member: &'static str) -> Answer {
    let id = call.id(member)?;
    let owner = match member {
        "itemId" => QueueOwner::Item(id),
        _ => QueueOwner::Title(id),
    };
    let order: Reordered = call.parse()?;
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let order = order.reordered_queue;
    let queue = desk::reorder_queue(desk, &call.session, owner, &order, operator, call.now).await;
    let queue = queue.map_err(|failed| {
        failed.into_problem(|refusal| match refusal.told() {
            Some(told) => refused([told]),
            None => {
                let name = owner.name();
                Problem::not_found(format!("{name} record with ID \"{id}\" cannot be found"))
            }
        })
    })?;
    let shown = queue.rows.iter();
    let shown: Vec<Value> = shown
        .map(|row| representation::request(row, &queue.configuration))
        .collect();
    Ok(Reply::pretty(
        &json!({"requests": shown, "totalRecords": queue.rows.len()}),
    ))
}

fn request_id(call: &Call) -> Result<Uuid, Problem> {
    call.id("id").map_err(|_| unknown(call))
}

fn unknown(call: &Call) -> Problem {
    let id = call.param("id");
    Problem::not_found(format!("requests record with ID \"{id}\" cannot be found"))
}

fn not_changed(call: &Call, failed: Failed<NotChanged>, sent: &Map<String, Value>) -> Problem {
    not_done(call, failed, sent, |fault| match fault {
        NotChanged::Unknown => unknown(call),
        NotChanged::Refused(refusal) => refused([refusal.told()]),
        NotChanged::Placement(fault) => problem(fault, &granted(call)),
    })
}

/// Refusals of the database are told of what was `sent`.
fn not_done<R>(
    call: &Call,
    failed: Failed<R>,
    sent: &Map<String, Value>,
    told: impl FnOnce(R) -> Problem,
) -> Problem {
    match (failed, requests(call)) {
        (Failed::Store(error), Ok(collection)) => {
            collections::refused(error, &collection, sent, Channel::Post)
        }
        (failed, _) => failed.into_problem(told),
    }
}

/// The body as a command; the id in the path counts more than that in the body.
fn command(call: &Call, id: Option<Uuid>) -> Result<PlaceCommand, Problem> {
    let mut body = call.json()?;
    if let (Some(id), Some(body)) = (id, body.as_object_mut()) {
        body.insert("id".into(), id.to_string().into());
    }
    PlaceCommand::read(body, granted(call)).map_err(unreadable)
}

fn granted(call: &Call) -> Granted {
    Granted::by(|permission| call.may(permission))
}

fn unreadable(fault: Unreadable) -> Problem {
    match fault {
        Unreadable::NotAnObject => Problem::bad_request("Json content error: not an object"),
        Unreadable::Status => Problem::bad_request(Unreadable::status_text()),
        Unreadable::Id(member) => not_an_id(member),
    }
}

fn problem(fault: NotPlaced, granted: &Granted) -> Problem {
    match fault {
        NotPlaced::RulesFailed(text) => rules_failed(text),
        NotPlaced::Refused(refusals) => {
            refused(refusals.iter().map(|refusal| refusal.told(granted)))
        }
    }
}

fn requests(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app
        .collection("request")
        .ok_or_else(|| Problem::Internal("no collection request".into()))
}
