//! Passwords are kept as argon2id hashes. A hash costs 20 ms of a core and 19 MB of memory on purpose, so
//! each has a thread of its own, which gives way to the desk, and only some run at once: a storm of log-ins waits for
//! itself and not the desk for it. Who goes first is decided at the [`crate::door`].

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use argon2::{
    Argon2, Block,
    password_hash::{
        PasswordHasher, PasswordVerifier,
        phc::{Output, PasswordHash},
    },
};
use rand::{Rng, distr::Alphanumeric};
use rustix::process::setpriority_process;
use tokio::sync::oneshot;

use crate::turns::{Turns, is_stranger};

/// Half of the machine, for the other half is the desk's.
static TURNS: LazyLock<Turns> = LazyLock::new(turns);

fn turns() -> Turns {
    let cores = thread::available_parallelism().map_or(2, std::num::NonZero::get);
    Turns::of((cores / 2).max(1))
}

/// Who is not known here needs a turn of these first, and it rests as long as it worked: guesses may take half of the time.
static TURNS_OF_STRANGERS: LazyLock<Turns> = LazyLock::new(turns);

/// How [`hash`] begins: argon2id with the parameters of [`Argon2::default`].
const OURS: &str = "$argon2id$v=19$m=19456,t=2,p=1$";

/// Memory for checks is kept for so long after the last one.
const KEPT: Duration = Duration::from_secs(5);

/// As `nice` has it: a third of what a thread at the desk gets when both want a processor.
const NICE: i32 = 5;

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
    let turn_of_stranger = match is_stranger() {
        true => Some(TURNS_OF_STRANGERS.take().await),
        false => None,
    };
    let turn = TURNS.take().await;
    let (give, done) = oneshot::channel();
    // The turns are the thread's: it works on when nobody waits for it any longer.
    let working = move || {
        // Of this thread alone. Where it is refused, passwords are checked as fast as anything else is done.
        let _ = setpriority_process(None, NICE);
        let began = Instant::now();
        let _ = give.send(catch_unwind(AssertUnwindSafe(work)));
        drop(turn);
        if turn_of_stranger.is_some() {
            thread::sleep(began.elapsed());
        }
    };
    let thread = thread::Builder::new().name("password".into());
    thread.spawn(working).expect("the system gives a thread");
    let done = done.await.expect("the thread answers");
    done.unwrap_or_else(|panicked| resume_unwind(panicked))
}

fn hash_now(password: &str) -> String {
    Argon2::default()
        .hash_password(password.as_bytes())
        .map(|hash| hash.to_string())
        .expect("argon2's own parameters fit it")
}

fn matches_now(password: &str, text: &str) -> bool {
    let Ok(hash) = PasswordHash::new(text) else {
        return false;
    };
    let (argon2, password) = (Argon2::default(), password.as_bytes());
    match (&hash.salt, &hash.hash) {
        (Some(salt), Some(expected)) if text.starts_with(OURS) => with_memory(|memory| {
            let mut found = vec![0; expected.as_bytes().len()];
            let hashed = argon2.hash_password_into_with_memory(password, salt, &mut found, memory);
            hashed.is_ok() && Output::new(&found).is_ok_and(|found| found == *expected)
        }),
        _ => argon2.verify_password(password, &hash).is_ok(),
    }
}

/// Lends the memory of a check that is over. Each check with memory of its own would have the next one begin before the
/// system has taken that back, and a storm of them take many times 19 MB.
fn with_memory<T>(work: impl FnOnce(&mut [Block]) -> T) -> T {
    let lent = spare().pop().map(|(memory, _)| memory);
    let new = || vec![Block::default(); Argon2::default().params().block_count()];
    let mut memory = lent.unwrap_or_else(new);
    let done = work(&mut memory);
    spare().push((memory, Instant::now()));
    done
}

fn spare() -> MutexGuard<'static, Vec<(Vec<Block>, Instant)>> {
    static SPARE: Mutex<Vec<(Vec<Block>, Instant)>> = Mutex::new(Vec::new());
    SPARE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives back the memory that no check has used for some seconds.
pub fn free_spare_memory() {
    spare().retain(|(_, used)| used.elapsed() < KEPT);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_password_itself_matches_and_no_two_hashes_are_alike() {
        let stored = hash("a long secret").await;
        assert!(stored.starts_with(OURS));
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
