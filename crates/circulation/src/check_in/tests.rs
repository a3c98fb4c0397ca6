//! Check-ins: refusals, the item's destination, and the effect on loan and queue.

use refusals::ErrorEntry;
use serde_json::{Value, json};

use super::*;
use crate::testing::*;

const LOAN: Uuid = uuid::uuid!("00000000-0000-4000-8000-0000000000c1");

fn item_with(members: Value) -> Item {
    serde_json::from_value(with(item(), members)).expect("an item")
}

fn open_loan() -> Loan {
    let record = json!({
        "id": LOAN, "userId": READER, "itemId": ITEM, "status": {"name": "Open"}, "action": "checkedout",
        "actionComment": "Agreed", "itemStatus": "Checked out", "loanDate": "2026-05-01T10:00:00Z",
        "agedToLostDelayedBilling": {"lostItemHasBeenBilled": false, "agedToLostDate": "2026-05-20T10:00:00Z"},
    });
    Loan::new(record.as_object().cloned().expect("an object"))
}

/// A book on loan.
fn context() -> CheckInContext {
    CheckInContext {
        item: Some(item_with(json!({"status": {"name": "Checked out"}}))),
        instance: serde_json::from_value(instance()).expect("an instance"),
        loan: Some(open_loan()),
        ..CheckInContext::default()
    }
}

/// An item with this status and no loan.
fn not_lent(status: &str) -> CheckInContext {
    CheckInContext { item: Some(item_with(json!({"status": {"name": status}}))), loan: None, ..context() }
}

fn body() -> Value {
    json!({"itemBarcode": "i-1", "servicePointId": DESK, "checkInDate": "2026-05-30T10:00:00+02:00"})
}

fn command(more: Value) -> CheckInCommand {
    CheckInCommand::read(&with(body(), more), Some(LIBRARIAN)).expect("a command")
}

fn taken(context: &CheckInContext, command: &CheckInCommand) -> Return {
    decide(context, &configuration(), command, now()).expect("a return")
}

#[track_caller]
fn assert_refused(context: &CheckInContext, command: &CheckInCommand, message: &str) {
    match decide(context, &configuration(), command, now()) {
        Err(refused) => assert_eq!(refused.0[0].message(), message),
        other => panic!("expected {message}, got {other:?}"),
    }
}

#[test]
fn bodies_are_checked_in_order_and_the_first_error_is_told() {
    for (members, operator, message, key, value) in [
        (json!({"itemBarcode": null}), None, "No logged-in user present", "userId", None),
        (
            json!({"itemBarcode": " ", "servicePointId": null}),
            Some(LIBRARIAN),
            "Checkin request must have an item barcode",
            "itemBarcode",
            None,
        ),
        (
            json!({"servicePointId": null, "checkInDate": null}),
            Some(LIBRARIAN),
            "Checkin request must have a service point id",
            "servicePointId",
            None,
        ),
        (
            json!({"servicePointId": "desk"}),
            Some(LIBRARIAN),
            "Checkin request must have a service point id",
            "servicePointId",
            None,
        ),
        (
            json!({"checkInDate": null}),
            Some(LIBRARIAN),
            "Checkin request must have an check in date",
            "checkInDate",
            None,
        ),
        (
            json!({"checkInDate": "today"}),
            Some(LIBRARIAN),
            "Checkin request must have an check in date",
            "checkInDate",
            None,
        ),
        (
            json!({"claimedReturnedResolution": "Lost"}),
            Some(LIBRARIAN),
            "Unrecognized value provided for property",
            "claimedReturnedResolution",
            Some("Lost"),
        ),
    ] {
        let refusal = CheckInCommand::read(&with(body(), members), operator).expect_err("a refusal");
        assert_eq!(refusal.entry(), ErrorEntry::plain(message, key, value));
    }
}

