//! The fees charged for a lost item, as read from the database.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::account::Account;

/// The fees charged so far for a loan's lost item.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct LostFees {
    pub(crate) accounts: Vec<ChargedAccount>,
    /// Actual cost records.
    pub(crate) costs: Vec<Map<String, Value>>,
}

/// An account and its fee/fine actions.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub(crate) struct ChargedAccount {
    pub(crate) account: Account,
    pub(crate) movements: Vec<Map<String, Value>>,
}
