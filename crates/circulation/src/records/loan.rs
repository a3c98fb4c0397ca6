//! Loans: a stored record, whose unknown members are kept as they are.

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::dates::{Moment, parse_date_time};

/// A loan record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Loan {
    /// The record, as stored.
    pub record: Map<String, Value>,
}

/// Whether the item is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoanStatus {
    /// The item is with the patron.
    Open,
    /// It has come back, or will not.
    Closed,
}

impl LoanStatus {
    /// The name in a record.
    pub fn name(self) -> &'static str {
        match self {
            LoanStatus::Open => "Open",
            LoanStatus::Closed => "Closed",
        }
    }
}

impl Loan {
    /// A record as a loan.
    pub fn new(record: Map<String, Value>) -> Loan {
        Loan { record }
    }

    /// A member as text.
    pub fn text(&self, member: &str) -> Option<&str> {
        self.record.get(member)?.as_str()
    }

    /// A member as the id of another record.
    pub fn id_of(&self, member: &str) -> Option<Uuid> {
        Uuid::parse_str(self.text(member)?).ok()
    }

    /// Its id.
    pub fn id(&self) -> Option<Uuid> {
        self.id_of("id")
    }

    /// When the item was lent.
    pub fn loan_date(&self) -> Option<Moment> {
        Moment::parse(self.text("loanDate")?)
    }

    /// When it is due.
    pub fn due_date(&self) -> Option<Timestamp> {
        parse_date_time(self.text("dueDate")?)
    }

    /// A recall has set the due date.
    pub fn is_due_by_recall(&self) -> bool {
        self.record.get("dueDateChangedByRecall") == Some(&Value::Bool(true))
    }

    /// The item has aged to lost during it.
    pub fn has_aged(&self) -> bool {
        let billing = self.record.get("agedToLostDelayedBilling");
        billing.is_some_and(|billing| billing.get("agedToLostDate").is_some())
    }

    /// How often it was renewed.
    pub fn renewals(&self) -> i64 {
        let count = self.record.get("renewalCount");
        count.and_then(Value::as_i64).unwrap_or_default()
    }

    /// How many reminders were billed.
    pub fn reminders(&self) -> i64 {
        let reminders = self.record.get("reminders");
        let number = reminders.and_then(|billed| billed["lastFeeBilled"]["number"].as_i64());
        number.unwrap_or_default()
    }

    /// The lost item is not to be billed any more; when it aged to lost stays known.
    pub fn forget_billing_of_ageing(&mut self) {
        if let Some(Value::Object(billing)) = self.record.get_mut("agedToLostDelayedBilling") {
            billing.shift_remove("lostItemHasBeenBilled");
            billing.shift_remove("dateLostItemShouldBeBilled");
        }
    }

    /// Sets a member.
    pub fn set(&mut self, member: &str, value: impl Into<Value>) {
        self.record.insert(member.to_owned(), value.into());
    }

    /// Sets a member that may be unknown.
    pub fn set_if_known(&mut self, member: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.set(member, value);
        }
    }

    /// Takes a member away.
    pub fn remove(&mut self, member: &str) {
        self.record.shift_remove(member);
    }

    /// Sets the status.
    pub fn set_status(&mut self, status: LoanStatus) {
        self.set("status", json!({"name": status.name()}));
    }
}
