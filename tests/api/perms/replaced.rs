//! Superseded permissions: users with the old name have the new one.

use super::*;

#[tokio::test]
async fn superseded_permissions_still_grant_access() {
    let library = &library().await;
    // A set of a client's module has an old name, too.
    let module = json!({"id": "folio_desk-1.0.0", "permissionSets": [
        {"permissionName": "ui-desk.limits", "subPermissions": ["patron-block-limits.collection.get"]}]});
    library.open.post("/_/proxy/modules", &module).await.expect(201);
    let enable = json!([{"id": "folio_desk-1.0.0", "action": "enable"}]);
    let path = "/_/proxy/tenants/test/install";
    library.open.post(path, &enable).await.expect(200);
    let old = ["ui-desk.limits", "patron-block-conditions.collection.get", "accounts.check-pay.post"];
    let (clerk, id) = signed_in(library, &old).await;
    clerk.get("/patron-block-limits").await.expect(200);
    clerk.get("/patron-block-conditions").await.expect(200);
    let account = Uuid::new_v4();
    let check = format!("/accounts/{account}/check-pay");
    clerk.post(&check, &json!({"amount": "1.00"})).await.expect(404);
    clerk.post("/patron-block-limits", &json!({})).await.expect(403);

    let (reader, _) = (clerk, id);
    let me = reader.get("/bl-users/_self?expandPermissions=true").await.expect(200).json();
    let mine = names(&me["permissions"]["permissions"]);
    for name in [
        "patron-blocks.patron-block-limits.collection.get",
        "patron-blocks.patron-block-conditions.collection.get",
        "feesfines.accounts.check-pay.post",
    ] {
        assert!(mine.iter().any(|held| held == name), "{name}: {mine:?}");
    }
}

#[tokio::test]
async fn a_users_permissions_include_their_replacements() {
    let library = &library().await;
    let holder = holder(library, &["accounts.pay.post"]).await;
    let path = format!("/perms/users/{}/permissions", holder["id"].as_str().unwrap());
    let shown = library.open.get(&path).await.expect(200).json();
    assert_eq!(names(&shown["permissionNames"]), ["accounts.pay.post"]);
    let shown = library.open.get(&format!("{path}?expanded=true")).await.expect(200).json();
    assert_eq!(names(&shown["permissionNames"]), ["accounts.pay.post", "feesfines.accounts.pay.post"]);
}

/// A superseded name is no longer defined, but still grants what its replacement grants.
#[tokio::test]
async fn a_superseded_name_cannot_grant_more_than_the_giver_has() {
    let library = &library().await;
    let (clerk, _) = signed_in(library, &["perms.users.item.post"]).await;
    let sent = json!({"userId": Uuid::new_v4(), "permissions": ["accounts.pay.post"]});
    let refused = clerk.post("/perms/users", &sent).await.expect(403);
    assert!(refused.text.contains("feesfines.accounts.pay.post"), "{}", refused.text);
}

/// A module with these permissions, which become known to the platform.
async fn module(library: &Library, id: &str, permissions: Value) {
    let descriptor = json!({"id": id, "permissionSets": permissions});
    library.open.post("/_/proxy/modules", &descriptor).await.expect(201);
}

async fn enable(library: &Library, id: &str) -> Answer {
    let steps = json!([{"id": id, "action": "enable"}]);
    library.open.post("/_/proxy/tenants/test/install", &steps).await
}

async fn found(library: &Library, name: &str) -> Value {
    let list = library.open.query("/perms/permissions?includeDummy=true", &format!("permissionName=={name}")).await;
    list.expect(200).json()["permissions"][0].clone()
}

