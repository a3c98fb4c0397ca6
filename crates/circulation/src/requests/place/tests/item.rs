//! Item-level requests.

use super::*;

#[test]
fn a_hold_is_put_at_the_end_and_changes_nothing_else() {
    let mut case = Case::hold().body(json!({"requestExpirationDate": "2026-07-01T00:00:00Z"}));
    case.context.requests = vec![parsed(request(7, OTHER_READER, 1))];
    let change = case.placed();
    let record = Value::Object(change.request.into_record());
    assert_eq!(record["position"], 2);
    assert_eq!(record["status"], "Open - Not yet filled");
    assert_eq!(record["requestExpirationDate"], "2026-07-01T23:59:59.000+00:00");
    assert_eq!(record["item"]["barcode"], "i-1");
    assert_eq!(record["item"]["retrievalServicePointName"], "Desk");
    assert_eq!(record["instance"]["title"], "A title");
    assert_eq!(record["requester"]["lastName"], "Reader");
    assert_eq!(record["searchIndex"]["pickupServicePointName"], "Desk");
    assert!(change.items.is_empty() && change.moved.is_empty() && change.loan_before.is_none());
}

#[test]
fn a_page_pages_the_item_and_a_recall_recalls_the_loan() {
    let available = |context: &mut RequestContext| {
        context.item = Some(parsed(item()));
        context.loan = None;
    };
    let page = Case::hold().body(json!({"requestType": "Page"})).change(available);
    assert_eq!(page.placed().items[0].1.name(), "Paged");
    let restricted = page.change(|context| {
        context.item = Some(parsed(with(item(), json!({"status": {"name": "Restricted"}}))));
    });
    assert!(restricted.placed().items.is_empty());
    let recall = Case::hold().body(json!({"requestType": "Recall"})).placed();
    assert_eq!(recall.loan_before, Some(loan(OTHER_READER, ITEM)));
    let recalled = recall.loan.expect("a loan");
    assert_eq!(recalled.record()["dueDateChangedByRecall"], true);
    assert_eq!(recalled.record()["action"], "recallrequested");
}

#[test]
fn clients_that_know_items_only_are_served() {
    let mut case = Case::hold();
    let body = case.body.as_object_mut().expect("an object");
    ["requestLevel", "instanceId", "holdingsRecordId"].iter().for_each(|member| drop(body.shift_remove(*member)));
    let record = Value::Object(case.placed().request.into_record());
    assert_eq!(record["requestLevel"], "Item");
    assert_eq!(record["instanceId"], json!(INSTANCE));
    assert_eq!(record["holdingsRecordId"], json!(NOBODY));
}

