//! What an item gets from its holdings record, and when.

use serde_json::json;

use super::{
    SmallInventory,
    small_inventory::{LIBRARY_OF_CONGRESS, merged},
};

const ITEMS: &str = "/item-storage/items";
const HOLDINGS: &str = "/holdings-storage/holdings";

#[tokio::test]
async fn a_new_item_gets_its_effective_values() {
    let inventory = SmallInventory::new().await;
    let body = merged(
        inventory.new_item(),
        json!({"volume": "v. 3", "enumeration": "no. 2", "chronology": "1999",
        "itemLevelCallNumberSuffix": "CD", "circulationNotes": [{"noteType": "Check in", "note": "look"}]}),
    );
    let answer = inventory.client().post(ITEMS, &body).await.expect(201);
    assert_eq!(answer.round_trips(), 2);
    let item = answer.json();
    assert_eq!(answer.header("location"), Some(&*format!("/item-storage/items/{}", item["id"].as_str().unwrap())));
    assert_eq!(item["_version"], 1);
    assert_eq!(item["order"], 1);
    assert_eq!(item["effectiveLocationId"], *inventory.location);
    let number = json!({"callNumber": "PN2 .A6", "suffix": "CD", "typeId": LIBRARY_OF_CONGRESS});
    assert_eq!(item["effectiveCallNumberComponents"], number);
    assert_eq!(item["effectiveShelvingOrder"], "PN 12 A6 V 13 NO 12 41999 CD");
    assert!(item["status"]["date"].is_string() && item["circulationNotes"][0]["id"].is_string());
    assert_eq!(inventory.item(json!({})).await["order"], 2);
    assert_eq!(inventory.item(json!({"order": 7})).await["order"], 7);
    assert_eq!(inventory.item(json!({})).await["order"], 8);
    assert_eq!(inventory.get(ITEMS, &item["id"]).await, item);
}

#[tokio::test]
async fn an_items_status_date_changes_only_with_its_status() {
    let inventory = SmallInventory::new().await;
    let item = inventory.item(json!({})).await;
    let path = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
    inventory.library.clock.advance(jiff::SignedDuration::from_mins(5));
    let answer = inventory.client().put(&path, &merged(item.clone(), json!({"barcode": "1"}))).await.expect(204);
    assert_eq!(answer.round_trips(), 2);
    let same = inventory.get(ITEMS, &item["id"]).await;
    assert_eq!(same["status"], item["status"]);
    assert_eq!((&same["_version"], &same["order"]), (&json!(2), &json!(1)));
    assert_eq!(same["metadata"]["createdDate"], item["metadata"]["createdDate"]);
    assert_ne!(same["metadata"]["updatedDate"], item["metadata"]["updatedDate"]);
    inventory.client().put(&path, &merged(same, json!({"status": {"name": "Missing"}}))).await.expect(204);
    let missing = inventory.get(ITEMS, &item["id"]).await;
    assert_ne!(missing["status"]["date"], item["status"]["date"]);
}

#[tokio::test]
async fn items_are_found_by_status_however_it_changed() {
    let inventory = SmallInventory::new().await;
    let client = inventory.client();
    let item = inventory.item(json!({"barcode": "1"})).await;
    let id = item["id"].as_str().unwrap();
    let holdings = item["holdingsRecordId"].as_str().unwrap();
    let found = async |status: &str| {
        let query = format!("status.name=={status} and barcode==1");
        let through = format!("item.status.name=={status} and item.barcode==1");
        let items = client.query(ITEMS, &query).await.expect(200).json();
        let instances = client.query("/instance-storage/instances", &through).await;
        let instances = instances.expect(200).json();
        assert_eq!(items["totalRecords"], instances["totalRecords"], "{status}");
        items["totalRecords"] == 1
    };
    let rename = async |status: &str| {
        let stored = inventory.get(ITEMS, &item["id"]).await;
        let body = merged(stored, json!({"status": {"name": status}}));
        client.put(&format!("{ITEMS}/{id}"), &body).await.expect(204);
    };
    assert!(found("Available").await && !found("Missing").await);
    client.post(&format!("/inventory/items/{id}/mark-missing"), &json!({})).await.expect(200);
    assert!(found("Missing").await && !found("Available").await);
    assert!(found("missing").await, "case does not count");
    assert!(found("Mis*").await, "masks are compared");
    assert!(found("(Withdrawn or Missing or Available)").await);
    rename("In transit").await;
    assert!(found("\"In transit\"").await && !found("Missing").await);
    rename("Checked out").await;
    assert!(found("\"Checked out\"").await && !found("\"In transit\"").await);
    let lost = merged(inventory.new_item(), json!({"barcode": "3", "status": {"name": "Declared lost"}}));
    let batch = json!({"items": [lost]});
    client.post("/item-storage/batch/synchronous", &batch).await.expect(201);
    let query = format!("holdingsRecordId=={holdings} and status.name==(\"Declared lost\" or \"Checked out\")");
    let both = client.query(ITEMS, &query).await.expect(200).json();
    assert_eq!(both["totalRecords"], 2);
    client.delete(&format!("{ITEMS}?query=barcode==3")).await.expect(204);
    assert_eq!(client.query(ITEMS, &query).await.json()["totalRecords"], 1);
}

