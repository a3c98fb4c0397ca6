//! Refunds (docs/folio/fees-fines.md#what-actions-do): payments first, then transfers. Each part is credited, then
//! refunded to its payer.

use rust_decimal::Decimal;
use serde_json::{Map, Value};
use vocabulary::PaymentStatus;

use super::{
    super::{money, request::Action, split::split},
    Decision, Subject, Writer,
};

/// The recipient of refunded payments.
const PATRON: &str = "patron";

/// What was paid and transferred for an account, and how much of it can still be refunded.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Refundable {
    /// Payments, refundable to the patron.
    paid: Decimal,
    /// Transfers, refundable to the transfer accounts by name, in order of transfer.
    transferred: Vec<(String, Decimal)>,
    /// Earlier refunds. As in mod-feesfines they only limit the sum, whoever got them.
    refunded: Decimal,
}

impl Refundable {
    pub(super) fn of(subject: &Subject) -> Self {
        let mut all = Self::default();
        for movement in &subject.movements {
            let amount = money::read(movement.get("amountAction"));
            if is(Action::Pay, movement) {
                all.paid = all.paid.saturating_add(amount);
            } else if is(Action::Transfer, movement) {
                all.add_transfer(text(movement, "paymentMethod"), amount);
            } else if is(Action::Refund, movement) {
                all.refunded = all.refunded.saturating_add(amount);
            }
        }
        all
    }

    /// Payments and transfers, less earlier refunds.
    pub(super) fn total(&self) -> Decimal {
        let came_in = self.paid.saturating_add(self.transferred_in_all());
        came_in.saturating_sub(self.refunded).max(Decimal::ZERO)
    }

    fn transferred_in_all(&self) -> Decimal {
        money::sum(self.transferred.iter().map(|(_, amount)| *amount))
    }

    fn add_transfer(&mut self, office: &str, amount: Decimal) {
        match self.transferred.iter_mut().find(|(name, _)| name == office) {
            Some((_, sum)) => *sum = sum.saturating_add(amount),
            None => self.transferred.push((office.to_owned(), amount)),
        }
    }
}

fn is(action: Action, movement: &Map<String, Value>) -> bool {
    action.is_called(text(movement, "typeAction"))
}

fn text<'m>(movement: &'m Map<String, Value>, member: &str) -> &'m str {
    let value = movement.get(member).and_then(Value::as_str);
    value.unwrap_or_default()
}

/// Refunds `amount`, which the patron then owes again.
pub(super) fn refund(writer: &Writer<'_>, subjects: &[&Subject], amount: Decimal, decision: &mut Decision) {
    let refundable: Vec<_> = subjects.iter().map(|s| Refundable::of(s)).collect();
    let rooms: Vec<_> = refundable.iter().map(Refundable::total).collect();
    let parts = split(amount, &rooms);
    for ((subject, refundable), part) in subjects.iter().zip(&refundable).zip(parts) {
        let mut account = subject.account.clone();
        let steps = steps(refundable, part);
        for action in [CREDIT, REFUND] {
            for step in &steps {
                let mut balance = account.remaining();
                if action.owed_again {
                    balance = balance.saturating_add(step.amount);
                }
                let result = action.results[usize::from(step.full)];
                let mut movement = writer.movement(&account, result, step.amount, balance);
                let told = format!("{} {}", action.told, step.to);
                movement.insert("transactionInformation".into(), told.into());
                decision.movements.push(movement);
                account.change(balance, result);
            }
        }
        decision.accounts.push(account);
    }
}

/// One of the two actions that make up a refund.
struct Half {
    results: [PaymentStatus; 2],
    told: &'static str,
    owed_again: bool,
}

const CREDIT: Half = Half {
    results: [PaymentStatus::CreditedPartially, PaymentStatus::CreditedFully],
    told: "Refund to",
    owed_again: false,
};
const REFUND: Half = Half {
    results: [PaymentStatus::RefundedPartially, PaymentStatus::RefundedFully],
    told: "Refunded to",
    owed_again: true,
};

/// The amount refunded to one payer.
struct Step<'r> {
    to: &'r str,
    amount: Decimal,
    full: bool,
}

/// The refunds to each payer. As in mod-feesfines, the patron gets up to what was ever paid, and a refund is full only if
/// it alone returns all that was ever paid or transferred; the last of several partial refunds is not.
fn steps(refundable: &Refundable, amount: Decimal) -> Vec<Step<'_>> {
    let to_patron = amount.min(refundable.paid);
    let to_offices = amount - to_patron;
    let rooms: Vec<_> = refundable.transferred.iter().map(|(_, sum)| *sum).collect();
    let full = to_offices == refundable.transferred_in_all();
    let patron = Step { to: PATRON, amount: to_patron, full: to_patron == refundable.paid };
    let offices = refundable.transferred.iter().zip(split(to_offices, &rooms));
    let offices = offices.map(|((office, _), amount)| Step { to: office, amount, full });
    let all = [patron].into_iter().chain(offices);
    all.filter(|step| step.amount > Decimal::ZERO).collect()
}
