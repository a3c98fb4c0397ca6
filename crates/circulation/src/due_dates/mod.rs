//! When a loan is due (docs/folio/due-dates.md).
//!
//! Four steps: the policy's own date, then out of closed time, then within the schedule that caps
//! it, then before the patron's registration expires.

mod renewal;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use uuid::Uuid;

pub use renewal::{NoRenewalDate, RenewedAt};

use crate::{
    calendars::{
        Openings,
        closed_library::{Strategy, Surroundings, TimetableAbsent},
    },
    dates::{Moment, local_date},
    policies::{FixedDueDateSchedule, LoanPolicy, LoansPolicy, Period, PeriodFault},
    refusal::Told,
};

/// What a due date depends on.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The loan policy.
    pub policy: &'a LoanPolicy,
    /// The schedule that the policy names, where it exists.
    pub schedule: Option<&'a FixedDueDateSchedule>,
    /// When the item was lent.
    pub loan_date: Moment,
    /// Someone waits for this item, or for any item of the title, with a hold not yet filled.
    pub hold_is_waiting: bool,
    /// When the service point of the loan is open.
    pub openings: &'a Openings,
    /// The library's time zone.
    pub zone: &'a TimeZone,
    /// When the patron's registration expires.
    pub patron_expires: Option<Timestamp>,
}

/// A due date, and what made it differ from the policy's usual one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueDate {
    /// When.
    pub at: Timestamp,
    /// Shorter because others wait for the item.
    pub changed_by_hold: bool,
    /// Shorter because the patron's registration expires.
    pub changed_by_near_expire_user: bool,
}

/// Why there is no due date.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoDueDate {
    /// The policy does not make sense: what FOLIO says about it.
    Policy(String),
    /// The calendars say too little.
    TimetableAbsent,
}

impl NoDueDate {
    /// The refusal as clients see it.
    pub fn told(&self, policy_id: Uuid, policy_name: &str) -> Told {
        match self {
            NoDueDate::TimetableAbsent => TimetableAbsent.told(),
            NoDueDate::Policy(message) => Told::new(message)
                .about("loanPolicyId", Some(policy_id))
                .about("loanPolicyName", Some(policy_name)),
        }
    }
}

impl From<TimetableAbsent> for NoDueDate {
    fn from(_: TimetableAbsent) -> Self {
        NoDueDate::TimetableAbsent
    }
}

