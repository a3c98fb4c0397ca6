//! Passwords are kept as argon2id hashes. A hash costs 20 ms of a core and 19 MB of memory on purpose, so
//! hashing has threads of its own and only some hashes run at once: a storm of log-ins waits for itself and
//! not the desk for it. Who goes first is decided at the [`crate::door`].

use std::sync::LazyLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use rand::{Rng, distr::Alphanumeric};

use crate::turns::Turns;

/// Half of the machine, for the other half is the desk's.
static TURNS: LazyLock<Turns> = LazyLock::new(|| {
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    Turns::of((cores / 2).max(1))
});

/// What is compared with when there is no such user, so that the answer takes as long.
static DECOY: LazyLock<String> = LazyLock::new(|| hash_now("nobody has this password"));

/// A new hash of the password, in PHC form.
pub async fn hash(password: &str) -> String {
    let password = password.to_owned();
    on_a_turn(move || hash_now(&password)).await
}

/// True when the password is the one that was hashed. `None` takes as long and is never true.
pub async fn matches(password: &str, hash: Option<String>) -> bool {
    let password = password.to_owned();
    on_a_turn(move || match hash {
        Some(hash) => matches_now(&password, &hash),
        None => {
            matches_now(&password, &DECOY);
            false
        }
    })
    .await
}

/// True when the password is one of those that were hashed.
pub async fn is_one_of(password: &str, hashes: Vec<String>) -> bool {
    let password = password.to_owned();
    on_a_turn(move || hashes.iter().any(|hash| matches_now(&password, hash))).await
}

/// A password nobody can guess, easy to read aloud and to type.
#[must_use]
pub fn generate() -> String {
    let letters = rand::rng()
        .sample_iter(&Alphanumeric)
        .map(char::from)
        .filter(|letter| !"0O1lI".contains(*letter));
    letters.take(20).collect()
}

async fn on_a_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let turn = TURNS.take().await;
    // The turn is the thread's: it works on when nobody waits for it any longer.
    let working = move || {
        let done = work();
        drop(turn);
        done
    };
    match tokio::task::spawn_blocking(working).await {
        Ok(value) => value,
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}

fn hash_now(password: &str) -> String {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .expect("argon2's own parameters fit it")
}

fn matches_now(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_password_itself_matches_and_no_two_hashes_are_alike() {
        let stored = hash("a long secret").await;
        assert!(stored.starts_with("$argon2id$"));
        assert_ne!(stored, hash("a long secret").await);
        assert!(matches("a long secret", Some(stored.clone())).await);
        assert!(!matches("A long secret", Some(stored.clone())).await);
        assert!(!matches("a long secret", Some("no hash".into())).await);
        assert!(!matches("nobody has this password", None).await);
        assert!(is_one_of("a long secret", vec!["x".into(), stored]).await);
    }

    #[test]
    fn generated_passwords_differ_and_can_be_read() {
        let (one, other) = (generate(), generate());
        assert_eq!(one.len(), 20);
        assert_ne!(one, other);
        assert!(!one.contains(['0', 'O', '1', 'l', 'I']));
    }
}
