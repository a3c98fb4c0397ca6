//! Everything that speaks against a renewal, in FOLIO's words (docs/folio/renewals.md).

use uuid::Uuid;

use super::{NamedBy, RenewalCommand};
use crate::{
    blocks::BlockKind,
    due_dates::{NoDueDate, NoRenewalDate},
    policies::LoanPolicy,
    refusal::Told,
};

/// The loan policy that a refusal names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPolicy {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
}

impl From<&LoanPolicy> for NamedPolicy {
    fn from(policy: &LoanPolicy) -> Self {
        NamedPolicy {
            id: policy.id,
            name: policy.name.clone(),
        }
    }
}

/// A reason not to renew a loan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenewalRefusal {
    /// The request does not name an item.
    ItemNotNamed(NamedBy),
    /// The request does not name a borrower.
    UserNotNamed(NamedBy),
    /// There is no such item.
    ItemNotFound,
    /// Nobody has borrowed the item.
    NotLent,
    /// The borrower of the loan, with that id, is gone.
    UserNotFound(Option<Uuid>),
    /// Somebody else has borrowed the item.
    DifferentUser,
    /// The borrower may not use the library.
    UserInactive,
    /// The record of the borrower does not say.
    UserStatusUnknown,
    /// Blocked by hand, with the reasons.
    BlockedManually(String),
    /// Blocked by a condition, with its message.
    BlockedAutomatically(String),
    /// Reminders were billed, and the overdue fine policy does not allow renewals then.
    Reminders,
    /// The caller lacks the permission to override.
    OverrideNotPermitted(BlockKind),
    /// By the loan policy and the state of the loan.
    Policy(PolicyRefusal, NamedPolicy),
    /// A recall, with its id, waits for the item.
    Recalled(Uuid),
    /// The item is lost: its id and status.
    Lost(Uuid, String),
    /// The item, with that id, is claimed returned.
    ClaimedReturned(Uuid),
    /// The calendars say too little.
    NoOpenTime(NoDueDate, NamedPolicy),
    /// An override without a comment.
    OverrideWithoutComment,
    /// An override without a due date where none can be computed.
    OverrideWithoutDueDate,
    /// An override without a due date where the computed one is not later.
    OverrideWithoutLaterDueDate,
    /// An override of a renewal that ends no later than the loan did.
    OverrideWouldNotChangeDueDate(NamedPolicy),
    /// Nothing is there to be overridden.
    NothingToOverride(NamedPolicy),
}

/// A refusal that names the loan policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyRefusal {
    /// Items are not lent at all.
    NotLoanable,
    /// The number of renewals is reached.
    LimitReached,
    /// Loans are not renewed.
    NotRenewable,
    /// A hold waits, and the policy does not allow renewals then.
    HoldWaits,
    /// A hold waits, and the fixed policy has a period for that.
    FixedWithPeriodForHolds,
    /// A hold waits, and the fixed policy has a period of renewals.
    FixedWithPeriod,
    /// No date by the policy.
    NoDate(NoRenewalDate),
    /// The date is no later than the current one.
    SameDueDate,
}

const NOTHING_TO_OVERRIDE: &str = "Override renewal does not match any of expected cases: \
    item is not loanable, item is not renewable, reached number of renewals limit,\
    renewal date falls outside of the date ranges in the loan policy, \
    items cannot be renewed when there is an active recall request, \
    item is Declared lost, item is Aged to lost, \
    renewal would not change the due date, loan has reminder fees";

const UNCHANGED: &str = "renewal would not change the due date";

