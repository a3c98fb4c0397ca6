//! What happens to the links of an instance when it is saved (docs/folio/inventory-business.md#instances-with-links).

use serde_json::{Value, json};

use super::{
    SmallInventory,
    small_inventory::{id, merged},
};

const INSTANCES: &str = "/inventory/instances";

fn path(instance: &Value) -> String {
    format!("{INSTANCES}/{}", id(instance))
}

#[tokio::test]
async fn an_instance_that_is_put_as_it_was_read_keeps_its_version() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let kind = id(&c.create("/instance-relationship-types", &json!({"name": "monographic series"})).await);
    let links = json!({"parentInstances": [{"superInstanceId": inventory.instance, "instanceRelationshipTypeId": kind}],
        "precedingTitles": [{"title": "Earlier"}, {"precedingInstanceId": inventory.instance}]});
    let instance = c.create(INSTANCES, &merged(inventory.new_instance(), links)).await;
    for _ in 0..2 {
        c.put(&path(&instance), &instance).await.expect(204);
        assert_eq!(c.get(&path(&instance)).await.json(), instance);
    }
    let titled = merged(instance.clone(), json!({"precedingTitles": [{"title": "Other"}]}));
    c.put(&path(&instance), &titled).await.expect(204);
    let changed = c.get(&path(&instance)).await.json();
    assert_eq!((&changed["_version"], &changed["precedingTitles"][0]["title"]), (&json!(2), &json!("Other")));

    for version in [3, 3] {
        c.delete(&format!("{}/mark-deleted", path(&instance))).await.expect(204);
        assert_eq!(c.get(&path(&instance)).await.json()["_version"], version);
    }
}

#[tokio::test]
async fn titles_of_a_marc_instance_cannot_change() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let marc = json!({"source": "MARC", "succeedingTitles": [{"title": "Later"}]});
    let marc = c.create(INSTANCES, &merged(inventory.new_instance(), marc)).await;
    for titles in [json!([]), json!([{"title": "x"}])] {
        let refused = c.put(&path(&marc), &merged(marc.clone(), json!({"succeedingTitles": titles}))).await.expect(422);
        assert!(refused.error_messages()[0].starts_with("Instance is controlled by MARC record"), "{}", refused.text);
    }
    let mut same = merged(marc.clone(), json!({"staffSuppress": true}));
    same["succeedingTitles"][0]["succeedingInstanceId"] = Value::Null;
    c.put(&path(&marc), &same).await.expect(204);
    assert_eq!(c.get(&path(&marc)).await.json()["succeedingTitles"], marc["succeedingTitles"]);
}

#[tokio::test]
async fn relationships_keep_the_ids_that_were_sent() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let mut kinds = Vec::new();
    for name in ["monographic series", "bound-with"] {
        kinds.push(id(&c.create("/instance-relationship-types", &json!({"name": name})).await));
    }
    let own = "6b9a1bb0-0000-4000-8000-000000000001";
    let parent =
        |kind: &str| json!([{"id": own, "superInstanceId": inventory.instance, "instanceRelationshipTypeId": kind}]);
    let sent = merged(inventory.new_instance(), json!({"parentInstances": parent(&kinds[0])}));
    let instance = c.create(INSTANCES, &sent).await;
    assert_eq!(instance["parentInstances"][0]["id"], own);
    c.put(&path(&instance), &merged(instance.clone(), json!({"parentInstances": parent(&kinds[1])}))).await.expect(204);
    let changed = c.get(&path(&instance)).await.json();
    assert_eq!(changed["parentInstances"], parent(&kinds[1]));
}

#[tokio::test]
async fn an_instance_is_bound_with_others_if_one_of_its_items_is() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let other = c.create("/instance-storage/instances", &inventory.new_instance()).await;
    let holdings = merged(inventory.new_holdings(), json!({"instanceId": other["id"]}));
    let holdings = c.create("/holdings-storage/holdings", &holdings).await;
    let item = inventory.item(json!({})).await;
    let part = json!({"itemId": item["id"], "holdingsRecordId": holdings["id"]});
    c.create("/inventory-storage/bound-with-parts", &part).await;
    for instance in [json!(inventory.instance), other["id"].clone()] {
        assert_eq!(inventory.get(INSTANCES, &instance).await["isBoundWith"], true);
    }
}

#[tokio::test]
async fn a_batch_may_have_links_to_what_follows() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let later = "6b9a1bb0-0000-4000-8000-000000000002";
    let first = merged(inventory.new_instance(), json!({"succeedingTitles": [{"succeedingInstanceId": later}]}));
    let second = merged(inventory.new_instance(), json!({"id": later, "succeedingTitles": [{"title": "x"}]}));
    let answer = c.post(&format!("{INSTANCES}/batch"), &json!({"instances": [first, second]})).await.expect(201).json();
    assert_eq!((&answer["totalRecords"], &answer["errorMessages"]), (&json!(2), &json!([])));
    let shown = inventory.get(INSTANCES, &json!(later)).await;
    assert_eq!(shown["precedingTitles"].as_array().map(Vec::len), Some(1));
}
