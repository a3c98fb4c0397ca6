//! `/perms/users`, and what grants allow.

use super::*;

#[tokio::test]
async fn a_permission_user_is_created_found_replaced_and_deleted() {
    let library = &library().await;
    let user = Uuid::new_v4();
    let sent = json!({"userId": user, "permissions": ["users.all", "unknown.module.all", "users.all"]});
    let created = library.open.create("/perms/users", &sent).await;
    assert_eq!(created["permissions"], json!(["users.all", "unknown.module.all"]));
    assert!(created["metadata"]["createdDate"].is_string());
    library.open.post("/perms/users", &sent).await.expect(400);
    library.open.post("/perms/users", &json!({"permissions": []})).await.expect(422);
    let id = created["id"].as_str().unwrap();

    let found = library.open.query("/perms/users", &format!("userId=={user}")).await.expect(200).json();
    assert_eq!(found["permissionUsers"], json!([created]));
    assert_eq!((&found["totalRecords"], &found["resultInfo"]["totalRecords"]), (&json!(1), &json!(1)));
    for path in
        [format!("/perms/users/{id}"), format!("/perms/users/{user}?indexField=userId"), format!("/perms/users/{id}/")]
    {
        assert_eq!(library.open.get(&path).await.expect(200).json(), created, "{path}");
    }
    let unknown = library.open.get(&format!("/perms/users/{user}")).await.expect(404);
    assert_eq!(unknown.text, format!("No user with id {user}"));

    let change = json!({"id": id, "userId": user, "permissions": ["perms.all"]});
    assert_eq!(library.open.put(&format!("/perms/users/{id}"), &change).await.expect(200).json(), change);
    let absent = Uuid::new_v4();
    let unknown = library.open.put(&format!("/perms/users/{absent}"), &change).await.expect(404);
    assert_eq!(unknown.text, format!("No permissions user found with id {absent}"));
    library.open.delete(&format!("/perms/users/{id}")).await.expect(204);
    library.open.delete(&format!("/perms/users/{id}")).await.expect(404);
}

#[tokio::test]
async fn single_permissions_are_granted_listed_and_withdrawn() {
    let library = library().await;
    permission(&library, "leaf", &[]).await;
    permission(&library, "set", &["leaf"]).await;
    let held = holder(&library, &["set"]).await;
    let (id, user) = (held["id"].as_str().unwrap(), held["userId"].as_str().unwrap());
    let path = format!("/perms/users/{id}/permissions");
    let all = |parameters: &str| {
        let path = format!("{path}{parameters}");
        let client = library.open.clone();
        async move { client.get(&path).await.expect(200).json() }
    };
    assert_eq!(all("").await, json!({"permissionNames": ["set"], "totalRecords": 1}));
    assert_eq!(all("?expanded=true").await, json!({"permissionNames": ["set", "leaf"], "totalRecords": 2}));
    let full = all("?full=true&expanded=true").await;
    assert_eq!(names(&full["permissionNames"]), ["set", "leaf"]);
    assert_eq!(full["permissionNames"][0]["subPermissions"], json!(["leaf"]));
    assert!(full.get("totalRecords").is_none());
    let unknown = Uuid::new_v4();
    let absent = library.open.get(&format!("/perms/users/{unknown}/permissions")).await.expect(404);
    assert_eq!(absent.text, format!("No user found by id {unknown}"));

    let by_user = format!("/perms/users/{user}/permissions?indexField=userId");
    let name = |name: &str| json!({ "permissionName": name });
    assert_eq!(library.open.post(&by_user, &name("users.all")).await.expect(200).json(), name("users.all"));
    let twice = library.open.post(&path, &name("users.all")).await.expect(422);
    assert_eq!(twice.error_messages(), [format!("User with id {id} already has permission users.all")]);
    let missing = library.open.post(&path, &name("no.such")).await.expect(400);
    assert_eq!(missing.text, "Permission by name 'no.such' does not exist");
    let absent = library.open.post(&format!("/perms/users/{unknown}/permissions"), &name("users.all")).await;
    assert_eq!(absent.expect(400).text, format!("User with id {unknown} does not exist"));

    library.open.delete(&format!("{path}/users.all")).await.expect(204);
    let again = library.open.delete(&format!("{path}/users.all")).await.expect(400);
    assert_eq!(again.text, format!("User with id {id} does not contain users.all"));
    assert_eq!(all("").await["permissionNames"], json!(["set"]));
}