impl PolicyRefusal {
    fn message_and_code(&self) -> (String, &'static str) {
        let (message, code) = match self {
            Self::NotLoanable => ("item is not loanable", "ITEM_NOT_LOANABLE"),
            Self::LimitReached => (
                "loan at maximum renewal number",
                "LOAN_RENEWAL_LIMIT_REACHED",
            ),
            Self::NotRenewable => ("loan is not renewable", "LOAN_NOT_RENEWABLE"),
            Self::HoldWaits => (
                "Items with this loan policy cannot be renewed when there is an active, \
                 pending hold request",
                "RENEWAL_BLOCKED_BY_HOLD_REQUEST",
            ),
            Self::FixedWithPeriodForHolds => (
                "Item's loan policy has fixed profile but alternative renewal period for holds \
                 is specified",
                "FIXED_LOAN_POLICY_HAS_ALTERNATE_RENEWAL_PERIOD_FOR_HOLDS",
            ),
            Self::FixedWithPeriod => (
                "Item's loan policy has fixed profile but renewal period is specified",
                "FIXED_LOAN_POLICY_HAS_RENEWAL_PERIOD",
            ),
            Self::NoDate(cause) => return cause.message_and_code(),
            Self::SameDueDate => (UNCHANGED, "RENEWAL_WOULD_NOT_CHANGE_DUE_DATE"),
        };
        (message.to_owned(), code)
    }

    fn block(&self) -> BlockKind {
        match self {
            Self::LimitReached => BlockKind::Renewal,
            _ => BlockKind::RenewalDueDateRequired,
        }
    }
}

fn of_policy(message: impl Into<String>, code: &'static str, policy: &NamedPolicy) -> Told {
    Told::new(message)
        .code(code)
        .about("loanPolicyId", Some(policy.id))
        .about("loanPolicyName", Some(&policy.name))
}

impl RenewalRefusal {
    /// The refusal as clients see it.
    pub fn told(&self, command: &RenewalCommand) -> Told {
        self.with_block(self.unblocked(command), command)
    }

    /// The refusal of a body that no renewal can be read from.
    pub fn of_body(&self) -> Option<Told> {
        let none = None::<String>;
        let (named_by, what, member, code) = match self {
            Self::ItemNotNamed(by) => (
                by,
                "an item",
                by.item_member(),
                "RENEWAL_REQUEST_ITEM_BARCODE_REQUIRED",
            ),
            Self::UserNotNamed(by) => (
                by,
                "a user",
                by.user_member(),
                "RENEWAL_REQUEST_USER_BARCODE_REQUIRED",
            ),
            _ => return None,
        };
        let told = |by: &str| Told::new(format!("Renewal request must have {what} {by}"));
        Some(match named_by {
            NamedBy::Barcode => told("barcode").code(code).about(member, none),
            NamedBy::Id => told("ID").about(member, none),
        })
    }

