//! What is told of a return that is refused.

use super::*;
use crate::{
    check_in::{CheckInCommand, CheckInContext, NotedClaim},
    testing::request,
    trace::NoFine,
};

const LOAN: Uuid = Uuid::from_u128(0xc1);

fn plain() -> Configuration {
    library(json!({"loansPolicy": rolling(3, "Weeks", "CURRENT_DUE_DATE")}))
}

fn with_status(status: &str) -> CheckInContext {
    let item = parsed(with(item(), json!({"status": {"name": status, "date": "2026-05-20T10:00:00.000+00:00"}})));
    CheckInContext { item: Some(item), instance: parsed(instance()), ..CheckInContext::default() }
}

fn lent() -> Loan {
    parsed(json!({"id": LOAN, "userId": READER, "itemId": ITEM, "status": {"name": "Open"},
        "dueDate": "2026-05-25T10:00:00.000+00:00", "claimedReturnedDate": "2026-05-19T10:00:00.000+00:00",
        "overdueFinePolicyId": FINES}))
}

fn claimed() -> CheckInContext {
    let noted: Loan = parsed(json!({"id": LOAN, "action": "claimedReturned", "actionComment": "In the box"}));
    let librarian = with(patron(LIBRARIAN), json!({"personal": {"lastName": "Clerk", "firstName": "Cora"}}));
    CheckInContext {
        loan: Some(lent()),
        borrower: Some(parsed(patron(READER))),
        claim: Some(NotedClaim { loan: noted, by: Some(parsed(librarian)) }),
        ..with_status("Claimed returned")
    }
}

fn returning(more: Value) -> CheckInCommand {
    let body = json!({"itemBarcode": "i-1", "servicePointId": DESK, "checkInDate": "2026-06-01T10:00:00Z"});
    CheckInCommand::read(&with(body, more), Some(LIBRARIAN)).expect("a command")
}

fn because(context: &CheckInContext, last: Option<&LastReturn>) -> Value {
    let library = plain();
    let told = check_in(context, last, &library, &returning(json!({})), now()).shown(&library);
    told["refusals"][0]["because"].clone()
}

#[test]
fn a_status_that_cannot_come_back_is_told() {
    let expected = json!({"cause": "itemStatus", "status": "Intellectual item",
        "since": "2026-05-20T10:00:00.000+00:00"});
    assert_eq!(because(&with_status("Intellectual item"), None), expected);
    assert_eq!(because(&with_status("Missing"), None), Value::Null);
    let unknown = CheckInContext::default();
    assert_eq!(because(&unknown, None), Value::Null, "an unknown barcode has no cause");
}

#[test]
fn a_claim_is_told_with_its_loan_and_who_noted_it() {
    let expected = json!({"cause": "claimedReturned", "since": "2026-05-20T10:00:00.000+00:00", "loanId": LOAN,
        "borrower": {"id": READER, "name": "Reader, One"}, "due": "2026-05-25T10:00:00.000Z",
        "claimed": "2026-05-19T10:00:00.000Z", "by": "Clerk, Cora", "comment": "In the box"});
    assert_eq!(because(&claimed(), None), expected);
    let alone = json!({"cause": "claimedReturned", "since": "2026-05-20T10:00:00.000+00:00"});
    assert_eq!(because(&with_status("Claimed returned"), None), alone);
}

#[test]
fn each_end_of_a_claim_can_be_tried() {
    let library = plain();
    let tried = |resolution: &str| {
        let command = returning(json!({"claimedReturnedResolution": resolution}));
        check_in(&claimed(), None, &library, &command, now())
    };
    let found = tried("Found by library");
    assert_eq!(found.decided, Ok(None));
    assert!(found.steps.contains(&Step::NoFine(NoFine::FoundByLibrary)));
    let returned = tried("Returned by patron").shown(&library);
    assert!(returned["fine"]["amount"].as_f64() > Some(0.0), "{returned}");
}

