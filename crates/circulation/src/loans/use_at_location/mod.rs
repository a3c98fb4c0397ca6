//! Loans for use at location (docs/folio/use-at-location.md): check-out, hold, pickup and return of items that stay in
//! the library.
//!
//! The loan records how the item is used; the item itself stays checked out. The operator must enable the feature, and
//! it applies to loans whose policy allows it.

mod command;
pub(crate) mod refusal;

use jiff::Timestamp;
use refusals::{Refusal, Wording};
use serde_json::{Value, json};

pub use command::UsageCommand;

use crate::{
    calendars::closed_library::{Strategy, Surroundings},
    configuration::Configuration,
    dates::{Moment, computed, stored},
    records::{Instance, Item, Loan, LoanAction, Patron},
};

/// The state of an item on loan for use at location.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// The patron has it.
    InUse,
    /// It is on the hold shelf for the patron.
    Held,
    /// The patron has returned it for good.
    Returned,
}

impl Usage {
    /// The name in loan records.
    pub fn name(self) -> &'static str {
        match self {
            Usage::InUse => "In use",
            Usage::Held => "Held",
            Usage::Returned => "Returned",
        }
    }
}

/// The use of an item: its state, since when, and until when it is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    usage: Usage,
    since: Timestamp,
    held_until: Option<Timestamp>,
}

impl Use {
    /// A use that begins now.
    pub fn begun(usage: Usage, now: Timestamp) -> Use {
        Use { usage, since: now, held_until: None }
    }

    /// The form stored in the loan.
    pub fn stored(&self) -> Value {
        self.printed(|at| stored(at).to_string())
    }

    /// The form in FOLIO's response to the request that changed it.
    pub fn computed(&self) -> Value {
        self.printed(|at| computed(at).to_string())
    }

    /// The expiration date appears only while the item is held.
    fn printed(&self, print: impl Fn(Timestamp) -> String) -> Value {
        let mut shown = json!({"status": self.usage.name(), "statusDate": print(self.since)});
        if let Some(until) = self.held_until {
            shown["holdShelfExpirationDate"] = print(until).into();
        }
        shown
    }
}

/// The records read to decide a change of use.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UsageContext {
    /// The item with the requested barcode.
    pub item: Option<Item>,
    /// The instance of the item.
    pub instance: Instance,
    /// The item's open loan.
    pub loan: Option<Loan>,
    /// The patron of the loan.
    pub borrower: Option<Patron>,
}

/// A decided change of use.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageChange {
    /// The updated loan.
    pub loan: Loan,
    /// The new use.
    pub now_is: Use,
}

/// Decides whether an item is held or picked up.
///
/// # Errors
/// The first refusal.
pub fn decide(
    context: &UsageContext,
    configuration: &Configuration,
    command: &UsageCommand,
    now: Timestamp,
) -> Result<UsageChange, Refusal> {
    if !configuration.use_at_location {
        return Err(refusal::NOT_ENABLED.into());
    }
    let (usage, action, [no_loan, other_loan]) = match command {
        UsageCommand::Hold { .. } => {
            (Usage::Held, LoanAction::HeldForUseAtLocation, [refusal::HOLD_WITHOUT_LOAN, refusal::HOLD_OF_OTHER_LOAN])
        }
        UsageCommand::PickUp { .. } => (
            Usage::InUse,
            LoanAction::PickedUpForUseAtLocation,
            [refusal::PICK_UP_WITHOUT_LOAN, refusal::PICK_UP_OF_OTHER_LOAN],
        ),
    };
    let (item, mut loan) = find(context, command).ok_or_else(|| command.refusal(no_loan))?;
    if !is_used_at_location(&loan) {
        return Err(command.refusal(other_loan));
    }
    let mut now_is = Use::begun(usage, now);
    if usage == Usage::Held {
        now_is.held_until = held_until(&loan, configuration, now)?;
    }
    loan.set_use_at_location(now_is.stored());
    loan.set_action(action);
    loan.set_item_status(item.status.name);
    Ok(UsageChange { loan, now_is })
}

/// Whether the loan is for use at location.
pub(crate) fn is_used_at_location(loan: &Loan) -> bool {
    loan.use_at_location().is_some()
}

/// The item and its open loan; for a pickup, the loan must be the patron's.
fn find<'c>(context: &'c UsageContext, command: &UsageCommand) -> Option<(&'c Item, Loan)> {
    let (item, loan) = (context.item.as_ref()?, context.loan.clone()?);
    if let UsageCommand::PickUp { user_barcode, .. } = command {
        let borrower = context.borrower.as_ref()?;
        (borrower.barcode.as_ref() == Some(user_barcode)).then_some(())?;
    }
    Some((item, loan))
}

/// When the hold of an item put aside now expires: by the loan policy, moved out of closed time at the service point of
/// the check-out; `None` if the policy sets no period.
fn held_until(
    loan: &Loan,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Option<Timestamp>, &'static Wording> {
    let policy = loan.loan_policy_id();
    let policy = policy.and_then(|id| configuration.loan_policies.get(&id));
    let Some(period) = policy.and_then(|policy| policy.hold_at_location()) else {
        return Ok(None);
    };
    let Ok(end) = period.after(Moment::utc(now)) else {
        return Ok(None);
    };
    let service_point_id = loan.check_out_point();
    let openings = configuration.openings_of(service_point_id);
    let around = Surroundings::of(end, openings, configuration.zone());
    let service_point = configuration.service_point(service_point_id);
    let management = service_point.and_then(|s| s.hold_shelf_closed_library_date_management.as_deref());
    let strategy = Strategy::of_hold_shelf(management, period.clock_time());
    around.adjust(strategy, end, end).map(Some)
}

#[cfg(test)]
mod tests;
