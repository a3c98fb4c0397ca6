//! `/authn/credentials`, `/authn/update` and password resets.

use super::*;

#[tokio::test]
async fn credentials_are_created_once_and_deleted() {
    let library = &library().await;
    let id = user(library, "reader").await;
    let post = |body: Value| async move { library.open.post("/authn/credentials", &body).await };
    let again = post(json!({"userId": id, "password": "x"})).await.expect(422).json();
    assert_eq!(again["errors"][0]["message"], format!("There already exists credentials for user id '{id}'"));
    for empty in [json!({"userId": id, "password": ""}), json!({"username": "reader"})] {
        assert_eq!(post(empty).await.expect(422).error_messages(), ["Password is missing or empty"]);
    }
    let unknown = post(json!({"username": "nobody", "password": "x"})).await.expect(400);
    assert_eq!(unknown.text, "Error looking up user: No user found by username nobody");
    post(json!({"userId": Uuid::new_v4(), "password": "x"})).await.expect(201);
    post(json!({"userId": "x", "password": "x"})).await.expect(400);

    let existence = format!("/authn/credentials-existence?userId={id}");
    assert_eq!(library.open.get(&existence).await.expect(200).json(), json!({"credentialsExist": true}));
    let path = format!("/authn/credentials?userId={id}");
    library.open.delete(&path).await.expect(204);
    let gone = library.open.delete(&path).await.expect(404);
    assert!(gone.text.starts_with(&format!("No credentials for userId {id}")), "{}", gone.text);
    assert_eq!(library.open.get(&existence).await.expect(200).json(), json!({"credentialsExist": false}));
    library.open.delete("/authn/credentials").await.expect(400);
    // mod-login compares texts, so that this is an id that nobody has.
    let nobody = library.open.delete("/authn/credentials?userId=nobody").await.expect(404);
    assert_eq!(nobody.text, "No credentials for userId nobody found");
    let nobody = library.open.get("/authn/credentials-existence?userId=nobody").await.expect(200);
    assert_eq!(nobody.json(), json!({"credentialsExist": false}));
}

#[tokio::test]
async fn changing_a_password_needs_the_old_one_and_is_remembered() {
    let library = library().await;
    let id = user(&library, "reader").await;
    let update = |old: &str, new: &str| json!({"username": "reader", "password": old, "newPassword": new});
    let wrong = library.open.post("/authn/update", &update("wrong", "second")).await.expect(401);
    assert_eq!(wrong.text, "Invalid credentials");
    library.open.post("/authn/update", &update(PASSWORD, "")).await.expect(400);
    library.open.post("/authn/update", &json!({"password": PASSWORD, "newPassword": "x"})).await.expect(400);
    library.open.post("/authn/update", &update(PASSWORD, "second")).await.expect(204);
    log_in(&library, "reader", PASSWORD).await.expect(422);
    log_in(&library, "reader", "second").await.expect(201);
    library.open.post("/authn/update", &update("second", "third")).await.expect(204);
    for (password, result) in [("third", "invalid"), (PASSWORD, "invalid"), ("fourth", "valid")] {
        let sent = json!({"userId": id, "password": password});
        let answer = library.open.post("/authn/password/repeatable", &sent).await.expect(200);
        assert_eq!(answer.json(), json!({"result": result}), "{password}");
    }
}

#[tokio::test]
async fn a_reset_action_sets_a_password_once() {
    let library = library().await;
    let id = user(&library, "reader").await;
    let action = Uuid::new_v4();
    let sent = json!({"id": action, "userId": id, "expirationTime": "2099-01-01T00:00:00.000+00:00"});
    let path = "/authn/password-reset-action";
    assert_eq!(library.open.post(path, &sent).await.expect(201).json(), json!({"passwordExists": true}));
    library.open.post(path, &sent).await.expect(400);
    assert_eq!(library.open.get(&format!("{path}/{action}")).await.expect(200).json(), sent);
    let reset = json!({"passwordResetActionId": action, "newPassword": "a new one"});
    let done = library.open.post("/authn/reset-password", &reset).await.expect(201);
    assert_eq!(done.json(), json!({"isNewPassword": false}));
    log_in(&library, "reader", "a new one").await.expect(201);
    let unknown = format!("Password action with ID: `{action}` was not found in the db");
    assert_eq!(library.open.post("/authn/reset-password", &reset).await.expect(400).text, unknown);
    assert_eq!(library.open.get(&format!("{path}/{action}")).await.expect(404).text, unknown);

    let absent = Uuid::new_v4();
    let first = json!({"id": Uuid::new_v4(), "userId": absent, "expirationTime": "2099-01-01T00:00:00Z"});
    assert_eq!(library.open.post(path, &first).await.expect(201).json(), json!({"passwordExists": false}));
    let reset = json!({"passwordResetActionId": first["id"], "newPassword": "x"});
    let done = library.open.post("/authn/reset-password", &reset).await.expect(201);
    assert_eq!(done.json(), json!({"isNewPassword": true}));
}
