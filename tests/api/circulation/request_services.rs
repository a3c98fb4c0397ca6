//! Pickup service points, slips and reports, expiry and anonymization (docs/folio/requests.md,
//! docs/folio/request-queues.md, docs/folio/slips-and-reports.md).

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{LendingLibrary, id};

const PATH: &str = "/circulation/requests";
const STORED: &str = "/request-storage/requests";

fn points(names: &[(&str, &str)]) -> Value {
    names.iter().map(|(id, name)| json!({"id": id, "name": name, "discoveryDisplayName": name})).collect()
}

#[tokio::test]
async fn service_points_are_listed_by_request_type() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let both = points(&[(&library.branch, "Branch"), (&library.service_point, "Desk")]);
    let ask = |query: String| {
        let client = library.desk.clone();
        async move { client.get(&format!("{PATH}/allowed-service-points?{query}")).await }
    };
    let create = format!("operation=create&requesterId={patron}&itemId={item}");
    assert_eq!(ask(create.clone()).await.expect(200).json(), json!({"Page": both}));
    assert_eq!(ask(create.clone()).await.expect(200).round_trips(), 1);
    // A service point for the requests of other libraries is a pickup point for nobody else.
    let routing = json!({"name": "Post", "code": "po", "discoveryDisplayName": "Post", "ecsRequestRouting": true});
    let routing = id(&library.desk.create("/service-points", &routing).await);
    assert_eq!(ask(create.clone()).await.expect(200).json(), json!({"Page": both}));
    let routed = ask(format!("{create}&ecsRequestRouting=true")).await.expect(200).json();
    assert_eq!(routed, json!({"Page": points(&[(&routing, "Post")])}));
    let group = format!("operation=create&patronGroupId={}&instanceId={}", library.group, library.instance);
    assert_eq!(ask(group).await.expect(200).json(), json!({"Page": both}));
    let request = id(&library.ask("Page", &item, &patron, json!({})).await.expect(201).json());
    let replace = ask(format!("operation=replace&requestId={request}")).await.expect(200);
    assert_eq!(replace.json(), json!({"Hold": both, "Recall": both, "Page": both}));
    let moved = ask(format!("operation=move&requestId={request}&itemId={item}")).await.expect(200);
    assert_eq!(moved.json(), json!({"Hold": both, "Recall": both}));
    for (query, status, expected) in [
        ("operation=create".to_owned(), 400, "Invalid combination of query parameters".to_owned()),
        (
            format!("operation=create&requesterId=x&itemId={item}"),
            400,
            "Requester ID is not a valid UUID: x.".to_owned(),
        ),
        (
            format!("operation=create&requesterId={item}&itemId={item}"),
            422,
            format!("User with ID {item} was not found"),
        ),
        (format!("operation=replace&requestId={item}"), 422, format!("Request with ID {item} was not found")),
    ] {
        let answer = ask(query).await.expect(status);
        let actual = if status == 400 { answer.text.clone() } else { answer.error_messages().remove(0) };
        assert_eq!(actual, expected);
    }
}

#[tokio::test]
async fn a_title_is_requested_for_whichever_copy_fits() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let ask = |patron: &str| {
        let body = json!({"instanceId": library.instance, "requesterId": patron,
            "requestDate": "2026-11-01T00:00:00Z", "pickupServicePointId": library.service_point});
        let client = library.desk.clone();
        async move { client.post(&format!("{PATH}/instances"), &body).await }
    };
    let nothing = ask(&patron).await.expect(422);
    assert_eq!(nothing.error_messages(), ["There are no items for this instance"]);
    let on_loan = library.item("i-1", json!({})).await;
    library.patron("borrower", json!({})).await;
    library.check_out("i-1", "borrower", json!({})).await.expect(201);
    let shelved = library.item("i-2", json!({})).await;
    let placed = ask(&patron).await.expect(201);
    assert!(placed.round_trips() <= 2);
    let placed = placed.json();
    assert_eq!((&placed["requestType"], &placed["itemId"]), (&json!("Page"), &json!(shelved)));
    let again = ask(&patron).await.expect(422);
    let message = "This requester already has an open request for an item of this instance";
    assert_eq!(again.error_messages(), [message]);
    let other = library.patron("p-2", json!({})).await;
    let recall = ask(&other).await.expect(201).json();
    assert_eq!((&recall["requestType"], &recall["itemId"]), (&json!("Recall"), &json!(on_loan)));
    library.allow_titles().await;
    let third = library.patron("p-3", json!({})).await;
    let title = ask(&third).await.expect(201).json();
    assert_eq!((&title["requestLevel"], &title["position"]), (&json!("Title"), &json!(3)));
    let missing = library.desk.post(&format!("{PATH}/instances"), &json!({})).await.expect(422);
    assert_eq!(missing.error_messages(), ["Request must have a request date"]);
}

