//! `/patron-pin/verify` and guessed PINs (docs/folio/users.md#pins).

use super::*;

async fn verify(library: &Library, id: Uuid, pin: &str) -> u16 {
    let sent = json!({"id": id, "pin": pin});
    library.open.post("/patron-pin/verify", &sent).await.status
}

async fn with_pin(library: &Library) -> Uuid {
    let id = user(library, "reader").await;
    let sent = json!({"id": id, "pin": "4711"});
    library.open.post("/patron-pin", &sent).await.expect(201);
    id
}

#[tokio::test]
async fn wrong_pins_lock_the_pin_temporarily_but_never_the_user() {
    let library = library().await;
    let id = with_pin(&library).await;
    for _ in 0..4 {
        assert_eq!(verify(&library, id, "0000").await, 422);
    }
    assert_eq!(verify(&library, id, "4711").await, 200);
    for _ in 0..5 {
        assert_eq!(verify(&library, id, "0000").await, 422);
    }
    assert_eq!(verify(&library, id, "4711").await, 422);
    log_in(&library, "reader", PASSWORD).await.expect(201);
    library.clock.advance(SignedDuration::from_mins(9));
    assert_eq!(verify(&library, id, "4711").await, 422);
    library.clock.advance(SignedDuration::from_mins(2));
    assert_eq!(verify(&library, id, "4711").await, 200);
    // A new PIN, set by staff, works at once.
    for _ in 0..5 {
        assert_eq!(verify(&library, id, "0000").await, 422);
    }
    let new = json!({"id": id, "pin": "0815"});
    library.open.post("/patron-pin", &new).await.expect(201);
    assert_eq!(verify(&library, id, "0815").await, 200);
}

#[tokio::test]
async fn simultaneous_guesses_at_a_pin_gain_nothing() {
    let library = library().await;
    let id = with_pin(&library).await;
    let mut guesses = tokio::task::JoinSet::new();
    for number in 0..30 {
        let (client, pin) = (library.open.clone(), format!("{number:04}"));
        let sent = json!({"id": id, "pin": pin});
        guesses.spawn(async move { client.post("/patron-pin/verify", &sent).await.status });
    }
    while let Some(status) = guesses.join_next().await {
        assert_ne!(status.unwrap(), 200);
    }
    assert_eq!(verify(&library, id, "4711").await, 422);
}
