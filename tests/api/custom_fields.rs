//! Custom fields of users (docs/folio/custom-fields.md).

use serde_json::{Value, json};
use testkit::{Client, library};

fn text(name: &str) -> Value {
    json!({"name": name, "type": "TEXTBOX_SHORT", "entityType": "user"})
}

fn colour() -> Value {
    json!({"name": "Colour", "type": "MULTI_SELECT_DROPDOWN", "entityType": "user", "selectField":
        {"multiSelect": true, "options": {"values": [{"value": "red", "default": true}, {"value": "blue"}]}}})
}

async fn user_with(client: &Client, name: &str, values: Value) -> String {
    let user = json!({"username": name, "customFields": values});
    client.create("/users", &user).await["id"].as_str().unwrap().to_owned()
}

async fn values(client: &Client, user: &str) -> Value {
    client.get(&format!("/users/{user}")).await.expect(200).json()["customFields"].clone()
}

#[tokio::test]
async fn fields_are_named_numbered_and_put_in_order() {
    let library = library().await;
    let client = &library.open;
    let first = client.create("/custom-fields", &text("Café visits")).await;
    assert_eq!((&first["refId"], &first["order"]), (&json!("cafeVisits"), &json!(1)));
    assert_eq!(first["textField"], json!({"fieldFormat": "TEXT"}));
    assert_eq!((&first["visible"], &first["required"]), (&json!(true), &json!(false)));
    let second = client.create("/custom-fields", &text("Café visits")).await;
    assert_eq!((&second["refId"], &second["order"]), (&json!("cafeVisits_2"), &json!(2)));
    let choice = client.create("/custom-fields", &colour()).await;
    assert_eq!(choice["selectField"]["options"]["values"][1]["id"], "opt_2");

    let list = client.get("/custom-fields").await.expect(200);
    assert_eq!(list.round_trips(), 1);
    assert_eq!(names(&list.json()), ["cafeVisits", "cafeVisits_2", "colour"]);
    let path = format!("/custom-fields/{}", first["id"].as_str().unwrap());
    assert_eq!(client.get(&path).await.expect(200).json(), first);
    client.delete(&path).await.expect(204);
    let left = client.get("/custom-fields").await.json();
    assert_eq!(names(&left), ["cafeVisits_2", "colour"]);
    assert_eq!(left["customFields"][0]["order"], 1);
    let gone = client.get(&path).await.expect(404);
    assert!(gone.text.starts_with("CustomField not found by id"), "{}", gone.text);
    client.delete(&path).await.expect(404);
}

