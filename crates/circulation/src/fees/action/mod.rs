//! Paying, waiving, transferring, refunding and cancelling (docs/folio/fees-fines.md#what-actions-do): decides what
//! happens to the accounts and which movements are recorded.

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::{
    account::Account,
    money,
    refund::{self, Refundable},
    request::{Action, ActionRefusal, ActionRequest},
    split::{fill, split},
};
use crate::dates::stored;

/// An account and what was done about it before, as far as it can be refunded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Subject {
    /// The account.
    pub account: Account,
    /// Payments, transfers and refunds.
    pub movements: Vec<Map<String, Value>>,
}

/// What may be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    /// The amount asked for, in cents.
    pub amount: Decimal,
    /// What would be left of what all accounts owe, or of what can be refunded.
    pub remaining: Decimal,
}

/// What is done.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The amount, in cents; none when accounts are cancelled.
    pub amount: Option<Decimal>,
    /// The accounts as they are from now on.
    pub accounts: Vec<Account>,
    /// The new movements, without ids.
    pub movements: Vec<Map<String, Value>>,
}

/// Says whether `amount` can be paid, waived, … on these accounts; one that is `None` is unknown.
///
/// # Errors
/// [`ActionRefusal`], the first in their order (docs/folio/fees-fines.md#refusals-of-actions).
pub fn check(
    action: Action,
    subjects: &[(String, Option<Subject>)],
    amount: &str,
) -> Result<Allowed, ActionRefusal> {
    let subjects = known(subjects)?;
    let amount = money::parse(amount).ok_or(ActionRefusal::Refused("Invalid amount entered"))?;
    if amount <= Decimal::ZERO {
        return Err(ActionRefusal::Refused("Amount must be positive"));
    }
    let (most, too_much) = match action {
        Action::Refund => (
            money::sum(subjects.iter().map(|s| Refundable::of(s).total())),
            "Refund amount must be greater than zero and less than or equal to Selected amount",
        ),
        _ => {
            refuse_closed(&subjects, Account::is_settled)?;
            let remaining = money::sum(subjects.iter().map(|s| s.account.remaining()));
            (remaining, "Requested amount exceeds remaining amount")
        }
    };
    if amount > most {
        return Err(ActionRefusal::Refused(too_much));
    }
    let remaining = most - amount;
    Ok(Allowed { amount, remaining })
}

/// How much can be given back: what was paid and transferred and has not been given back yet.
#[must_use]
pub fn refundable(subject: &Subject) -> Decimal {
    Refundable::of(subject).total()
}

/// Decides what happens to accounts.
///
/// # Errors
/// [`ActionRefusal`], the first in their order (docs/folio/fees-fines.md#refusals-of-actions).
pub fn decide(
    action: Action,
    subjects: &[(String, Option<Subject>)],
    request: &ActionRequest,
    now: Timestamp,
) -> Result<Decision, ActionRefusal> {
    if action == Action::Cancel {
        return cancel(subjects, request, now);
    }
    let asked = request.amount.as_deref().unwrap_or_default();
    let amount = check(action, subjects, asked)?.amount;
    let subjects = known(subjects)?;
    let mut decision = Decision {
        amount: Some(amount),
        accounts: Vec::new(),
        movements: Vec::new(),
    };
    let writer = Writer { request, now };
    if action == Action::Refund {
        refund::refund(&writer, &subjects, amount, &mut decision);
    } else {
        settle(action, &writer, &subjects, amount, &mut decision);
    }
    Ok(decision)
}

/// Less is owed from now on.
fn settle(
    action: Action,
    writer: &Writer<'_>,
    subjects: &[&Subject],
    amount: Decimal,
    decision: &mut Decision,
) {
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
            account.change(balance, balance.is_zero(), result);
        }
        decision.accounts.push(account);
    }
}

/// Nothing is owed any more.
fn cancel(
    subjects: &[(String, Option<Subject>)],
    request: &ActionRequest,
    now: Timestamp,
) -> Result<Decision, ActionRefusal> {
    let subjects = known(subjects)?;
    refuse_closed(&subjects, Account::is_closed)?;
    let unknown = ActionRefusal::Refused("Invalid cancellation reason");
    let reason = request.cancellation().ok_or(unknown)?;
    let silent = ActionRequest {
        notify: None,
        ..request.clone()
    };
    let writer = Writer {
        request: &silent,
        now,
    };
    let cancelled = subjects.into_iter().map(|subject| {
        let mut account = subject.account.clone();
        let movement = writer.movement(&account, reason, account.amount(), Decimal::ZERO);
        account.change(Decimal::ZERO, true, reason);
        (account, movement)
    });
    let (accounts, movements) = cancelled.unzip();
    Ok(Decision {
        amount: None,
        accounts,
        movements,
    })
}

fn known(subjects: &[(String, Option<Subject>)]) -> Result<Vec<&Subject>, ActionRefusal> {
    let found = |(id, subject): &'_ (String, Option<Subject>)| match subject {
        Some(_) => Ok(()),
        None => Err(ActionRefusal::NoSuchAccount(id.clone())),
    };
    subjects.iter().try_for_each(found)?;
    Ok(subjects.iter().filter_map(|(_, s)| s.as_ref()).collect())
}

fn refuse_closed(
    subjects: &[&Subject],
    is_over: impl Fn(&Account) -> bool,
) -> Result<(), ActionRefusal> {
    match subjects.iter().any(|subject| is_over(&subject.account)) {
        true => Err(ActionRefusal::Refused("Fee/fine is already closed")),
        false => Ok(()),
    }
}

/// Writes the movements of one request.
pub(super) struct Writer<'r> {
    request: &'r ActionRequest,
    now: Timestamp,
}

impl Writer<'_> {
    /// A movement of `amount` after which `balance` is owed.
    pub(super) fn movement(
        &self,
        account: &Account,
        type_action: &str,
        amount: Decimal,
        balance: Decimal,
    ) -> Map<String, Value> {
        let request = self.request;
        let text = |text: &Option<String>| text.clone().map(Value::String);
        let members = [
            ("dateAction", Some(stored(self.now).to_string().into())),
            ("typeAction", Some(type_action.into())),
            ("comments", text(&request.comments)),
            ("notify", request.notify.map(Value::Bool)),
            ("amountAction", Some(money::stored(amount))),
            ("balance", Some(money::stored(balance))),
            ("transactionInformation", text(&request.transaction_info)),
            ("createdAt", text(&request.service_point)),
            ("source", text(&request.user_name)),
            ("paymentMethod", text(&request.payment_method)),
            ("accountId", Some(account.id().into())),
            ("userId", Some(account.text("userId").into())),
        ];
        let present = members.into_iter();
        present
            .filter_map(|(name, value)| Some((name.to_owned(), value?)))
            .collect()
    }
}

#[cfg(test)]
mod tests;
