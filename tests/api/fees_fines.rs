//! Fees, fines and blocks as records (docs/folio/fees-fines.md, docs/folio/patron-blocks.md).

use serde_json::{Value, json};
use testkit::{Client, Library, library};
use uuid::Uuid;

fn account(user: Uuid, remaining: Value) -> Value {
    json!({"amount": 10, "remaining": remaining, "status": {"name": "Open"},
        "paymentStatus": {"name": "Outstanding"}, "userId": user, "feeFineId": Uuid::new_v4(),
        "ownerId": Uuid::new_v4(), "id": Uuid::new_v4()})
}

async fn balance(library: &Library, user: Uuid) -> String {
    let session = library.app.session(&library.app.tenant(library.tenant).unwrap()).unwrap();
    let sql = "SELECT fee_balance::text FROM patron_counters WHERE user_id = $1";
    session.get(sql, &[&user]).await.unwrap().get(0)
}

async fn path_of(client: &Client, path: &str, record: &Value) -> String {
    let created = client.create(path, record).await;
    format!("{path}/{}", created["id"].as_str().unwrap())
}

#[tokio::test]
async fn debts_follow_each_change() {
    let library = library().await;
    let client = &library.open;
    let (ann, bob) = (Uuid::new_v4(), Uuid::new_v4());
    let first = path_of(client, "/accounts", &account(ann, json!(10.5))).await;
    let second = path_of(client, "/accounts", &account(ann, json!("4.25"))).await;
    assert_eq!(balance(&library, ann).await, "14.75");
    client.put(&first, &account(ann, json!(0))).await.expect(204);
    assert_eq!(balance(&library, ann).await, "4.25");
    client.put(&second, &account(bob, json!(4.25))).await.expect(204);
    assert_eq!((balance(&library, ann).await, balance(&library, bob).await), ("0.00".into(), "4.25".into()));
    client.delete(&second).await.expect(204);
    assert_eq!(balance(&library, bob).await, "0.00");
    assert_eq!(client.delete(&second).await.expect(404).text, "Record Not Found");
}

/// Of an item that is gone, or none, an account keeps the holdings and the instance that it was sent.
#[tokio::test]
async fn an_account_keeps_holdings_and_instance() {
    let library = library().await;
    let client = &library.open;
    let mut sent = account(Uuid::new_v4(), json!(1));
    (sent["holdingsRecordId"], sent["instanceId"]) = (json!(Uuid::new_v4()), json!(Uuid::new_v4()));
    let path = path_of(client, "/accounts", &sent).await;
    for _ in 0..2 {
        let read = client.get(&path).await.expect(200).json();
        assert_eq!((&read["holdingsRecordId"], &read["instanceId"]), (&sent["holdingsRecordId"], &sent["instanceId"]));
        client.put(&path, &read).await.expect(204);
    }
    sent["id"] = json!(Uuid::new_v4());
    sent["instanceId"] = "0".into();
    client.post("/accounts", &sent).await.expect(422);
}

