//! Why a fee was charged: for an overdue fine, how it was counted; for the others, by which policy.

use jiff::Timestamp;
use rust_decimal::Decimal;
use uuid::Uuid;

use super::{Explanation, Facts, WhatIf};
use crate::{
    configuration::Configuration,
    dates::parse_date_time,
    fees::{
        account::Account,
        changes::{Cause, Charge, FeeSubject},
        overdue_fine, types,
    },
    records::{Instance, Item, ItemStatus, Loan, Patron},
    trace::traced,
};

/// The records behind a fee.
#[derive(Debug, Clone, Default)]
pub struct FeeRecords {
    /// The fee.
    pub account: Account,
    /// Its loan, if it came with one.
    pub loan: Option<Loan>,
    /// The item of the fee.
    pub item: Option<Item>,
    /// The patron.
    pub borrower: Option<Patron>,
}

/// Why a fee was charged.
#[derive(Debug, Clone)]
pub struct FeeExplanation {
    /// What kind of fee it is.
    pub kind: Kind,
    /// The amount charged.
    pub charged: Decimal,
    /// The steps; none but for overdue fines.
    pub by_rules: Explanation,
    /// What the rules charge now.
    pub computed: Option<Decimal>,
}

/// What kind of fee it is, and the policy that charges it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// For a late return or a late renewal.
    OverdueFine,
    /// For a reminder; with the overdue fine policy.
    Reminder(Option<Uuid>),
    /// For a lost item; with the lost item fee policy.
    LostItem(Option<Uuid>),
    /// Charged by staff.
    ByHand,
}

impl FeeExplanation {
    /// Whether the rules charge the stored amount.
    pub(crate) fn agrees(&self) -> bool {
        self.computed == Some(self.charged)
    }
}

impl Kind {
    fn of(account: &Account) -> Kind {
        let id = account.fee_type_id();
        match id {
            Some(types::OVERDUE_FINE) => Kind::OverdueFine,
            Some(types::REMINDER_FEE) => Kind::Reminder(account.overdue_fine_policy_id()),
            Some(id) if types::is_automatic(id) => Kind::LostItem(account.lost_item_policy_id()),
            _ => Kind::ByHand,
        }
    }
}

/// Explains a fee.
pub fn fee(records: &FeeRecords, configuration: &Configuration, what_if: &WhatIf) -> FeeExplanation {
    let FeeRecords { account, loan, .. } = records;
    let mut item = records.item.clone().unwrap_or_default();
    let mut patron = records.borrower.clone().unwrap_or_default();
    what_if.change_item(&mut item);
    what_if.change_patron(&mut patron);
    // It was on loan when the fine was charged, and has been elsewhere since.
    item.status.name = Some(ItemStatus::CheckedOut);
    let kind = Kind::of(account);
    let (charge, steps) = match (kind, loan) {
        (Kind::OverdueFine, Some(loan)) => {
            let loan = as_charged(loan, account);
            let instance = Instance::default();
            let subject = FeeSubject { loan: &loan, item: &item, instance: &instance, borrower: Some(&patron) };
            fine(subject, account, configuration)
        }
        _ => (None, Vec::new()),
    };
    let facts = Facts::of(Some(&item), Some(&patron));
    let computed = charge.map(|charge| charge.account.amount());
    let by_rules = Explanation { facts, decided: Ok(None), steps };
    FeeExplanation { kind, charged: account.amount(), by_rules, computed }
}

/// The loan as it was when the fine was charged: a renewal has moved its due date since.
fn as_charged(loan: &Loan, account: &Account) -> Loan {
    let mut loan = loan.clone();
    if let Some(due) = account.due_date() {
        loan.set_due_date(due);
    }
    loan
}

fn fine(
    subject: FeeSubject<'_>,
    account: &Account,
    configuration: &Configuration,
) -> (Option<Charge>, Vec<crate::trace::Step>) {
    let cause = Cause::system();
    let charged = account.created_date().or_else(|| parse_date_time(account.date_created()?));
    traced(|trace| match account.returned_date() {
        Some(returned) => {
            let now = charged.unwrap_or(returned);
            overdue_fine::at_return(subject, (returned, false), &cause, configuration, now, trace)
        }
        None => {
            let renewed = charged.unwrap_or(Timestamp::UNIX_EPOCH);
            overdue_fine::at_renewal(subject, &cause, configuration, renewed, trace)
        }
    })
}
