//! Reminders with fees (docs/folio/notices.md#reminder-fees): the fee, the letter and the next reminder.

use jiff::{Timestamp, Unit, tz::TimeZone};
use rust_decimal::Decimal;
use serde_json::Value;
use uuid::Uuid;

use super::{
    context,
    letter::Letter,
    scheduled::{Due, Fate},
    scheduling,
};
use crate::{
    configuration::Configuration,
    dates::{local_date, stored},
    fees::{
        changes::{Cause, Charge, FeeKind, FeeSubject},
        money,
    },
    policies::Reminder,
    records::{ItemStatus, Loan, LoanAction},
};

/// A reminder to send.
#[derive(Debug, Clone, PartialEq)]
pub struct Reminded {
    /// The loan before the reminder.
    pub before: Loan,
    /// The loan after the reminder.
    pub loan: Loan,
    /// The reminder fee; absent if the reminder is free.
    pub charge: Option<Charge>,
    /// The letter to send.
    pub letter: Letter,
    /// What happens to the scheduled notice.
    pub fate: Fate,
}

/// Outcome for a due reminder.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Send the reminder.
    Sent(Box<Reminded>),
    /// Delete the scheduled notice with this ID; it no longer applies.
    Dropped(Uuid),
    /// Try again later.
    Waits,
}

/// Decides on a due reminder.
pub fn remind(due: &Due, configuration: &Configuration, now: Timestamp) -> Outcome {
    let Some((loan, reminder)) = open(due, configuration) else {
        return Outcome::Dropped(due.id);
    };
    let point = loan.check_out_point();
    let today = configuration.openings_of(point).day(local_date(now, configuration.zone()));
    // Closed days that count put no reminder off, but none is sent on one (mod-circulation's `ScheduledDigitalReminderHandler`).
    if !today.open {
        return Outcome::Waits;
    }
    let charge = match charge(due, &loan, reminder, configuration, now) {
        Ok(charge) => charge,
        Err(NobodyCharges) => return Outcome::Waits,
    };
    let (Some(recipient), Some(template)) = (due.subject.user.clone(), reminder.notice_template_id) else {
        return Outcome::Dropped(due.id);
    };
    let letter = Letter {
        recipient,
        template,
        format: reminder.notice_format.clone().unwrap_or_default(),
        context: filled(due, charge.as_ref(), configuration),
        event: scheduling::REMINDER.to_owned(),
        about: vec![due.subject.about(configuration)],
    };
    let mut after = loan.clone();
    after.set_reminder_count(loan.reminders() + 1);
    after.set_last_reminder(now);
    after.set_action(LoanAction::ReminderFee);
    after.set_action_comment(None);
    let fate = fate(due, &after, configuration, now);
    Outcome::Sent(Box::new(Reminded { before: loan, loan: after, charge, letter, fate }))
}

/// The open loan with its policy and next reminder; `None` if the item is declared lost or claimed returned.
fn open<'c>(due: &Due, configuration: &'c Configuration) -> Option<(Loan, &'c Reminder)> {
    let loan = due.subject.loan.clone().filter(Loan::is_open)?;
    let item = due.subject.item.as_ref()?;
    if item.is_any_of(&[ItemStatus::DeclaredLost, ItemStatus::ClaimedReturned]) {
        return None;
    }
    let (_, reminder) = scheduling::next_reminder(&loan, configuration)?;
    Some((loan, reminder))
}

/// The item's location has no fee owner.
struct NobodyCharges;

fn charge(
    due: &Due,
    loan: &Loan,
    reminder: &Reminder,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Option<Charge>, NobodyCharges> {
    let amount = money::charged(reminder.reminder_fee.unwrap_or_default());
    let Some(item) = due.subject.item.as_ref().filter(|_| amount > Decimal::ZERO) else {
        return Ok(None);
    };
    let owner = configuration.fee_owner_at(item.effective_location_id).ok_or(NobodyCharges)?;
    let instance = due.subject.instance.clone().unwrap_or_default();
    let subject = FeeSubject { loan, item, instance: &instance, borrower: due.subject.user.as_ref() };
    let place = configuration.location(item.effective_location_id);
    let cause = Cause { service_point: place.and_then(|place| place.primary_service_point), ..Cause::system() };
    let at = (configuration, now);
    let mut charge = Charge::new(FeeKind::Reminder, amount, owner, subject, &cause, at);
    let comment = format!("STAFF: Reminder fee {}", loan.reminders() + 1);
    charge.movement.insert("comments".into(), comment.into());
    Ok(Some(charge))
}

/// The template context, including the new fee.
fn filled(due: &Due, charge: Option<&Charge>, configuration: &Configuration) -> Value {
    let mut subject = due.subject.clone();
    if let Some(charge) = charge {
        let mut account = charge.account.clone();
        account.set_date_created(charge.movement.get("dateAction").and_then(Value::as_str));
        subject.account = Some(account);
        subject.charge = Some(charge.movement.clone());
    }
    Value::Object(context::of_loan(&subject, configuration))
}

/// Reschedules the notice to the next reminder, on the full hour; removes it after the last one.
fn fate(due: &Due, after: &Loan, configuration: &Configuration, now: Timestamp) -> Fate {
    let Some(mut next) = scheduling::reminder(after, now, configuration) else {
        return Fate::Removed(due.id);
    };
    next["id"] = due.id.to_string().into();
    let run = next["nextRunTime"].as_str().and_then(crate::dates::parse_date_time);
    let hour = run.and_then(|run| {
        let rounding = jiff::ZonedRound::new().smallest(Unit::Hour).mode(jiff::RoundMode::Trunc);
        run.to_zoned(TimeZone::UTC).round(rounding).ok()
    });
    if let Some(hour) = hour {
        next["nextRunTime"] = stored(hour.timestamp()).to_string().into();
    }
    Fate::Moved(next)
}
