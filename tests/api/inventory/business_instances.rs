//! Instances as mod-inventory serves them (docs/folio/inventory-business.md#instances-with-links).

use serde_json::{Value, json};

use super::{
    SmallInventory,
    small_inventory::{id, merged},
};

const INSTANCES: &str = "/inventory/instances";

#[tokio::test]
async fn an_instance_comes_with_its_links() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let kind = id(&c.create("/instance-relationship-types", &json!({"name": "monographic series"})).await);
    let body = merged(
        inventory.new_instance(),
        json!({"parentInstances": [{"superInstanceId": inventory.instance, "instanceRelationshipTypeId": kind}],
            "precedingTitles": [{"title": "Earlier"}, {"precedingInstanceId": inventory.instance}]}),
    );
    let created = c.post(INSTANCES, &body).await.expect(201);
    assert_eq!(created.round_trips(), 2);
    let instance = created.json();
    let path = format!("{INSTANCES}/{}", instance["id"].as_str().unwrap());
    assert!(
        created.header("location").unwrap().starts_with("http://")
            && created.header("location").unwrap().ends_with(&path)
    );
    assert_eq!(instance["parentInstances"][0]["superInstanceId"], *inventory.instance);
    assert_eq!(instance["precedingTitles"][0]["title"], "Earlier");
    assert_eq!(instance["precedingTitles"][1]["title"], "A semantic web primer");
    assert_eq!((&instance["childInstances"], &instance["isBoundWith"]), (&json!([]), &json!(false)));
    let parent = c.get(&format!("{INSTANCES}/{}", inventory.instance)).await.expect(200);
    assert_eq!(parent.round_trips(), 1);
    let parent = parent.json();
    assert_eq!(parent["childInstances"][0]["subInstanceId"], instance["id"]);
    assert_eq!(parent["succeedingTitles"][0]["succeedingInstanceId"], instance["id"]);

    let same = merged(instance.clone(), json!({"title": "New", "precedingTitles": [{"title": "First"}]}));
    c.put(&path, &same).await.expect(204);
    let changed = c.get(&path).await.json();
    assert_eq!(changed["parentInstances"], instance["parentInstances"]);
    assert_eq!(changed["precedingTitles"].as_array().unwrap().len(), 1);
    c.put(&path, &merged(changed, json!({"parentInstances": [], "precedingTitles": null}))).await.expect(204);
    let changed = c.get(&path).await.json();
    assert_eq!((&changed["parentInstances"], &changed["precedingTitles"][0]["title"]), (&json!([]), &json!("First")));
}

#[tokio::test]
async fn instances_have_their_own_refusals() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let refused = c.post(INSTANCES, &merged(inventory.new_instance(), json!({"title": " "}))).await.expect(400);
    assert_eq!(refused.text, "Title must be provided for an instance");
    for side in ["succeeding", "preceding"] {
        let links = json!({format!("{side}Titles"): [{"hrid": "x"}]});
        let refused = c.post(INSTANCES, &merged(inventory.new_instance(), links)).await.expect(422);
        assert_eq!(refused.error_messages(), [format!("Title is required for unconnected {side} title")]);
        assert_eq!(refused.json()["errors"][0]["parameters"][0]["key"], format!("{side}Titles.title"));
    }
    let path = format!("{INSTANCES}/{}", inventory.instance);
    let instance = c.get(&path).await.json();
    for (hrid, value) in [(json!("x"), json!("x")), (Value::Null, Value::Null)] {
        let refused = c.put(&path, &merged(instance.clone(), json!({"hrid": hrid}))).await.expect(422).json();
        assert_eq!(refused, hrid_refused(&value));
    }
    let absent = format!("{INSTANCES}/11111111-1111-4111-8111-111111111111");
    assert_eq!(c.put(&absent, &instance).await.expect(404).text, "Instance not found");
    assert_eq!(c.delete(&format!("{absent}/mark-deleted")).await.expect(404).text, "Not Found");
    assert_eq!(c.delete(INSTANCES).await.expect(400).text, "query parameter is required");
    c.delete(&path).await.expect(400);
}

fn hrid_refused(value: &Value) -> Value {
    let parameters = json!([{"key": "hrid", "value": value}]);
    json!({"errors": [{"message": "HRID can not be updated", "parameters": parameters}]})
}

#[tokio::test]
async fn holdings_have_their_own_refusals() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let holdings = inventory.get("/holdings-storage/holdings", &json!(inventory.holdings)).await;
    let path = format!("/inventory/holdings/{}", inventory.holdings);
    let refused = c.put(&path, &merged(holdings.clone(), json!({"hrid": "x"}))).await.expect(422);
    assert_eq!(refused.json(), hrid_refused(&json!("x")));
    let absent = "/inventory/holdings/11111111-1111-4111-8111-111111111111";
    assert_eq!(c.put(absent, &holdings).await.expect(404).text, "Holdings not found");
}

