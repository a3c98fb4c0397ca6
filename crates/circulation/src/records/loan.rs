//! Loans: a stored record that keeps members unknown to the server.

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;
use vocabulary::{ItemStatus, LoanAction};

use crate::dates::{Moment, parse_date_time};

/// A loan record.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Loan {
    /// The stored record.
    pub record: Map<String, Value>,
}

/// Status of a loan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LoanStatus {
    /// The patron has the item.
    Open,
    /// The item was returned, or will not be.
    Closed,
}

impl LoanStatus {
    /// The name as stored in records.
    pub fn name(self) -> &'static str {
        match self {
            LoanStatus::Open => "Open",
            LoanStatus::Closed => "Closed",
        }
    }
}

impl Loan {
    /// Wraps a stored record.
    pub fn new(record: Map<String, Value>) -> Loan {
        Loan { record }
    }

    /// Reads a member as text.
    pub fn text(&self, member: &str) -> Option<&str> {
        self.record.get(member)?.as_str()
    }

    /// Reads a member as a record ID.
    pub fn id_of(&self, member: &str) -> Option<Uuid> {
        Uuid::parse_str(self.text(member)?).ok()
    }

    /// ID of the loan.
    pub fn id(&self) -> Option<Uuid> {
        self.id_of("id")
    }

    /// When the item was declared lost or aged to lost, whichever is later.
    pub fn lost_since(&self) -> Option<Timestamp> {
        let billing = self.record.get("agedToLostDelayedBilling");
        let aged = billing.and_then(|billing| billing["agedToLostDate"].as_str());
        let dates = [self.text("declaredLostDate"), aged].into_iter().flatten();
        dates.filter_map(parse_date_time).max()
    }

    /// When the item was checked out.
    pub(crate) fn loan_date(&self) -> Option<Moment> {
        Moment::parse(self.text("loanDate")?)
    }

    /// When the loan is due.
    pub fn due_date(&self) -> Option<Timestamp> {
        parse_date_time(self.text("dueDate")?)
    }

    /// True if a recall set the due date.
    pub(crate) fn is_due_by_recall(&self) -> bool {
        self.record.get("dueDateChangedByRecall") == Some(&Value::Bool(true))
    }

    /// True if the item aged to lost during this loan.
    pub fn has_aged(&self) -> bool {
        let billing = self.record.get("agedToLostDelayedBilling");
        billing.is_some_and(|billing| billing.get("agedToLostDate").is_some())
    }

    /// Number of renewals.
    pub fn renewals(&self) -> i64 {
        let count = self.record.get("renewalCount");
        count.and_then(Value::as_i64).unwrap_or_default()
    }

    /// Number of billed reminders.
    pub fn reminders(&self) -> i64 {
        let reminders = self.record.get("reminders");
        let number = reminders.and_then(|billed| billed["lastFeeBilled"]["number"].as_i64());
        number.unwrap_or_default()
    }

    /// Clears the pending lost item billing; keeps the date the item aged to lost.
    pub(crate) fn forget_billing_of_ageing(&mut self) {
        if let Some(Value::Object(billing)) = self.record.get_mut("agedToLostDelayedBilling") {
            billing.shift_remove("lostItemHasBeenBilled");
            billing.shift_remove("dateLostItemShouldBeBilled");
        }
    }

    /// Sets a member.
    pub fn set(&mut self, member: &str, value: impl Into<Value>) {
        self.record.insert(member.to_owned(), value.into());
    }

    /// Sets a member, unless the value is `None`.
    pub(crate) fn set_if_known(&mut self, member: &str, value: Option<impl Into<Value>>) {
        if let Some(value) = value {
            self.set(member, value);
        }
    }

    /// Removes a member.
    pub fn remove(&mut self, member: &str) {
        self.record.shift_remove(member);
    }

    /// The last action on the loan.
    pub fn action(&self) -> Option<LoanAction> {
        LoanAction::from_name(self.text("action")?)
    }

    /// Sets the last action.
    pub(crate) fn set_action(&mut self, action: LoanAction) {
        self.set("action", action.name());
    }

    /// Records the new status of the loan's item.
    pub(crate) fn set_item_status(&mut self, status: ItemStatus) {
        self.set("itemStatus", status.name());
    }

    /// Sets the loan status.
    pub(crate) fn set_status(&mut self, status: LoanStatus) {
        self.set("status", json!({"name": status.name()}));
    }
}
