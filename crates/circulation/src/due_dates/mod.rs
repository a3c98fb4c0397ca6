//! Due dates of loans (docs/folio/due-dates.md).
//!
//! A due date takes four steps: compute it by the policy, move it out of closed time, cap it by the schedule, and move
//! it before the expiration of the patron's registration.

pub(crate) mod refusal;
mod renewal;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use refusals::{Refusal, Wording};
use uuid::Uuid;

pub use renewal::RenewedAt;

use crate::{
    calendars::{
        Openings,
        closed_library::{Strategy, Surroundings},
    },
    configuration::Configuration,
    dates::{Moment, local_date},
    policies::{FixedDueDateSchedule, LoanPolicy, LoansPolicy, Period, PeriodFault, ScheduleRange},
    records::Patron,
    trace::{Mover, Step, Trace, WhichPeriod},
};
use refusal::{
    DURATION_INVALID, INTERVAL_UNKNOWN, OUTSIDE_RANGES, PERIOD_INCOMPLETE, PROFILE_UNKNOWN, RECALL_DURATION_INVALID,
    RECALL_INTERVAL_UNKNOWN, RECALL_PERIOD_INCOMPLETE,
};

/// Everything that determines a due date.
#[derive(Debug, Clone, Copy)]
pub struct Terms<'a> {
    /// The loan policy.
    pub policy: &'a LoanPolicy,
    /// The policy's schedule; absent when the policy names none or it does not exist.
    pub schedule: Option<&'a FixedDueDateSchedule>,
    /// The start of the loan.
    pub loan_date: Moment,
    /// Whether an unfilled hold waits for this item or for any item of the title.
    pub hold_is_waiting: bool,
    /// The openings of the service point of the loan.
    pub openings: &'a Openings,
    /// The library's time zone.
    pub zone: &'a TimeZone,
    /// When the patron's registration expires; absent when it does not.
    pub patron_expires: Option<Timestamp>,
    /// Where the steps are noted.
    pub trace: Trace<'a>,
}

/// A due date, and what moved it from the policy's usual date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueDate {
    /// The due date.
    pub at: Timestamp,
    /// Whether a waiting hold shortened the loan.
    pub changed_by_hold: bool,
    /// Whether the expiration of the patron's registration shortened the loan.
    pub changed_by_near_expire_user: bool,
}

impl<'a> Terms<'a> {
    /// What determines the due date of a loan that begins at a moment and a service point, without a waiting hold.
    pub(crate) fn of_loan(
        policy: &'a LoanPolicy,
        (loan_date, service_point): (Moment, Option<Uuid>),
        patron: &Patron,
        configuration: &'a Configuration,
        trace: Trace<'a>,
    ) -> Terms<'a> {
        let schedule = policy.loans_policy.as_ref().and_then(|loans| loans.fixed_due_date_schedule_id);
        Terms {
            policy,
            schedule: schedule.and_then(|id| configuration.schedules.get(&id)),
            loan_date,
            hold_is_waiting: false,
            openings: configuration.openings_of(service_point),
            zone: configuration.zone(),
            patron_expires: patron.expires(),
            trace,
        }
    }
}