#[tokio::test]
async fn items_follow_their_holdings_record() {
    let inventory = SmallInventory::new().await;
    let plain = inventory.item(json!({})).await;
    let own = inventory.item(json!({"permanentLocationId": inventory.location, "itemLevelCallNumber": "B 2"})).await;
    let holdings = inventory.get(HOLDINGS, &json!(inventory.holdings)).await;
    let path = format!("{HOLDINGS}/{}", inventory.holdings);
    let unmoved = merged(holdings, json!({"shelvingTitle": "x"}));
    inventory.client().put(&path, &unmoved).await.expect(204);
    assert_eq!(inventory.get(ITEMS, &plain["id"]).await, plain);

    let moved = merged(unmoved, json!({"_version": 2, "temporaryLocationId": inventory.annex, "callNumber": "PN3"}));
    let answer = inventory.client().put(&path, &moved).await.expect(204);
    assert_eq!(answer.round_trips(), 2);
    let stored = inventory.get(HOLDINGS, &json!(inventory.holdings)).await;
    assert_eq!(stored["effectiveLocationId"], *inventory.annex);
    let plain = inventory.get(ITEMS, &plain["id"]).await;
    assert_eq!(plain["effectiveLocationId"], *inventory.annex);
    assert_eq!(plain["effectiveShelvingOrder"], "PN 13");
    assert_eq!(plain["_version"], 2);
    let own = inventory.get(ITEMS, &own["id"]).await;
    assert_eq!(own["effectiveLocationId"], *inventory.location);
    assert_eq!(own["effectiveShelvingOrder"], "B 12");
    assert_eq!(own["_version"], 2);
}

#[tokio::test]
async fn items_without_a_holdings_record_are_refused() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let nowhere = "11111111-1111-4111-8111-111111111111";
    let body = merged(inventory.new_item(), json!({"holdingsRecordId": nowhere}));
    let refused = c.post(ITEMS, &body).await.expect(422).json();
    let error = &refused["errors"][0];
    assert_eq!(error["message"], "Holdings record does not exist");
    assert_eq!(error["parameters"], json!([{"key": "holdingsRecordId", "value": nowhere}]));
    let item = inventory.item(json!({})).await;
    let path = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
    let refused = c.put(&path, &merged(item, json!({"holdingsRecordId": nowhere}))).await.expect(400);
    assert_eq!(refused.text, format!("holdingsRecordId not found: {nowhere}"));
}

#[tokio::test]
async fn several_items_are_patched_at_once() {
    let inventory = SmallInventory::new().await;
    let (a, b) = (inventory.item(json!({"barcode": "a"})).await, inventory.item(json!({"barcode": "b"})).await);
    let items = json!({"items": [
        {"id": a["id"], "_version": 1, "volume": "v. 2", "barcode": null},
        {"id": b["id"], "_version": 1, "temporaryLocationId": inventory.annex}]});
    let answer = inventory.client().patch(ITEMS, &items).await.expect(204);
    assert_eq!(answer.round_trips(), 2);
    let a = inventory.get(ITEMS, &a["id"]).await;
    assert_eq!((&a["volume"], a.get("barcode")), (&json!("v. 2"), None));
    assert_eq!(a["effectiveShelvingOrder"], "PN 12 A6 V 12");
    let b = inventory.get(ITEMS, &b["id"]).await;
    assert_eq!((&b["barcode"], &b["effectiveLocationId"]), (&json!("b"), &json!(inventory.annex)));
    inventory.client().patch(ITEMS, &items).await.expect(409);
    inventory.client().patch(ITEMS, &json!({"items": [{"volume": "1"}]})).await.expect(422);
}
