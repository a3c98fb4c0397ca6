//! What the desk notes for the notices: that something has happened, and to which records. The rest is found out later.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    records::Loan,
    requests::{RequestChange, RequestContext, RequestDeed},
};

/// What may happen that a patron is told of; the names are those of notice policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// Items were lent; told when the session at the desk ends.
    CheckOut,
    /// Items were returned; told when the session at the desk ends.
    CheckIn,
    /// A loan was renewed.
    Renewed,
    /// Another patron wants the item back.
    ItemRecalled,
    /// Another patron waits for the item.
    HoldRequestForItem,
    /// Staff has set the due date.
    ManualDueDateChange,
    /// A loan has another due date: its scheduled notices and reminders are planned anew.
    DueDate,
    /// The item has aged to lost.
    AgedToLost,
    /// A page was placed.
    PagingRequest,
    /// A hold was placed.
    HoldRequest,
    /// A recall was placed.
    RecallRequest,
    /// The item waits on the hold shelf.
    Available,
    /// A request was cancelled.
    RequestCancellation,
    /// A request has other dates: its scheduled notices are planned anew.
    RequestExpiration,
    /// The same for the hold shelf; only named in policies.
    HoldExpiration,
    /// A fine was charged at return.
    OverdueFineReturned,
    /// A fine was charged at renewal.
    OverdueFineRenewed,
    /// The fees of an item that aged to lost were charged.
    AgedToLostFineCharged,
    /// The same fees were given back.
    AgedToLostReturned,
    /// Staff has charged a fee or done something about one, and wants the patron to know. The template is that of the fee's
    /// type or owner.
    FeeMovement,
}

impl Event {
    /// The name in a policy.
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

    /// The event of that name.
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

/// What has happened in one go, as the database keeps it (`note_events`). Nothing is noted that no policy of the
/// library asks for.
pub struct Happenings<'c> {
    configuration: &'c Configuration,
    noted: Vec<Value>,
}

impl<'c> Happenings<'c> {
    /// Nothing yet.
    pub fn new(configuration: &'c Configuration) -> Self {
        Happenings {
            configuration,
            noted: Vec::new(),
        }
    }

    fn note(&mut self, event: Event, about: Value) {
        let wanted = match event {
            Event::DueDate => self.configuration.times_loans(),
            Event::RequestExpiration => self.configuration.times_requests(),
            event => {
                self.configuration.announces(event)
                    || self.configuration.title_templates.of(event).is_some()
            }
        };
        if wanted && let Value::Object(about) = about {
            let mut noted = Map::new();
            noted.insert("event".into(), event.name().into());
            noted.extend(about.into_iter().filter(|(_, id)| !id.is_null()));
            self.noted.push(Value::Object(noted));
        }
    }

    /// Something has happened to a loan.
    pub fn loan(&mut self, event: Event, loan: Option<Uuid>) -> &mut Self {
        self.note(event, json!({"loanId": loan}));
        self
    }

    /// Something has happened to a request.
    pub fn request(&mut self, event: Event, request: Option<Uuid>) -> &mut Self {
        self.note(event, json!({"requestId": request}));
        self
    }

    /// Movements of fees (`fees::written`) about a loan: those `chosen` by their `typeAction`. `session` is the session at
    /// the desk, whose end the notice waits for.
    pub fn fees(
        &mut self,
        event: Event,
        loan: Option<Uuid>,
        fees: Option<&Value>,
        session: Option<&str>,
        chosen: impl Fn(&str) -> bool,
    ) -> &mut Self {
        let movements = fees.and_then(|fees| fees["movements"].as_array());
        for movement in movements.into_iter().flatten() {
            if movement["typeAction"].as_str().is_some_and(&chosen) {
                let about = json!({"loanId": loan, "feeFineActionId": movement["id"], "sessionId": session});
                self.note(event, about);
            }
        }
        self
    }

    /// A request was placed, changed or moved; with it, a loan may have been recalled.
    pub fn request_changed(
        &mut self,
        change: &RequestChange,
        context: &RequestContext,
    ) -> &mut Self {
        let text = |member: &str| change.request.get(member).and_then(Value::as_str);
        let id = text("id").and_then(|id| Uuid::parse_str(id).ok());
        match change.deed {
            RequestDeed::Made => {
                if let Some(event) = text("requestType").and_then(placed) {
                    self.request(event, id);
                }
                if text("requestType") == Some("Hold") {
                    let loan = context.loan.as_ref().and_then(Loan::id);
                    self.loan_if_any(Event::HoldRequestForItem, loan);
                }
            }
            RequestDeed::Changed if text("status") == Some("Closed - Cancelled") => {
                self.request(Event::RequestCancellation, id);
            }
            _ => {}
        }
        if change.deed != RequestDeed::Left {
            self.request(Event::RequestExpiration, id);
        }
        if change.loan_before.is_some() {
            let loan = change.loan.as_ref().and_then(Loan::id);
            self.loan_if_any(Event::ItemRecalled, loan);
            self.loan_if_any(Event::DueDate, loan);
        }
        self
    }

    fn loan_if_any(&mut self, event: Event, loan: Option<Uuid>) {
        if loan.is_some() {
            self.loan(event, loan);
        }
    }

    /// The argument of `note_events`; `None` when there is nothing to note.
    pub fn into_value(self) -> Option<Value> {
        Some(Value::from(self.noted)).filter(|noted| noted != &Value::Array(Vec::new()))
    }
}

/// The event of placing a request.
fn placed(request_type: &str) -> Option<Event> {
    match request_type {
        "Page" => Some(Event::PagingRequest),
        "Hold" => Some(Event::HoldRequest),
        "Recall" => Some(Event::RecallRequest),
        _ => None,
    }
}
