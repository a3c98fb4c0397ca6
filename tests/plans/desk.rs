//! A session at the desk, as clients send it (docs/folio/circulation.md#a-session-at-the-desk).

use serde_json::{Value, json};

use crate::filled::Filled;

/// Sends it; every request must succeed.
pub async fn session(filled: &Filled) {
    let client = &filled.client;
    let (item, patron, user, service_point) = scanned(filled).await;
    let (item_id, other) = (filled.ids["item"], filled.ids["users"]);
    let barcodes = json!({"itemBarcode": item, "userBarcode": patron, "servicePointId": service_point});
    let dry_run = client.post("/circulation/check-out-by-barcode-dry-run", &barcodes).await;
    assert!(dry_run.status < 500, "{}", dry_run.text);
    let checked_out = client.post("/circulation/check-out-by-barcode", &barcodes).await;
    let loan = checked_out.expect(201).json()["id"].as_str().expect("an id").to_owned();
    for (path, cql) in [
        ("/inventory/items", format!("barcode==\"{item}\"")),
        (
            "/users",
            format!(
                "(barcode==\"{patron}\" or externalSystemId==\"{patron}\" or id==\"{user}\" or username==\"{patron}\")"
            ),
        ),
        ("/circulation/loans", format!("(userId=={user} and status.name<>Closed)")),
        ("/circulation/loans", format!("itemId=={item_id} and status.name==Open")),
        (
            "/circulation/requests",
            format!("(itemId=={item_id} and status==(\"Open - Awaiting pickup\" or \"Open - Awaiting delivery\"))"),
        ),
        ("/circulation/requests", format!("(requesterId=={user} and status==\"Open\")")),
        (
            "/circulation/requests",
            format!(
                "(requesterId=={user} and pickupServicePointId=={service_point} and status==\"Open - Awaiting pickup\")"
            ),
        ),
        (
            "/circulation/loans",
            format!(
                "(userId=={user} and checkoutServicePointId=={service_point} and forUseAtLocation.status=\"Held\")"
            ),
        ),
        ("/accounts", format!("loanId=={loan}")),
        ("/accounts", format!("userId=={user} and itemId=={item_id} and status.name==\"Open\"")),
        ("/manualblocks", format!("(userId=={user})")),
        ("/proxiesfor", format!("(userId=={user})")),
        ("/proxiesfor", format!("(proxyUserId=={user})")),
        ("/groups", "cql.allRecords=1 sortby group".into()),
        ("/lost-item-fees-policies", format!("id=={other}")),
        ("/feefineactions", format!("(accountId=={other})")),
        ("/loan-storage/loans", format!("itemId=={item_id}")),
        ("/loan-storage/loans", format!("userId=={user} and status.name==Open")),
        ("/circulation/settings", "name==other_settings".into()),
        ("/configurations/entries", "(module==CHECKOUT and configName==other_settings)".into()),
    ] {
        client.query(path, &cql).await.expect(200);
    }
    for path in [
        format!("/automated-patron-blocks/{user}?limit=100"),
        format!("/user-summary/{user}"),
        "/service-points?limit=1000".into(),
        "/staff-slips-storage/staff-slips?limit=1000".into(),
        "/locale".into(),
        format!("/note-links/domain/users/type/user/id/{user}?limit=10000&order=desc&status=assigned"),
        format!("/circulation/loans/{loan}"),
    ] {
        client.get(&path).await.expect(200);
    }
    let note = json!({"action": "patronInfoAdded", "actionComment": "asked for a bag"});
    client.post(&format!("/circulation/loans/{loan}/add-info"), &note).await.expect(204);
    ask(filled, &item, &service_point).await;
    owe(filled, &user, &service_point).await;
    let end = json!({"endSessions": [{"actionType": "Check-out", "patronId": user}]});
    client.post("/circulation/end-patron-action-session", &end).await.expect(204);
    let back = json!({"itemBarcode": item, "servicePointId": service_point, "checkInDate": "2026-11-21T12:00:00Z"});
    for _ in 0..2 {
        let answer = client.post("/circulation/check-in-by-barcode", &back).await;
        answer.expect(200);
    }
}