#[test]
fn each_refusal_of_an_item_has_its_words() {
    let no_group = |context: &mut RequestContext| {
        let found = context.requester.as_mut().expect("a requester");
        found.patron.patron_group = None;
    };
    let of_reader = |context: &mut RequestContext| context.loan = Some(loan(READER, ITEM));
    let waits = |context: &mut RequestContext| {
        context.requests = vec![parsed(request(7, READER, 1))];
    };
    let inactive = |context: &mut RequestContext| {
        let found = context.requester.as_mut().expect("a requester");
        found.patron.active = Some(false);
    };
    let closed_desk = json!({"servicePoints": [{"id": DESK, "name": "Desk", "pickupLocation": false}]});
    let policy = |more: Value| json!({"requestPolicies": [with(json!({"id": REQUESTS, "name": "Some"}), more)]});
    let elsewhere = json!({"requestTypes": ["Hold"], "allowedServicePoints": {"Hold": [BRANCH]}});
    for (case, expected) in [
        (
            Case::hold().body(json!({"requestLevel": "Title"})),
            vec!["Request level must be one of the following: \"Item\" | REQUEST_LEVEL_IS_NOT_ALLOWED | requestLevel"],
        ),
        (
            Case::hold().body(json!({"fulfillmentPreference": "Mail"})),
            vec![
                "Fulfillment preference must be one of the following: Hold Shelf, Delivery | \
                FULFILLMENT_PREFERENCE_IS_NOT_ALLOWED | fulfillmentPreference",
            ],
        ),
        (
            Case::hold().body(json!({"instanceId": null})),
            vec!["Cannot create a request with no instance ID | - | instanceId"],
        ),
        (
            Case::hold().body(json!({"itemId": null})),
            vec!["Cannot create an item level request with no item ID | - | itemId"],
        ),
        (
            Case::hold().body(json!({"holdingsRecordId": null})),
            vec!["Cannot create a request with item ID but no holdings record ID | - | holdingsRecordId"],
        ),
        (
            Case::hold().body(json!({"requestDate": null})),
            vec!["Cannot create a request with no requestDate | - | requestDate"],
        ),
        (Case::hold().change(|context| context.title = None), vec!["Instance does not exist | - | instanceId"]),
        (Case::hold().change(|context| context.item = None), vec!["Item does not exist | - | itemId"]),
        (Case::hold().body(json!({"proxyUserId": OTHER_READER})), vec!["proxyUserId is not valid | - | proxyUserId"]),
        (
            Case::hold().body(json!({"proxyUserId": READER})),
            vec!["User cannot be proxy for themselves | USER_CANNOT_BE_PROXY_FOR_THEMSELVES | proxyUserId"],
        ),
        (
            Case::hold().body(json!({"pickupServicePointId": null})),
            vec![
                "Hold shelf fulfillment requests require a Pickup service point | \
                HOLD_SHELF_REQUESTS_REQUIRE_PICKUP_SERVICE_POINT | id",
            ],
        ),
        (
            Case::hold().body(json!({"pickupServicePointId": LOAN})),
            vec!["Pickup service point does not exist | - | pickupServicePointId"],
        ),
        (
            Case::hold().records(closed_desk),
            vec![
                "Service point is not a pickup location | SERVICE_POINT_IS_NOT_PICKUP_LOCATION | pickupServicePointId",
            ],
        ),
        (
            Case::hold().change(|context| context.requester = None),
            vec!["A valid user and patron group are required. User is null | - | userId"],
        ),
        (
            Case::hold().change(no_group),
            vec!["A valid patron group is required. PatronGroup ID is null | - | PatronGroupId"],
        ),
        (Case::hold().change(inactive), vec!["Inactive users cannot make requests | - | requesterId, itemId"]),
        (
            Case::hold().change(waits),
            vec![
                "This requester already has an open request for this item | ITEM_ALREADY_REQUESTED | \
                requesterId, itemId, requestId",
            ],
        ),
        (
            Case::hold().body(json!({"requestType": "Page"})),
            vec![
                "Page requests are not allowed for this patron and item combination | \
                REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION | requestType",
            ],
        ),
        (
            Case::hold().change(of_reader),
            vec![
                "This requester already has this item on loan | REQUESTER_ALREADY_HAS_THIS_ITEM_ON_LOAN | \
                itemId, userId, loanId",
            ],
        ),
        (
            Case::hold().records(policy(json!({"requestTypes": ["Page"]}))),
            vec![
                "Hold requests are not allowed for this patron and item combination | \
                REQUEST_NOT_ALLOWED_FOR_PATRON_ITEM_COMBINATION | requestType",
            ],
        ),
        (
            Case::hold().records(policy(elsewhere)),
            vec![
                "One or more Pickup locations are no longer available | \
                REQUEST_PICKUP_SERVICE_POINT_IS_NOT_ALLOWED | pickupServicePointId, requestType, requestPolicyId",
            ],
        ),
    ] {
        assert_eq!(case.told(), expected);
    }
}

#[test]
fn refusals_are_told_together_in_their_order() {
    let case = Case::hold()
        .body(json!({"proxyUserId": READER, "pickupServicePointId": LOAN, "requestType": "Page"}))
        .change(|context| {
            context.loan = Some(loan(READER, ITEM));
            context.requests = vec![parsed(request(7, READER, 1))];
            let found = context.requester.as_mut().expect("a requester");
            found.patron.active = Some(false);
        });
    let told = case.told();
    let messages: Vec<_> = told.iter().filter_map(|told| told.split(" | ").next()).collect();
    assert_eq!(
        messages,
        [
            "User cannot be proxy for themselves",
            "Pickup service point does not exist",
            "Inactive users cannot make requests",
            "This requester already has an open request for this item",
            "Page requests are not allowed for this patron and item combination",
            "This requester already has this item on loan",
        ]
    );
}

#[test]
fn a_request_that_is_over_already_has_no_place() {
    let closed = Case::hold().body(json!({"status": "Closed - Filled", "position": 1}));
    assert_eq!(closed.placed().request.position(), None);
}

#[test]
fn an_active_proxy_may_ask() {
    let case = Case::hold().body(json!({"proxyUserId": OTHER_READER})).change(|context| {
        context.proxy = Some(parsed(patron(OTHER_READER)));
        context.proxy_relationships =
            vec![ProxyRelationship { status: Some("Active".to_owned()), expiration_date: None }];
    });
    assert_eq!(case.placed().request.record()["proxy"]["lastName"], "Reader");
}

#[test]
fn bodies_that_cannot_be_read() {
    let read = |body: Value| PlaceCommand::read(body, Granted::default()).err();
    assert_eq!(read(json!([])), Some(NOT_AN_OBJECT.into()));
    assert_eq!(read(json!({"itemId": "i"})), Some(not_an_id("itemId")));
    let unknown = read(json!({"status": "Open"})).expect("a refusal");
    assert_eq!(read(json!({"status": "Closed - Filled"})), None);
    assert!(unknown.message().starts_with(
        "Request status must be one of the following: \"Open - Not yet filled\", \"Open - Awaiting pickup\", "
    ));
}
