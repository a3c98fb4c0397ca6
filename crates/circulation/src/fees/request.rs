//! Client requests for fee/fine actions (docs/folio/fees-fines.md#actions-upon-accounts).

use serde_json::{Map, Value};
use vocabulary::PaymentStatus;

/// An action on an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The patron pays.
    Pay,
    /// The library waives the amount.
    Waive,
    /// The amount is transferred to another office.
    Transfer,
    /// Payments or transfers are refunded.
    Refund,
    /// The charge was an error or no longer applies.
    Cancel,
}

impl Action {
    /// The last segment of the action's path.
    pub fn path(self) -> &'static str {
        match self {
            Action::Pay => "pay",
            Action::Waive => "waive",
            Action::Transfer => "transfer",
            Action::Refund => "refund",
            Action::Cancel => "cancel",
        }
    }

    /// The types of the recorded action, partial and full.
    pub fn results(self) -> [PaymentStatus; 2] {
        match self {
            Action::Pay => [PaymentStatus::PaidPartially, PaymentStatus::PaidFully],
            Action::Waive => [PaymentStatus::WaivedPartially, PaymentStatus::WaivedFully],
            Action::Transfer => [PaymentStatus::TransferredPartially, PaymentStatus::TransferredFully],
            Action::Refund => [PaymentStatus::RefundedPartially, PaymentStatus::RefundedFully],
            Action::Cancel => [PaymentStatus::CancelledAsError; 2],
        }
    }

    /// Whether a recorded action with this type is of this kind.
    pub(super) fn is_called(self, type_action: &str) -> bool {
        self.results().iter().any(|result| result.name() == type_action)
    }
}

/// A requested action.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ActionRequest {
    /// The amount as the client sent it; absent when accounts are cancelled.
    pub amount: Option<String>,
    /// Comments for staff and patron.
    pub comments: Option<String>,
    /// Transaction details such as a receipt number.
    pub transaction_info: Option<String>,
    /// Whether to notify the patron.
    pub notify: Option<bool>,
    /// The service point of the action.
    pub service_point: Option<String>,
    /// The operator's name.
    pub user_name: Option<String>,
    /// The payment method, waive reason or transfer account.
    pub payment_method: Option<String>,
    /// The reason for cancelling.
    pub cancellation_reason: Option<String>,
    /// Whether to fill accounts one after another in the requested order; otherwise the amount is divided evenly, as in
    /// FOLIO.
    pub in_order: bool,
}

impl ActionRequest {
    /// Reads a body that validation has accepted.
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

    /// The payment status for the requested cancellation reason; `None` if the reason is unknown.
    pub(super) fn cancellation(&self) -> Option<PaymentStatus> {
        let Some(asked) = &self.cancellation_reason else {
            return Some(PaymentStatus::CancelledAsError);
        };
        PaymentStatus::from_name(asked).filter(|reason| reason.is_cancelled())
    }
}