impl Terms<'_> {
    /// The due date of a new loan.
    ///
    /// # Errors
    /// [`NoDueDate`].
    pub fn due_date(&self) -> Result<DueDate, NoDueDate> {
        let (date, changed_by_hold) = self.by_policy()?;
        let cap = self
            .schedule
            .and_then(|s| s.due_date_for(self.loan_date.timestamp));
        let begun = self.loan_date.timestamp;
        let (at, changed_by_near_expire_user) = self.in_open_time(date, begun, cap)?;
        Ok(DueDate {
            at,
            changed_by_hold,
            changed_by_near_expire_user,
        })
    }

    /// The due date of a new loan of an item that is already recalled; it would fall due at `due`
    /// (docs/folio/due-dates.md#recalls).
    ///
    /// # Errors
    /// [`NoDueDate`].
    pub fn recalled(&self, due: Timestamp, now: Timestamp) -> Result<(Timestamp, bool), NoDueDate> {
        let date = self.recall_date(due, now)?;
        let cap = self
            .schedule
            .and_then(|s| s.due_date_for(self.loan_date.timestamp));
        self.in_open_time(date, now, cap)
    }

    /// The due date after a recall of the loan that falls due at `due` (docs/folio/due-dates.md#recalls). Unlike that
    /// of a new loan it is capped by the range of the schedule in which the new date lies.
    ///
    /// # Errors
    /// [`NoDueDate`].
    pub fn recalled_later(
        &self,
        due: Timestamp,
        now: Timestamp,
    ) -> Result<(Timestamp, bool), NoDueDate> {
        let date = self.recall_date(due, now)?;
        let cap = self.schedule.and_then(|s| s.due_date_for(date));
        self.in_open_time(date, now, cap)
    }

    fn loans(&self) -> Option<&LoansPolicy> {
        self.policy.loans_policy.as_ref()
    }

    /// The date by the profile of the policy; true when a waiting hold made it shorter.
    fn by_policy(&self) -> Result<(Timestamp, bool), NoDueDate> {
        let alternate = self.alternate_period();
        if self.policy.is_rolling() {
            let usual = self.loans().and_then(|l| l.period.as_ref());
            let date = self.capped(self.rolling(alternate.or(usual))?)?;
            Ok((date, alternate.is_some()))
        } else if self.policy.is_fixed() {
            match alternate {
                // FOLIO does not mark such a loan as changed.
                Some(_) => Ok((self.capped(self.rolling(alternate)?)?, false)),
                None => Ok((self.scheduled()?, false)),
            }
        } else {
            let profile = self.policy.profile();
            Err(NoDueDate::Policy(format!(
                "profile \"{profile}\" in the loan policy is not recognised"
            )))
        }
    }

    fn alternate_period(&self) -> Option<&Period> {
        let holds = &self.policy.request_management.holds;
        let alternate = holds.alternate_checkout_loan_period.as_ref();
        alternate.filter(|_| self.hold_is_waiting)
    }

    fn rolling(&self, period: Option<&Period>) -> Result<Timestamp, NoDueDate> {
        period_after(period, self.loan_date)
            .map_err(|fault| NoDueDate::Policy(fault.of_loan_period()))
    }

    fn capped(&self, date: Timestamp) -> Result<Timestamp, NoDueDate> {
        match self.schedule {
            Some(_) => Ok(date.min(self.scheduled()?)),
            None => Ok(date),
        }
    }

    fn scheduled(&self) -> Result<Timestamp, NoDueDate> {
        self.schedule
            .and_then(|schedule| schedule.due_date_for(self.loan_date.timestamp))
            .ok_or_else(|| {
                let message = "loan date falls outside of the date ranges in the loan policy";
                NoDueDate::Policy(message.to_owned())
            })
    }

    /// The date out of closed time, within the schedule that caps it, before the patron's registration expires; true
    /// for the last.
    fn in_open_time(
        &self,
        date: Timestamp,
        begun: Timestamp,
        cap: Option<Timestamp>,
    ) -> Result<(Timestamp, bool), NoDueDate> {
        let around = Surroundings::of(date, self.openings, self.zone);
        let mut at = around.adjust(self.strategy(), date, begun)?;
        if let Some(cap) = cap
            && local_date(at, self.zone) > local_date(cap, self.zone)
        {
            at = around.adjust(self.backward_strategy(), cap, begun)?;
        }
        match self.patron_expires {
            Some(expires) if expires < at => Ok((self.before_expiry(expires)?, true)),
            _ => Ok((at, false)),
        }
    }

    fn strategy(&self) -> Strategy {
        let Some(loans) = self.loans() else {
            return Strategy::Unchanged;
        };
        let offset = loans.opening_time_offset.as_ref();
        Strategy::of_loan_policy(
            loans.closed_library_due_date_management_id.as_deref(),
            offset.map_or(SignedDuration::ZERO, Period::clock_time),
        )
    }

    fn backward_strategy(&self) -> Strategy {
        let period = self.loans().and_then(|loans| loans.period.as_ref());
        match period {
            Some(period) if period.is_short() => Strategy::EndOfCurrentHours,
            _ => Strategy::EndOfPreviousOpenDay,
        }
    }

    fn before_expiry(&self, expires: Timestamp) -> Result<Timestamp, TimetableAbsent> {
        let around = Surroundings::of(expires, self.openings, self.zone);
        match self.strategy() {
            Strategy::EndOfPreviousOpenDay | Strategy::EndOfNextOpenDay => {
                around.end_of_previous_open_day()
            }
            Strategy::EndOfCurrentHours | Strategy::BeginningOfNextHours(_) => {
                around.end_of_previous_opening(expires)
            }
            Strategy::EndOfSameDay | Strategy::Unchanged => Ok(expires),
        }
    }

    /// The date of a recall (docs/folio/due-dates.md#recalls), before closed time and expiry are looked at.
    fn recall_date(&self, due: Timestamp, now: Timestamp) -> Result<Timestamp, NoDueDate> {
        let recalls = &self.policy.request_management.recalls;
        let may_extend = recalls.allow_recalls_to_extend_overdue_loans;
        let overdue = due < now;
        let alternate = recalls.alternate_recall_return_interval.as_ref();
        let (key, interval) = match alternate {
            Some(_) if overdue && may_extend => ("alternateRecallReturnInterval", alternate),
            _ => (
                "recallReturnInterval",
                recalls.recall_return_interval.as_ref(),
            ),
        };
        let wanted_back = counted(key, interval, Moment::utc(now))?.unwrap_or(now);
        let guaranteed = counted(
            "minimumGuaranteedLoanPeriod",
            recalls.minimum_guaranteed_loan_period.as_ref(),
            self.loan_date,
        )?;
        if !may_extend && (overdue || wanted_back > due) {
            return Ok(due);
        }
        Ok(guaranteed.map_or(wanted_back, |date| date.max(wanted_back)))
    }
}

/// The end of a period that begins at a moment.
fn period_after(period: Option<&Period>, begins: Moment) -> Result<Timestamp, PeriodFault> {
    period.map_or(Err(PeriodFault::Incomplete), |period| period.after(begins))
}

fn counted(
    key: &str,
    period: Option<&Period>,
    from: Moment,
) -> Result<Option<Timestamp>, NoDueDate> {
    let ends = period.map(|period| period.after(from)).transpose();
    ends.map_err(|fault| {
        NoDueDate::Policy(match fault {
            PeriodFault::Incomplete => {
                format!("the \"{key}\" in the loan policy is not recognized")
            }
            PeriodFault::Interval(interval) => {
                format!("the interval \"{interval}\" in \"{key}\" is not recognized")
            }
            PeriodFault::Duration(duration) => {
                format!("the duration \"{duration}\" in \"{key}\" is invalid")
            }
        })
    })
}

#[cfg(test)]
mod tests;
