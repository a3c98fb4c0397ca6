//! What harvesters read (docs/folio/inventory-links-and-views.md#changed-instances).

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{SmallInventory, small_inventory::merged};

/// The objects of a stream of concatenated JSON.
fn objects(text: &str) -> Vec<Value> {
    serde_json::Deserializer::from_str(text).into_iter().map(|value| value.expect("JSON")).collect()
}

#[tokio::test]
async fn changed_instances_are_streamed() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let path = "/inventory-hierarchy/updated-instance-ids";
    let all = objects(&c.get(path).await.expect(200).text);
    assert_eq!(all.len(), 1);
    assert_eq!((&all[0]["instanceId"], &all[0]["source"]), (&json!(inventory.instance), &json!("FOLIO")));
    assert_eq!((&all[0]["suppressFromDiscovery"], &all[0]["deleted"]), (&json!("false"), &json!("false")));
    let date = all[0]["updatedDate"].as_str().expect("a date");
    assert!(date.ends_with('Z'), "{date}");

    inventory.library.clock.advance(SignedDuration::from_hours(24));
    let since = inventory.library.clock.now().to_string();
    let alone = format!("{path}?startDate={since}");
    assert_eq!(c.get(&alone).await.expect(200).text, "");
    inventory.item(json!({})).await;
    assert_eq!(c.get(&alone).await.expect(200).text, "");
    let with_items = objects(&c.get(&format!("{alone}&onlyInstanceUpdateDate=false")).await.expect(200).text);
    assert_eq!(with_items[0]["instanceId"], *inventory.instance);
    assert_eq!(c.get(&format!("{path}?source=MARC")).await.expect(200).text, "");
    let older = format!("/oai-pmh-view/updatedInstanceIds?startDate={since}");
    let named = |one: &Value| {
        json!({"instanceid": one["instanceId"], "updateddate": one["updatedDate"],
        "suppressfromdiscovery": one["suppressFromDiscovery"], "deleted": one["deleted"]})
    };
    let as_before: Vec<_> = with_items.iter().map(named).collect();
    assert_eq!(objects(&c.get(&older).await.expect(200).text), as_before);
    c.get(&format!("{path}?startDate=soon")).await.expect(400);
    // Without a period, the instance's own date is told.
    let own = objects(&c.get(&format!("{path}?onlyInstanceUpdateDate=false")).await.expect(200).text);
    assert_eq!(own[0]["updatedDate"], date);
}

#[tokio::test]
async fn the_older_form_has_the_items_in_place() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let access = json!([{"uri": "https://example.org/z"}, {"uri": "https://example.org/a"}]);
    let item = inventory.item(json!({"barcode": "1", "volume": "2", "electronicAccess": access})).await;
    inventory.item(json!({"discoverySuppress": true})).await;
    let gone = c.create("/instance-storage/instances", &inventory.new_instance()).await;
    c.delete(&format!("/instance-storage/instances/{}", gone["id"].as_str().unwrap())).await.expect(204);
    let bare = c.create("/instance-storage/instances", &inventory.new_instance()).await;

    let all = objects(&c.get("/oai-pmh-view/instances").await.expect(200).text);
    let find = |id: &Value| all.iter().find(|one| one["instanceid"] == *id).expect("an instance");
    assert_eq!(
        (&find(&gone["id"])["deleted"], &find(&gone["id"])["itemsandholdingsfields"]),
        (&json!("true"), &json!(""))
    );
    assert_eq!(find(&bare["id"])["itemsandholdingsfields"], "");
    let fields = &find(&json!(inventory.instance))["itemsandholdingsfields"];
    assert_eq!((&fields["instanceid"], &fields["suppressfromdiscovery"]), (&json!(inventory.instance), &json!(false)));
    let [only] = &fields["items"].as_array().expect("items")[..] else { panic!("{fields}") };
    assert_eq!((&only["id"], &only["holdingsRecordId"]), (&item["id"], &json!(inventory.holdings)));
    assert_eq!((&only["barcode"], &only["volume"], &only["notes"]), (&json!("1"), &json!("2"), &Value::Null));
    assert_eq!(only["location"]["location"]["institutionName"], "Institution");
    let kept = json!([{"uri": "https://example.org/z", "name": null}, {"uri": "https://example.org/a", "name": null}]);
    assert_eq!(only["electronicAccess"], kept);

    let ids = json!({"instanceIds": [inventory.instance, bare["id"]], "skipSuppressedFromDiscoveryRecords": false});
    let enriched = objects(&c.post("/oai-pmh-view/enrichedInstances", &ids).await.expect(200).text);
    assert_eq!(enriched[0]["itemsandholdingsfields"]["items"].as_array().map(Vec::len), Some(2));
    assert_eq!(enriched[1], json!({"instanceid": bare["id"], "itemsandholdingsfields": ""}));
    c.post("/oai-pmh-view/enrichedInstances", &json!({"instanceIds": ["x"]})).await.expect(422);
}

