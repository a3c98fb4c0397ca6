//! Giving money back (docs/folio/fees-fines.md#what-actions-do): what the patron paid first, then what other offices
//! took over. Each part is credited and then refunded, to whom it came from.

use rust_decimal::Decimal;
use serde_json::{Map, Value};

use super::{
    action::{Decision, Subject, Writer},
    money,
    request::Action,
    split::split,
};

/// Where refunds of payments go.
const PATRON: &str = "patron";

/// What can be given back on one account.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Refundable {
    /// To the patron.
    paid: Decimal,
    /// To other offices, by their names, in the order of the transfers.
    transferred: Vec<(String, Decimal)>,
}

impl Refundable {
    /// Everything paid and transferred that has not been given back yet.
    pub(super) fn of(subject: &Subject) -> Self {
        let mut left = Self::ever(subject);
        for movement in &subject.movements {
            if is(Action::Refund, movement) {
                let amount = money::read(movement.get("amountAction"));
                let to = text(movement, "transactionInformation");
                left.take(to.strip_prefix("Refunded to "), amount);
            }
        }
        left
    }

    /// Everything that was ever paid and transferred.
    fn ever(subject: &Subject) -> Self {
        let mut all = Self::default();
        for movement in &subject.movements {
            let amount = money::read(movement.get("amountAction"));
            if is(Action::Pay, movement) {
                all.paid = all.paid.saturating_add(amount);
            } else if is(Action::Transfer, movement) {
                all.add_transfer(text(movement, "paymentMethod"), amount);
            }
        }
        all
    }

    pub(super) fn total(&self) -> Decimal {
        self.paid.saturating_add(self.transferred_in_all())
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

    /// So much was given back: to `to`, and what is more than came from there, or from nowhere known, to the others.
    fn take(&mut self, to: Option<&str>, amount: Decimal) {
        let mut left = amount;
        let named = |name: &str| to == Some(name);
        for wanted in [true, false] {
            if named(PATRON) == wanted {
                left -= take_from(&mut self.paid, left);
            }
            for (office, sum) in &mut self.transferred {
                if named(office) == wanted {
                    left -= take_from(sum, left);
                }
            }
        }
    }
}

fn take_from(sum: &mut Decimal, wanted: Decimal) -> Decimal {
    let taken = wanted.min(*sum).max(Decimal::ZERO);
    *sum -= taken;
    taken
}

fn is(action: Action, movement: &Map<String, Value>) -> bool {
    action.is_called(text(movement, "typeAction"))
}

fn text<'m>(movement: &'m Map<String, Value>, member: &str) -> &'m str {
    let value = movement.get(member).and_then(Value::as_str);
    value.unwrap_or_default()
}

/// Gives `amount` back; it is owed again.
pub(super) fn refund(
    writer: &Writer<'_>,
    subjects: &[&Subject],
    amount: Decimal,
    decision: &mut Decision,
) {
    let refundable: Vec<_> = subjects.iter().map(|s| Refundable::of(s)).collect();
    let rooms: Vec<_> = refundable.iter().map(Refundable::total).collect();
    let parts = split(amount, &rooms);
    for ((subject, refundable), part) in subjects.iter().zip(&refundable).zip(parts) {
        let mut account = subject.account.clone();
        let steps = steps(refundable, &Refundable::ever(subject), part);
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
                account.change(balance, false, result);
            }
        }
        decision.accounts.push(account);
    }
}

/// One of the two movements that make a refund.
struct Half {
    results: [&'static str; 2],
    told: &'static str,
    owed_again: bool,
}

const CREDIT: Half = Half {
    results: ["Credited partially", "Credited fully"],
    told: "Refund to",
    owed_again: false,
};
const REFUND: Half = Half {
    results: ["Refunded partially", "Refunded fully"],
    told: "Refunded to",
    owed_again: true,
};

/// An amount that goes back to one payer.
struct Step<'r> {
    to: &'r str,
    amount: Decimal,
    full: bool,
}

/// A refund is called full when it alone gives back all that was `ever` paid, or transferred, as in mod-feesfines: the last
/// of several is not.
fn steps<'r>(refundable: &'r Refundable, ever: &Refundable, amount: Decimal) -> Vec<Step<'r>> {
    let to_patron = amount.min(refundable.paid);
    let to_offices = amount - to_patron;
    let rooms: Vec<_> = refundable.transferred.iter().map(|(_, sum)| *sum).collect();
    let full = to_offices == ever.transferred_in_all();
    let patron = Step {
        to: PATRON,
        amount: to_patron,
        full: to_patron == ever.paid,
    };
    let offices = refundable.transferred.iter().zip(split(to_offices, &rooms));
    let offices = offices.map(|((office, _), amount)| Step {
        to: office,
        amount,
        full,
    });
    let all = [patron].into_iter().chain(offices);
    all.filter(|step| step.amount > Decimal::ZERO).collect()
}
