//! Reports about requests and items for staff (docs/folio/slips-and-reports.md): pick slips, search slips, hold-shelf
//! clearance, items in transit; and the service points allowed for pickup
//! (docs/folio/requests.md#allowed-service-points).

use circulation::{
    check_in::in_transit,
    configuration::ServicePoint,
    requests::{
        kind::RequestKind,
        representation,
        service_points::{self, Operation, ServicePointsQuery},
    },
    slips,
};
use desk::{self, Copies, RequestSubject};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{refusals::PARAMETERS_WRONG, shown};
use crate::{
    answer::{Problem, Reply},
    call::Call,
    route::{Answer, Routes},
};

/// Parameters for the allowed service points.
const ALLOWED: &str =
    "operation*:(create|replace|move), requesterId:uuid, patronGroupId:uuid, instanceId:uuid, itemId:uuid,
    requestId:uuid, useStubItem:bool, ecsRequestRouting:bool";
const ALLOWED_POINTS: &str =
    "Page[{id*:uuid, name*, discoveryDisplayName}], Hold[{id*:uuid, name*, discoveryDisplayName}],
    Recall[{id*:uuid, name*, discoveryDisplayName}]";

pub(super) fn routes(routes: &mut Routes) {
    routes
        .get("/circulation/pick-slips/{servicePointId}", pick_slips)
        .summary("List pick slips of a service point")
        .gives(&format!("pickSlips*[{{{}}}], totalRecords*:int", shown::slip()));
    routes
        .get("/circulation/search-slips/{servicePointId}", search_slips)
        .summary("List search slips of a service point")
        .gives(&format!("searchSlips*[{{{}}}], totalRecords*:int", shown::slip()));
    routes
        .get("/circulation/requests-reports/hold-shelf-clearance/{id}", hold_shelf_clearance)
        .summary("Hold shelf clearance report of a service point")
        .gives_body(shown::request())
        .lists_all("requests");
    routes
        .get("/inventory-reports/items-in-transit", items_in_transit)
        .summary("List the items in transit")
        .gives(&shown::in_transit())
        .lists_all("items");
    routes
        .get("/circulation/requests/allowed-service-points", allowed_service_points)
        .summary("List the allowed service points of a request")
        .asks(ALLOWED)
        .gives(ALLOWED_POINTS)
        .refuses(&[422]);
}

/// GET. One round trip.
async fn pick_slips(call: Call) -> Answer {
    slips(call, RequestKind::Page, "pickSlips").await
}

/// GET. One round trip.
async fn search_slips(call: Call) -> Answer {
    slips(call, RequestKind::Hold, "searchSlips").await
}

async fn slips(call: Call, kind: RequestKind, list: &str) -> Answer {
    let service_point = call.id("servicePointId")?;
    let desk = &call.tenant.desk;
    let (rows, configuration) = desk::slips(desk, &call.session, service_point, kind).await?;
    let wanted = kind == RequestKind::Page || configuration.search_slips;
    let rows = rows.into_iter().filter(|_| wanted);
    let slips = rows.map(|row| {
        let instance = row.instance.unwrap_or_default();
        let item = row.item.as_ref();
        let queued = &row.queued;
        slips::of_request(item, &instance, queued, service_point, &configuration, call.now)
    });
    let mut slips: Vec<Value> = slips.collect();
    slips.sort_by_cached_key(slips::walk);
    let total = slips.len();
    let body = [(list.to_owned(), slips.into()), ("totalRecords".to_owned(), total.into())];
    Ok(Reply::pretty(&Value::Object(Map::from_iter(body))))
}

/// GET. One round trip.
async fn hold_shelf_clearance(call: Call) -> Answer {
    let service_point = call.id("id")?;
    let desk = &call.tenant.desk;
    let read = desk::hold_shelf_clearance(desk, &call.session, service_point).await?;
    let (rows, configuration) = read;
    let shown = rows.iter();
    let shown: Vec<Value> = shown.map(|row| representation::request(row, &configuration)).collect();
    Ok(Reply::pretty(&json!({"requests": shown, "totalRecords": rows.len()})))
}

