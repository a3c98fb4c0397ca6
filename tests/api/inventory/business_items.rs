//! Items as mod-inventory serves them (docs/folio/inventory-business.md#items-with-names).

use serde_json::{Value, json};

use super::{
    SmallInventory,
    small_inventory::{LIBRARY_OF_CONGRESS, merged},
};

const ITEMS: &str = "/inventory/items";

fn new_item(inventory: &SmallInventory) -> Value {
    json!({"holdingsRecordId": inventory.holdings, "status": {"name": "Available"},
        "materialType": {"id": inventory.material_type, "name": "whatever"},
        "permanentLoanType": {"id": inventory.loan_type}, "title": "shown only", "isBoundWith": false})
}

#[tokio::test]
async fn an_item_shows_names_title_and_contributors() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let instance = inventory.get("/instance-storage/instances", &json!(inventory.instance)).await;
    let kind = c.create("/contributor-name-types", &json!({"name": "Personal name"})).await;
    let contributor = json!({"name": "Reader, A.", "contributorNameTypeId": kind["id"]});
    let path = format!("/instance-storage/instances/{}", inventory.instance);
    c.put(&path, &merged(instance, json!({"contributors": [contributor]}))).await.expect(204);

    let body = merged(new_item(&inventory), json!({"barcode": "1", "temporaryLocation": {"id": inventory.annex}}));
    let created = c.post(ITEMS, &body).await.expect(201);
    assert_eq!(created.header("location"), None);
    let item = created.json();
    for (member, expected) in [
        ("title", json!("A semantic web primer")),
        ("callNumber", json!("PN2 .A6")),
        ("contributorNames", json!([{"name": "Reader, A."}])),
        ("materialType", json!({"id": inventory.material_type, "name": "book"})),
        ("permanentLoanType", json!({"id": inventory.loan_type, "name": "can circulate"})),
        ("effectiveLocation", json!({"id": inventory.annex, "name": "annex"})),
        ("temporaryLocation", json!({"id": inventory.annex, "name": "annex"})),
        ("tags", json!({"tagList": []})),
        ("isBoundWith", json!(false)),
        ("effectiveCallNumberComponents", json!({"callNumber": "PN2 .A6", "typeId": LIBRARY_OF_CONGRESS})),
    ] {
        assert_eq!(item[member], expected, "{member}");
    }
    for member in ["materialTypeId", "effectiveLocationId", "permanentLocation", "temporaryLoanType", "boundWithTitles"]
    {
        assert_eq!(item.get(member), None, "{member}");
    }
    let path = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
    let read = c.get(&path).await.expect(200);
    assert_eq!((read.json(), read.round_trips()), (item.clone(), 1));
    let listed = c.query(ITEMS, "barcode==1").await.expect(200);
    assert_eq!(listed.round_trips(), 1);
    assert_eq!(listed.json(), json!({"items": [item], "totalRecords": 1}));
    let retrieved = c.post("/inventory/items/retrieve", &json!({"query": "barcode==1"})).await.expect(200);
    assert_eq!(retrieved.json()["items"][0], item);
    let gone = c.get("/inventory/items/11111111-1111-4111-8111-111111111111").await.expect(404);
    assert_eq!(gone.text, "Not Found");
}

#[tokio::test]
async fn a_record_that_was_read_can_be_put() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = c.create(ITEMS, &new_item(&inventory)).await;
    let path = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
    c.put(&path, &merged(item.clone(), json!({"barcode": "7"}))).await.expect(204);
    let changed = c.get(&path).await.json();
    assert_eq!((&changed["barcode"], &changed["_version"]), (&json!("7"), &json!(2)));
    assert_eq!(changed["materialType"], item["materialType"]);
    c.put(&path, &item).await.expect(409);
    let change = json!({"volume": "v. 1", "permanentLocation": {"id": inventory.annex},
        "temporaryLoanType": {"id": inventory.loan_type}});
    c.patch(&path, &change).await.expect(204);
    let patched = c.get(&path).await.json();
    assert_eq!((&patched["volume"], &patched["barcode"]), (&json!("v. 1"), &json!("7")));
    assert_eq!(patched["effectiveLocation"]["name"], "annex");
    assert_eq!(patched["permanentLocation"], json!({"id": inventory.annex, "name": "annex"}));
    assert_eq!(patched["temporaryLoanType"], json!({"id": inventory.loan_type, "name": "can circulate"}));
    c.delete(&path).await.expect(204);
    c.delete(&path).await.expect(404);
}

