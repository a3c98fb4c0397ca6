//! `/carrel/why/check-in`: why an item is not taken back.

use serde_json::{Value, json};
use testkit::Answer;
use uuid::Uuid;

use super::{LendingLibrary, id, why::client_with};

const CHECK_IN: &str = "/carrel/why/check-in";

async fn why(library: &LendingLibrary, more: Value) -> Answer {
    let mut body = json!({"itemBarcode": "i-1", "servicePointId": library.service_point,
        "checkInDate": "2026-11-21T12:00:00Z"});
    body.as_object_mut().expect("members").extend(more.as_object().expect("members").clone());
    library.desk.post(CHECK_IN, &body).await
}

/// The only refusal, which the desk gives, too.
async fn refusal(library: &LendingLibrary) -> Value {
    let told = why(library, json!({})).await.expect(200).json();
    let refused = library.check_in("i-1", json!({})).await.expect(422).error_messages();
    assert_eq!(told["refusals"].as_array().map(Vec::len), Some(1), "{told}");
    assert_eq!(refused, [told["refusals"][0]["message"].as_str().expect("a text")]);
    told["refusals"][0]["because"].clone()
}

#[tokio::test]
async fn a_claim_is_explained_by_its_loan_and_each_end_of_it_tried() {
    let library = LendingLibrary::new().await;
    library.owner("Desk").await;
    library.charge_by_the_day().await;
    library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let lent = json!({"loanDate": "2026-01-01T10:00:00Z"});
    let loan = id(&library.check_out("i-1", "p-1", lent).await.expect(201).json());
    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-20T10:00:00Z", "comment": "In the box"});
    let path = format!("/circulation/loans/{loan}/claim-item-returned");
    library.desk.post(&path, &claim).await.expect(204);
    // What staff add later does not hide who noted the claim.
    let note = json!({"action": "patronInfoAdded", "actionComment": "asked for a bag"});
    library.desk.post(&format!("/circulation/loans/{loan}/add-info"), &note).await.expect(204);

    let because = refusal(&library).await;
    assert_eq!((&because["cause"], &because["loanId"]), (&json!("claimedReturned"), &json!(loan)));
    assert_eq!(because["borrower"]["id"], patron);
    assert_eq!((&because["by"], &because["comment"]), (&json!("librarian"), &json!("In the box")));
    assert!(because["claimed"].as_str().expect("a date").starts_with("2026-11-20T10:00:00"));
    assert!(because["since"].is_string() && because["due"].is_string(), "{because}");

    let found = why(&library, json!({"claimedReturnedResolution": "Found by library"})).await.expect(200);
    assert_eq!(found.round_trips(), 2);
    let found = found.json();
    assert_eq!((&found["refusals"], &found["fine"]["none"]), (&json!([]), &json!("foundByLibrary")));
    let returned = json!({"claimedReturnedResolution": "Returned by patron"});
    let fine = why(&library, returned.clone()).await.expect(200).json()["fine"]["amount"].clone();
    let resolved = json!({"claimedReturnedResolution": "Returned by patron", "checkInDate": "2026-11-21T12:00:00Z"});
    library.check_in("i-1", resolved).await.expect(200);
    let accounts = library.desk.query("/accounts", &format!("loanId=={loan}")).await.expect(200).json();
    assert_eq!(accounts["accounts"][0]["amount"], fine, "what was tried came true");
}

#[tokio::test]
async fn a_status_a_request_and_a_shelf_can_refuse() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({"status": {"name": "Intellectual item"}})).await;
    let because = refusal(&library).await;
    assert_eq!((&because["cause"], &because["status"]), (&json!("itemStatus"), &json!("Intellectual item")));

    library.change(&format!("/item-storage/items/{item}"), json!({"status": {"name": "Available"}})).await;
    library.patron("p-1", json!({})).await;
    let reader = library.patron("p-2", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let request = library.hold(&item, &reader, 1, json!({})).await;
    let path = format!("/request-storage/requests/{request}");
    library.change(&path, json!({"pickupServicePointId": null})).await;
    assert_eq!(refusal(&library).await, json!({"cause": "request", "requestId": request}));

    library.change(&path, json!({"pickupServicePointId": library.service_point})).await;
    let closed = json!({"holdShelfClosedLibraryDateManagement": "Move_to_the_end_of_the_next_open_day"});
    library.change(&format!("/service-points/{}", library.service_point), closed).await;
    let because = refusal(&library).await;
    assert_eq!((&because["cause"], &because["servicePoint"]["name"]), (&json!("noOpening"), &json!("Desk")));
}

#[tokio::test]
async fn a_refusal_after_the_check_in_was_recorded_is_explained_afterwards() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({"status": {"name": "Lost and paid"}})).await;
    let refused = library.check_in("i-1", json!({})).await.expect(422).error_messages();
    let told = why(&library, json!({})).await.expect(200).json();
    assert_eq!(refused, [told["refusals"][0]["message"].as_str().expect("a text")]);
    let because = json!({"cause": "noLostLoan", "status": "Lost and paid", "recorded": true});
    assert_eq!(told["refusals"][0]["because"], because);
    library.check_in("i-1", json!({})).await.expect(200);
    assert_eq!(why(&library, json!({})).await.expect(200).json()["refusals"], json!([]));
}

#[tokio::test]
async fn a_return_that_nothing_refuses_is_told_and_nothing_is_written() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    why(&library, json!({})).await.expect(200);
    let told = why(&library, json!({})).await.expect(200);
    assert_eq!(told.round_trips(), 2);
    assert_eq!(told.json()["refusals"], json!([]));
    assert_eq!(library.stored("/item-storage/items", &item).await["status"]["name"], "Checked out");
    let records = library.desk.get("/check-in-storage/check-ins").await.expect(200).json();
    assert_eq!(records["totalRecords"], 0);
}

#[tokio::test]
async fn a_barcode_of_no_item_has_no_cause_and_a_bad_body_is_refused() {
    let library = LendingLibrary::new().await;
    why(&library, json!({})).await.expect(200);
    let told = why(&library, json!({})).await.expect(200);
    assert_eq!(told.round_trips(), 1);
    let refusals = told.json()["refusals"].clone();
    assert_eq!((&refusals[0]["code"], refusals[0].get("because")), (&json!("ITEM_BARCODE_NOT_FOUND"), None));
    let unchecked = library.desk.malformed();
    let empty = unchecked.post(CHECK_IN, &json!({})).await.expect(422);
    assert_eq!(empty.error_messages(), ["Checkin request must have an item barcode"]);
    let mut body = json!({"itemBarcode": "i-1", "servicePointId": library.service_point,
        "checkInDate": "2026-11-21T12:00:00Z", "claimedReturnedResolution": "Lost"});
    assert_eq!(unchecked.post(CHECK_IN, &body).await.expect(422).error_messages().len(), 1);
    body["servicePointId"] = json!(Uuid::new_v4());
    body["claimedReturnedResolution"] = Value::Null;
    unchecked.post(CHECK_IN, &body).await.expect(200);
}

#[tokio::test]
async fn who_may_take_back_may_ask_why() {
    let library = LendingLibrary::new().await;
    let clerk = client_with(&library, &["circulation.check-in-by-barcode.post"]).await;
    let stranger = client_with(&library, &[]).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library.desk.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    let body = json!({"itemBarcode": "?", "servicePointId": library.service_point,
        "checkInDate": "2026-11-21T12:00:00Z"});
    clerk.post(CHECK_IN, &body).await.expect(200);
    stranger.post(CHECK_IN, &body).await.expect(403);
}