#[tokio::test]
async fn users_cannot_grant_permissions_they_lack() {
    let library = library().await;
    let rights = ["perms.users.item.post", "perms.users.item.put", "perms.users.get", "tags.all"];
    let (clerk, user) = signed_in(&library, &rights).await;
    let grant = |names: &[&str]| json!({"userId": Uuid::new_v4(), "permissions": names});
    let granted = clerk.create("/perms/users", &grant(&["tags.all", "tags.collection.get"])).await;
    let refused = clerk.post("/perms/users", &grant(&["users.all", "notes.all"])).await.expect(403);
    assert_eq!(
        refused.text,
        format!("Cannot add immutable permissions users.all, notes.all not owned by operating user {user}")
    );
    let refused = clerk.post("/perms/users", &grant(&["okapi.all"])).await.expect(403);
    assert!(refused.text.starts_with("Cannot add okapi permission okapi.all"), "{}", refused.text);
    let id = granted["id"].as_str().unwrap();
    let more = json!({"id": id, "userId": granted["userId"], "permissions": ["tags.all", "users.all"]});
    clerk.put(&format!("/perms/users/{id}"), &more).await.expect(403);
    let fewer = json!({"id": id, "userId": granted["userId"], "permissions": []});
    clerk.put(&format!("/perms/users/{id}"), &fewer).await.expect(200);
    let one = json!({"permissionName": "users.all"});
    clerk.post(&format!("/perms/users/{id}/permissions"), &one).await.expect(403);
}

#[tokio::test]
async fn permissions_count_from_the_next_request_on() {
    let library = library().await;
    let (clerk, user) = signed_in(&library, &["perms.users.item.post", "perms.users.get", "users.all"]).await;
    let missing = clerk.get("/notes").await.expect(403);
    assert_eq!(missing.text, format!("Access for user 'clerk' ({user}) requires permission: notes.collection.get"));
    let held = clerk.get(&format!("/perms/users/{user}?indexField=userId")).await.expect(200).json();
    assert_eq!(held["userId"], json!(user));
    let mut account = clerk.get(&format!("/users/{user}")).await.expect(200).json();
    account["active"] = false.into();
    clerk.put(&format!("/users/{user}"), &account).await.expect(204);
    let inactive = clerk.get("/groups").await.expect(401);
    assert_eq!(inactive.text, format!("Invalid token: user with id {user} is not active"));
}

/// mod-permissions has Java read some ids and PostgreSQL others, and says what they say.
#[tokio::test]
async fn ids_that_are_none_are_refused_as_folio_reads_them() {
    let client = &library().await.open;
    let holder = |id: &str, user: &str| json!({"id": id, "userId": user, "permissions": []});
    let (id, user) = (Uuid::new_v4().to_string(), Uuid::new_v4().to_string());
    let java = "Invalid UUID string: 123";
    for (answer, text) in [
        (client.put("/perms/users/123", &holder(&id, &user)).await, java),
        (client.delete("/perms/users/123").await, java),
        (client.post("/perms/users", &holder("123", &user)).await, java),
        (client.post("/perms/users", &holder(&id, "123")).await, java),
        (client.put("/perms/permissions/123", &json!({"id": "123", "permissionName": "x"})).await, java),
        (client.delete("/perms/permissions/123").await, java),
    ] {
        assert_eq!(answer.expect(400).text, text);
    }
    let granted = json!({"permissionName": "users.all"});
    let (read, held, one) =
        ("/perms/users/12%2334", "/perms/users/12%2334/permissions", "/perms/users/12%2334/permissions/users.all");
    for answer in
        [client.get(read).await, client.get(held).await, client.post(held, &granted).await, client.delete(one).await]
    {
        let text = "ERROR: invalid input syntax for type uuid: \"12#34\" (22P02)";
        assert_eq!(answer.expect(400).text, text);
    }
    let of = |path: &str, field: &str| format!("{path}?indexField={field}");
    for answer in [
        client.get(&of(read, "bad")).await,
        client.get(&of(held, "bad")).await,
        client.post(&of(held, "bad"), &granted).await,
        client.delete(&of(one, "bad")).await,
    ] {
        assert_eq!(answer.expect(400).text, "Invalid value 'bad' for indexField");
    }
    // Ids of users are compared as texts.
    let nobody = client.get(&of("/perms/users/123", "userId")).await.expect(404);
    assert_eq!(nobody.text, "No user with userId 123");
    client.post("/perms/users", &json!({"id": "1234", "permissions": []})).await.expect(422);
}

#[tokio::test]
async fn pages_begin_with_the_first_record() {
    let library = library().await;
    for path in ["/perms/users?start=0", "/perms/permissions?start=0"] {
        let refused = library.open.get(path).await.expect(400);
        assert_eq!(
            refused.text,
            "'start' parameter is incorrect. parameter value {0} is not valid: must be greater than or equal to 1"
        );
    }
}
