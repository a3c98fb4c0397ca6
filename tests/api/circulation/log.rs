//! mod-audit's circulation log (docs/folio/circulation-log.md).

use serde_json::{Value, json};
use store::record::is_uuid;
use testkit::Answer;

use super::*;

pub(super) const LOGS: &str = "/audit-data/circulation/logs";

pub(super) async fn found(library: &LendingLibrary, cql: &str) -> Answer {
    library.desk.query(LOGS, cql).await.expect(200)
}

/// The entries of a query; the newest last.
pub(super) async fn entries(library: &LendingLibrary, cql: &str) -> Vec<Value> {
    let list = found(library, &format!("{cql} sortby date")).await.json();
    let records = list["logRecords"].as_array().expect("entries").clone();
    assert_eq!(list["totalRecords"], records.len());
    records
}

fn told(entries: &[Value]) -> Vec<(&str, &str)> {
    entries.iter().map(|entry| (entry["object"].as_str().unwrap(), entry["action"].as_str().unwrap())).collect()
}

#[track_caller]
fn only<'e>(entries: &'e [Value], action: &str) -> &'e Value {
    let mut found = entries.iter().filter(|entry| entry["action"] == action);
    let first = found.next().unwrap_or_else(|| panic!("no {action}"));
    assert_eq!(found.next(), None);
    first
}

#[tokio::test]
async fn a_check_out_and_a_check_in_are_three_entries() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    library.check_in("i-1", json!({})).await.expect(200);
    let mut all = entries(&library, "cql.allRecords=1").await;
    all.sort_by_key(|entry| entry["action"] == "Closed loan");
    assert_eq!(told(&all), [("Loan", "Checked out"), ("N/A", "Checked in"), ("Loan", "Closed loan")]);
    let of_item = json!([{"itemBarcode": "i-1", "itemId": item, "instanceId": library.instance,
        "holdingId": library.holdings, "loanId": loan["id"]}]);
    let mut ids = Vec::new();
    for entry in &all {
        ids.push(entry["id"].as_str().expect("an id"));
        assert!(is_uuid(ids[ids.len() - 1]) && is_uuid(entry["eventId"].as_str().expect("an id")));
        assert!(entry["date"].as_str().expect("a date").ends_with("+00:00"));
        assert_eq!(entry["userBarcode"], "p-1");
        assert_eq!((&entry["items"], &entry["linkToIds"]), (&of_item, &json!({"userId": patron})));
        assert_eq!((&entry["servicePointId"], &entry["source"]), (&json!(library.service_point), &json!("Librarian")));
    }
    ids.dedup();
    assert_eq!(ids.len(), 3);
    for id in ids {
        let one = entries(&library, &format!("id=={id}")).await;
        assert_eq!((one.len(), &one[0]["id"]), (1, &json!(id)));
    }
    assert_eq!(all[0]["description"], "Checked out to proxy: no.");
    assert_eq!(all[1]["description"], "Item status: Available.");
    let closed = all[2]["description"].as_str().expect("a text");
    assert!(
        closed.starts_with("Item status: Available. Backdated to: 2026-11-21 11:00:00. Overdue due date: 20"),
        "{closed}"
    );
}

