//! `/_/proxy/modules`, and the modules and interfaces of a tenant.

use super::*;

#[tokio::test]
async fn modules_are_looked_up_by_product() {
    let library = library().await;
    let modules = "/_/proxy/tenants/test/modules";
    for (product, id) in [
        ("mod-circulation", "mod-circulation-24.4.18"),
        ("mod-circulation-storage", "mod-circulation-storage-17.4.3"),
        ("okapi", "okapi-6.2.6"),
        ("mod-data-export", "mod-data-export-5.3.0"),
    ] {
        let found = library.open.get(&format!("{modules}?filter={product}&full=false")).await;
        assert_eq!(ids(&found.expect(200).json()), [id]);
        let known = library.open.get(&format!("/_/proxy/modules?filter={product}")).await;
        assert_eq!(ids(&known.expect(200).json()), [id]);
    }
    let all = library.open.get(modules).await.expect(200).json();
    let mut sorted = ids(&all);
    sorted.sort();
    assert!(sorted.len() > 40);
    let full = library.open.get(&format!("{modules}?filter=mod-users&full=true")).await.expect(200).json();
    assert_eq!(full[0]["provides"][0]["id"], "users");
    library.open.get("/_/proxy/tenants/nobody/modules").await.expect(404);
}

#[tokio::test]
async fn single_modules_are_added_and_removed() {
    let library = library().await;
    library.open.create("/_/proxy/tenants", &json!({"id": "lib1", "name": "x"})).await;
    let modules = "/_/proxy/tenants/lib1/modules";
    let tags = format!("{modules}/mod-tags-2.4.1");
    let enabled = library.open.post(modules, &json!({"id": "mod-tags-2.4.1"})).await.expect(201);
    assert_eq!(enabled.header("location"), Some(tags.as_str()));
    let by_product = library.open.post(modules, &json!({"id": "mod-tags"})).await.expect(201);
    assert_eq!(by_product.header("location"), Some(tags.as_str()));
    assert_eq!(by_product.json(), json!({"id": "mod-tags-2.4.1"}));
    assert_eq!(library.open.get(&tags).await.expect(200).json(), json!({"id": "mod-tags-2.4.1"}));
    library.open.delete(&tags).await.expect(204);
    library.open.delete(&tags).await.expect(404);
    library.open.get(&tags).await.expect(404);
    library.open.delete(modules).await.expect(204);
    assert_eq!(library.open.get(modules).await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn a_module_descriptor_can_be_posted_enabled_and_deleted() {
    let library = library().await;
    let descriptor = json!({"id": "mod-own-1.0.0", "name": "Own", "provides": [{"id": "own", "version": "1.0"}],
        "permissionSets": [{"permissionName": "own.all", "displayName": "Own", "subPermissions": ["own.x", "own.y"]},
                           {"permissionName": "own.x"}]});
    let created = library.open.post("/_/proxy/modules", &descriptor).await.expect(201);
    assert_eq!(created.header("location"), Some("/_/proxy/modules/mod-own-1.0.0"));
    library.open.post("/_/proxy/modules", &descriptor).await.expect(201);
    let other = json!({"id": "mod-own-1.0.0", "name": "Other"});
    let refused = library.open.post("/_/proxy/modules", &other).await.expect(400);
    assert_eq!(refused.text, "create: module mod-own-1.0.0 already exists");
    library.open.post("/_/proxy/modules", &json!({"id": "no-version"})).await.expect(400);
    library.open.post("/_/proxy/import/modules", &json!([{"id": "mod-more-1.0.0"}])).await.expect(204);
    library.open.get("/_/proxy/modules/mod-more-1.0.0").await.expect(200);

    let enable = json!([{"id": "mod-own", "action": "enable"}]);
    let done = library.open.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    assert_eq!(ids(&done.json()), ["mod-own-1.0.0"]);
    library.open.delete("/_/proxy/modules/mod-own-1.0.0").await.expect(400);
    library.open.delete("/_/proxy/tenants/test/modules/mod-own-1.0.0").await.expect(204);
    library.open.delete("/_/proxy/modules/mod-own-1.0.0").await.expect(204);
    assert_eq!(library.open.get("/_/proxy/modules/mod-own-1.0.0").await.expect(404).text, "mod-own-1.0.0");
    let gone = library.open.delete("/_/proxy/modules/mod-own-1.0.0").await.expect(404);
    assert_eq!(gone.text, "delete: module mod-own-1.0.0 does not exist");
    assert_eq!(library.open.get("/_/proxy/tenants/test/modules/12121").await.expect(404).text, "12121");
    library.open.delete("/_/proxy/modules/mod-users-19.5.4").await.expect(400);
}

#[tokio::test]
async fn handlers_have_paths_that_can_be_requested() {
    let library = library().await;
    let descriptor = |pattern: &str| {
        let handler = json!({"methods": ["GET"], "pathPattern": pattern});
        json!({"id": "mod-own-1.0.0", "provides": [{"id": "own", "version": "1.0", "handlers": [handler]}]})
    };
    for (pattern, text) in [
        ("/own;x", "Invalid character ; for pathPattern"),
        ("/own}", "Invalid character } for pathPattern"),
        ("/own/{a/b}", "Invalid character / inside {}-construct in pathPattern"),
        ("/own/{a", "Missing }-character for {}-construct in pathPattern"),
    ] {
        let refused = library.open.post("/_/proxy/modules", &descriptor(pattern)).await.expect(400);
        assert_eq!(refused.text, text);
    }
    library.open.post("/_/proxy/modules", &descriptor("/own/{id}/*")).await.expect(201);
}

/// stripes-core requires `authtoken`, of which Carrel serves no route: it makes and checks tokens itself.
#[tokio::test]
async fn a_staff_application_finds_the_interfaces_that_it_requires() {
    let library = library().await;
    let core = |version: &str| {
        json!({"id": "folio_stripes-core-11.0.0", "name": "UI module for stripes-core",
            "requires": [{"id": "users-bl", "version": "5.0 6.0"}, {"id": "authtoken", "version": version}]})
    };
    let modules = "/_/proxy/modules";
    library.open.post(modules, &core("3.0")).await.expect(400);
    library.open.post(modules, &core("1.0 2.0")).await.expect(201);
    let tokens = library.open.get("/_/proxy/modules/mod-authtoken-2.17.0").await.expect(200).json();
    let provided: Vec<_> = tokens["provides"].as_array().unwrap().iter().map(|one| &one["id"]).collect();
    assert!(provided.contains(&&json!("authtoken")) && provided.contains(&&json!("authtoken2")), "{tokens}");
}

#[tokio::test]
async fn interfaces_are_listed_with_their_providers() {
    let library = library().await;
    let path = "/_/proxy/tenants/test/interfaces";
    let all = library.open.get(path).await.expect(200).json();
    let users = json!({"id": "users", "version": "16.4"});
    assert!(all.as_array().unwrap().contains(&users), "{all}");
    let full = library.open.get(&format!("{path}?full=true&type=proxy")).await.expect(200).json();
    let full = full.as_array().unwrap();
    let users = full.iter().find(|interface| interface["id"] == "users").unwrap();
    assert!(users["handlers"].as_array().unwrap().len() > 10);
    assert!(full.iter().all(|interface| interface["id"] != "_tenant"));
    let providers = library.open.get(&format!("{path}/users")).await.expect(200).json();
    assert_eq!(ids(&providers), ["mod-users-19.5.4"]);
    library.open.get("/_/proxy/tenants/nobody/interfaces").await.expect(404);
}
