//! Processing due scheduled notices: what to send, and whether and when to send it again
//! (docs/folio/notices.md#scheduled-notices).

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    context,
    letter::{About, Letter},
    scheduling::next_run,
    subject::Subject,
};
use crate::{
    configuration::Configuration,
    dates::parse_date_time,
    policies::Period,
    records::{ItemStatus, Loan, LoanAction, Request, RequestStatus},
};

/// A type of run that processes scheduled notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Names of the events to process.
    pub events: &'static [&'static str],
    /// True for notices sent as soon as they are due, false for those bundled on the next day.
    pub real_time: bool,
    /// Template list for notices bundled by patron; `None` sends each on its own.
    pub bundled: Option<&'static str>,
}

const DUE_DATE: &str = "Due date";
const AGED: &str = "Aged to lost";
const AGED_CHARGED: &str = "Aged to lost - fine charged";
const AGED_RETURNED: &str = "Aged to lost & item returned - fine adjusted";
const FINE_RETURNED: &str = "Overdue fine returned";
const FINE_RENEWED: &str = "Overdue fine renewed";
const HOLD_EXPIRATION: &str = "Hold expiration";
/// mod-circulation's text.
const NO_GROUP: &str = "Unable to apply circulation rules to a user with null value as patronGroupId";

/// Notices around due dates and aged to lost items.
pub const LOANS: Kind = Kind { events: &[DUE_DATE, AGED], real_time: true, bundled: None };
/// Notices around due dates, bundled by patron and day.
pub const LOANS_DAILY: Kind = Kind { events: &[DUE_DATE], real_time: false, bundled: Some("loans") };
/// Notices around the end of requests.
pub const REQUESTS: Kind = Kind {
    events: &[HOLD_EXPIRATION, "Request expiration", "Title level request expiration"],
    real_time: true,
    bundled: None,
};
/// Notices about fees of aged to lost items.
pub const FEES: Kind = Kind { events: &[AGED_CHARGED, AGED_RETURNED], real_time: true, bundled: None };
/// Notices about overdue fines, bundled by session at the desk.
pub const OVERDUE_FINES: Kind =
    Kind { events: &[FINE_RETURNED, FINE_RENEWED], real_time: true, bundled: Some("feeCharges") };
/// Notices about fees, bundled by patron and day.
pub const FEES_DAILY: Kind =
    Kind { events: &[AGED_CHARGED, FINE_RETURNED, FINE_RENEWED], real_time: false, bundled: Some("feeCharges") };

/// A due scheduled notice.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    /// ID of the scheduled notice.
    pub id: Uuid,
    /// The stored record.
    pub record: Value,
    /// The records it refers to.
    pub subject: Subject,
}

/// What happens to a scheduled notice.
#[derive(Debug, Clone, PartialEq)]
pub enum Fate {
    /// Deleted.
    Removed(Uuid),
    /// Rescheduled: the record with its new time.
    Moved(Value),
}

/// A notice that cannot be made, as the circulation log tells it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    /// ID of the borrower or requester; anonymized loans and requests have none.
    pub user: Option<Uuid>,
    /// The event, named as in notice policies.
    pub event: String,
    /// ID of the notice template.
    pub template: Value,
    /// The loan, the request or the fee that it is about.
    pub about: Vec<About>,
    /// The reason.
    pub error: String,
}

/// Letters to send, notices that cannot be made, and what happens to each scheduled notice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Processed {
    /// Letters to send.
    pub letters: Vec<Letter>,
    /// Notices that cannot be made.
    pub failures: Vec<Failure>,
    /// One entry for each scheduled notice.
    pub fates: Vec<Fate>,
}

/// Processes the due notices of one kind, sorted by bundle.
pub fn process(due: &[Due], kind: Kind, configuration: &Configuration, now: Timestamp) -> Processed {
    let mut processed = Processed::default();
    for bundle in due.chunk_by(|a, b| kind.bundled.is_some() && a.bundle() == b.bundle()) {
        let judged: Vec<_> = bundle.iter().map(|due| (due, due.verdict(now))).collect();
        let sent = judged.iter().filter(|(_, verdict)| *verdict == Verdict::Sent);
        let sent: Vec<_> = sent.map(|(due, _)| *due).collect();
        processed.letters.extend(letter(&sent, kind, configuration));
        for (due, verdict) in judged {
            processed.fates.push(due.fate(verdict == Verdict::Sent, now));
            if let Verdict::Failed(error) = verdict {
                processed.failures.push(due.failure(error, configuration));
            }
        }
    }
    processed
}