#[tokio::test]
async fn members_controlled_by_a_marc_record_cannot_change() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let blocked = c.get("/inventory/config/instances/blocked-fields").await.expect(200).json();
    assert!(blocked["blockedFields"].as_array().unwrap().contains(&json!("title")));
    let marc = c.create(INSTANCES, &merged(inventory.new_instance(), json!({"source": "MARC"}))).await;
    let path = format!("{INSTANCES}/{}", marc["id"].as_str().unwrap());
    let blocked = "is controlled by MARC record, these fields are blocked and can not be updated: ";
    for change in [json!({"title": "x"}), json!({"hrid": "x"})] {
        let refused = c.put(&path, &merged(marc.clone(), change)).await.expect(422);
        assert!(refused.error_messages()[0].starts_with(&format!("Instance {blocked}hrid,source,")));
    }
    c.put(&path, &merged(marc, json!({"staffSuppress": true}))).await.expect(204);

    let source = c.create("/holdings-sources", &json!({"name": "MARC", "source": "folio"})).await;
    let body = merged(inventory.new_holdings(), json!({"sourceId": source["id"]}));
    let holdings = c.create("/holdings-storage/holdings", &body).await;
    let path = format!("/inventory/holdings/{}", holdings["id"].as_str().unwrap());
    let refused = c.put(&path, &merged(holdings.clone(), json!({"callNumber": "x"}))).await.expect(422);
    assert!(refused.error_messages()[0].starts_with(&format!("Holdings {blocked}formerIds,")));
    c.put(&path, &merged(holdings, json!({"numberOfItems": "2"}))).await.expect(204);
    let path = format!("/inventory/holdings/{}", inventory.holdings);
    let holdings = inventory.get("/holdings-storage/holdings", &json!(inventory.holdings)).await;
    c.put(&path, &merged(holdings, json!({"callNumber": "x"}))).await.expect(204);
}

#[tokio::test]
async fn a_deleted_mark_hides_an_instance() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let path = format!("{INSTANCES}/{}", inventory.instance);
    c.delete(&format!("{path}/mark-deleted")).await.expect(204);
    let instance = c.get(&path).await.json();
    for flag in ["deleted", "staffSuppress", "discoverySuppress"] {
        assert_eq!(instance[flag], true);
    }
    c.patch(&path, &json!({"title": "patched"})).await.expect(204);
    assert_eq!(c.get(&path).await.json()["title"], "patched");
}

#[tokio::test]
async fn a_batch_creates_the_valid_instances() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let path = "/inventory/instances/batch";
    let batch = |instances: Vec<Value>| json!({"totalRecords": instances.len(), "instances": instances});
    let good = batch(vec![inventory.new_instance(), inventory.new_instance()]);
    let answer = c.post(path, &good).await.expect(201);
    assert_eq!((&answer.json()["totalRecords"], answer.round_trips()), (&json!(2), 2));
    let untitled = merged(inventory.new_instance(), json!({"title": null}));
    let unknown = merged(inventory.new_instance(), json!({"instanceTypeId": "11111111-1111-4111-8111-111111111111"}));
    let mixed = batch(vec![untitled.clone(), inventory.new_instance(), unknown]);
    let answer = c.post(path, &mixed).await.expect(201).json();
    assert_eq!((&answer["totalRecords"], answer["errorMessages"].as_array().unwrap().len()), (&json!(1), 2));
    let none = c.post(path, &batch(vec![untitled])).await.expect(500).json();
    assert_eq!((&none["instances"], &none["totalRecords"]), (&json!([]), &json!(0)));
}

/// FOLIO's page sends `shared` with every instance.
#[tokio::test]
async fn unknown_members_are_ignored() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let isbn = id(&c.create("/identifier-types", &json!({"name": "ISBN"})).await);
    let unknown = json!({"shared": false, "isBoundWith": false, "hasHoldings": true,
        "identifiers": [{"value": "1", "identifierTypeId": isbn, "typeName": "ISBN"}],
        "precedingTitles": [{"title": "Earlier", "shown": true}]});
    let body = merged(inventory.new_instance(), unknown);
    let created = c.post(INSTANCES, &body).await.expect(201).json();
    let path = format!("{INSTANCES}/{}", created["id"].as_str().unwrap());
    let changed = merged(
        c.get(&path).await.expect(200).json(),
        json!({"shared": true, "title": "Renamed", "unheardOf": {"a": 1}}),
    );
    c.put(&path, &changed).await.expect(204);
    c.patch(&path, &json!({"shared": true})).await.expect(204);
    let batch = json!({"instances": [merged(inventory.new_instance(), json!({"shared": true}))]});
    let several = c.post("/inventory/instances/batch", &batch).await;
    assert_eq!(several.expect(201).json()["totalRecords"], 1);
    let stored = c.get(&path).await.expect(200).json();
    assert_eq!(stored["title"], "Renamed");
    for name in ["shared", "unheardOf", "hasHoldings"] {
        assert_eq!(stored.get(name), None, "{name}");
    }
}
