//! Overridable blocks (docs/folio/check-out.md#overriding).

use refusals::{OverridableBlock, Refusal};
use serde_json::Value;

use super::refusal::OVERRIDE_NOT_PERMITTED;
use crate::{dates::Moment, text::text};

/// A block that staff with the right permission may override.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A manual or automated patron block.
    Patron,
    /// The item limit of the loan policy.
    ItemLimit,
    /// The loan policy does not allow loans.
    ItemNotLoanable,
    /// The loan cannot be renewed in its current state.
    Renewal,
    /// The loan policy does not allow renewal, or yields no due date.
    RenewalDueDateRequired,
}

impl BlockKind {
    /// Every kind.
    pub const ALL: [BlockKind; 5] = [
        BlockKind::Patron,
        BlockKind::ItemLimit,
        BlockKind::ItemNotLoanable,
        BlockKind::Renewal,
        BlockKind::RenewalDueDateRequired,
    ];

    /// The name in requests and responses.
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Patron => "patronBlock",
            BlockKind::ItemLimit => "itemLimitBlock",
            BlockKind::ItemNotLoanable => "itemNotLoanableBlock",
            BlockKind::Renewal => "renewalBlock",
            BlockKind::RenewalDueDateRequired => "renewalDueDateRequiredBlock",
        }
    }

    /// The permission needed to override it.
    pub fn permission(self) -> &'static str {
        match self {
            BlockKind::Patron => "circulation.override-patron-block.post",
            BlockKind::ItemLimit => "circulation.override-item-limit-block.post",
            BlockKind::ItemNotLoanable => "circulation.override-item-not-loanable-block.post",
            BlockKind::Renewal | BlockKind::RenewalDueDateRequired => "circulation.override-renewal-block.post",
        }
    }
}

/// The kinds of block that the caller may override.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Granted(pub Vec<BlockKind>);

impl Granted {
    /// The kinds whose permission the caller has, according to `may`.
    pub fn by(may: impl Fn(&str) -> bool) -> Granted {
        let granted = BlockKind::ALL.into_iter().filter(|kind| may(kind.permission()));
        Granted(granted.collect())
    }

    /// Whether the caller may override this kind.
    pub fn has(&self, kind: BlockKind) -> bool {
        self.0.contains(&kind)
    }

    /// The block as reported to the caller.
    pub fn block(&self, kind: BlockKind) -> OverridableBlock {
        OverridableBlock { name: kind.name(), missing_permission: (!self.has(kind)).then_some(kind.permission()) }
    }

    /// The refusal to override this kind of block; `None` if the caller may.
    pub(crate) fn refusal(&self, kind: BlockKind) -> Option<Refusal> {
        let refusal = Refusal::from(OVERRIDE_NOT_PERMITTED).overridable(self.block(kind));
        (!self.has(kind)).then_some(refusal)
    }
}

/// The overrides in a client's request.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    /// The reason for overriding.
    pub comment: Option<String>,
    /// Overrides patron blocks.
    pub patron: bool,
    /// Overrides the item limit.
    pub item_limit: bool,
    /// Checks out a non-loanable item until this date.
    pub item_not_loanable: Option<OverriddenDueDate>,
}

/// The due date for a loan that the policy does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OverriddenDueDate {
    /// The date as the client sent it.
    pub text: Option<String>,
}

impl OverriddenDueDate {
    /// The parsed date; `None` if it is missing or invalid.
    pub fn moment(&self) -> Option<Moment> {
        Moment::parse(self.text.as_deref()?)
    }
}

impl Overrides {
    /// Reads the `overrideBlocks` of a request.
    pub fn read(blocks: &Value) -> Overrides {
        let requested = |kind: BlockKind| blocks[kind.name()].is_object();
        let not_loanable = &blocks[BlockKind::ItemNotLoanable.name()];
        Overrides {
            comment: text(&blocks["comment"]),
            patron: requested(BlockKind::Patron),
            item_limit: requested(BlockKind::ItemLimit),
            item_not_loanable: not_loanable
                .is_object()
                .then(|| OverriddenDueDate { text: text(&not_loanable["dueDate"]) }),
        }
    }

    /// Whether the client overrides this kind of block.
    pub fn requests(&self, kind: BlockKind) -> bool {
        match kind {
            BlockKind::Patron => self.patron,
            BlockKind::ItemLimit => self.item_limit,
            BlockKind::ItemNotLoanable => self.item_not_loanable.is_some(),
            BlockKind::Renewal | BlockKind::RenewalDueDateRequired => false,
        }
    }

    /// Whether the client overrides any block.
    pub fn any(&self) -> bool {
        BlockKind::ALL.into_iter().any(|kind| self.requests(kind))
    }
}
