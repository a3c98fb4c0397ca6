use serde_json::json;

use super::{
    SmallInventory,
    small_inventory::{id, merged},
};

const NOBODY: &str = "11111111-1111-4111-8111-111111111111";

#[tokio::test]
async fn items_move_to_another_holdings_record() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let there =
        merged(inventory.new_holdings(), json!({"callNumber": "QA 76", "permanentLocationId": inventory.annex}));
    let there = id(&c.create("/holdings-storage/holdings", &there).await);
    let (a, b) = (inventory.item(json!({})).await, inventory.item(json!({})).await);
    let body = json!({"toHoldingsRecordId": there, "itemIds": [b["id"], a["id"], NOBODY]});
    let moved = c.post("/inventory/items/move", &body).await.expect(200);
    assert_eq!(moved.json(), json!({"nonUpdatedIds": [NOBODY]}));
    assert_eq!(moved.round_trips(), 3);
    for item in [a, b] {
        let item = inventory.get("/item-storage/items", &item["id"]).await;
        assert_eq!((&item["holdingsRecordId"], &item["effectiveLocationId"]), (&json!(there), &json!(inventory.annex)));
        assert_eq!((&item["effectiveShelvingOrder"], &item["_version"]), (&json!("QA 276"), &json!(2)));
    }
}

#[tokio::test]
async fn holdings_move_to_another_instance() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let there = id(&c.create("/instance-storage/instances", &inventory.new_instance()).await);
    let item = inventory.item(json!({})).await;
    let body = json!({"toInstanceId": there, "holdingsRecordIds": [inventory.holdings]});
    let moved = c.post("/inventory/holdings/move", &body).await.expect(200);
    assert_eq!(moved.json(), json!({"nonUpdatedIds": []}));
    let holdings = inventory.get("/holdings-storage/holdings", &json!(inventory.holdings)).await;
    assert_eq!(holdings["instanceId"], *there);
    assert_eq!(inventory.get("/item-storage/items", &item["id"]).await["_version"], 2);
}

#[tokio::test]
async fn a_move_needs_a_target_and_ids() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for (path, body, message) in [
        ("/inventory/items/move", json!({"itemIds": [NOBODY]}), "toHoldingsRecordId is a required field"),
        (
            "/inventory/items/move",
            json!({"toHoldingsRecordId": " ", "itemIds": [NOBODY]}),
            "toHoldingsRecordId is a required field",
        ),
        ("/inventory/items/move", json!({"toHoldingsRecordId": NOBODY, "itemIds": []}), "Item ids aren't specified"),
        ("/inventory/holdings/move", json!({"holdingsRecordIds": [NOBODY]}), "toInstanceId is a required field"),
        ("/inventory/holdings/move", json!({"toInstanceId": NOBODY}), "Holdings record ids aren't specified"),
    ] {
        assert_eq!(c.post(path, &body).await.expect(422).error_messages(), [message]);
    }
    for (path, body, sentence) in [
        ("/inventory/items/move", json!({"toHoldingsRecordId": NOBODY, "itemIds": [NOBODY]}), "Holding"),
        ("/inventory/holdings/move", json!({"toInstanceId": NOBODY, "holdingsRecordIds": [NOBODY]}), "Instance"),
    ] {
        let refused = c.post(path, &body).await.expect(422).json();
        assert_eq!(refused, json!({"errors": [format!("{sentence} with id={NOBODY} not found")]}));
    }
}