#[test]
fn a_request_without_a_pickup_place_and_a_shelf_without_hours_are_told() {
    let waiting = |more: Value| {
        let mut queued = request(0xd1, OTHER_READER, 1);
        let members = queued["request"].take();
        queued["request"] = with(members, more);
        CheckInContext { requests: vec![parsed(queued)], ..with_status("Checked out") }
    };
    let nowhere = waiting(json!({"pickupServicePointId": null}));
    assert_eq!(because(&nowhere, None), json!({"cause": "request", "requestId": Uuid::from_u128(0xd1)}));

    let points = json!([{"id": DESK, "name": "Desk", "code": "d", "pickupLocation": true,
        "holdShelfExpiryPeriod": {"duration": 3, "intervalId": "Days"},
        "holdShelfClosedLibraryDateManagement": "Move_to_the_end_of_the_next_open_day"}]);
    let closed = Configuration::read(1, &with(records(), json!({"servicePoints": points, "calendars": []})));
    let told = check_in(&waiting(json!({})), None, &closed, &returning(json!({})), now()).shown(&closed);
    let expected = json!({"cause": "noOpening", "servicePoint": {"id": DESK, "name": "Desk"},
        "requestId": Uuid::from_u128(0xd1)});
    assert_eq!(told["refusals"][0]["because"], expected, "{told}");
}

#[test]
fn a_lost_item_that_is_back_is_told_by_its_last_check_in() {
    let last = |more: Value| -> LastReturn {
        parsed(with(json!({"statusBefore": "Lost and paid", "hadLoan": false, "lastLoan": null}), more))
    };
    let back = with_status("Available");
    let never = json!({"cause": "noLostLoan", "status": "Lost and paid", "recorded": true});
    assert_eq!(because(&back, Some(&last(json!({})))), never);
    let past = json!({"id": LOAN, "returnDate": "2026-04-01T10:00:00.000+00:00"});
    let ended = json!({"cause": "noLostLoan", "status": "Lost and paid", "recorded": true, "loanId": LOAN,
        "returned": "2026-04-01T10:00:00.000Z"});
    assert_eq!(because(&back, Some(&last(json!({"lastLoan": past})))), ended);
    // The loan that the check-in closed is found before the loss is looked for.
    assert_eq!(because(&back, Some(&last(json!({"hadLoan": true})))), Value::Null);
    assert_eq!(because(&back, Some(&last(json!({"statusBefore": "Available"})))), Value::Null);
    // What refuses now counts more than what refused then.
    let claim = because(&with_status("Claimed returned"), Some(&last(json!({}))));
    assert_eq!(claim["cause"], "claimedReturned");
}

proptest! {
    #[test]
    fn a_return_and_its_trace_agree(
        status in select(vec!["Available", "Checked out", "Claimed returned", "Intellectual item", "Lost and paid"]),
        has_loan in any::<bool>(),
        resolved in any::<bool>(),
        waits in any::<bool>(),
        has_point in any::<bool>(),
    ) {
        let library = plain();
        let mut context = CheckInContext { loan: has_loan.then(lent), ..with_status(status) };
        if waits {
            let mut queued = request(0xd1, OTHER_READER, 1);
            if !has_point {
                queued["request"]["pickupServicePointId"] = Value::Null;
            }
            context.requests.push(parsed(queued));
        }
        let command = returning(match resolved {
            true => json!({"claimedReturnedResolution": "Returned by patron"}),
            false => json!({}),
        });
        let decided = crate::check_in::decide(&context, &library, &command, now());
        let explanation = check_in(&context, None, &library, &command, now());
        let refused = match decided {
            Err(refused) => refused.0,
            Ok(taken) => taken.afterwards.into_iter().collect(),
        };
        let told = explanation.decided.err().map(|refused| refused.0).unwrap_or_default();
        prop_assert_eq!(&told, &refused);
        for refusal in &refused {
            let caused = explanation.steps.iter()
                .any(|step| matches!(step, Step::Refused { refusal: noted, .. } if noted == refusal));
            prop_assert!(caused, "{refusal}");
        }
    }
}
