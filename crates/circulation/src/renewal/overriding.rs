//! Renewing although policy, state or a recall forbids it (docs/folio/renewals.md#overriding-a-renewal). There is no
//! closed-library step: staff who override see the date that they get.

use jiff::Timestamp;

use super::{Checks, NamedPolicy, RenewalRefusal};
use crate::due_dates::RenewedAt;

impl Checks<'_, '_> {
    /// The due date of an overridden renewal; `None` when it is refused.
    pub(super) fn overridden_due_date(&mut self) -> Option<Timestamp> {
        match self.override_renewal() {
            Ok(due) => Some(due),
            Err(refusal) => {
                self.refuse(refusal);
                None
            }
        }
    }

    fn override_renewal(&self) -> Result<Timestamp, RenewalRefusal> {
        let overrides = &self.command.overrides;
        if overrides.comment.is_none() {
            return Err(RenewalRefusal::OverrideWithoutComment);
        }
        let given = overrides.due_date;
        let Some(computed) = self.computed_due_date() else {
            return given.ok_or(RenewalRefusal::OverrideWithoutDueDate);
        };
        let current = self.subject.loan.due_date().unwrap_or(self.now);
        let later = computed > current;
        if later && !self.has_reason_to_override() {
            return Err(RenewalRefusal::NothingToOverride(self.policy.into()));
        }
        let due = match later {
            true => computed,
            false => given.ok_or(RenewalRefusal::OverrideWithoutLaterDueDate)?,
        };
        if due <= current {
            let policy: NamedPolicy = self.policy.into();
            return Err(RenewalRefusal::OverrideWouldNotChangeDueDate(policy));
        }
        Ok(due)
    }

    /// The date by the policy; `None` when it allows no renewal or does not say until when.
    fn computed_due_date(&self) -> Option<Timestamp> {
        if !self.policy.loanable || !self.policy.renewable {
            return None;
        }
        let renewal = RenewedAt {
            due: self.subject.loan.due_date().unwrap_or(self.now),
            now: self.now,
            hold_is_first: false,
        };
        self.terms().renewed(renewal).ok()
    }

    /// Something forbids the renewal although the policy has a later date for it.
    fn has_reason_to_override(&self) -> bool {
        let item = self.subject.item;
        self.limit_is_reached()
            || self.queue.recall_of(item.id).is_some()
            || item.is_lost()
            || self.subject.loan.reminders() > 0
    }
}