/// GET. One round trip.
async fn items_in_transit(call: Call) -> Answer {
    let desk = &call.tenant.desk;
    let (rows, configuration) = desk::items_in_transit(desk, &call.session).await?;
    Ok(Reply::pretty(&in_transit::report(rows, &configuration)))
}

/// GET. One round trip.
async fn allowed_service_points(call: Call) -> Answer {
    let query = query(&call)?;
    let subject = RequestSubject {
        request: query.request_id,
        item: query.item_id,
        title: query.instance_id,
        requester: query.requester_id,
        proxy: None,
        copies: match query.operation {
            Operation::Create if query.item_id.is_none() => Copies::Always,
            Operation::Replace => Copies::ForStoredTitleRequest,
            Operation::Create | Operation::Move => Copies::Never,
        },
    };
    let desk = &call.tenant.desk;
    let read = desk::read_request(desk, &call.session, subject, call.now).await?;
    let (context, configuration) = read;
    let allowed = service_points::allowed(&context, &configuration, &query)?;
    let shown = allowed.into_iter().map(|(kind, points)| {
        let points = points.into_iter();
        let points: Vec<Value> = points.map(allowed_point).collect();
        (kind.name().to_owned(), points.into())
    });
    Ok(Reply::pretty(&Value::Object(shown.collect())))
}

fn allowed_point(point: &ServicePoint) -> Value {
    let mut shown = json!({"id": point.id, "name": point.name});
    if let Some(name) = &point.discovery_display_name {
        shown["discoveryDisplayName"] = name.as_str().into();
    }
    shown
}

/// Reads the query parameters; refuses combinations that make no sense.
fn query(call: &Call) -> Result<ServicePointsQuery, Problem> {
    let mut faults = Vec::new();
    let mut id = |parameter: &str, name: &str| {
        let text = call.query.get(parameter)?;
        let id = Uuid::try_parse(text).ok();
        if id.is_none() {
            faults.push(format!("{name} ID is not a valid UUID: {text}."));
        }
        Some(id.unwrap_or_default())
    };
    let requester_id = id("requesterId", "Requester");
    let patron_group_id = id("patronGroupId", "Patron Group");
    let instance_id = id("instanceId", "Instance");
    let item_id = id("itemId", "Item");
    let request_id = id("requestId", "Request");
    for parameter in ["useStubItem", "ecsRequestRouting"] {
        let text = call.query.get(parameter).unwrap_or("false");
        if !["true", "false"].contains(&text) {
            faults.push(format!("{parameter} is not a valid boolean: {text}."));
        }
    }
    let known = (
        requester_id.is_some() || patron_group_id.is_some(),
        instance_id.is_some(),
        item_id.is_some(),
        request_id.is_some(),
    );
    let operation = match (operation(call), known) {
        (Some(Operation::Create), (true, true, false, false) | (true, false, true, false)) => Some(Operation::Create),
        (Some(Operation::Replace), (_, false, false, true)) if requester_id.is_none() => Some(Operation::Replace),
        (Some(Operation::Move), (_, false, true, true)) if requester_id.is_none() => Some(Operation::Move),
        _ => None,
    };
    match operation {
        Some(operation) if faults.is_empty() => Ok(ServicePointsQuery {
            operation,
            requester_id,
            patron_group_id,
            instance_id,
            item_id,
            request_id,
            stub_item: call.query.get("useStubItem") == Some("true"),
            routing: call.query.get("ecsRequestRouting") == Some("true"),
        }),
        operation => {
            if operation.is_none() {
                faults.push("Invalid combination of query parameters".to_owned());
            }
            Err(PARAMETERS_WRONG.with("faults", faults.join(" ")).into())
        }
    }
}

fn operation(call: &Call) -> Option<Operation> {
    let name = call.query.get("operation")?.to_ascii_lowercase();
    match name.as_str() {
        "create" => Some(Operation::Create),
        "replace" => Some(Operation::Replace),
        "move" => Some(Operation::Move),
        _ => None,
    }
}
