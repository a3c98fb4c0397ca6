//! What instances, holdings and items have in common: HRIDs, versions, refusals.

use serde_json::{Value, json};

use super::{SmallInventory, small_inventory::merged};

const INSTANCES: &str = "/instance-storage/instances";
const HOLDINGS: &str = "/holdings-storage/holdings";
const ITEMS: &str = "/item-storage/items";
const NOBODY: &str = "11111111-1111-4111-8111-111111111111";

fn path(collection: &str, record: &Value) -> String {
    format!("{collection}/{}", record["id"].as_str().unwrap())
}

#[tokio::test]
async fn an_instance_is_created_in_one_round_trip() {
    let inventory = SmallInventory::new().await;
    let answer = inventory.client().post(INSTANCES, &inventory.new_instance()).await.expect(201);
    assert_eq!(answer.round_trips(), 1);
    let instance = answer.json();
    assert_eq!(instance["hrid"], "in00000000002");
    assert_eq!((&instance["editions"], &instance["discoverySuppress"]), (&json!([]), &json!(false)));
    assert!(instance["statusUpdatedDate"].is_string());
    assert_eq!(inventory.get(INSTANCES, &instance["id"]).await, instance);
    let gone = inventory.client().get(&format!("{INSTANCES}/{NOBODY}")).await.expect(404);
    assert_eq!(gone.text, "");
}

#[tokio::test]
async fn a_stale_put_is_refused() {
    let inventory = SmallInventory::new().await;
    let item = inventory.item(json!({})).await;
    for (collection, id) in
        [(INSTANCES, json!(inventory.instance)), (HOLDINGS, json!(inventory.holdings)), (ITEMS, item["id"].clone())]
    {
        let record = inventory.get(collection, &id).await;
        let path = path(collection, &record);
        // The same again changes nothing.
        inventory.client().put(&path, &record).await.expect(204);
        assert_eq!(inventory.get(collection, &id).await, record);
        let changed = merged(record.clone(), json!({"discoverySuppress": true}));
        inventory.client().put(&path, &changed).await.expect(204);
        for (sent, shown) in [(json!(1), "1"), (Value::Null, "<NULL>")] {
            let refused = inventory.client().put(&path, &merged(record.clone(), json!({"_version": sent}))).await;
            let expected = format!(
                "ERROR: Cannot update record {} because it has been changed (optimistic locking): \
                 Stored _version is 2, _version of request is {shown} (23F09)",
                id.as_str().unwrap()
            );
            assert_eq!(refused.expect(409).text, expected);
        }
    }
}

#[tokio::test]
async fn the_hrid_cannot_change() {
    let inventory = SmallInventory::new().await;
    let item = inventory.item(json!({})).await;
    let refused = inventory.client().put(&path(ITEMS, &item), &merged(item.clone(), json!({"hrid": "x"}))).await;
    assert_eq!(refused.expect(400).text, "The hrid field cannot be changed: new=x, old=it00000000001");
    let refused = inventory.client().put(&path(ITEMS, &item), &merged(item, json!({"hrid": null}))).await;
    assert_eq!(refused.expect(400).text, "The hrid field cannot be changed: new=null, old=it00000000001");
}

#[tokio::test]
async fn a_second_hrid_or_barcode_is_refused() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({"barcode": "Ab1"})).await;
    let refused = c.post(ITEMS, &merged(inventory.new_item(), json!({"hrid": item["hrid"]}))).await.expect(422);
    assert_eq!(refused.error_messages(), ["HRID value already exists in table item: it00000000001"]);
    let refused = c.post(ITEMS, &merged(inventory.new_item(), json!({"barcode": "aB1"}))).await.expect(422);
    let message = "lower(jsonb ->> 'barcode'::text) value already exists in table item: ab1";
    assert_eq!(refused.error_messages(), [message]);
    let again = merged(inventory.new_item(), json!({"id": item["id"]}));
    let refused = c.post(ITEMS, &again).await.expect(422);
    let message = format!("id value already exists in table item: {}", item["id"].as_str().unwrap());
    assert_eq!(refused.error_messages(), [message]);
    let instance = merged(inventory.new_instance(), json!({"hrid": "in00000000001"}));
    let refused = c.post(INSTANCES, &instance).await.expect(400);
    assert_eq!(refused.text, "HRID value already exists in table instance: in00000000001");
}

#[tokio::test]
async fn unknown_references_are_refused() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let refused = c.post(INSTANCES, &merged(inventory.new_instance(), json!({"instanceTypeId": NOBODY}))).await;
    let text = format!("Key (instancetypeid)=({NOBODY}) is not present in table \"instance_type\".");
    assert_eq!(refused.expect(400).text, text);
    let refused = c.post(ITEMS, &merged(inventory.new_item(), json!({"materialTypeId": NOBODY}))).await.expect(422);
    let message = format!("Cannot set item.materialtypeid = {NOBODY} because it does not exist in material_type.id.");
    assert_eq!(refused.error_messages(), [message]);
}

