//! `/perms/permissions`.

use super::*;

#[tokio::test]
async fn permissions_of_enabled_modules_have_parents_and_holders() {
    let library = library().await;
    let one = library.open.query("/perms/permissions", "permissionName==\"users.all\"").await.expect(200).json();
    assert_eq!(one["totalRecords"], 1);
    let users = &one["permissions"][0];
    assert_eq!(users["mutable"], false);
    assert_eq!(users["moduleName"], "mod-users");
    assert_eq!(users["moduleVersion"], "19.5.4");
    assert_eq!((&users["childOf"], &users["grantedTo"]), (&json!([]), &json!([])));
    let sub = users["subPermissions"][0].as_str().unwrap();
    let sub = library.open.query("/perms/permissions", &format!("permissionName=={sub}")).await.json();
    assert!(names(&sub["permissions"][0]["childOf"]).contains(&"users.all".to_owned()));

    let held = holder(&library, &["users.all"]).await;
    let one = library.open.query("/perms/permissions", "permissionName==\"users.all\"").await.json();
    assert_eq!(one["permissions"][0]["grantedTo"], json!([held["id"]]));
    let members: Vec<_> = one.as_object().unwrap().keys().cloned().collect();
    assert_eq!(members, ["permissions", "totalRecords"]);
}

#[tokio::test]
async fn the_top_level_permissions_hold_everything() {
    let library = library().await;
    let top = library.open.query("/perms/permissions?length=1000", "childOf == []").await.expect(200).json();
    let top_names = names(&top["permissions"]);
    assert_eq!(top["totalRecords"], top_names.len());
    for name in ["users.all", "okapi.all", "perms.all", "login.all", "configuration.all"] {
        assert!(top_names.contains(&name.to_owned()), "{name}");
    }
    let refs: Vec<_> = top_names.iter().map(String::as_str).collect();
    let held = holder(&library, &refs).await;
    let id = held["id"].as_str().unwrap();
    let all = library.open.get(&format!("/perms/users/{id}/permissions?expanded=true")).await.expect(200).json();
    let defined = library.open.get("/perms/permissions?length=2000").await.expect(200).json();
    let everything = names(&all["permissionNames"]);
    for name in names(&defined["permissions"]) {
        assert!(everything.contains(&name), "{name}");
    }
    assert!(defined["totalRecords"].as_u64().unwrap() > 900);
}

#[tokio::test]
async fn lists_are_paged_by_length_and_start() {
    let library = library().await;
    let list = |parameters: &'static str| {
        let client = library.open.clone();
        async move {
            let path = format!("/perms/permissions?{parameters}query=cql.allRecords%3D1%20sortby%20permissionName");
            names(&client.get(&path).await.expect(200).json()["permissions"])
        }
    };
    let first = list("").await;
    assert_eq!(first.len(), 10);
    assert_eq!(list("length=3&").await, first[..3]);
    assert_eq!(list("length=3&start=3&").await, first[2..5]);
    assert_eq!(list("limit=2&offset=4&").await, first[4..6]);
    library.open.get("/perms/permissions?length=-1").await.expect(400);
    library.open.query("/perms/permissions", "a == (").await.expect(400);
}

#[tokio::test]
async fn sets_are_unfolded_on_request() {
    let library = library().await;
    permission(&library, "leaf", &[]).await;
    permission(&library, "inner", &["leaf"]).await;
    permission(&library, "outer", &["inner"]).await;
    let find = |parameters: &str| {
        let path = format!("/perms/permissions?{parameters}");
        let client = library.open.clone();
        async move {
            let answer = client.query(&path, "permissionName==outer").await;
            assert_eq!(answer.round_trips(), 1);
            answer.expect(200).json()["permissions"][0].clone()
        }
    };
    assert_eq!(find("x=y").await["subPermissions"], json!(["inner"]));
    let inner = &find("expandSubs=true").await["subPermissions"][0];
    assert_eq!((&inner["permissionName"], &inner["subPermissions"]), (&json!("inner"), &json!(["leaf"])));
    assert_eq!(find("expanded=true").await["subPermissions"], json!(["inner", "leaf"]));
    // A set that contains itself indirectly does not list itself.
    let leaf = library.open.query("/perms/permissions", "permissionName==leaf").await.json();
    let mut leaf = leaf["permissions"][0].clone();
    leaf["subPermissions"] = json!(["outer"]);
    let path = format!("/perms/permissions/{}", leaf["id"].as_str().unwrap());
    library.open.put(&path, &leaf).await.expect(200);
    assert_eq!(find("expanded=true").await["subPermissions"], json!(["inner", "leaf"]));
}

