//! Refusals of the desk that no other test covers.

use serde_json::{Value, json};

use super::{LendingLibrary, id};

const REQUESTS: &str = "/circulation/requests";

async fn reorder(library: &LendingLibrary, owner: &str, of: &str, order: &[(&str, i64)]) -> testkit::Answer {
    let places: Vec<_> = order.iter().map(|(id, place)| json!({"id": id, "newPosition": place})).collect();
    let path = format!("{REQUESTS}/queue/{owner}/{of}/reorder");
    library.desk.post(&path, &json!({"reorderedQueue": places})).await
}

/// A queue of two for an item, first a page.
async fn page_and_hold(library: &LendingLibrary) -> (String, String, String) {
    let item = library.item("i-1", json!({})).await;
    let first = library.patron("p-2", json!({})).await;
    let second = library.patron("p-3", json!({})).await;
    let page = library.ask("Page", &item, &first, json!({})).await.expect(201).json();
    let hold = library.ask("Hold", &item, &second, json!({})).await.expect(201).json();
    (item, id(&page), id(&hold))
}

#[tokio::test]
async fn pages_and_requests_in_fulfilment_stay_first() {
    let library = LendingLibrary::new().await;
    let (item, page, hold) = page_and_hold(&library).await;
    let swapped = [(page.as_str(), 2), (hold.as_str(), 1)];
    let refused = reorder(&library, "item", &item, &swapped).await.expect(422);
    assert_eq!(refused.error_messages(), ["Page requests can not be displaced from position 1."]);
    let unknown = [(page.as_str(), 1), (item.as_str(), 2)];
    let refused = reorder(&library, "item", &item, &unknown).await.expect(422);
    assert_eq!(
        refused.error_messages(),
        ["There is inconsistency between provided reordered queue and existing queue."]
    );
}

#[tokio::test]
async fn requests_on_the_hold_shelf_stay_first() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let mut asked = Vec::new();
    for reader in ["p-2", "p-3"] {
        let patron = library.patron(reader, json!({})).await;
        asked.push(id(&library.ask("Hold", &item, &patron, json!({})).await.expect(201).json()));
    }
    library.check_in("i-1", json!({})).await.expect(200);
    let swapped = [(asked[0].as_str(), 2), (asked[1].as_str(), 1)];
    let refused = reorder(&library, "item", &item, &swapped).await.expect(422);
    assert_eq!(refused.error_messages(), ["Requests can not be displaced from position 1 when fulfillment begun."]);
}

#[tokio::test]
async fn the_queue_of_a_title_is_reordered() {
    let library = LendingLibrary::new().await;
    library.allow_titles().await;
    let title = library.instance.clone();
    library.patron("p-1", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let absent = reorder(&library, "instance", &title, &[]).await.expect(404);
    assert!(absent.text.starts_with("Instance record with ID"), "{}", absent.text);
    let mut asked = Vec::new();
    for reader in ["p-2", "p-3", "p-4"] {
        let patron = library.patron(reader, json!({})).await;
        asked.push(id(&library.ask_title("Hold", &patron).await.expect(201).json()));
    }
    let order = |places: [i64; 3]| -> Vec<(&str, i64)> { asked.iter().map(String::as_str).zip(places).collect() };
    let refused = reorder(&library, "instance", &title, &order([1, 2, 4])).await.expect(422);
    assert_eq!(refused.error_messages(), ["Positions must have sequential order."]);
    let refused = reorder(&library, "instance", &title, &order([1, 2, 3])[..2]).await.expect(422);
    assert_eq!(
        refused.error_messages(),
        ["There is inconsistency between provided reordered queue and existing queue."]
    );
    reorder(&library, "instance", &title, &order([2, 1, 3])).await.expect(200);
    let waiting = library.waiting("instance", &title).await;
    assert_eq!(waiting[0], (asked[1].clone(), 1));
    let refused = reorder(&library, "item", &item, &order([1, 2, 3])).await.expect(422);
    assert_eq!(refused.error_messages(), ["Refuse to reorder request queue, TLR feature status is ENABLED."]);
    // The first request is on the hold shelf.
    library.check_in("i-1", json!({})).await.expect(200);
    let refused = reorder(&library, "instance", &title, &order([1, 2, 3])).await.expect(422);
    assert_eq!(refused.error_messages(), ["Requests can not be displaced from top positions when fulfillment begun."]);
}

#[tokio::test]
async fn the_due_date_of_a_lost_item_cannot_change() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let path = format!("/circulation/loans/{}", id(&loan));
    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-21T10:00:00Z"});
    library.desk.post(&format!("{path}/claim-item-returned"), &claim).await.expect(204);
    let later = json!({"dueDate": "2027-03-01T00:00:00.000Z"});
    let refused = library.desk.post(&format!("{path}/change-due-date"), &later).await.expect(422);
    assert_eq!(refused.error_messages(), ["item is Claimed returned"]);
    let mut stored = library.stored("/loan-storage/loans", &id(&loan)).await;
    stored["dueDate"] = later["dueDate"].clone();
    let refused = library.desk.put(&path, &stored).await.expect(422);
    assert_eq!(refused.error_messages(), ["item is Claimed returned"]);
}

