//! Patron blocks on borrowing, renewals and requests: manual blocks, automated blocks ([`automated`]), and the blocks
//! that staff may override (docs/folio/patron-blocks.md).

pub mod automated;
mod overriding;
pub(crate) mod refusal;

use jiff::Timestamp;
use refusals::Refusal;

pub use overriding::{BlockKind, Granted, OverriddenDueDate, Overrides};

use crate::{
    configuration::Configuration,
    dates::parse_date_time,
    records::Patron,
    trace::{Blocker, Step, Trace},
};
use automated::{Block, ReachedLimit, Standing, reached_limits};
use refusal::{BLOCKED_AUTOMATICALLY, BLOCKED_MANUALLY};

/// A manual block, set by staff.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ManualBlock {
    /// The reason.
    pub desc: String,
    /// Whether it blocks borrowing.
    pub borrowing: bool,
    /// Whether it blocks renewals.
    pub renewals: bool,
    /// Whether it blocks requests.
    pub requests: bool,
    /// The expiration date as stored; absent when the block does not expire.
    pub expiration_date: Option<String>,
}

impl ManualBlock {
    /// Whether the block has expired.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        let expires = self.expiration_date.as_deref().and_then(parse_date_time);
        expires.is_some_and(|expires| expires <= now)
    }
}

/// An action that a block can prevent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Borrowing,
    Renewing,
    Requesting,
}

impl Action {
    fn name(self) -> &'static str {
        match self {
            Action::Borrowing => "borrowing",
            Action::Renewing => "renewing",
            Action::Requesting => "requesting",
        }
    }

    fn is_blocked_by_staff(self, block: &ManualBlock) -> bool {
        match self {
            Action::Borrowing => block.borrowing,
            Action::Renewing => block.renewals,
            Action::Requesting => block.requests,
        }
    }

    fn is_blocked_by_limit(self, block: &Block) -> bool {
        match self {
            Action::Borrowing => block.block_borrowing,
            Action::Renewing => block.block_renewals,
            Action::Requesting => block.block_requests,
        }
    }
}

/// Everything that can block a patron.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Blocks<'c> {
    /// The patron.
    pub patron: &'c Patron,
    /// Manual blocks.
    pub manual: &'c [ManualBlock],
    /// Loans and debts, from which automated blocks follow.
    pub standing: &'c Standing,
    /// Where the causes of the blocks are noted.
    pub trace: Trace<'c>,
}

impl Blocks<'_> {
    /// The blocks on an action, as refusals that the caller may override if `granted`: one refusal for all manual
    /// blocks, which also lists the reasons of expired blocks and of those on other actions, and one for each limit
    /// reached.
    pub fn against(
        self,
        action: Action,
        granted: &Granted,
        configuration: &Configuration,
        now: Timestamp,
    ) -> Vec<Refusal> {
        let in_force = |block: &ManualBlock| action.is_blocked_by_staff(block) && !block.is_expired(now);
        let manual = self.manual.iter().any(in_force).then(|| {
            let reasons: Vec<&str> = self.manual.iter().map(|b| b.desc.as_str()).collect();
            let refusal = BLOCKED_MANUALLY.with("action", action.name());
            let refusal = refusal.with("reason", reasons.join(";"));
            let blocks = self.manual.iter().filter(|block| in_force(block));
            let blocks = blocks.map(|block| (block.desc.clone(), block.expiration_date.clone()));
            (refusal, Blocker::ManualBlocks(blocks.collect()))
        });
        let group = self.patron.patron_group;
        let limits = reached_limits(self.standing, group, configuration, now, self.trace).into_iter();
        let limits = limits.filter(|reached| action.is_blocked_by_limit(&reached.block));
        let automated = limits.map(|ReachedLimit { block, limit, has }| {
            let refusal = BLOCKED_AUTOMATICALLY.with("message", block.message.unwrap_or_default());
            (refusal, Blocker::BlockLimit { condition: block.patron_block_condition_id, limit, has })
        });
        let mut refusals: Vec<(Refusal, Blocker)> = manual.into_iter().chain(automated).collect();
        if action == Action::Requesting {
            // FOLIO lists manual blocks last here.
            let manual = refusals.iter().filter(|(refusal, _)| refusal.is(BLOCKED_MANUALLY)).count();
            refusals.rotate_left(manual);
        }
        let block = granted.block(BlockKind::Patron);
        let noted = |(refusal, by): (Refusal, Blocker)| {
            let refusal = refusal.overridable(block);
            self.trace.note(|| Step::Refused { refusal: refusal.clone(), by });
            refusal
        };
        refusals.into_iter().map(noted).collect()
    }
}