#[tokio::test]
async fn the_filters_of_the_page_find_entries() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    library.item("i-2", json!({})).await;
    library.patron("p-1", json!({})).await;
    library.patron("p-2", json!({})).await;
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    library.check_out("i-2", "p-2", json!({})).await.expect(201);
    library.check_in("i-1", json!({"servicePointId": library.branch})).await.expect(200);
    library.check_in("i-1", json!({})).await.expect(200);
    let desk = &library.service_point;
    for (cql, number) in [
        ("cql.allRecords=1".to_owned(), 5),
        ("items=\"i-1\"".to_owned(), 4),
        ("items=\"I-1\" and userBarcode==\"*1*\"".to_owned(), 3),
        ("items=\"i-3\"".to_owned(), 0),
        ("userBarcode==\"*p-2*\"".to_owned(), 1),
        ("userBarcode==\"*p*\"".to_owned(), 4),
        ("description==\"*proxy*\"".to_owned(), 2),
        ("description==\"*In transit to Desk*\"".to_owned(), 0),
        ("action==(\"Checked in\" or \"Renewed\")".to_owned(), 2),
        ("action==(\"Renewed\" or \"Billed\")".to_owned(), 0),
        ("object==\"N/A\"".to_owned(), 2),
        (format!("servicePointId==\"{desk}\""), 3),
        (format!("servicePointId==(\"{}\" or \"{desk}\") and action==\"Checked out\"", library.branch), 2),
        ("date>=\"2000-01-01T00:00:00.000Z\" and date<=\"2999-12-31T23:59:59.999Z\"".to_owned(), 5),
        ("date<\"2000-01-01T00:00:00.000Z\"".to_owned(), 0),
        ("items=/@itemBarcode \"i-2\"".to_owned(), 1),
        ("cql.allRecords=1 not items=\"i-1\"".to_owned(), 1),
        ("linkToIds.userId==*".to_owned(), 4),
    ] {
        let answer = found(&library, &cql).await;
        let list = answer.json();
        assert_eq!((&list["totalRecords"], answer.round_trips()), (&json!(number), 1), "{cql}");
        assert_eq!(list["logRecords"].as_array().map(Vec::len), Some(number), "{cql}");
    }
    // An item that was not on loan has no patron.
    let at_desk = entries(&library, &format!("action==\"Checked in\" and servicePointId==\"{desk}\"")).await;
    assert_eq!((&at_desk[0]["userBarcode"], &at_desk[0]["linkToIds"]), (&json!("-"), &json!({})));
    assert_eq!(at_desk[0]["description"], "Item status: Available.");
}

#[tokio::test]
async fn entries_are_sorted_and_paged() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let block = json!({"userId": library.librarian, "type": "Manual", "desc": "Owes a book", "borrowing": true,
        "renewals": false, "requests": true, "expirationDate": "2027-01-02T00:00:00Z"});
    for barcode in ["i-1", "i-2", "i-3"] {
        library.item(barcode, json!({})).await;
        library.check_out(barcode, "p-1", json!({})).await.expect(201);
        library.desk.create("/manualblocks", &block).await;
    }
    let sorted = |order: &str| format!("cql.allRecords=1 sortby {order}");
    let barcodes = |list: &Value| -> Vec<String> {
        let records = list["logRecords"].as_array().expect("entries").iter();
        records.map(|entry| entry["items"][0]["itemBarcode"].as_str().unwrap_or("block").to_owned()).collect()
    };
    let newest = found(&library, &sorted("date/sort.descending")).await.json();
    assert_eq!(barcodes(&newest), ["block", "i-3", "block", "i-2", "block", "i-1"]);
    let by_action = found(&library, &sorted("action/sort.descending date/sort.descending")).await.json();
    assert_eq!(barcodes(&by_action), ["block", "block", "block", "i-3", "i-2", "i-1"]);
    let by_items = found(&library, &sorted("source date")).await.json();
    assert_eq!(barcodes(&by_items).len(), 6);
    let page = |limit: u32, offset: u32| {
        let cql = crate::support::encoded(sorted("date"));
        format!("{LOGS}?query={cql}&limit={limit}&offset={offset}")
    };
    for (limit, offset, expected) in
        [(2, 0, vec!["i-1", "block"]), (2, 3, vec!["block", "i-3"]), (10, 5, vec!["block"]), (0, 0, vec![])]
    {
        let list = library.desk.get(&page(limit, offset)).await.expect(200).json();
        assert_eq!(
            (barcodes(&list), &list["totalRecords"]),
            (expected.iter().map(ToString::to_string).collect(), &json!(6))
        );
    }
    let first = &found(&library, "object==\"Manual Block\"").await.json()["logRecords"][0];
    assert_eq!(
        (&first["action"], &first["description"]),
        (
            &json!("Created"),
            &json!("Block actions: borrowing, requests. Description: Owes a book. Expiration date: 2027-01-02.")
        )
    );
    assert_eq!((&first["source"], &first["linkToIds"]["userId"]), (&json!("Librarian"), &json!(library.librarian)));
    let without = library.desk.get(&format!("{LOGS}?totalRecords=none")).await.expect(200).json();
    assert_eq!(without.get("totalRecords"), None);
}

