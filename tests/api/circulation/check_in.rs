//! `/circulation/check-in-by-barcode` and `/circulation/end-patron-action-session`.

use serde_json::json;

use super::{LendingLibrary, id};

#[tokio::test]
async fn a_loan_is_closed_in_two_round_trips() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = id(&library.check_out("i-1", "p-1", json!({})).await.expect(201).json());

    let session = "00000000-0000-4000-8000-000000000001";
    let answer = library.check_in("i-1", json!({"sessionId": session})).await.expect(200);
    assert_eq!(answer.round_trips(), 2);
    let body = answer.json();
    assert_eq!(body["loan"]["id"], *loan);
    assert_eq!(body["loan"]["status"], json!({"name": "Closed"}));
    assert_eq!(body["loan"]["action"], "checkedin");
    assert_eq!(body["loan"]["returnDate"], "2026-11-21T11:00:00.000Z");
    assert_eq!(body["loan"]["checkinServicePoint"]["name"], "Desk");
    assert_eq!(body["loan"]["borrower"]["barcode"], "p-1");
    assert_eq!(body["item"]["status"]["name"], "Available");
    assert_eq!(body["inHouseUse"], false);
    assert_eq!(body["staffSlipContext"]["item"]["fromServicePoint"], "Desk");
    assert_eq!(body["staffSlipContext"]["item"]["effectiveLocationLibrary"], "Main library");
    assert_eq!(body["staffSlipContext"].get("request"), None);

    let stored = library.stored("/item-storage/items", &item).await;
    assert_eq!(stored["lastCheckIn"]["servicePointId"], *library.service_point);
    assert_eq!(stored["lastCheckIn"]["staffMemberId"], *library.librarian);
    assert_eq!(stored["_version"], 3);
    let stored = library.stored("/loan-storage/loans", &loan).await;
    assert_eq!(stored["itemStatus"], "Available");
    let check_ins = format!("itemId=={item}");
    let check_ins = library.desk.query("/check-in-storage/check-ins", &check_ins).await.json();
    assert_eq!(check_ins["checkIns"][0]["itemStatusPriorToCheckIn"], "Checked out");
    assert_eq!(check_ins["checkIns"][0]["requestQueueSize"], 0);
    let history = format!("loan.id=={loan}");
    let history = library.desk.query("/loan-storage/loan-history", &history).await.json();
    let operations: Vec<_> =
        history["loansHistory"].as_array().expect("a list").iter().map(|e| &e["operation"]).collect();
    assert_eq!(operations, ["U", "I"]);
    end_session(&library, &patron).await;
}

async fn end_session(library: &LendingLibrary, patron: &str) {
    let path = "/circulation/end-patron-action-session";
    let stored = "/patron-action-session-storage/patron-action-sessions";
    let query = format!("patronId=={patron}");
    let count = async || library.desk.query(stored, &query).await.json()["totalRecords"].clone();
    assert_eq!(count().await, 2);
    for (action, left) in [("Check-in", 1), ("", 0)] {
        let body = json!({"endSessions": [{"patronId": patron, "actionType": action}]});
        library.desk.post(path, &body).await.expect(204);
        assert_eq!(count().await, left);
    }
    for (body, message) in [
        (json!({"actionType": "Check-in"}), "End patron session request must have patron id"),
        (json!({"patronId": patron}), "End patron session request must have action type"),
        (json!({"patronId": patron, "actionType": "x"}), "Invalid patron action type value"),
    ] {
        let answer = library.desk.post(path, &json!({"endSessions": [body]})).await.expect(422);
        assert_eq!(answer.error_messages(), [message]);
    }
}

#[tokio::test]
async fn an_item_without_a_loan_has_none_in_the_answer() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    let body = library.check_in("i-1", json!({})).await.expect(200).json();
    assert_eq!(body.get("loan"), None);
    assert_eq!(body["inHouseUse"], true);
    let away = json!({"servicePointId": library.branch});
    let body = library.check_in("i-1", away).await.expect(200).json();
    assert_eq!(body["inHouseUse"], false);
    assert_eq!(body["item"]["status"]["name"], "In transit");
    assert_eq!(body["item"]["inTransitDestinationServicePoint"]["name"], "Desk");
    assert_eq!(body["staffSlipContext"]["item"]["toServicePoint"], "Desk");
    let body = library.check_in("i-1", json!({})).await.expect(200).json();
    assert_eq!(body["item"]["status"]["name"], "Available");
    assert_eq!(body["item"].get("inTransitDestinationServicePointId"), None);
}

#[tokio::test]
async fn only_the_first_error_is_reported() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({"status": {"name": "Intellectual item"}})).await;
    let answer = library.check_in("i-9", json!({})).await.expect(422);
    assert_eq!(
        answer.json(),
        json!({"errors": [{"message": "No item with barcode i-9 exists", "code": "ITEM_BARCODE_NOT_FOUND",
            "parameters": [{"key": "itemBarcode", "value": "i-9"}]}]})
    );
    let answer = library.check_in("i-1", json!({})).await.expect(422);
    assert_eq!(
        answer.error_messages(),
        ["A title (book) (Barcode: i-1) has the item status Intellectual item and cannot be checked in"]
    );
    let anonymous = LendingLibrary { desk: library.library.open.clone(), ..library };
    let answer = anonymous.check_in("i-1", json!({"itemBarcode": ""})).await.expect(422);
    assert_eq!(answer.error_messages(), ["No logged-in user present"]);
}

