//! `/circulation/renew-by-barcode` and `/circulation/renew-by-id`.

use serde_json::{Value, json};
use testkit::Answer;

use super::{LendingLibrary, id};

const OVERRIDE: &str = "[\"circulation.override-renewal-block.post\"]";

/// A library whose loans can be renewed twice, from their due date.
async fn renewing() -> LendingLibrary {
    let library = LendingLibrary::new().await;
    change_policy(&library, json!({"renewalsPolicy": {"numberAllowed": 2, "renewFromId": "CURRENT_DUE_DATE"}})).await;
    library
}

pub(super) async fn change_policy(library: &LendingLibrary, members: Value) {
    let path = "/loan-policy-storage/loan-policies";
    let mut policy = library.stored(path, &library.loan_policy).await;
    for (member, value) in members.as_object().expect("members") {
        policy[member] = value.clone();
    }
    let path = format!("{path}/{}", library.loan_policy);
    library.desk.put(&path, &policy).await.expect(204);
}

pub(super) async fn renew(library: &LendingLibrary, more: Value) -> Answer {
    let mut body = json!({"itemBarcode": "i-1", "userBarcode": "p-1", "servicePointId": library.service_point});
    for (member, value) in more.as_object().expect("members") {
        body[member] = value.clone();
    }
    library.desk.with_header("x-okapi-permissions", OVERRIDE).post("/circulation/renew-by-barcode", &body).await
}

/// A loan of `i-1` to `p-1`: item, patron, loan.
async fn on_loan(library: &LendingLibrary) -> (String, String, Value) {
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201);
    (item, patron, loan.json())
}

#[tokio::test]
async fn a_loan_is_renewed_in_two_round_trips() {
    let library = renewing().await;
    let (_, patron, loan) = on_loan(&library).await;
    renew(&library, json!({})).await.expect(200);
    let answer = renew(&library, json!({"id": "ignored"})).await.expect(200);
    assert_eq!(answer.round_trips(), 2);
    let path = format!("/circulation/loans/{}", id(&loan));
    assert_eq!(answer.header("location"), Some(&*path));
    let renewed = answer.json();
    assert_eq!(renewed["id"], loan["id"]);
    assert_eq!(renewed["action"], "renewed");
    assert_eq!(renewed["renewalCount"], 2);
    assert_eq!(renewed["userId"], *patron);
    assert_eq!(renewed["borrower"], loan["borrower"]);
    assert_eq!(renewed["loanPolicy"], json!({"name": "Three weeks"}));
    assert_eq!(renewed["item"]["status"]["name"], "Checked out");
    let due = renewed["dueDate"].as_str().expect("a date");
    assert!(due.ends_with("T23:59:59.000Z"), "{due}");
    for hidden in ["itemStatus", "feesAndFines", "checkoutServicePoint"] {
        assert_eq!(renewed.get(hidden), None, "{hidden}");
    }
    let stored = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(stored["dueDate"], due.replace('Z', "+00:00"));
    assert_eq!(stored["itemStatus"], "Checked out");
    assert_eq!(stored["metadata"]["updatedByUserId"], *library.librarian);

    let refused = renew(&library, json!({})).await.expect(422);
    let error = &refused.json()["errors"][0];
    assert_eq!(error["message"], "loan at maximum renewal number");
    assert_eq!(error["code"], "LOAN_RENEWAL_LIMIT_REACHED");
    assert_eq!(
        error["parameters"],
        json!([{"key": "loanPolicyId", "value": library.loan_policy},
               {"key": "loanPolicyName", "value": "Three weeks"}])
    );
    assert_eq!(error["overridableBlock"], json!({"name": "renewalBlock", "missingPermissions": []}));
    assert_eq!(refused.round_trips(), 1);
}

#[tokio::test]
async fn a_loan_is_renewed_by_ids() {
    let library = renewing().await;
    let (item, patron, loan) = on_loan(&library).await;
    let path = "/circulation/renew-by-id";
    let body = json!({"itemId": item, "userId": patron});
    let answer = library.desk.post(path, &body).await.expect(200);
    assert_eq!(answer.json()["id"], loan["id"]);
    assert_eq!(answer.round_trips(), 2);
    for (body, message) in [
        (json!({"userId": patron}), "Renewal request must have an item ID"),
        (json!({"itemId": "x", "userId": patron}), "No item with ID x exists"),
        (json!({"itemId": item, "userId": library.librarian}), "Cannot renew item checked out to different user"),
    ] {
        let refused = library.desk.post(path, &body).await.expect(422);
        assert_eq!(refused.error_messages(), [message]);
    }
}

