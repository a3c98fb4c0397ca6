//! Simultaneous writes by many clients.

use std::collections::HashSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{SmallInventory, small_inventory::merged};

const ITEMS: &str = "/item-storage/items";
const HOLDINGS: &str = "/holdings-storage/holdings";

async fn all_items(inventory: &SmallInventory) -> Vec<Value> {
    let listed = inventory.client().get("/item-storage/items?limit=1000").await.expect(200).json();
    listed["items"].as_array().cloned().unwrap_or_default()
}

#[tokio::test]
async fn hrids_and_positions_are_unique() {
    let inventory = SmallInventory::new().await;
    let batch = json!({"items": [inventory.new_item(), inventory.new_item(), inventory.new_item()]});
    let writes = (0..20).map(|_| inventory.client().post("/item-storage/batch/synchronous", &batch));
    for answer in join_all(writes).await {
        answer.expect(201);
    }
    let items = all_items(&inventory).await;
    for member in ["hrid", "order"] {
        let distinct: HashSet<_> = items.iter().map(|item| item[member].to_string()).collect();
        assert_eq!(distinct.len(), 60, "{member}");
    }
}

#[tokio::test]
async fn new_items_follow_a_simultaneous_move_of_their_holdings() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for round in 0..10 {
        let holdings = inventory.get(HOLDINGS, &json!(inventory.holdings)).await;
        let target = if round % 2 == 0 { &inventory.annex } else { &inventory.location };
        let moved = merged(holdings, json!({"permanentLocationId": target, "callNumber": format!("PN{round}")}));
        let path = format!("{HOLDINGS}/{}", inventory.holdings);
        let creations = join_all((0..5).map(|_| inventory.item(json!({}))));
        let (_, answer) = tokio::join!(creations, c.put(&path, &moved));
        answer.expect(204);
        for item in all_items(&inventory).await {
            assert_eq!(item["effectiveLocationId"], **target);
            assert_eq!(item["effectiveCallNumberComponents"]["callNumber"], format!("PN{round}"));
        }
    }
}

#[tokio::test]
async fn of_two_edits_of_one_version_one_wins() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({})).await;
    let path = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
    let bodies: Vec<_> = (0..10).map(|number| merged(item.clone(), json!({"barcode": format!("b{number}")}))).collect();
    let answers = join_all(bodies.iter().map(|body| c.put(&path, body))).await;
    let mut statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    statuses.sort_unstable();
    assert_eq!((statuses[0], &statuses[1..]), (204, &[409; 9][..]));
    assert_eq!(inventory.get(ITEMS, &item["id"]).await["_version"], 2);
}
