//! Decides what fee/fine actions (pay, waive, transfer, refund, cancel) do to accounts and which actions to record
//! (docs/folio/fees-fines.md#what-actions-do).

mod refund;

use jiff::Timestamp;
use refusals::Refusal;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use vocabulary::PaymentStatus;

use super::{
    account::Account,
    money,
    refusal::{
        ALREADY_CLOSED, AMOUNT_EXCEEDS_REFUNDABLE, AMOUNT_EXCEEDS_REMAINING, AMOUNT_INVALID, AMOUNT_NOT_POSITIVE,
        CANCELLATION_UNKNOWN, NO_SUCH_ACCOUNT,
    },
    request::{Action, ActionRequest},
    split::{fill, split},
};
use crate::dates::stored;
use refund::Refundable;

/// An account and its earlier actions that matter for refunds.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Subject {
    /// The account.
    pub account: Account,
    /// Its payments, transfers and refunds.
    pub movements: Vec<Map<String, Value>>,
}

/// The result of a successful check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    /// The requested amount, rounded to cents.
    pub amount: Decimal,
    /// What would remain of the total balance, or of the refundable amount.
    pub remaining: Decimal,
}

/// A decided action.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The amount, rounded to cents; absent when accounts are cancelled.
    pub amount: Option<Decimal>,
    /// The updated accounts.
    pub accounts: Vec<Account>,
    /// The fee/fine actions to record, without ids.
    pub movements: Vec<Map<String, Value>>,
}

/// Checks whether the action can be taken for `amount` on these accounts; `None` stands for an account that does not
/// exist.
///
/// # Errors
/// The first refusal in FOLIO's order (docs/folio/fees-fines.md#refusals-of-actions).
pub fn check(action: Action, subjects: &[(String, Option<Subject>)], amount: &str) -> Result<Allowed, Refusal> {
    let subjects = known(subjects)?;
    let amount = money::parse(amount).ok_or(AMOUNT_INVALID)?;
    if amount <= Decimal::ZERO {
        return Err(AMOUNT_NOT_POSITIVE.into());
    }
    let (most, too_much) = match action {
        Action::Refund => (money::sum(subjects.iter().map(|s| Refundable::of(s).total())), AMOUNT_EXCEEDS_REFUNDABLE),
        _ => {
            refuse_closed(&subjects, Account::is_settled)?;
            let remaining = money::sum(subjects.iter().map(|s| s.account.remaining()));
            (remaining, AMOUNT_EXCEEDS_REMAINING)
        }
    };
    if amount > most {
        return Err(too_much.into());
    }
    let remaining = most - amount;
    Ok(Allowed { amount, remaining })
}

/// The refundable amount: what was paid and transferred, less what was already refunded.
#[must_use]
pub(crate) fn refundable(subject: &Subject) -> Decimal {
    Refundable::of(subject).total()
}

/// Decides an action on accounts.
///
/// # Errors
/// The first refusal in FOLIO's order (docs/folio/fees-fines.md#refusals-of-actions).
pub fn decide(
    action: Action,
    subjects: &[(String, Option<Subject>)],
    request: &ActionRequest,
    now: Timestamp,
) -> Result<Decision, Refusal> {
    if action == Action::Cancel {
        return cancel(subjects, request, now);
    }
    let asked = request.amount.as_deref().unwrap_or_default();
    let amount = check(action, subjects, asked)?.amount;
    let subjects = known(subjects)?;
    let mut decision = Decision { amount: Some(amount), accounts: Vec::new(), movements: Vec::new() };
    let writer = Writer { request, now };
    if action == Action::Refund {
        refund::refund(&writer, &subjects, amount, &mut decision);
    } else {
        settle(action, &writer, &subjects, amount, &mut decision);
    }
    Ok(decision)
}

/// Reduces what is owed: by payment, waiver or transfer.
fn settle(action: Action, writer: &Writer<'_>, subjects: &[&Subject], amount: Decimal, decision: &mut Decision) {
    let rooms: Vec<_> = subjects.iter().map(|s| s.account.remaining()).collect();
    let parts = match writer.request.in_order {
        true => fill(amount, &rooms),
        false => split(amount, &rooms),
    };
    for (subject, part) in subjects.iter().zip(parts) {
        let mut account = subject.account.clone();
        if part > Decimal::ZERO {
            let balance = account.remaining() - part;
            let result = action.results()[usize::from(balance.is_zero())];
            let movement = writer.movement(&account, result, part, balance);
            decision.movements.push(movement);
            account.change(balance, result);
        }
        decision.accounts.push(account);
    }
}

/// Sets the balance of each account to zero.
fn cancel(
    subjects: &[(String, Option<Subject>)],
    request: &ActionRequest,
    now: Timestamp,
) -> Result<Decision, Refusal> {
    let subjects = known(subjects)?;
    refuse_closed(&subjects, Account::is_closed)?;
    let reason = request.cancellation().ok_or(CANCELLATION_UNKNOWN)?;
    let silent = ActionRequest { notify: None, ..request.clone() };
    let writer = Writer { request: &silent, now };
    let cancelled = subjects.into_iter().map(|subject| {
        let mut account = subject.account.clone();
        let movement = writer.movement(&account, reason, account.amount(), Decimal::ZERO);
        account.change(Decimal::ZERO, reason);
        (account, movement)
    });
    let (accounts, movements) = cancelled.unzip();
    Ok(Decision { amount: None, accounts, movements })
}

fn known(subjects: &[(String, Option<Subject>)]) -> Result<Vec<&Subject>, Refusal> {
    let found = |(id, subject): &'_ (String, Option<Subject>)| match subject {
        Some(_) => Ok(()),
        None => Err(NO_SUCH_ACCOUNT.with("id", id)),
    };
    subjects.iter().try_for_each(found)?;
    Ok(subjects.iter().filter_map(|(_, s)| s.as_ref()).collect())
}

fn refuse_closed(subjects: &[&Subject], is_over: impl Fn(&Account) -> bool) -> Result<(), Refusal> {
    match subjects.iter().any(|subject| is_over(&subject.account)) {
        true => Err(ALREADY_CLOSED.into()),
        false => Ok(()),
    }
}

/// Creates the fee/fine action records of a request.
pub(super) struct Writer<'r> {
    request: &'r ActionRequest,
    now: Timestamp,
}

impl Writer<'_> {
    /// A record of an action for `amount`, which leaves `balance` to pay.
    pub(super) fn movement(
        &self,
        account: &Account,
        result: PaymentStatus,
        amount: Decimal,
        balance: Decimal,
    ) -> Map<String, Value> {
        let request = self.request;
        let text = |text: &Option<String>| text.clone().map(Value::String);
        let members = [
            ("dateAction", Some(stored(self.now).to_string().into())),
            ("typeAction", Some(result.name().into())),
            ("comments", text(&request.comments)),
            ("notify", request.notify.map(Value::Bool)),
            ("amountAction", Some(money::stored(amount))),
            ("balance", Some(money::stored(balance))),
            ("transactionInformation", text(&request.transaction_info)),
            ("createdAt", text(&request.service_point)),
            ("source", text(&request.user_name)),
            ("paymentMethod", text(&request.payment_method)),
            ("accountId", Some(account.id().into())),
            ("userId", Some(account.user_id().unwrap_or_default().into())),
        ];
        let present = members.into_iter();
        present.filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

#[cfg(test)]
mod tests;
