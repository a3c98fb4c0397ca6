//! mod-audit's settings: FOLIO's inventory pages ask for them before they show an instance.

use serde_json::{Value, json};
use testkit::{Library, library};

const GROUPS: &str = "/audit/config/groups";
const SETTING: &str = "/audit/config/groups/audit.inventory/settings/records.page.size";

fn setting(changes: &Value) -> Value {
    let mut setting = json!({"key": "records.page.size", "groupId": "audit.inventory", "type": "INTEGER", "value": 25,
        "description": "Number of records to display per page"});
    for (name, value) in changes.as_object().expect("members") {
        setting[name] = value.clone();
    }
    setting
}

async fn settings(library: &Library) -> Vec<Value> {
    let path = format!("{GROUPS}/audit.inventory/settings");
    let found = library.open.get(&path).await.expect(200);
    assert_eq!(found.round_trips(), 1);
    let found = found.json();
    assert_eq!(found["totalRecords"], 3);
    found["settings"].as_array().expect("a list").clone()
}

#[tokio::test]
async fn the_inventory_pages_find_the_audit_settings() {
    let library = library().await;
    let groups = library.open.get(GROUPS).await.expect(200).json();
    assert_eq!(groups["totalRecords"], 2);
    assert_eq!(groups["settingGroups"][0]["id"], "audit.inventory");

    // Else the pages offer a record's version history, which is not served.
    let authority = library.open.get(&format!("{GROUPS}/audit.authority/settings")).await.expect(200).json();
    assert_eq!(
        (&authority["settings"][0]["key"], &authority["settings"][0]["value"]),
        (&json!("enabled"), &json!(false))
    );
    let before = settings(&library).await;
    let shown: Vec<_> = before.iter().map(|one| (one["key"].as_str().unwrap(), one["value"].clone())).collect();
    let expected =
        [("enabled", json!(false)), ("records.page.size", json!(10)), ("records.retention.period", json!(-1))];
    assert_eq!(shown, expected);
    assert!(before[0].get("id").is_none());

    let changed = library.open.put(SETTING, &setting(&json!({}))).await;
    changed.expect(204);
    let after = settings(&library).await;
    assert_eq!(after[1]["value"], 25);
    assert_eq!(after[0]["value"], false);
    let unknown = format!("{GROUPS}/audit.nothing/settings");
    let refused = library.open.get(&unknown).await.expect(404).json();
    assert_eq!(refused["errors"][0]["message"], "Setting group with id 'audit.nothing' not found");
}

#[tokio::test]
async fn an_invalid_audit_setting_is_refused() {
    let library = library().await;
    for (changes, message) in [
        (json!({"key": "enabled"}), "Setting group id or key does not match the path parameters"),
        (json!({"groupId": "audit.authority"}), "Setting group id or key does not match the path parameters"),
        (json!({"value": "25"}), "Setting value should be an integer"),
        (json!({"type": "BOOLEAN"}), "Setting value should be a boolean"),
        (json!({"type": "STRING"}), "Setting value should be a string"),
    ] {
        let refused = library.open.put(SETTING, &setting(&changes)).await;
        let refused = refused.expect(422).json();
        assert_eq!(refused["errors"][0]["message"], message, "{changes}");
        assert_eq!(refused["errors"][0]["code"], "validation");
    }
    let mut valueless = setting(&json!({}));
    valueless["value"] = Value::Null;
    library.open.put(SETTING, &valueless).await.expect(422);
    let other = setting(&json!({"key": "no.such"}));
    let path = format!("{GROUPS}/audit.inventory/settings/no.such");
    let refused = library.open.put(&path, &other).await.expect(404).json();
    assert_eq!(refused["errors"][0]["message"], "Setting with key 'no.such' in group 'audit.inventory' not found");
}

/// Besides the route's permission, each group and each setting has its own.
#[tokio::test]
async fn an_audit_setting_needs_a_permission_of_its_own() {
    let library = library().await;
    let reading = "audit.config.groups.settings.audit.inventory.collection.get";
    let writing = "audit.config.groups.settings.audit.inventory.records.page.size.item.put";
    let with = |permissions: &[&str]| {
        let stated = json!(permissions).to_string();
        library.open.with_header("x-okapi-permissions", &stated)
    };
    let path = format!("{GROUPS}/audit.inventory/settings");
    with(&[reading]).get(&path).await.expect(200);
    let refused = with(&[writing]).get(&path).await.expect(403).json();
    assert_eq!(refused["errors"][0]["message"], format!("Permission '{reading}' required to perform this operation"));
    let new = setting(&json!({}));
    with(&[writing]).put(SETTING, &new).await.expect(204);
    with(&[reading]).put(SETTING, &new).await.expect(403);
}
