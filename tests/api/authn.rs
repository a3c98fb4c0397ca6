//! Signing in and out, credentials, lockout, resets (folio-platform §2.1, folio-bootstrap §5, §6).

use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library, library_with};
use uuid::Uuid;

const PASSWORD: &str = "a good long password";

/// A user with credentials.
async fn user(library: &Library, username: &str) -> Uuid {
    let id = Uuid::new_v4();
    let user =
        json!({"id": id, "username": username, "active": true, "personal": {"lastName": "Reader"}});
    library.open.create("/users", &user).await;
    let credentials = json!({"username": username, "password": PASSWORD});
    let created = library
        .open
        .post("/authn/credentials", &credentials)
        .await
        .expect(201);
    assert_eq!(created.text, "");
    id
}

async fn log_in(library: &Library, username: &str, password: &str) -> Answer {
    let sent = json!({"username": username, "password": password});
    library.open.post("/authn/login-with-expiry", &sent).await
}

fn cookies(answer: &Answer) -> Vec<String> {
    let all = answer.headers.get_all("set-cookie").iter();
    all.map(|value| value.to_str().expect("text").to_owned())
        .collect()
}

fn value_of<'a>(cookies: &'a [String], name: &str) -> &'a str {
    let cookie = cookies
        .iter()
        .find_map(|cookie| cookie.strip_prefix(name)?.strip_prefix('='));
    cookie.expect(name).split(';').next().expect("a value")
}

fn with_cookie(library: &Library, cookie: &str) -> Client {
    library.open.with_header("cookie", cookie)
}

async fn configure(library: &Library, code: &str, value: &str) {
    let entry = json!({"module": "LOGIN", "configName": "limits", "code": code, "enabled": true, "value": value});
    library.open.create("/configurations/entries", &entry).await;
}

fn wrong() -> Value {
    json!({"errors": [{"message": "Wrong username or wrong password or account blocked", "type": "error",
        "code": "wrong.username.or.wrong.password.or.account.blocked", "parameters": []}]})
}

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
    assert!(
        answer.round_trips() <= 3,
        "{} round trips",
        answer.round_trips()
    );
    let cookies = cookies(&answer);
    assert_eq!(cookies.len(), 2);
    assert!(
        cookies[0].ends_with("; Max-Age=600; Expires=Thu, 01 Jan 2026 00:10:00 GMT; Path=/; Secure; HTTPOnly; SameSite=Lax"),
        "{}", cookies[0]
    );
    assert!(
        cookies[1].ends_with("; Max-Age=604800; Expires=Thu, 08 Jan 2026 00:00:00 GMT; Path=/authn; Secure; HTTPOnly; SameSite=Lax"),
        "{}", cookies[1]
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
    assert_eq!(
        answer.json(),
        json!({"okapiToken": answer.header("x-okapi-token").unwrap()})
    );
    assert!(cookies(&answer).is_empty());

    let strict = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.legacy_tokens = false;
        settings.cookie_same_site = "None".into();
        settings.okapi_url = "https://folio.example/okapi".into();
    })
    .await;
    user(&strict, "reader").await;
    let off = strict
        .open
        .post(
            "/authn/login",
            &json!({"username": "reader", "password": PASSWORD}),
        )
        .await;
    assert_eq!(off.expect(404).text, "Not found");
    let cookies = cookies(&log_in(&strict, "reader", PASSWORD).await.expect(201));
    assert!(
        cookies[0].ends_with("Path=/okapi/; Secure; HTTPOnly; SameSite=None"),
        "{}",
        cookies[0]
    );
    assert!(
        cookies[1].contains("; Path=/okapi/authn; "),
        "{}",
        cookies[1]
    );
}

#[tokio::test]
async fn whoever_may_not_sign_in_is_refused_alike() {
    let library = library().await;
    user(&library, "reader").await;
    let off = user(&library, "inactive").await;
    let inactive =
        json!({"id": off, "username": "inactive", "active": false, "personal": {"lastName": "x"}});
    library
        .open
        .put(&format!("/users/{off}"), &inactive)
        .await
        .expect(204);
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
        (
            json!({"password": "x"}),
            "You must provide a username or userId",
        ),
        (json!({"username": "x"}), "You must provide a password"),
    ] {
        assert_eq!(
            library
                .open
                .post("/authn/login", &sent)
                .await
                .expect(400)
                .text,
            text
        );
    }
    for bad in [
        json!([]),
        json!("x"),
        json!({"username": 1, "password": {}}),
    ] {
        library.open.post("/authn/login", &bad).await.expect(400);
    }
}

