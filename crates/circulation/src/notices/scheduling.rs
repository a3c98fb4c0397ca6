//! When scheduled notices are due (docs/folio/notices.md#scheduled-notices), and their records.

use jiff::{Span, Timestamp, ToSpan, tz::TimeZone};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    dates::{local_date, stored},
    fees::changes::object,
    policies::{
        Period, Reminder, ReminderFeesPolicy,
        notice::{Notice, Timing},
    },
    records::Loan,
};

/// Event name of reminders with fees.
pub const REMINDER: &str = "Due date - with reminder fee";

/// Adds a period to a moment in UTC; `None` for an invalid period.
pub fn later(moment: Timestamp, period: &Period) -> Option<Timestamp> {
    added(moment, period.span().ok()?)
}

fn added(moment: Timestamp, span: Span) -> Option<Timestamp> {
    let end = moment.to_zoned(TimeZone::UTC).checked_add(span);
    end.ok().map(|end| end.timestamp())
}

fn earlier(moment: Timestamp, period: &Period) -> Option<Timestamp> {
    let begin = moment.to_zoned(TimeZone::UTC).checked_sub(period.span().ok()?);
    begin.ok().map(|begin| begin.timestamp())
}

/// When a notice is first due.
pub(crate) fn first_run(notice: &Notice, event: Timestamp) -> Option<Timestamp> {
    let by = notice.send_options.send_by.as_ref();
    match notice.send_options.send_how {
        Timing::UponAt => Some(event),
        Timing::Before => earlier(event, by?),
        Timing::After => later(event, by?),
    }
}

/// When a recurring notice is due again: one period after the last time, or after now if that has passed.
pub(crate) fn next_run(last: Timestamp, every: &Period, now: Timestamp) -> Option<Timestamp> {
    later(last, every).filter(|next| *next >= now).or_else(|| later(now, every))
}

/// The records that a scheduled notice refers to.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// ID of the loan.
    pub loan: Option<Uuid>,
    /// ID of the request.
    pub request: Option<Uuid>,
    /// ID of the fee action.
    pub fee_action: Option<&'a str>,
    /// ID of the session at the desk whose end it waits for.
    pub session: Option<&'a str>,
    /// ID of the recipient.
    pub recipient: Option<Uuid>,
}

/// The record of a scheduled notice, without an ID.
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

/// The loan's next reminder with its policy; `None` after the last one.
pub(crate) fn next_reminder<'c>(
    loan: &Loan,
    configuration: &'c Configuration,
) -> Option<(&'c ReminderFeesPolicy, &'c Reminder)> {
    let policy = loan.overdue_fine_policy_id()?;
    let policy = configuration.overdue_fine_policies.get(&policy)?;
    let policy = &policy.reminder_fees_policy;
    let place = usize::try_from(loan.reminders()).ok()?;
    Some((policy, policy.reminder_schedule.get(place)?))
}

/// The scheduled notice for a loan's next reminder; `None` if there is no next reminder or no day to send it.
pub fn reminder(loan: &Loan, from: Timestamp, configuration: &Configuration) -> Option<Value> {
    let (policy, next) = next_reminder(loan, configuration)?;
    let due = reminder_due(next, policy.count_closed, loan, from, configuration)?;
    let about = About { loan: loan.id(), recipient: loan.user_id(), ..About::default() };
    let config = object(json!({
        "timing": Timing::After.name(),
        "templateId": next.notice_template_id?,
        "format": next.notice_format,
        "sendInRealTime": true,
    }));
    Some(of_config(config, REMINDER, about, due))
}

/// One period after the due date or the last reminder. Unless closed days count, moves to the next open day of the
/// check-out service point.
fn reminder_due(
    reminder: &Reminder,
    count_closed: bool,
    loan: &Loan,
    from: Timestamp,
    configuration: &Configuration,
) -> Option<Timestamp> {
    let due = added(from, reminder.period()?.span_from_zero().ok()?)?;
    if count_closed {
        return Some(due);
    }
    let openings = configuration.openings_of(loan.check_out_point());
    let asked = local_date(due, configuration.zone());
    let [_, day, next] = openings.surrounding(asked);
    if day.open {
        return Some(due);
    }
    if !next.open {
        return None;
    }
    let days = (next.date - asked).get_days();
    let shifted = due.to_zoned(TimeZone::UTC).checked_add(i64::from(days).days());
    shifted.ok().map(|due| due.timestamp())
}
