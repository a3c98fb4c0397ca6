//! All bad input gets a clear 4xx.

use http::Method;
use serde_json::{Value, json};

use super::{SmallInventory, small_inventory::merged};

const NOBODY: &str = "11111111-1111-4111-8111-111111111111";

#[tokio::test]
async fn wrong_bodies_are_refused_everywhere() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let wrong: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"{".to_vec(),
        b"[]".to_vec(),
        b"null".to_vec(),
        b"{\"items\": {}, \"instances\": 1, \"itemIds\": 5, \"id\": 7}".to_vec(),
        b"{\"id\": \"x' OR 1=1\", \"status\": 3, \"materialType\": [], \"title\": \"t\", \"parentInstances\": [1]}"
            .to_vec(),
        b"{\"title\": \"\\u0000\", \"items\": [\"\\u0000\"], \"status\": {\"name\": \"\\u0000\"}}".to_vec(),
        vec![0xff, 0xfe, b'{', b'}'],
    ];
    let one = format!("/{NOBODY}");
    for (method, path) in [
        (Method::POST, "/instance-storage/instances".to_owned()),
        (Method::POST, "/holdings-storage/holdings".to_owned()),
        (Method::POST, "/item-storage/items".to_owned()),
        (Method::PATCH, "/item-storage/items".to_owned()),
        (Method::PUT, format!("/holdings-storage/holdings{one}")),
        (Method::PATCH, format!("/instance-storage/instances{one}")),
        (Method::POST, "/item-storage/batch/synchronous".to_owned()),
        (Method::POST, "/inventory/items".to_owned()),
        (Method::PUT, format!("/inventory/items{one}")),
        (Method::POST, "/inventory/instances".to_owned()),
        (Method::PUT, format!("/inventory/instances{one}")),
        (Method::POST, "/inventory/items/move".to_owned()),
        (Method::POST, "/inventory/holdings/move".to_owned()),
        (Method::PUT, "/inventory-storage/bound-withs".to_owned()),
        (Method::PUT, format!("/preceding-succeeding-titles/instances{one}")),
        (Method::PUT, "/hrid-settings-storage/hrid-settings".to_owned()),
        (Method::POST, "/inventory-hierarchy/items-and-holdings".to_owned()),
        (Method::PUT, format!("/locations{one}")),
        (Method::POST, "/subject-types".to_owned()),
    ] {
        for body in &wrong {
            let answer = c.send(method.clone(), &path, Some(body.clone())).await;
            let shown = String::from_utf8_lossy(body);
            assert!((400..500).contains(&answer.status), "{method} {path} {shown}: {} {}", answer.status, answer.text);
        }
    }
}

#[tokio::test]
async fn invalid_ids_are_refused() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for path in ["/item-storage/items/x", "/inventory/items/1;drop", "/locations/x"] {
        c.get(path).await.expect(404);
    }
    c.post("/inventory/items/x/mark-missing", &json!({})).await.expect(400);
    c.put("/item-storage/items/x", &inventory.new_item()).await.expect(400);
    c.delete("/holdings-storage/holdings/x").await.expect(400);
}

#[tokio::test]
async fn numbers_out_of_bounds_do_no_harm() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for order in [json!(99_999_999_999_i64), json!(-3_000_000_000_i64), json!(1.5)] {
        let body = merged(inventory.new_item(), json!({"order": order}));
        c.post("/item-storage/items", &body).await.expect(400);
    }
    assert_eq!(inventory.item(json!({"order": i32::MAX})).await["order"], i32::MAX);
    let next = c.post("/item-storage/items", &inventory.new_item()).await;
    assert!([201, 400].contains(&next.status), "{}", next.text);
    for version in [json!(i64::MAX), json!(-1), Value::Null] {
        let item = merged(inventory.new_item(), json!({"_version": version}));
        let path = format!("/item-storage/items/{NOBODY}");
        c.put(&path, &item).await.expect(404);
    }
}

#[tokio::test]
async fn a_malformed_id_in_a_list_is_told_of_the_whole_list() {
    let inventory = SmallInventory::new().await;
    let good = "00000000-0000-4444-8888-000000000000";
    let item = merged(inventory.new_item(), json!({"statisticalCodeIds": [good, "07"]}));
    for (path, body, key) in [
        ("/item-storage/items", item.clone(), "statisticalCodeIds"),
        ("/item-storage/batch/synchronous", json!({"items": [item]}), "items[0].statisticalCodeIds"),
    ] {
        let refused = inventory.client().post(path, &body).await.expect(422);
        let error = &refused.json()["errors"][0];
        assert_eq!(error["message"], "elements in list must match pattern", "{path}");
        assert_eq!(error["parameters"], json!([{"key": key, "value": format!("[{good}, 07]")}]), "{path}");
    }
}
