//! The door everybody passes who gives a password or a PIN. Checking one costs a core 20 ms on purpose, so strangers who
//! guess must keep neither those waiting who are known here nor each other. The database counts what makes a user blocked
//! ([`crate::sign_in`]); this counts what a client may try at all, in memory, each process for itself.
//!
//! - Who has come in from an address before is served first there, and no failure of others stands in the way.
//! - The failures of an address, and those with a user name, run out in a minute; who has too many is turned away. This
//!   machine's own address has no such limit: behind it are all clients of a proxy that does not say where they are.
//! - Only so many are inside at once, fewest of those from addresses that fail a lot.

use std::{
    collections::HashMap,
    future::Future,
    hash::{BuildHasher, RandomState},
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

use crate::turns::{Rank, at_rank};

/// How long somebody is remembered who came in.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(7 * 24);
/// After so many failures in a row nobody is known any longer.
const FORGOTTEN_AFTER: u32 = 5;
/// An address with so many failures fails a lot.
const A_LOT: f64 = 5.0;
/// How many are remembered of each kind. With more, those with the least to remember are forgotten.
const REMEMBERED_AT_MOST: usize = 50_000;

/// What a client may try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Failures of an address in a minute.
    pub of_address: u32,
    /// Failures with a user name in a minute.
    pub of_user: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            of_address: 60,
            of_user: 20,
        }
    }
}

/// Who wants to come in.
#[derive(Debug, Clone, Copy)]
pub struct Visitor<'v> {
    /// The tenant.
    pub tenant: &'v str,
    /// The name or id of the user.
    pub name: &'v str,
    /// Where the client is, as far as known.
    pub address: Option<IpAddr>,
}

/// What came of checking a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is right.
    Right,
    /// It is wrong.
    Wrong,
    /// It could not be checked.
    Unknown,
}

/// Why a client is turned away before its password is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TurnedAway {
    /// It, or others with that user name, have failed too often.
    #[error("Too many failed log-ins from this address or with this user name; try again later")]
    TooManyFailures,
    /// Too many are being checked.
    #[error("Too many log-ins at once; try again in a moment")]
    TooMany,
}

/// Who is inside for a check, by how they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Known,
    Stranger,
    /// A stranger from an address that fails a lot.
    Troublesome,
}

impl Standing {
    /// How many of them are inside at once.
    fn most(self) -> usize {
        match self {
            Self::Known => 1024,
            Self::Stranger => 256,
            Self::Troublesome => 32,
        }
    }
}

/// The door of a process.
#[derive(Debug)]
pub struct Door {
    limits: Limits,
    hasher: RandomState,
    notes: Mutex<Notes>,
}

#[derive(Debug, Default)]
struct Notes {
    /// Those who came in, by tenant, user name and address.
    known: HashMap<u64, Known>,
    /// Failures by address, and by tenant and user name.
    failures: HashMap<u64, Failures>,
    inside: [usize; 3],
}

#[derive(Debug, Clone, Copy)]
struct Known {
    came_in: Timestamp,
    failed_since: u32,
}

/// Failures that run out: what was counted at an instant.
#[derive(Debug, Clone, Copy)]
struct Failures {
    count: f64,
    at: Timestamp,
    /// How many run out in a second.
    pace: f64,
}

impl Failures {
    fn left(&self, now: Timestamp) -> f64 {
        let seconds = now.duration_since(self.at).as_secs_f64().max(0.0);
        (self.count - seconds * self.pace).max(0.0)
    }
}

/// What a visitor is noted by.
#[derive(Debug, Clone, Copy)]
struct Keys {
    known: u64,
    user: u64,
    /// Nothing for this machine.
    address: Option<u64>,
}

/// Somebody inside. Who leaves without a verdict has failed: a client that does not wait for its refusal has had one.
struct Inside<'d> {
    door: &'d Door,
    keys: Keys,
    standing: Standing,
    rank: Rank,
    now: Timestamp,
    verdict: Verdict,
}

impl Default for Door {
    fn default() -> Self {
        Self::new(Limits::default())
    }
}