#[tokio::test]
async fn changes_of_loans_are_logged() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let path = format!("/circulation/loans/{}", id(&loan));
    let act = |what: &'static str, body: Value| {
        let (desk, path) = (library.desk.clone(), format!("{path}/{what}"));
        async move { desk.post(&path, &body).await.expect(204) }
    };
    act("change-due-date", json!({"dueDate": "2027-07-01T10:00:00.000Z"})).await;
    act("add-info", json!({"action": "staffInfoAdded", "actionComment": "Spine is broken"})).await;
    act("add-info", json!({"action": "patronInfoAdded", "actionComment": "Bring it soon"})).await;
    let renewal = json!({"itemBarcode": "i-1", "userBarcode": "p-1"});
    library.desk.post("/circulation/renew-by-barcode", &renewal).await;
    act("claim-item-returned", json!({"itemClaimedReturnedDateTime": "2026-11-21T10:00:00Z", "comment": "In the box"}))
        .await;
    act("declare-claimed-returned-item-as-missing", json!({"comment": "Not there"})).await;
    let all = entries(&library, "object==Loan").await;
    let due = only(&all, "Changed due date");
    let described = due["description"].as_str().expect("a text");
    assert!(described.starts_with("New due date: 2027-07-01T10:00:00.000Z (from 2"), "{described}");
    for (action, description) in [
        ("Staff info added", "Spine is broken"),
        ("Patron info added", "Bring it soon"),
        ("Claimed returned", "Additional information: In the box"),
        ("Marked as missing", "Additional information: Not there"),
    ] {
        let entry = only(&all, action);
        assert_eq!(entry["description"], description);
        assert_eq!((&entry["userBarcode"], &entry["linkToIds"]), (&json!("p-1"), &json!({"userId": patron})));
        assert_eq!(entry["items"][0]["loanId"], loan["id"]);
        assert_eq!((&entry["source"], &entry["servicePointId"]), (&json!("Librarian"), &json!(library.service_point)));
    }
    let by_page = "(items=\"i-1\") and action==\"Patron info added\" sortby date/sort.descending";
    assert_eq!(found(&library, by_page).await.json()["totalRecords"], 1);
}

#[tokio::test]
async fn a_due_date_that_staff_change_is_no_renewal_and_no_recall() {
    let library = LendingLibrary::new().await;
    library.patron("p-1", json!({})).await;
    let reader = library.patron("p-2", json!({})).await;
    let item = library.item("i-1", json!({})).await;
    let loan = id(&library.check_out("i-1", "p-1", json!({})).await.expect(201).json());
    let path = format!("/circulation/loans/{loan}");
    let due_on = |day: u32| {
        let (desk, path) = (library.desk.clone(), format!("{path}/change-due-date"));
        let due = json!({"dueDate": format!("2027-07-{day:02}T10:00:00.000Z")});
        async move { desk.post(&path, &due).await.expect(204) }
    };
    let policy = format!("/loan-policy-storage/loan-policies/{}", library.loan_policy);
    library.change(&policy, json!({"renewalsPolicy": {"unlimited": true, "renewFromId": "CURRENT_DUE_DATE"}})).await;
    let renewal = json!({"itemBarcode": "i-1", "userBarcode": "p-1"});
    library.desk.post("/circulation/renew-by-barcode", &renewal).await.expect(200);
    due_on(1).await;
    let mut record = library.stored("/circulation/loans", &loan).await;
    record["dueDate"] = "2027-07-02T10:00:00.000Z".into();
    library.desk.put(&path, &record).await.expect(204);
    let recall = json!({"requestType": "Recall", "requestLevel": "Item", "itemId": item,
        "instanceId": library.instance, "holdingsRecordId": library.holdings, "requesterId": reader,
        "requestDate": "2026-11-01T00:00:00Z", "fulfillmentPreference": "Hold Shelf",
        "pickupServicePointId": library.service_point});
    library.desk.post("/circulation/requests", &recall).await.expect(201);
    due_on(3).await;
    due_on(4).await;
    let all = entries(&library, "object==Loan").await;
    let count = |action: &str| all.iter().filter(|entry| entry["action"] == action).count();
    assert_eq!([count("Changed due date"), count("Renewed"), count("Recall requested")], [6, 1, 1], "{all:#?}");
}

