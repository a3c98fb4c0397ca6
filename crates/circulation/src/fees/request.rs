//! What clients ask to be done about accounts, and why it is not done (docs/folio/fees-fines.md#refusals-of-actions).

use serde_json::{Map, Value};

/// What can be done about an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The patron pays.
    Pay,
    /// The library forgoes it.
    Waive,
    /// Another office collects it.
    Transfer,
    /// Money that was paid or transferred goes back.
    Refund,
    /// It should never have been charged, or no longer applies.
    Cancel,
}

impl Action {
    /// The last part of its path.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Action::Pay => "pay",
            Action::Waive => "waive",
            Action::Transfer => "transfer",
            Action::Refund => "refund",
            Action::Cancel => "cancel",
        }
    }

    /// What an action of this kind is called when something is left, and when nothing is.
    pub(super) fn results(self) -> [&'static str; 2] {
        match self {
            Action::Pay => ["Paid partially", "Paid fully"],
            Action::Waive => ["Waived partially", "Waived fully"],
            Action::Transfer => ["Transferred partially", "Transferred fully"],
            Action::Refund => ["Refunded partially", "Refunded fully"],
            Action::Cancel => ["Cancelled as error", "Cancelled as error"],
        }
    }

    /// A movement with that type is of this kind.
    pub(super) fn is_called(self, type_action: &str) -> bool {
        self.results().contains(&type_action)
    }
}

/// Reasons for which accounts are cancelled; each is a payment status.
const CANCELLATIONS: [&str; 4] = [
    "Cancelled as error",
    "Cancelled item returned",
    "Cancelled item renewed",
    "Cancelled item declared lost",
];

/// What a client asks.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActionRequest {
    /// The amount, as written; none when accounts are cancelled.
    pub amount: Option<String>,
    /// Said about it.
    pub comments: Option<String>,
    /// A receipt number, …
    pub transaction_info: Option<String>,
    /// The patron is told.
    pub notify: Option<bool>,
    /// Where.
    pub service_point: Option<String>,
    /// Who at the desk.
    pub user_name: Option<String>,
    /// How it is paid, why waived, where transferred.
    pub payment_method: Option<String>,
    /// Why it is cancelled.
    pub cancellation_reason: Option<String>,
    /// Each account takes what it can, in the order they are named; otherwise the amount is divided evenly, as FOLIO
    /// does.
    pub in_order: bool,
}

impl ActionRequest {
    /// Reads an accepted body.
    #[must_use]
    pub fn read(body: &Map<String, Value>) -> Self {
        let text = |member: &str| body.get(member)?.as_str().map(str::to_owned);
        Self {
            amount: text("amount"),
            comments: text("comments"),
            transaction_info: text("transactionInfo"),
            notify: body.get("notifyPatron").and_then(Value::as_bool),
            service_point: text("servicePointId"),
            user_name: text("userName"),
            payment_method: text("paymentMethod"),
            cancellation_reason: text("cancellationReason"),
            in_order: false,
        }
    }

    /// The payment status of accounts that are cancelled so; `None` when there is no such status.
    pub(super) fn cancellation(&self) -> Option<&'static str> {
        let asked = self.cancellation_reason.as_deref();
        let asked = asked.unwrap_or(CANCELLATIONS[0]);
        CANCELLATIONS.into_iter().find(|reason| *reason == asked)
    }
}

/// Why nothing is done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActionRefusal {
    /// There is no account with that id.
    NoSuchAccount(String),
    /// What is asked cannot be done.
    Refused(&'static str),
}

impl std::fmt::Display for ActionRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoSuchAccount(id) => write!(f, "Fee/fine ID {id} not found"),
            Self::Refused(text) => f.write_str(text),
        }
    }
}
