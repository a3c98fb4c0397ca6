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
    policy_choice::{Borrowing, choose},
    rules::PolicyKind,
};

/// The fine for an item returned at `returned`; none if the library itself found the item. The loan is in its state
/// before the check-in.
pub(crate) fn at_return(
    subject: FeeSubject<'_>,
    (returned, found_by_library): (Timestamp, bool),
    cause: &Cause,
    configuration: &Configuration,
    now: Timestamp,
) -> Option<Charge> {
    if found_by_library {
        return None;
    }
    let policy = policy(subject, configuration)?;
    charge(subject, policy, returned, cause, configuration, now)
}

/// The fine for a loan renewed now, unless the policy forgives it. The loan is in its state before the renewal.
pub(crate) fn at_renewal(
    subject: FeeSubject<'_>,
    cause: &Cause,
    configuration: &Configuration,
    now: Timestamp,
) -> Option<Charge> {
    let policy = policy(subject, configuration)?;
    if policy.fines.forgive_overdue_fine == Some(true) {
        return None;
    }
    charge(subject, policy, now, cause, configuration, now)
}

fn policy<'c>(subject: FeeSubject<'_>, configuration: &'c Configuration) -> Option<&'c OverdueFinePolicy> {
    let id = subject.loan.overdue_fine_policy_id()?;
    configuration.overdue_fine_policies.get(&id)
}

fn charge(
    subject: FeeSubject<'_>,
    policy: &OverdueFinePolicy,
    until: Timestamp,
    cause: &Cause,
    configuration: &Configuration,
    now: Timestamp,
) -> Option<Charge> {
    let due = subject.loan.due_date().filter(|due| *due < until)?;
    if subject.item.is_lost() && !is_fined_when_found(subject, configuration, now) {
        return None;
    }
    let recalled = subject.loan.is_due_by_recall();
    let counted_at = primary_service_point(subject, configuration);
    let terms = &policy.fines;
    let minutes = match (terms.count_closed == Some(true), counted_at) {
        (false, Some(point)) => {
            let openings = configuration.openings_of(Some(point));
            open_minutes(openings, due, until, configuration)
        }
        _ => minutes_between(due, until),
    };
    let grace = grace(subject, configuration).filter(|_| !(recalled && terms.ignores_grace()));
    let grace = grace.map_or(0, |period| period.clock_time().as_mins());
    if minutes <= grace {
        return None;
    }
    let fine = crate::fees::money::charged(terms.fine(minutes, recalled)?);
    let owner = configuration.fee_owner_at(subject.item.effective_location_id)?;
    let at = (configuration, now);
    (fine > Decimal::ZERO).then(|| Charge::new(FeeKind::OverdueFine, fine, owner, subject, cause, at))
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
fn grace<'c>(subject: FeeSubject<'_>, configuration: &'c Configuration) -> Option<&'c Period> {
    let chosen = Borrowing::new(subject.item, subject.borrower)
        .and_then(|borrowing| choose(PolicyKind::Loan, borrowing, configuration));
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
    fn fine(&self, minutes: i64, recalled: bool) -> Option<Decimal> {
        let (rate, most) = match recalled {
            false => (self.overdue_fine.as_ref(), self.max_overdue_fine),
            true => (self.overdue_recall_fine.as_ref(), self.max_overdue_recall_fine),
        };
        let (rate, most) = (rate?, most?);
        let interval = minutes_of(rate.interval_id.as_deref()?)?;
        let intervals = Decimal::from(minutes.saturating_add(interval - 1) / interval);
        let fine = rate.quantity?.saturating_mul(intervals);
        Some(if most > Decimal::ZERO { fine.min(most) } else { fine })
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
