//! Configuration entries, settings entries, locale and their neighbours (docs/folio/configuration-and-settings.md).

use serde_json::{Value, json};
use testkit::{Client, library};
use uuid::Uuid;

fn entry(scope: &str, key: &str, user: Option<Uuid>) -> Value {
    let mut entry = json!({"id": Uuid::new_v4(), "scope": scope, "key": key, "value": {"any": [1]}});
    if let Some(user) = user {
        entry["userId"] = user.to_string().into();
    }
    entry
}

fn with(client: &Client, permissions: &[&str], user: Option<Uuid>) -> Client {
    let client = client.with_header("x-okapi-permissions", &json!(permissions).to_string());
    match user {
        Some(user) => client.with_header("x-okapi-user-id", &user.to_string()),
        None => client,
    }
}

#[tokio::test]
async fn configuration_entries_are_unique() {
    let library = library().await;
    let client = &library.open;
    let path = "/configurations/entries";
    let sent = json!({"module": "ORG", "configName": "bindings", "value": "{\"a\":1}"});
    let answer = client.post(path, &sent).await.expect(201);
    let first = answer.json();
    let one = format!("{path}/{}", first["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(one.as_str()));
    assert_eq!(first["enabled"], true);
    let message = "Cannot have more than one tenant or user record with the same module, config name and code";
    let again = client.post(path, &json!({"module": "org", "configName": "Bindings"})).await;
    assert_eq!(again.expect(422).error_messages(), [message]);
    for other in [
        json!({"module": "ORG", "configName": "bindings", "code": "c"}),
        json!({"module": "ORG", "configName": "bindings", "userId": "u"}),
        json!({"module": "ORG", "configName": "bindings", "enabled": false}),
        json!({"module": "ORG", "configName": "bindings", "enabled": false}),
    ] {
        client.create(path, &other).await;
    }
    let found = client.query(path, "module==ORG and configName==bindings").await.expect(200);
    assert_eq!((found.json()["resultInfo"]["totalRecords"].clone(), found.round_trips()), (json!(5), 1));
    client.put(&one, &sent).await.expect(204);
    let clash = json!({"module": "ORG", "configName": "bindings", "code": "c"});
    let refused = client.put(&one, &clash).await.expect(422);
    assert_eq!(refused.error_messages(), [message]);
    let named = refused.json()["errors"][0]["parameters"].clone();
    assert_eq!(named[0], json!({"key": "module", "value": "ORG"}));
    assert_eq!(named[2], json!({"key": "code", "value": "c"}));
    client.delete(&one).await.expect(204);
    client.get(&one).await.expect(404);
    let audits = client.get("/configurations/audit?limit=100").await.expect(200).json();
    let operations: String =
        audits["audits"].as_array().unwrap().iter().map(|one| one["operation"].as_str().unwrap()).collect();
    assert_eq!(operations, "IIIIIUD");
    assert_eq!(audits["audits"][6]["config_data"]["configName"], "bindings");
}

#[tokio::test]
async fn settings_entries_are_visible_by_scope() {
    let library = library().await;
    let me = Uuid::new_v4();
    let writer = with(
        &library.open,
        &["mod-settings.global.write.ui", "mod-settings.users.write.ui", "mod-settings.global.write.other"],
        None,
    );
    for sent in [
        entry("ui", "a", None),
        entry("ui", "a", Some(me)),
        entry("ui", "a", Some(Uuid::new_v4())),
        entry("other", "b", None),
    ] {
        assert_eq!(writer.post("/settings/entries", &sent).await.expect(204).text, "");
    }
    assert_eq!(library.open.get("/settings/entries").await.expect(403).text, "Forbidden");
    for (permissions, user, expected) in [
        (vec!["mod-settings.global.read.ui"], None, 1),
        (vec!["mod-settings.users.read.ui"], None, 2),
        (vec!["mod-settings.global.read.ui", "mod-settings.users.read.ui"], None, 3),
        (vec!["mod-settings.owner.read.ui"], Some(me), 1),
        (vec!["mod-settings.global.read.ui", "mod-settings.owner.read.ui"], Some(me), 2),
        (vec!["mod-settings.global.read.ui", "mod-settings.global.read.other"], None, 2),
    ] {
        let reader = with(&library.open, &permissions, user);
        let list = reader.get("/settings/entries").await.expect(200);
        assert_eq!(list.json()["resultInfo"]["totalRecords"], expected, "{permissions:?}");
        assert_eq!(list.json()["items"].as_array().unwrap().len(), expected, "{permissions:?}");
        assert_eq!(list.round_trips(), 1);
    }
    let reader = with(&library.open, &["mod-settings.global.read.ui"], None);
    let found = reader.query("/settings/entries", "scope==other or key==a").await.expect(200);
    assert_eq!(found.json()["resultInfo"], json!({"totalRecords": 1, "diagnostics": []}));
    assert!(found.json()["items"][0].get("metadata").is_none());
}

#[tokio::test]
async fn settings_entries_have_permissions_of_their_own() {
    let library = library().await;
    let client = with(&library.open, &["mod-settings.global.read.ui", "mod-settings.global.write.ui"], None);
    let sent = entry("ui", "a", None);
    let path = format!("/settings/entries/{}", sent["id"].as_str().unwrap());
    client.post("/settings/entries", &sent).await.expect(204);
    assert_eq!(client.post("/settings/entries", &entry("ui", "a", None)).await.expect(403).text, "Forbidden");
    client.post("/settings/entries", &entry("other", "a", None)).await.expect(403);
    client.post("/settings/entries", &json!({"scope": "ui", "key": "x", "value": 1})).await.expect(400);
    assert_eq!(client.get(&path).await.expect(200).json(), sent);
    assert_eq!(library.open.get(&path).await.expect(404).text, "Not Found");
    let mut changed = sent.clone();
    changed["value"] = json!(false);
    client.put(&path, &changed).await.expect(204);
    assert_eq!(client.get(&path).await.json()["value"], false);
    assert_eq!(client.put(&path, &entry("ui", "a", None)).await.expect(400).text, "id mismatch");
    library.open.put(&path, &changed).await.expect(403);
    library.open.delete(&path).await.expect(404);
    client.delete(&path).await.expect(204);
    client.delete(&path).await.expect(404);
    let mut upload = vec![entry("ui", "a", None), entry("ui", "b", None)];
    for one in &mut upload {
        one.as_object_mut().unwrap().remove("id");
    }
    let both = client.put("/settings/upload", &json!(upload)).await.expect(200);
    assert_eq!((both.json(), both.round_trips()), (json!({"inserted": 2, "updated": 0}), 1));
    upload[0]["value"] = json!("new");
    upload[1]["key"] = json!("c");
    let again = client.put("/settings/upload", &json!(upload)).await.expect(200).json();
    assert_eq!(again, json!({"inserted": 1, "updated": 1}));
}

/// Both the old and the new scope of an entry count.
#[tokio::test]
async fn moving_an_entry_needs_permission_for_both_scopes() {
    let library = library().await;
    let me = Uuid::new_v4();
    let everybody = ["global", "users"].map(|kind| format!("mod-settings.{kind}.write.secret"));
    let everybody: Vec<_> = everybody.iter().map(String::as_str).collect();
    let keeper = with(&library.open, &everybody, None);
    let mine = with(
        &library.open,
        &[
            "mod-settings.global.read.mine",
            "mod-settings.global.write.mine",
            "mod-settings.owner.read.secret",
            "mod-settings.owner.write.secret",
        ],
        Some(me),
    );
    for owner in [None, Some(Uuid::new_v4())] {
        let kept = entry("secret", "a", owner);
        let path = format!("/settings/entries/{}", kept["id"].as_str().unwrap());
        keeper.post("/settings/entries", &kept).await.expect(204);
        let mut moved = kept.clone();
        moved["scope"] = "mine".into();
        moved.as_object_mut().unwrap().remove("userId");
        assert_eq!(mine.put(&path, &moved).await.expect(404).text, "Not Found");
        moved["scope"] = "secret".into();
        moved["userId"] = json!(me);
        mine.put(&path, &moved).await.expect(404);
        mine.get(&path).await.expect(404);
        keeper.delete(&path).await.expect(204);
    }
    let unknown = entry("mine", "a", None);
    let path = format!("/settings/entries/{}", unknown["id"].as_str().unwrap());
    mine.put(&path, &unknown).await.expect(404);
}

#[tokio::test]
async fn the_locale_comes_from_the_setting_that_has_it() {
    let library = library().await;
    let client = &library.open;
    let default = json!({"locale": "en-US", "currency": "USD", "timezone": "UTC", "numberingSystem": "latn"});
    let first = client.get("/locale").await.expect(200);
    assert_eq!((first.json(), first.round_trips()), (default, 1));
    let legacy = |value: &str| json!({"module": "ORG", "configName": "localeSettings", "value": value});
    let broken = client.create("/configurations/entries", &legacy("{broken")).await;
    assert_eq!(client.get("/locale").await.json()["timezone"], "UTC");
    let path = format!("/configurations/entries/{}", broken["id"].as_str().unwrap());
    client.put(&path, &legacy("{\"timezone\":\"Europe/Berlin\"}")).await.expect(204);
    let locale = client.get("/locale").await.json();
    assert_eq!((&locale["timezone"], &locale["currency"]), (&json!("Europe/Berlin"), &json!("USD")));
    let own = json!({"locale": "sv", "currency": "SEK", "timezone": "Europe/Stockholm"});
    client.put("/locale", &own).await.expect(204);
    assert_eq!(client.get("/locale").await.json(), own);
    for (sent, text) in [
        (json!({"currency": "SEK", "timezone": "UTC"}), "locale missing"),
        (json!({"locale": "sv", "currency": "SEK"}), "timezone missing"),
        (json!({"locale": "sv", "timezone": "UTC", "currency": " "}), "currency missing"),
        (
            json!({"locale": "sv", "timezone": "UTC", "currency": "SEK", "numberingSystem": "x"}),
            "numberingSystem must be latn or arab, or not defined",
        ),
    ] {
        assert_eq!(client.put("/locale", &sent).await.expect(400).text, text);
    }
    assert_eq!(client.get("/base-url").await.json(), json!({"baseUrl": "http://localhost:3000"}));
    client.put("/base-url", &json!({"baseUrl": "https://library.example"})).await.expect(204);
    assert_eq!(client.get("/base-url").await.json(), json!({"baseUrl": "https://library.example"}));
    client.put("/base-url", &json!({"baseUrl": "https://library.example/"})).await.expect(400);
}

#[tokio::test]
async fn addresses_and_templates_are_kept() {
    let library = library().await;
    let client = &library.open;
    client.create("/tenant-addresses", &json!({"name": "Main", "address": "Street 1"})).await;
    assert_eq!(client.get("/tenant-addresses").await.json()["addresses"][0]["name"], "Main");
    assert_eq!(client.post("/tenant-addresses", &json!({"name": " "})).await.expect(400).text, "name missing");
    client.post("/tenant-addresses", &json!({"name": "Main"})).await.expect(422);
    let template = json!({"templateResolver": "mustache", "outputFormats": ["text/html"],
        "localizedTemplates": {"en": {"header": "h", "body": "b"}}, "category": "Loan"});
    client.create("/templates", &template).await;
    let found = client.query("/templates", "category==loan").await.expect(200).json();
    assert_eq!(found["templates"][0]["localizedTemplates"]["en"]["body"], "b");
}
