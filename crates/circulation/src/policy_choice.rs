//! Chooses the policies for a loan: applies the circulation rules to the item and the patron
//! (docs/folio/check-out.md#loan-policy).

use refusals::Refusal;
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    records::{Item, Patron},
    refusal::not_applicable,
    rules::{AppliedRuleConditions, PolicyKind},
    trace::{Step, Trace},
};

/// The item and patron facts that the circulation rules test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Borrowing {
    group: Uuid,
    location: Uuid,
    loan_type: Uuid,
    material_type: Uuid,
}

impl Borrowing {
    /// Collects the facts from an item and the patron.
    ///
    /// # Errors
    /// A fact is missing.
    pub fn new(item: &Item, patron: Option<&Patron>) -> Result<Borrowing, Refusal> {
        let unable = |to: &str| not_applicable(format!("Unable to apply circulation rules {to}"));
        let patron = patron.ok_or_else(|| unable("for item with user that is null"))?;
        Ok(Borrowing {
            group: patron.patron_group.ok_or_else(|| unable("to a user with null value as patronGroupId"))?,
            location: item.effective_location_id.ok_or_else(|| unable("to an item with null value as locationId"))?,
            loan_type: item.loan_type_id().ok_or_else(|| unable("to an item which loan type can not be determined"))?,
            material_type: item
                .material_type_id
                .ok_or_else(|| unable("to an item with null value as materialTypeId"))?,
        })
    }
}

/// A policy chosen by the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// ID of the policy.
    pub id: Uuid,
    /// The criteria that the winning rule tests.
    pub conditions: AppliedRuleConditions,
}

/// Chooses the policy of one kind.
///
/// # Errors
/// [`RULES_NOT_APPLICABLE`](crate::refusal::RULES_NOT_APPLICABLE) if there are no rules, or they name a policy that
/// does not exist.
pub fn choose(kind: PolicyKind, borrowing: Borrowing, configuration: &Configuration) -> Result<Chosen, Refusal> {
    choose_and_note(kind, borrowing, configuration, Trace::OFF)
}

/// The same, with a note of the rule.
pub(crate) fn choose_and_note(
    kind: PolicyKind,
    borrowing: Borrowing,
    configuration: &Configuration,
    trace: Trace<'_>,
) -> Result<Chosen, Refusal> {
    let facts = configuration.facts(borrowing.material_type, borrowing.loan_type, borrowing.group, borrowing.location);
    let best = configuration.matcher()?.best(&facts);
    let name = best.policies.get(kind);
    trace.note(|| Step::Rule { kind, line: best.line, policy: name.id() });
    if !configuration.has_policy(kind, name.id()) {
        return Err(not_found(kind, name.as_str()));
    }
    Ok(Chosen { id: name.id(), conditions: best.conditions })
}

fn not_found(kind: PolicyKind, name: &str) -> Refusal {
    let what = match kind {
        PolicyKind::Loan => "Loan policy",
        PolicyKind::Request => "Request policy",
        PolicyKind::Notice => "Patron notice policy",
        PolicyKind::OverdueFine => "Overdue fine policy",
        PolicyKind::LostItem => "Lost item policy",
    };
    not_applicable(format!("{what} {name} could not be found, please check circulation rules"))
}
