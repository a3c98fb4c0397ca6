//! Preferences, what follows from them, and settings of a repository for forms (contract 1.2, 2, 3.5).

use http::Method;
use serde_json::{Value, json};
use testkit::Client;

use super::{Archives, PASSWORD, anonymous, archives, resource, signed_in, uri};

/// A manager of a repository, and the number of the user.
async fn manager(archives: &Archives, repository: &str, name: &str) -> (Client, i64) {
    let groups = archives.get(&format!("{repository}/groups?group_code=repository-managers")).await;
    let group = groups[0]["uri"].as_str().expect("an address").to_owned();
    let path = format!("/users?password={}&groups[]={group}", PASSWORD.replace(' ', "+"));
    let user = uri(&archives.admin.post(&path, &json!({"username": name, "name": name})).await.expect(200));
    let number = user.rsplit('/').next().and_then(|number| number.parse().ok()).expect("a number");
    (signed_in(&archives.library, name).await, number)
}

#[tokio::test]
async fn preferences_are_layered() {
    let archives = archives().await;
    let repository = archives.repository("PRE").await;
    let (mara, number) = manager(&archives, &repository, "mara").await;
    let current = format!("{repository}/current_preferences");
    let first = mara.get(&current).await.expect(200).json();
    assert_eq!((&first["defaults"]["publish"], &first["defaults"]["locale"]), (&json!(false), &json!("en")));
    assert_eq!(first["global"]["defaults"]["resource_browse_column_1"], "title");
    assert!(first["repo"].is_null() && first["user_repo"].is_null());
    assert_eq!(first["defaults"]["note_order"], json!([]), "the staff application asks whether it is empty");

    let all = format!("{repository}/preferences");
    let own = json!({"user_id": number, "defaults": {"publish": true}});
    let saved = mara.post(&all, &own).await.expect(200).json();
    let path = saved["uri"].as_str().expect("an address").to_owned();
    assert_eq!(mara.post(&all, &own).await.status, 400, "there are such preferences");
    let of_all = json!({"defaults": {"publish": false, "note_order": ["scopecontent"]}});
    mara.post(&all, &of_all).await.expect(200);
    let now = mara.get(&current).await.expect(200).json();
    assert_eq!(now["defaults"]["publish"], true);
    assert_eq!(now["defaults"]["note_order"], json!(["scopecontent"]));
    assert_eq!((&now["defaults_repo"]["publish"], &now["user_repo"]["uri"]), (&json!(false), &json!(path)));
    assert_eq!(mara.get(&all).await.expect(200).json().as_array().map(Vec::len), Some(2));
    let listed = mara.get(&format!("{all}?user_id={number}")).await.expect(200).json();
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["uri"]), (Some(1), &json!(path)));
    let defaults = mara.get(&format!("{all}/defaults?username=mara")).await.expect(200).json();
    assert_eq!(defaults["publish"], true);
    assert_eq!(mara.get(&format!("{all}/defaults")).await.expect(200).json()["publish"], false);
    let global = mara.get("/current_global_preferences").await.expect(200).json();
    assert_eq!(global["defaults"]["publish"], false);

    let mut change = mara.get(&path).await.expect(200).json();
    change["defaults"]["publish"] = json!(false);
    mara.post(&path, &change).await.expect(200);
    assert_eq!(mara.get(&current).await.expect(200).json()["defaults"]["publish"], false);
    mara.delete(&path).await.expect(200);
    assert_eq!(mara.get(&path).await.status, 404);
    let mut global = mara.get("/current_global_preferences").await.expect(200).json()["global"].clone();
    global["defaults"]["publish"] = json!(true);
    let path = global["uri"].as_str().expect("an address").to_owned();
    assert_eq!(mara.post(&path, &global).await.status, 403);
    archives.admin.post(&path, &global).await.expect(200);
    assert_eq!(mara.get("/current_global_preferences").await.expect(200).json()["defaults"]["publish"], true);
}

#[tokio::test]
async fn only_ones_own_preferences_are_written() {
    let archives = archives().await;
    let repository = archives.repository("OWN").await;
    let (mara, number) = manager(&archives, &repository, "mara").await;
    let (noor, other) = manager(&archives, &repository, "noor").await;
    let all = format!("{repository}/preferences");
    let of_other = json!({"user_id": other, "defaults": {}});
    assert_eq!(mara.post(&all, &of_other).await.status, 403);
    let own = json!({"user_id": number, "defaults": {}});
    let path = uri(&mara.post(&all, &own).await.expect(200));
    let stored = mara.get(&path).await.expect(200).json();
    assert_eq!(noor.post(&path, &stored).await.status, 403);
    assert_eq!(noor.delete(&path).await.status, 403);
    let anyone = anonymous(&archives.library);
    assert_eq!(anyone.get(&path).await.status, 403);
    assert_eq!(anyone.post(&all, &json!({"defaults": {}})).await.status, 403);
    assert_eq!(anyone.get(&format!("{repository}/current_preferences")).await.expect(200).json(), json!({}));
}

