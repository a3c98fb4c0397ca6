//! The tenants of a consortium where users are known (docs/folio/users.md#user-tenants).

use serde_json::{Value, json};
use testkit::{Client, library};
use uuid::Uuid;

const NOT_THE_ONLY_ONE: &str = "User-tenant table in member ECS tenant should contain 1 record";

/// The user names found with these parameters.
async fn found(client: &Client, parameters: &str) -> Vec<Value> {
    let path = format!("/user-tenants?{parameters}");
    let answer = client.get(&path).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let body = answer.json();
    let list = body["userTenants"].as_array().expect("a list");
    assert_eq!(body["totalRecords"], list.len());
    list.iter().map(|one| one["username"].clone()).collect()
}

/// Three readers: two at the tenant `north`, one at `south`.
async fn fill(client: &Client) -> Uuid {
    let id = Uuid::new_v4();
    for sent in [
        json!({"id": id, "userId": id, "username": "Reader_A", "tenantId": "north", "barcode": "1*"}),
        json!({"userId": Uuid::new_v4(), "username": "reader_b", "tenantId": "north", "email": "b@library.example"}),
        json!({"userId": Uuid::new_v4(), "username": "reader_a", "tenantId": "south", "externalSystemId": "x",
            "phoneNumber": "12", "mobilePhoneNumber": "34", "centralTenantId": "mid", "consortiumId": id}),
    ] {
        let created = client.post("/user-tenants", &sent).await.expect(201);
        assert_eq!(created.text, "");
    }
    id
}

#[tokio::test]
async fn outside_a_consortium_there_are_no_user_tenants() {
    let library = library().await;
    let none = library.open.get("/user-tenants?userId=x&limit=1").await;
    assert_eq!(none.expect(200).json(), json!({"userTenants": [], "totalRecords": 0}));
    let refused = library.open.delete("/user-tenants").await.expect(400);
    assert_eq!(refused.text, NOT_THE_ONLY_ONE);
}

#[tokio::test]
async fn user_tenants_are_found_by_each_parameter() {
    let library = library().await;
    let client = &library.open;
    let id = fill(client).await;
    let of_user = format!("userId={id}");
    for (parameters, names) in [
        ("", json!(["Reader_A", "reader_b", "reader_a"])),
        ("username=READER_A", json!(["Reader_A", "reader_a"])),
        ("username=reader_a&tenantId=south", json!(["reader_a"])),
        ("username=reader_b&tenantId=south", json!([])),
        ("username=reader_b&tenantId=south&queryOp=or", json!(["reader_b", "reader_a"])),
        ("tenantId=NORTH", json!([])),
        (of_user.as_str(), json!(["Reader_A"])),
        ("barcode=1*", json!(["Reader_A"])),
        ("barcode=*", json!([])),
        ("email=b%40library.example", json!(["reader_b"])),
        ("externalSystemId=x", json!(["reader_a"])),
        ("phoneNumber=12", json!(["reader_a"])),
        ("mobilePhoneNumber=34", json!(["reader_a"])),
        ("mobilePhoneNumber=12", json!([])),
    ] {
        assert_eq!(Value::from(found(client, parameters).await), names, "{parameters}");
    }
    let one = client.get("/user-tenants?externalSystemId=x").await.json();
    assert_eq!(one["userTenants"][0]["centralTenantId"], "mid");
    assert_eq!(one["userTenants"][0]["consortiumId"], json!(id));
}

#[tokio::test]
async fn a_user_tenant_needs_a_user_a_tenant_and_a_unique_id() {
    let library = library().await;
    let client = &library.open;
    let id = fill(client).await;
    let missing = client.post("/user-tenants", &json!({})).await.expect(422);
    let keys: Vec<_> = missing.json()["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| error["parameters"][0]["key"].clone())
        .collect();
    assert_eq!(keys, ["userId", "tenantId"]);
    let again = json!({"id": id, "userId": id, "tenantId": "west"});
    let again = client.post("/user-tenants", &again).await.expect(422);
    assert_eq!(again.error_messages(), [format!("id value already exists in table user_tenant: {id}")]);
}

#[tokio::test]
async fn a_tenant_leaves_the_consortium() {
    let library = library().await;
    let client = &library.open;
    fill(client).await;
    let refused = client.delete("/user-tenants").await.expect(400);
    assert_eq!(refused.text, NOT_THE_ONLY_ONE);
    client.delete("/user-tenants?tenantId=north").await.expect(204);
    assert_eq!(found(client, "").await, ["reader_a"]);
    client.delete("/user-tenants?tenantId=north").await.expect(204);
    client.delete("/user-tenants").await.expect(204);
    assert!(found(client, "").await.is_empty());
}
