//! Reminders that cost something (docs/folio/notices.md#reminder-fees): what is billed, what is sent, and the next one.

use jiff::{Timestamp, Unit, tz::TimeZone};
use rust_decimal::Decimal;
use serde_json::{Value, json};
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
    policies::{Reminder, ReminderFeesPolicy},
    records::Loan,
};

/// A reminder that is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Reminded {
    /// The loan as it was.
    pub before: Loan,
    /// The loan as it is from now on.
    pub loan: Loan,
    /// What it costs.
    pub charge: Option<Charge>,
    /// What is sent.
    pub letter: Letter,
    /// What becomes of the scheduled notice.
    pub fate: Fate,
}

/// What is done about a reminder.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// It is sent.
    Sent(Box<Reminded>),
    /// It does not make sense any more.
    Dropped(Uuid),
    /// Not today.
    Waits,
}

/// Decides about a reminder whose time has come.
pub fn remind(due: &Due, configuration: &Configuration, now: Timestamp) -> Outcome {
    let Some((loan, policy, reminder)) = open(due, configuration) else {
        return Outcome::Dropped(due.id);
    };
    let point = loan.id_of("checkoutServicePointId");
    let today = configuration
        .openings_of(point)
        .day(local_date(now, configuration.zone()));
    if !today.open && !policy.count_closed {
        return Outcome::Waits;
    }
    let charge = match charge(due, &loan, reminder, configuration, now) {
        Ok(charge) => charge,
        Err(NobodyCharges) => return Outcome::Waits,
    };
    let (Some(recipient), Some(template)) = (due.subject.user.clone(), reminder.notice_template_id)
    else {
        return Outcome::Dropped(due.id);
    };
    let letter = Letter {
        recipient,
        template,
        format: reminder.notice_format.clone().unwrap_or_default(),
        context: filled(due, charge.as_ref(), configuration),
        event: scheduling::REMINDER.to_owned(),
    };
    let mut after = loan.clone();
    let number = loan.reminders() + 1;
    let date = stored(now).to_string();
    after.set(
        "reminders",
        json!({"lastFeeBilled": {"number": number, "date": date}}),
    );
    after.set("action", "reminderFee");
    after.remove("actionComment");
    let fate = fate(due, &after, configuration, now);
    Outcome::Sent(Box::new(Reminded {
        before: loan,
        loan: after,
        charge,
        letter,
        fate,
    }))
}

/// The open loan with its policy and the reminder that is next, unless the item is known to be lost.
fn open<'c>(
    due: &Due,
    configuration: &'c Configuration,
) -> Option<(Loan, &'c ReminderFeesPolicy, &'c Reminder)> {
    let loan = due.subject.loan()?;
    let status = &due.subject.item.as_ref()?.status.name;
    let open = loan
        .record
        .get("status")
        .is_some_and(|status| status["name"] == "Open");
    if !open || ["Declared lost", "Claimed returned"].contains(&status.as_str()) {
        return None;
    }
    let (policy, reminder) = scheduling::next_reminder(&loan, configuration)?;
    Some((loan, policy, reminder))
}

/// No owner charges fees for the item's location.
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
    let owner = configuration
        .fee_owner_at(item.effective_location_id)
        .ok_or(NobodyCharges)?;
    let instance = due.subject.instance.clone().unwrap_or_default();
    let subject = FeeSubject {
        loan,
        item,
        instance: &instance,
        borrower: due.subject.user.as_ref(),
    };
    let place = configuration.location(item.effective_location_id);
    let cause = Cause {
        service_point: place.and_then(|place| place.primary_service_point),
        ..Cause::system()
    };
    let at = (configuration, now);
    let mut charge = Charge::new(FeeKind::Reminder, amount, owner, subject, &cause, at);
    let comment = format!("STAFF: Reminder fee {}", loan.reminders() + 1);
    charge.movement.insert("comments".into(), comment.into());
    Ok(Some(charge))
}

/// The context with the fee that is charged just now.
fn filled(due: &Due, charge: Option<&Charge>, configuration: &Configuration) -> Value {
    let mut subject = due.subject.clone();
    if let Some(charge) = charge {
        let mut account = charge.account.clone();
        if let Some(date) = charge.movement.get("dateAction") {
            account.insert("dateCreated".into(), date.clone());
        }
        subject.account = Some(account);
        subject.charge = Some(charge.movement.clone());
    }
    Value::Object(context::of_loan(&subject, configuration))
}

/// The next reminder in place of this one, on the full hour; none after the last.
fn fate(due: &Due, after: &Loan, configuration: &Configuration, now: Timestamp) -> Fate {
    let Some(mut next) = scheduling::reminder(after, now, configuration) else {
        return Fate::Removed(due.id);
    };
    next["id"] = due.id.to_string().into();
    let run = next["nextRunTime"]
        .as_str()
        .and_then(crate::dates::parse_date_time);
    let hour = run.and_then(|run| {
        let rounding = jiff::ZonedRound::new()
            .smallest(Unit::Hour)
            .mode(jiff::RoundMode::Trunc);
        run.to_zoned(TimeZone::UTC).round(rounding).ok()
    });
    if let Some(hour) = hour {
        next["nextRunTime"] = stored(hour.timestamp()).to_string().into();
    }
    Fate::Moved(next)
}