#[tokio::test]
async fn items_that_are_not_on_loan_are_not_renewed() {
    let library = renewing().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let by_id = json!({"itemId": item, "userId": patron});
    let refused = library.desk.post("/circulation/renew-by-id", &by_id).await;
    let refused = refused.expect(422).json();
    let expected = json!([{"message": format!("No open loan found for the item ID. ({item})"),
        "parameters": [{"key": "itemId", "value": item}], "code": "ITEM_HAS_NO_OPEN_LOAN"}]);
    assert_eq!(refused["errors"], expected);
    for (more, message) in [
        (json!({}), "No open loan found for the item barcode. (i-1)"),
        (json!({"itemBarcode": "i-2"}), "No item with barcode i-2 exists"),
        (json!({"itemBarcode": ""}), "Renewal request must have an item barcode"),
    ] {
        let refused = renew(&library, more).await.expect(422);
        assert_eq!(refused.error_messages(), [message]);
    }
}

#[tokio::test]
async fn blocks_and_requests_prevent_a_renewal() {
    let library = renewing().await;
    let (item, patron, _) = on_loan(&library).await;
    let block = json!({"type": "Manual", "desc": "Lost card", "userId": patron, "renewals": true,
        "borrowing": false, "requests": false});
    library.desk.create("/manualblocks", &block).await;
    let other = library.patron("p-2", json!({})).await;
    let recall = json!({"requestType": "Recall"});
    let recall = library.hold(&item, &other, 1, recall).await;
    let refused = renew(&library, json!({})).await.expect(422);
    assert_eq!(
        refused.error_messages(),
        ["Patron blocked from renewing", "items cannot be renewed when there is an active recall request"]
    );
    let parameters = &refused.json()["errors"][1]["parameters"];
    assert_eq!(*parameters, json!([{"key": "requestId", "value": recall}]));
}

#[tokio::test]
async fn an_override_renews_a_lost_item() {
    let library = renewing().await;
    let (item, _, loan) = on_loan(&library).await;
    let path = format!("/item-storage/items/{item}");
    let mut record = library.stored("/item-storage/items", &item).await;
    record["status"] = json!({"name": "Declared lost"});
    library.desk.put(&path, &record).await.expect(204);
    let refused = renew(&library, json!({})).await.expect(422);
    assert_eq!(refused.error_messages(), ["item is Declared lost"]);
    let overridden = json!({"overrideBlocks": {"comment": "found", "renewalBlock": {}}});
    let renewed = renew(&library, overridden).await.expect(200);
    assert_eq!(renewed.round_trips(), 2);
    let renewed = renewed.json();
    assert_eq!(renewed["action"], "renewedThroughOverride");
    assert_eq!(renewed["actionComment"], "found");
    assert_eq!(renewed["item"]["status"]["name"], "Checked out");
    let item = library.stored("/item-storage/items", &item).await;
    assert_eq!(item["status"]["name"], "Checked out");
    let stored = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(stored["itemStatus"], "Checked out");
}

#[tokio::test]
async fn ten_simultaneous_renewals_are_all_counted() {
    let library = LendingLibrary::new().await;
    let unlimited = json!({"renewalsPolicy": {"unlimited": true, "renewFromId": "CURRENT_DUE_DATE"}});
    change_policy(&library, unlimited).await;
    let (_, _, loan) = on_loan(&library).await;
    let all = futures_util::future::join_all((0..10).map(|_| renew(&library, json!({})))).await;
    assert!(all.iter().all(|answer| answer.status == 200));
    let stored = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(stored["renewalCount"], 10);
}

fn codes(answer: &Answer) -> Vec<String> {
    let body = answer.json();
    let errors = body["errors"].as_array().expect("errors").iter();
    errors.filter_map(|error| error["code"].as_str().map(str::to_owned)).collect()
}

