//! Why an item is taken back or not.

use jiff::Timestamp;
use refusals::Refused;
use serde::Deserialize;

use super::{Explanation, Facts};
use crate::{
    check_in::{self, CheckInCommand, CheckInContext, is_lost},
    configuration::Configuration,
    records::{ItemStatus, Loan},
    trace::traced,
};

/// The item's last check-in, for the refusal that comes after everything is written: the item is no longer lost when
/// somebody asks why.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LastReturn {
    /// The item's status before it.
    pub status_before: Option<ItemStatus>,
    /// Whether it closed a loan.
    pub had_loan: bool,
    /// The item's most recent loan.
    pub last_loan: Option<Loan>,
}

/// Why a return would be refused or not; if nothing refuses it now, why the last return of the item was.
pub fn check_in(
    context: &CheckInContext,
    last: Option<&LastReturn>,
    configuration: &Configuration,
    command: &CheckInCommand,
    now: Timestamp,
) -> Explanation {
    let explained = |context: &CheckInContext| {
        let (decided, steps) = traced(|trace| check_in::decide_and_note(context, configuration, command, now, trace));
        let decided =
            decided.and_then(|taken| taken.afterwards.map_or(Ok(None), |refusal| Err(Refused::from(refusal))));
        Explanation { facts: Facts::of(context.item.as_ref(), context.borrower.as_ref()), decided, steps }
    };
    let explanation = explained(context);
    let before = last.filter(|_| explanation.decided.is_ok()).and_then(|last| before(context, last));
    let then = before.map(|before| explained(&before)).filter(|then| then.decided.is_err());
    then.unwrap_or(explanation)
}

/// The records before the last check-in, if that took back a lost item without a loan.
fn before(context: &CheckInContext, last: &LastReturn) -> Option<CheckInContext> {
    let status = last.status_before.filter(|status| is_lost(*status) && !last.had_loan && context.loan.is_none())?;
    let mut before = context.clone();
    before.item.as_mut()?.status.name = Some(status);
    before.last_loan.clone_from(&last.last_loan);
    Some(before)
}