    fn unblocked(&self, command: &RenewalCommand) -> Told {
        match self {
            Self::ItemNotNamed(_) | Self::UserNotNamed(_) => {
                self.of_body().unwrap_or_else(|| Told::new(""))
            }
            Self::ItemNotFound => item_not_found(command),
            Self::NotLent => not_lent(command),
            Self::UserNotFound(id) => Told::new("user is not found")
                .code("USER_NOT_FOUND")
                .about("userId", *id),
            Self::DifferentUser => Told::new("Cannot renew item checked out to different user")
                .code("ITEM_CHECKED_OUT_TO_DIFFERENT_USER")
                .about(command.named_by.user_member(), Some(&command.user)),
            Self::UserInactive => Told::new("Cannot renew loan when user is inactive or expired")
                .code("USER_IS_INACTIVE_OR_EXPIRED")
                .about("reason", Some("User is inactive.")),
            Self::UserStatusUnknown => Told::new("Cannot determine if user is active.")
                .code("USER_STATUS_CANNOT_BE_DETERMINED")
                .about("reason", Some("Cannot determine if user active.")),
            Self::BlockedManually(reason) => Told::new("Patron blocked from renewing")
                .code("USER_IS_BLOCKED_MANUALLY")
                .about("reason", Some(reason)),
            Self::BlockedAutomatically(message) => {
                Told::new(message).code("USER_IS_BLOCKED_AUTOMATICALLY")
            }
            Self::Reminders => {
                let message = "Renewals not allowed for loans with reminders.";
                Told::new(message)
                    .code("RENEWAL_BLOCKED_BY_REMINDER_FEES")
                    .about("reason", Some(message))
            }
            Self::OverrideNotPermitted(_) => Told::new("Insufficient override permissions")
                .code("INSUFFICIENT_OVERRIDE_PERMISSIONS"),
            Self::Policy(refusal, policy) => {
                let (message, code) = refusal.message_and_code();
                of_policy(message, code, policy)
            }
            Self::Recalled(request) => {
                Told::new("items cannot be renewed when there is an active recall request")
                    .code("RENEWAL_BLOCKED_BY_RECALL")
                    .about("requestId", Some(*request))
            }
            Self::Lost(item, status) => Told::new(format!("item is {status}"))
                .code(match status.as_str() {
                    "Aged to lost" => "ITEM_AGED_TO_LOST_NOT_RENEWABLE",
                    _ => "ITEM_DECLARED_LOST_NOT_RENEWABLE",
                })
                .about("itemId", Some(*item)),
            Self::ClaimedReturned(item) => Told::new("item is Claimed returned")
                .code("ITEM_CLAIMED_RETURNED_NOT_RENEWABLE")
                .about("itemId", Some(*item)),
            Self::NoOpenTime(cause, policy) => cause.told(policy.id, &policy.name),
            Self::OverrideWithoutComment => {
                Told::new("Override renewal request must have a comment")
                    .code("OVERRIDE_RENEWAL_COMMENT_REQUIRED")
                    .about("comment", None::<String>)
            }
            Self::OverrideWithoutDueDate => {
                Told::new("New due date must be specified when due date calculation fails")
                    .code("OVERRIDE_RENEWAL_DUE_DATE_REQUIRED")
                    .about("dueDate", Some("null"))
            }
            Self::OverrideWithoutLaterDueDate => {
                Told::new("New due date is required when renewal would not change the due date")
                    .code("OVERRIDE_RENEWAL_DUE_DATE_REQUIRED_WHEN_DUE_DATE_UNCHANGED")
                    .about("dueDate", Some("null"))
            }
            Self::OverrideWouldNotChangeDueDate(policy) => {
                of_policy(UNCHANGED, "RENEWAL_WOULD_NOT_CHANGE_DUE_DATE", policy)
            }
            Self::NothingToOverride(policy) => of_policy(
                NOTHING_TO_OVERRIDE,
                "OVERRIDE_RENEWAL_NOT_ALLOWED_FOR_CURRENT_LOAN",
                policy,
            ),
        }
    }

    fn with_block(&self, told: Told, command: &RenewalCommand) -> Told {
        let kind = match self {
            Self::BlockedManually(_) | Self::BlockedAutomatically(_) => BlockKind::Patron,
            Self::Reminders | Self::Recalled(_) | Self::Lost(..) => BlockKind::Renewal,
            Self::OverrideNotPermitted(kind) => *kind,
            Self::Policy(refusal, _) => refusal.block(),
            _ => return told,
        };
        told.block(kind, &command.granted)
    }
}

/// The code of a renewal of an item that nobody has borrowed.
pub const NO_OPEN_LOAN: &str = "ITEM_HAS_NO_OPEN_LOAN";

fn not_lent(command: &RenewalCommand) -> Told {
    let item = &command.item;
    let named = match command.named_by {
        NamedBy::Barcode => "barcode",
        NamedBy::Id => "ID",
    };
    Told::new(format!("No open loan found for the item {named}. ({item})"))
        .code(NO_OPEN_LOAN)
        .about(command.named_by.item_member(), Some(item))
}

fn item_not_found(command: &RenewalCommand) -> Told {
    let item = &command.item;
    let member = command.named_by.item_member();
    match command.named_by {
        NamedBy::Barcode => Told::new(format!("No item with barcode {item} exists"))
            .code("ITEM_BARCODE_NOT_FOUND")
            .about(member, Some(item)),
        NamedBy::Id => {
            Told::new(format!("No item with ID {item} exists")).about(member, Some(item))
        }
    }
}
