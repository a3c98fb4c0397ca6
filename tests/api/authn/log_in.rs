//! `/authn/login`, the lockout and the log-in attempts.

use super::*;

#[tokio::test]
async fn a_log_in_with_expiry_gives_two_cookies() {
    let library = library().await;
    user(&library, "reader").await;
    library.clock.set("2026-01-01T00:00:00.5Z".parse().unwrap());
    let answer = log_in(&library, "READER", PASSWORD).await.expect(201);
    assert_eq!(
        answer.json(),
        json!({"accessTokenExpiration": "2026-01-01T00:10:00Z", "refreshTokenExpiration": "2026-01-08T00:00:00Z"})
    );
    assert!(answer.round_trips() <= 3, "{} round trips", answer.round_trips());
    let cookies = cookies(&answer);
    assert_eq!(cookies.len(), 2);
    assert!(
        cookies[0]
            .ends_with("; Max-Age=600; Expires=Thu, 01 Jan 2026 00:10:00 GMT; Path=/; Secure; HTTPOnly; SameSite=Lax"),
        "{}",
        cookies[0]
    );
    assert!(
        cookies[1].ends_with(
            "; Max-Age=604800; Expires=Thu, 08 Jan 2026 00:00:00 GMT; Path=/authn; Secure; HTTPOnly; SameSite=Lax"
        ),
        "{}",
        cookies[1]
    );
    assert!(answer.header("x-okapi-token").is_none());
    assert_eq!(value_of(&cookies, "folioAccessToken").split('.').count(), 3);
}

#[tokio::test]
async fn the_older_log_in_gives_a_token_in_header_and_body() {
    let library = library().await;
    let id = user(&library, "reader").await;
    let sent = json!({"userId": id, "password": PASSWORD});
    let answer = library.open.post("/authn/login", &sent).await.expect(201);
    assert_eq!(answer.json(), json!({"okapiToken": answer.header("x-okapi-token").unwrap()}));
    assert!(cookies(&answer).is_empty());

    let strict = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.legacy_tokens = false;
        settings.cookie_same_site = "None".into();
        settings.okapi_url = "https://folio.example/okapi".into();
    })
    .await;
    user(&strict, "reader").await;
    let off = strict.open.post("/authn/login", &json!({"username": "reader", "password": PASSWORD})).await;
    assert_eq!(off.expect(404).text, "Not found");
    let cookies = cookies(&log_in(&strict, "reader", PASSWORD).await.expect(201));
    assert!(cookies[0].ends_with("Path=/okapi/; Secure; HTTPOnly; SameSite=None"), "{}", cookies[0]);
    assert!(cookies[1].contains("; Path=/okapi/authn; "), "{}", cookies[1]);
}

#[tokio::test]
async fn a_token_in_authorization_needs_no_bearer() {
    let library = library().await;
    user(&library, "reader").await;
    let sent = json!({"username": "reader", "password": PASSWORD});
    let answer = library.open.post("/authn/login", &sent).await.expect(201);
    let token = answer.header("x-okapi-token").unwrap();
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library.open.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    for value in [token.to_owned(), format!("Bearer {token}")] {
        let refused = library.open.with_header("authorization", &value).get("/users").await.expect(403);
        assert!(refused.text.starts_with("Access for user 'reader'"), "{}", refused.text);
    }
    // What another scheme says is for somebody else.
    let other = library.open.with_header("authorization", "Basic eDp5").get("/users").await.expect(400);
    assert!(other.text.starts_with("Token missing"), "{}", other.text);
}

#[tokio::test]
async fn all_failed_log_ins_get_the_same_refusal() {
    let library = library().await;
    user(&library, "reader").await;
    let off = user(&library, "inactive").await;
    let inactive = json!({"id": off, "username": "inactive", "active": false, "personal": {"lastName": "x"}});
    library.open.put(&format!("/users/{off}"), &inactive).await.expect(204);
    let bare = json!({"username": "bare", "active": true, "personal": {"lastName": "x"}});
    library.open.create("/users", &bare).await;
    for (username, password) in [
        ("reader", "wrong"),
        ("reader", ""),
        ("nobody", PASSWORD),
        ("inactive", PASSWORD),
        ("bare", PASSWORD),
        ("' or 1=1 --", PASSWORD),
    ] {
        for path in ["/authn/login", "/authn/login-with-expiry"] {
            let sent = json!({"username": username, "password": password});
            let refused = library.open.post(path, &sent).await.expect(422);
            assert_eq!(refused.json(), wrong(), "{username}");
        }
    }
    let no_id = json!({"userId": "no uuid", "password": PASSWORD});
    library.open.post("/authn/login", &no_id).await.expect(422);
    for (sent, text) in [
        (json!({"password": "x"}), "You must provide a username or userId"),
        (json!({"username": "x"}), "You must provide a password"),
    ] {
        assert_eq!(library.open.post("/authn/login", &sent).await.expect(400).text, text);
    }
    for bad in [json!([]), json!("x"), json!({"username": 1, "password": {}})] {
        library.open.post("/authn/login", &bad).await.expect(400);
    }
}

