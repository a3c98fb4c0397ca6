//! The door limits password and PIN checks. A check deliberately costs a core 20 ms, so strangers who guess must not
//! delay known users or each other. The database counts failures that block a user ([`crate::sign_in`]); this module
//! limits attempts per client, in memory, in each process.
//!
//! - Users who have signed in from an address before are served first there, whatever the failures of others.
//! - Failures of an address and of a user name expire within a minute; clients with too many are turned away. This
//!   machine's own address has no limit: it may stand for all clients of a proxy that does not forward their addresses.
//! - Only a limited number of checks run at once, fewest of them for addresses with many failures.

use std::{
    collections::HashMap,
    future::Future,
    hash::{BuildHasher, RandomState},
    net::{IpAddr, Ipv6Addr},
    sync::{Mutex, MutexGuard, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

use crate::turns::{Rank, at_rank};

/// How long a successful user is remembered.
const REMEMBERED: SignedDuration = SignedDuration::from_hours(7 * 24);
/// Consecutive failures after which a user is no longer known.
const FORGOTTEN_AFTER: u32 = 5;
/// Number of failures that make an address troublesome.
const A_LOT: f64 = 5.0;
/// Maximum number of entries of each kind. Beyond it, the least important ones are dropped.
const REMEMBERED_AT_MOST: usize = 50_000;

/// Limits of attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Failures per address and minute.
    pub of_address: u32,
    /// Failures per user name and minute.
    pub of_user: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self { of_address: 60, of_user: 20 }
    }
}

/// The client of a check.
#[derive(Debug, Clone, Copy)]
pub struct Visitor<'v> {
    pub tenant: &'v str,
    /// The name or id of the user.
    pub name: &'v str,
    /// The client's address, if known.
    pub address: Option<IpAddr>,
}

/// The result of a password check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Right,
    Wrong,
    /// The password could not be checked.
    Unknown,
}

/// Why a client is turned away without a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TurnedAway {
    /// The client, or others with that user name, have failed too often.
    #[error("Too many failed log-ins from this address or with this user name; try again later")]
    TooManyFailures,
    /// Too many checks are under way.
    #[error("Too many log-ins at once; try again in a moment")]
    TooMany,
}

/// How well the client of a check is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Known,
    Stranger,
    /// A stranger from an address with many failures.
    Troublesome,
}

impl Standing {
    /// How many of them may be checked at once.
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
    /// Successful users, by tenant, user name and address.
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

/// A count of failures that expires, as of an instant.
#[derive(Debug, Clone, Copy)]
struct Failures {
    count: f64,
    at: Timestamp,
    /// Number that expire per second.
    pace: f64,
}

impl Failures {
    fn left(&self, now: Timestamp) -> f64 {
        let seconds = now.duration_since(self.at).as_secs_f64().max(0.0);
        (self.count - seconds * self.pace).max(0.0)
    }
}

/// The keys under which a client is recorded.
#[derive(Debug, Clone, Copy)]
struct Keys {
    known: u64,
    user: u64,
    /// `None` for this machine.
    address: Option<u64>,
}

/// A check under way. A client that leaves without a verdict has failed: otherwise guessers would not wait for the
/// answer.
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
    pub fn new(limits: Limits) -> Self {
        Self { limits, hasher: RandomState::new(), notes: Mutex::default() }
    }

    /// Runs a password check and records its verdict.
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
        let Visitor { tenant, name, address } = visitor;
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
        } else if of_address >= f64::from(self.limits.of_address) || of_user >= f64::from(self.limits.of_user) {
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
        // Both are below their limits, which fit this type.
        let failures = (of_user + of_address) as Rank;
        let rank = if standing == Standing::Known { 0 } else { 1 + failures };
        Ok(Inside { door: self, keys, standing, rank, now, verdict: Verdict::Wrong })
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        let Limits { of_address, of_user } = self.door.limits;
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
        self.failures.get(&key).map_or(0.0, |failures| failures.left(now))
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
        let failures = Failures { count, at: now, pace };
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
        let known = Known { came_in: now, failed_since: 0 };
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

/// The network of a client as far as clients are distinguished: the owner of an IPv6 address has 2^64 of them.
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
mod tests;
