//! Items that are read in the library (docs/folio/use-at-location.md): lent, put aside for their reader, handed out
//! again, returned.
//!
//! The loan says what becomes of the item; the item stays checked out all the while. A library has this when its
//! operator has switched it on, for loans by the policies that say so.

mod command;
mod refusal;

use jiff::Timestamp;
use serde_json::{Value, json};

pub use command::UsageCommand;
pub use refusal::{UsageRefusal, Words};

use crate::{
    calendars::closed_library::{Strategy, Surroundings, TimetableAbsent},
    configuration::Configuration,
    dates::{Moment, computed, stored},
    records::{Instance, Item, Loan, Patron},
};

/// The member of a loan that says how its item is used.
pub const FOR_USE_AT_LOCATION: &str = "forUseAtLocation";

/// What becomes of an item that is read in the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// The reader has it.
    InUse,
    /// It waits on the shelf for the reader.
    Held,
    /// The reader needs it no longer.
    Returned,
}

impl Usage {
    /// The name in a record.
    pub fn name(self) -> &'static str {
        match self {
            Usage::InUse => "In use",
            Usage::Held => "Held",
            Usage::Returned => "Returned",
        }
    }
}

/// How an item is used from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Use {
    usage: Usage,
    since: Timestamp,
    held_until: Option<Timestamp>,
}

impl Use {
    /// A use that begins now.
    pub fn begun(usage: Usage, now: Timestamp) -> Use {
        Use {
            usage,
            since: now,
            held_until: None,
        }
    }

    /// As a loan is stored with it.
    pub fn stored(&self) -> Value {
        self.printed(|at| stored(at).to_string())
    }

    /// As FOLIO shows it to whom it has just put an item aside for.
    pub fn computed(&self) -> Value {
        self.printed(|at| computed(at).to_string())
    }

    /// How long an item was held is of no use once it is not.
    fn printed(&self, print: impl Fn(Timestamp) -> String) -> Value {
        let mut shown = json!({"status": self.usage.name(), "statusDate": print(self.since)});
        if let Some(until) = self.held_until {
            shown["holdShelfExpirationDate"] = print(until).into();
        }
        shown
    }
}

/// What was read to decide what becomes of an item.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct UsageContext {
    /// The item with that barcode.
    pub item: Option<Item>,
    /// What it is a copy of.
    pub instance: Instance,
    /// Its open loan.
    pub loan: Option<Loan>,
    /// Who has borrowed it.
    pub borrower: Option<Patron>,
}

/// Another use of an item that its loan is to say.
#[derive(Debug, Clone, PartialEq)]
pub struct UsageChange {
    /// The loan as it is from now on.
    pub loan: Loan,
    /// The use.
    pub now_is: Use,
}

/// Decides about an item that is to be put aside or handed out again.
///
/// # Errors
/// [`UsageRefusal`], the first thing that speaks against it.
pub fn decide(
    context: &UsageContext,
    configuration: &Configuration,
    command: &UsageCommand,
    now: Timestamp,
) -> Result<UsageChange, UsageRefusal> {
    if !configuration.use_at_location {
        return Err(UsageRefusal::NotEnabled);
    }
    let (item, mut loan) = find(context, command).ok_or(UsageRefusal::NoOpenLoan)?;
    if !is_used_at_location(&loan) {
        return Err(UsageRefusal::NotForUseAtLocation);
    }
    let (usage, action) = match command {
        UsageCommand::Hold { .. } => (Usage::Held, "heldForUseAtLocation"),
        UsageCommand::PickUp { .. } => (Usage::InUse, "pickedUpForUseAtLocation"),
    };
    let mut now_is = Use::begun(usage, now);
    if usage == Usage::Held {
        now_is.held_until = held_until(&loan, configuration, now)?;
    }
    loan.set(FOR_USE_AT_LOCATION, now_is.stored());
    loan.set("action", action);
    loan.set("itemStatus", item.status.name.clone());
    Ok(UsageChange { loan, now_is })
}

/// The loan's item is read in the library.
pub fn is_used_at_location(loan: &Loan) -> bool {
    loan.record.contains_key(FOR_USE_AT_LOCATION)
}

/// The item and its open loan; to hand an item out again, it has to be its reader's.
fn find<'c>(context: &'c UsageContext, command: &UsageCommand) -> Option<(&'c Item, Loan)> {
    let (item, loan) = (context.item.as_ref()?, context.loan.clone()?);
    if let UsageCommand::PickUp { user_barcode, .. } = command {
        let borrower = context.borrower.as_ref()?;
        (borrower.barcode.as_ref() == Some(user_barcode)).then_some(())?;
    }
    Some((item, loan))
}

/// How long an item put aside now waits: by the policy of the loan, around the closed time of the service point that lent
/// it; without end, when the policy does not say.
fn held_until(
    loan: &Loan,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Option<Timestamp>, TimetableAbsent> {
    let policy = loan.id_of("loanPolicyId");
    let policy = policy.and_then(|id| configuration.loan_policies.get(&id));
    let Some(period) = policy.and_then(|policy| policy.hold_at_location()) else {
        return Ok(None);
    };
    let Ok(end) = period.after(Moment::utc(now)) else {
        return Ok(None);
    };
    let lent_at = loan.id_of("checkoutServicePointId");
    let openings = configuration.openings_of(lent_at);
    let around = Surroundings::of(end, openings, configuration.zone());
    let service_point = configuration.service_point(lent_at);
    let management =
        service_point.and_then(|s| s.hold_shelf_closed_library_date_management.as_deref());
    let strategy = Strategy::of_hold_shelf(management, period.clock_time());
    around.adjust(strategy, end, end).map(Some)
}

#[cfg(test)]
mod tests;
