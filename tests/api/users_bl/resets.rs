//! Reset links, changing one's own password, and forgotten user names and passwords.

use jiff::SignedDuration;
use serde_json::json;
use testkit::{Client, library};

use super::*;

#[tokio::test]
async fn a_reset_link_works_once_and_in_time() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let link = |user: String| {
        let client = library.open.clone();
        async move { client.post("/bl-users/password-reset/link", &json!({"userId": user})).await }
    };
    let absent = link(Uuid::new_v4().to_string()).await.expect(422).json();
    assert_eq!(absent["errors"][0]["code"], "user.not-found");
    let token_of = |text: &str| -> Client {
        let token = text.split("/reset-password/").nth(1).unwrap().split('?').next().unwrap();
        library.with_token(token)
    };
    let made = link(clerk.id.to_string()).await.expect(200).json();
    let text = made["link"].as_str().unwrap();
    assert!(text.starts_with("http://localhost:3000/reset-password/") && text.ends_with("?tenant=test"), "{text}");
    let holder = token_of(text);
    holder.post("/bl-users/password-reset/validate", &json!({})).await.expect(204);
    let weak = holder.post("/bl-users/password-reset/reset", &json!({"newPassword": "x"})).await.expect(422).json();
    assert_eq!(weak["errors"][0]["code"], "password.length.invalid");
    let good = json!({"newPassword": "Another+one2"});
    holder.post("/bl-users/password-reset/reset", &good).await.expect(204);
    let again = holder.post("/bl-users/password-reset/reset", &good).await.expect(422).json();
    assert_eq!(again["errors"][0]["code"], "link.used");
    let sent = json!({"username": "clerk", "password": "Another+one2"});
    library.open.post("/authn/login", &sent).await.expect(201);

    let late = link(clerk.id.to_string()).await.expect(200).json();
    let late = token_of(late["link"].as_str().unwrap());
    library.clock.advance(SignedDuration::from_hours(25));
    let late = late.post("/bl-users/password-reset/validate", &json!({})).await.expect(422).json();
    assert_eq!(late["errors"][0]["code"], "link.expired");
    let none = library.open.post("/bl-users/password-reset/validate", &json!({})).await.expect(422).json();
    assert_eq!(none["errors"][0]["code"], "link.invalid");
}

#[tokio::test]
async fn the_token_of_a_reset_link_grants_nothing_else() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let made = library.open.post("/bl-users/password-reset/link", &json!({"userId": clerk.id})).await.expect(200);
    let link = made.json()["link"].as_str().unwrap().to_owned();
    let token = link.split("/reset-password/").nth(1).unwrap().split('?').next().unwrap().to_owned();
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library.open.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    let holder = library.with_token(&token);
    holder.get("/users").await.expect(401);
    holder.get("/bl-users/_self").await.expect(400);
    holder.post("/bl-users/password-reset/validate", &json!({})).await.expect(204);
}

#[tokio::test]
async fn changing_ones_own_password_follows_the_rules() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let change = |old: &str, new: &str| {
        let (client, id) = (library.open.clone(), clerk.id);
        let sent = json!({"userId": id, "username": "clerk", "password": old, "newPassword": new});
        async move { client.post("/bl-users/settings/myprofile/password", &sent).await }
    };
    let weak = change(PASSWORD, "Long+enough").await.expect(400).json();
    assert_eq!(weak["errors"][0]["message"], "password.number.invalid");
    let same = change(PASSWORD, PASSWORD).await.expect(400).json();
    assert_eq!(same["errors"][0]["message"], "password.lastTenPasswords.invalid");
    assert_eq!(change("wrong", "Another+one2").await.expect(401).text, "Invalid credentials");
    change(PASSWORD, "Another+one2").await.expect(204);
    change("Another+one2", PASSWORD).await.expect(400);
}

/// The rules also compare with the current password, so only someone who has given it may ask them.
#[tokio::test]
async fn the_rules_do_not_reveal_the_current_password() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let change = async |user: Uuid, old: &str, new: &str| {
        let sent = json!({"userId": user, "password": old, "newPassword": new});
        let path = "/bl-users/settings/myprofile/password";
        let refused = library.open.post(path, &sent).await.expect(401);
        assert_eq!(refused.text, "Invalid credentials", "{old} {new}");
    };
    change(Uuid::new_v4(), PASSWORD, "Another+one2").await;
    for new in [PASSWORD, "short", "Another+one2", PASSWORD, PASSWORD] {
        change(clerk.id, "a guess", new).await;
    }
    // After five wrong guesses the user is locked, and the right password gets the same answer.
    change(clerk.id, PASSWORD, "Another+one2").await;
    change(clerk.id, PASSWORD, PASSWORD).await;
    let user = library.open.get(&format!("/users/{}", clerk.id)).await;
    assert_eq!(user.json()["active"], false);
}

#[tokio::test]
async fn simultaneous_uses_of_a_reset_link_set_one_password() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let sent = json!({"userId": clerk.id});
    let link = async || {
        let made = library.open.post("/bl-users/password-reset/link", &sent);
        let made = made.await.expect(200).json();
        let link = made["link"].as_str().unwrap().to_owned();
        let token = link.split(['/', '?']).find(|part| part.contains('.'));
        library.with_token(token.expect("a token"))
    };
    let (other, holder) = (link().await, link().await);
    let new = |number: usize| format!("Another+one{number}");
    let mut all = tokio::task::JoinSet::new();
    for number in 0..8 {
        let (holder, sent) = (holder.clone(), json!({"newPassword": new(number)}));
        all.spawn(async move {
            let answer = holder.post("/bl-users/password-reset/reset", &sent).await;
            (number, answer)
        });
    }
    let mut set = Vec::new();
    while let Some(answer) = all.join_next().await {
        let (number, answer) = answer.unwrap();
        if answer.status == 204 {
            set.push(number);
        } else {
            let code = answer.expect(422).json()["errors"][0]["code"].clone();
            assert_eq!(code, "link.used");
        }
    }
    assert_eq!(set.len(), 1, "{set:?} were set");
    let good = json!({"username": "clerk", "password": new(set[0])});
    library.open.post("/authn/login", &good).await.expect(201);
    // It also invalidates older links.
    let late = other.post("/bl-users/password-reset/validate", &json!({})).await;
    assert_eq!(late.expect(422).json()["errors"][0]["code"], "link.used");
}

#[tokio::test]
async fn password_reset_does_not_reveal_who_is_known() {
    let library = library().await;
    let clerk = clerk(&library).await;
    let ask = async |id: &str| {
        for path in ["/bl-users/forgotten/password", "/bl-users/forgotten/username"] {
            let answer = library.open.post(path, &json!({ "id": id })).await;
            assert_eq!(answer.expect(204).text, "", "{id}");
        }
    };
    ask("clerk").await;
    ask("CLERK@library.example").await;
    ask("nobody").await;
    let path = format!("/users/{}", clerk.id);
    let mut user = library.open.get(&path).await.json();
    user["active"] = false.into();
    library.open.put(&path, &user).await.expect(204);
    ask("clerk").await;
}