#[tokio::test]
async fn consecutive_failures_block_the_user_until_reactivated() {
    let library = library().await;
    let id = user(&library, "reader").await;
    configure(&library, "login.fail.attempts", "3").await;
    let attempts = format!("/authn/loginAttempts/{id}");
    assert_eq!(library.open.get(&attempts).await.expect(404).text, format!("No user login attempts found for id {id}"));
    for count in 1..3 {
        log_in(&library, "reader", "wrong").await.expect(422);
        let attempts_logged = library.open.get(&attempts).await.expect(200).json();
        assert_eq!((&attempts_logged["attemptCount"], &attempts_logged["userId"]), (&json!(count), &json!(id)));
    }
    log_in(&library, "reader", PASSWORD).await.expect(201);
    assert_eq!(library.open.get(&attempts).await.json()["attemptCount"], 0);
    library.clock.advance(SignedDuration::from_mins(1));
    for _ in 0..3 {
        log_in(&library, "reader", "wrong").await.expect(422);
    }
    let blocked = library.open.get(&format!("/users/{id}")).await.expect(200).json();
    assert_eq!(blocked["active"], false);
    let now = Value::from(store::record::print_instant(library.clock.now()));
    assert_eq!((&blocked["updatedDate"], &blocked["metadata"]["updatedDate"]), (&now, &now));
    assert_ne!(blocked["metadata"]["createdDate"], now);
    assert_eq!(library.open.get(&attempts).await.json()["attemptCount"], 0);
    log_in(&library, "reader", PASSWORD).await.expect(422);
    let mut user = blocked;
    user["active"] = true.into();
    library.open.put(&format!("/users/{id}"), &user).await.expect(204);
    log_in(&library, "reader", PASSWORD).await.expect(201);
}

/// All guesses read the user while active; only the user at the time of the answer counts.
#[tokio::test]
async fn a_right_guess_after_the_lock_does_not_get_in() {
    let library = library().await;
    let id = user(&library, "reader").await;
    let mut guesses = tokio::task::JoinSet::new();
    for number in 0..100 {
        let client = library.open.clone();
        let guess = if number == 99 { PASSWORD } else { "a guess" };
        let sent = json!({"username": "reader", "password": guess});
        guesses.spawn(async move { client.post("/authn/login", &sent).await.status });
    }
    let mut refused = 0;
    while let Some(status) = guesses.join_next().await {
        match status.unwrap() {
            201 => assert!(refused < 10, "let in after {refused} refusals"),
            _ => refused += 1,
        }
    }
    let user = library.open.get(&format!("/users/{id}")).await.json();
    assert_eq!(user["active"], false);
    log_in(&library, "reader", PASSWORD).await.expect(422);
}

#[tokio::test]
async fn old_failures_expire_and_a_limit_of_zero_never_blocks() {
    let library = library().await;
    user(&library, "reader").await;
    // Without configuration, five failures block.
    for _ in 0..4 {
        log_in(&library, "reader", "wrong").await.expect(422);
    }
    library.clock.advance(SignedDuration::from_mins(11));
    log_in(&library, "reader", "wrong").await.expect(422);
    log_in(&library, "reader", PASSWORD).await.expect(201);
    configure(&library, "login.fail.attempts", "0").await;
    for _ in 0..8 {
        log_in(&library, "reader", "wrong").await.expect(422);
    }
    log_in(&library, "reader", PASSWORD).await.expect(201);
}

#[tokio::test]
async fn log_ins_are_logged_if_the_library_wants_it() {
    let library = library().await;
    let id = user(&library, "reader").await;
    log_in(&library, "reader", PASSWORD).await.expect(201);
    library.open.get("/authn/log/events").await.expect(204);
    let event = json!({"tenant": "test", "userId": id, "eventType": "PASSWORD_RESET"});
    library.open.post("/authn/log/events", &event).await.expect(204);
    for code in ["STATUS", "SUCCESSFUL_LOGIN_ATTEMPT", "PASSWORD_RESET"] {
        let entry = json!({"module": "EVENT_LOG", "configName": "log", "code": code, "enabled": true});
        library.open.create("/configurations/entries", &entry).await;
    }
    log_in(&library, "reader", PASSWORD).await.expect(201);
    log_in(&library, "reader", "wrong").await.expect(422);
    library.open.post("/authn/log/events", &event).await.expect(201);
    let log = library.open.get("/authn/log/events").await.expect(200).json();
    let kinds: Vec<_> = log["loggingEvent"].as_array().unwrap().iter().map(|e| e["eventType"].clone()).collect();
    assert_eq!(kinds, ["SUCCESSFUL_LOGIN_ATTEMPT", "PASSWORD_RESET"]);
    library.open.delete(&format!("/authn/log/events/{id}")).await.expect(200);
    library.open.delete(&format!("/authn/log/events/{id}")).await.expect(404);
    library.open.post("/authn/log/events", &json!({"tenant": "x"})).await.expect(422);
}

/// Passwords are hashed apart from the desk's work: a read is answered while a storm of log-ins waits.
#[tokio::test]
async fn a_storm_of_log_ins_does_not_delay_the_desk() {
    let library = library().await;
    slow_user(&library, "reader").await;
    library.open.get("/material-types").await.expect(200);
    let mut storm = tokio::task::JoinSet::new();
    for _ in 0..30 {
        let client = library.open.clone();
        let sent = json!({"username": "reader", "password": PASSWORD});
        storm.spawn(async move { client.post("/authn/login", &sent).await.status });
    }
    let first = storm.join_next().await.unwrap().unwrap();
    assert_eq!(first, 201);
    for _ in 0..3 {
        library.open.get("/material-types").await.expect(200);
    }
    let still_waiting = storm.len();
    assert!(still_waiting > 10, "{still_waiting} log-ins still wait");
    while let Some(status) = storm.join_next().await {
        assert_eq!(status.unwrap(), 201);
    }
}