/// Another patron asks for the item on loan, and one more, who changes their mind.
async fn ask(filled: &Filled, barcode: &str, service_point: &str) {
    let sql = "SELECT jsonb_build_object('itemId', i.id, 'holdingsRecordId', h.id, 'instanceId', h.instanceid),
        ARRAY(SELECT u.id::text FROM users u WHERE doc ? 'barcode' AND (doc->>'active')::boolean
              AND (doc->>'expirationDate') > '2027' AND NOT EXISTS (SELECT FROM loan l WHERE l.open_borrower = u.id)
              ORDER BY seq DESC LIMIT 2)
        FROM item i JOIN holdings_record h ON h.id = i.holdingsrecordid 
        WHERE carrel.case_folded_key(i.doc->>'barcode') COLLATE \"C\" = carrel.case_folded_key($1)";
    let row = filled.session().get(sql, &[&barcode]).await.expect("an item and patrons");
    let (asked, patrons): (Value, Vec<String>) = (row.get(0), row.get(1));
    let mut placed = Vec::new();
    for patron in patrons {
        let mut request = json!({"requestType": "Hold", "requestLevel": "Item", "requesterId": patron,
            "requestDate": "2026-11-21T12:00:00Z", "fulfillmentPreference": "Hold Shelf",
            "pickupServicePointId": service_point});
        request.as_object_mut().expect("an object").extend(asked.as_object().expect("an object").clone());
        placed.push(filled.client.post("/circulation/requests", &request).await.expect(201).json());
    }
    let mut last = placed.pop().expect("a request");
    let path = format!("/circulation/requests/{}", last["id"].as_str().expect("an id"));
    (last["status"], last["cancelledDate"]) = ("Closed - Cancelled".into(), "2026-11-21T12:00:00Z".into());
    filled.client.put(&path, &last).await.expect(204);
}

/// The patron is charged, and pays.
async fn owe(filled: &Filled, user: &str, service_point: &str) {
    let account = json!({"id": uuid::Uuid::new_v4(), "amount": 5, "remaining": 5, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}, "userId": user, "feeFineId": uuid::Uuid::new_v4(),
        "ownerId": uuid::Uuid::new_v4(), "feeFineType": "Damage"});
    filled.client.post("/accounts", &account).await.expect(201);
    let path = format!("/accounts/{}/pay", account["id"].as_str().expect("an id"));
    let payment = json!({"amount": "5", "notifyPatron": false, "servicePointId": service_point,
        "userName": "Librarian", "paymentMethod": "Cash"});
    filled.client.post(&path, &payment).await.expect(201);
}

/// Barcodes of an item and a patron who may borrow it, the patron's id and a service point.
async fn scanned(filled: &Filled) -> (String, String, String, String) {
    let sql = "SELECT
        (SELECT doc->>'barcode' FROM item_record item WHERE state#>>'{status,name}' = 'Available' AND doc ? 'effectiveShelvingOrder'
         AND NOT EXISTS (SELECT FROM loan l WHERE l.open_item = item.id) ORDER BY seq LIMIT 1),
        (SELECT jsonb_build_object('barcode', doc->'barcode', 'id', id) FROM users u
         WHERE doc ? 'barcode' AND (doc->>'active')::boolean AND (doc->>'expirationDate') > '2027'
         AND NOT EXISTS (SELECT FROM loan l WHERE l.open_borrower = u.id) ORDER BY seq LIMIT 1),
        (SELECT id::text FROM service_point WHERE (doc->>'pickupLocation')::boolean ORDER BY seq LIMIT 1)";
    let row = filled.session().get(sql, &[]).await.expect("what is scanned");
    let patron: Value = row.get(1);
    let text = |name: &str| patron[name].as_str().expect("a text").to_owned();
    (row.get(0), text("barcode"), text("id"), row.get(2))
}
