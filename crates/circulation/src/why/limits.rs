//! Why a patron is blocked: each limit of the patron group beside what the patron has.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Explanation, Facts, WhatIf, names::named};
use crate::{
    blocks::automated::{Standing, reached_limits},
    configuration::Configuration,
    fees::{changes::object, money},
    records::Patron,
    trace::{Step, traced},
};

/// The records behind a patron's automated blocks.
#[derive(Debug, Clone, Default)]
pub struct PatronRecords {
    /// The patron.
    pub patron: Patron,
    /// Loans and debts.
    pub standing: Standing,
}

/// Which limits block a patron.
#[derive(Debug, Clone)]
pub struct PatronExplanation {
    /// The steps; no date is decided.
    pub by_limits: Explanation,
}

/// What a limit can stop, in the order of [`crate::trace::LimitCheck::stops`].
const ACTIONS: [&str; 3] = ["borrowing", "renewals", "requests"];

/// Explains the automated blocks of a patron.
pub fn blocks(
    records: &PatronRecords,
    configuration: &Configuration,
    what_if: &WhatIf,
    now: Timestamp,
) -> PatronExplanation {
    let mut patron = records.patron.clone();
    what_if.change_patron(&mut patron);
    let (_, steps) = traced(|trace| reached_limits(&records.standing, patron.patron_group, configuration, now, trace));
    PatronExplanation { by_limits: Explanation { facts: Facts::of(None, Some(&patron)), decided: Ok(None), steps } }
}

/// A limit that was compared, as clients read it.
pub(super) fn limit(step: &Step, configuration: &Configuration) -> Option<Value> {
    let Step::Limit(check) = step else {
        return None;
    };
    let condition = configuration.block_conditions.get(&check.condition);
    let stops = ACTIONS.iter().zip(check.stops).filter_map(|(action, passed)| {
        let less = passed?.less.map(money::stored);
        Some(object(json!({"action": action, "less": less})))
    });
    let shown = json!({
        "condition": named(check.condition, condition.map(|condition| condition.name.as_str())),
        "message": condition.and_then(|condition| condition.message.as_deref()),
        "limit": money::stored(check.limit),
        "has": money::stored(check.has),
        "stops": stops.collect::<Vec<_>>(),
    });
    Some(object(shown).into())
}