#[tokio::test]
async fn requests_are_logged_with_what_changed() {
    let library = LendingLibrary::new().await;
    let item = library.item("i-1", json!({})).await;
    let other = library.item("i-2", json!({})).await;
    library.patron("p-1", json!({})).await;
    let (first, second) = (library.patron("p-2", json!({})).await, library.patron("p-3", json!({})).await);
    library.check_out("i-1", "p-1", json!({})).await.expect(201);
    library.check_out("i-2", "p-1", json!({})).await.expect(201);
    let stamped = json!({"metadata": {"createdByUserId": library.librarian}});
    let request = library.hold(&item, &first, 1, stamped.clone()).await;
    let moved = library.hold(&item, &second, 2, stamped).await;
    let order = json!({"reorderedQueue": [{"id": request, "newPosition": 2}, {"id": moved, "newPosition": 1}]});
    library.desk.post(&format!("/circulation/requests/queue/item/{item}/reorder"), &order).await.expect(200);
    let to = json!({"destinationItemId": other, "requestType": "Hold"});
    library.desk.post(&format!("/circulation/requests/{moved}/move"), &to).await.expect(200);
    let reasons = "/cancellation-reason-storage/cancellation-reasons";
    let reason = json!({"name": "Found", "description": "Found elsewhere"});
    let reason = id(&library.desk.create(reasons, &reason).await);
    let mut record = library.stored("/circulation/requests", &moved).await;
    record["status"] = "Closed - Cancelled".into();
    record["cancellationReasonId"] = reason.into();
    record["cancelledByUserId"] = library.librarian.clone().into();
    record["cancelledDate"] = "2026-11-21T10:00:00Z".into();
    library.desk.put(&format!("/circulation/requests/{moved}"), &record).await.expect(204);
    let mut record = library.stored("/circulation/requests", &request).await;
    record["requestExpirationDate"] = "2027-02-03T04:05:06Z".into();
    library.desk.put(&format!("/circulation/requests/{request}"), &record).await.expect(204);
    library.check_in("i-1", json!({})).await.expect(200);
    library.check_out("i-1", "p-2", json!({})).await.expect(201);

    let all = entries(&library, "object==Request").await;
    let of = |request: &str| -> Vec<(&str, &str)> {
        let own = all.iter().filter(|entry| entry["linkToIds"]["requestId"] == request);
        own.map(|entry| (entry["action"].as_str().unwrap(), entry["description"].as_str().unwrap())).collect()
    };
    assert_eq!(
        of(&request),
        [
            ("Created", "Type: Hold."),
            ("Queue position reordered", "Type: Hold. New queue position: 2 (from: 1)."),
            ("Edited", "Type: Hold. New expiration date: 2027-02-03 23:59:59 (from: not set)."),
            (
                "Request status changed",
                "Type: Hold. Pickup service point: Desk. New request status: Open - Awaiting pickup \
                 (from: Open - Not yet filled)."
            ),
            (
                "Request status changed",
                "Type: Hold. Pickup service point: Desk. New request status: Closed - Filled \
                 (from: Open - Awaiting pickup)."
            ),
        ]
    );
    assert_eq!(
        of(&moved),
        [
            ("Created", "Type: Hold."),
            ("Queue position reordered", "Type: Hold. New queue position: 1 (from: 2)."),
            ("Moved", "Type: Hold. New item barcode: i-2 (from: i-1)."),
            ("Cancelled", "Type: Hold. Reason for cancellation: Found elsewhere."),
        ]
    );
    let created = &all[0];
    assert_eq!((&created["userBarcode"], &created["linkToIds"]["userId"]), (&json!("p-2"), &json!(first)));
    assert_eq!((&created["servicePointId"], &created["source"]), (&json!(library.service_point), &json!("Librarian")));
    assert_eq!(created["items"][0]["itemBarcode"], "i-1");
    // At a return it is the loan of the patron who had the item.
    let filled = entries(&library, "action==\"Request status changed\"").await;
    assert_eq!((&filled[0]["userBarcode"], &filled[1]["userBarcode"]), (&json!("p-1"), &json!("p-2")));
    let returned = entries(&library, "action==\"Closed loan\" and userBarcode==p-1").await;
    assert!(returned[0]["description"].as_str().unwrap().starts_with("Item status: Awaiting pickup. "));
}

