//! Blocks that staff may override (docs/folio/check-out.md#overriding).

use serde_json::{Value, json};

use crate::{dates::Moment, text::text};

/// A block that staff may override, with the right permission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockKind {
    /// A manual or automated block of the patron.
    Patron,
    /// Too many items of a kind.
    ItemLimit,
    /// The policy does not allow loans.
    ItemNotLoanable,
    /// The state of a loan does not allow its renewal.
    Renewal,
    /// The policy does not allow a renewal, or does not say until when.
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

    /// Its name in requests and answers.
    pub fn name(self) -> &'static str {
        match self {
            BlockKind::Patron => "patronBlock",
            BlockKind::ItemLimit => "itemLimitBlock",
            BlockKind::ItemNotLoanable => "itemNotLoanableBlock",
            BlockKind::Renewal => "renewalBlock",
            BlockKind::RenewalDueDateRequired => "renewalDueDateRequiredBlock",
        }
    }

    /// The permission that overriding it takes.
    pub fn permission(self) -> &'static str {
        match self {
            BlockKind::Patron => "circulation.override-patron-block.post",
            BlockKind::ItemLimit => "circulation.override-item-limit-block.post",
            BlockKind::ItemNotLoanable => "circulation.override-item-not-loanable-block.post",
            BlockKind::Renewal | BlockKind::RenewalDueDateRequired => {
                "circulation.override-renewal-block.post"
            }
        }
    }
}

/// The blocks that the caller may override.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Granted(pub Vec<BlockKind>);

impl Granted {
    /// The blocks whose permission `may` grants.
    pub fn by(may: impl Fn(&str) -> bool) -> Granted {
        let granted = BlockKind::ALL
            .into_iter()
            .filter(|kind| may(kind.permission()));
        Granted(granted.collect())
    }

    /// The caller may override this kind.
    pub fn has(&self, kind: BlockKind) -> bool {
        self.0.contains(&kind)
    }
}

/// The block behind a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverridableBlock {
    /// What it is.
    pub kind: BlockKind,
    /// The caller lacks the permission to override it.
    pub permission_missing: bool,
}

impl OverridableBlock {
    /// `{"name", "missingPermissions"}`.
    pub fn to_json(self) -> Value {
        let permission = self.kind.permission();
        let missing = self.permission_missing.then_some(permission);
        let missing: Vec<&str> = missing.into_iter().collect();
        json!({"name": self.kind.name(), "missingPermissions": missing})
    }
}

/// The blocks that a client overrides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Overrides {
    /// Why.
    pub comment: Option<String>,
    /// The patron may borrow although blocked.
    pub patron: bool,
    /// The patron may have more items of a kind.
    pub item_limit: bool,
    /// The item is lent until this date although its policy does not allow loans.
    pub item_not_loanable: Option<OverriddenDueDate>,
}

/// The due date of a loan that the policy does not allow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OverriddenDueDate {
    /// As the client wrote it.
    pub text: Option<String>,
}

impl OverriddenDueDate {
    /// When.
    pub fn moment(&self) -> Option<Moment> {
        Moment::parse(self.text.as_deref()?)
    }
}

impl Overrides {
    /// Reads `overrideBlocks`.
    #[must_use]
    pub fn read(blocks: &Value) -> Overrides {
        let requested = |kind: BlockKind| blocks[kind.name()].is_object();
        let not_loanable = &blocks[BlockKind::ItemNotLoanable.name()];
        Overrides {
            comment: text(&blocks["comment"]),
            patron: requested(BlockKind::Patron),
            item_limit: requested(BlockKind::ItemLimit),
            item_not_loanable: not_loanable.is_object().then(|| OverriddenDueDate {
                text: text(&not_loanable["dueDate"]),
            }),
        }
    }

    /// A block is to be overridden.
    pub fn requests(&self, kind: BlockKind) -> bool {
        match kind {
            BlockKind::Patron => self.patron,
            BlockKind::ItemLimit => self.item_limit,
            BlockKind::ItemNotLoanable => self.item_not_loanable.is_some(),
            BlockKind::Renewal | BlockKind::RenewalDueDateRequired => false,
        }
    }

    /// Something is to be overridden.
    pub fn any(&self) -> bool {
        BlockKind::ALL.into_iter().any(|kind| self.requests(kind))
    }
}
