//! The door that limits password checks.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use identity::door::Limits;
use serde_json::{Value, json};
use testkit::{Client, Library, library_with};
use uuid::Uuid;

use super::{PASSWORD, log_in, slow_user, user};

async fn with_limits(limits: Limits) -> Library {
    library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.door = limits;
    })
    .await
}

/// A client behind the proxy, which is trusted because it runs on this machine.
fn from(library: &Library, address: &str) -> Client {
    library.open.with_header("x-forwarded-for", address)
}

/// Every route that checks a password or PIN: path, body, and status for a wrong one.
fn checks(user: Uuid) -> [(&'static str, Value, u16); 7] {
    let sent = json!({"username": "ada", "password": "a guess"});
    let new = "A new-Passw0rd!";
    [
        ("/authn/login", sent.clone(), 422),
        ("/authn/login-with-expiry", sent.clone(), 422),
        ("/bl-users/login", sent.clone(), 422),
        ("/bl-users/login-with-expiry", sent, 422),
        ("/authn/update", json!({"username": "ada", "password": "a guess", "newPassword": new}), 401),
        (
            "/bl-users/settings/myprofile/password",
            json!({"userId": user, "username": "ada", "password": "a guess", "newPassword": new}),
            401,
        ),
        ("/patron-pin/verify", json!({"id": user, "pin": "0000"}), 422),
    ]
}

#[tokio::test]
async fn an_address_that_fails_too_often_gets_no_password_checks() {
    let limits = Limits { of_address: 1, of_user: 1000 };
    let library = with_limits(limits).await;
    let ada = user(&library, "ada").await;
    for (place, (path, sent, wrong)) in checks(ada).into_iter().enumerate() {
        let client = from(&library, &format!("192.0.2.{place}"));
        client.post(path, &sent).await.expect(wrong);
        let refused = client.post(path, &sent).await.expect(429);
        assert!(refused.header("retry-after").is_some(), "{path}");
        assert!(refused.text.contains("try again later"), "{path}: {}", refused.text);
    }
    // A client that claims to be behind another proxy is not believed.
    let lies = from(&library, "203.0.113.9, 192.0.2.0");
    let (path, sent, _) = &checks(ada)[0];
    lies.post(path, sent).await.expect(429);
}

#[tokio::test]
async fn guesses_from_many_addresses_are_refused_but_the_user_gets_in() {
    let limits = Limits { of_address: 1000, of_user: 3 };
    let library = with_limits(limits).await;
    user(&library, "ada").await;
    user(&library, "grace").await;
    log_in(&library, "ada", PASSWORD).await.expect(201);
    let guess = json!({"username": "ada", "password": "a guess"});
    for place in 1..=3 {
        let stranger = from(&library, &format!("192.0.2.{place}"));
        stranger.post("/authn/login", &guess).await.expect(422);
    }
    let stranger = from(&library, "192.0.2.4");
    stranger.post("/authn/login", &guess).await.expect(429);
    log_in(&library, "ada", PASSWORD).await.expect(201);
    log_in(&library, "grace", PASSWORD).await.expect(201);
}

#[tokio::test]
async fn many_good_log_ins_from_one_address_are_never_refused() {
    let library = with_limits(Limits::default()).await;
    user(&library, "ada").await;
    let sent = json!({"username": "ada", "password": PASSWORD});
    let signing_in = (0..100).map(|_| {
        let (client, sent) = (from(&library, "192.0.2.1"), sent.clone());
        tokio::spawn(async move { client.post("/authn/login", &sent).await.status })
    });
    for status in futures_util::future::join_all(signing_in).await {
        assert_eq!(status.expect("an answer"), 201);
    }
}

#[tokio::test]
async fn a_good_log_in_does_not_wait_for_guessers() {
    let library = with_limits(Limits { of_address: u32::MAX, of_user: u32::MAX }).await;
    slow_user(&library, "ada").await;
    for number in 0..60 {
        slow_user(&library, &format!("reader {number}")).await;
    }
    log_in(&library, "ada", PASSWORD).await.expect(201);
    let (stop, guesses) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let guessers = (0..60).map(|number| {
        let client = from(&library, &format!("192.0.2.{number}"));
        let (stop, guesses) = (Arc::clone(&stop), Arc::clone(&guesses));
        tokio::spawn(async move {
            let guess = json!({"username": format!("reader {number}"), "password": "a guess"});
            while !stop.load(Ordering::SeqCst) {
                if client.post("/authn/login", &guess).await.status == 422 {
                    guesses.fetch_add(1, Ordering::SeqCst);
                }
            }
        })
    });
    let guessers: Vec<_> = guessers.collect();
    let deadline = Instant::now() + Duration::from_secs(60);
    while guesses.load(Ordering::SeqCst) < 60 {
        assert!(Instant::now() < deadline, "no guess arrived");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let before = guesses.load(Ordering::SeqCst);
    log_in(&library, "ada", PASSWORD).await.expect(201);
    let meanwhile = guesses.load(Ordering::SeqCst) - before;
    stop.store(true, Ordering::SeqCst);
    for guesser in guessers {
        guesser.await.expect("no panic");
    }
    assert!(meanwhile < 30, "{meanwhile} guesses were looked at first");
}