#[test]
fn items_that_cannot_be_taken_back() {
    let mut unknown = context();
    unknown.item = None;
    assert_refused(&unknown, &command(json!({})), "No item with barcode i-1 exists");
    let intellectual = "A title (book) (Barcode: i-1) has the item status Intellectual item \
                        and cannot be checked in";
    assert_refused(&not_lent("Intellectual item"), &command(json!({})), intellectual);
    let claimed = "Item is claimed returned, a resolution is required to check in";
    assert_refused(&not_lent("Claimed returned"), &command(json!({})), claimed);
}

#[test]
fn the_loan_is_closed() {
    let mut aged = context();
    aged.item = Some(item_with(json!({"status": {"name": "Aged to lost"}})));
    let returned = taken(&aged, &command(json!({})));
    let loan = returned.loan.expect("a loan").into_record();
    assert_eq!(
        Value::Object(loan),
        json!({
            "id": LOAN, "userId": READER, "itemId": ITEM, "status": {"name": "Closed"}, "action": "checkedin",
            "itemStatus": "Available", "loanDate": "2026-05-01T10:00:00Z",
            "agedToLostDelayedBilling": {"agedToLostDate": "2026-05-20T10:00:00Z"},
            "returnDate": "2026-05-30T08:00:00.000Z", "systemReturnDate": "2026-06-01T10:00:00.000+00:00",
            "checkinServicePointId": DESK,
        })
    );
}

#[test]
fn a_claim_is_resolved_by_the_action_of_the_loan() {
    for (resolution, action) in
        [("Found by library", "checkedInFoundByLibrary"), ("Returned by patron", "checkedInReturnedByPatron")]
    {
        let mut context = context();
        context.item = Some(item_with(json!({"status": {"name": "Claimed returned"}})));
        let command = command(json!({"claimedReturnedResolution": resolution}));
        let loan = taken(&context, &command).loan.expect("a loan");
        assert_eq!(loan.record()["action"], action);
    }
}

#[test]
fn without_requests_the_item_goes_home() {
    for (place, status, destination) in [(DESK, "Available", None), (BRANCH, "In transit", Some(DESK))] {
        let returned = taken(&context(), &command(json!({"servicePointId": place})));
        assert_eq!(returned.item.status.name(), status);
        assert_eq!(returned.item.in_transit_destination_service_point_id, destination);
        let last = returned.item.last_check_in.expect("a check-in");
        assert_eq!(last.service_point_id, Some(place));
        assert_eq!(last.staff_member_id, Some(LIBRARIAN));
        assert_eq!(last.date_time.as_deref(), Some("2026-06-01T10:00:00.000+00:00"));
    }
}

#[test]
fn every_other_status_ends_like_that() {
    for status in ["Missing", "Withdrawn", "Restricted", "On order", "In transit", "Available"] {
        let returned = taken(&not_lent(status), &command(json!({})));
        assert_eq!(returned.item.status.name(), "Available", "{status}");
        assert_eq!((returned.loan, returned.afterwards), (None, None), "{status}");
    }
}

#[test]
fn in_house_use_is_an_available_item_at_home_that_nobody_waits_for() {
    let waiting = vec![serde_json::from_value(request(1, READER, 1)).expect("a request")];
    for (status, place, requests, expected) in [
        ("Available", DESK, vec![], true),
        ("Available", BRANCH, vec![], false),
        ("Missing", DESK, vec![], false),
        ("Available", DESK, waiting, false),
    ] {
        let context = CheckInContext { requests, ..not_lent(status) };
        let returned = taken(&context, &command(json!({"servicePointId": place})));
        assert_eq!(returned.in_house_use, expected, "{status} {place}");
    }
}

fn waiting(rows: &[Value]) -> CheckInContext {
    let requests = rows.iter().map(|row| serde_json::from_value(row.clone()).expect("a request"));
    CheckInContext { requests: requests.collect(), ..context() }
}

fn request_with(id: u128, position: i64, members: Value) -> Value {
    let mut row = request(id, READER, position);
    row["request"] = with(row["request"].clone(), members);
    row
}