#[tokio::test]
async fn the_item_goes_to_the_waiting_request() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let kind = json!({"addressType": "Home"});
    let kind = library.desk.create("/addresstypes", &kind).await;
    let address = json!({"addressTypeId": kind["id"], "countryId": "TR", "primaryAddress": true});
    let personal = json!({"personal": {"lastName": "Reader", "addresses": [address]}});
    let reader = library.patron("p-2", personal).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let request = library.hold(&item, &reader, 1, json!({"patronComments": "Please"})).await;
    let body = library.check_in("i-1", json!({})).await.expect(200).json();
    assert_eq!(body["item"]["status"]["name"], "Awaiting pickup");
    assert_eq!(body["staffSlipContext"]["requester"]["barcode"], "p-2");
    assert_eq!(body["staffSlipContext"]["requester"]["patronGroup"], "staff");
    assert_eq!(body["staffSlipContext"]["requester"]["primaryCountry"], "Türkiye");
    assert_eq!(body["staffSlipContext"]["request"]["requestID"], *request);
    assert_eq!(body["staffSlipContext"]["request"]["patronComments"], "Please");
    let stored = library.stored("/request-storage/requests", &request).await;
    assert_eq!(stored["status"], "Open - Awaiting pickup");
    assert_eq!(stored["item"]["retrievalServicePointName"], "Desk");
    assert_eq!(stored["searchIndex"]["callNumberComponents"], json!({"callNumber": "QA 1"}));
    let expires = stored["holdShelfExpirationDate"].as_str().expect("a date");
    assert!(expires.ends_with("T23:59:59.000+00:00"), "{expires}");

    library.check_out("i-1", "p-2", json!({})).await.expect(201);
    let stored = library.stored("/request-storage/requests", &request).await;
    assert_eq!(stored["status"], "Closed - Filled");
}

#[tokio::test]
async fn a_lost_item_without_a_lost_loan_is_checked_in_with_an_error() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({"status": {"name": "Lost and paid"}})).await;
    let answer = library.check_in("i-1", json!({})).await.expect(422);
    assert_eq!(answer.error_messages(), ["Item is lost however there is no aged to lost nor declared lost loan found"]);
    let stored = library.stored("/item-storage/items", &item).await;
    assert_eq!(stored["status"]["name"], "Available");
}

#[tokio::test]
async fn a_page_is_told_where_a_lost_item_without_a_lost_loan_goes() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({"status": {"name": "Lost and paid"}})).await;
    let body = json!({"itemBarcode": "i-1", "servicePointId": library.service_point,
        "checkInDate": "2026-11-21T12:00:00Z"});
    let page = library.desk.with_header("x-carrel-page", "1");
    let answer = page.post("/circulation/check-in-by-barcode", &body).await.expect(200).json();
    assert_eq!(answer["item"]["status"]["name"], "Available");
    let facts = &answer["desk"];
    assert_eq!(facts["statusBefore"], "Lost and paid");
    assert_eq!(facts["refusal"], "Item is lost however there is no aged to lost nor declared lost loan found");
    let stored = library.stored("/item-storage/items", &item).await;
    assert_eq!(stored["status"]["name"], "Available");
    let again = page.post("/circulation/check-in-by-barcode", &body).await.expect(200).json();
    assert_eq!(again["desk"].get("refusal"), None);
}

#[tokio::test]
async fn a_claim_to_have_returned_an_item_is_resolved_at_the_desk() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = id(&library.check_out("i-1", "p-1", json!({})).await.expect(201).json());
    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-20T10:00:00Z", "comment": "In the box"});
    let path = format!("/circulation/loans/{loan}/claim-item-returned");
    library.desk.post(&path, &claim).await.expect(204);
    let summary = library.desk.get(&format!("/user-summary/{patron}")).await.json();
    assert_eq!(summary["openLoans"][0]["itemClaimedReturned"], true);
    let refused = library.check_in("i-1", json!({})).await.expect(422);
    assert_eq!(refused.error_messages(), ["Item is claimed returned, a resolution is required to check in"]);
    let found = json!({"claimedReturnedResolution": "Found by library"});
    let body = library.check_in("i-1", found).await.expect(200).json();
    assert_eq!(body["loan"]["action"], "checkedInFoundByLibrary");
    assert_eq!(body["item"]["status"]["name"], "Available");
    let again = library.desk.post(&path, &claim).await.expect(422);
    assert_eq!(again.error_messages(), ["Loan is closed"]);
}

#[tokio::test]
async fn bodies_may_come_as_plain_text() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let desk = library.desk.with_header("content-type", "text/plain; charset=UTF-8");
    let text = LendingLibrary { desk, ..library };
    text.check_out("i-1", "p-1", json!({})).await.expect(201);
    text.check_in("i-1", json!({})).await.expect(200);
}
