use serde_json::json;

use super::SmallInventory;

const SETTINGS: &str = "/hrid-settings-storage/hrid-settings";

#[tokio::test]
async fn records_are_numbered_by_kind() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let settings = c.get(SETTINGS).await.expect(200);
    assert_eq!(settings.round_trips(), 1);
    let settings = settings.json();
    assert_eq!(settings["id"], "a501f2a8-5b31-48b2-874d-2191e48db8cd");
    assert_eq!(settings["instances"], json!({"prefix": "in", "startNumber": 1, "currentNumber": 1}));
    assert_eq!(settings["items"]["currentNumber"], 0);
    assert_eq!(inventory.item(json!({})).await["hrid"], "it00000000001");
    assert_eq!(inventory.item(json!({"hrid": "mine"})).await["hrid"], "mine");
    assert_eq!(inventory.item(json!({"hrid": " "})).await["hrid"], "it00000000002");
}

#[tokio::test]
async fn new_settings_restart_the_numbering() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let numbering = |prefix: &str| json!({"prefix": prefix, "startNumber": 100});
    let settings = json!({"instances": numbering("a"), "holdings": numbering("b"), "items": numbering("c."),
        "commonRetainLeadingZeroes": false});
    c.put(SETTINGS, &settings).await.expect(204);
    assert_eq!(inventory.item(json!({})).await["hrid"], "c.100");
    assert_eq!(inventory.item(json!({})).await["hrid"], "c.101");
    let read = c.get(SETTINGS).await.json();
    assert_eq!(read["id"], "a501f2a8-5b31-48b2-874d-2191e48db8cd");
    assert_eq!(read["items"]["currentNumber"], 101);
    assert_eq!(read["instances"]["currentNumber"], 99);
}

#[tokio::test]
async fn wrong_settings_are_refused() {
    let inventory = SmallInventory::new().await;
    let good = json!({"prefix": "x", "startNumber": 1});
    for bad in [json!({"prefix": "x y", "startNumber": 1}), json!({"prefix": "x", "startNumber": 0}), json!({})] {
        let settings = json!({"instances": good, "holdings": good, "items": bad});
        inventory.client().put(SETTINGS, &settings).await.expect(422);
    }
}