#[tokio::test]
async fn mod_inventory_has_its_own_refusals() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = c.create(ITEMS, &merged(new_item(&inventory), json!({"barcode": "1"}))).await;
    let path = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
    let error = |message: &str, key: &str, value: Value| json!({"errors": [{"message": message, "parameters": [{"key": key, "value": value}]}]});
    for (change, expected) in [
        (json!({"status": null}), error("Status is a required field", "status", Value::Null)),
        (json!({"status": {}}), error("Status is a required field", "status", Value::Null)),
        (json!({"status": {"name": " "}}), error("Status is a required field", "status", Value::Null)),
        (json!({"status": {"name": "Gone"}}), error("Undefined status specified", "status.name", json!("Gone"))),
    ] {
        let body = merged(new_item(&inventory), change);
        assert_eq!(c.post(ITEMS, &body).await.expect(422).json(), expected);
        assert_eq!(c.put(&path, &body).await.expect(422).json(), expected);
    }
    let twice = "Barcode must be unique, 1 is already assigned to another item";
    let body = merged(new_item(&inventory), json!({"barcode": "1"}));
    assert_eq!(c.post(ITEMS, &body).await.expect(400).text, twice);
    let other = c.create(ITEMS, &new_item(&inventory)).await;
    let other_path = format!("{ITEMS}/{}", other["id"].as_str().unwrap());
    assert_eq!(c.put(&other_path, &merged(other, json!({"barcode": "1"}))).await.expect(400).text, twice);
    let refused = c.put(&path, &merged(item.clone(), json!({"hrid": "x"}))).await.expect(422);
    assert_eq!(refused.json(), error("HRID can not be updated", "hrid", json!("x")));
    let absent = format!("{ITEMS}/11111111-1111-4111-8111-111111111111");
    assert_eq!(c.put(&absent, &new_item(&inventory)).await.expect(404).text, "No item found");

    c.put(&path, &merged(item.clone(), json!({"status": {"name": "Claimed returned"}}))).await.expect(204);
    let missing = merged(item, json!({"status": {"name": "Missing"}, "_version": 2}));
    let expected = error("Claimed returned item cannot be marked as missing", "status.name", json!("Missing"));
    assert_eq!(c.put(&path, &missing).await.expect(422).json(), expected);
}

#[tokio::test]
async fn items_are_deleted_by_query() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for barcode in ["a1", "a2", "b1"] {
        c.create(ITEMS, &merged(new_item(&inventory), json!({"barcode": barcode}))).await;
    }
    let empty = "Expected CQL but query parameter is empty";
    for (path, refusal) in
        [(ITEMS, "query parameter is required"), ("/inventory/items?query=", empty), ("/item-storage/items", empty)]
    {
        assert_eq!(c.delete(path).await.expect(400).text, refusal, "{path}");
    }
    let answer = c.delete(&format!("{ITEMS}?query=barcode==a*")).await.expect(204);
    assert_eq!(answer.round_trips(), 1);
    assert_eq!(c.get(ITEMS).await.json()["totalRecords"], 1);
    let refused = c.delete("/holdings-storage/holdings?query=cql.allRecords=1").await.expect(400);
    let text = "Cannot delete holdings_record.id = {} because id is still referenced from table item.";
    assert_eq!(refused.text, text.replace("{}", &inventory.holdings));
    c.delete("/item-storage/items?query=cql.allRecords=1").await.expect(204);
    c.delete("/holdings-storage/holdings?query=cql.allRecords=1").await.expect(204);
}

#[tokio::test]
async fn circulation_notes_are_signed_by_whoever_writes_what_they_say() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let mut authors = Vec::new();
    for name in ["Ann", "Bea"] {
        let user = json!({"username": name, "active": true, "personal": {"lastName": name}});
        authors.push(c.create("/users", &user).await["id"].as_str().unwrap().to_owned());
    }
    let [ann, bea] = [0, 1].map(|author: usize| c.with_header("x-okapi-user-id", &authors[author]));
    let sent = "6b9a1bb0-0000-4000-8000-000000000003";
    let notes = json!([{"id": sent, "noteType": "Check in", "note": "look", "staffOnly": false},
        {"noteType": "Check out", "note": "count", "staffOnly": true}]);
    let item =
        ann.post(ITEMS, &merged(new_item(&inventory), json!({"circulationNotes": notes}))).await.expect(201).json();
    let path = format!("{ITEMS}/{}", item["id"].as_str().unwrap());
    for note in item["circulationNotes"].as_array().unwrap() {
        assert_eq!((&note["source"]["id"], note["date"].is_string()), (&json!(authors[0]), true), "{note}");
        assert_ne!(note["id"], sent);
    }
    bea.put(&path, &item).await.expect(204);
    assert_eq!(c.get(&path).await.json(), item, "nothing has changed");
    let mut changed = item.clone();
    changed["circulationNotes"][1]["note"] = "count again".into();
    bea.put(&path, &changed).await.expect(204);
    let found = c.get(&path).await.json();
    let found: Vec<_> =
        found["circulationNotes"].as_array().unwrap().iter().map(|note| &note["source"]["id"]).collect();
    assert_eq!(found, [&json!(authors[0]), &json!(authors[1])]);
}

#[tokio::test]
async fn pages_are_numeric() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for path in [ITEMS, "/inventory/instances"] {
        for page in ["limit=", "limit=x", "limit=-1", "limit=1.5", "offset=", "offset=x", "limit=5&offset=-1"] {
            let refused = c.get(&format!("{path}?{page}")).await.expect(400);
            assert_eq!(refused.text, "limit and offset must be numeric when supplied", "{path}?{page}");
        }
        c.get(&format!("{path}?limit=0&offset=0")).await.expect(200);
    }
}