/// The effective location has the same value, but the client did not send it.
#[tokio::test]
async fn an_unknown_location_is_told_by_the_member_that_was_sent() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({})).await;
    let holdings = inventory.get(HOLDINGS, &json!(inventory.holdings)).await;
    for (records, new, stored, table) in
        [(ITEMS, inventory.new_item(), item, "item"), (HOLDINGS, inventory.new_holdings(), holdings, "holdings_record")]
    {
        for member in ["permanentLocationId", "temporaryLocationId"] {
            let unknown = json!({member: NOBODY});
            let key = format!("{table}.{}", member.to_lowercase());
            let message = format!("Cannot set {key} = {NOBODY} because it does not exist in location.id.");
            let refused = c.post(records, &merged(new.clone(), unknown.clone())).await.expect(422);
            assert_eq!(refused.error_messages(), [message.as_str()]);
            assert_eq!(refused.json()["errors"][0]["parameters"], json!([{"key": key, "value": NOBODY}]));
            let refused = c.put(&path(records, &stored), &merged(stored.clone(), unknown)).await;
            assert!([400, 422].contains(&refused.status), "{}", refused.status);
            assert!(refused.text.contains(&message), "{}", refused.text);
        }
    }
}

#[tokio::test]
async fn records_in_use_cannot_be_deleted() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({})).await;
    let in_use = |table: &str, id: &str, by: &str| {
        format!("Cannot delete {table}.id = {id} because id is still referenced from table {by}.")
    };
    for (path, id, table, by) in [
        (INSTANCES, &inventory.instance, "instance", "holdings_record"),
        (HOLDINGS, &inventory.holdings, "holdings_record", "item"),
        ("/material-types", &inventory.material_type, "material_type", "item"),
    ] {
        let refused = c.delete(&format!("{path}/{id}")).await.expect(400);
        assert_eq!(refused.text, in_use(table, id, by));
    }
    c.delete(&path(ITEMS, &item)).await.expect(204);
    c.delete(&format!("{HOLDINGS}/{}", inventory.holdings)).await.expect(204);
    c.delete(&format!("{INSTANCES}/{}", inventory.instance)).await.expect(204);
}

#[tokio::test]
async fn a_put_of_unknown_holdings_creates_and_of_others_is_not_found() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    c.put(&format!("{ITEMS}/{NOBODY}"), &inventory.new_item()).await.expect(404);
    c.put(&format!("{INSTANCES}/{NOBODY}"), &inventory.new_instance()).await.expect(404);
    let created = c.put(&format!("{HOLDINGS}/{NOBODY}"), &inventory.new_holdings()).await.expect(201).json();
    assert_eq!((&created["id"], &created["hrid"]), (&json!(NOBODY), &json!("ho00000000002")));
    assert_eq!(created["effectiveLocationId"], *inventory.location);
}

/// As the inventory pages list the holdings of an instance.
#[tokio::test]
async fn holdings_are_sorted_by_the_name_of_their_location() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for (location, number) in [(&inventory.annex, "B"), (&inventory.location, "A"), (&inventory.annex, "A")] {
        let more = json!({"permanentLocationId": location, "callNumber": number});
        c.create(HOLDINGS, &merged(inventory.new_holdings(), more)).await;
    }
    let of_instance = format!("instanceId=={}", inventory.instance);
    for (descending, expected) in [
        ("", ["annex A", "annex B", "main A", "main PN2 .A6"]),
        ("/sort.descending", ["main A", "main PN2 .A6", "annex A", "annex B"]),
    ] {
        let order = format!("effectiveLocation.name{descending} callNumberPrefix callNumber callNumberSuffix");
        for condition in [of_instance.as_str(), "cql.allRecords=1", "callNumber=\"\""] {
            let answer = c.query(HOLDINGS, &format!("{condition} sortBy {order}")).await.expect(200);
            assert_eq!((answer.round_trips(), answer.header("x-carrel-undeclared-fields")), (1, None));
            let list = answer.json();
            let shown = |holdings: &Value| {
                let is_main = holdings["effectiveLocationId"] == *inventory.location;
                format!("{} {}", if is_main { "main" } else { "annex" }, holdings["callNumber"].as_str().unwrap())
            };
            let shown: Vec<_> = list["holdingsRecords"].as_array().unwrap().iter().map(shown).collect();
            assert_eq!(shown, expected, "{condition} sortBy {order}");
        }
    }
}

#[tokio::test]
async fn members_are_patched() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let path = format!("{INSTANCES}/{}", inventory.instance);
    let patch = json!({"id": inventory.instance, "_version": 1, "title": "New", "languages": ["eng"]});
    c.patch(&path, &patch).await.expect(204);
    let instance = c.get(&path).await.json();
    assert_eq!((&instance["title"], &instance["source"]), (&json!("New"), &json!("FOLIO")));
    c.patch(&path, &patch).await.expect(409);
    c.patch(&path, &json!({"_version": 2, "title": null})).await.expect(422);
    let path = format!("{HOLDINGS}/{}", inventory.holdings);
    let item = inventory.item(json!({})).await;
    c.patch(&path, &json!({"_version": 1, "permanentLocationId": inventory.annex})).await.expect(204);
    assert_eq!(inventory.get(ITEMS, &item["id"]).await["effectiveLocationId"], *inventory.annex);
}

#[tokio::test]
async fn notes_have_a_longest_length() {
    let inventory = SmallInventory::new().await;
    let long = "x".repeat(32_001);
    let body = merged(inventory.new_item(), json!({"administrativeNotes": [long]}));
    let refused = inventory.client().post(ITEMS, &body).await.expect(422);
    assert_eq!(refused.error_messages(), ["A note has exceeded the 32,000 character limit."]);
    assert_eq!(refused.json()["errors"][0]["parameters"][0]["key"], "administrativeNotes");
}