fn letter(due: &[&Due], kind: Kind, configuration: &Configuration) -> Option<Letter> {
    let first = due.first()?;
    let context = match kind.bundled {
        Some(token) => {
            let subjects: Vec<_> = due.iter().map(|due| &due.subject).collect();
            context::of_bundle(token, &subjects, configuration)
        }
        None => first.context(configuration),
    };
    Some(Letter {
        recipient: first.subject.user.clone()?,
        template: first.config("templateId").as_str().and_then(|id| Uuid::parse_str(id).ok())?,
        format: first.config("format").as_str().unwrap_or_default().to_owned(),
        context: Value::Object(context),
        event: first.event().to_owned(),
        about: due.iter().map(|due| due.subject.about(configuration)).collect(),
    })
}

/// What is to be done with a due notice.
#[derive(Debug, PartialEq)]
enum Verdict {
    Sent,
    /// It makes no sense any more.
    Irrelevant,
    /// It cannot be made, for this reason.
    Failed(String),
}

impl Due {
    fn event(&self) -> &str {
        self.record["triggeringEvent"].as_str().unwrap_or_default()
    }

    fn config(&self, member: &str) -> &Value {
        &self.record["noticeConfig"][member]
    }

    /// Bundle key; claiming sorts by it too.
    pub fn bundle(&self) -> [&Value; 6] {
        [
            &self.record["recipientUserId"],
            self.config("templateId"),
            &self.record["triggeringEvent"],
            self.config("format"),
            self.config("timing"),
            &self.record["sessionId"],
        ]
    }

    fn context(&self, configuration: &Configuration) -> Map<String, Value> {
        if self.subject.request.is_some() {
            return context::of_request(&self.subject, configuration);
        }
        let mut found = context::of_loan(&self.subject, configuration);
        if self.event() == AGED_RETURNED {
            found.insert("feeAction".into(), context::fee_action(&self.subject));
        }
        found
    }

    /// A notice fails as with mod-circulation's `ScheduledNoticeHandler`, which deletes it: if a record is gone, or the rules choose no
    /// notice policy for its patron.
    fn verdict(&self, now: Timestamp) -> Verdict {
        if let Some((kind, id)) = self.missing() {
            let id = id.unwrap_or_else(|| "null".into());
            return Verdict::Failed(format!("{kind} record with ID \"{id}\" cannot be found"));
        }
        let has_group = self.subject.user.as_ref().is_some_and(|user| user.patron_group.is_some());
        match (self.is_relevant(now), has_group) {
            (false, _) => Verdict::Irrelevant,
            (true, false) => Verdict::Failed(NO_GROUP.into()),
            (true, true) => Verdict::Sent,
        }
    }

    fn failure(&self, error: String, configuration: &Configuration) -> Failure {
        let of_notice = |member: &str| self.record[member].as_str().and_then(|id| id.parse().ok());
        let mut about = self.subject.about(configuration);
        about.loan = about.loan.or_else(|| of_notice("loanId"));
        about.request = about.request.or_else(|| of_notice("requestId"));
        Failure {
            user: self.user_id(),
            event: self.event().to_owned(),
            template: self.config("templateId").clone(),
            about: vec![about],
            error,
        }
    }

    /// The user of the loan or request, whether it is still there or not.
    fn user_id(&self) -> Option<Uuid> {
        let request = self.subject.request.as_ref();
        request.map_or_else(|| self.subject.loan.as_ref().and_then(Loan::user_id), Request::requester_id)
    }