#[tokio::test]
async fn new_records_are_published_if_that_is_preferred() {
    let archives = archives().await;
    let repository = archives.repository("PUB").await;
    let (mara, number) = manager(&archives, &repository, "mara").await;
    let all = format!("{repository}/resources");
    let mut sent = resource("1");
    sent["notes"] = json!([{"jsonmodel_type": "note_singlepart", "type": "abstract", "content": ["x"]},
        {"jsonmodel_type": "note_singlepart", "type": "abstract", "content": ["y"], "publish": false}]);
    let before = uri(&mara.post(&all, &sent).await.expect(200));
    assert_eq!(mara.get(&before).await.expect(200).json()["publish"], false);
    let own = json!({"user_id": number, "defaults": {"publish": true}});
    mara.post(&format!("{repository}/preferences"), &own).await.expect(200);
    sent["id_0"] = json!("2");
    let after = uri(&mara.post(&all, &sent).await.expect(200));
    let after = mara.get(&after).await.expect(200).json();
    let published = |record: &Value| {
        [record["publish"].clone(), record["notes"][0]["publish"].clone(), record["notes"][1]["publish"].clone()]
    };
    assert_eq!(published(&after), [json!(true), json!(true), json!(false)]);
    // Others prefer what they preferred before.
    sent["id_0"] = json!("3");
    let others = archives.add(&all, &sent).await;
    assert_eq!(archives.get(&others).await["publish"], false);
}

#[tokio::test]
async fn managers_see_suppressed_records_if_they_prefer_to() {
    let archives = archives().await;
    let repository = archives.repository("SUP").await;
    let (mara, number) = manager(&archives, &repository, "mara").await;
    let path = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    mara.send(Method::POST, &format!("{path}/suppressed?suppressed=true"), None).await.expect(200);
    assert_eq!(mara.get(&path).await.status, 404);
    let own = json!({"user_id": number, "defaults": {"show_suppressed": true}});
    mara.post(&format!("{repository}/preferences"), &own).await.expect(200);
    assert_eq!(mara.get(&path).await.expect(200).json()["suppressed"], true);
}

#[tokio::test]
async fn a_repository_has_settings_for_forms() {
    let archives = archives().await;
    let repository = archives.repository("SET").await;
    let path = format!("{repository}/default_values/resource");
    let missing = archives.admin.get(&path).await.expect(404).json();
    assert_eq!(missing, json!({"error": "DefaultValues not found"}));
    let sent = json!({"record_type": "resource", "defaults": {"title": "Papers of "}});
    let saved = archives.admin.post(&path, &sent).await.expect(200).json();
    assert_eq!((&saved["status"], &saved["lock_version"]), (&json!("Updated"), &json!(0)));
    let mut stored = archives.get(&path).await;
    assert_eq!((&stored["defaults"]["title"], &stored["uri"]), (&json!("Papers of "), &json!(path)));
    stored["defaults"]["title"] = json!("Letters of ");
    archives.admin.post(&path, &stored).await.expect(200);
    assert_eq!(archives.admin.post(&path, &stored).await.status, 409);
    assert_eq!(archives.get(&path).await["defaults"]["title"], "Letters of ");
    let agents = format!("{repository}/required_fields/agent_person");
    let sent = json!({"record_type": "agent_person",
        "subrecord_requirements": [{"property": "names", "record_type": "name_person", "required_fields": ["dates"]}]});
    archives.admin.post(&agents, &sent).await.expect(200);
    assert_eq!(archives.get(&agents).await["subrecord_requirements"][0]["property"], "names");
    let wrong = json!({"record_type": "resource"});
    let refused = archives.admin.post(&format!("{repository}/required_fields/resource"), &wrong).await.expect(400);
    assert_eq!(refused.json(), json!({"error": "You can only customize required fields for agents"}));
    let anyone = anonymous(&archives.library);
    assert_eq!((anyone.get(&path).await.status, anyone.post(&path, &stored).await.status), (403, 403));
}
