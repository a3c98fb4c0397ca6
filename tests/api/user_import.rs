//! The import of users (docs/folio/user-import.md).

use serde_json::{Value, json};
use testkit::{Client, library};

async fn names(client: &Client) {
    client.create("/groups", &json!({"group": "students"})).await;
    client.create("/addresstypes", &json!({"addressType": "Dorm"})).await;
    client.create("/departments", &json!({"name": "History", "code": "H"})).await;
}

fn user(name: &str) -> Value {
    json!({"username": name, "externalSystemId": name, "active": true, "patronGroup": "students",
        "departments": ["History"], "personal": {"lastName": name, "preferredContactTypeId": "email",
        "addresses": [{"addressTypeId": "Dorm", "city": "Town"}, {"addressTypeId": "Moon"}]}})
}

fn import(users: Vec<Value>) -> Value {
    json!({"totalRecords": users.len(), "users": users})
}

async fn run(client: &Client, request: &Value) -> Value {
    client.post("/user-import", request).await.expect(200).json()
}

async fn find(client: &Client, external: &str) -> Value {
    let found = client.query("/users", &format!("externalSystemId=={external}")).await.json();
    found["users"][0].clone()
}

#[tokio::test]
async fn an_import_adds_and_changes_users() {
    let library = library().await;
    let client = &library.open;
    names(client).await;
    let none = run(client, &import(vec![])).await;
    assert_eq!(none, json!({"message": "No users to import.", "totalRecords": 0}));
    let answer = client.post("/user-import", &import(vec![user("ann"), user("bob")])).await.expect(200);
    assert_eq!(answer.round_trips(), 2);
    assert_eq!(
        answer.json(),
        json!({"message": "Users were imported successfully.", "createdRecords": 2, "updatedRecords": 0,
            "failedRecords": 0, "failedUsers": [], "totalRecords": 2})
    );
    let ann = find(client, "ann").await;
    let group = client.query("/groups", "group==students").await.json();
    assert_eq!(ann["patronGroup"], group["usergroups"][0]["id"]);
    assert_eq!(ann["personal"]["preferredContactTypeId"], "002");
    assert_eq!(ann["personal"]["addresses"].as_array().unwrap().len(), 1);
    assert_eq!(ann["departments"].as_array().unwrap().len(), 1);
    let perms = client.query("/perms/users", &format!("userId=={}", ann["id"].as_str().unwrap())).await;
    assert_eq!(perms.expect(200).json()["permissionUsers"][0]["permissions"], json!([]));

    let mut changed = user("ann");
    changed["barcode"] = "7".into();
    changed.as_object_mut().unwrap().remove("departments");
    let mut request = import(vec![changed.clone()]);
    request["updateOnlyPresentFields"] = true.into();
    assert_eq!(run(client, &request).await["updatedRecords"], 1);
    let after = find(client, "ann").await;
    assert_eq!((&after["id"], &after["barcode"]), (&ann["id"], &json!("7")));
    assert_eq!(after["departments"], ann["departments"]);
    assert_eq!(after["metadata"]["createdDate"], ann["metadata"]["createdDate"]);
    changed.as_object_mut().unwrap().remove("barcode");
    run(client, &import(vec![changed])).await;
    let replaced = find(client, "ann").await;
    assert_eq!((replaced.get("barcode"), &replaced["departments"]), (None, &json!([])));
}

#[tokio::test]
async fn failed_users_do_not_stop_the_others() {
    let library = library().await;
    let client = &library.open;
    names(client).await;
    client.create("/users", &json!({"username": "taken", "barcode": "b"})).await;
    let with = |name: &str, member: &str, value: Value| {
        let mut user = user(name);
        user[member] = value;
        user
    };
    let request = import(vec![
        user("ann"),
        with("g", "patronGroup", json!("ghosts")),
        with("d", "departments", json!(["Alchemy"])),
        with("u", "username", json!("Taken")),
        with("b", "barcode", json!("b")),
        with("c", "customFields", json!({"hats": "x"})),
        with("p", "personal", json!({"firstName": "p"})),
        with("x", "unknown", json!(1)),
        json!({"username": "no id"}),
        user("bob"),
    ]);
    let report = run(client, &request).await;
    assert_eq!((&report["createdRecords"], &report["failedRecords"]), (&json!(2), &json!(8)));
    let failed = report["failedUsers"].as_array().unwrap();
    let reported: Vec<_> = failed.iter().map(|one| one["errorMessage"].as_str().unwrap()).collect();
    assert_eq!(
        reported,
        [
            "Patron group does not exist in the system: [ghosts]",
            "Departments do not exist in the system: [Alchemy]",
            "Failed to create new user with externalSystemId: u Error message: User with this username already exists",
            "Failed to create new user with externalSystemId: b Error message: This barcode has already been taken",
            "Custom fields do not exist in the system: [hats].",
            "must not be null (personal.lastName)",
            "Unrecognized field \"unknown\" (unknown)",
            "externalSystemId must not be null",
        ]
    );
    assert_eq!(failed[0]["externalSystemId"], "g");
}