#[tokio::test]
async fn all_matching_rules_are_listed() {
    let library = LendingLibrary::new().await;
    let asked = format!(
        "item_type_id={}&loan_type_id={}&patron_type_id={}&location_id={}",
        library.book, library.loan_type, library.group, library.location
    );
    for (policy, expected) in [
        ("request", &library.request_policy),
        ("notice", &library.notice_policy),
        ("lost-item", &library.lost_policy),
        ("overdue-fine", &library.overdue_policy),
    ] {
        let path = format!("/circulation/rules/{policy}-policy-all?{asked}");
        let found = library.desk.get(&path).await.expect(200);
        assert!(found.text.contains(expected.as_str()), "{path}: {}", found.text);
    }
}

#[tokio::test]
async fn a_print_is_logged_and_a_delivery_is_kept() {
    let library = LendingLibrary::new().await;
    let setting = json!({"name": "printEventLogFeature", "value": {"enablePrintLog": "true"}});
    library.desk.create("/circulation/settings", &setting).await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let request = library.ask("Page", &item, &patron, json!({})).await.expect(201).json();
    let event = json!({"requestIds": [request["id"]], "requesterId": patron, "requesterName": "Reader",
        "printEventDate": "2026-01-01T00:00:00Z"});
    library.desk.post("/circulation/print-events-entry", &event).await.expect(204);

    let stored = format!("/request-storage/requests/{}", id(&request));
    let mut record = library.desk.get(&stored).await.expect(200).json();
    record["status"] = Value::from("Open - Awaiting delivery");
    library.desk.put(&stored, &record).await.expect(204);
    let path = format!("/request-anonymization/{}", id(&request));
    let refused = library.desk.post(&path, &json!({})).await.expect(422);
    assert_eq!(refused.error_messages(), ["requestNotEligibleForAnonymization"]);
}

#[tokio::test]
async fn a_proxy_must_be_valid() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let stranger = library.patron("p-2", json!({})).await;
    let by_proxy = json!({"proxyUserBarcode": "p-2"});
    let refused = library.check_out("i-1", "p-1", by_proxy.clone()).await.expect(422);
    assert_eq!(refused.error_messages(), ["Cannot check out item via proxy when relationship is invalid"]);
    let mut record = library.stored("/users", &stranger).await;
    record.as_object_mut().expect("members").remove("active");
    library.desk.put(&format!("/users/{stranger}"), &record).await.expect(204);
    let refused = library.check_out("i-1", "p-1", by_proxy).await.expect(422);
    assert_eq!(refused.error_messages()[0], "Cannot determine if proxying user is active or not");
}

async fn change_loan_policy(library: &LendingLibrary, loans: Value, renewals: Value) {
    let policy = json!({"name": "Three weeks", "loanable": true, "renewable": true, "loansPolicy": loans,
        "renewalsPolicy": renewals});
    let path = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    library.desk.put(&path, &policy).await.expect(204);
}

#[tokio::test]
async fn without_openings_there_is_no_due_date() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let loans = json!({"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
        "closedLibraryDueDateManagementId": "END_OF_THE_NEXT_OPEN_DAY"});
    change_loan_policy(&library, loans, json!({"unlimited": true, "renewFromId": "SYSTEM_DATE"})).await;
    let refused = library.check_out("i-1", "p-1", json!({})).await.expect(422);
    assert_eq!(refused.error_messages(), ["Calendar timetable is absent for requested date"]);
}

