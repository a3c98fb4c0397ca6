//! Passwords are stored as argon2id hashes. A hash deliberately costs 20 ms of a core and 19 MB of memory, so each runs
//! on its own thread, which yields to the desk, and only a few run at once: in a storm of log-ins they wait for each
//! other, and the desk does not wait for them. [`crate::door`] decides the order.

#[cfg(feature = "cheap-hashes")]
use std::sync::atomic::{AtomicBool, Ordering};
use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::{
        PasswordHasher, PasswordVerifier,
        phc::{Output, PasswordHash},
    },
};
use rand::{Rng, distr::Alphanumeric};
use tokio::sync::oneshot;

use crate::turns::{Turns, is_stranger};

/// Half of the machine; the other half is reserved for the desk.
static TURNS: LazyLock<Turns> = LazyLock::new(turns);

fn turns() -> Turns {
    let cores = thread::available_parallelism().map_or(2, std::num::NonZero::get);
    Turns::of((cores / 2).max(1))
}

/// Strangers need one of these turns first.
static TURNS_OF_STRANGERS: LazyLock<Turns> = LazyLock::new(turns);

/// After a stranger's turn, a pause of this many times its duration: guesses take at most a quarter of the turns.
const REST: u32 = 3;

/// What a hash costs: argon2's recommended memory and passes, unless tests said otherwise.
static COST: LazyLock<Params> = LazyLock::new(cost);

#[cfg(not(feature = "cheap-hashes"))]
fn cost() -> Params {
    Params::DEFAULT
}

/// Tests sign in thousands of times, and what they are about is not how long that takes.
#[cfg(feature = "cheap-hashes")]
fn cost() -> Params {
    if CHEAP.load(Ordering::Relaxed) {
        Params::new(64, 1, 1, None).expect("argon2 takes as little")
    } else {
        Params::DEFAULT
    }
}

#[cfg(feature = "cheap-hashes")]
static CHEAP: AtomicBool = AtomicBool::new(false);

/// Makes hashes that cost next to nothing, for tests. To be called before the first.
#[cfg(feature = "cheap-hashes")]
pub fn hash_cheaply() {
    CHEAP.store(true, Ordering::Relaxed);
}

fn argon2() -> Argon2<'static> {
    Argon2::new(Algorithm::default(), Version::default(), COST.clone())
}

/// Start of the hashes of [`hash`].
static OURS: LazyLock<String> =
    LazyLock::new(|| format!("$argon2id$v=19$m={},t={},p={}$", COST.m_cost(), COST.t_cost(), COST.p_cost()));

/// How long memory of the last check is kept for the next.
const KEPT: Duration = Duration::from_secs(5);

/// Checked for unknown users, so that the answer takes as long.
static DECOY: LazyLock<String> = LazyLock::new(|| hash_now("nobody has this password"));

/// Hashes the password, in PHC form.
pub async fn hash(password: &str) -> String {
    let password = password.to_owned();
    on_a_turn(move || hash_now(&password)).await
}

/// True if the password matches the hash. `None` takes as long and is never true.
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

/// True if the password matches one of the hashes.
pub async fn is_one_of(password: &str, hashes: Vec<String>) -> bool {
    let password = password.to_owned();
    on_a_turn(move || hashes.iter().any(|hash| matches_now(&password, hash))).await
}

/// A random password that is easy to read aloud and to type.
pub fn generate() -> String {
    let letters = rand::rng().sample_iter(&Alphanumeric).map(char::from).filter(|letter| !"0O1lI".contains(*letter));
    letters.take(20).collect()
}

async fn on_a_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let turn_of_stranger = match is_stranger() {
        true => Some(TURNS_OF_STRANGERS.take().await),
        false => None,
    };
    let turn = TURNS.take().await;
    let (give, done) = oneshot::channel();
    // The thread owns the turn: it continues even if the caller has gone.
    let working = move || {
        priority::lower_priority_of_this_thread();
        let began = Instant::now();
        let _ = give.send(catch_unwind(AssertUnwindSafe(work)));
        drop(turn);
        if turn_of_stranger.is_some() {
            #[expect(clippy::disallowed_methods, reason = "the thread has no other work; strangers wait behind it")]
            thread::sleep(began.elapsed() * REST);
        }
    };
    let thread = thread::Builder::new().name("password".into());
    thread.spawn(working).expect("the system gives a thread");
    let done = done.await.expect("the thread answers");
    done.unwrap_or_else(|panicked| resume_unwind(panicked))
}

fn hash_now(password: &str) -> String {
    argon2().hash_password(password.as_bytes()).map(|hash| hash.to_string()).expect("argon2's own parameters fit it")
}

fn matches_now(password: &str, text: &str) -> bool {
    let Ok(hash) = PasswordHash::new(text) else {
        return false;
    };
    let (argon2, password) = (argon2(), password.as_bytes());
    match (&hash.salt, &hash.hash) {
        (Some(salt), Some(expected)) if text.starts_with(OURS.as_str()) => with_memory(|memory| {
            let mut found = vec![0; expected.as_bytes().len()];
            let hashed = argon2.hash_password_into_with_memory(password, salt, &mut found, memory);
            hashed.is_ok() && Output::new(&found).is_ok_and(|found| found == *expected)
        }),
        _ => argon2.verify_password(password, &hash).is_ok(),
    }
}

/// Lends the memory of a finished check. Otherwise the next check would begin before the system has reclaimed the
/// memory, and a storm of checks would use many times 19 MB.
fn with_memory<T>(work: impl FnOnce(&mut [Block]) -> T) -> T {
    let lent = spare().pop().map(|(memory, _)| memory);
    let new = || vec![Block::default(); COST.block_count()];
    let mut memory = lent.unwrap_or_else(new);
    let done = work(&mut memory);
    spare().push((memory, Instant::now()));
    done
}

fn spare() -> MutexGuard<'static, Vec<(Vec<Block>, Instant)>> {
    static SPARE: Mutex<Vec<(Vec<Block>, Instant)>> = Mutex::new(Vec::new());
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Frees memory unused for some seconds.
pub fn free_spare_memory() {
    spare().retain(|(_, used)| used.elapsed() < KEPT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_password_matches_and_all_hashes_differ() {
        let stored = hash("a long secret").await;
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
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
