//! "Why?": what decided a due date, a fee or a refusal, and what would be decided for another patron group, material type,
//! loan type or location (docs/why.md). Each answer is the trace of the function that decides at the desk
//! ([`crate::trace`], decision 70).

mod causes;
mod check_in;
mod fee;
mod limits;
mod loan;
mod names;
pub(crate) mod refusal;
mod shown;
#[cfg(test)]
mod tests;
mod what_if;

use jiff::Timestamp;
use refusals::Refused;
use uuid::Uuid;

pub use check_in::{LastReturn, check_in};
pub use fee::{FeeExplanation, FeeRecords, fee};
pub use limits::{PatronExplanation, PatronRecords, blocks};
pub use loan::{DueDateChange, LoanExplanation, LoanRecords, SetBy, loan};
pub use what_if::WhatIf;

use crate::{
    check_out::{self, CheckOutCommand, CheckOutContext},
    configuration::Configuration,
    records::{Item, Patron},
    renewal::{self, RenewalCommand, RenewalContext},
    requests::{
        RequestContext,
        place::{self, PlaceCommand},
    },
    trace::{Step, traced},
};

/// What the circulation rules know of a loan: ids of the patron group, material type, loan type and location.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// Patron group.
    pub patron_group: Option<Uuid>,
    /// Material type.
    pub material_type: Option<Uuid>,
    /// Effective loan type.
    pub loan_type: Option<Uuid>,
    /// Effective location.
    pub location: Option<Uuid>,
}

impl Facts {
    fn of(item: Option<&Item>, patron: Option<&Patron>) -> Facts {
        Facts {
            patron_group: patron.and_then(|patron| patron.patron_group),
            material_type: item.and_then(|item| item.material_type_id),
            loan_type: item.and_then(Item::loan_type_id),
            location: item.and_then(|item| item.effective_location_id),
        }
    }
}

/// A decision, and the steps to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// What the rules tested.
    pub facts: Facts,
    /// The due date, if the decision gives one, or the refusals.
    pub decided: Result<Option<Timestamp>, Refused>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// Why an item would be checked out until a date, or would not.
pub fn check_out(
    context: &CheckOutContext,
    configuration: &Configuration,
    command: &CheckOutCommand,
    now: Timestamp,
) -> Explanation {
    let item = context.item.as_ref().map(|found| &found.item);
    let patron = context.patron.as_ref().map(|found| &found.patron);
    let (decided, steps) = traced(|trace| check_out::decide_and_note(context, configuration, command, now, trace));
    let decided = decided.map(|made| made.loan.due_date());
    Explanation { facts: Facts::of(item, patron), decided, steps }
}

/// Why a loan would be renewed until a date, or would not.
pub fn renewal(
    context: &RenewalContext,
    configuration: &Configuration,
    command: &RenewalCommand,
    now: Timestamp,
) -> Explanation {
    let (decided, steps) = traced(|trace| renewal::decide_and_note(context, configuration, command, now, trace));
    let facts = Facts::of(context.item.as_ref(), context.borrower.as_ref());
    Explanation { facts, decided: decided.map(|renewed| Some(renewed.due)), steps }
}

/// Why a request would be accepted or refused.
pub fn request(
    context: &RequestContext,
    configuration: &Configuration,
    command: &PlaceCommand,
    now: Timestamp,
) -> Explanation {
    let (decided, steps) = traced(|trace| place::decide_and_note(context, configuration, command, now, trace));
    let facts = Facts::of(context.item.as_ref(), context.patron());
    Explanation { facts, decided: decided.map(|_| None), steps }
}
