//! What a library has set for its notices beside the policies.

use serde_json::Value;
use uuid::Uuid;

use super::{
    Configuration,
    reading::{entry, setting},
};
use crate::notices::Event;

/// How long a session at the desk lasts, in minutes, when nobody has set it.
const SESSION_MINUTES: i64 = 3;

/// Templates of notices about titles of which no copy is chosen yet, which no policy is found for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TitleTemplates {
    /// The request was placed.
    pub confirmation: Option<Uuid>,
    /// It was cancelled.
    pub cancellation: Option<Uuid>,
    /// It has expired.
    pub expiration: Option<Uuid>,
}

impl TitleTemplates {
    /// From the setting `regularTlr`, else `TLR`, else the configuration entry of that name.
    pub(super) fn read(records: &Value) -> TitleTemplates {
        let old = entry(records, "TLR");
        let found = setting(records, "regularTlr")
            .or_else(|| setting(records, "TLR"))
            .unwrap_or(&old);
        let template = |member: &str| Uuid::parse_str(found[member].as_str()?).ok();
        TitleTemplates {
            confirmation: template("confirmationPatronNoticeTemplateId"),
            cancellation: template("cancellationPatronNoticeTemplateId"),
            expiration: template("expirationPatronNoticeTemplateId"),
        }
    }

    /// The template of an event.
    pub fn of(&self, event: Event) -> Option<Uuid> {
        match event {
            Event::PagingRequest | Event::HoldRequest | Event::RecallRequest => self.confirmation,
            Event::RequestCancellation => self.cancellation,
            Event::RequestExpiration => self.expiration,
            _ => None,
        }
    }
}

impl Configuration {
    /// Some notice policy has a notice of this event.
    pub fn announces(&self, event: Event) -> bool {
        let mut policies = self.notice_policies.values();
        policies.any(|policy| policy.of(event.name()).next().is_some())
    }

    /// Something may be scheduled for the due date of a loan.
    pub fn times_loans(&self) -> bool {
        let mut fines = self.overdue_fine_policies.values();
        fines.any(|policy| !policy.reminder_fees_policy.reminder_schedule.is_empty())
            || self.announces(Event::DueDate)
    }

    /// Something may be scheduled for the end of a request.
    pub fn times_requests(&self) -> bool {
        self.title_templates.expiration.is_some()
            || self.announces(Event::RequestExpiration)
            || self.announces(Event::HoldExpiration)
    }
}

/// The setting `noticesLimit`, else the configuration entry of that name.
pub(super) fn at_once(records: &Value) -> Option<i64> {
    let value = setting(records, "noticesLimit").map(|setting| setting["value"].clone());
    let value = value.unwrap_or_else(|| entry(records, "noticesLimit"));
    number(&value).filter(|limit| *limit > 0)
}

/// `checkoutTimeoutDuration` of the setting `other_settings`, else of the configuration entry of that name.
pub(super) fn session_minutes(records: &Value) -> i64 {
    const MEMBER: &str = "checkoutTimeoutDuration";
    let set = setting(records, "other_settings").map(|setting| setting[MEMBER].clone());
    let value = set.unwrap_or_else(|| entry(records, "other_settings")[MEMBER].clone());
    let minutes = number(&value).filter(|minutes| (1..=100_000).contains(minutes));
    minutes.unwrap_or(SESSION_MINUTES)
}

/// Clients write numbers as numbers and as text.
fn number(value: &Value) -> Option<i64> {
    value
        .as_i64()
        .or_else(|| value.as_str()?.trim().parse().ok())
}
