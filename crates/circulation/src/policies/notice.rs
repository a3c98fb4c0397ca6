//! Patron notice policies, as notice processing reads them (docs/folio/notices.md).

use serde::Deserialize;
use uuid::Uuid;

use super::Period;

/// A patron notice policy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NoticePolicy {
    /// Name of the policy.
    pub name: String,
    /// Loan notices.
    pub loan_notices: Vec<Notice>,
    /// Request notices.
    pub request_notices: Vec<Notice>,
    /// Fee and fine notices.
    pub fee_fine_notices: Vec<Notice>,
}

/// One notice of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Notice {
    /// ID of the notice template.
    pub template_id: Uuid,
    /// `Email`, `SMS` or `Print`.
    pub format: String,
    /// `Recurring` or `One time`.
    pub frequency: Option<String>,
    /// Send at once when due, not bundled on the next day.
    pub real_time: bool,
    /// When to send the notice.
    pub send_options: SendOptions,
}

/// When to send a notice.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SendOptions {
    /// Name of the triggering event.
    pub send_when: String,
    /// Before, upon or after the event.
    pub send_how: Timing,
    /// Delay before or after the event.
    pub send_by: Option<Period>,
    /// Interval of a recurring notice.
    pub send_every: Option<Period>,
}

/// When a notice is sent relative to its event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Timing {
    /// Upon the event.
    #[default]
    #[serde(rename = "Upon At")]
    UponAt,
    /// Before the event.
    Before,
    /// After the event.
    After,
}

impl Timing {
    /// The name as stored in records.
    pub fn name(self) -> &'static str {
        match self {
            Timing::UponAt => "Upon At",
            Timing::Before => "Before",
            Timing::After => "After",
        }
    }
}

impl Notice {
    /// The interval of a recurring notice.
    pub fn every(&self) -> Option<&Period> {
        let recurring = self.frequency.as_deref() == Some("Recurring");
        self.send_options.send_every.as_ref().filter(|_| recurring)
    }
}

impl NoticePolicy {
    /// Reads a stored policy. An unreadable policy counts as one without notices, so that it does not stop the desk.
    pub fn read(record: serde_json::Value) -> NoticePolicy {
        serde_json::from_value(record).unwrap_or_else(|error| {
            tracing::warn!(%error, "a patron notice policy cannot be read");
            NoticePolicy::default()
        })
    }

    /// All notices of the policy.
    pub fn notices(&self) -> impl Iterator<Item = &Notice> {
        let loans = self.loan_notices.iter();
        loans.chain(&self.request_notices).chain(&self.fee_fine_notices)
    }

    /// The notices triggered by `event`.
    pub fn of<'p>(&'p self, event: &'p str) -> impl Iterator<Item = &'p Notice> {
        self.notices().filter(move |notice| notice.send_options.send_when == event)
    }
}

/// Events that trigger patron notices, named as in notice policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Items were checked out; sent when the session at the desk ends.
    CheckOut,
    /// Items were checked in; sent when the session at the desk ends.
    CheckIn,
    /// A loan was renewed.
    Renewed,
    /// Another patron recalled the item.
    ItemRecalled,
    /// Another patron placed a hold on the item.
    HoldRequestForItem,
    /// Staff changed the due date.
    ManualDueDateChange,
    /// The due date changed: reschedule the loan's notices and reminders.
    DueDate,
    /// The item aged to lost.
    AgedToLost,
    /// A page was placed.
    PagingRequest,
    /// A hold was placed.
    HoldRequest,
    /// A recall was placed.
    RecallRequest,
    /// The item is on the hold shelf.
    Available,
    /// A request was cancelled.
    RequestCancellation,
    /// The request's dates changed: reschedule its notices.
    RequestExpiration,
    /// End of the hold shelf period; used only as a name in policies.
    HoldExpiration,
    /// An overdue fine was charged at check-in.
    OverdueFineReturned,
    /// An overdue fine was charged at renewal.
    OverdueFineRenewed,
    /// Lost item fees of an aged to lost item were charged.
    AgedToLostFineCharged,
    /// Lost item fees of an aged to lost item were refunded.
    AgedToLostReturned,
    /// Staff charged or changed a fee and chose to notify the patron. The template comes from the fee type or the fee
    /// owner.
    FeeMovement,
}

impl Event {
    /// The name used in policies.
    pub fn name(self) -> &'static str {
        match self {
            Event::CheckOut => "Check out",
            Event::CheckIn => "Check in",
            Event::Renewed => "Renewed",
            Event::ItemRecalled => "Item recalled",
            Event::HoldRequestForItem => "Hold request for item",
            Event::ManualDueDateChange => "Manual due date change",
            Event::DueDate => "Due date",
            Event::AgedToLost => "Aged to lost",
            Event::PagingRequest => "Paging request",
            Event::HoldRequest => "Hold request",
            Event::RecallRequest => "Recall request",
            Event::Available => "Available",
            Event::RequestCancellation => "Request cancellation",
            Event::RequestExpiration => "Request expiration",
            Event::HoldExpiration => "Hold expiration",
            Event::OverdueFineReturned => "Overdue fine returned",
            Event::OverdueFineRenewed => "Overdue fine renewed",
            Event::AgedToLostFineCharged => "Aged to lost - fine charged",
            Event::AgedToLostReturned => "Aged to lost & item returned - fine adjusted",
            Event::FeeMovement => "Fee/fine action",
        }
    }

    /// Finds an event by its name.
    pub fn named(name: &str) -> Option<Event> {
        ALL.into_iter().find(|event| event.name() == name)
    }
}

const ALL: [Event; 20] = [
    Event::CheckOut,
    Event::CheckIn,
    Event::Renewed,
    Event::ItemRecalled,
    Event::HoldRequestForItem,
    Event::ManualDueDateChange,
    Event::DueDate,
    Event::AgedToLost,
    Event::PagingRequest,
    Event::HoldRequest,
    Event::RecallRequest,
    Event::Available,
    Event::RequestCancellation,
    Event::RequestExpiration,
    Event::HoldExpiration,
    Event::OverdueFineReturned,
    Event::OverdueFineRenewed,
    Event::AgedToLostFineCharged,
    Event::AgedToLostReturned,
    Event::FeeMovement,
];
