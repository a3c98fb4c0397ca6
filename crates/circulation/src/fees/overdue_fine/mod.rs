//! Overdue fines (docs/folio/overdue-fines.md), charged when an overdue item is checked in or its loan renewed.

use jiff::{Timestamp, civil::Date};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::{
    calendars::{OpeningHours, Openings},
    configuration::Configuration,
    dates::local_date,
    fees::changes::{Cause, Charge, FeeKind, FeeSubject},
    policies::{FineTerms, OverdueFinePolicy, Period},
    policy_choice::{Borrowing, choose_and_note},
    rules::PolicyKind,
    trace::{FineSum, Lateness, NoFine, Step, Trace},
};

/// A fine, or why there is none.
type Fined = Result<Charge, NoFine>;

/// Notes why there is no fine.
fn noted(fined: Fined, trace: Trace<'_>) -> Option<Charge> {
    fined.inspect_err(|none| trace.note(|| Step::NoFine(*none))).ok()
}

/// The fine for an item returned at `returned`; none if the library itself found the item. The loan is in its state
/// before the check-in.
pub(crate) fn at_return(
    subject: FeeSubject<'_>,
    (returned, found_by_library): (Timestamp, bool),
    cause: &Cause,
    configuration: &Configuration,
    now: Timestamp,
    trace: Trace<'_>,
) -> Option<Charge> {
    let charge = || {
        if found_by_library {
            return Err(NoFine::FoundByLibrary);
        }
        let policy = policy(subject, configuration)?;
        charge(subject, policy, returned, cause, (configuration, now), trace)
    };
    noted(charge(), trace)
}

/// The fine for a loan renewed now, unless the policy forgives it. The loan is in its state before the renewal.
pub(crate) fn at_renewal(
    subject: FeeSubject<'_>,
    cause: &Cause,
    configuration: &Configuration,
    now: Timestamp,
    trace: Trace<'_>,
) -> Option<Charge> {
    let charge = || {
        let policy = policy(subject, configuration)?;
        if policy.fines.forgive_overdue_fine == Some(true) {
            return Err(NoFine::Forgiven);
        }
        charge(subject, policy, now, cause, (configuration, now), trace)
    };
    noted(charge(), trace)
}

fn policy<'c>(subject: FeeSubject<'_>, configuration: &'c Configuration) -> Result<&'c OverdueFinePolicy, NoFine> {
    let id = subject.loan.overdue_fine_policy_id();
    id.and_then(|id| configuration.overdue_fine_policies.get(&id)).ok_or(NoFine::NoPolicy)
}

fn charge(
    subject: FeeSubject<'_>,
    policy: &OverdueFinePolicy,
    until: Timestamp,
    cause: &Cause,
    (configuration, now): (&Configuration, Timestamp),
    trace: Trace<'_>,
) -> Fined {
    let due = subject.loan.due_date().filter(|due| *due < until).ok_or(NoFine::NotLate)?;
    if subject.item.is_lost() && !is_fined_when_found(subject, configuration, now) {
        return Err(NoFine::Lost);
    }
    let recalled = subject.loan.is_due_by_recall();
    let counted_at = primary_service_point(subject, configuration);
    let terms = &policy.fines;
    let closed_hours_count = terms.count_closed == Some(true) || counted_at.is_none();
    let minutes = match counted_at {
        Some(point) if !closed_hours_count => {
            let openings = configuration.openings_of(Some(point));
            open_minutes(openings, due, until, configuration)
        }
        _ => minutes_between(due, until),
    };
    let grace = grace(subject, configuration, trace).filter(|_| !(recalled && terms.ignores_grace()));
    let grace = grace.map_or(0, |period| period.clock_time().as_mins());
    let (policy, service_point) = (policy.id, counted_at);
    let late = || Lateness { due, until, policy, closed_hours_count, service_point, minutes, grace, recalled };
    trace.note(|| Step::Late(late()));
    if minutes <= grace {
        return Err(NoFine::WithinGrace);
    }
    let fine = terms.fine(minutes, recalled).ok_or(NoFine::NoRate)?;
    let amount = fine.amount;
    trace.note(|| Step::Fine(fine));
    let owner = configuration.fee_owner_at(subject.item.effective_location_id).ok_or(NoFine::NoOwner)?;
    if amount <= Decimal::ZERO {
        return Err(NoFine::Zero);
    }
    Ok(Charge::new(FeeKind::OverdueFine, amount, owner, subject, cause, (configuration, now)))
}

