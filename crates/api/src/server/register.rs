//! The open connections of a port, up to its limit. Above the limit, the connection that has been silent longest is
//! closed for a new one; if all are busy, the new client is asked to retry later.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use identity::door::network;

use super::activity::{Activity, Phase};
use crate::connection::{AT_ONCE, Bounds};

/// How often the log reports that the limit is reached.
const SAID_AGAIN_AFTER: Duration = Duration::from_secs(30);

pub(super) struct Register {
    port: &'static str,
    bounds: Bounds,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    entries: HashMap<u64, Entry>,
    /// Connections served, per network.
    of: HashMap<IpAddr, usize>,
    /// Connections served.
    staying: usize,
    said: Option<Instant>,
}

struct Entry {
    network: IpAddr,
    activity: Arc<Activity>,
    /// Asked to close, or only refused because of the limit.
    passing: bool,
}

/// The decision on a new connection.
pub(super) enum Admission {
    Served(Place),
    /// Refused because of the limit.
    Crowded(Place),
    /// Closed without a response.
    TurnedAway,
}

/// A connection's entry among the open ones.
pub(super) struct Place {
    register: Arc<Register>,
    number: u64,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.register.lock();
        open.leave(self.number);
        open.entries.remove(&self.number);
        metrics::gauge!("carrel_http_connections", "port" => self.register.port).decrement(1.0);
    }
}

impl Register {
    pub(super) fn new(port: &'static str, bounds: Bounds) -> Arc<Self> {
        let open = Mutex::default();
        Arc::new(Self { port, bounds, open })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has_no_place(&self, open: &Open) -> bool {
        open.entries.len() >= self.bounds.all + Bounds::above(self.bounds.all)
    }

    /// True if new connections are turned away until another closes.
    pub(super) fn is_full(&self) -> bool {
        self.has_no_place(&self.lock())
    }

    pub(super) fn admit(self: &Arc<Self>, address: IpAddr, activity: &Arc<Activity>) -> Admission {
        let network = network(address);
        let mut open = self.lock();
        let of_one = open.of.get(&network).copied().unwrap_or(0);
        let room = if of_one >= self.bounds.of_one {
            open.make_room(Some(network))
        } else if open.staying >= self.bounds.all {
            open.make_room(None)
        } else {
            true
        };
        if !room {
            metrics::counter!("carrel_http_turned_away_total", "port" => self.port).increment(1);
            open.say(self);
        }
        if self.has_no_place(&open) {
            return Admission::TurnedAway;
        }
        let number = open.next;
        open.next += 1;
        let entry = Entry { network, activity: Arc::clone(activity), passing: !room };
        open.entries.insert(number, entry);
        metrics::gauge!("carrel_http_connections", "port" => self.port).increment(1.0);
        let register = Arc::clone(self);
        let place = Place { register, number };
        if !room {
            return Admission::Crowded(place);
        }
        open.staying += 1;
        *open.of.entry(network).or_default() += 1;
        Admission::Served(place)
    }
}

impl Open {
    /// Asks the connections silent longest to close, those of one network or of all. Returns false if all are busy.
    /// Connections that have had a response stay longer than those without any request.
    fn make_room(&mut self, of: Option<IpAddr>) -> bool {
        let mut waiting: Vec<(Phase, Instant, u64)> = self
            .entries
            .iter()
            .filter(|(_, entry)| !entry.passing && of.is_none_or(|of| entry.network == of))
            .map(|(number, entry)| (entry.activity.now(), *number))
            .filter(|((phase, _), _)| *phase != Phase::Busy)
            .map(|((phase, since), number)| (phase, since, number))
            .collect();
        waiting.sort_unstable();
        let Some((phase, ..)) = waiting.first().copied() else {
            return false;
        };
        let many = match phase {
            Phase::Silent => waiting.len().div_ceil(AT_ONCE),
            _ => 1,
        };
        let alike = waiting.iter().take(many).filter(|(other, ..)| *other == phase);
        for (.., number) in alike {
            self.leave(*number);
            if let Some(entry) = self.entries.get(number) {
                entry.activity.send_away();
            }
        }
        true
    }

