//! The last change that terminals made to each item or patron. A terminal that loses its connection before the answer
//! reconnects and repeats the message with another sequence number. If the item or patron was not changed in between,
//! and the message is recent and otherwise the same, it gets the old answer and the change is not made twice. This
//! applies to messages with sequence numbers and to payments.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use jiff::{Timestamp, tz::TimeZone};
use sip2::{Kind, Message, Part, Received, field};

use crate::{answers::changes_something, station::Station};

/// Terminals give up repeating sooner than this.
const REMEMBERED: Duration = Duration::from_secs(300);
const AT_MOST: usize = 5_000;
/// How wrong a terminal's clock may be, in seconds. A message with an older date is not taken for a repetition.
const WRONG_CLOCK: i64 = 600;

#[derive(Debug, Default)]
pub(crate) struct Recent {
    last: Mutex<HashMap<Subject, Change>>,
}

/// The terminals of one user at one service point, and the item or else the patron that a message is about.
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
    /// The earlier answer to the same message.
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

    /// Remembers a change.
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
        let change = Change { when: now, message: message.clone(), answer: answer.clone() };
        last.insert(subject(station, message), change);
    }

    fn last(&self) -> MutexGuard<'_, HashMap<Subject, Change>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the message's own date, local in `zone`, is about now.
pub(crate) fn is_of_now(message: &Message, now: Timestamp, zone: &TimeZone) -> bool {
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
        Station { tenant: "library".into(), user: Uuid::from_u128(user), service_point: Uuid::nil() }
    }

    const CHECK_OUT: &str = "11YN20261122    120000                  AO|AAreader|ABbook|AC|";

    #[test]
    fn the_last_change_of_an_item_is_remembered_for_five_minutes() {
        let answer = received("941").message;
        let now = Instant::now();
        let numbered = format!("{CHECK_OUT}AY3");
        for (asked, user, later, remembered) in [
            (numbered.clone(), 1, 0, true),
            (numbered.clone(), 1, 299, true),
            (numbered.clone(), 1, 300, false),
            (numbered.clone(), 2, 0, false),
            (numbered.replace("reader", "other"), 1, 0, false),
            (numbered.replace("120000", "120001"), 1, 0, false),
            (CHECK_OUT.to_owned(), 1, 0, false),
        ] {
            let recent = Recent::default();
            recent.remember(&station(1), &received(CHECK_OUT).message, &answer, now);
            let at = now + Duration::from_secs(later);
            let found = recent.answer(&station(user), &received(&asked), at);
            assert_eq!(found.is_some(), remembered, "{asked} by {user} after {later} s");
        }
    }

    #[test]
    fn a_change_undone_in_between_is_made_again() {
        let check_out = received(&format!("{CHECK_OUT}AY1"));
        let check_in = received("09N20261122    12000020261122    120000AP|AO|ABbook|AC|AY2");
        let (recent, now, station) = (Recent::default(), Instant::now(), station(1));
        recent.remember(&station, &check_out.message, &check_out.message, now);
        assert!(recent.answer(&station, &check_out, now).is_some());
        recent.remember(&station, &check_in.message, &check_in.message, now);
        assert!(recent.answer(&station, &check_out, now).is_none());
    }

    #[test]
    fn only_a_current_date_makes_a_repetition() {
        let message = received(CHECK_OUT).message;
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        for (now, fresh) in [
            ("2026-11-22T11:00:05Z", true),
            ("2026-11-22T10:55:00Z", true),
            ("2026-11-22T12:00:00Z", false),
            ("2027-11-22T11:00:00Z", false),
        ] {
            assert_eq!(is_of_now(&message, now.parse().unwrap(), &zone), fresh, "{now}");
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