#[tokio::test]
async fn accounts_are_found_by_the_desks_queries() {
    let library = library().await;
    let client = &library.open;
    let (user, item, loan) = (Uuid::new_v4(), Uuid::new_v4(), Uuid::new_v4());
    let mut sent = account(user, json!(1));
    sent["itemId"] = json!(item);
    sent["loanId"] = json!(loan);
    let created = client.post("/accounts", &sent).await.expect(201);
    assert_eq!(created.round_trips(), 1);
    assert_eq!(created.json()["contributors"], json!([]));
    client.create("/accounts", &account(Uuid::new_v4(), json!(1))).await;
    for (cql, expected) in [
        (format!("loanId=={loan}"), 1),
        (format!("userId=={user} and itemId=={item} and status.name==\"Open\""), 1),
        (format!("userId=={user} and status.name<>Closed"), 1),
        ("status.name==Open".to_owned(), 2),
        ("loanId==\"NOT_FOUND\"".to_owned(), 0),
    ] {
        let list = client.query("/accounts", &cql).await.expect(200);
        let body = list.json();
        assert_eq!((&body["totalRecords"], list.round_trips()), (&json!(expected), 1), "{cql}");
        assert_eq!(body["resultInfo"]["totalRecords"], expected);
    }
    let missing = client.post("/accounts", &json!({})).await.expect(422);
    let missing = missing.json();
    let missing: Vec<_> = missing["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| error["parameters"][0]["key"].as_str().expect("a key"))
        .collect();
    assert_eq!(missing, ["id", "amount", "remaining", "status", "paymentStatus", "userId", "feeFineId", "ownerId"]);
    let mut nameless = account(user, json!(1));
    nameless["id"].take();
    let refused = client.post("/accounts", &nameless).await.expect(422);
    assert_eq!(refused.error_messages(), ["must not be null"]);
}

#[tokio::test]
async fn every_kind_of_record_has_its_list() {
    let library = library().await;
    let client = &library.open;
    let user = Uuid::new_v4();
    let cases = [
        ("/owners", "owners", json!({"owner": "Desk", "servicePointOwner": [{"value": user, "label": "Desk"}]})),
        ("/feefineactions", "feefineactions", json!({"accountId": user, "userId": user, "amountAction": 5.5})),
        ("/payments", "payments", json!({"nameMethod": "Cash", "allowedRefundMethod": true})),
        ("/waives", "waivers", json!({"nameReason": "Kindness"})),
        ("/refunds", "refunds", json!({"nameReason": "Mistake"})),
        ("/transfers", "transfers", json!({"accountName": "Bursar"})),
        ("/comments", "comments", json!({"paid": true})),
        ("/transfer-criterias", "transferCriterias", json!({"criteria": "c", "value": 7})),
        ("/manualblocks", "manualblocks", json!({"userId": user, "desc": "Blocked", "borrowing": true})),
        ("/manual-block-templates", "manualBlockTemplates", json!({"name": "Blocked"})),
    ];
    for (path, list, record) in cases {
        let created = client.create(path, &record).await;
        let found = client.get(path).await.expect(200).json();
        assert_eq!(found[list], json!([created]), "{path}");
        let with_info = ["payments", "waivers", "refunds", "transfers", "comments"];
        assert_eq!(found.get("resultInfo").is_some(), with_info.contains(&list), "{path}");
    }
    let blocks = client.query("/manualblocks", &format!("userId=={user}")).await.json();
    assert_eq!(blocks["totalRecords"], 1);
}

#[tokio::test]
async fn reading_a_missing_record_has_its_own_text() {
    let library = library().await;
    let client = &library.open;
    for (path, name) in [
        ("/accounts", "Account"),
        ("/comments", "Comment"),
        ("/feefineactions", "Feefineaction"),
        ("/feefines", "Feefine"),
        ("/manualblocks", "Manualblock"),
        ("/owners", "Owner"),
        ("/payments", "Payment"),
        ("/refunds", "Refund"),
        ("/transfer-criterias", "TransferCriteria"),
        ("/transfers", "Transfer"),
        ("/waives", "Waive"),
    ] {
        let path = format!("{path}/{}", Uuid::new_v4());
        let read = client.get(&path).await.expect(404);
        assert_eq!(read.text, format!("{name}Object does not exist"));
        let deleted = client.delete(&path).await.expect(404);
        assert_eq!(deleted.text, "Record Not Found");
    }
}

#[tokio::test]
async fn the_refusal_of_an_owner_gives_no_reason() {
    let library = library().await;
    let client = &library.open;
    let owner = client.create("/owners", &json!({"owner": "Desk"})).await;
    let refused = client.post("/owners", &owner).await.expect(400);
    assert_eq!(refused.text, "Unable to process request");
}

#[tokio::test]
async fn fee_fine_types_are_unique_for_an_owner() {
    let library = library().await;
    let client = &library.open;
    let owner = client.create("/owners", &json!({"owner": "Desk"})).await;
    let fee = json!({"feeFineType": "Lost key", "ownerId": owner["id"]});
    let path = path_of(client, "/feefines", &fee).await;
    client.post("/feefines", &fee).await.expect(400);
    client.put(&path, &fee).await.expect(204);
    let owners = format!("/owners/{}", owner["id"].as_str().unwrap());
    assert!(client.delete(&owners).await.expect(400).text.contains("still referenced from table feefines"));
    let automatic = "/feefines/9523cb96-e752-40c2-89da-60f3961a488d";
    let refused = client.put(automatic, &fee).await.expect(422);
    assert_eq!(refused.error_messages(), ["Attempt to change an automatic fee/fine type"]);
}

#[tokio::test]
async fn limits_of_automated_blocks_are_checked() {
    let library = library().await;
    let client = &library.open;
    let id = "3d7c52dc-c732-4223-8bf8-e5917801386f";
    let path = format!("/patron-block-conditions/{id}");
    let condition = client.get(&path).await.expect(200).json();
    assert_eq!(condition["name"], "Maximum number of items charged out");
    let mut blocking = condition.clone();
    blocking["blockBorrowing"] = true.into();
    let silent = client.put(&path, &blocking).await.expect(422);
    assert_eq!(
        silent.error_messages(),
        ["Message to be displayed is a required field if one or more blocked actions selected"]
    );
    blocking["message"] = "Too many".into();
    client.put(&path, &blocking).await.expect(204);
    client.post("/patron-block-conditions", &condition).await.expect(404);

    let limit = |value: Value| json!({"id": Uuid::new_v4(), "patronGroupId": Uuid::new_v4(), "conditionId": id, "value": value});
    client.create("/patron-block-limits", &limit(json!(5))).await;
    let refused = client.post("/patron-block-limits", &limit(json!(5.5))).await.expect(422);
    assert_eq!(refused.error_messages(), ["Must be blank or an integer from 0 to 999999"]);
    assert_eq!(refused.json()["errors"][0]["parameters"], json!([{"key": "value", "value": "5.5"}]));
    let found = client.query("/patron-block-limits", &format!("conditionId=={id}")).await.json();
    assert_eq!(found["patronBlockLimits"].as_array().unwrap().len(), 1);
}
