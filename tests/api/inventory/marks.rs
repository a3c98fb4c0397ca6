use serde_json::json;

use super::SmallInventory;

#[tokio::test]
async fn items_are_marked_or_refused_by_their_status() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for step in inventory::item_status::MOVES {
        let item = inventory.item(json!({})).await;
        let path = format!("/inventory/items/{}/{}", item["id"].as_str().unwrap(), step.path);
        let marked = c.post(&path, &json!({})).await.expect(200).json();
        assert_eq!(marked["status"]["name"], step.to.name());
        assert_eq!(marked["title"], "A semantic web primer");
        let refused = c.post(&path, &json!({})).await.expect(422).json();
        let message = format!("Item is not allowed to be marked as {}", step.to.name());
        let parameters = json!([{"key": "status.name", "value": step.to.name()}]);
        assert_eq!(refused, json!({"errors": [{"message": message, "parameters": parameters}]}));
    }
    let absent = "/inventory/items/11111111-1111-4111-8111-111111111111/mark-missing";
    assert_eq!(c.post(absent, &json!({})).await.expect(404).text, "No item found");
}

#[tokio::test]
async fn marking_an_item_returns_its_request_to_the_queue() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({})).await;
    let reader = "11111111-1111-4111-8111-111111111111";
    let request = |status: &str, position: i64, more: serde_json::Value| {
        super::small_inventory::merged(
            json!({"requestLevel": "Item", "requestType": "Hold", "requestDate": "2026-01-01T00:00:00Z",
                "requesterId": reader, "instanceId": inventory.instance, "holdingsRecordId": inventory.holdings,
                "itemId": item["id"], "status": status, "position": position, "fulfillmentPreference": "Hold Shelf"}),
            more,
        )
    };
    let past = json!({"holdShelfExpirationDate": "2020-01-01T00:00:00Z"});
    let mut requests = Vec::new();
    for request in [
        request("Open - Awaiting pickup", 1, json!({})),
        request("Open - Awaiting pickup", 2, past),
        request("Closed - Filled", 3, json!({})),
    ] {
        requests.push(c.create("/request-storage/requests", &request).await);
    }
    let path = format!("/inventory/items/{}/mark-missing", item["id"].as_str().unwrap());
    c.post(&path, &json!({})).await.expect(200);
    let expected = ["Open - Not yet filled", "Open - Awaiting pickup", "Closed - Filled"];
    for (request, status) in requests.iter().zip(expected) {
        assert_eq!(inventory.get("/request-storage/requests", &request["id"]).await["status"], status);
    }
}
