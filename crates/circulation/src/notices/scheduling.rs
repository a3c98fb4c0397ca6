//! When scheduled notices are due (docs/folio/notices.md#scheduled-notices), and their records.

use jiff::{Timestamp, ToSpan, tz::TimeZone};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::policy::{Notice, Timing};
use crate::{
    configuration::Configuration,
    dates::{local_date, stored},
    fees::changes::object,
    policies::{Period, Reminder, ReminderFeesPolicy},
    records::Loan,
};

/// The event of reminders that cost something.
pub const REMINDER: &str = "Due date - with reminder fee";

/// So long after a moment, counted in UTC; `None` for a period that cannot be counted.
pub fn later(moment: Timestamp, period: &Period) -> Option<Timestamp> {
    let end = moment
        .to_zoned(TimeZone::UTC)
        .checked_add(period.span().ok()?);
    end.ok().map(|end| end.timestamp())
}

fn earlier(moment: Timestamp, period: &Period) -> Option<Timestamp> {
    let begin = moment
        .to_zoned(TimeZone::UTC)
        .checked_sub(period.span().ok()?);
    begin.ok().map(|begin| begin.timestamp())
}

/// When a notice of an event is due first.
pub fn first_run(notice: &Notice, event: Timestamp) -> Option<Timestamp> {
    let by = notice.send_options.send_by.as_ref();
    match notice.send_options.send_how {
        Timing::UponAt => Some(event),
        Timing::Before => earlier(event, by?),
        Timing::After => later(event, by?),
    }
}

/// When a recurring notice is due again: a period after the last time, or after now when that has passed.
pub fn next_run(last: Timestamp, every: &Period, now: Timestamp) -> Option<Timestamp> {
    later(last, every)
        .filter(|next| *next >= now)
        .or_else(|| later(now, every))
}

/// What a scheduled notice is about.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// The loan.
    pub loan: Option<Uuid>,
    /// The request.
    pub request: Option<Uuid>,
    /// The movement of a fee.
    pub fee_action: Option<&'a str>,
    /// The session at the desk, whose end it waits for.
    pub session: Option<&'a str>,
    /// The patron.
    pub recipient: Option<Uuid>,
}

/// The record of a scheduled notice, but for its id.
pub fn record(notice: &Notice, event: &str, about: About<'_>, due: Timestamp) -> Value {
    let every = notice.every().map(period);
    let config = object(json!({
        "timing": notice.send_options.send_how.name(),
        "recurringPeriod": every,
        "templateId": notice.template_id,
        "format": notice.format,
        "sendInRealTime": notice.real_time,
    }));
    of_config(config, event, about, due)
}

fn of_config(config: Map<String, Value>, event: &str, about: About<'_>, due: Timestamp) -> Value {
    Value::Object(object(json!({
        "loanId": about.loan,
        "requestId": about.request,
        "feeFineActionId": about.fee_action,
        "sessionId": about.session,
        "recipientUserId": about.recipient,
        "nextRunTime": stored(due).to_string(),
        "triggeringEvent": event,
        "noticeConfig": config,
    })))
}

fn period(period: &Period) -> Value {
    json!({"duration": period.duration, "intervalId": period.interval_id})
}

/// The reminder that a loan's policy has after those that were sent, with what the policy says of them; `None` after the
/// last one.
pub fn next_reminder<'c>(
    loan: &Loan,
    configuration: &'c Configuration,
) -> Option<(&'c ReminderFeesPolicy, &'c Reminder)> {
    let policy = loan.id_of("overdueFinePolicyId")?;
    let policy = configuration.overdue_fine_policies.get(&policy)?;
    let policy = &policy.reminder_fees_policy;
    let place = usize::try_from(loan.reminders()).ok()?;
    Some((policy, policy.reminder_schedule.get(place)?))
}

/// The scheduled notice of a loan's next reminder; `None` when there is no next one, or no day to send it on.
pub fn reminder(loan: &Loan, from: Timestamp, configuration: &Configuration) -> Option<Value> {
    let (policy, next) = next_reminder(loan, configuration)?;
    let due = reminder_due(next, policy.count_closed, loan, from, configuration)?;
    let about = About {
        loan: loan.id(),
        recipient: loan.id_of("userId"),
        ..About::default()
    };
    let config = object(json!({
        "timing": Timing::After.name(),
        "templateId": next.notice_template_id?,
        "format": next.notice_format,
        "sendInRealTime": true,
    }));
    Some(of_config(config, REMINDER, about, due))
}

/// A period after the due date or the last reminder; where closed days do not count, on the next open day of the service
/// point that lent the item.
fn reminder_due(
    reminder: &Reminder,
    count_closed: bool,
    loan: &Loan,
    from: Timestamp,
    configuration: &Configuration,
) -> Option<Timestamp> {
    let due = later(from, &reminder.period()?)?;
    if count_closed {
        return Some(due);
    }
    let openings = configuration.openings_of(loan.id_of("checkoutServicePointId"));
    let asked = local_date(due, configuration.zone());
    let [_, day, next] = openings.surrounding(asked);
    if day.open {
        return Some(due);
    }
    if !next.open {
        return None;
    }
    let days = (next.date - asked).get_days();
    let shifted = due
        .to_zoned(TimeZone::UTC)
        .checked_add(i64::from(days).days());
    shifted.ok().map(|due| due.timestamp())
}
