//! Notice settings apart from the policies.

use serde_json::Value;
use uuid::Uuid;

use super::{
    Configuration,
    entries::{entry, setting},
};
use crate::policies::notice::Event;

/// The default session length in minutes.
const SESSION_MINUTES: i64 = 3;

/// Templates for notices about title-level requests without an item, to which no notice policy applies.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TitleTemplates {
    /// Sent when the request is placed.
    pub confirmation: Option<Uuid>,
    /// Sent when it is cancelled.
    pub cancellation: Option<Uuid>,
    /// Sent when it expires.
    pub expiration: Option<Uuid>,
}

impl TitleTemplates {
    /// Reads the setting `regularTlr`, else `TLR`, else the configuration entry `TLR`.
    pub(super) fn read(records: &Value) -> TitleTemplates {
        let old = entry(records, "TLR");
        let found = setting(records, "regularTlr").or_else(|| setting(records, "TLR")).unwrap_or(&old);
        let template = |member: &str| Uuid::parse_str(found[member].as_str()?).ok();
        TitleTemplates {
            confirmation: template("confirmationPatronNoticeTemplateId"),
            cancellation: template("cancellationPatronNoticeTemplateId"),
            expiration: template("expirationPatronNoticeTemplateId"),
        }
    }

    /// The template for an event.
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
    /// Whether a notice policy has a notice for this event.
    pub(crate) fn announces(&self, event: Event) -> bool {
        let mut policies = self.notice_policies.values();
        policies.any(|policy| policy.of(event.name()).next().is_some())
    }

    /// Whether anything is scheduled by the due date of a loan: a notice or a reminder fee.
    pub(crate) fn times_loans(&self) -> bool {
        let mut fines = self.overdue_fine_policies.values();
        fines.any(|policy| !policy.reminder_fees_policy.reminder_schedule.is_empty()) || self.announces(Event::DueDate)
    }

    /// Whether any notice is scheduled by the expiration of a request.
    pub(crate) fn times_requests(&self) -> bool {
        self.title_templates.expiration.is_some()
            || self.announces(Event::RequestExpiration)
            || self.announces(Event::HoldExpiration)
    }
}

/// Reads the setting `noticesLimit`, else the configuration entry of the same name.
pub(super) fn at_once(records: &Value) -> Option<i64> {
    let value = setting(records, "noticesLimit").map(|setting| setting["value"].clone());
    let value = value.unwrap_or_else(|| entry(records, "noticesLimit"));
    number(&value).filter(|limit| *limit > 0)
}

/// Reads `checkoutTimeoutDuration` of the setting `other_settings`, else of the configuration entry of the same name.
pub(super) fn session_minutes(records: &Value) -> i64 {
    const MEMBER: &str = "checkoutTimeoutDuration";
    let set = setting(records, "other_settings").map(|setting| setting[MEMBER].clone());
    let value = set.unwrap_or_else(|| entry(records, "other_settings")[MEMBER].clone());
    let minutes = number(&value).filter(|minutes| (1..=100_000).contains(minutes));
    minutes.unwrap_or(SESSION_MINUTES)
}

/// Clients store numbers as JSON numbers or as text.
fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.trim().parse().ok())
}