#[tokio::test]
async fn fees_are_logged() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let (_, account) = library.damage(&patron, 10.0, json!({})).await;
    let action = |body: Value| {
        let mut sent = json!({"userName": "Librarian", "servicePointId": library.service_point, "notifyPatron": false,
            "amount": "4.00", "paymentMethod": "Cash"});
        for (name, value) in body.as_object().expect("members") {
            sent[name] = value.clone();
        }
        sent
    };
    let path = format!("/accounts/{account}");
    let paid = action(json!({"comments": "STAFF : in coins \n PATRON : thank you"}));
    library.desk.post(&format!("{path}/pay"), &paid).await.expect(201);
    let waived = action(json!({"paymentMethod": "Poor", "amount": "6.00"}));
    library.desk.post(&format!("{path}/waive"), &waived).await.expect(201);
    let all = entries(&library, "object==\"Fee/Fine\"").await;
    let paid = only(&all, "Paid partially");
    assert_eq!(
        paid["description"],
        "Fee/Fine type: Damage. Amount: 4.00. Balance: 6.00. Payment method: Cash. Additional information to staff: in \
         coins. Additional information to patron: thank you."
    );
    assert_eq!((&paid["source"], &paid["servicePointId"]), (&json!("Librarian"), &json!(library.service_point)));
    assert_eq!(
        (&paid["userBarcode"], &paid["linkToIds"]),
        (&json!("p-1"), &json!({"userId": patron, "feeFineId": account}))
    );
    assert_eq!(
        only(&all, "Waived fully")["description"],
        "Fee/Fine type: Damage. Amount: 6.00. Balance: 0.00. Waive reason: Poor. Additional information to staff: . \
         Additional information to patron: ."
    );
}

#[tokio::test]
async fn actions_on_fees_that_mod_audit_does_not_know_are_not_logged() {
    let library = LendingLibrary::new().await;
    let patron = library.patron("p-1", json!({})).await;
    let (_, account) = library.damage(&patron, 10.0, json!({})).await;
    let action = |members: Value| {
        let mut sent = json!({"accountId": account, "userId": patron, "amountAction": 10.0, "balance": 10.0,
            "comments": "STAFF : so"});
        sent.as_object_mut().expect("members").extend(members.as_object().expect("members").clone());
        sent
    };
    for members in [
        json!({"typeAction": "Damage"}),
        json!({"typeAction": "Cancelled item returned"}),
        json!({"typeAction": "Staff info only"}),
        json!({"typeAction": "Credited fully", "paymentMethod": "Refunded to patron"}),
        json!({"typeAction": "Credited partially", "paymentMethod": "Refunded to patron"}),
        json!({"typeAction": "Something", "paymentMethod": ""}),
        json!({"typeAction": "Damage", "accountId": uuid::Uuid::new_v4()}),
    ] {
        library.desk.post("/feefineactions", &action(members)).await.expect(201);
    }
    let all = entries(&library, "object==\"Fee/Fine\"").await;
    let told: Vec<_> =
        all.iter().map(|entry| (entry["action"].as_str().unwrap(), entry["description"].as_str().unwrap())).collect();
    let billed = "Fee/Fine type: Damage. Fee/Fine owner: null. Amount: 10.00. manual. Additional information to staff: \
                  STAFF : so";
    assert_eq!(
        told,
        [("Billed", billed), ("Billed", billed), ("Staff information only added", "so"), ("Credited fully", "")]
    );
}