#[tokio::test]
async fn deleted_instances_are_included_and_suppressed_ones_left_out_unless_refused() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let hidden = merged(inventory.new_instance(), json!({"discoverySuppress": true}));
    let hidden = c.create("/instance-storage/instances", &hidden).await;
    let gone = c.create("/instance-storage/instances", &inventory.new_instance()).await;
    c.delete(&format!("/instance-storage/instances/{}", gone["id"].as_str().unwrap())).await.expect(204);
    let path = "/inventory-hierarchy/updated-instance-ids?skipSuppressedFromDiscoveryRecords=false";
    let all = objects(&c.get(path).await.expect(200).text);
    let find = |id: &Value| all.iter().find(|one| one["instanceId"] == *id);
    assert_eq!(find(&gone["id"]).unwrap()["deleted"], "true");
    assert_eq!(find(&hidden["id"]).unwrap()["suppressFromDiscovery"], "true");
    for path in ["/inventory-hierarchy/updated-instance-ids", "/oai-pmh-view/updatedInstanceIds"] {
        assert_eq!(objects(&c.get(path).await.expect(200).text).len(), 2, "{path}");
        let path = format!("{path}?deletedRecordSupport=false");
        assert_eq!(objects(&c.get(&path).await.expect(200).text).len(), 1, "{path}");
    }
}

#[tokio::test]
async fn deleted_items_and_holdings_change_their_instance() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({})).await;
    for path in [
        format!("/item-storage/items/{}", item["id"].as_str().unwrap()),
        format!("/holdings-storage/holdings/{}", inventory.holdings),
    ] {
        // The database's clock tells when something was deleted.
        let changed = format!("/inventory-hierarchy/updated-instance-ids?startDate={}", jiff::Timestamp::now());
        c.delete(&path).await.expect(204);
        assert_eq!(c.get(&changed).await.expect(200).text, "", "{path}");
        let found = objects(&c.get(&format!("{changed}&onlyInstanceUpdateDate=false")).await.expect(200).text);
        assert_eq!(found[0]["instanceId"], *inventory.instance, "{path}");
        assert_eq!(found[0]["deleted"], "false");
    }
}

#[tokio::test]
async fn an_instance_is_harvested_with_names_for_ids() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let kind = c.create("/item-note-types", &json!({"name": "Binding", "source": "local"})).await;
    let notes = json!([{"itemNoteTypeId": kind["id"], "note": "red", "staffOnly": false},
        {"itemNoteTypeId": kind["id"], "note": "secret", "staffOnly": true}]);
    let item = inventory.item(json!({"barcode": "1", "notes": notes})).await;
    let hidden = inventory.item(json!({"discoverySuppress": true})).await;
    let harvest = async |skip: bool| {
        let body = json!({"instanceIds": [inventory.instance], "skipSuppressedFromDiscoveryRecords": skip});
        let answer = c.post("/inventory-hierarchy/items-and-holdings", &body).await.expect(200);
        objects(&answer.text).remove(0)
    };
    let record = harvest(true).await;
    assert_eq!((&record["instanceId"], &record["source"]), (&json!(inventory.instance), &json!("FOLIO")));
    let holdings = &record["holdings"][0];
    assert_eq!(holdings["callNumber"]["typeName"], "LC");
    assert_eq!(holdings["location"]["permanentLocation"]["institutionName"], "Institution");
    assert_eq!(record["items"].as_array().unwrap().len(), 1);
    let shown = &record["items"][0];
    assert_eq!((&shown["id"], &shown["status"]), (&item["id"], &json!("Available")));
    assert_eq!((&shown["materialType"], &shown["permanentLoanType"]), (&json!("book"), &json!("can circulate")));
    assert_eq!(shown["location"]["location"]["libraryName"], "Library");
    assert_eq!(shown["notes"], json!([{"itemNoteTypeName": "Binding", "note": "red"}]));
    assert_eq!((&record["modeOfIssuance"], shown.get("order")), (&json!(""), None));
    let place = holdings["location"]["effectiveLocation"]["id"].as_str().expect("an id").to_owned();
    let mut closed = c.get(&format!("/locations/{place}")).await.expect(200).json();
    closed["isActive"] = false.into();
    c.put(&format!("/locations/{place}"), &closed).await.expect(204);
    assert_eq!(harvest(true).await["holdings"][0]["location"]["effectiveLocation"], json!({}));
    let all = harvest(false).await;
    let suppressed = all["items"].as_array().unwrap().iter().find(|one| one["id"] == hidden["id"]).unwrap();
    assert_eq!(suppressed["suppressFromDiscovery"], true);
}