#[tokio::test]
async fn staff_get_pick_and_search_slips() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    library.ask("Page", &item, &patron, json!({"patronComments": "soon"})).await.expect(201);
    let other = library.patron("p-2", json!({})).await;
    library.ask("Hold", &item, &other, json!({})).await.expect(201);
    let slips = |kind: &str, point: &str| {
        let (client, path) = (library.desk.clone(), format!("/circulation/{kind}/{point}"));
        async move { client.get(&path).await.expect(200).json() }
    };
    let pick = slips("pick-slips", &library.service_point).await;
    assert_eq!(pick["totalRecords"], 1);
    let slip = &pick["pickSlips"][0];
    assert_eq!(slip["item"]["title"], "A title");
    assert_eq!(slip["item"]["effectiveLocationPrimaryServicePointName"], "Desk");
    assert_eq!(slip["request"]["patronComments"], "soon");
    assert_eq!(slip["requester"]["barcode"], "p-1");
    assert_eq!(slips("pick-slips", &library.branch).await, json!({"pickSlips": [], "totalRecords": 0}));
    let off = json!({"searchSlips": [], "totalRecords": 0});
    assert_eq!(slips("search-slips", &library.service_point).await, off);
    let setting = json!({"name": "PRINT_HOLD_REQUESTS", "value": {"printHoldRequestsEnabled": true}});
    library.desk.create("/circulation/settings", &setting).await;
    let search = slips("search-slips", &library.service_point).await;
    assert_eq!(search["searchSlips"][0]["requester"]["barcode"], "p-2");
}

#[tokio::test]
async fn slips_come_in_the_order_of_the_shelves_and_name_a_title_without_an_item() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    for (barcode, shelf) in [("i-1", "QA 76"), ("i-2", "B 12"), ("i-3", "PS 9")] {
        let call_number = json!({"itemLevelCallNumber": shelf});
        let item = library.item(barcode, call_number).await;
        library.ask("Page", &item, &patron, json!({})).await.expect(201);
    }
    let path = format!("/circulation/pick-slips/{}", library.service_point);
    let pick = library.desk.get(&path).await.expect(200).json();
    let slips = pick["pickSlips"].as_array().expect("slips");
    let barcodes: Vec<&Value> = slips.iter().map(|slip| &slip["item"]["barcode"]).collect();
    assert_eq!(barcodes, ["i-2", "i-3", "i-1"]);

    library.allow_titles().await;
    let other = library.patron("p-2", json!({})).await;
    library.ask_title("Hold", &other).await.expect(201);
    let setting = json!({"name": "PRINT_HOLD_REQUESTS", "value": {"printHoldRequestsEnabled": true}});
    library.desk.create("/circulation/settings", &setting).await;
    let path = format!("/circulation/search-slips/{}", library.service_point);
    let search = library.desk.get(&path).await.expect(200).json();
    let item = &search["searchSlips"][0]["item"];
    assert_eq!(item["title"], "A title");
    assert_eq!(item["effectiveLocationPrimaryServicePointName"], "Desk");
    assert_eq!(item["barcode"], Value::Null);
}

