//! What events say (docs/folio/events.md, docs/folio/desk-records.md#events, docs/folio/fees-fines.md#events-of-fees).

use serde_json::{Value, json};
use testkit::{Hook, Sent};

use super::{
    LendingLibrary, id,
    webhooks::{library, listen},
};

/// A loan of `i-1` to `p-1`: item, patron, loan.
async fn lent(library: &LendingLibrary) -> (String, String, Value) {
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201);
    (item, patron, loan.json())
}

async fn act(library: &LendingLibrary, loan: &Value, action: &str, body: Value) {
    let path = format!("/circulation/loans/{}/{action}", id(loan));
    library.desk.post(&path, &body).await.expect(204);
}

/// The next events, by kind; each of another one.
async fn next(hook: &mut Hook, count: usize) -> std::collections::HashMap<String, Value> {
    let mut events = std::collections::HashMap::new();
    for _ in 0..count {
        let Sent { body, .. } = {
            let sent = hook.next().await;
            events.insert(sent.topic().to_owned(), sent.body.clone());
            sent
        };
        assert!(body.is_object());
    }
    events
}

fn instant(text: &Value) -> jiff::Timestamp {
    let text = text.as_str().expect("an instant");
    assert!(text.ends_with('Z'), "{text}");
    text.parse().expect("an instant")
}

const BUSINESS: &[&str] = &[
    "ITEM_CHECKED_OUT",
    "ITEM_CHECKED_IN",
    "ITEM_DECLARED_LOST",
    "ITEM_AGED_TO_LOST",
    "ITEM_CLAIMED_RETURNED",
    "LOAN_DUE_DATE_CHANGED",
    "LOAN_CLOSED",
];