#[tokio::test]
async fn missing_users_of_a_source_are_deactivated() {
    let library = library().await;
    let client = &library.open;
    names(client).await;
    client.create("/users", &json!({"username": "other", "externalSystemId": "other", "active": true})).await;
    let mut request = import(vec![user("ann"), user("bob")]);
    request["sourceType"] = "sis".into();
    run(client, &request).await;
    let mut request = import(vec![user("ann")]);
    request["sourceType"] = "sis".into();
    request["deactivateMissingUsers"] = true.into();
    let report = run(client, &request).await;
    assert_eq!((&report["message"], &report["updatedRecords"]), (&json!("Deactivated missing users."), &json!(1)));
    for (external, active) in [("sis_ann", true), ("sis_bob", false), ("other", true)] {
        assert_eq!(find(client, external).await["active"], active, "{external}");
    }
    let mut failing = user("ann");
    failing["patronGroup"] = "ghosts".into();
    request["users"] = json!([failing]);
    let report = run(client, &request).await;
    assert_eq!(
        report["message"],
        "Users were imported successfully. Users were not deactivated because of import failures."
    );
    assert_eq!(find(client, "sis_ann").await["active"], true);
}

#[tokio::test]
async fn an_import_brings_departments_options_and_preferences() {
    let library = library().await;
    let client = &library.open;
    names(client).await;
    let colour = json!({"name": "Colour", "type": "RADIO_BUTTON", "entityType": "user",
        "selectField": {"multiSelect": false, "options": {"values": [{"value": "red"}]}}});
    client.create("/custom-fields", &colour).await;
    let mut ann = user("ann");
    ann["departments"] = json!(["Alchemy"]);
    ann["customFields"] = json!({"colour": "blue"});
    ann["requestPreference"] = json!({"holdShelf": true, "delivery": true, "fulfillment": "Delivery",
        "defaultDeliveryAddressTypeId": "Dorm"});
    let mut request = import(vec![ann]);
    request["included"] = json!({"departments": [{"name": "Alchemy"}],
        "customFields": [{"refId": "colour", "selectField": {"options": {"values": [{"value": "blue"}]}}}]});
    let answer = client.post("/user-import", &request).await.expect(200);
    assert_eq!((answer.json()["createdRecords"].clone(), answer.round_trips()), (json!(1), 4));
    let ann = find(client, "ann").await;
    assert_eq!(ann["customFields"], json!({"colour": "opt_2"}));
    let departments = client.query("/departments", "name==Alchemy").await.json();
    assert_eq!(departments["departments"][0]["code"], "ALCHEMY");
    let of_ann = format!("userId=={}", ann["id"].as_str().unwrap());
    let path = "/request-preference-storage/request-preference";
    let preferences = client.query(path, &of_ann).await.expect(200).json();
    let preference = &preferences["requestPreferences"][0];
    assert_eq!((&preference["delivery"], preference["defaultDeliveryAddressTypeId"].is_string()), (&json!(true), true));
    run(client, &import(vec![user("ann")])).await;
    assert_eq!(client.query(path, &of_ann).await.json()["totalRecords"], 0);

    request["included"]["customFields"][0]["refId"] = "hats".into();
    let refused = client.post("/user-import", &request).await.expect(422).json();
    assert_eq!(refused["message"], "Failed to import users.");
    assert_eq!(refused["error"], "Custom fields do not exist in the system: [hats].");
}