/// Users would lose the right with the next purge of deprecated permissions.
#[tokio::test]
async fn who_has_a_renamed_permission_gets_its_new_name() {
    let library = &library().await;
    module(library, "mod-own-1.0.0", json!([{"permissionName": "own.old"}, {"permissionName": "own.kept"}])).await;
    enable(library, "mod-own-1.0.0").await.expect(200);
    let set = permission(library, "my.set", &["own.old"]).await;
    let clerk = holder(library, &["own.old", "users.all"]).await;
    let other = holder(library, &["own.kept"]).await;

    let renamed = json!([{"permissionName": "own.kept"},
        {"permissionName": "own.new", "replaces": ["own.old"]},
        {"permissionName": "own.more", "replaces": ["own.old", "users.all"]}]);
    module(library, "mod-own-2.0.0", renamed).await;
    enable(library, "mod-own-2.0.0").await.expect(200);
    let held = async |holder: &Value| {
        let path = format!("/perms/users/{}", holder["id"].as_str().unwrap());
        library.open.get(&path).await.expect(200).json()["permissions"].clone()
    };
    assert_eq!(held(&clerk).await, json!(["own.old", "users.all", "own.more", "own.new"]));
    assert_eq!(held(&other).await, json!(["own.kept"]));
    let new = found(library, "own.new").await;
    assert_eq!((&new["grantedTo"], &new["childOf"]), (&json!([clerk["id"]]), &json!(["my.set"])));
    assert_eq!(found(library, "own.old").await["deprecated"], true);

    let purged = library.open.post("/perms/purge-deprecated", &json!({})).await.expect(200).json();
    assert_eq!(purged["permissionNames"], json!(["own.old"]));
    assert_eq!(held(&clerk).await, json!(["users.all", "own.more", "own.new"]));
    let path = format!("/perms/permissions/{}", set["id"].as_str().unwrap());
    let set = library.open.get(&path).await.expect(200).json();
    assert_eq!(set["subPermissions"], json!(["own.more", "own.new"]));
}

/// The name of one module does not become that of another, even if that one says so.
#[tokio::test]
async fn only_the_module_of_a_permission_renames_it() {
    let library = &library().await;
    let clerk = holder(library, &["users.item.get"]).await;
    module(library, "mod-own-1.0.0", json!([{"permissionName": "own.all", "replaces": ["users.item.get"]}])).await;
    enable(library, "mod-own-1.0.0").await.expect(200);
    let path = format!("/perms/users/{}", clerk["id"].as_str().unwrap());
    let held = library.open.get(&path).await.expect(200).json();
    assert_eq!(held["permissions"], json!(["users.item.get"]));
}

#[tokio::test]
async fn a_module_cannot_take_a_permission_of_a_user_or_of_another_module() {
    let library = &library().await;
    permission(library, "mine", &[]).await;
    let tags = found(library, "tags.item.get").await;
    for name in ["mine", "tags.item.get"] {
        let before = found(library, name).await;
        module(library, &format!("mod-{name}-1.0.0"), json!([{"permissionName": "x"}, {"permissionName": name}])).await;
        let refused = enable(library, &format!("mod-{name}-1.0.0")).await.expect(400);
        let text = format!("Collision! A Permission named {name} is already defined: {{");
        assert!(refused.text.contains(&text), "{}", refused.text);
        assert_eq!(found(library, name).await, before);
        assert_eq!(found(library, "x").await, Value::Null);
        let enabled = library.open.get(&format!("/_/proxy/tenants/test/modules/mod-{name}-1.0.0")).await;
        enabled.expect(404);
    }
    // Nor two modules that are enabled together.
    for id in ["mod-a-1.0.0", "mod-b-1.0.0"] {
        module(library, id, json!([{"permissionName": "both"}])).await;
    }
    let steps = json!([{"id": "mod-a"}, {"id": "mod-b"}]);
    library.open.post("/_/proxy/tenants/test/install", &steps).await.expect(400);
    enable(library, "mod-a").await.expect(200);

    // What is disabled or replaced may be taken over.
    let off = json!([{"id": "mod-a", "action": "disable"}]);
    library.open.post("/_/proxy/tenants/test/install", &off).await.expect(200);
    enable(library, "mod-b").await.expect(200);
    let taken = found(library, "both").await;
    assert_eq!((&taken["moduleName"], &taken["deprecated"]), (&json!("mod-b"), &json!(false)));
    let heir = json!({"id": "mod-heir-1.0.0", "replaces": [tags["moduleName"]],
        "permissionSets": [{"permissionName": "tags.item.get"}]});
    library.open.post("/_/proxy/modules", &heir).await.expect(201);
    enable(library, "mod-heir").await.expect(200);
    assert_eq!(found(library, "tags.item.get").await["moduleName"], "mod-heir");
}

/// What a module's new version gives up, another module may have with the same installation.
#[tokio::test]
async fn a_permission_moves_from_one_module_to_another() {
    let library = &library().await;
    module(library, "mod-one-1.0.0", json!([{"permissionName": "moving"}])).await;
    enable(library, "mod-one-1.0.0").await.expect(200);
    module(library, "mod-one-2.0.0", json!([{"permissionName": "staying"}])).await;
    module(library, "mod-two-1.0.0", json!([{"permissionName": "moving"}])).await;
    let steps = json!([{"id": "mod-one-2.0.0", "action": "enable"}, {"id": "mod-two-1.0.0", "action": "enable"}]);
    library.open.post("/_/proxy/tenants/test/install", &steps).await.expect(200);
    assert_eq!(found(library, "moving").await["moduleName"], "mod-two");
}
