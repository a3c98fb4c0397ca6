//! What a patron may not do, by hand and by condition, as a terminal shows it.

use circulation::{
    check_out::ManualBlock,
    configuration::Configuration,
    patron_blocks::{self, Standing, automated_blocks},
    records::Patron,
};
use serde_json::Value;

/// What a patron may not do, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks {
    /// Borrow.
    pub borrowing: bool,
    /// Prolong.
    pub renewals: bool,
    /// Request.
    pub requests: bool,
    /// Places of further flags in a patron's status.
    pub reasons: Vec<usize>,
    /// For the patron's screen.
    pub messages: Vec<String>,
}

impl Blocks {
    /// Adds those that staff and terminals have set.
    pub fn add_manual(&mut self, blocks: &Value, now: jiff::Timestamp) {
        for record in blocks.as_array().into_iter().flatten() {
            let block: ManualBlock = serde_json::from_value(record.clone()).unwrap_or_default();
            if block.is_expired(now) || !(block.borrowing || block.renewals || block.requests) {
                continue;
            }
            self.add(block.borrowing, block.renewals, block.requests);
            let message = record["patronMessage"].as_str().unwrap_or_default();
            self.say(message);
        }
    }

    /// Adds those that the patron's loans and debts bring.
    pub fn add_automated(
        &mut self,
        standing: &Standing,
        patron: &Patron,
        configuration: &Configuration,
        now: jiff::Timestamp,
    ) {
        for block in automated_blocks(standing, patron.patron_group, configuration, now) {
            self.add(
                block.block_borrowing,
                block.block_renewals,
                block.block_requests,
            );
            self.reasons
                .extend(places_of(block.patron_block_condition_id));
            self.say(block.message.as_deref().unwrap_or_default());
        }
    }

    fn add(&mut self, borrowing: bool, renewals: bool, requests: bool) {
        self.borrowing |= borrowing;
        self.renewals |= renewals;
        self.requests |= requests;
    }

    fn say(&mut self, message: &str) {
        let message = message.trim();
        if !message.is_empty() && !self.messages.iter().any(|known| known == message) {
            self.messages.push(message.to_owned());
        }
    }

    /// Something is forbidden.
    #[must_use]
    pub fn any(&self) -> bool {
        self.borrowing || self.renewals || self.requests
    }

    /// The fourteen flags of a patron's status.
    #[must_use]
    pub fn flags(&self) -> String {
        let mut flags = [' '; 14];
        let denied = [self.borrowing, self.renewals, self.requests, self.requests];
        let denied = denied.iter().enumerate().filter(|(_, denied)| **denied);
        let places = denied
            .map(|(place, _)| place)
            .chain(self.reasons.iter().copied());
        for place in places {
            flags[place] = 'Y';
        }
        flags.iter().collect()
    }
}

/// The flags that tell why a condition blocks: 5 too many items, 6 overdue, 9 lost, 10 and 11 to pay, 12 recalled.
fn places_of(condition: uuid::Uuid) -> &'static [usize] {
    match condition {
        patron_blocks::ITEMS_CHARGED_OUT => &[5],
        patron_blocks::OVERDUE_ITEMS => &[6],
        patron_blocks::LOST_ITEMS => &[9],
        patron_blocks::FEE_BALANCE => &[10, 11],
        patron_blocks::OVERDUE_RECALLS | patron_blocks::RECALL_OVERDUE_DAYS => &[12],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn now() -> jiff::Timestamp {
        "2026-11-22T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn flags_say_what_is_denied_and_why() {
        let none = Blocks::default();
        assert_eq!(none.flags(), " ".repeat(14));
        let all = Blocks {
            borrowing: true,
            renewals: true,
            requests: true,
            reasons: places_of(patron_blocks::FEE_BALANCE).to_vec(),
            messages: Vec::new(),
        };
        assert_eq!(all.flags(), "YYYY      YY  ");
        let renewals = Blocks {
            renewals: true,
            ..Blocks::default()
        };
        assert_eq!(renewals.flags(), " Y            ");
    }

    #[test]
    fn blocks_that_are_over_or_forbid_nothing_do_not_count() {
        let mut blocks = Blocks::default();
        let records = json!([
            {"borrowing": true, "expirationDate": "2026-11-01T00:00:00Z", "patronMessage": "over"},
            {"patronMessage": "only told"},
            {"requests": true, "patronMessage": "Come to the desk", "desc": "for the staff"},
            {"requests": true, "patronMessage": "Come to the desk"},
        ]);
        blocks.add_manual(&records, now());
        let expected = Blocks {
            requests: true,
            messages: vec!["Come to the desk".to_owned()],
            ..Blocks::default()
        };
        assert_eq!(blocks, expected);
        assert_eq!(blocks.flags(), "  YY          ");
    }
}
