//! What terminals have done last to each item or patron. A terminal that loses its connection before it has the answer
//! connects anew and asks again, with another sequence number: when nothing else was done to the same item or patron in
//! between, a message of just now that is the same in everything else is answered as before and not done twice. Only
//! messages with sequence numbers are repeated so, and payments.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use jiff::{Timestamp, tz::TimeZone};
use sip2::{Kind, Message, Part, Received, field};

use crate::{conversation::changes_something, station::Station};

/// Terminals do not ask for longer.
const REMEMBERED: Duration = Duration::from_secs(300);
/// So many are remembered at most.
const AT_MOST: usize = 5_000;
/// The clocks of terminals are wrong by so much at most; an older date is no sign that a message is a repetition.
const WRONG_CLOCK: i64 = 600;

/// The last change of each subject.
#[derive(Debug, Default)]
pub struct Recent {
    last: Mutex<HashMap<Subject, Change>>,
}

/// The terminals of one user at one service point, and the item, else the patron, that a message is about.
type Subject = (Station, Option<String>);

#[derive(Debug)]
struct Change {
    when: Instant,
    message: Message,
    answer: Message,
}

fn subject(station: &Station, message: &Message) -> Subject {
    let item = message.field(field::ITEM);
    let subject = item.or_else(|| message.field(field::PATRON));
    (station.clone(), subject.map(str::to_owned))
}

impl Recent {
    /// The answer that this message got already.
    pub fn answer(&self, station: &Station, received: &Received, now: Instant) -> Option<Message> {
        let message = &received.message;
        let counted = received.trailer.sequence.is_some() || message.kind == Kind::FeePaid;
        if !counted || !changes_something(message.kind) {
            return None;
        }
        let last = self.last();
        let change = last.get(&subject(station, message))?;
        let same = change.message == *message && now.duration_since(change.when) < REMEMBERED;
        same.then(|| change.answer.clone())
    }

    /// The message was done.
    pub fn remember(&self, station: &Station, message: &Message, answer: &Message, now: Instant) {
        if !changes_something(message.kind) {
            return;
        }
        let mut last = self.last();
        if last.len() >= AT_MOST {
            last.retain(|_, change| now.duration_since(change.when) < REMEMBERED);
        }
        if last.len() >= AT_MOST {
            last.clear();
        }
        let change = Change {
            when: now,
            message: message.clone(),
            answer: answer.clone(),
        };
        last.insert(subject(station, message), change);
    }

    fn last(&self) -> MutexGuard<'_, HashMap<Subject, Change>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The message is of just now by its own date, which is local in `zone`.
pub fn is_of_now(message: &Message, now: Timestamp, zone: &TimeZone) -> bool {
    let date = sip2::moment(message.part(Part::Date), zone);
    date.is_some_and(|date| now.duration_since(date).as_secs().abs() < WRONG_CLOCK)
}

#[cfg(test)]
mod tests {
    use sip2::Dialect;
    use uuid::Uuid;

    use super::*;

    fn received(text: &str) -> Received {
        Dialect::default().read(text.as_bytes()).unwrap()
    }

    fn station(user: u128) -> Station {
        Station {
            tenant: "library".into(),
            user: Uuid::from_u128(user),
            service_point: Uuid::nil(),
        }
    }

    const LEND: &str = "11YN20261122    120000                  AO|AAreader|ABbook|AC|";

    #[test]
    fn the_last_change_of_an_item_is_remembered_for_minutes() {
        let answer = received("941").message;
        let now = Instant::now();
        let numbered = format!("{LEND}AY3");
        for (asked, user, later, remembered) in [
            (numbered.clone(), 1, 0, true),
            (numbered.clone(), 1, 299, true),
            (numbered.clone(), 1, 300, false),
            (numbered.clone(), 2, 0, false),
            (numbered.replace("reader", "other"), 1, 0, false),
            (numbered.replace("120000", "120001"), 1, 0, false),
            (LEND.to_owned(), 1, 0, false),
        ] {
            let recent = Recent::default();
            recent.remember(&station(1), &received(LEND).message, &answer, now);
            let at = now + Duration::from_secs(later);
            let found = recent.answer(&station(user), &received(&asked), at);
            assert_eq!(
                found.is_some(),
                remembered,
                "{asked} by {user} after {later} s"
            );
        }
    }

    #[test]
    fn what_was_undone_in_between_is_done_again() {
        let lend = received(&format!("{LEND}AY1"));
        let take_back = received("09N20261122    12000020261122    120000AP|AO|ABbook|AC|AY2");
        let (recent, now, station) = (Recent::default(), Instant::now(), station(1));
        recent.remember(&station, &lend.message, &lend.message, now);
        assert!(recent.answer(&station, &lend, now).is_some());
        recent.remember(&station, &take_back.message, &take_back.message, now);
        assert!(recent.answer(&station, &lend, now).is_none());
    }

    #[test]
    fn only_a_date_of_just_now_makes_a_repetition() {
        let message = received(LEND).message;
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        for (now, fresh) in [
            ("2026-11-22T11:00:05Z", true),
            ("2026-11-22T10:55:00Z", true),
            ("2026-11-22T12:00:00Z", false),
            ("2027-11-22T11:00:00Z", false),
        ] {
            assert_eq!(
                is_of_now(&message, now.parse().unwrap(), &zone),
                fresh,
                "{now}"
            );
        }
        let undated = received("11YN                                    AO|AAreader|ABbook|");
        assert!(!is_of_now(&undated.message, Timestamp::UNIX_EPOCH, &zone));
    }

    #[test]
    fn memory_is_bounded() {
        let (recent, now, station) = (Recent::default(), Instant::now(), station(1));
        for number in 0..AT_MOST * 2 {
            let hold = received(&format!("15+20261122    120000AO|AA{number}|")).message;
            recent.remember(&station, &hold, &hold, now);
        }
        assert!(recent.last().len() <= AT_MOST);
    }
}
