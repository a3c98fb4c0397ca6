//! A patron's manual and automated blocks, as a terminal shows them.

use circulation::{
    blocks::{
        ManualBlock,
        automated::{self, Standing, automated_blocks},
    },
    configuration::{BlockLimit, Configuration},
    fees::money,
    records::Patron,
};
use rust_decimal::Decimal;
use serde_json::Value;
use sip2::{Code, field};
use uuid::Uuid;

/// The largest number that fits a field of four digits.
const MOST: Decimal = Decimal::from_parts(9_999, 0, 0, false, 0);

/// What a patron is blocked from, and why.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blocks {
    pub borrowing: bool,
    pub renewals: bool,
    pub requests: bool,
    /// Positions of further flags in the patron's status.
    pub reasons: Vec<usize>,
    /// Texts for the patron's screen.
    pub messages: Vec<String>,
}

impl Blocks {
    /// Adds the blocks that staff and terminals have set.
    pub(crate) fn add_manual(&mut self, blocks: &Value, now: jiff::Timestamp) {
        for record in blocks.as_array().into_iter().flatten() {
            let block: ManualBlock = serde_json::from_value(record.clone()).unwrap_or_default();
            if block.is_expired(now) || !(block.borrowing || block.renewals || block.requests) {
                continue;
            }
            self.add(block.borrowing, block.renewals, block.requests);
            let message = record["patronMessage"].as_str().unwrap_or_default();
            self.add_message(message);
        }
    }

    /// Adds the blocks that follow from the patron's loans and debts.
    pub(crate) fn add_automated(
        &mut self,
        standing: &Standing,
        patron: &Patron,
        configuration: &Configuration,
        now: jiff::Timestamp,
    ) {
        for block in automated_blocks(standing, patron.patron_group, configuration, now) {
            self.add(block.block_borrowing, block.block_renewals, block.block_requests);
            self.reasons.extend(places_of(block.patron_block_condition_id));
            self.add_message(block.message.as_deref().unwrap_or_default());
        }
    }

    fn add(&mut self, borrowing: bool, renewals: bool, requests: bool) {
        self.borrowing |= borrowing;
        self.renewals |= renewals;
        self.requests |= requests;
    }

    fn add_message(&mut self, message: &str) {
        let message = message.trim();
        if !message.is_empty() && !self.messages.iter().any(|known| known == message) {
            self.messages.push(message.to_owned());
        }
    }

    /// Whether anything is blocked.
    pub fn any(&self) -> bool {
        self.borrowing || self.renewals || self.requests
    }

    /// The fourteen flags of a patron's status.
    pub fn flags(&self) -> String {
        let mut flags = [' '; 14];
        let denied = [self.borrowing, self.renewals, self.requests, self.requests];
        let denied = denied.iter().enumerate().filter(|(_, denied)| **denied);
        let places = denied.map(|(place, _)| place).chain(self.reasons.iter().copied());
        for place in places {
            flags[place] = 'Y';
        }
        flags.iter().collect()
    }
}

/// The positions that show why a condition blocks: 5 too many items, 6 overdue, 9 lost, 10 and 11 owing, 12 recalled.
fn places_of(condition: Uuid) -> &'static [usize] {
    match condition {
        automated::ITEMS_CHARGED_OUT => &[5],
        automated::OVERDUE_ITEMS => &[6],
        automated::LOST_ITEMS => &[9],
        automated::FEE_BALANCE => &[10, 11],
        automated::OVERDUE_RECALLS | automated::RECALL_OVERDUE_DAYS => &[12],
        _ => &[],
    }
}

/// The limits of a patron group on overdue items, items on loan and debts, from the conditions that block something.
pub fn limits(group: Option<Uuid>, configuration: &Configuration) -> Vec<(Code, String)> {
    let blocks = |limit: &&BlockLimit| {
        let condition = configuration.block_conditions.get(&limit.condition_id);
        condition.is_some_and(|c| c.block_borrowing || c.block_renewals || c.block_requests)
    };
    let of_group = |limit: &&BlockLimit| Some(limit.patron_group_id) == group;
    let limits = configuration.block_limits.iter();
    let shown = limits.filter(of_group).filter(blocks).filter_map(|limit| {
        let value = limit.value?;
        let number = || format!("{:0>4}", value.trunc().clamp(Decimal::ZERO, MOST).to_string());
        match limit.condition_id {
            automated::OVERDUE_ITEMS => Some((field::OVERDUE_LIMIT, number())),
            automated::ITEMS_CHARGED_OUT => Some((field::CHARGED_LIMIT, number())),
            automated::FEE_BALANCE => Some((field::FEE_LIMIT, money::printed(value))),
            _ => None,
        }
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use circulation::configuration::BlockCondition;
    use serde_json::json;

    use super::*;

    fn now() -> jiff::Timestamp {
        "2026-11-22T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn flags_show_what_is_blocked_and_why() {
        let none = Blocks::default();
        assert_eq!(none.flags(), " ".repeat(14));
        let all = Blocks {
            borrowing: true,
            renewals: true,
            requests: true,
            reasons: places_of(automated::FEE_BALANCE).to_vec(),
            messages: Vec::new(),
        };
        assert_eq!(all.flags(), "YYYY      YY  ");
        let renewals = Blocks { renewals: true, ..Blocks::default() };
        assert_eq!(renewals.flags(), " Y            ");
    }

    #[test]
    fn limits_of_blocking_conditions_are_shown() {
        let (group, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mut configuration = Configuration::default();
        let limit = |patron_group_id, condition_id, value: &str| BlockLimit {
            patron_group_id,
            condition_id,
            value: value.parse().ok(),
        };
        configuration.block_limits = vec![
            limit(group, automated::OVERDUE_ITEMS, "7"),
            limit(group, automated::FEE_BALANCE, "12.5"),
            limit(group, automated::ITEMS_CHARGED_OUT, "100000"),
            limit(group, automated::LOST_ITEMS, "3"),
            limit(other, automated::OVERDUE_ITEMS, "8"),
        ];
        assert_eq!(limits(Some(group), &configuration), []);
        for limit in configuration.block_limits.clone() {
            let id = limit.condition_id;
            let condition = BlockCondition {
                id,
                name: String::new(),
                block_borrowing: false,
                block_renewals: true,
                block_requests: false,
                message: None,
            };
            configuration.block_conditions.insert(id, condition);
        }
        let text = |limit: &str| limit.to_owned();
        let expected = [
            (field::OVERDUE_LIMIT, text("0007")),
            (field::FEE_LIMIT, text("12.50")),
            (field::CHARGED_LIMIT, text("9999")),
        ];
        assert_eq!(limits(Some(group), &configuration), expected);
        assert_eq!(limits(None, &configuration), []);
    }

    #[test]
    fn expired_and_empty_blocks_do_not_count() {
        let mut blocks = Blocks::default();
        let records = json!([
            {"borrowing": true, "expirationDate": "2026-11-01T00:00:00Z", "patronMessage": "over"},
            {"patronMessage": "only text"},
            {"requests": true, "patronMessage": "Come to the desk", "desc": "for the staff"},
            {"requests": true, "patronMessage": "Come to the desk"},
        ]);
        blocks.add_manual(&records, now());
        let expected = Blocks { requests: true, messages: vec!["Come to the desk".to_owned()], ..Blocks::default() };
        assert_eq!(blocks, expected);
        assert_eq!(blocks.flags(), "  YY          ");
    }
}