#[tokio::test]
async fn failures_in_a_row_block_the_user_until_set_active_again() {
    let library = library().await;
    let id = user(&library, "reader").await;
    configure(&library, "login.fail.attempts", "3").await;
    let attempts = format!("/authn/loginAttempts/{id}");
    assert_eq!(
        library.open.get(&attempts).await.expect(404).text,
        format!("No user login attempts found for id {id}")
    );
    for count in 1..3 {
        log_in(&library, "reader", "wrong").await.expect(422);
        let told = library.open.get(&attempts).await.expect(200).json();
        assert_eq!(
            (&told["attemptCount"], &told["userId"]),
            (&json!(count), &json!(id))
        );
    }
    log_in(&library, "reader", PASSWORD).await.expect(201);
    assert_eq!(library.open.get(&attempts).await.json()["attemptCount"], 0);
    for _ in 0..3 {
        log_in(&library, "reader", "wrong").await.expect(422);
    }
    let blocked = library
        .open
        .get(&format!("/users/{id}"))
        .await
        .expect(200)
        .json();
    assert_eq!(blocked["active"], false);
    assert_eq!(library.open.get(&attempts).await.json()["attemptCount"], 0);
    log_in(&library, "reader", PASSWORD).await.expect(422);
    let mut user = blocked;
    user["active"] = true.into();
    library
        .open
        .put(&format!("/users/{id}"), &user)
        .await
        .expect(204);
    log_in(&library, "reader", PASSWORD).await.expect(201);
}

