//! Turns events into immediate letters and scheduled notices.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::{
    context,
    letter::Letter,
    scheduling::{self, About, REMINDER, first_run},
    subject::Subject,
};
use crate::{
    configuration::Configuration,
    dates::parse_date_time,
    policies::notice::{Event, Notice, Timing},
    records::{Loan, Request},
};

/// An event with its records.
#[derive(Debug, Clone, PartialEq)]
pub struct Noted {
    /// The event itself.
    pub event: Event,
    /// The session at the desk whose end the notice waits for.
    pub session: Option<String>,
    /// The loans, the request or the fee; several loans at the end of a session.
    pub subjects: Vec<Subject>,
}

/// The result of processing an event.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Consequences {
    /// Letters to send now.
    pub letters: Vec<Letter>,
    /// Outdated scheduled notices to delete: `loanId` with `events`, or `requestId`.
    pub forgotten: Vec<Value>,
    /// Records of new scheduled notices.
    pub scheduled: Vec<Value>,
}

/// Turns an event into letters and scheduled notices.
pub fn consequences(noted: &Noted, configuration: &Configuration, now: Timestamp) -> Consequences {
    let mut found = Consequences::default();
    match noted.event {
        Event::CheckOut | Event::CheckIn => found.letters = bundles(noted, configuration, now),
        Event::DueDate => noted.each(|subject| plan_loan(subject, configuration, &mut found)),
        Event::AgedToLost => noted.each(|subject| plan_aged(subject, configuration, &mut found)),
        Event::RequestExpiration | Event::HoldExpiration => {
            noted.each(|subject| plan_request(subject, configuration, &mut found));
        }
        Event::OverdueFineReturned
        | Event::OverdueFineRenewed
        | Event::AgedToLostFineCharged
        | Event::AgedToLostReturned => {
            noted.each(|subject| plan_fee(noted, subject, configuration, &mut found));
        }
        Event::FeeMovement => {
            noted.each(|subject| found.letters.extend(about_fee(subject, configuration)));
        }
        Event::Renewed | Event::ItemRecalled | Event::HoldRequestForItem | Event::ManualDueDateChange => {
            noted.each(|subject| {
                let context = context::of_loan(subject, configuration);
                found.letters.extend(letter(noted.event, subject, context, configuration, now));
            })
        }
        Event::PagingRequest
        | Event::HoldRequest
        | Event::RecallRequest
        | Event::Available
        | Event::RequestCancellation => noted.each(|subject| {
            found.letters.extend(about_request(noted.event, subject, configuration, now));
        }),
    }
    found
}

impl Noted {
    fn each<'n>(&'n self, deal_with: impl FnMut(&'n Subject)) {
        self.subjects.iter().for_each(deal_with);
    }
}

/// The letter for an event, if the applicable policy has one.
fn letter(
    event: Event,
    subject: &Subject,
    context: Map<String, Value>,
    configuration: &Configuration,
    now: Timestamp,
) -> Option<Letter> {
    let (_, policy) = subject.policy(configuration)?;
    let notice = policy.of(event.name()).next()?;
    Some(Letter {
        recipient: subject.recipient(now)?.clone(),
        template: notice.template_id,
        format: notice.format.clone(),
        context: Value::Object(context),
        event: event.name().to_owned(),
        about: vec![subject.about(configuration)],
    })
}

/// The rules choose the policy by the item; for a request without an item, the settings name the templates.
fn about_request(event: Event, subject: &Subject, configuration: &Configuration, now: Timestamp) -> Option<Letter> {
    let context = context::of_request(subject, configuration);
    if subject.item.is_some() {
        return letter(event, subject, context, configuration, now);
    }
    let titles = configuration.title_level_requests && subject.request.as_ref().is_some_and(Request::is_title_level);
    let template = configuration.title_templates.of(event).filter(|_| titles)?;
    Some(Letter {
        recipient: subject.recipient(now)?.clone(),
        template,
        format: "Email".to_owned(),
        context: Value::Object(context),
        event: event.name().to_owned(),
        about: vec![subject.about(configuration)],
    })
}

/// The letter for a fee that staff charged or changed.
fn about_fee(subject: &Subject, configuration: &Configuration) -> Option<Letter> {
    let mut context = context::of_loan(subject, configuration);
    let action = subject.action.as_ref()?;
    let is_charge = subject.charge.as_ref().is_some_and(|charge| charge.get("id") == action.get("id"));
    if !is_charge {
        context.insert("feeAction".into(), context::fee_action(subject));
    }
    // No policy chose this notice, and the circulation log calls its event as the action.
    let mut about = subject.about(configuration);
    about.policy = None;
    Some(Letter {
        recipient: subject.user.clone()?,
        template: subject.fee_template?,
        format: "Email".to_owned(),
        context: Value::Object(context),
        event: action.get("typeAction").and_then(Value::as_str).unwrap_or_default().to_owned(),
        about: vec![about],
    })
}