    /// A record without which the notice cannot be made, and its ID.
    fn missing(&self) -> Option<(&'static str, Option<String>)> {
        let subject = &self.subject;
        let of_notice = |member: &str| self.record[member].as_str().map(str::to_owned);
        let is_about_fees = [AGED_CHARGED, AGED_RETURNED, FINE_RETURNED, FINE_RENEWED].contains(&self.event());
        let is_about_loans = is_about_fees || [DUE_DATE, AGED].contains(&self.event());
        if is_about_fees && subject.account.is_none() {
            return Some(("feeFineAction", of_notice("feeFineActionId")));
        }
        let (item, needs_item) = match (is_about_loans, &subject.loan, &subject.request) {
            (true, None, _) => return Some(("loan", of_notice("loanId"))),
            (true, Some(loan), _) => (loan.item_id(), true),
            (false, _, None) => return Some(("request", of_notice("requestId"))),
            // A request for a title may have none yet.
            (false, _, Some(request)) => (request.item_id(), request.item_id().is_some()),
        };
        if subject.user.is_none() {
            return Some(("user", self.user_id().map(|id| id.to_string())));
        }
        (needs_item && subject.item.is_none()).then(|| ("item", item.map(|id| id.to_string())))
    }

    /// True if a notice with all its records is still worth sending. A notice upon the end of a request is not claimed while the
    /// request is open.
    fn is_relevant(&self, now: Timestamp) -> bool {
        match self.event() {
            DUE_DATE => self.loan_is_relevant(now),
            AGED => self.aged_is_relevant(),
            AGED_RETURNED => true,
            AGED_CHARGED | FINE_RETURNED | FINE_RENEWED => {
                self.subject.account.as_ref().is_some_and(|account| !account.is_closed())
            }
            HOLD_EXPIRATION => self.end_is_relevant(RequestStatus::PickupExpired),
            _ => self.end_is_relevant(RequestStatus::Unfilled),
        }
    }

    fn loan_is_relevant(&self, now: Timestamp) -> bool {
        let Some(loan) = self.open_loan() else {
            return false;
        };
        let before = self.config("timing") == "Before";
        let overdue = loan.due_date().is_some_and(|due| due < now);
        let lost = self.item_is(&[ItemStatus::DeclaredLost, ItemStatus::AgedToLost, ItemStatus::ClaimedReturned]);
        let too_late = before && overdue;
        !(lost || too_late)
    }

    fn aged_is_relevant(&self) -> bool {
        let renewed = |loan: &Loan| loan.action().is_some_and(LoanAction::is_renewal);
        self.open_loan().is_some_and(|loan| !renewed(loan))
            && !self.item_is(&[ItemStatus::DeclaredLost, ItemStatus::ClaimedReturned])
            && !self.subject.lost_fees
    }

    /// A notice upon the end of a request requires the status `ended`; any other requires an open request.
    fn end_is_relevant(&self, ended: RequestStatus) -> bool {
        let upon = self.config("timing") == "Upon At";
        let request = self.subject.request.as_ref();
        request.is_some_and(|request| if upon { request.is(ended) } else { request.is_open() })
    }

    fn open_loan(&self) -> Option<&Loan> {
        self.subject.loan.as_ref().filter(|loan| loan.is_open())
    }

    fn item_is(&self, statuses: &[ItemStatus]) -> bool {
        let item = self.subject.item.as_ref();
        item.is_some_and(|item| item.is_any_of(statuses))
    }

    fn fate(&self, is_sent: bool, now: Timestamp) -> Fate {
        match self.again(now).filter(|_| is_sent) {
            Some(next) => {
                let mut record = self.record.clone();
                record["nextRunTime"] = crate::dates::stored(next).to_string().into();
                Fate::Moved(record)
            }
            None => Fate::Removed(self.id),
        }
    }

    /// The next time of a recurring notice.
    fn again(&self, now: Timestamp) -> Option<Timestamp> {
        let every: Period = serde_json::from_value(self.config("recurringPeriod").clone()).ok()?;
        let last = self.record["nextRunTime"].as_str().and_then(parse_date_time)?;
        let next = next_run(last, &every, now)?;
        let before = self.config("timing") == "Before";
        Some(next).filter(|next| !(before && self.ends().any(|end| *next > end)))
    }

    /// Dates after which a notice before an event no longer repeats.
    fn ends(&self) -> impl Iterator<Item = Timestamp> {
        let due = self.subject.loan.as_ref().filter(|_| self.event() == DUE_DATE);
        let due = due.and_then(Loan::due_date);
        let request = self.subject.request.as_ref();
        let expires = request.and_then(Request::expiration_date);
        let leaves = request.and_then(Request::hold_shelf_expiration_date);
        [due, expires, leaves].into_iter().flatten()
    }
}