#[tokio::test]
async fn expired_requests_leave_their_queues() {
    let library = LendingLibrary::new().await;
    library.patron("borrower", json!({})).await;
    let on_loan = library.item("i-1", json!({})).await;
    library.check_out("i-1", "borrower", json!({})).await.expect(201);
    let shelved = library.item("i-2", json!({})).await;
    let mut requests = Vec::new();
    for (reader, expires) in [("p-1", Some(1)), ("p-2", None), ("p-3", Some(400)), ("p-4", Some(1))] {
        let patron = library.patron(reader, json!({})).await;
        let expires = expires.map(|days| library.library.clock.now() + SignedDuration::from_hours(24 * days));
        let expires = json!({"requestExpirationDate": expires.map(|at| at.to_string())});
        requests.push(id(&library.ask("Hold", &on_loan, &patron, expires).await.expect(201).json()));
    }
    let patron = library.patron("p-5", json!({})).await;
    let page = id(&library.ask("Page", &shelved, &patron, json!({})).await.expect(201).json());
    library.check_in("i-2", json!({})).await.expect(200);
    let nothing = json!({});
    let run = || library.desk.post("/scheduled-request-expiration", &nothing);
    run().await.expect(204);
    assert_eq!(library.waiting("item", &on_loan).await.len(), 4, "nothing has expired yet");
    library.library.clock.advance(SignedDuration::from_hours(24 * 30));
    assert!(run().await.expect(204).round_trips() <= 2);
    let expected = [(requests[1].clone(), 1), (requests[2].clone(), 2)];
    assert_eq!(library.waiting("item", &on_loan).await, expected);
    for (request, status) in [(&requests[0], "Closed - Unfilled"), (&page, "Closed - Pickup expired")] {
        let stored = library.stored(STORED, request).await;
        assert_eq!((&stored["status"], stored.get("position")), (&json!(status), None));
    }
    let path = format!("{PATH}-reports/hold-shelf-clearance/{}", library.service_point);
    let report = library.desk.get(&path).await.expect(200).json();
    assert_eq!((&report["totalRecords"], &report["requests"][0]["id"]), (&json!(1), &json!(page)));
    assert_eq!(report["requests"][0]["item"]["status"], "Awaiting pickup");
    library.check_in("i-2", json!({})).await.expect(200);
    let report = library.desk.get(&path).await.expect(200).json();
    assert_eq!(report, json!({"requests": [], "totalRecords": 0}));
}

#[tokio::test]
async fn items_in_transit_are_listed_with_their_requests() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let other = library.patron("p-2", json!({})).await;
    let elsewhere = json!({"pickupServicePointId": library.branch});
    library.ask("Hold", &item, &other, elsewhere).await.expect(201);
    library.check_in("i-1", json!({})).await.expect(200);
    let report = library.desk.get("/inventory-reports/items-in-transit").await.expect(200).json();
    assert_eq!(report["totalRecords"], 1);
    let shown = &report["items"][0];
    assert_eq!((&shown["id"], &shown["title"]), (&json!(item), &json!("A title")));
    assert_eq!(shown["inTransitDestinationServicePoint"], json!({"id": library.branch, "name": "Branch"}));
    assert_eq!(shown["request"]["requestPickupServicePointName"], "Branch");
    assert_eq!(shown["loan"]["checkInServicePoint"]["name"], "Desk");
    assert_eq!(shown["lastCheckIn"]["servicePoint"]["name"], "Desk");
}

#[tokio::test]
async fn a_closed_request_is_anonymized() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let mut request = library.ask("Page", &item, &patron, json!({})).await.expect(201).json();
    let forget = |id: &str| {
        let (client, path) = (library.desk.clone(), format!("/request-anonymization/{id}"));
        async move { client.post(&path, &json!({})).await }
    };
    let open = forget(&id(&request)).await.expect(422);
    assert_eq!(open.error_messages(), ["requestNotClosed"]);
    assert_eq!(forget("x").await.expect(422).error_messages(), ["invalidRequestId"]);
    forget(&item).await.expect(404);
    request["status"] = "Closed - Cancelled".into();
    library.desk.put(&format!("{PATH}/{}", id(&request)), &request).await.expect(204);
    let done = forget(&id(&request)).await.expect(200).json();
    assert_eq!(done, json!({"requestId": request["id"], "anonymized": true}));
    let stored = library.stored(STORED, &id(&request)).await;
    assert_eq!((stored.get("requesterId"), stored.get("requester")), (None, None));
    let shown = library.desk.get(&format!("{PATH}/{}", id(&request))).await.expect(200).json();
    assert_eq!(shown.get("requester"), None);
}