#[tokio::test]
async fn renewal_periods_of_a_fixed_policy_are_refused_with_a_hold() {
    let period = json!({"duration": 1, "intervalId": "Weeks"});
    for (renewable, holds, expected) in [
        (
            true,
            json!({"alternateRenewalLoanPeriod": period}),
            vec!["RENEWAL_BLOCKED_BY_HOLD_REQUEST", "FIXED_LOAN_POLICY_HAS_ALTERNATE_RENEWAL_PERIOD_FOR_HOLDS"],
        ),
        (
            false,
            json!({"renewItemsWithRequest": true}),
            vec![
                "LOAN_NOT_RENEWABLE",
                "FIXED_LOAN_POLICY_HAS_RENEWAL_PERIOD",
                "RENEWAL_DATE_OUTSIDE_FIXED_LOAN_POLICY_DATE_RANGES",
            ],
        ),
    ] {
        let library = renewing().await;
        let (item, _, _) = on_loan(&library).await;
        let other = library.patron("p-2", json!({})).await;
        library.hold(&item, &other, 1, json!({})).await;
        let schedule = json!({"name": "Term", "schedules": [{"from": "2026-01-01T00:00:00Z",
            "to": "2027-12-31T00:00:00Z", "due": "2028-12-31T00:00:00Z"}]});
        let schedules = "/fixed-due-date-schedule-storage/fixed-due-date-schedules";
        let schedule = id(&library.desk.create(schedules, &schedule).await);
        let policy = json!({"renewable": renewable,
            "loansPolicy": {"profileId": "Fixed", "fixedDueDateScheduleId": schedule},
            "renewalsPolicy": {"numberAllowed": 2, "differentPeriod": !renewable, "period": period},
            "requestManagement": {"holds": holds}});
        change_policy(&library, policy).await;
        let refused = renew(&library, json!({})).await;
        assert_eq!(codes(&refused.expect(422)), expected);
    }
}

#[tokio::test]
async fn overrides_need_a_comment_and_a_due_date() {
    let from_due_date = json!({"numberAllowed": 2, "renewFromId": "CURRENT_DUE_DATE"});
    let from_now = json!({"numberAllowed": 2, "renewFromId": "SYSTEM_DATE"});
    for (policy, blocks, code) in [
        (json!({"renewalsPolicy": from_due_date}), json!({"renewalBlock": {}}), "OVERRIDE_RENEWAL_COMMENT_REQUIRED"),
        (
            json!({"renewable": false}),
            json!({"renewalBlock": {}, "comment": "because"}),
            "OVERRIDE_RENEWAL_DUE_DATE_REQUIRED",
        ),
        (
            json!({"renewalsPolicy": from_now}),
            json!({"renewalBlock": {}, "comment": "because"}),
            "OVERRIDE_RENEWAL_DUE_DATE_REQUIRED_WHEN_DUE_DATE_UNCHANGED",
        ),
    ] {
        let library = LendingLibrary::new().await;
        change_policy(&library, policy).await;
        on_loan(&library).await;
        let refused = renew(&library, json!({"overrideBlocks": blocks})).await;
        assert_eq!(codes(&refused.expect(422)), [code]);
    }
}

#[tokio::test]
async fn a_renewal_is_overridden_by_ids() {
    let library = LendingLibrary::new().await;
    change_policy(&library, json!({"renewable": false})).await;
    let (item, patron, loan) = on_loan(&library).await;
    let body = json!({"itemId": item, "userId": patron, "overrideBlocks": {"comment": "because",
        "renewalDueDateRequiredBlock": {"dueDate": "2040-01-01T00:00:00Z"}}});
    let client = library.desk.with_header("x-okapi-permissions", OVERRIDE);
    let renewed = client.post("/circulation/renew-by-id", &body).await;
    let renewed = renewed.expect(200).json();
    assert_eq!(renewed["id"], loan["id"]);
    assert_eq!(renewed["action"], "renewedThroughOverride");
    let due = renewed["dueDate"].as_str().expect("a date");
    assert!(due.starts_with("2040-01-01T00:00:00"), "{due}");
}

#[tokio::test]
async fn another_patrons_loan_is_refused_with_a_code() {
    let library = renewing().await;
    on_loan(&library).await;
    library.patron("p-2", json!({})).await;
    let refused = renew(&library, json!({"userBarcode": "p-2"})).await;
    assert_eq!(codes(&refused.expect(422)), ["ITEM_CHECKED_OUT_TO_DIFFERENT_USER"]);
}
