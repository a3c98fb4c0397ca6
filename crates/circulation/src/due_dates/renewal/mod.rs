//! Due dates of renewed loans (docs/folio/due-dates.md#renewed-loans).

use jiff::Timestamp;
use refusals::Refusal;

use super::{
    Terms, period_after,
    refusal::{
        RENEW_FROM_UNKNOWN, RENEWAL_DURATION_INVALID, RENEWAL_INTERVAL_UNKNOWN, RENEWAL_OUTSIDE_FIXED_RANGES,
        RENEWAL_OUTSIDE_RANGES, RENEWAL_PERIOD_INCOMPLETE, RENEWAL_PROFILE_UNKNOWN,
    },
};
use crate::{
    dates::Moment,
    policies::{FixedDueDateSchedule, LoanPolicy, Period},
    trace::{Mover, WhichPeriod},
};

/// A renewal of a loan.
#[derive(Debug, Clone, Copy)]
pub struct RenewedAt {
    /// The due date before the renewal.
    pub due: Timestamp,
    /// The current time.
    pub now: Timestamp,
    /// Whether the first request in the queue is a hold.
    pub hold_is_first: bool,
}

impl LoanPolicy {
    /// The schedule that fixes or caps the due date of a renewal. A fixed loan that is renewed for a different period
    /// uses only the schedule of the renewal, even if there is none.
    pub(crate) fn renewal_schedule<'a>(
        &self,
        schedule: impl Fn(uuid::Uuid) -> Option<&'a FixedDueDateSchedule>,
    ) -> Option<&'a FixedDueDateSchedule> {
        let loans = self.loans_policy.as_ref();
        let usual = loans.and_then(|loans| loans.fixed_due_date_schedule_id);
        let renewals = &self.renewals_policy;
        let alternate = renewals.alternate_fixed_due_date_schedule_id.and_then(&schedule);
        match renewals.different_period {
            true if self.is_fixed() => alternate,
            true => alternate.or_else(|| schedule(usual?)),
            false => schedule(usual?),
        }
    }
}

/// For a renewal, `schedule` is the schedule of the renewal, and the loan date is not used.
impl Terms<'_> {
    /// The due date by the policy, before it is moved out of closed time.
    pub fn renewed(&self, renewal: RenewedAt) -> Result<Timestamp, Refusal> {
        if self.policy.is_fixed() {
            let range = self.range_of(renewal.now);
            let range = range.ok_or_else(|| self.refuse(RENEWAL_OUTSIDE_FIXED_RANGES))?;
            self.note(renewal.now, range.due, || Mover::Schedule(range));
            return Ok(range.due);
        }
        if !self.policy.is_rolling() {
            let profile = self.policy.profile();
            return Err(self.refuse(RENEWAL_PROFILE_UNKNOWN.with("profile", profile)));
        }
        let from = match self.policy.renewals_policy.renew_from_id.as_deref() {
            Some("CURRENT_DUE_DATE") => renewal.due,
            Some("SYSTEM_DATE") => renewal.now,
            _ => return Err(self.refuse(RENEW_FROM_UNKNOWN)),
        };
        let (which, period) = self.renewal_period(renewal.hold_is_first);
        let words = [RENEWAL_PERIOD_INCOMPLETE, RENEWAL_INTERVAL_UNKNOWN, RENEWAL_DURATION_INVALID];
        let date = period_after(period, Moment::utc(from)).map_err(|fault| self.refuse(fault.refusal(words)))?;
        self.note_period(from, date, which, period);
        match self.schedule {
            None => Ok(date),
            Some(schedule) => {
                let cap = schedule.range_of(from);
                Ok(self.at_most(date, cap.ok_or_else(|| self.refuse(RENEWAL_OUTSIDE_RANGES))?))
            }
        }
    }

    /// The due date by the policy, moved out of closed time, and whether the expiration of the patron's registration
    /// changed it.
    ///
    /// # Errors
    /// [`Refusal`] when the calendars lack the openings that the strategy needs.
    pub(crate) fn renewed_in_open_time(&self, date: Timestamp, now: Timestamp) -> Result<(Timestamp, bool), Refusal> {
        let cap = self.range_of(now);
        self.in_open_time(date, now, cap)
    }

    fn renewal_period(&self, hold_is_first: bool) -> (WhichPeriod, Option<&Period>) {
        let holds = &self.policy.request_management.holds;
        let for_holds = holds.alternate_renewal_loan_period.as_ref();
        let renewals = &self.policy.renewals_policy;
        match for_holds.filter(|_| hold_is_first) {
            Some(period) => (WhichPeriod::RenewalForHolds, Some(period)),
            None if renewals.different_period => (WhichPeriod::DifferentRenewal, renewals.period.as_ref()),
            None => (WhichPeriod::Renewal, self.loans().and_then(|loans| loans.period.as_ref())),
        }
    }
}

#[cfg(test)]
mod tests;
