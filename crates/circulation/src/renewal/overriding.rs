//! Overriding the loan policy, the item's status or a recall on renewal (docs/folio/renewals.md#overriding-a-renewal).
//! Closed days do not move the due date: staff see the date they set.

use jiff::Timestamp;
use refusals::Refusal;

use super::{Checks, refusal};
use crate::due_dates::RenewedAt;

impl Checks<'_, '_> {
    /// The due date of an overridden renewal; `None` if it is refused.
    pub(super) fn overridden_due_date(&mut self) -> Option<Timestamp> {
        match self.override_renewal() {
            Ok(due) => Some(due),
            Err(refusal) => {
                self.refuse(refusal);
                None
            }
        }
    }

    fn override_renewal(&self) -> Result<Timestamp, Refusal> {
        let overrides = &self.command.overrides;
        if overrides.comment.is_none() {
            return Err(refusal::OVERRIDE_WITHOUT_COMMENT.into());
        }
        let given = overrides.due_date;
        let Some(computed) = self.computed_due_date() else {
            return given.ok_or_else(|| refusal::OVERRIDE_WITHOUT_DUE_DATE.with("dueDate", "null"));
        };
        let current = self.subject.loan.due_date().unwrap_or(self.now);
        let later = computed > current;
        if later && !self.has_reason_to_override() {
            return Err(self.policy.named_in(refusal::NOTHING_TO_OVERRIDE));
        }
        let due = match later {
            true => computed,
            false => given.ok_or_else(|| refusal::OVERRIDE_WITHOUT_LATER_DUE_DATE.with("dueDate", "null"))?,
        };
        if due <= current {
            return Err(self.policy.named_in(refusal::SAME_DUE_DATE));
        }
        Ok(due)
    }

    /// The due date by the loan policy; `None` if the policy forbids renewal or gives no date.
    fn computed_due_date(&self) -> Option<Timestamp> {
        if !self.policy.loanable || !self.policy.renewable {
            return None;
        }
        let renewal =
            RenewedAt { due: self.subject.loan.due_date().unwrap_or(self.now), now: self.now, hold_is_first: false };
        self.terms().renewed(renewal).ok()
    }

    /// True if the renewal limit, a recall, a lost item or a reminder blocks the renewal despite a later due date.
    fn has_reason_to_override(&self) -> bool {
        let item = self.subject.item;
        self.limit_is_reached()
            || self.queue.recall_of(item.id).is_some()
            || item.is_lost()
            || self.subject.loan.reminders() > 0
    }
}