    /// Stops counting the connection.
    fn leave(&mut self, number: u64) {
        let Some(entry) = self.entries.get_mut(&number) else {
            return;
        };
        if std::mem::replace(&mut entry.passing, true) {
            return;
        }
        self.staying -= 1;
        if let Some(count) = self.of.get_mut(&entry.network) {
            *count -= 1;
            if *count == 0 {
                self.of.remove(&entry.network);
            }
        }
    }

    fn say(&mut self, register: &Register) {
        if self.said.is_some_and(|said| said.elapsed() < SAID_AGAIN_AFTER) {
            return;
        }
        self.said = Some(Instant::now());
        let Bounds { all, of_one } = register.bounds;
        tracing::warn!(
            port = register.port,
            all,
            of_one,
            "too many connections at once; more are told to come again. The settings http_connections and \
             http_connections_per_address allow more"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::CROWDED;

    fn at(last: u8) -> IpAddr {
        [192, 0, 2, last].into()
    }

    fn register(all: usize, of_one: usize) -> Arc<Register> {
        Register::new("test", Bounds { all, of_one })
    }

    fn served(register: &Arc<Register>, address: IpAddr) -> (Arc<Activity>, Place) {
        let activity = Activity::new();
        match register.admit(address, &activity) {
            Admission::Served(place) => (activity, place),
            _ => panic!("no place"),
        }
    }

    async fn is_sent_away(activity: &Activity) -> bool {
        let now = tokio::time::timeout(Duration::ZERO, activity.sent_away());
        now.await.is_ok()
    }

    #[tokio::test]
    async fn the_silent_make_room_before_those_who_have_asked_something() {
        let register = register(3, 3);
        let (kept, _one) = served(&register, at(1));
        drop(kept.begin(true));
        let (busy, _two) = served(&register, at(1));
        let _working = busy.begin(true);
        let (silent, _three) = served(&register, at(1));
        let (_, _four) = served(&register, at(2));
        assert!(is_sent_away(&silent).await);
        assert!(!is_sent_away(&kept).await && !is_sent_away(&busy).await);
    }

    #[tokio::test]
    async fn when_all_are_busy_who_comes_is_told_so_and_then_turned_away() {
        let register = register(1, 1);
        let (busy, place) = served(&register, at(1));
        let working = busy.begin(true);
        let mut crowd = Vec::new();
        while let Admission::Crowded(place) = register.admit(at(2), &Activity::new()) {
            crowd.push(place);
        }
        assert_eq!(crowd.len(), CROWDED + 1);
        drop((crowd, working, place));
        drop(served(&register, at(2)));
        assert_eq!(register.lock().entries.len(), 0);
        assert!(register.lock().of.is_empty());
    }

    #[tokio::test]
    async fn who_does_not_send_what_it_began_makes_room_last() {
        let register = register(2, 2);
        let (slow, _one) = served(&register, at(1));
        let _coming = slow.begin(false);
        let (kept, two) = served(&register, at(1));
        drop(kept.begin(true));
        drop(served(&register, at(2)));
        assert!(is_sent_away(&kept).await && !is_sent_away(&slow).await);
        drop(two);
        let (busy, _three) = served(&register, at(1));
        let _working = busy.begin(true);
        drop(served(&register, at(2)));
        assert!(is_sent_away(&slow).await);
    }

    #[tokio::test]
    async fn one_address_makes_room_for_itself_only() {
        let register = register(10, 2);
        let (other, _other) = served(&register, at(9));
        let (first, _first) = served(&register, at(1));
        let (_, _second) = served(&register, at(1));
        let (_, _third) = served(&register, at(1));
        assert!(is_sent_away(&first).await && !is_sent_away(&other).await);
    }
}
