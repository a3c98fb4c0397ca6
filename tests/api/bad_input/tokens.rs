//! Forged, expired and foreign tokens; deleted users; other tenants.

use http::Method;
use identity::tokens::{Claims, Keys};
use jiff::SignedDuration;
use serde_json::json;
use testkit::{Client, Library, library};
use uuid::Uuid;

use super::{all_answered, badly_answered, everything_comes_to_rest};
use crate::support::{ONE, path_of};

/// A library that requires tokens, and a user who may read material types.
async fn guarded() -> (Library, Uuid) {
    let library = library().await;
    let id = Uuid::new_v4();
    let person = json!({"lastName": "Clerk"});
    let user = json!({"id": id, "username": "clerk", "active": true, "personal": person});
    library.open.create("/users", &user).await;
    let permission = "inventory-storage.material-types.collection.get";
    let holder = json!({"userId": id, "permissions": [permission]});
    library.open.create("/perms/users", &holder).await;
    let other = json!({"id": "other", "name": "Another library"});
    library.open.create("/_/proxy/tenants", &other).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}, {"id": "mod-users", "action": "enable"},
        {"id": "mod-inventory-storage", "action": "enable"}]);
    for tenant in ["other", library.tenant] {
        let path = format!("/_/proxy/tenants/{tenant}/install");
        library.open.post(&path, &enable).await.expect(200);
    }
    (library, id)
}

fn claims(library: &Library, user: Uuid) -> Claims {
    let now = library.clock.now();
    Claims::expiring("clerk", user, library.tenant, now, 600)
}

async fn status(library: &Library, token: &str) -> u16 {
    let answer = library.with_token(token).get("/material-types").await;
    assert_eq!(badly_answered(&answer), None, "{token}");
    answer.status
}

#[tokio::test]
async fn only_tokens_signed_here_for_this_tenant_are_accepted() {
    let (library, id) = guarded().await;
    let keys = &library.app.keys;
    let good = claims(&library, id);
    let token = keys.sign(&good);
    assert_eq!(status(&library, &token).await, 200);

    let foreign = Keys::new(b"the key of somebody else's server");
    let parts: Vec<&str> = token.split('.').collect();
    let admin = keys.sign(&Claims { user_id: Uuid::new_v4(), ..good.clone() });
    let middle = admin.split('.').nth(1).expect("three parts");
    // {"typ":"JWT","alg":"none"} and {"alg":"RS256"}
    let (none, rsa) = ("eyJ0eXAiOiJKV1QiLCJhbGciOiJub25lIn0", "eyJhbGciOiJSUzI1NiJ9");
    let forged = [
        foreign.sign(&good),
        format!("{}.{middle}.{}", parts[0], parts[2]),
        format!("{none}.{}.", parts[1]),
        format!("{none}.{middle}."),
        format!("{none}.{}.{}", parts[1], parts[2]),
        format!("{rsa}.{}.{}", parts[1], parts[2]),
        format!("{}.{}.", parts[0], parts[1]),
        format!("{}.{}.{}", parts[0], parts[1], &parts[2][1..]),
    ];
    for token in &forged {
        assert_eq!(status(&library, token).await, 401, "{token}");
    }
    let unreadable = ["", ".", "..", "a.b.c", "x", "Bearer", "null", "'; DROP TABLE users; --"];
    for token in unreadable.into_iter().chain([&token[..token.len() / 2], parts[1]]) {
        assert_eq!(status(&library, token).await, 400, "{token}");
    }
    let elsewhere = keys.sign(&Claims { tenant: "other".into(), ..good.clone() });
    assert_eq!(status(&library, &elsewhere).await, 403);
    let absent = keys.sign(&Claims { user_id: Uuid::new_v4(), ..good.clone() });
    assert_eq!(status(&library, &absent).await, 401);
    everything_comes_to_rest(&library).await;
}

#[tokio::test]
async fn tokens_expire_and_hold_for_one_tenant_only() {
    let (library, id) = guarded().await;
    let token = library.app.keys.sign(&claims(&library, id));
    assert_eq!(status(&library, &token).await, 200);
    let base = library.open.base();
    let ask = async |tenant: &str, path: &str| {
        let client = Client::new(base, &[("x-okapi-tenant", tenant), ("x-okapi-token", &token)]);
        client.get(path).await.status
    };
    assert_eq!(ask("other", "/material-types").await, 403);
    for wrong in ["nobody", "t_test", "test'; --", "TEST", "public", "carrel", ""] {
        assert_eq!(ask(wrong, "/material-types").await, 400, "{wrong}");
    }
    assert_eq!(ask("test", "/_/invoke/tenant/other/material-types").await, 403);
    let claimed = library.with_token(&token).with_header("x-okapi-user-id", &ONE.to_string());
    assert_eq!(claimed.get("/material-types").await.status, 403);

    library.clock.advance(SignedDuration::from_secs(599));
    assert_eq!(status(&library, &token).await, 200);
    library.clock.advance(SignedDuration::from_secs(1));
    assert_eq!(status(&library, &token).await, 401);
    everything_comes_to_rest(&library).await;
}

/// Without a token or permission, only FOLIO's open routes are served.
#[tokio::test]
async fn protected_routes_require_their_permission() {
    let (library, id) = guarded().await;
    let token = library.app.keys.sign(&claims(&library, id));
    let clerk = library.with_token(&token);
    let permitted = "inventory-storage.material-types.collection.get";
    let routes = library.app.routes.all().iter();
    let protected = routes.filter(|route| route.required.iter().any(|name| *name != permitted));
    let requests = protected.flat_map(|route| {
        [("nobody", &library.open), ("clerk", &clerk)].map(|(who, client)| async move {
            let path = path_of(route, &ONE.to_string());
            let body = (route.method != Method::GET).then(|| b"{}".to_vec());
            let answer = client.send(route.method.clone(), &path, body).await;
            (format!("{who} {} {path}", route.method), answer)
        })
    });
    all_answered(requests, |answer| match answer.status {
        400 if answer.text.starts_with("Token missing, access requires permission") => None,
        403 if answer.text.contains("requires permission") => None,
        404 if answer.text.starts_with("No suitable module found") => None,
        _ => Some("it was served".into()),
    })
    .await;
    everything_comes_to_rest(&library).await;
}