#[test]
fn the_first_request_gets_the_item() {
    let cases = [
        (json!({}), DESK, "Awaiting pickup", "Open - Awaiting pickup", None, Some("2026-06-04T23:59:59.000+00:00")),
        (
            json!({"holdShelfExpirationDate": "2026-07-01"}),
            DESK,
            "Awaiting pickup",
            "Open - Awaiting pickup",
            None,
            Some("2026-07-01"),
        ),
        (json!({"pickupServicePointId": BRANCH}), DESK, "In transit", "Open - In transit", Some(BRANCH), None),
        (json!({"holdShelfExpirationDate": "2026-07-01"}), BRANCH, "In transit", "Open - In transit", Some(DESK), None),
        (
            json!({"fulfillmentPreference": "Delivery"}),
            DESK,
            "Awaiting delivery",
            "Open - Awaiting delivery",
            None,
            None,
        ),
    ];
    for (members, place, item_status, request_status, destination, expires) in cases {
        let context = waiting(&[request_with(1, 1, members.clone())]);
        let returned = taken(&context, &command(json!({"servicePointId": place})));
        let request = returned.fulfilled.expect("a request").request;
        assert_eq!(returned.item.status.name(), item_status, "{members}");
        assert_eq!(request.status_text(), Some(request_status), "{members}");
        assert_eq!(returned.item.in_transit_destination_service_point_id, destination, "{members}");
        assert_eq!(request.hold_shelf_expiration_date_text(), expires, "{members}");
        assert_eq!(returned.queue_length, 1);
    }
}

#[test]
fn a_shelf_without_a_period_keeps_the_item() {
    let context = waiting(&[request_with(1, 1, json!({"pickupServicePointId": BRANCH}))]);
    let returned = taken(&context, &command(json!({"servicePointId": BRANCH})));
    let request = returned.fulfilled.expect("a request").request;
    assert_eq!(request.hold_shelf_expiration_date(), None);
}

#[test]
fn short_stays_on_the_shelf_end_by_the_clock() {
    for (duration, unit, expires) in [
        (2, "Hours", "2026-06-01T12:00:00.000+00:00"),
        (0, "Hours", "2026-06-01T10:00:00.000+00:00"),
        (0, "Days", "2026-06-01T23:59:59.000+00:00"),
    ] {
        let mut records = records();
        records["servicePoints"][0]["holdShelfExpiryPeriod"] = json!({"duration": duration, "intervalId": unit});
        let context = waiting(&[request(1, READER, 1)]);
        let configuration = Configuration::read(1, &records);
        let returned = decide(&context, &configuration, &command(json!({})), now()).expect("a return");
        let request = returned.fulfilled.expect("a request").request;
        assert_eq!(request.hold_shelf_expiration_date_text(), Some(expires), "{duration} {unit}");
    }
}

#[test]
fn a_request_must_say_where_the_item_is_fetched() {
    let context = waiting(&[request_with(1, 1, json!({"pickupServicePointId": null}))]);
    let message = "Failed to check in item due to the highest priority request missing \
                   a pickup service point";
    assert_refused(&context, &command(json!({})), message);
}

