//! An account: one fee or fine of a patron, whose unknown members are kept as they are
//! (docs/folio/fees-fines.md#accounts).

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};

use super::money;

/// A fee or fine that a patron owes or owed.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Account {
    /// The record, as stored.
    pub record: Map<String, Value>,
}

impl Account {
    /// A record as an account.
    #[must_use]
    pub fn new(record: Map<String, Value>) -> Self {
        Self { record }
    }

    /// A member as text; empty when there is none.
    #[must_use]
    pub fn text(&self, member: &str) -> &str {
        let value = self.record.get(member);
        value.and_then(Value::as_str).unwrap_or_default()
    }

    /// Its id.
    #[must_use]
    pub fn id(&self) -> &str {
        self.text("id")
    }

    /// What was charged.
    #[must_use]
    pub fn amount(&self) -> Decimal {
        money::read(self.record.get("amount"))
    }

    /// What is still owed.
    #[must_use]
    pub fn remaining(&self) -> Decimal {
        money::read(self.record.get("remaining"))
    }

    /// Nothing is to be done about it any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        let name = self.record.get("status").and_then(|s| s["name"].as_str());
        name.is_some_and(|name| name.eq_ignore_ascii_case("Closed"))
    }

    /// Closed, and nothing is owed.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_closed() && self.remaining().is_zero()
    }

    /// How it was last paid, waived, …
    #[must_use]
    pub fn payment_status(&self) -> &str {
        let status = self.record.get("paymentStatus");
        status.and_then(|s| s["name"].as_str()).unwrap_or_default()
    }

    /// Something was done about it, and so much is still owed.
    pub(super) fn change(&mut self, remaining: Decimal, closed: bool, payment_status: &str) {
        let status = if closed { "Closed" } else { "Open" };
        let record = &mut self.record;
        record.insert("remaining".into(), money::stored(remaining));
        record.insert("status".into(), json!({"name": status}));
        record.insert("paymentStatus".into(), json!({"name": payment_status}));
    }
}
