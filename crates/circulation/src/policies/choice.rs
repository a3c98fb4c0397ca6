//! Which policies apply when a patron borrows an item: the circulation rules, asked with the facts
//! of the two (docs/folio/check-out.md#loan-policy).

use uuid::Uuid;

use crate::{
    configuration::{Configuration, NotApplicable},
    records::{Item, Patron},
    rules::{AppliedRuleConditions, PolicyKind},
};

/// What the rules look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Borrowing {
    group: Uuid,
    location: Uuid,
    loan_type: Uuid,
    material_type: Uuid,
}

impl Borrowing {
    /// The facts of an item and the patron who wants it.
    ///
    /// # Errors
    /// [`NotApplicable`], FOLIO's text of a 500, when a fact is missing.
    pub fn new(item: &Item, patron: Option<&Patron>) -> Result<Borrowing, NotApplicable> {
        let unable = |to: &str| NotApplicable(format!("Unable to apply circulation rules {to}"));
        let patron = patron.ok_or_else(|| unable("for item with user that is null"))?;
        Ok(Borrowing {
            group: patron
                .patron_group
                .ok_or_else(|| unable("to a user with null value as patronGroupId"))?,
            location: item
                .effective_location_id
                .ok_or_else(|| unable("to an item with null value as locationId"))?,
            loan_type: item
                .loan_type_id()
                .ok_or_else(|| unable("to an item which loan type can not be determined"))?,
            material_type: item
                .material_type_id
                .ok_or_else(|| unable("to an item with null value as materialTypeId"))?,
        })
    }
}

/// A policy that the rules chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chosen {
    /// Its id.
    pub id: Uuid,
    /// What the winning rule tests.
    pub conditions: AppliedRuleConditions,
}

/// The policy of a kind that applies.
///
/// # Errors
/// [`NotApplicable`] when there are no rules, or they name a policy that does not exist.
pub fn choose(
    kind: PolicyKind,
    borrowing: Borrowing,
    configuration: &Configuration,
) -> Result<Chosen, NotApplicable> {
    let facts = configuration.facts(
        borrowing.material_type,
        borrowing.loan_type,
        borrowing.group,
        borrowing.location,
    );
    let best = configuration.matcher()?.best(&facts);
    let name = best.policies.get(kind);
    if !configuration.has_policy(kind, name.id()) {
        return Err(not_found(kind, name.as_str()));
    }
    Ok(Chosen {
        id: name.id(),
        conditions: best.conditions,
    })
}

fn not_found(kind: PolicyKind, name: &str) -> NotApplicable {
    let what = match kind {
        PolicyKind::Loan => "Loan policy",
        PolicyKind::Request => "Request policy",
        PolicyKind::Notice => "Patron notice policy",
        PolicyKind::OverdueFine => "Overdue fine policy",
        PolicyKind::LostItem => "Lost item policy",
    };
    NotApplicable(format!(
        "{what} {name} could not be found, please check circulation rules"
    ))
}
