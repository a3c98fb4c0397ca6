//! A new password revokes the tokens of the old one.

use super::*;

/// The tokens of a signed-in user: one that expires, one that does not, a refresh token.
struct Held {
    access: Client,
    lasting: Client,
    refresh: Client,
}

async fn sign_in(library: &Library, password: &str) -> Held {
    let received = cookies(&log_in(library, "reader", password).await.expect(201));
    let sent = json!({"username": "reader", "password": password});
    let older = library.open.post("/authn/login", &sent).await.expect(201);
    let refresh = format!("folioRefreshToken={}", value_of(&received, "folioRefreshToken"));
    Held {
        access: library.with_token(value_of(&received, "folioAccessToken")),
        lasting: library.with_token(older.header("x-okapi-token").expect("a token")),
        refresh: with_cookie(library, &refresh),
    }
}

/// A library that requires tokens, with a user who may read material types.
async fn guarded() -> (Library, Uuid) {
    let library = library().await;
    let id = user(&library, "reader").await;
    let may = json!({"userId": id, "permissions": ["inventory-storage.material-types.collection.get",
        "login.password-reset-action.post", "login.password-reset.post", "login.item.delete",
        "login.item.post"]});
    library.open.create("/perms/users", &may).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    let path = "/_/proxy/tenants/test/install";
    library.open.post(path, &enable).await.expect(200);
    (library, id)
}

async fn are_good(held: &Held) {
    for client in [&held.access, &held.lasting] {
        client.get("/material-types").await.expect(200);
    }
}

async fn are_over(held: &Held) {
    for client in [&held.access, &held.lasting] {
        let refused = client.get("/material-types").await.expect(401);
        assert_eq!(refused.text, "Invalid token");
        client.get("/bl-users/_self").await.expect(400);
    }
    let spent = held.refresh.post("/authn/refresh", &Value::Null).await;
    spent.expect(422);
}

#[tokio::test]
async fn changing_a_password_revokes_older_tokens() {
    let (library, _) = guarded().await;
    let before = sign_in(&library, PASSWORD).await;
    are_good(&before).await;
    let change = json!({"username": "reader", "password": PASSWORD, "newPassword": "second"});
    library.open.post("/authn/update", &change).await.expect(204);
    // Within the same second, since time does not matter.
    let after = sign_in(&library, "second").await;
    are_over(&before).await;
    are_good(&after).await;
    // The old refresh token is refused, but not treated as a stolen copy of the new one.
    let renewed = after.refresh.post("/authn/refresh", &Value::Null).await;
    let renewed = cookies(&renewed.expect(201));
    let renewed = library.with_token(value_of(&renewed, "folioAccessToken"));
    renewed.get("/material-types").await.expect(200);
}

#[tokio::test]
async fn resetting_a_password_revokes_older_tokens() {
    let (library, id) = guarded().await;
    let staff = sign_in(&library, PASSWORD).await.lasting;
    let action = Uuid::new_v4();
    let sent = json!({"id": action, "userId": id, "expirationTime": "2099-01-01T00:00:00Z"});
    staff.post("/authn/password-reset-action", &sent).await.expect(201);
    let before = sign_in(&library, PASSWORD).await;
    let mut resets = tokio::task::JoinSet::new();
    for number in 0..4 {
        let client = staff.clone();
        let reset = json!({"passwordResetActionId": action, "newPassword": format!("new {number}")});
        resets.spawn(async move { client.post("/authn/reset-password", &reset).await.status });
    }
    let statuses = resets.join_all().await;
    let done = statuses.iter().filter(|status| **status == 201).count();
    assert_eq!(done, 1, "{statuses:?}");
    are_over(&before).await;
}

#[tokio::test]
async fn deleting_credentials_revokes_tokens_for_good() {
    let (library, id) = guarded().await;
    let before = sign_in(&library, PASSWORD).await;
    let path = format!("/authn/credentials?userId={id}");
    before.lasting.delete(&path).await.expect(204);
    are_over(&before).await;
}

/// Permissions and token revocations are cached for less than a minute.
#[tokio::test]
async fn tokens_revoked_by_another_process_end_within_a_minute() {
    let (library, id) = guarded().await;
    let before = sign_in(&library, PASSWORD).await;
    are_good(&before).await;
    let tenant = library.app.tenant(library.tenant).expect("the tenant");
    let session = library.app.session(&tenant).expect("a session");
    let elsewhere = "INSERT INTO token_generation (user_id, generation) VALUES ($1, 1)";
    session.execute(elsewhere, &[&id]).await.expect("one row");
    library.clock.advance(SignedDuration::from_mins(1));
    are_over(&before).await;
    are_good(&sign_in(&library, PASSWORD).await).await;
}

#[tokio::test]
async fn the_token_of_an_inactive_user_gives_no_access_at_all() {
    let (library, id) = guarded().await;
    let before = sign_in(&library, PASSWORD).await;
    before.lasting.get("/bl-users/_self").await.expect(200);
    for _ in 0..5 {
        log_in(&library, "reader", "a guess").await.expect(422);
    }
    for client in [&before.access, &before.lasting] {
        let refused = client.get("/material-types").await.expect(401);
        let text = format!("Invalid token: user with id {id} is not active");
        assert_eq!(refused.text, text);
        client.get("/bl-users/_self").await.expect(400);
    }
    let renewed = before.refresh.post("/authn/refresh", &Value::Null).await;
    renewed.expect(422);
}