/// A schedule of one range around the present, or long past.
async fn schedule(library: &LendingLibrary, path: &str, year: i16) -> testkit::Answer {
    let ranges = json!([{"from": format!("{year}-01-01T00:00:00.000Z"), "to": "2099-12-31T23:59:59.000Z",
        "due": "2100-01-31T23:59:59.000Z"}]);
    let past = json!([{"from": "2001-01-01T00:00:00.000Z", "to": "2001-12-31T23:59:59.000Z",
        "due": "2002-01-31T23:59:59.000Z"}]);
    let ranges = if year > 2001 { ranges } else { past };
    let schedule = json!({"name": "Terms", "schedules": ranges});
    match path.ends_with("schedules") {
        true => library.desk.post(path, &schedule).await,
        false => library.desk.put(path, &schedule).await,
    }
}

#[tokio::test]
async fn a_loan_is_not_renewed_outside_its_policys_schedule() {
    let schedules = "/fixed-due-date-schedule-storage/fixed-due-date-schedules";
    for (profile, message, code) in [
        (
            "Rolling",
            "renewal date falls outside of date ranges in the loan policy",
            "RENEWAL_DATE_OUTSIDE_LOAN_POLICY_DATE_RANGES",
        ),
        (
            "Fixed",
            "renewal date falls outside of date ranges in fixed loan policy",
            "RENEWAL_DATE_OUTSIDE_FIXED_LOAN_POLICY_DATE_RANGES",
        ),
    ] {
        let library = LendingLibrary::new().await;
        let made = schedule(&library, schedules, 2020).await.expect(201).json();
        let mut loans = json!({"profileId": profile, "fixedDueDateScheduleId": made["id"],
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"});
        if profile == "Rolling" {
            loans["period"] = json!({"duration": 3, "intervalId": "Weeks"});
        }
        change_loan_policy(&library, loans, json!({"unlimited": true, "renewFromId": "SYSTEM_DATE"})).await;
        library.item("i-1", json!({})).await;
        library.patron("p-1", json!({})).await;
        library.check_out("i-1", "p-1", json!({})).await.expect(201);
        schedule(&library, &format!("{schedules}/{}", id(&made)), 2001).await.expect(204);
        let renewal = json!({"itemBarcode": "i-1", "userBarcode": "p-1"});
        let refused = library.desk.post("/circulation/renew-by-barcode", &renewal).await.expect(422);
        assert!(refused.error_messages().contains(&message.to_owned()), "{}", refused.text);
        assert!(refused.text.contains(code), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_check_in_without_a_pickup_service_point_is_refused() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let reader = library.patron("p-2", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let request = library.hold(&item, &reader, 1, json!({})).await;
    let path = format!("/request-storage/requests/{request}");
    library.change(&path, json!({"pickupServicePointId": null})).await;
    let refused = library.check_in("i-1", json!({})).await.expect(422);
    assert_eq!(
        refused.error_messages(),
        ["Failed to check in item due to the highest priority request missing a pickup service point"]
    );
}

#[tokio::test]
async fn a_lost_item_without_a_lost_loan_is_refused() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    library.check_in("i-1", json!({})).await.expect(200);
    let path = format!("/item-storage/items/{item}");
    let mut record = library.desk.get(&path).await.expect(200).json();
    record["status"] = json!({"name": "Lost and paid"});
    library.desk.put(&path, &record).await.expect(204);
    let refused = library.check_in("i-1", json!({})).await.expect(422);
    assert_eq!(refused.error_messages(), ["Last loan for lost item is neither aged to lost nor declared lost"]);
}

#[tokio::test]
async fn a_title_without_holdings_cannot_be_requested() {
    let library = LendingLibrary::new().await;
    let reader = library.patron("p-1", json!({})).await;
    let mut instance = library.stored("/instance-storage/instances", &library.instance).await;
    for member in ["id", "hrid", "_version"] {
        instance.as_object_mut().expect("members").remove(member);
    }
    let bare = library.desk.create("/instance-storage/instances", &instance).await;
    let request = json!({"instanceId": bare["id"], "requesterId": reader, "requestLevel": "Item",
        "requestDate": "2026-11-01T00:00:00Z", "pickupServicePointId": library.service_point,
        "fulfillmentPreference": "Hold Shelf"});
    let refused = library.desk.post("/circulation/requests/instances", &request).await.expect(422);
    assert_eq!(refused.error_messages(), ["There are no holdings for this instance"]);
}