impl Door {
    /// A door at which nobody is known yet.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self {
            limits,
            hasher: RandomState::new(),
            notes: Mutex::default(),
        }
    }

    /// Lets a visitor's password be checked, and notes what came of it.
    ///
    /// # Errors
    /// [`TurnedAway`]; then nothing was checked.
    pub async fn pass<T>(
        &self,
        visitor: Visitor<'_>,
        now: Timestamp,
        check: impl Future<Output = T>,
        verdict: impl FnOnce(&T) -> Verdict,
    ) -> Result<T, TurnedAway> {
        let mut inside = self.enter(visitor, now)?;
        let outcome = at_rank(inside.rank, check).await;
        inside.verdict = verdict(&outcome);
        Ok(outcome)
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keys(&self, visitor: Visitor<'_>) -> Keys {
        let Visitor {
            tenant,
            name,
            address,
        } = visitor;
        let name = name.to_lowercase();
        let network = address.map(network);
        let address = network.filter(|address| !address.is_loopback());
        Keys {
            known: self.hasher.hash_one((tenant, &name, network)),
            user: self.hasher.hash_one((tenant, &name)),
            address: address.map(|address| self.hasher.hash_one(address)),
        }
    }

    fn enter(&self, visitor: Visitor<'_>, now: Timestamp) -> Result<Inside<'_>, TurnedAway> {
        let keys = self.keys(visitor);
        let mut notes = self.notes();
        let of_user = notes.failed(keys.user, now);
        let of_address = keys.address.map_or(0.0, |key| notes.failed(key, now));
        let standing = if notes.knows(keys.known, now) {
            Standing::Known
        } else if of_address >= f64::from(self.limits.of_address)
            || of_user >= f64::from(self.limits.of_user)
        {
            return Err(TurnedAway::TooManyFailures);
        } else if of_address.max(of_user) >= A_LOT {
            Standing::Troublesome
        } else {
            Standing::Stranger
        };
        let inside = &mut notes.inside[standing as usize];
        if *inside >= standing.most() {
            return Err(TurnedAway::TooMany);
        }
        *inside += 1;
        // Both are below their limits, which are numbers of this size.
        let failures = (of_user + of_address) as Rank;
        let rank = if standing == Standing::Known {
            0
        } else {
            1 + failures
        };
        Ok(Inside {
            door: self,
            keys,
            standing,
            rank,
            now,
            verdict: Verdict::Wrong,
        })
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let Limits {
            of_address,
            of_user,
        } = self.door.limits;
        let mut notes = self.door.notes();
        notes.inside[self.standing as usize] -= 1;
        match self.verdict {
            Verdict::Unknown => {}
            Verdict::Right => notes.greet(self.keys.known, self.now),
            Verdict::Wrong => {
                notes.fail(self.keys.user, of_user, self.now);
                if let Some(address) = self.keys.address {
                    notes.fail(address, of_address, self.now);
                }
                notes.doubt(self.keys.known);
            }
        }
    }
}

impl Notes {
    fn failed(&self, key: u64, now: Timestamp) -> f64 {
        self.failures
            .get(&key)
            .map_or(0.0, |failures| failures.left(now))
    }

    fn fail(&mut self, key: u64, limit: u32, now: Timestamp) {
        if self.failures.len() >= REMEMBERED_AT_MOST {
            self.failures.retain(|_, failures| failures.left(now) > 1.0);
            if self.failures.len() >= REMEMBERED_AT_MOST {
                self.failures.clear();
            }
        }
        let count = self.failed(key, now) + 1.0;
        let pace = f64::from(limit) / 60.0;
        let failures = Failures {
            count,
            at: now,
            pace,
        };
        self.failures.insert(key, failures);
    }

    fn knows(&self, key: u64, now: Timestamp) -> bool {
        let known = self.known.get(&key);
        known.is_some_and(|known| now.duration_since(known.came_in) < REMEMBERED)
    }

    fn greet(&mut self, key: u64, now: Timestamp) {
        if self.known.len() >= REMEMBERED_AT_MOST && !self.known.contains_key(&key) {
            let since = |known: &Known| now.duration_since(known.came_in);
            self.known.retain(|_, known| since(known) < REMEMBERED / 7);
            if self.known.len() >= REMEMBERED_AT_MOST {
                self.known.clear();
            }
        }
        let known = Known {
            came_in: now,
            failed_since: 0,
        };
        self.known.insert(key, known);
    }

    fn doubt(&mut self, key: u64) {
        if let Some(known) = self.known.get_mut(&key) {
            known.failed_since += 1;
            if known.failed_since >= FORGOTTEN_AFTER {
                self.known.remove(&key);
            }
        }
    }
}

/// Where a client is, as far as it is told apart from others: who has an IPv6 address has 2^64 of them.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) if !v6.is_loopback() => {
            let [a, b, c, d, ..] = v6.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + second).unwrap()
    }

    fn visitor(name: &'static str, address: [u8; 4]) -> Visitor<'static> {
        Visitor {
            tenant: "diku",
            name,
            address: Some(address.into()),
        }
    }

    const HERE: [u8; 4] = [192, 0, 2, 1];
    const THERE: [u8; 4] = [198, 51, 100, 1];

    async fn tries(
        door: &Door,
        who: Visitor<'_>,
        second: i64,
        verdict: Verdict,
    ) -> Result<(), TurnedAway> {
        door.pass(who, at(second), async {}, |()| verdict).await
    }

    #[tokio::test]
    async fn an_address_that_fails_too_often_is_turned_away_for_a_while() {
        let door = Door::new(Limits {
            of_address: 6,
            of_user: 100,
        });
        let names = ["a", "b", "c", "d", "e", "f"];
        for name in names {
            tries(&door, visitor(name, HERE), 0, Verdict::Wrong)
                .await
                .unwrap();
        }
        let refused = tries(&door, visitor("g", HERE), 0, Verdict::Right).await;
        assert_eq!(refused, Err(TurnedAway::TooManyFailures));
        tries(&door, visitor("a", THERE), 0, Verdict::Right)
            .await
            .unwrap();
        tries(&door, visitor("g", HERE), 11, Verdict::Right)
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn guesses_at_one_user_from_everywhere_are_limited_and_the_user_comes_in() {
        let door = Door::new(Limits {
            of_address: 100,
            of_user: 6,
        });
        tries(&door, visitor("Ada", HERE), 0, Verdict::Right)
            .await
            .unwrap();
        for last in 1..=6 {
            let guess = visitor("ada", [198, 51, 100, last]);
            tries(&door, guess, 1, Verdict::Wrong).await.unwrap();
        }
        let refused = tries(&door, visitor("ada", [198, 51, 100, 7]), 1, Verdict::Wrong).await;
        assert_eq!(refused, Err(TurnedAway::TooManyFailures));
        tries(&door, visitor("ada", HERE), 1, Verdict::Right)
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn good_log_ins_do_not_count_and_failures_that_could_not_be_checked_neither() {
        let door = Door::new(Limits {
            of_address: 2,
            of_user: 2,
        });
        for _ in 0..100 {
            tries(&door, visitor("ada", HERE), 0, Verdict::Right)
                .await
                .unwrap();
            tries(&door, visitor("grace", HERE), 0, Verdict::Unknown)
                .await
                .unwrap();
        }
    }

    #[tokio::test]
    async fn this_machine_has_no_limit_by_address() {
        let door = Door::new(Limits {
            of_address: 2,
            of_user: 100,
        });
        for _ in 0..50 {
            let proxy = visitor("ada", [127, 0, 0, 1]);
            tries(&door, proxy, 0, Verdict::Wrong).await.unwrap();
        }
    }

    #[tokio::test]
    async fn who_is_known_is_a_stranger_again_after_failures_or_a_week() {
        let door = Door::new(Limits {
            of_address: 100,
            of_user: 4,
        });
        let rank = |second| {
            let entered = door.enter(visitor("ada", HERE), at(second));
            entered.map(|mut inside| {
                inside.verdict = Verdict::Unknown;
                inside.rank
            })
        };
        tries(&door, visitor("ada", HERE), 0, Verdict::Right)
            .await
            .unwrap();
        assert_eq!(rank(1), Ok(0));
        assert_eq!(rank(8 * 24 * 3600), Ok(1));
        for _ in 0..5 {
            tries(&door, visitor("ada", HERE), 1, Verdict::Wrong)
                .await
                .unwrap();
        }
        assert_eq!(rank(1), Err(TurnedAway::TooManyFailures));
    }

    #[tokio::test]
    async fn few_strangers_are_inside_when_their_address_fails_a_lot() {
        let door = Door::new(Limits {
            of_address: 60,
            of_user: 60,
        });
        let guess = visitor("ada", HERE);
        for _ in 0..6 {
            tries(&door, guess, 0, Verdict::Wrong).await.unwrap();
        }
        let mut inside = Vec::new();
        let full = loop {
            match door.enter(guess, at(0)) {
                Ok(entered) => inside.push(entered),
                Err(turned_away) => break turned_away,
            }
        };
        assert_eq!((full, inside.len()), (TurnedAway::TooMany, 32));
        let stranger = door.enter(visitor("grace", THERE), at(0)).unwrap();
        assert!(stranger.rank < inside[0].rank);
        // Who goes away before the answer has failed.
        let before = door.notes().failed(door.keys(guess).user, at(0));
        drop(inside);
        assert_eq!(
            door.notes().failed(door.keys(guess).user, at(0)),
            before + 32.0
        );
    }

    #[tokio::test]
    async fn memory_is_bounded() {
        let door = Door::new(Limits {
            of_address: 100,
            of_user: 100,
        });
        for number in 0..60_000_u32 {
            let name = number.to_string();
            let address = Some(IpAddr::from(number.to_be_bytes()));
            let who = Visitor {
                tenant: "diku",
                name: &name,
                address,
            };
            door.pass(who, at(0), async {}, |()| Verdict::Wrong)
                .await
                .unwrap();
            door.pass(who, at(0), async {}, |()| Verdict::Right)
                .await
                .unwrap();
        }
        let notes = door.notes();
        assert!(notes.failures.len() <= REMEMBERED_AT_MOST + 1);
        assert!(notes.known.len() <= REMEMBERED_AT_MOST);
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