fn names(list: &Value) -> Vec<String> {
    let fields = list["customFields"].as_array().unwrap();
    fields.iter().map(|field| field["refId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_invalid_definition_is_one_error() {
    let library = library().await;
    let client = &library.open;
    let mut long = text("n");
    long["name"] = "n".repeat(66).into();
    let refused = client.post("/custom-fields", &long).await.expect(422).json();
    assert_eq!(refused["message"], "The 'name' length cannot be more than 65");
    assert_eq!(refused["code"], "-1");
    let missing = client.post("/custom-fields", &json!({"name": "n"})).await.expect(422);
    assert_eq!(missing.error_messages(), ["must not be null", "must not be null"]);

    let field = client.create("/custom-fields", &text("Shoes")).await;
    let path = format!("/custom-fields/{}", field["id"].as_str().unwrap());
    let mut other = text("Shoes");
    other["type"] = "TEXTBOX_LONG".into();
    let refused = client.put(&path, &other).await.expect(422).json();
    assert!(refused["message"].as_str().unwrap().starts_with("The type of the custom field can not be changed"));
}

#[tokio::test]
async fn values_of_users_are_validated() {
    let library = library().await;
    let client = &library.open;
    client.create("/custom-fields", &text("Shoes")).await;
    client.create("/custom-fields", &colour()).await;
    let user = user_with(client, "ann", json!({"shoes": "boots", "colour": ["opt_1"]})).await;
    let bad = json!({"id": user, "customFields": {"shoes": 7, "colour": "opt_9", "hats": "x"}});
    for refused in
        [client.post("/users", &bad).await.expect(422), client.put(&format!("/users/{user}"), &bad).await.expect(422)]
    {
        assert_eq!(
            refused.error_messages(),
            [
                "Field with type TEXTBOX_SHORT must be a string",
                "Field colour can only have following values: [opt_1=red, opt_2=blue]",
                "Custom field with refId hats is not found",
            ]
        );
        let parameters = &refused.json()["errors"][0]["parameters"];
        assert_eq!(parameters, &json!([{"key": "shoes", "value": "7"}]));
    }
}

#[tokio::test]
async fn removed_options_and_fields_vanish_from_users() {
    let library = library().await;
    let client = &library.open;
    let shoes = client.create("/custom-fields", &text("Shoes")).await;
    let colour_field = client.create("/custom-fields", &colour()).await;
    let ann = user_with(client, "ann", json!({"shoes": "boots", "colour": "opt_2"})).await;
    let bob = user_with(client, "bob", json!({"colour": ["opt_1", "opt_2"]})).await;
    let path = format!("/custom-fields/{}", colour_field["id"].as_str().unwrap());
    let uses = client.get(&format!("{path}/stats")).await.expect(200);
    assert_eq!(uses.round_trips(), 1);
    let uses = uses.json();
    assert_eq!(uses, json!({"fieldId": colour_field["id"], "entityType": "user", "count": 2}));
    let uses = client.get(&format!("{path}/options/opt_1/stats")).await.expect(200);
    assert_eq!(uses.round_trips(), 1);
    let uses = uses.json();
    assert_eq!((&uses["count"], &uses["optionId"]), (&json!(1), &json!("opt_1")));
    let unknown = client.get(&format!("{path}/options/opt_9/stats")).await.expect(422).json();
    assert_eq!(unknown["parameters"][0]["value"], "opt_9");
    let shoes_path = format!("/custom-fields/{}", shoes["id"].as_str().unwrap());
    let no_choice = client.get(&format!("{shoes_path}/options/opt_1/stats")).await.expect(422).json();
    assert_eq!(no_choice["parameters"][0]["key"], "type");

    let mut without_blue = colour_field.clone();
    without_blue["selectField"]["options"]["values"].as_array_mut().unwrap().pop();
    client.put(&path, &without_blue).await.expect(204);
    assert_eq!(values(client, &ann).await, json!({"shoes": "boots", "colour": "opt_1"}));
    assert_eq!(values(client, &bob).await, json!({"colour": "opt_1"}));

    client.delete(&format!("/custom-fields/{}", shoes["id"].as_str().unwrap())).await.expect(204);
    assert_eq!(values(client, &ann).await, json!({"colour": "opt_1"}));
}

#[tokio::test]
async fn all_fields_are_replaced_at_once() {
    let library = library().await;
    let client = &library.open;
    let shoes = client.create("/custom-fields", &text("Shoes")).await;
    let hats = client.create("/custom-fields", &text("Hats")).await;
    let ann = user_with(client, "ann", json!({"shoes": "boots", "hats": "bowler"})).await;
    let mut new = text("Gloves");
    new["id"] = "".into();
    let put =
        client.put("/custom-fields", &json!({"customFields": [new, hats], "entityType": "user"})).await.expect(204);
    assert_eq!(put.round_trips(), 2);
    let list = client.get("/custom-fields").await.json();
    assert_eq!(names(&list), ["gloves", "hats"]);
    assert_eq!(list["customFields"][1]["metadata"]["createdDate"], hats["metadata"]["createdDate"]);
    assert_eq!(values(client, &ann).await, json!({"hats": "bowler"}));
    client.get(&format!("/custom-fields/{}", shoes["id"].as_str().unwrap())).await.expect(404);

    let mut item = text("Gloves");
    item["entityType"] = "item".into();
    let other = json!({"customFields": [text("Gloves"), item], "entityType": "user"});
    let refused = client.put("/custom-fields", &other).await.expect(422).json();
    assert_eq!(refused["message"], "Multiple entityTypes found: [user, item]");
    let none = json!({"customFields": [], "entityType": "user"});
    client.put("/custom-fields", &none).await.expect(204);
    assert_eq!(client.get("/custom-fields").await.json()["totalRecords"], 0);
    assert_eq!(values(client, &ann).await, json!({}));
}
