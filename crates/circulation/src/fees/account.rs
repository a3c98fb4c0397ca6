//! Accounts: single fees or fines of a patron (docs/folio/fees-fines.md#accounts). Unknown properties of the record are
//! preserved.

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::money;

/// A fee or fine, open or closed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Account {
    /// The record as stored.
    pub record: Map<String, Value>,
}

impl Account {
    /// Wraps a stored record.
    #[must_use]
    pub fn new(record: Map<String, Value>) -> Self {
        Self { record }
    }

    /// A property as text; empty if it is absent.
    #[must_use]
    pub fn text(&self, member: &str) -> &str {
        let value = self.record.get(member);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// The id of the account.
    #[must_use]
    pub fn id(&self) -> &str {
        self.text("id")
    }

    /// The amount charged.
    #[must_use]
    pub fn amount(&self) -> Decimal {
        money::read(self.record.get("amount"))
    }

    /// The amount still owed.
    #[must_use]
    pub fn remaining(&self) -> Decimal {
        money::read(self.record.get("remaining"))
    }

    /// Whether the account is closed, so that no further action is expected.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let name = self.record.get("status").and_then(|s| s["name"].as_str());
        name.is_some_and(|name| name.eq_ignore_ascii_case("Closed"))
    }

    /// Whether the account is closed and nothing is owed.
    #[must_use]
    pub(crate) fn is_settled(&self) -> bool {
        self.is_closed() && self.remaining().is_zero()
    }

    /// The status that the latest action left: paid, waived, …
    #[must_use]
    pub fn payment_status(&self) -> &str {
        let status = self.record.get("paymentStatus");
        status.and_then(|s| s["name"].as_str()).unwrap_or_default()
    }

    /// Records the result of an action: the amount still owed and the new statuses.
    pub(super) fn change(&mut self, remaining: Decimal, closed: bool, payment_status: &str) {
        let status = if closed { "Closed" } else { "Open" };
        let record = &mut self.record;
        record.insert("remaining".into(), money::stored(remaining));
        record.insert("status".into(), json!({"name": status}));
        record.insert("paymentStatus".into(), json!({"name": payment_status}));
    }
}
