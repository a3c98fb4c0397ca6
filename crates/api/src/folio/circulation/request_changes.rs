//! `/circulation/requests`, written: requests placed, changed, cancelled and deleted (docs/folio/requests.md).

use std::sync::Arc;

use circulation::{
    blocks::Granted,
    configuration::Configuration,
    requests::{
        RequestChange, RequestContext,
        by_instance::{self, NothingPlaced},
        change::{self, NotChanged},
        place::{self, NotPlaced, PlaceCommand, Unreadable},
        reorder::{NewPlace, QueueOwner},
        representation,
    },
};
use desk::{self, ChangedRequest, Copies, Failed, Operator, RequestSubject};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::collection::Collection;
use uuid::Uuid;

use super::told::{not_an_id, refused, rules_failed};
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
    let subject = RequestSubject::written(&command, None);
    let placed = change(&call, subject, &command.record, |context, configuration| {
        place::decide(context, configuration, &command, call.now)
            .map_err(|fault| problem(fault, &command.granted))
    })
    .await?;
    Ok(created(&placed))
}

/// POST of a request for a title by any item. Two round trips.
async fn by_instance(call: Call) -> Answer {
    let (body, granted) = (call.json()?, granted(&call));
    let told = |fault: NothingPlaced| match fault {
        NothingPlaced::Unreadable(fault) => unreadable(fault),
        fault => refused(fault.told(&granted)),
    };
    by_instance::refuse_incomplete(&body).map_err(told)?;
    let id = |member: &'static str| {
        let text = body[member].as_str().unwrap_or_default();
        Uuid::try_parse(text).map_err(|_| unreadable(Unreadable::Id(member)))
    };
    let subject = RequestSubject {
        title: Some(id("instanceId")?),
        requester: Some(id("requesterId")?),
        proxy: id("proxyUserId").ok(),
        copies: Copies::Always,
        ..RequestSubject::default()
    };
    let placed = change(&call, subject, &Map::new(), |context, configuration| {
        by_instance::decide(context, configuration, &body, &granted, call.now).map_err(told)
    })
    .await?;
    Ok(created(&placed))
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
    let subject = RequestSubject::written(&command, Some(id));
    change(&call, subject, &command.record, |context, configuration| {
        change::replace(context, configuration, &command, call.now)
            .map_err(|fault| not_changed(&call, fault))
    })
    .await?;
    Ok(Reply::no_content())
}

/// DELETE of a request. Two round trips.
async fn delete(call: Call) -> Answer {
    let subject = RequestSubject::stored(request_id(&call)?);
    change(&call, subject, &Map::new(), |context, configuration| {
        change::delete(context, configuration).map_err(|fault| not_changed(&call, fault))
    })
    .await?;
    Ok(Reply::no_content())
}

async fn delete_all(call: Call) -> Answer {
    let collection = requests(&call)?;
    collections::delete_all(call, collection).await
}

/// POST of a move. Two round trips.
async fn relocate(call: Call) -> Answer {
    let (id, body) = (request_id(&call)?, call.json()?);
    let kind = body["requestType"].as_str();
    let destination = body["destinationItemId"].as_str();
    let destination = destination.and_then(|id| Uuid::try_parse(id).ok());
    let subject = RequestSubject {
        item: destination,
        ..RequestSubject::stored(id)
    };
    let granted = granted(&call);
    let moved = change(&call, subject, &Map::new(), |context, configuration| {
        change::relocate(
            context,
            configuration,
            kind,
            destination,
            &granted,
            call.now,
        )
        .map_err(|fault| not_changed(&call, fault))
    })
    .await?;
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
    let queue = queue.map_err(|failed| match failed {
        Failed::Store(error) => error.into(),
        Failed::Refused(refusal) => match refusal.told() {
            Some(told) => refused([told]),
            None => {
                let name = owner.name();
                Problem::not_found(format!("{name} record with ID \"{id}\" cannot be found"))
            }
        },
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

fn not_changed(call: &Call, fault: NotChanged) -> Problem {
    match fault {
        NotChanged::Unknown => unknown(call),
        NotChanged::Refused(refusal) => refused([refusal.told()]),
        NotChanged::Placement(fault) => problem(fault, &granted(call)),
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

/// Reads, decides and writes; the record must be one that storage accepts. Refusals of the database are told of what
/// was `sent`.
pub(super) async fn change(
    call: &Call,
    subject: RequestSubject,
    sent: &Map<String, Value>,
    decide: impl Fn(&RequestContext, &Configuration) -> Result<RequestChange, Problem>,
) -> Result<ChangedRequest, Problem> {
    let collection = requests(call)?;
    let decide = |context: &RequestContext, configuration: &Configuration| {
        let mut change = decide(context, configuration)?;
        change.request = accepted(call, &collection, change.request)?;
        Ok(change)
    };
    let (desk, operator) = (&call.tenant.desk, Operator(call.user_id()));
    let changed =
        desk::change_request(desk, &call.session, subject, operator, call.now, decide).await;
    changed.map_err(|failed| match failed {
        Failed::Refused(problem) => problem,
        Failed::Store(error) => collections::refused(error, &collection, sent, Channel::Post),
    })
}

fn requests(call: &Call) -> Result<Arc<Collection>, Problem> {
    call.app
        .collection("request")
        .ok_or_else(|| Problem::Internal("no collection request".into()))
}

fn accepted(
    call: &Call,
    collection: &Collection,
    mut record: Map<String, Value>,
) -> Result<Map<String, Value>, Problem> {
    record.shift_remove("metadata");
    let record = collection.schema.accept(Value::Object(record))?;
    let (_, mut record) = collections::prepared(call, collection, record, None)?;
    record.shift_remove("metadata");
    Ok(record)
}