#[tokio::test]
async fn an_anonymized_loan_leaves_no_patron_in_the_log() {
    let library = LendingLibrary::new().await;
    library.item("i-1", json!({})).await;
    let patron = library.patron("p-1", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let due = json!({"dueDate": "2027-07-01T10:00:00.000Z"});
    library.desk.post(&format!("/circulation/loans/{}/change-due-date", id(&loan)), &due).await.expect(204);
    library.check_in("i-1", json!({})).await.expect(200);
    library.desk.post(&format!("/loan-anonymization/by-user/{patron}"), &json!({})).await.expect(200);
    let all = entries(&library, "cql.allRecords=1").await;
    assert_eq!(all.len(), 5, "{all:#?}");
    for entry in &all {
        assert_eq!((&entry["userBarcode"], &entry["linkToIds"]), (&json!("-"), &json!({})), "{entry}");
    }
    assert_eq!(only(&all, "Anonymize")["source"], "System");
    assert_eq!(found(&library, "userBarcode==\"*p-1*\"").await.json()["totalRecords"], 0);
}

#[tokio::test]
async fn an_anonymized_loan_leaves_the_entries_of_an_item_with_its_id() {
    let library = LendingLibrary::new().await;
    let (first, second) = (library.item("i-1", json!({})).await, library.item("i-2", json!({})).await);
    library.patron("p-1", json!({})).await;
    let past = library.patron("p-2", json!({})).await;
    let loan = library.check_out("i-1", "p-1", json!({})).await.expect(201).json();
    let due = json!({"dueDate": "2027-07-01T10:00:00.000Z"});
    library.desk.post(&format!("/circulation/loans/{}/change-due-date", id(&loan)), &due).await.expect(204);
    // Clients choose ids.
    let closed = json!({"id": first, "userId": past, "itemId": second, "loanDate": "2026-01-01T00:00:00.000Z",
        "action": "checkedin", "status": {"name": "Closed"}});
    library.desk.post("/loan-storage/loans", &closed).await.expect(201);
    let done = library.desk.post(&format!("/loan-anonymization/by-user/{past}"), &json!({})).await.expect(200).json();
    assert_eq!(done["anonymizedLoans"], json!([first]));
    let changed = entries(&library, "action==\"Changed due date\"").await;
    assert_eq!(only(&changed, "Changed due date")["userBarcode"], "p-1");
}

#[tokio::test]
async fn bad_queries_are_refused_as_mod_audit_does() {
    let library = LendingLibrary::new().await;
    for query in ["((", "date within 1", "a prox b"] {
        let refused = library.desk.query(LOGS, query).await.expect(400).json();
        assert_eq!(refused["code"], "HTTP_BAD_REQUEST", "{query}");
        assert!(refused["message"].as_str().is_some_and(|text| !text.is_empty()), "{query}");
    }
    library.desk.get(&format!("{LOGS}?limit=x")).await.expect(400);
    let unknown = found(&library, "nothing=1").await.json();
    assert_eq!(unknown, json!({"logRecords": [], "totalRecords": 0}));
}

#[tokio::test]
async fn old_entries_are_forgotten() {
    let library = LendingLibrary::new().await;
    let block = json!({"userId": library.librarian, "type": "Manual", "desc": "Owes a book", "borrowing": true});
    library.desk.create("/manualblocks", &block).await;
    let timer = "/audit-data/cleanup/timer";
    library.desk.post(timer, &json!({})).await.expect(204);
    assert_eq!(entries(&library, "cql.allRecords=1").await.len(), 1);
    let setting = json!({"name": "circulationLog", "value": {"retentionDays": 10}});
    library.desk.create("/circulation/settings", &setting).await;
    library.library.clock.advance(jiff::SignedDuration::from_hours(24 * 365 * 30));
    library.desk.post(timer, &json!({})).await.expect(204);
    assert_eq!(entries(&library, "cql.allRecords=1").await.len(), 0);
}
