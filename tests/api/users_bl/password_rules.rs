//! Password rules, which clients can change.

use serde_json::{Value, json};
use testkit::library;

use super::*;

#[tokio::test]
async fn clients_can_change_the_password_rules() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let validate = |password: &str| {
        let (client, sent) = (library.open.clone(), json!({"userId": clerk.id, "password": password}));
        async move { client.post("/password/validate", &sent).await.expect(200).json() }
    };
    assert_eq!(validate("Another+one2").await, json!({"result": "valid", "messages": []}));
    assert_eq!(validate("x").await, json!({"result": "invalid", "messages": ["password.length.invalid"]}));
    assert_eq!(validate("Clerk+cl3rk").await["result"], "valid");
    assert_eq!(validate("A+9clerkxx").await["messages"], json!(["password.usernameDuplicate.invalid"]));
    let unknown = json!({"userId": Uuid::new_v4(), "password": "x"});
    library.open.post("/password/validate", &unknown).await.expect(404);
    let check = json!({"username": "new", "password": "x"});
    let checked = library.open.post("/password/check", &check).await.expect(200).json();
    assert!(checked["messages"].as_array().unwrap().len() > 3);

    let rules = library.open.get("/tenant/rules?limit=100").await.expect(200).json();
    assert_eq!(rules["totalRecords"], 10);
    let length = rules["rules"].as_array().unwrap().iter().find(|rule| rule["name"] == "password_length").unwrap();
    let mut length = length.clone();
    let path = format!("/tenant/rules/{}", length["id"].as_str().unwrap());
    length["state"] = "Disabled".into();
    library.open.put("/tenant/rules", &length).await.expect(200);
    assert_eq!(library.open.get(&path).await.expect(200).json()["state"], "Disabled");
    assert_eq!(validate("Ab+1").await["result"], "valid");
    let made = library.open.post("/tenant/rules", &no_x()).await;
    made.expect(200);
    assert_eq!(validate("Ab+1x").await["messages"], json!(["no.x"]));
}

fn no_x() -> Value {
    json!({"name": "no_x", "type": "RegExp", "validationType": "Strong", "state": "Enabled", "moduleName": "m",
        "orderNo": 0, "expression": "[^x]*", "errMessageId": "no.x"})
}

/// Clients identify a rule that they created by its `id`.
#[tokio::test]
async fn password_rules_are_identified_by_id() {
    let library = library().await;
    let client = &library.open;
    let path = "/tenant/rules";
    let rules = client.get("/tenant/rules?limit=100").await.expect(200);
    let rules = rules.json();
    let repeated = rules["rules"].as_array().unwrap().iter();
    let repeated = repeated.clone().find(|rule| rule["name"] == "no_repeatable_password");
    assert_eq!(repeated.unwrap()["id"], "0ff6678f-53cd-4a32-9937-504c28f14077");

    let made = client.post(path, &no_x()).await.expect(200);
    assert_eq!(made.header("location"), None);
    let made = made.json();
    assert!(made["id"].is_string() && made.get("ruleId").is_none());
    let one = format!("{path}/{}", made["id"].as_str().unwrap());
    assert_eq!(client.get(&one).await.expect(200).json(), made);

    // POST keeps the name as it is, PUT does not.
    let mut changed = no_x();
    changed["id"] = made["id"].clone();
    changed["name"] = "other".into();
    changed["orderNo"] = 7.into();
    let posted = client.post(path, &changed).await.expect(200).json();
    assert_eq!((&posted["name"], &posted["orderNo"]), (&json!("no_x"), &json!(7)));
    assert_eq!(posted["id"], made["id"]);
    let put = client.put(path, &changed).await.expect(200).json();
    assert_eq!(put["name"], "other");
    assert_eq!(client.get(&one).await.json(), put);

    // Clients of earlier releases use `ruleId` in a PUT; a POST creates another rule.
    let mut older = no_x();
    older["ruleId"] = made["id"].clone();
    let put = client.put(path, &older).await.expect(200).json();
    assert_eq!((&put["id"], &put["name"]), (&made["id"], &json!("no_x")));
    assert!(put.get("ruleId").is_none());
    older["name"] = "another".into();
    let another = client.post(path, &older).await.expect(200).json();
    assert_ne!(another["id"], made["id"]);

    let page = client.get("/tenant/rules?limit=2").await.expect(200).json();
    assert_eq!(page["totalRecords"], 2);
    assert_eq!(page["rules"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn invalid_password_rules_are_refused_with_one_error() {
    let library = library().await;
    let client = &library.open;
    let path = "/tenant/rules";
    client.post(path, &no_x()).await.expect(200);
    let again = client.post(path, &no_x()).await.expect(422).json();
    let expected = json!({"message": "Key (name)=(no_x) already exists.", "type": "-2",
        "parameters": [{"key": "name", "value": "no_x"}]});
    assert_eq!(again, expected);
    let mut unknown = no_x();
    unknown["id"] = json!(Uuid::new_v4());
    for answer in [client.post(path, &unknown).await, client.put(path, &unknown).await] {
        assert_eq!(answer.expect(404).json()["message"], "Rule not found");
    }
    let query = client.query(path, "invalid").await.expect(422).json();
    assert!(query["message"].is_string(), "{query}");
    let bare = json!({"name": "y", "type": "RegExp", "validationType": "Soft", "state": "Enabled", "orderNo": 1});
    let missing = client.post(path, &bare).await.expect(422);
    assert_eq!(missing.error_messages(), ["moduleName must not be null", "errMessageId must not be null"]);
}