#[tokio::test]
async fn old_failures_are_forgotten_and_a_limit_of_zero_never_blocks() {
    let library = library().await;
    user(&library, "reader").await;
    // Five failures block where nothing is configured.
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
async fn a_refresh_token_is_good_for_one_use() {
    let library = library().await;
    user(&library, "reader").await;
    let first = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let first = format!(
        "folioRefreshToken={}",
        value_of(&first, "folioRefreshToken")
    );
    let renewed = with_cookie(&library, &first)
        .post("/authn/refresh", &json!({}))
        .await
        .expect(201);
    assert!(renewed.json()["accessTokenExpiration"].is_string());
    let second = cookies(&renewed);
    let second = format!(
        "a=b; folioRefreshToken={}; c=d",
        value_of(&second, "folioRefreshToken")
    );

    // The spent one comes again: somebody has a copy, and no token of the user is good any longer.
    let spent = with_cookie(&library, &first)
        .post("/authn/refresh", &json!({}))
        .await
        .expect(422);
    assert_eq!(
        spent.json()["errors"][0]["code"],
        "token.refresh.unprocessable"
    );
    with_cookie(&library, &second)
        .post("/authn/refresh", &json!({}))
        .await
        .expect(422);
}

#[tokio::test]
async fn refresh_tokens_end_and_cookies_must_be_sound() {
    let library = library().await;
    user(&library, "reader").await;
    let cookies = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let good = format!(
        "folioRefreshToken={}",
        value_of(&cookies, "folioRefreshToken")
    );
    library.clock.advance(SignedDuration::from_hours(24 * 7));
    with_cookie(&library, &good)
        .post("/authn/refresh", &json!({}))
        .await
        .expect(422);
    for (cookie, status) in [
        ("", 400),
        ("folioRefreshToken=", 400),
        ("folioRefreshToken=a; folioRefreshToken=b", 400),
        ("folioRefreshToken=unknown", 422),
    ] {
        let refused = with_cookie(&library, cookie)
            .post("/authn/refresh", &json!({}))
            .await;
        let refused = refused.expect(status).json();
        if status == 400 {
            assert_eq!(refused["errors"][0]["code"], "token.parse.failure");
            assert_eq!(refused["errors"][0]["message"], "Bad request");
        }
    }
}

#[tokio::test]
async fn signing_out_ends_the_refresh_tokens_and_empties_the_cookies() {
    let library = library().await;
    user(&library, "reader").await;
    let one = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let other = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let token = |cookies: &[String]| {
        format!(
            "folioRefreshToken={}",
            value_of(cookies, "folioRefreshToken")
        )
    };
    let out = with_cookie(&library, &token(&one))
        .post("/authn/logout", &json!({}))
        .await
        .expect(204);
    assert_eq!(
        cookies(&out),
        [
            "folioAccessToken=; SameSite=None; Secure; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
            "folioRefreshToken=; SameSite=None; Secure; Path=/authn; Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        ]
    );
    with_cookie(&library, &token(&other))
        .post("/authn/refresh", &json!({}))
        .await
        .expect(201);
    let third = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    let fourth = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
    with_cookie(&library, &token(&third))
        .post("/authn/logout-all", &json!({}))
        .await
        .expect(204);
    with_cookie(&library, &token(&fourth))
        .post("/authn/refresh", &json!({}))
        .await
        .expect(422);
    library
        .open
        .post("/authn/logout", &json!({}))
        .await
        .expect(204);
    library
        .open
        .post("/authn/logout-all", &json!({}))
        .await
        .expect(422);
}

#[tokio::test]
async fn credentials_are_given_once_and_taken_away() {
    let library = &library().await;
    let id = user(library, "reader").await;
    let post = |body: Value| async move { library.open.post("/authn/credentials", &body).await };
    let again = post(json!({"userId": id, "password": "x"}))
        .await
        .expect(422)
        .json();
    assert_eq!(
        again["errors"][0]["message"],
        format!("There already exists credentials for user id '{id}'")
    );
    for empty in [
        json!({"userId": id, "password": ""}),
        json!({"username": "reader"}),
    ] {
        assert_eq!(
            post(empty).await.expect(422).error_messages(),
            ["Password is missing or empty"]
        );
    }
    let unknown = post(json!({"username": "nobody", "password": "x"}))
        .await
        .expect(400);
    assert_eq!(
        unknown.text,
        "Error looking up user: No user found by username nobody"
    );
    post(json!({"userId": Uuid::new_v4(), "password": "x"}))
        .await
        .expect(201);
    post(json!({"userId": "x", "password": "x"}))
        .await
        .expect(400);

    let existence = format!("/authn/credentials-existence?userId={id}");
    assert_eq!(
        library.open.get(&existence).await.expect(200).json(),
        json!({"credentialsExist": true})
    );
    let path = format!("/authn/credentials?userId={id}");
    library.open.delete(&path).await.expect(204);
    let gone = library.open.delete(&path).await.expect(404);
    assert!(
        gone.text
            .starts_with(&format!("No credentials for userId {id}")),
        "{}",
        gone.text
    );
    assert_eq!(
        library.open.get(&existence).await.expect(200).json(),
        json!({"credentialsExist": false})
    );
    library.open.delete("/authn/credentials").await.expect(400);
}

#[tokio::test]
async fn a_password_is_changed_by_who_knows_it_and_remembered() {
    let library = library().await;
    let id = user(&library, "reader").await;
    let update =
        |old: &str, new: &str| json!({"username": "reader", "password": old, "newPassword": new});
    let wrong = library
        .open
        .post("/authn/update", &update("wrong", "second"))
        .await
        .expect(401);
    assert_eq!(wrong.text, "Invalid credentials");
    library
        .open
        .post("/authn/update", &update(PASSWORD, ""))
        .await
        .expect(400);
    library
        .open
        .post(
            "/authn/update",
            &json!({"password": PASSWORD, "newPassword": "x"}),
        )
        .await
        .expect(400);
    library
        .open
        .post("/authn/update", &update(PASSWORD, "second"))
        .await
        .expect(204);
    log_in(&library, "reader", PASSWORD).await.expect(422);
    log_in(&library, "reader", "second").await.expect(201);
    library
        .open
        .post("/authn/update", &update("second", "third"))
        .await
        .expect(204);
    for (password, result) in [
        ("third", "invalid"),
        (PASSWORD, "invalid"),
        ("fourth", "valid"),
    ] {
        let sent = json!({"userId": id, "password": password});
        let told = library
            .open
            .post("/authn/password/repeatable", &sent)
            .await
            .expect(200);
        assert_eq!(told.json(), json!({"result": result}), "{password}");
    }
}

#[tokio::test]
async fn a_reset_action_sets_a_password_once() {
    let library = library().await;
    let id = user(&library, "reader").await;
    let action = Uuid::new_v4();
    let sent =
        json!({"id": action, "userId": id, "expirationTime": "2099-01-01T00:00:00.000+00:00"});
    let path = "/authn/password-reset-action";
    assert_eq!(
        library.open.post(path, &sent).await.expect(201).json(),
        json!({"passwordExists": true})
    );
    library.open.post(path, &sent).await.expect(400);
    assert_eq!(
        library
            .open
            .get(&format!("{path}/{action}"))
            .await
            .expect(200)
            .json(),
        sent
    );
    let reset = json!({"passwordResetActionId": action, "newPassword": "a new one"});
    let done = library
        .open
        .post("/authn/reset-password", &reset)
        .await
        .expect(201);
    assert_eq!(done.json(), json!({"isNewPassword": false}));
    log_in(&library, "reader", "a new one").await.expect(201);
    let unknown = format!("Password action with ID: `{action}` was not found in the db");
    assert_eq!(
        library
            .open
            .post("/authn/reset-password", &reset)
            .await
            .expect(400)
            .text,
        unknown
    );
    assert_eq!(
        library
            .open
            .get(&format!("{path}/{action}"))
            .await
            .expect(404)
            .text,
        unknown
    );

    let nobody = Uuid::new_v4();
    let first =
        json!({"id": Uuid::new_v4(), "userId": nobody, "expirationTime": "2099-01-01T00:00:00Z"});
    assert_eq!(
        library.open.post(path, &first).await.expect(201).json(),
        json!({"passwordExists": false})
    );
    let reset = json!({"passwordResetActionId": first["id"], "newPassword": "x"});
    let done = library
        .open
        .post("/authn/reset-password", &reset)
        .await
        .expect(201);
    assert_eq!(done.json(), json!({"isNewPassword": true}));
}

#[tokio::test]
async fn log_ins_are_logged_where_the_library_wants_it() {
    let library = library().await;
    let id = user(&library, "reader").await;
    log_in(&library, "reader", PASSWORD).await.expect(201);
    library.open.get("/authn/log/events").await.expect(204);
    let event = json!({"tenant": "test", "userId": id, "eventType": "PASSWORD_RESET"});
    library
        .open
        .post("/authn/log/events", &event)
        .await
        .expect(204);
    for code in ["STATUS", "SUCCESSFUL_LOGIN_ATTEMPT", "PASSWORD_RESET"] {
        let entry =
            json!({"module": "EVENT_LOG", "configName": "log", "code": code, "enabled": true});
        library.open.create("/configurations/entries", &entry).await;
    }
    log_in(&library, "reader", PASSWORD).await.expect(201);
    log_in(&library, "reader", "wrong").await.expect(422);
    library
        .open
        .post("/authn/log/events", &event)
        .await
        .expect(201);
    let log = library
        .open
        .get("/authn/log/events")
        .await
        .expect(200)
        .json();
    let kinds: Vec<_> = log["loggingEvent"]
        .as_array()
        .unwrap()
        .iter()
        .map(|e| e["eventType"].clone())
        .collect();
    assert_eq!(kinds, ["SUCCESSFUL_LOGIN_ATTEMPT", "PASSWORD_RESET"]);
    library
        .open
        .delete(&format!("/authn/log/events/{id}"))
        .await
        .expect(200);
    library
        .open
        .delete(&format!("/authn/log/events/{id}"))
        .await
        .expect(404);
    library
        .open
        .post("/authn/log/events", &json!({"tenant": "x"}))
        .await
        .expect(422);
}

#[tokio::test]
async fn one_of_two_uses_at_once_of_a_refresh_token_is_good() {
    let library = library().await;
    user(&library, "reader").await;
    for _ in 0..5 {
        let given = cookies(&log_in(&library, "reader", PASSWORD).await.expect(201));
        let token = format!(
            "folioRefreshToken={}",
            value_of(&given, "folioRefreshToken")
        );
        let client = with_cookie(&library, &token);
        let use_it = || {
            let client = client.clone();
            tokio::spawn(async move { client.post("/authn/refresh", &json!({})).await.status })
        };
        let uses = [use_it(), use_it(), use_it(), use_it()];
        let mut good = 0;
        for one in uses {
            let status = one.await.unwrap();
            assert!(status == 201 || status == 422, "{status}");
            good += usize::from(status == 201);
        }
        assert_eq!(good, 1);
    }
}

/// Passwords are hashed beside the desk: a read answers while a storm of log-ins still waits for its turns.
#[tokio::test]
async fn a_storm_of_log_ins_does_not_keep_the_desk_waiting() {
    let library = library().await;
    user(&library, "reader").await;
    library.open.get("/material-types").await.expect(200);
    let mut storm = tokio::task::JoinSet::new();
    for _ in 0..60 {
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