/// One letter per recipient and policy at the end of a session.
fn bundles(noted: &Noted, configuration: &Configuration, now: Timestamp) -> Vec<Letter> {
    let mut groups: BTreeMap<(Uuid, Uuid), (Letter, Vec<&Subject>)> = BTreeMap::new();
    for subject in &noted.subjects {
        let Some((policy, _)) = subject.policy(configuration) else {
            continue;
        };
        let Some(letter) = letter(noted.event, subject, Map::new(), configuration, now) else {
            continue;
        };
        let group = groups.entry((letter.recipient.id, policy));
        let (_, subjects) = group.or_insert_with(|| (letter, Vec::new()));
        subjects.push(subject);
    }
    let bundled = groups.into_values().map(|(mut letter, subjects)| {
        letter.context = Value::Object(context::of_bundle("loans", &subjects, configuration));
        letter.about = subjects.iter().map(|subject| subject.about(configuration)).collect();
        letter
    });
    bundled.collect()
}

/// Replaces the scheduled notices and first reminder for a loan's due date.
fn plan_loan(subject: &Subject, configuration: &Configuration, found: &mut Consequences) {
    let Some(loan) = &subject.loan else { return };
    let events = [Event::DueDate.name(), REMINDER];
    found.forgotten.push(json!({"loanId": loan.id(), "events": events}));
    let Some(due) = loan.due_date().filter(|_| loan.is_open()) else {
        return;
    };
    plan(Event::DueDate, due, subject, configuration, found);
    found.scheduled.extend(scheduling::reminder(loan, due, configuration));
}

fn plan_aged(subject: &Subject, configuration: &Configuration, found: &mut Consequences) {
    if let Some(aged) = subject.loan.as_ref().and_then(Loan::aged_to_lost_date) {
        plan(Event::AgedToLost, aged, subject, configuration, found);
    }
}

/// Schedules the notices of a loan's policy for an event.
fn plan(event: Event, at: Timestamp, subject: &Subject, configuration: &Configuration, found: &mut Consequences) {
    let (Some(loan), Some((_, policy))) = (&subject.loan, subject.policy(configuration)) else {
        return;
    };
    let about = About { loan: loan.id(), recipient: loan.user_id(), ..About::default() };
    let records = policy.of(event.name()).filter_map(|notice| {
        let due = first_run(notice, at)?;
        Some(scheduling::record(notice, event.name(), about, due))
    });
    found.scheduled.extend(records);
}

/// Replaces the scheduled notices for a request's dates.
fn plan_request(subject: &Subject, configuration: &Configuration, found: &mut Consequences) {
    let Some((request, id)) = subject.request.as_ref().and_then(|r| r.known_id().map(|id| (r, id))) else {
        return;
    };
    found.forgotten.push(json!({"requestId": id}));
    if !request.is_open() {
        return;
    }
    let about = About { request: Some(id), recipient: subject.user.as_ref().map(|user| user.id), ..About::default() };
    let mut enter = |notice: &Notice, event: &str, at: Option<Timestamp>| {
        let due = at.and_then(|at| match notice.send_options.send_how {
            Timing::UponAt => Some(at),
            // FOLIO has no notices after an expiration.
            Timing::Before | Timing::After => first_run(&before(notice), at),
        });
        found.scheduled.extend(due.map(|due| scheduling::record(notice, event, about, due)));
    };
    if subject.item.is_none() {
        let template = configuration.title_templates.expiration;
        let titles = configuration.title_level_requests && request.is_title_level();
        if let Some(template_id) = template.filter(|_| titles) {
            let notice = Notice { template_id, format: "Email".to_owned(), real_time: true, ..Notice::default() };
            enter(&notice, "Title level request expiration", request.expiration_date());
        }
        return;
    }
    let Some((_, policy)) = subject.policy(configuration) else {
        return;
    };
    for (event, date) in [
        (Event::RequestExpiration, request.expiration_date()),
        (Event::HoldExpiration, request.hold_shelf_expiration_date()),
    ] {
        for notice in policy.of(event.name()) {
            enter(notice, event.name(), date);
        }
    }
}

fn before(notice: &Notice) -> Notice {
    let mut notice = notice.clone();
    notice.send_options.send_how = Timing::Before;
    notice
}

/// Schedules the fee notices of a loan's policy.
fn plan_fee(noted: &Noted, subject: &Subject, configuration: &Configuration, found: &mut Consequences) {
    let (Some(loan), Some((_, policy))) = (&subject.loan, subject.policy(configuration)) else {
        return;
    };
    let action = subject.action.as_ref();
    let member = |name: &str| action.and_then(|action| action.get(name)?.as_str());
    let Some(at) = member("dateAction").and_then(parse_date_time) else {
        return;
    };
    let about = About {
        loan: loan.id(),
        recipient: loan.user_id(),
        fee_action: member("id"),
        session: noted.session.as_deref(),
        ..About::default()
    };
    for notice in policy.of(noted.event.name()) {
        let due = match notice.send_options.send_how {
            Timing::After => first_run(notice, at),
            Timing::UponAt | Timing::Before => Some(at),
        };
        let record = due.map(|due| scheduling::record(notice, noted.event.name(), about, due));
        found.scheduled.extend(record);
    }
}