#[test]
fn the_request_moves_ahead_of_those_not_yet_filled() {
    let in_transit = json!({"status": "Open - In transit", "itemId": NOBODY, "requestLevel": "Title"});
    let other_item = json!({"itemId": NOBODY, "requestLevel": "Title"});
    let this_title = json!({"itemId": null, "requestLevel": "Title"});
    let records = with_titles(records(), true);
    let context =
        waiting(&[request_with(1, 1, in_transit), request_with(2, 2, other_item), request_with(3, 3, this_title)]);
    let configuration = Configuration::read(1, &records);
    let returned = decide(&context, &configuration, &command(json!({})), now()).expect("a return");
    let fulfilled = returned.fulfilled.expect("a request");
    assert_eq!(fulfilled.request.id(), Uuid::from_u128(3));
    assert_eq!(fulfilled.request.record()["itemId"], json!(ITEM), "it takes this item");
    assert_eq!(
        fulfilled.request.record()["item"],
        json!({"barcode": "i-1", "itemEffectiveLocationId": STACKS,
            "itemEffectiveLocationName": "Stacks", "retrievalServicePointId": DESK,
            "retrievalServicePointName": "Desk"})
    );
    assert_eq!(
        fulfilled.request.record()["searchIndex"],
        json!({"callNumberComponents": {"callNumber": "QA 1", "prefix": "f"},
            "pickupServicePointName": "Desk"})
    );
    let moved: Vec<_> = returned.moved.iter().map(|m| (m.id.as_u128(), m.position)).collect();
    assert_eq!(moved, [(3, 2), (2, 3)]);
}

#[test]
fn recalls_of_a_title_take_any_item_that_comes_back() {
    let recall = json!({"requestType": "Recall", "requestLevel": "Title", "itemId": NOBODY});
    let records = with_titles(records(), true);
    let context = waiting(&[request_with(1, 1, recall)]);
    let returned = decide(&context, &Configuration::read(1, &records), &command(json!({})), now());
    let fulfilled = returned.expect("a return").fulfilled.expect("a request");
    assert_eq!(fulfilled.request.item_id(), Some(ITEM));
}

#[test]
fn requests_that_the_rules_do_not_allow_are_passed_over() {
    let title = json!({"requestLevel": "Title", "itemId": null});
    let mut records = with_titles(records(), true);
    records["requestPolicies"][0]["requestTypes"] = json!(["Page"]);
    let context = waiting(&[request_with(1, 1, title)]);
    let returned = decide(&context, &Configuration::read(1, &records), &command(json!({})), now());
    let returned = returned.expect("a return");
    assert_eq!((returned.fulfilled, returned.item.status.name()), (None, "Available"));
}

#[test]
fn lost_items_need_a_lost_loan_but_are_taken_back_all_the_same() {
    let last = |was_lost: bool| {
        let mut loan = Loan::default();
        loan.set_id(LOAN);
        loan.set_declared_lost_date(was_lost.then(now));
        Some(loan)
    };
    for (status, last_loan, expected) in [
        ("Declared lost", None, Some(refusal::LOST_WITHOUT_LOAN.with("itemId", ITEM))),
        ("Aged to lost", last(false), Some(refusal::LAST_LOAN_NOT_LOST.with("loanId", LOAN))),
        ("Lost and paid", last(true), None),
        ("Missing", None, None),
    ] {
        let context = CheckInContext { last_loan, ..not_lent(status) };
        let returned = taken(&context, &command(json!({})));
        assert_eq!(returned.afterwards, expected, "{status}");
        assert_eq!(returned.item.status.name(), "Available", "{status}");
    }
}

#[test]
fn a_loan_for_use_in_the_library_ends_as_returned_where_the_operator_has_it() {
    let held = json!({"status": "Held", "statusDate": "2026-05-30T10:00:00.000+00:00",
        "holdShelfExpirationDate": "2026-06-02T23:59:59.000+00:00"});
    let returned = json!({"status": "Returned", "statusDate": "2026-06-01T10:00:00.000+00:00"});
    for (switched_on, before, after) in
        [(true, Some(&held), Some(&returned)), (false, Some(&held), Some(&held)), (true, None, None)]
    {
        let mut context = context();
        let loan = context.loan.as_mut().expect("a loan");
        loan.set_use_at_location(before.cloned());
        let library = Configuration { use_at_location: switched_on, ..configuration() };
        let taken = decide(&context, &library, &command(json!({})), now()).expect("a return");
        let loan = taken.loan.expect("a loan");
        assert_eq!(loan.record().get("forUseAtLocation"), after, "{switched_on}");
    }
}
