//! How a refusal is told to clients: FOLIO's message, code and parameters.

use serde_json::{Value, json};

/// A refusal in FOLIO's words. Each use case has an enum of its refusals, which is rendered as this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The sentence.
    pub message: String,
    /// The code, where FOLIO gives one.
    pub code: Option<&'static str>,
    /// Keys and values, in order.
    pub parameters: Vec<(&'static str, Option<String>)>,
    /// The block that stands behind it, when staff may override it.
    pub block: Option<OverridableBlock>,
}

impl Told {
    /// A sentence without code and parameters.
    pub fn new(message: impl Into<String>) -> Told {
        Told {
            message: message.into(),
            code: None,
            parameters: Vec::new(),
            block: None,
        }
    }

    /// With a code.
    pub fn code(mut self, code: &'static str) -> Told {
        self.code = Some(code);
        self
    }

    /// With one more parameter.
    pub fn about(mut self, key: &'static str, value: Option<impl Into<String>>) -> Told {
        self.parameters.push((key, value.map(Into::into)));
        self
    }

    /// With the block that staff may override.
    pub fn block(mut self, kind: BlockKind, granted: &Granted) -> Told {
        self.block = Some(OverridableBlock {
            kind,
            permission_missing: !granted.has(kind),
        });
        self
    }
}

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