fn is_fined_when_found(subject: FeeSubject<'_>, configuration: &Configuration, now: Timestamp) -> bool {
    let id = subject.loan.lost_item_policy_id();
    let policy = id.and_then(|id| configuration.lost_item_policies.get(&id));
    let lost = subject.loan.lost_since();
    policy.is_some_and(|policy| policy.fines_returned_items() && policy.refunds(lost, now))
}

fn primary_service_point(subject: FeeSubject<'_>, configuration: &Configuration) -> Option<Uuid> {
    let location = configuration.location(subject.item.effective_location_id)?;
    location.primary_service_point
}

/// The grace period of the loan policy that the rules choose now, or of the loan's own policy if they choose none.
fn grace<'c>(subject: FeeSubject<'_>, configuration: &'c Configuration, trace: Trace<'_>) -> Option<&'c Period> {
    let chosen = Borrowing::new(subject.item, subject.borrower)
        .and_then(|borrowing| choose_and_note(PolicyKind::Loan, borrowing, configuration, trace));
    let id = chosen.map_or_else(|_| subject.loan.loan_policy_id(), |c| Some(c.id))?;
    let policy = configuration.loan_policies.get(&id)?;
    policy.loans_policy.as_ref()?.grace_period.as_ref()
}

impl FineTerms {
    /// Whether the policy ignores the grace period after a recall.
    fn ignores_grace(&self) -> bool {
        self.grace_period_recall == Some(true)
    }

    /// The fine for being overdue by these minutes; `None` if quantity, interval or maximum is missing.
    fn fine(&self, minutes: i64, recalled: bool) -> Option<FineSum> {
        let (rate, most) = match recalled {
            false => (self.overdue_fine.as_ref(), self.max_overdue_fine),
            true => (self.overdue_recall_fine.as_ref(), self.max_overdue_recall_fine),
        };
        let (rate, maximum) = (rate?, most?);
        let (quantity, interval) = (rate.quantity?, rate.interval_id.as_deref()?);
        let length = minutes_of(interval)?;
        let intervals = Decimal::from(minutes.saturating_add(length - 1) / length);
        let full = quantity.saturating_mul(intervals);
        let amount = if maximum > Decimal::ZERO { full.min(maximum) } else { full };
        let amount = crate::fees::money::charged(amount);
        Some(FineSum { quantity, interval: interval.to_owned(), intervals, full, maximum, amount })
    }
}

fn minutes_of(interval: &str) -> Option<i64> {
    Some(match interval {
        "minute" => 1,
        "hour" => 60,
        "day" => 1_440,
        "week" => 10_080,
        "month" => 44_640,
        "year" => 525_600,
        _ => return None,
    })
}

/// The minutes between two moments, each truncated to the minute.
fn minutes_between(from: Timestamp, to: Timestamp) -> i64 {
    let minute = |moment: Timestamp| moment.as_second().div_euclid(60);
    minute(to) - minute(from)
}

/// The overdue minutes that fall within opening hours.
fn open_minutes(openings: &Openings, due: Timestamp, until: Timestamp, configuration: &Configuration) -> i64 {
    let zone = configuration.zone();
    let range = (local_date(due, zone), local_date(until, zone));
    let (days, _) = openings.page(range, false, 0, usize::MAX);
    let open = days.iter().filter(|day| day.open);
    open.flat_map(|day| day.openings.iter().map(|hours| (day.date, *hours)))
        .filter_map(|hours| moments(hours, configuration))
        .map(|(start, end)| (start.max(due), end.min(until)))
        .filter(|(start, end)| end > start)
        .map(|(start, end)| minutes_between(start, end))
        .sum()
}

fn moments((date, hours): (Date, OpeningHours), configuration: &Configuration) -> Option<(Timestamp, Timestamp)> {
    let zone = configuration.zone();
    let start = zone.to_timestamp(date.to_datetime(hours.start)).ok()?;
    let end = zone.to_timestamp(date.to_datetime(hours.end)).ok()?;
    Some((start, end))
}

#[cfg(test)]
mod tests;
