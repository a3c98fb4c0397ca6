//! The due date of a renewed loan (docs/folio/due-dates.md#renewed-loans).

use jiff::Timestamp;

use super::{NoDueDate, Terms, period_after};
use crate::{
    dates::Moment,
    policies::{FixedDueDateSchedule, LoanPolicy, Period, PeriodFault},
};

/// Why a renewal has no due date by the policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRenewalDate {
    /// Neither `Rolling` nor `Fixed`.
    Profile(String),
    /// Neither from now nor from the current due date.
    RenewFrom,
    /// The period cannot be counted.
    Period(PeriodFault),
    /// No range of the schedule that caps a rolling loan has the date.
    OutsideRanges,
    /// No range of the schedule of a fixed loan has the date.
    OutsideFixedRanges,
}

impl NoRenewalDate {
    /// FOLIO's message and code.
    pub fn message_and_code(&self) -> (String, &'static str) {
        match self {
            Self::Profile(profile) => (
                format!("profile \"{profile}\" in the loan policy is not recognised"),
                "LOAN_POLICY_PROFILE_NOT_RECOGNIZED",
            ),
            Self::RenewFrom => (
                "cannot determine when to renew from".to_owned(),
                "LOAN_POLICY_RENEW_FROM_NOT_RECOGNIZED",
            ),
            Self::Period(fault) => (
                fault.of_loan_period(),
                match fault {
                    PeriodFault::Incomplete => "LOAN_POLICY_RENEWAL_PERIOD_NOT_RECOGNIZED",
                    PeriodFault::Interval(_) => {
                        "LOAN_POLICY_RENEWAL_PERIOD_INTERVAL_NOT_RECOGNIZED"
                    }
                    PeriodFault::Duration(_) => "LOAN_POLICY_RENEWAL_PERIOD_DURATION_INVALID",
                },
            ),
            Self::OutsideRanges => (
                "renewal date falls outside of date ranges in the loan policy".to_owned(),
                "RENEWAL_DATE_OUTSIDE_LOAN_POLICY_DATE_RANGES",
            ),
            Self::OutsideFixedRanges => (
                "renewal date falls outside of date ranges in fixed loan policy".to_owned(),
                "RENEWAL_DATE_OUTSIDE_FIXED_LOAN_POLICY_DATE_RANGES",
            ),
        }
    }
}

/// A renewal of a loan that falls due at `due`.
#[derive(Debug, Clone, Copy)]
pub struct RenewedAt {
    /// When the loan falls due so far.
    pub due: Timestamp,
    /// Now.
    pub now: Timestamp,
    /// The first who waits for the item waits with a hold.
    pub hold_is_first: bool,
}

impl LoanPolicy {
    /// The id of the schedule that fixes or caps the due date of a renewal. A fixed loan that is renewed
    /// for a different period has only the schedule of the renewal, even if that is none.
    pub fn renewal_schedule<'a>(
        &self,
        schedule: impl Fn(uuid::Uuid) -> Option<&'a FixedDueDateSchedule>,
    ) -> Option<&'a FixedDueDateSchedule> {
        let loans = self.loans_policy.as_ref();
        let usual = loans.and_then(|loans| loans.fixed_due_date_schedule_id);
        let renewals = &self.renewals_policy;
        let alternate = renewals
            .alternate_fixed_due_date_schedule_id
            .and_then(&schedule);
        match renewals.different_period {
            true if self.is_fixed() => alternate,
            true => alternate.or_else(|| schedule(usual?)),
            false => schedule(usual?),
        }
    }
}

/// Of these terms, `schedule` is that of the renewal; the loan date does not matter.
impl Terms<'_> {
    /// The date by the policy, before closed time is looked at.
    ///
    /// # Errors
    /// [`NoRenewalDate`].
    pub fn renewed(&self, renewal: RenewedAt) -> Result<Timestamp, NoRenewalDate> {
        if self.policy.is_fixed() {
            let range = self.schedule.and_then(|s| s.due_date_for(renewal.now));
            return range.ok_or(NoRenewalDate::OutsideFixedRanges);
        }
        if !self.policy.is_rolling() {
            let profile = self.policy.profile().to_owned();
            return Err(NoRenewalDate::Profile(profile));
        }
        let from = match self.policy.renewals_policy.renew_from_id.as_deref() {
            Some("CURRENT_DUE_DATE") => renewal.due,
            Some("SYSTEM_DATE") => renewal.now,
            _ => return Err(NoRenewalDate::RenewFrom),
        };
        let period = self.renewal_period(renewal.hold_is_first);
        let date = period_after(period, Moment::utc(from)).map_err(NoRenewalDate::Period)?;
        match self.schedule {
            None => Ok(date),
            Some(schedule) => {
                let cap = schedule.due_date_for(from);
                Ok(date.min(cap.ok_or(NoRenewalDate::OutsideRanges)?))
            }
        }
    }

    /// The date by the policy, moved out of closed time; true when the patron's registration expires
    /// before.
    ///
    /// # Errors
    /// [`NoDueDate`] when the calendars say too little.
    pub fn renewed_in_open_time(
        &self,
        date: Timestamp,
        now: Timestamp,
    ) -> Result<(Timestamp, bool), NoDueDate> {
        let cap = self.schedule.and_then(|s| s.due_date_for(now));
        self.in_open_time(date, now, cap)
    }

    fn renewal_period(&self, hold_is_first: bool) -> Option<&Period> {
        let holds = &self.policy.request_management.holds;
        let for_holds = holds.alternate_renewal_loan_period.as_ref();
        let renewals = &self.policy.renewals_policy;
        match for_holds.filter(|_| hold_is_first) {
            Some(period) => Some(period),
            None if renewals.different_period => renewals.period.as_ref(),
            None => self.loans().and_then(|loans| loans.period.as_ref()),
        }
    }
}

#[cfg(test)]
mod tests;