impl Terms<'_> {
    /// The due date of a new loan.
    pub fn due_date(&self) -> Result<DueDate, Refusal> {
        let (date, changed_by_hold) = self.by_policy()?;
        let cap = self.range_of(self.loan_date.timestamp);
        let begun = self.loan_date.timestamp;
        let (at, changed_by_near_expire_user) = self.in_open_time(date, begun, cap)?;
        Ok(DueDate { at, changed_by_hold, changed_by_near_expire_user })
    }

    /// The due date of a new loan of an item that is already recalled; without the recall, the loan would be due at
    /// `due` (docs/folio/due-dates.md#recalls).
    pub fn recalled(&self, due: Timestamp, now: Timestamp) -> Result<(Timestamp, bool), Refusal> {
        let date = self.recall_date(due, now)?;
        let cap = self.range_of(self.loan_date.timestamp);
        self.in_open_time(date, now, cap)
    }

    /// The due date after a recall of a loan due at `due` (docs/folio/due-dates.md#recalls). Unlike for a new loan, the
    /// cap comes from the schedule's range that contains the new date.
    pub(crate) fn recalled_later(&self, due: Timestamp, now: Timestamp) -> Result<(Timestamp, bool), Refusal> {
        let date = self.recall_date(due, now)?;
        let cap = self.range_of(date);
        self.in_open_time(date, now, cap)
    }

    /// Notes what a date follows from.
    fn note(&self, from: Timestamp, to: Timestamp, by: impl FnOnce() -> Mover) {
        self.trace.note(|| Step::Date { from, to, by: by() });
    }

    fn note_period(&self, from: Timestamp, to: Timestamp, which: WhichPeriod, period: Option<&Period>) {
        self.note(from, to, || Mover::Period { which, period: period.cloned().unwrap_or_default() });
    }

    /// The range of the schedule that contains a moment.
    fn range_of(&self, moment: Timestamp) -> Option<ScheduleRange> {
        self.schedule.and_then(|schedule| schedule.range_of(moment))
    }

    fn loans(&self) -> Option<&LoansPolicy> {
        self.policy.loans_policy.as_ref()
    }

    /// The due date by the profile of the policy, and whether a waiting hold changed it.
    fn by_policy(&self) -> Result<(Timestamp, bool), Refusal> {
        let alternate = self.alternate_period();
        if self.policy.is_rolling() {
            let usual = self.loans().and_then(|l| l.period.as_ref());
            let which = match alternate {
                Some(_) => WhichPeriod::LoanForHolds,
                None => WhichPeriod::Loan,
            };
            let date = self.capped(self.rolling(which, alternate.or(usual))?)?;
            Ok((date, alternate.is_some()))
        } else if self.policy.is_fixed() {
            match alternate {
                // FOLIO does not mark such a loan as changed by a hold.
                Some(_) => Ok((self.capped(self.rolling(WhichPeriod::LoanForHolds, alternate)?)?, false)),
                None => {
                    let range = self.scheduled()?;
                    self.note(self.loan_date.timestamp, range.due, || Mover::Schedule(range));
                    Ok((range.due, false))
                }
            }
        } else {
            Err(self.refuse(PROFILE_UNKNOWN.with("profile", self.policy.profile())))
        }
    }

    fn alternate_period(&self) -> Option<&Period> {
        let holds = &self.policy.request_management.holds;
        let alternate = holds.alternate_checkout_loan_period.as_ref();
        alternate.filter(|_| self.hold_is_waiting)
    }

    fn rolling(&self, which: WhichPeriod, period: Option<&Period>) -> Result<Timestamp, Refusal> {
        let words = [PERIOD_INCOMPLETE, INTERVAL_UNKNOWN, DURATION_INVALID];
        let date = period_after(period, self.loan_date).map_err(|fault| self.refuse(fault.refusal(words)))?;
        self.note_period(self.loan_date.timestamp, date, which, period);
        Ok(date)
    }

    fn capped(&self, date: Timestamp) -> Result<Timestamp, Refusal> {
        match self.schedule {
            Some(_) => Ok(self.at_most(date, self.scheduled()?)),
            None => Ok(date),
        }
    }

    /// The date, or that of the schedule if it is earlier.
    fn at_most(&self, date: Timestamp, range: ScheduleRange) -> Timestamp {
        if range.due < date {
            self.note(date, range.due, || Mover::ScheduleCap(range));
        }
        date.min(range.due)
    }

    fn scheduled(&self) -> Result<ScheduleRange, Refusal> {
        self.range_of(self.loan_date.timestamp).ok_or_else(|| self.refuse(OUTSIDE_RANGES))
    }

    /// The due date after closed time, the schedule's cap and the patron's expiration, and whether the expiration
    /// changed it.
    fn in_open_time(
        &self,
        date: Timestamp,
        begun: Timestamp,
        cap: Option<ScheduleRange>,
    ) -> Result<(Timestamp, bool), Refusal> {
        let around = Surroundings::of(date, self.openings, self.zone);
        let mut at = self.moved(&around, self.strategy(), date, begun)?;
        if let Some(cap) = cap
            && local_date(at, self.zone) > local_date(cap.due, self.zone)
        {
            self.note(at, cap.due, || Mover::ScheduleCap(cap));
            at = self.moved(&around, self.backward_strategy(), cap.due, begun)?;
        }
        match self.patron_expires {
            Some(expires) if expires < at => {
                let before = self.before_expiry(expires)?;
                self.note(at, before, || Mover::PatronExpires(expires));
                Ok((before, true))
            }
            _ => Ok((at, false)),
        }
    }

    fn moved(
        &self,
        around: &Surroundings<'_>,
        strategy: Strategy,
        date: Timestamp,
        begun: Timestamp,
    ) -> Result<Timestamp, &'static Wording> {
        let to = around.adjust(strategy, date, begun)?;
        self.note(date, to, || Mover::Calendar { strategy, days: Box::new(around.days().clone()) });
        Ok(to)
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

    fn before_expiry(&self, expires: Timestamp) -> Result<Timestamp, &'static Wording> {
        let around = Surroundings::of(expires, self.openings, self.zone);
        match self.strategy() {
            Strategy::EndOfPreviousOpenDay | Strategy::EndOfNextOpenDay => around.end_of_previous_open_day(),
            Strategy::EndOfCurrentHours | Strategy::BeginningOfNextHours(_) => around.end_of_previous_opening(expires),
            Strategy::EndOfSameDay | Strategy::Unchanged => Ok(expires),
        }
    }

    /// The due date set by a recall (docs/folio/due-dates.md#recalls), before closed time and the patron's expiration.
    fn recall_date(&self, due: Timestamp, now: Timestamp) -> Result<Timestamp, Refusal> {
        let recalls = &self.policy.request_management.recalls;
        let may_extend = recalls.allow_recalls_to_extend_overdue_loans;
        let overdue = due < now;
        let alternate = recalls.alternate_recall_return_interval.as_ref();
        let (key, interval) = match alternate {
            Some(_) if overdue && may_extend => ("alternateRecallReturnInterval", alternate),
            _ => ("recallReturnInterval", recalls.recall_return_interval.as_ref()),
        };
        let wanted_back = self.counted(key, interval, Moment::utc(now))?.unwrap_or(now);
        let which = match key {
            "recallReturnInterval" => WhichPeriod::RecallReturn,
            _ => WhichPeriod::AlternateRecallReturn,
        };
        let guaranteed = self.counted(
            "minimumGuaranteedLoanPeriod",
            recalls.minimum_guaranteed_loan_period.as_ref(),
            self.loan_date,
        )?;
        if !may_extend && (overdue || wanted_back > due) {
            self.note(due, due, || Mover::RecallKeeps);
            return Ok(due);
        }
        match interval {
            Some(_) => self.note_period(due, wanted_back, which, interval),
            None => self.note(due, wanted_back, || Mover::RecallNow),
        }
        let Some(guaranteed) = guaranteed.filter(|date| *date > wanted_back) else {
            return Ok(wanted_back);
        };
        let least = recalls.minimum_guaranteed_loan_period.as_ref();
        self.note_period(wanted_back, guaranteed, WhichPeriod::MinimumGuaranteed, least);
        Ok(guaranteed)
    }

    /// The end of a period from the policy's recall settings.
    fn counted(&self, key: &str, period: Option<&Period>, from: Moment) -> Result<Option<Timestamp>, Refusal> {
        let words = [RECALL_PERIOD_INCOMPLETE, RECALL_INTERVAL_UNKNOWN, RECALL_DURATION_INVALID];
        let ends = period.map(|period| period.after(from)).transpose();
        ends.map_err(|fault| self.refuse(fault.refusal(words)).with("key", key))
    }

    /// A refusal that names the policy.
    fn refuse(&self, refusal: impl Into<Refusal>) -> Refusal {
        self.policy.named_in(refusal)
    }
}

/// The end of a period that starts at this moment.
fn period_after(period: Option<&Period>, begins: Moment) -> Result<Timestamp, PeriodFault> {
    period.map_or(Err(PeriodFault::Incomplete), |period| period.after(begins))
}

#[cfg(test)]
mod tests;
