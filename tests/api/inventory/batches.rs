use serde_json::{Value, json};

use super::{SmallInventory, small_inventory::merged};

const BATCH: &str = "/item-storage/batch/synchronous";

fn items(inventory: &SmallInventory, count: usize) -> Vec<Value> {
    (0..count).map(|number| merged(inventory.new_item(), json!({"barcode": format!("b{number}")}))).collect()
}

#[tokio::test]
async fn any_number_of_items_takes_two_round_trips() {
    let inventory = SmallInventory::new().await;
    let batch = json!({"items": items(&inventory, 500)});
    let answer = inventory.client().post(BATCH, &batch).await.expect(201);
    assert_eq!((answer.text.as_str(), answer.round_trips()), ("", 2));
    let listed = inventory.client().get("/item-storage/items?limit=1000").await.json();
    let mut orders: Vec<_> =
        listed["items"].as_array().unwrap().iter().map(|item| item["order"].as_i64().unwrap()).collect();
    orders.sort_unstable();
    assert_eq!(orders, (1..=500).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_batch_is_written_whole_or_not_at_all() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let mut all = items(&inventory, 3);
    all[2]["barcode"] = json!("B0");
    let refused = c.post(BATCH, &json!({"items": all})).await.expect(422);
    let message = "lower(jsonb ->> 'barcode'::text) value already exists in table item: b0";
    assert_eq!(refused.error_messages()[0].to_lowercase(), message);
    all[2]["barcode"] = json!("b2");
    let same = "11111111-1111-4111-8111-11111111111a";
    for item in &mut all[1..] {
        item["id"] = same.into();
    }
    let refused = c.post(BATCH, &json!({"items": all})).await.expect(422);
    assert_eq!(refused.error_messages(), [format!("id value already exists in table item: {same}")]);
    all[1]["id"] = json!("11111111-1111-4111-8111-11111111111b");
    all[2]["holdingsRecordId"] = json!("11111111-1111-4111-8111-111111111111");
    let refused = c.post(BATCH, &json!({"items": all})).await.expect(422);
    assert_eq!(refused.error_messages(), ["Holdings record does not exist"]);
    assert_eq!(c.get("/item-storage/items").await.json()["totalRecords"], 0);
}

#[tokio::test]
async fn an_upsert_checks_versions_and_adds_what_is_new() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({"barcode": "old"})).await;
    let changed = merged(item.clone(), json!({"barcode": "new", "hrid": null}));
    let batch = json!({"items": [changed, inventory.new_item()]});
    let upsert = format!("{BATCH}?upsert=true");
    c.post(BATCH, &batch).await.expect(422);
    c.post(&upsert, &batch).await.expect(201);
    let stored = inventory.get("/item-storage/items", &item["id"]).await;
    assert_eq!((&stored["barcode"], &stored["hrid"]), (&json!("new"), &item["hrid"]));
    assert_eq!((&stored["_version"], &stored["order"]), (&json!(2), &json!(1)));
    c.post(&upsert, &batch).await.expect(409);
}

#[tokio::test]
async fn holdings_and_instances_come_in_batches_too() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let instances = json!({"instances": [inventory.new_instance(), inventory.new_instance()]});
    let answer = c.post("/instance-storage/batch/synchronous", &instances).await.expect(201);
    assert_eq!(answer.round_trips(), 1);
    let item = inventory.item(json!({})).await;
    let holdings = inventory.get("/holdings-storage/holdings", &json!(inventory.holdings)).await;
    let moved = merged(holdings, json!({"permanentLocationId": inventory.annex}));
    let batch = json!({"holdingsRecords": [inventory.new_holdings(), moved]});
    let answer = c.post("/holdings-storage/batch/synchronous?upsert=true", &batch).await.expect(201);
    assert_eq!(answer.round_trips(), 2);
    assert_eq!(inventory.get("/item-storage/items", &item["id"]).await["effectiveLocationId"], *inventory.annex);
}

#[tokio::test]
async fn faults_of_a_batch_name_the_record() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let nothing = json!({});
    for (path, list, good, missing) in [
        (
            "/instance-storage/batch/synchronous",
            "instances",
            inventory.new_instance(),
            vec!["source", "title", "instanceTypeId"],
        ),
        (
            "/holdings-storage/batch/synchronous",
            "holdingsRecords",
            inventory.new_holdings(),
            vec!["sourceId", "instanceId", "permanentLocationId"],
        ),
        (
            BATCH,
            "items",
            inventory.new_item(),
            vec!["status", "materialTypeId", "permanentLoanTypeId", "holdingsRecordId"],
        ),
    ] {
        let mut unread = good.clone();
        unread["id"] = "x".into();
        let batch = json!({list: [good, nothing, unread]});
        let refused = c.post(path, &batch).await.expect(422).json();
        let errors = refused["errors"].as_array().expect("errors");
        let mut keys: Vec<_> =
            errors.iter().map(|error| error["parameters"][0]["key"].as_str().expect("a key").to_owned()).collect();
        let mut expected: Vec<_> =
            missing.iter().map(|member| format!("{list}[1].{member}")).chain([format!("{list}[2].id")]).collect();
        keys.sort_unstable();
        expected.sort_unstable();
        assert_eq!(keys, expected, "{path}");
        let absent = c.post(path, &nothing).await.expect(422).json();
        assert_eq!(absent["errors"][0]["parameters"][0]["key"], list, "{path}");
    }
    let requests = json!({"requests": [{}]});
    let refused = c.post("/request-storage-batch/requests", &requests).await;
    let refused = refused.expect(422).text;
    assert!(refused.contains("\"requests[0].requesterId\""), "{refused}");
}

#[tokio::test]
async fn batches_have_limits() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let refused = c.post(BATCH, &json!({"items": vec![json!({}); 10_001]})).await.expect(413);
    assert_eq!(refused.text, "Expected a maximum of 10000 records to prevent out of memory but got 10001");
    c.post(BATCH, &json!({})).await.expect(422);
    c.post("/item-storage/batch/synchronous-unsafe", &json!({"items": []})).await.expect(413);
}
