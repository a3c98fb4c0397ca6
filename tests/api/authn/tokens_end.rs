//! A new password ends what was handed out for the old one.

use super::*;

/// What a user holds who has signed in: a token that ends, one that does not, a refresh token.
struct Held {
    access: Client,
    lasting: Client,
    refresh: Client,
}

async fn sign_in(library: &Library, password: &str) -> Held {
    let told = cookies(&log_in(library, "reader", password).await.expect(201));
    let sent = json!({"username": "reader", "password": password});
    let older = library.open.post("/authn/login", &sent).await.expect(201);
    let refresh = format!("folioRefreshToken={}", value_of(&told, "folioRefreshToken"));
    Held {
        access: library.with_token(value_of(&told, "folioAccessToken")),
        lasting: library.with_token(older.header("x-okapi-token").expect("a token")),
        refresh: with_cookie(library, &refresh),
    }
}

/// A library that asks for tokens, with a reader who may see material types.
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
async fn a_password_that_is_changed_ends_the_tokens_of_the_old_one() {
    let (library, _) = guarded().await;
    let before = sign_in(&library, PASSWORD).await;
    are_good(&before).await;
    let change = json!({"username": "reader", "password": PASSWORD, "newPassword": "second"});
    library
        .open
        .post("/authn/update", &change)
        .await
        .expect(204);
    // At the same second: what counts is not the time.
    let after = sign_in(&library, "second").await;
    are_over(&before).await;
    are_good(&after).await;
    // Whoever comes with the old refresh token is refused, and not taken for a thief of the new one.
    let renewed = after.refresh.post("/authn/refresh", &Value::Null).await;
    let renewed = cookies(&renewed.expect(201));
    let renewed = library.with_token(value_of(&renewed, "folioAccessToken"));
    renewed.get("/material-types").await.expect(200);
}

#[tokio::test]
async fn a_password_reset_ends_the_tokens_of_whoever_knew_the_old_one() {
    let (library, id) = guarded().await;
    let staff = sign_in(&library, PASSWORD).await.lasting;
    let action = Uuid::new_v4();
    let sent = json!({"id": action, "userId": id, "expirationTime": "2099-01-01T00:00:00Z"});
    staff
        .post("/authn/password-reset-action", &sent)
        .await
        .expect(201);
    let before = sign_in(&library, PASSWORD).await;
    let mut resets = tokio::task::JoinSet::new();
    for number in 0..4 {
        let client = staff.clone();
        let reset =
            json!({"passwordResetActionId": action, "newPassword": format!("new {number}")});
        resets.spawn(async move { client.post("/authn/reset-password", &reset).await.status });
    }
    let statuses = resets.join_all().await;
    let done = statuses.iter().filter(|status| **status == 201).count();
    assert_eq!(done, 1, "{statuses:?}");
    are_over(&before).await;
}

#[tokio::test]
async fn credentials_that_are_taken_away_end_the_tokens_for_good() {
    let (library, id) = guarded().await;
    let before = sign_in(&library, PASSWORD).await;
    let path = format!("/authn/credentials?userId={id}");
    before.lasting.delete(&path).await.expect(204);
    are_over(&before).await;
}

/// Permissions are remembered for less than a minute, and with them which tokens are good.
#[tokio::test]
async fn tokens_that_another_process_has_ended_are_over_within_a_minute() {
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
async fn the_token_of_who_is_made_inactive_opens_nothing_not_even_ones_own_record() {
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
