//! Permissions, permission sets and their holders (docs/folio/permissions.md).

mod permissions;
mod replaced;
mod users;

use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library};
use uuid::Uuid;

fn names(list: &Value) -> Vec<String> {
    let list = list.as_array().expect("a list");
    list.iter().map(|one| one["permissionName"].as_str().or(one.as_str()).expect("a name").to_owned()).collect()
}

async fn permission(library: &Library, name: &str, subs: &[&str]) -> Value {
    let sent = json!({"permissionName": name, "displayName": name, "subPermissions": subs});
    library.open.create("/perms/permissions", &sent).await
}

async fn holder(library: &Library, names: &[&str]) -> Value {
    let sent = json!({"userId": Uuid::new_v4(), "permissions": names});
    library.open.create("/perms/users", &sent).await
}

/// A client with the token of a new user with these permissions. From now on, tokens are required.
async fn signed_in(library: &Library, names: &[&str]) -> (Client, Uuid) {
    let id = Uuid::new_v4();
    let user = json!({"id": id, "username": "clerk", "active": true, "personal": {"lastName": "Clerk"}});
    library.open.create("/users", &user).await;
    let credentials = json!({"userId": id, "password": "secret"});
    library.open.post("/authn/credentials", &credentials).await.expect(201);
    let holder = json!({"userId": id, "permissions": names});
    library.open.create("/perms/users", &holder).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library.open.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    let sent = json!({"username": "clerk", "password": "secret"});
    let answer = library.open.post("/authn/login", &sent).await.expect(201);
    (library.with_token(answer.header("x-okapi-token").expect("a token")), id)
}