#[tokio::test]
async fn loans_are_told_as_mod_circulation_tells_them() {
    let library = library().await;
    let policy = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    let mut policy_record = library.desk.get(&policy).await.expect(200).json();
    let grace = json!({"duration": 2, "intervalId": "Days"});
    policy_record["loansPolicy"]["gracePeriod"] = grace.clone();
    library.desk.put(&policy, &policy_record).await.expect(204);
    let mut hook = listen(&library, BUSINESS).await;
    let (_, patron, loan) = lent(&library).await;
    let due = hook.next().await;
    assert_eq!(due.topic(), "ITEM_CHECKED_OUT");
    instant(&due.body["dueDate"]);
    let told = json!({"userId": patron, "loanId": loan["id"], "dueDate": due.body["dueDate"], "gracePeriod": grace});
    assert_eq!(due.body, told);

    act(
        &library,
        &loan,
        "change-due-date",
        json!({"dueDate": "2027-03-01T10:00:00.000+01:00"}),
    )
    .await;
    let changed = hook.next().await;
    assert_eq!(changed.topic(), "LOAN_DUE_DATE_CHANGED");
    assert_eq!(
        changed.body,
        json!({"userId": patron, "loanId": loan["id"], "dueDate": "2027-03-01T09:00:00.000Z",
        "dueDateChangedByRecall": false})
    );

    act(
        &library,
        &loan,
        "claim-item-returned",
        json!({"itemClaimedReturnedDateTime": "2026-11-21T10:00:00Z"}),
    )
    .await;
    let both = json!({"userId": patron, "loanId": loan["id"]});
    let claimed = hook.next().await;
    assert_eq!(
        (claimed.topic(), &claimed.body),
        ("ITEM_CLAIMED_RETURNED", &both)
    );

    let resolution = json!({"claimedReturnedResolution": "Returned by patron", "checkInDate": "2026-11-21T12:00:00.000Z"});
    library.check_in("i-1", resolution).await.expect(200);
    let returned = hook.next().await;
    assert_eq!(returned.topic(), "ITEM_CHECKED_IN");
    assert_eq!(
        returned.body,
        json!({"userId": patron, "loanId": loan["id"], "returnDate": "2026-11-21T12:00:00.000Z"})
    );
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn lost_items_and_closed_loans_are_told() {
    let library = library().await;
    let mut hook = listen(&library, BUSINESS).await;
    let (_, patron, loan) = lent(&library).await;
    hook.next().await;
    // A policy without fees closes the loan at once, and nothing else is told.
    act(
        &library,
        &loan,
        "declare-item-lost",
        json!({"servicePointId": library.service_point}),
    )
    .await;
    let both = json!({"userId": patron, "loanId": loan["id"]});
    let told = hook.next().await;
    assert_eq!((told.topic(), &told.body), ("LOAN_CLOSED", &both));
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn fees_are_told_as_mod_feesfines_tells_them() {
    let library = library().await;
    let mut hook = listen(
        &library,
        &["FEE_FINE_BALANCE_CHANGED", "LOAN_RELATED_FEE_FINE_CLOSED"],
    )
    .await;
    let (_, patron, loan) = lent(&library).await;
    let about = json!({"loanId": loan["id"]});
    let (kind, account) = library.damage(&patron, 10.5, about).await;
    let mut told = json!({"userId": patron, "feeFineId": account, "feeFineTypeId": kind, "balance": 10.5,
        "loanId": loan["id"]});
    assert_eq!(hook.next().await.body, told);

    let payment = json!({"amount": "10.5", "notifyPatron": false, "servicePointId": library.service_point,
        "userName": "Desk", "paymentMethod": "Cash"});
    library
        .desk
        .post(&format!("/accounts/{account}/pay"), &payment)
        .await
        .expect(201);
    told["balance"] = json!(0.0);
    let events = next(&mut hook, 2).await;
    assert_eq!(
        events["FEE_FINE_BALANCE_CHANGED"]["balance"].as_f64(),
        Some(0.0)
    );
    assert_eq!(
        events["LOAN_RELATED_FEE_FINE_CLOSED"],
        json!({"loanId": loan["id"]})
    );

    library
        .desk
        .delete(&format!("/accounts/{account}"))
        .await
        .expect(204);
    let gone = hook.next().await;
    assert_eq!(gone.body["feeFineId"], account.as_str());
    assert_eq!(gone.body["balance"].as_f64(), Some(0.0));
}

#[tokio::test]
async fn changes_of_records_are_told_with_old_and_new() {
    let library = library().await;
    let mut hook = listen(&library, &["circulation.loan"]).await;
    let (_, _, loan) = lent(&library).await;
    let created = hook.next().await;
    assert_eq!(
        (&created.body["type"], &created.body["tenant"]),
        (&json!("CREATED"), &json!("test"))
    );
    assert!(created.body["timestamp"].is_i64());
    assert!(created.body["id"].is_string());
    let stored = library.stored("/loan-storage/loans", &id(&loan)).await;
    assert_eq!(created.body["data"], json!({"new": stored}));

    library.check_in("i-1", json!({})).await.expect(200);
    let updated = hook.next().await.body;
    assert_eq!(updated["type"], "UPDATED");
    assert_eq!(updated["data"]["old"], stored);
    assert_eq!(updated["data"]["new"]["action"], "checkedin");

    library
        .desk
        .delete(&format!("/loan-storage/loans/{}", id(&loan)))
        .await
        .expect(204);
    let deleted = hook.next().await.body;
    assert_eq!(
        (&deleted["type"], deleted["data"].get("new")),
        (&json!("DELETED"), None)
    );
    assert_eq!(deleted["data"]["old"]["id"], loan["id"]);
}

#[tokio::test]
async fn every_topic_of_the_contract_is_told() {
    let library = library().await;
    let topics = [
        "circulation.check-in",
        "circulation.rules",
        "circulation.circulation-settings",
        "inventory.item",
        "inventory.holdings-record",
        "inventory.instance",
        "users.users",
    ];
    let mut hook = listen(&library, &topics).await;
    lent(&library).await;
    let lent = next(&mut hook, 3).await;
    let item = &lent["inventory.item"];
    assert!(item["eventId"].is_string() && item["eventTs"].is_i64());
    assert_eq!(lent["users.users"]["data"]["new"]["barcode"], "p-1");
    library.check_in("i-1", json!({})).await.expect(200);
    let returned = next(&mut hook, 2).await;
    assert_eq!(returned["inventory.item"]["type"], "UPDATE");
    assert_eq!(
        returned["inventory.item"]["old"]["status"]["name"],
        "Checked out"
    );
    assert_eq!(
        returned["inventory.item"]["new"]["status"]["name"],
        "Available"
    );
    let check_in = &returned["circulation.check-in"]["data"]["new"];
    assert_eq!(check_in["itemStatusPriorToCheckIn"], "Checked out");

    library.write_rules(&library.rules()).await.expect(204);
    assert_eq!(hook.next().await.topic(), "circulation.rules");
    let setting = json!({"name": "TLR", "value": {"titleLevelRequestsFeatureEnabled": true}});
    library
        .desk
        .post("/circulation/settings", &setting)
        .await
        .expect(201);
    let told = hook.next().await;
    assert_eq!(told.topic(), "circulation.circulation-settings");
    assert_eq!(told.body["data"]["new"]["name"], "TLR");
}

#[tokio::test]
async fn all_loans_and_all_requests_at_once_are_told_once() {
    let library = library().await;
    let (_, patron, _) = lent(&library).await;
    library.item("i-2", json!({})).await;
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
    for (path, topic) in [
        ("/loan-storage/loans", "circulation.loan"),
        ("/request-storage/requests", "circulation.request"),
    ] {
        let mut hook = listen(&library, &[topic]).await;
        let all = format!("{path}?query=cql.allRecords=1");
        library.desk.delete(&all).await.expect(204);
        let told = hook.next().await.body;
        assert_eq!(told["type"], "ALL_DELETED", "{path}");
        assert_eq!(told["data"], json!({}), "{path}");
        let left = library.desk.get(path).await.expect(200).json();
        assert_eq!(left["totalRecords"], 0, "{path}");
    }
    // Nothing is counted of what is gone, and history keeps it.
    let summary = format!("/user-summary/{patron}");
    library.desk.get(&summary).await.expect(404);
    let past = library.desk.get("/loan-storage/loan-history").await;
    assert_eq!(past.expect(200).json()["totalRecords"], 2);
}

#[tokio::test]
async fn requests_and_their_queue_are_told() {
    let library = library().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    let mut hook = listen(
        &library,
        &[
            "circulation.request",
            "circulation.request-queue-reordering",
        ],
    )
    .await;
    let mut queue = Vec::new();
    for (position, barcode) in [(1, "p-2"), (2, "p-3")] {
        let patron = library.patron(barcode, json!({})).await;
        queue.push(library.hold(&item, &patron, position, json!({})).await);
        let created = hook.next().await;
        assert_eq!(
            (created.topic(), &created.body["type"]),
            ("circulation.request", &json!("CREATED"))
        );
    }
    let order = json!({"reorderedQueue": [{"id": queue[0], "newPosition": 2}, {"id": queue[1], "newPosition": 1}]});
    let path = format!("/circulation/requests/queue/item/{item}/reorder");
    library.desk.post(&path, &order).await.expect(200);
    let mut reordered = None;
    for _ in 0..3 {
        let told = hook.next().await;
        if told.topic() == "circulation.request-queue-reordering" {
            reordered = Some(told.body);
        }
    }
    let reordered = reordered.expect("the queue");
    assert_eq!(reordered["type"], "CREATED");
    assert_eq!(
        reordered["data"]["new"],
        json!({"instanceId": library.instance, "itemId": item,
        "requestLevel": "Item", "requestIds": [queue[1], queue[0]]})
    );
}

#[tokio::test]
async fn the_log_tells_check_outs_and_check_ins() {
    let library = library().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let other = library.patron("p-2", json!({})).await;
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    let loan = library
        .check_out("i-1", "p-1", json!({}))
        .await
        .expect(201)
        .json();
    let lent = hook.next().await.body;
    assert_eq!(lent["logEventType"], "CHECK_OUT_EVENT");
    for told in [&lent, &lent["payload"]] {
        assert_eq!(told["servicePointId"], library.service_point.as_str());
        assert_eq!(
            (&told["loanId"], &told["isLoanClosed"]),
            (&loan["id"], &json!(false))
        );
        assert_eq!(
            (&told["userId"], &told["userBarcode"]),
            (&json!(patron), &json!("p-1"))
        );
        assert_eq!(
            (&told["itemId"], &told["itemBarcode"]),
            (&json!(item), &json!("i-1"))
        );
        assert_eq!(told["itemStatusName"], "Checked out");
        assert_eq!(
            (&told["holdingsRecordId"], &told["instanceId"]),
            (&json!(library.holdings), &json!(library.instance))
        );
        assert_eq!(
            (&told["source"], &told["zoneId"]),
            (&json!("Librarian"), &json!("UTC"))
        );
        instant(&told["dueDate"]);
    }
    assert_eq!(lent["requests"], json!([]));

    let request = library.hold(&item, &other, 1, json!({})).await;
    let created = hook.next().await.body;
    assert_eq!(created["logEventType"], "REQUEST_CREATED_EVENT");
    assert_eq!(
        created["payload"]["requests"]["created"]["id"],
        request.as_str()
    );
    assert_eq!(created["payload"]["itemBarcode"], "i-1");

    library.check_in("i-1", json!({})).await.expect(200);
    let returned = hook.next().await.body;
    assert_eq!(returned["logEventType"], "CHECK_IN_EVENT");
    assert_eq!(
        (&returned["isLoanClosed"], &returned["userBarcode"]),
        (&json!(true), &json!("p-1"))
    );
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
async fn the_log_tells_of_overridden_blocks_and_of_queues_in_another_order() {
    let library = library().await;
    let item = library.item("i-1", json!({})).await;
    library.patron("p-1", json!({})).await;
    let (first, second) = (
        library.patron("p-2", json!({})).await,
        library.patron("p-3", json!({})).await,
    );
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
    let request = library
        .desk
        .with_header("x-okapi-permissions", &permission)
        .post(path, &request)
        .await
        .expect(201)
        .json();
    let told = hook.next().await.body;
    assert_eq!(
        told["logEventType"],
        "REQUEST_CREATED_THROUGH_OVERRIDE_EVENT"
    );
    assert_eq!(told["payload"]["requests"]["created"]["id"], request["id"]);
    let other = library.hold(&item, &second, 2, json!({})).await;
    assert_eq!(
        hook.next().await.body["logEventType"],
        "REQUEST_CREATED_EVENT"
    );

    let order = json!({"reorderedQueue": [{"id": request["id"], "newPosition": 2},
        {"id": other, "newPosition": 1}]});
    let path = format!("/circulation/requests/queue/item/{item}/reorder");
    library.desk.post(&path, &order).await.expect(200);
    let told = hook.next().await.body;
    assert_eq!(told["logEventType"], "REQUEST_REORDERED_EVENT");
    assert_eq!(
        (
            &told["payload"]["itemId"],
            &told["payload"]["itemStatusName"]
        ),
        (&json!(item), &json!("Checked out"))
    );
    let places: Vec<_> = told["payload"]["requests"]["reordered"]
        .as_array()
        .expect("requests")
        .iter()
        .map(|r| (&r["id"], &r["position"], &r["previousPosition"]))
        .collect();
    assert_eq!(
        places,
        [
            (&json!(other), &json!(1), &json!(2)),
            (&request["id"], &json!(2), &json!(1))
        ]
    );
    library.desk.post(&path, &order).await.expect(200);
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn the_log_tells_that_a_request_forgot_who_asked_and_not_who() {
    let library = library().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let over = json!({"status": "Closed - Cancelled"});
    let requests = [
        library.hold(&item, &patron, 1, over.clone()).await,
        library.hold(&item, &patron, 2, over).await,
    ];
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
        let mut told = hook.next().await.body;
        instant(&told["payload"]["date"].take());
        assert_eq!(
            told,
            json!({"logEventType": "REQUEST_ANONYMIZED_EVENT", "payload": {
                "object": "Request", "action": "anonymizeRequest", "date": null, "userBarcode": "-",
                "linkToIds": {"requestId": request}, "items": {"itemBarcode": "i-1", "itemId": item,
                    "instanceId": library.instance, "holdingsId": library.holdings}}})
        );
    }
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn the_log_tells_what_is_done_to_loans() {
    let library = library().await;
    let (item, patron, loan) = lent(&library).await;
    let zone = json!({"timezone": "Europe/Berlin", "locale": "de-DE", "currency": "EUR"});
    library.desk.put("/locale", &zone).await;
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    act(
        &library,
        &loan,
        "change-due-date",
        json!({"dueDate": "2027-07-01T10:00:00.000Z"}),
    )
    .await;
    let changed = hook.next().await.body;
    assert_eq!(changed["logEventType"], "LOAN");
    let told = &changed["payload"];
    assert_eq!(told["action"], "Changed due date");
    let described = told["description"].as_str().expect("a text");
    assert!(
        described.starts_with("New due date: 2027-07-01T12:00:00.000+02:00 (from 2"),
        "{described}"
    );
    assert_eq!(
        (&told["userId"], &told["userBarcode"]),
        (&json!(patron), &json!("p-1"))
    );
    assert_eq!(
        (&told["itemId"], &told["itemBarcode"]),
        (&json!(item), &json!("i-1"))
    );
    assert_eq!(
        (&told["loanId"], &told["servicePointId"]),
        (&loan["id"], &json!(library.service_point))
    );
    assert_eq!(told["updatedByUserId"], library.librarian.as_str());

    act(
        &library,
        &loan,
        "add-info",
        json!({"action": "staffInfoAdded", "actionComment": "Spine is broken"}),
    )
    .await;
    let info = hook.next().await.body;
    assert_eq!(
        (&info["payload"]["action"], &info["payload"]["description"]),
        (&json!("Staff info added"), &json!("Spine is broken"))
    );

    let claim = json!({"itemClaimedReturnedDateTime": "2026-11-21T10:00:00Z", "comment": "Put it in the box"});
    act(&library, &loan, "claim-item-returned", claim).await;
    let claimed = hook.next().await.body;
    assert_eq!(claimed["payload"]["action"], "Claimed returned");
    assert_eq!(
        claimed["payload"]["description"],
        "Additional information: Put it in the box"
    );
    act(
        &library,
        &loan,
        "declare-claimed-returned-item-as-missing",
        json!({"comment": "Not there"}),
    )
    .await;
    assert_eq!(
        hook.next().await.body["payload"]["action"],
        "Marked as missing"
    );
    assert!(hook.rest().is_empty());
}

#[tokio::test]
async fn the_log_tells_renewals_twice_and_movements_of_money() {
    let library = library().await;
    let (_, patron, _) = lent(&library).await;
    let mut hook = listen(&library, &["LOG_RECORD"]).await;
    library
        .library
        .clock
        .advance(jiff::SignedDuration::from_hours(48));
    let policy = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    let mut record = library.desk.get(&policy).await.expect(200).json();
    record["renewalsPolicy"] = json!({"unlimited": true, "renewFromId": "SYSTEM_DATE"});
    library.desk.put(&policy, &record).await.expect(204);
    let renewal = json!({"itemBarcode": "i-1", "userBarcode": "p-1", "servicePointId": library.service_point});
    library
        .desk
        .post("/circulation/renew-by-barcode", &renewal)
        .await
        .expect(200);
    for action in ["Changed due date", "Renewed"] {
        assert_eq!(hook.next().await.body["payload"]["action"], action);
    }

    let about = json!({"feeFineOwner": "Main library"});
    let (_, account) = library.damage(&patron, 10.0, about).await;
    let payment = json!({"amount": "4", "notifyPatron": false, "servicePointId": library.service_point,
        "userName": "Desk", "paymentMethod": "Cash"});
    library
        .desk
        .post(&format!("/accounts/{account}/pay"), &payment)
        .await
        .expect(201);
    let paid = hook.next().await.body;
    assert_eq!(paid["logEventType"], "FEE_FINE");
    let told = &paid["payload"];
    assert_eq!(
        (&told["action"], &told["amount"], &told["balance"]),
        (&json!("Paid partially"), &json!(4.0), &json!(6.0))
    );
    assert_eq!(
        (&told["accountId"], &told["type"], &told["automated"]),
        (&json!(account), &json!("Damage"), &json!(false))
    );
}
