//! Events that the desk records for notices: what happened, and to which records. Processing follows later.

use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{
    configuration::Configuration,
    policies::notice::Event,
    records::{Loan, QueuedRequest, Request, RequestStatus},
    requests::{RequestChange, RequestContext, RequestDeed},
};

/// The events of one operation, as the database stores them (`note_events`). Skips events that no notice policy of the
/// library uses.
pub struct Happenings<'c> {
    configuration: &'c Configuration,
    noted: Vec<Value>,
}

impl<'c> Happenings<'c> {
    /// Starts without events.
    pub fn new(configuration: &'c Configuration) -> Self {
        Happenings { configuration, noted: Vec::new() }
    }

    fn note(&mut self, event: Event, about: Value) {
        let wanted = match event {
            Event::DueDate => self.configuration.times_loans(),
            Event::RequestExpiration => self.configuration.times_requests(),
            event => self.configuration.announces(event) || self.configuration.title_templates.of(event).is_some(),
        };
        if wanted && let Value::Object(about) = about {
            let mut noted = Map::new();
            noted.insert("event".into(), event.name().into());
            noted.extend(about.into_iter().filter(|(_, id)| !id.is_null()));
            self.noted.push(Value::Object(noted));
        }
    }

    /// Adds an event for a loan.
    pub fn loan(&mut self, event: Event, loan: Option<Uuid>) -> &mut Self {
        self.note(event, json!({"loanId": loan}));
        self
    }

    /// Adds an event for a request.
    pub fn request(&mut self, event: Event, request: Option<Uuid>) -> &mut Self {
        self.note(event, json!({"requestId": request}));
        self
    }

    /// Adds the events of a request that gets an item; `before` is the queue. Its patron is told once that it waits on the hold
    /// shelf (mod-circulation's `sendNoticeOnRequestAwaitingPickup`), not at each check-in.
    pub fn fulfilled(&mut self, request: &Request, before: &[QueuedRequest]) -> &mut Self {
        let waits = |request: &Request| request.is(RequestStatus::AwaitingPickup);
        let waited = before.iter().any(|queued| queued.request.id() == request.id() && waits(&queued.request));
        if waits(request) && !waited {
            self.request(Event::Available, request.known_id());
        }
        self.request(Event::RequestExpiration, request.known_id())
    }

    /// Adds the fee actions on a loan (`fees::written`) whose `typeAction` satisfies `chosen`. Their notices wait for
    /// the end of `session`, the session at the desk.
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

    /// Adds the events of a placed, changed or moved request, including a recalled loan.
    pub fn request_changed(&mut self, change: &RequestChange, context: &RequestContext) -> &mut Self {
        let request = &change.request;
        let id = request.known_id();
        match change.deed {
            RequestDeed::Made => {
                if let Some(event) = request.kind().and_then(placed) {
                    self.request(event, id);
                }
                if request.is_hold() {
                    let loan = context.loan.as_ref().and_then(Loan::id);
                    self.loan_if_any(Event::HoldRequestForItem, loan);
                }
            }
            RequestDeed::Changed if request.is(RequestStatus::Cancelled) => {
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

    /// The argument of `note_events`; `None` if there are no events.
    pub fn into_value(self) -> Option<Value> {
        Some(Value::from(self.noted)).filter(|noted| noted != &Value::Array(Vec::new()))
    }
}

/// The event for placing a request of this type.
fn placed(request_type: &str) -> Option<Event> {
    match request_type {
        "Page" => Some(Event::PagingRequest),
        "Hold" => Some(Event::HoldRequest),
        "Recall" => Some(Event::RecallRequest),
        _ => None,
    }
}
