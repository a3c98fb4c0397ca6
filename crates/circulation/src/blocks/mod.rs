//! What keeps patrons from borrowing, renewing and requesting: blocks that staff set by hand, those that follow from what
//! a patron has ([`automated`]), and what staff may override (docs/folio/patron-blocks.md).

pub mod automated;
mod overriding;

use jiff::Timestamp;

pub use overriding::{BlockKind, Granted, OverridableBlock, OverriddenDueDate, Overrides};

use crate::dates::parse_date_time;

/// A block that staff set by hand.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ManualBlock {
    /// Why.
    pub desc: String,
    /// From borrowing.
    pub borrowing: bool,
    /// From renewing.
    pub renewals: bool,
    /// From requesting.
    pub requests: bool,
    /// Until when, as stored.
    pub expiration_date: Option<String>,
}

impl ManualBlock {
    /// It has lasted its time.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        let expires = self.expiration_date.as_deref().and_then(parse_date_time);
        expires.is_some_and(|expires| expires <= now)
    }
}