#[tokio::test]
async fn a_permission_is_created_changed_and_deleted() {
    let library = &library().await;
    let created = permission(library, "own.set", &["users.all"]).await;
    assert_eq!(
        (&created["mutable"], &created["visible"], &created["dummy"], &created["tags"], &created["childOf"]),
        (&json!(true), &json!(true), &json!(false), &json!([]), &json!([]))
    );
    let id = created["id"].as_str().unwrap();
    let path = format!("/perms/permissions/{id}");
    assert_eq!(library.open.get(&path).await.expect(200).json(), created);

    let again = json!({"permissionName": "own.set"});
    let refused = library.open.post("/perms/permissions", &again).await.expect(422);
    assert_eq!(refused.error_messages(), ["Permission with name own.set already exists"]);
    let missing = json!({"permissionName": "other", "subPermissions": ["no.a", "users.all", "no.b"]});
    let refused = library.open.post("/perms/permissions", &missing).await.expect(422);
    assert_eq!(
        refused.error_messages(),
        ["Attempting to add non-existent permissions no.a,no.b as sub-permissions to permission other"]
    );
    let nameless = library.open.create("/perms/permissions", &json!({})).await;
    assert_eq!(nameless["permissionName"], nameless["id"]);

    let change = json!({"id": id, "permissionName": "own.set", "displayName": "Mine", "subPermissions": []});
    let changed = library.open.put(&path, &change).await.expect(200).json();
    assert_eq!((&changed["displayName"], &changed["subPermissions"]), (&json!("Mine"), &json!([])));
    assert_eq!(changed["metadata"]["createdDate"], created["metadata"]["createdDate"]);
    for (body, status, text) in [
        (json!({"id": Uuid::new_v4(), "permissionName": "own.set"}), 400, "Invalid id value"),
        (json!({"permissionName": "own.set"}), 400, "Invalid id value"),
        (json!({"id": id, "permissionName": "new"}), 400, "permission name property cannot change"),
    ] {
        assert_eq!(library.open.put(&path, &body).await.expect(status).text, text);
    }
    let unknown = Uuid::new_v4();
    let put = json!({"id": unknown, "permissionName": "x"});
    let refused = library.open.put(&format!("/perms/permissions/{unknown}"), &put).await.expect(404);
    assert_eq!(refused.text, format!("No permission found to match id {unknown}"));

    let parent = permission(library, "parent", &["own.set"]).await;
    let held = holder(library, &["own.set", "users.all"]).await;
    library.open.delete(&path).await.expect(204);
    library.open.delete(&path).await.expect(404);
    assert_eq!(library.open.get(&path).await.expect(404).text, "Not found");
    let parent = library.open.get(&format!("/perms/permissions/{}", parent["id"].as_str().unwrap())).await.json();
    assert_eq!(parent["subPermissions"], json!([]));
    let held = library.open.get(&format!("/perms/users/{}", held["id"].as_str().unwrap())).await.json();
    assert_eq!(held["permissions"], json!(["users.all"]));
}

#[tokio::test]
async fn permissions_of_modules_cannot_be_changed() {
    let library = library().await;
    let found = library.open.query("/perms/permissions", "permissionName==users.all").await.json();
    let mut users = found["permissions"][0].clone();
    let path = format!("/perms/permissions/{}", users["id"].as_str().unwrap());
    assert_eq!(library.open.delete(&path).await.expect(400).text, "cannot delete an immutable permission");
    users["displayName"] = "Mine".into();
    assert_eq!(library.open.put(&path, &users).await.expect(400).text, "cannot change an immutable permission");
}

#[tokio::test]
async fn an_undefined_permission_is_a_dummy_until_it_is_defined() {
    let library = library().await;
    let descriptor = |id: &str, sets: Value| json!({"id": id, "permissionSets": sets});
    let first = descriptor("mod-a-1.0.0", json!([{"permissionName": "a.all", "subPermissions": ["b.x"]}]));
    let second = descriptor("mod-b-1.0.0", json!([{"permissionName": "b.x", "displayName": "B"}]));
    for module in [&first, &second] {
        library.open.create("/_/proxy/modules", module).await;
    }
    let enable = |id: &str| json!([{"id": id, "action": "enable"}]);
    library.open.post("/_/proxy/tenants/test/install", &enable("mod-a-1.0.0")).await.expect(200);
    let find = |parameters: &str| {
        let path = format!("/perms/permissions?{parameters}");
        let client = library.open.clone();
        async move { client.query(&path, "permissionName==b.x").await.expect(200).json() }
    };
    assert_eq!(find("x=y").await["totalRecords"], 0);
    let dummy = find("includeDummy=true").await["permissions"][0].clone();
    assert_eq!((&dummy["dummy"], &dummy["childOf"]), (&json!(true), &json!(["a.all"])));
    let held = holder(&library, &[]).await;
    let held = held["id"].as_str().unwrap();
    let one = library.open.post(&format!("/perms/users/{held}/permissions"), &json!({"permissionName": "b.x"})).await;
    assert_eq!(one.expect(400).text, "'b.x' is flagged as a dummy permission and cannot be assigned to a user");

    library.open.post("/_/proxy/tenants/test/install", &enable("mod-b-1.0.0")).await.expect(200);
    let defined = find("x=y").await["permissions"][0].clone();
    assert_eq!(
        (&defined["id"], &defined["dummy"], &defined["displayName"]),
        (&dummy["id"], &json!(false), &json!("B"))
    );
}

#[tokio::test]
async fn permissions_of_disabled_modules_are_deprecated_and_can_be_purged() {
    let library = library().await;
    let install = "/_/proxy/tenants/test/install";
    let tags = |action: &str| json!([{"id": "mod-tags", "action": action}]);
    let held = holder(&library, &["tags.all", "users.all"]).await;
    let find = || {
        let client = library.open.clone();
        async move { client.query("/perms/permissions", "permissionName==tags.all").await.json()["permissions"][0].clone() }
    };
    let before = find().await;
    library.open.post(install, &tags("disable")).await.expect(200);
    let gone = find().await;
    assert_eq!(gone["deprecated"], true);
    assert_eq!(gone["displayName"], format!("(deprecated) {}", before["displayName"].as_str().unwrap()));
    library.open.post(install, &tags("enable")).await.expect(200);
    let back = find().await;
    assert_eq!((&back["deprecated"], &back["displayName"]), (&json!(false), &before["displayName"]));

    library.open.post(install, &tags("disable")).await.expect(200);
    let purged = library.open.post("/perms/purge-deprecated", &json!({})).await.expect(200).json();
    assert!(names(&purged["permissionNames"]).contains(&"tags.all".to_owned()));
    assert_eq!(find().await, Value::Null);
    let held = library.open.get(&format!("/perms/users/{}", held["id"].as_str().unwrap())).await.json();
    assert_eq!(held["permissions"], json!(["users.all"]));
}
