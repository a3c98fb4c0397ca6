//! The circulation log (docs/folio/events.md#business-events).

use super::*;

#[tokio::test]
async fn the_log_has_check_outs_and_check_ins() {
    let library = library().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let other = library.patron("p-2", json!({})).await;
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let checked_out = hook.next().await.body;
    assert_eq!(checked_out["logEventType"], "CHECK_OUT_EVENT");
    for event in [&checked_out, &checked_out["payload"]] {
        assert_eq!(event["servicePointId"], library.service_point.as_str());
        assert_eq!((&event["loanId"], &event["isLoanClosed"]), (&loan["id"], &json!(false)));
        assert_eq!((&event["userId"], &event["userBarcode"]), (&json!(patron), &json!("p-1")));
        assert_eq!((&event["itemId"], &event["itemBarcode"]), (&json!(item), &json!("i-1")));
        assert_eq!(event["itemStatusName"], "Checked out");
        assert_eq!(
            (&event["holdingsRecordId"], &event["instanceId"]),
            (&json!(library.holdings), &json!(library.instance))
        );
        assert_eq!((&event["source"], &event["zoneId"]), (&json!("Librarian"), &json!("UTC")));
        instant(&event["dueDate"]);
    }
    assert_eq!(checked_out["requests"], json!([]));

    let request = library.hold(&item, &other, 1, json!({})).await;
    let created = hook.next().await.body;
    assert_eq!(created["logEventType"], "REQUEST_CREATED_EVENT");
    assert_eq!(created["payload"]["requests"]["created"]["id"], request.as_str());
    assert_eq!(created["payload"]["itemBarcode"], "i-1");

    library.check_in("i-1", json!({})).await.expect(200);
    let returned = hook.next().await.body;
    assert_eq!(returned["logEventType"], "CHECK_IN_EVENT");
    assert_eq!((&returned["isLoanClosed"], &returned["userBarcode"]), (&json!(true), &json!("p-1")));
    assert_eq!(returned["itemStatusName"], "Awaiting pickup");
    assert_eq!(returned["source"], "Librarian");
    assert_eq!(
        returned["requests"],
        json!([{"id": request, "oldRequestStatus": "Open - Not yet filled",
        "newRequestStatus": "Open - Awaiting pickup", "pickUpServicePoint": "Desk", "requestType": "Hold"}])
    );
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn the_log_has_overridden_blocks_and_reordered_queues() {
    let library = library().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let (first, second) = (library.patron("p-2", json!({})).await, library.patron("p-3", json!({})).await);
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let block = json!({"userId": first, "type": "Manual", "desc": "Owes a book", "borrowing": false,
        "renewals": false, "requests": true});
    library.desk.create("/manualblocks", &block).await;
    let permission = json!(["circulation.override-patron-block.post"]).to_string();
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    let request = json!({"requestType": "Hold", "requestLevel": "Item", "itemId": item,
        "instanceId": library.instance, "holdingsRecordId": library.holdings, "requesterId": first,
        "requestDate": "2025-01-01T00:00:00Z", "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": library.service_point, "requestProcessingParameters":
            {"overrideBlocks": {"patronBlock": {}, "comment": "ok"}}});
    let path = "/circulation/requests";
    let request =
        library.desk.with_header("x-okapi-permissions", &permission).post(path, &request).await.expect(201).json();
    let event = hook.next().await.body;
    assert_eq!(event["logEventType"], "REQUEST_CREATED_THROUGH_OVERRIDE_EVENT");
    assert_eq!(event["payload"]["requests"]["created"]["id"], request["id"]);
    let other = library.hold(&item, &second, 2, json!({})).await;
    assert_eq!(hook.next().await.body["logEventType"], "REQUEST_CREATED_EVENT");

    let order = json!({"reorderedQueue": [{"id": request["id"], "newPosition": 2},
        {"id": other, "newPosition": 1}]});
    let path = format!("/circulation/requests/queue/item/{item}/reorder");
    library.desk.post(&path, &order).await.expect(200);
    let event = hook.next().await.body;
    assert_eq!(event["logEventType"], "REQUEST_REORDERED_EVENT");
    assert_eq!(
        (&event["payload"]["itemId"], &event["payload"]["itemStatusName"]),
        (&json!(item), &json!("Checked out"))
    );
    let places: Vec<_> = event["payload"]["requests"]["reordered"]
        .as_array()
        .expect("requests")
        .iter()
        .map(|r| (&r["id"], &r["position"], &r["previousPosition"]))
        .collect();
    assert_eq!(places, [(&json!(other), &json!(1), &json!(2)), (&request["id"], &json!(2), &json!(1))]);
    library.desk.post(&path, &order).await.expect(200);
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn the_log_of_an_anonymized_request_names_no_patron() {
    let library = library().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let over = json!({"status": "Closed - Cancelled"});
    let requests = [library.hold(&item, &patron, 1, over.clone()).await, library.hold(&item, &patron, 2, over).await];
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    let path = format!("/request-anonymization/{}", requests[0]);
    for _ in 0..2 {
        library.desk.post(&path, &json!({})).await.expect(200);
    }
    let setting = json!({"name": "requestAnonymization", "value": {"mode": "immediately"}});
    library.desk.create("/circulation/settings", &setting).await;
    let path = "/circulation/scheduled-request-anonymize-processing";
    library.desk.post(path, &json!({})).await.expect(204);
    for request in &requests {
        let mut event = hook.next().await.body;
        instant(&event["payload"]["date"].take());
        assert_eq!(
            event,
            json!({"logEventType": "REQUEST_ANONYMIZED_EVENT", "payload": {
                "object": "Request", "action": "anonymizeRequest", "date": null, "userBarcode": "-",
                "linkToIds": {"requestId": request}, "items": {"itemBarcode": "i-1", "itemId": item,
                    "instanceId": library.instance, "holdingsId": library.holdings}}})
        );
    }
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn the_log_has_changes_of_loans() {
    let library = library().await;
    let (item, patron, loan) = on_loan(&library).await;
    let zone = json!({"timezone": "Europe/Berlin", "locale": "de-DE", "currency": "EUR"});
    library.desk.put("/locale", &zone).await;
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    act(&library, &loan, "change-due-date", json!({"dueDate": "2027-07-01T10:00:00.000Z"})).await;
    let changed = hook.next().await.body;
    assert_eq!(changed["logEventType"], "LOAN");
    let event = &changed["payload"];
    assert_eq!(event["action"], "Changed due date");
    let described = event["description"].as_str().expect("a text");
    assert!(described.starts_with("New due date: 2027-07-01T12:00:00.000+02:00 (from 2"), "{described}");
    assert_eq!((&event["userId"], &event["userBarcode"]), (&json!(patron), &json!("p-1")));
    assert_eq!((&event["itemId"], &event["itemBarcode"]), (&json!(item), &json!("i-1")));
    assert_eq!((&event["loanId"], &event["servicePointId"]), (&loan["id"], &json!(library.service_point)));
    assert_eq!(event["updatedByUserId"], library.librarian.as_str());

    act(&library, &loan, "add-info", json!({"action": "staffInfoAdded", "actionComment": "Spine is broken"})).await;
    let info = hook.next().await.body;
    assert_eq!(
        (&info["payload"]["action"], &info["payload"]["description"]),
        (&json!("Staff info added"), &json!("Spine is broken"))
    );

    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-21T10:00:00Z", "comment": "Put it in the box"});
    act(&library, &loan, "claim-item-returned", claim).await;
    let claimed = hook.next().await.body;
    assert_eq!(claimed["payload"]["action"], "Claimed returned");
    assert_eq!(claimed["payload"]["description"], "Additional information: Put it in the box");
    act(&library, &loan, "declare-claimed-returned-item-as-missing", json!({"comment": "Not there"})).await;
    assert_eq!(hook.next().await.body["payload"]["action"], "Marked as missing");
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn the_log_has_renewals_twice_and_fee_actions() {
    let library = library().await;
    let (_, patron, _) = on_loan(&library).await;
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    library.library.clock.advance(jiff::SignedDuration::from_hours(48));
    let policy = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    let mut record = library.desk.get(&policy).await.expect(200).json();
    record["renewalsPolicy"] = json!({"unlimited": true, "renewFromId": "SYSTEM_DATE"});
    library.desk.put(&policy, &record).await.expect(204);
    let renewal = json!({"itemBarcode": "i-1", "userBarcode": "p-1", "servicePointId": library.service_point});
    library.desk.post("/circulation/renew-by-barcode", &renewal).await.expect(200);
    for action in ["Changed due date", "Renewed"] {
        assert_eq!(hook.next().await.body["payload"]["action"], action);
    }

    let about = json!({"feeFineOwner": "Main library"});
    let (_, account) = library.damage(&patron, 10.0, about).await;
    let payment = json!({"amount": "4", "notifyPatron": false, "servicePointId": library.service_point,
        "userName": "Desk", "paymentMethod": "Cash"});
    library.desk.post(&format!("/accounts/{account}/pay"), &payment).await.expect(201);
    let paid = hook.next().await.body;
    assert_eq!(paid["logEventType"], "FEE_FINE");
    let event = &paid["payload"];
    assert_eq!(
        (&event["action"], &event["amount"], &event["balance"]),
        (&json!("Paid partially"), &json!(4.0), &json!(6.0))
    );
    assert_eq!(
        (&event["accountId"], &event["type"], &event["automated"]),
        (&json!(account), &json!("Damage"), &json!(false))
    );
}
