//! References in lists: statistical codes, and types and sources of subjects.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{SmallInventory, small_inventory::merged};

const INSTANCES: &str = "/instance-storage/instances";
const HOLDINGS: &str = "/holdings-storage/holdings";
const ITEMS: &str = "/item-storage/items";
const NOBODY: &str = "11111111-1111-4111-8111-111111111111";

fn id(record: &Value) -> &str {
    record["id"].as_str().expect("an id")
}

async fn statistical_code(inventory: &SmallInventory, code: &str) -> Value {
    let c = inventory.client();
    let kind =
        c.create("/statistical-code-types", &json!({"name": format!("type of {code}"), "source": "local"})).await;
    let (name, kind) = (format!("Name of {code}"), &kind["id"]);
    c.create(
        "/statistical-codes",
        &json!({"code": code, "name": name, "statisticalCodeTypeId": kind, "source": "local"}),
    )
    .await
}

/// What a member has that lists a record, and what the refusal calls it.
fn lists(of: &str) -> (Value, &'static str, &'static str) {
    match of {
        "code" => {
            (json!({"statisticalCodeIds": [NOBODY]}), "statistical code doesn't exist: ", "statisticalCodeIds array of")
        }
        "source" => {
            let subjects = json!({"subjects": [{"value": "Apples"}, {"value": "Bread", "sourceId": NOBODY}]});
            (subjects, "subject source doesn't exist: ", "subjects array of")
        }
        _ => {
            let subjects = json!({"subjects": [{"value": "Apples", "typeId": NOBODY}]});
            (subjects, "subject type doesn't exist: ", "subjects array of")
        }
    }
}

#[tokio::test]
async fn an_item_lists_only_statistical_codes_that_exist() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let code = statistical_code(&inventory, "books").await;
    let item = inventory.item(json!({"statisticalCodeIds": [code["id"]]})).await;
    let (new, both) = (inventory.new_item(), json!({"statisticalCodeIds": [code["id"], NOBODY]}));
    let new = merged(merged(new, both.clone()), json!({"id": "22222222-2222-4222-8222-222222222222"}));
    let detail = |id: &str| format!("foreign key violation in statisticalCodeIds array of item with id={id}");
    let message = format!("statistical code doesn't exist: {NOBODY} {}", detail(id(&new)));
    let batch = json!({"items": [inventory.new_item(), new]});
    for (path, body) in [(ITEMS, &new), ("/item-storage/batch/synchronous", &batch)] {
        let refused = c.post(path, body).await.expect(422);
        assert_eq!(refused.error_messages(), [message.as_str()]);
        assert_eq!(refused.json()["errors"][0]["parameters"], json!([{"key": "item", "value": id(&new)}]));
    }
    let path = format!("{ITEMS}/{}", id(&item));
    let refused = c.put(&path, &merged(item.clone(), both)).await.expect(400);
    assert_eq!(refused.text, format!("statistical code doesn't exist: {NOBODY} {}", detail(id(&item))));
    assert_eq!(c.get(ITEMS).await.json()["totalRecords"], 1);
    c.put(&path, &merged(item, json!({"statisticalCodeIds": []}))).await.expect(204);
}

#[tokio::test]
async fn an_instance_lists_only_codes_types_and_sources_that_exist() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let stored = inventory.get(INSTANCES, &json!(inventory.instance)).await;
    for of in ["code", "source", "type"] {
        let (members, named, list) = lists(of);
        let new = merged(inventory.new_instance(), json!({"id": "22222222-2222-4222-8222-222222222222"}));
        let new = merged(new, members.clone());
        let detail = |id: &str| format!("foreign key violation in {list} instance with id={id}");
        assert_eq!(c.post(INSTANCES, &new).await.expect(400).text, detail(id(&new)));
        let batch = json!({"instances": [new]});
        let refused = c.post("/instance-storage/batch/synchronous", &batch).await.expect(422);
        assert_eq!(refused.error_messages(), [format!("{named}{NOBODY} {}", detail(id(&new)))]);
        assert_eq!(refused.json()["errors"][0]["parameters"], json!([{"key": "instance", "value": id(&new)}]));
        let path = format!("{INSTANCES}/{}", id(&stored));
        let refused = c.put(&path, &merged(stored.clone(), members)).await.expect(400);
        assert_eq!(refused.text, format!("{named}{NOBODY} {}", detail(id(&stored))));
    }
    assert_eq!(c.get(INSTANCES).await.json()["totalRecords"], 1);
}

#[tokio::test]
async fn a_statistical_code_stays_while_a_record_lists_it() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    let item = inventory.item(json!({})).await;
    for (collection, record, name) in [
        (ITEMS, item["id"].clone(), "item"),
        (HOLDINGS, json!(inventory.holdings), "holdings record"),
        (INSTANCES, json!(inventory.instance), "instance"),
    ] {
        let code = statistical_code(&inventory, name).await;
        let (path, of_code) =
            (format!("{collection}/{}", record.as_str().expect("an id")), format!("/statistical-codes/{}", id(&code)));
        let listing = merged(inventory.get(collection, &record).await, json!({"statisticalCodeIds": [code["id"]]}));
        c.put(&path, &listing).await.expect(204);
        let refused = c.delete(&of_code).await.expect(400);
        let still = format!("Key (id)=({}) is still referenced from table \"{name}\".", id(&code));
        assert_eq!(refused.text, format!("foreign_key_violation: {still}"));
        let without = merged(inventory.get(collection, &record).await, json!({"statisticalCodeIds": []}));
        c.put(&path, &without).await.expect(204);
        c.delete(&of_code).await.expect(204);
    }
}

#[tokio::test]
async fn types_and_sources_of_subjects_stay_while_an_instance_has_them() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for (collection, table, member) in
        [("/subject-types", "subject_type", "typeId"), ("/subject-sources", "subject_source", "sourceId")]
    {
        let named = c.create(collection, &json!({"name": "ours", "code": "ours", "source": "local"})).await;
        let subjects = json!({"subjects": [{"value": "Apples"}, {"value": "Bread", member: named["id"]}]});
        let instance = c.create(INSTANCES, &merged(inventory.new_instance(), subjects)).await;
        let path = format!("{collection}/{}", id(&named));
        let refused = c.delete(&path).await.expect(400);
        let user = format!("id is still referenced from table instance_{table}.");
        assert_eq!(refused.text, format!("Cannot delete {table}.id = {} because {user}", id(&named)));
        c.delete(&format!("{INSTANCES}/{}", id(&instance))).await.expect(204);
        c.delete(&path).await.expect(204);
    }
}

#[tokio::test]
async fn a_code_is_not_deleted_while_it_is_given_to_an_item() {
    let inventory = SmallInventory::new().await;
    let c = inventory.client();
    for round in 0..10 {
        let code = statistical_code(&inventory, &format!("code {round}")).await;
        let item = merged(inventory.new_item(), json!({"statisticalCodeIds": [code["id"]]}));
        let path = format!("/statistical-codes/{}", id(&code));
        let (deleted, made) = tokio::join!(c.delete(&path), join_all((0..3).map(|_| c.post(ITEMS, &item))));
        let made = made.iter().filter(|answer| answer.status == 201).count();
        match deleted.status {
            204 => assert_eq!(made, 0, "an item has a code that is gone"),
            400 => assert!(made > 0, "{}", deleted.text),
            other => panic!("{other}: {}", deleted.text),
        }
    }
}
