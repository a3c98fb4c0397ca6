//! Everything that speaks against a change of a loan record, in FOLIO's words
//! (docs/folio/loans.md#loan-records-of-clients).

use uuid::Uuid;

use super::LoanContext;
use crate::{
    due_dates::NoDueDate,
    records::{Item, Patron},
    refusal::Told,
    requests::fulfilment::NotFulfilled,
};

/// A reason to leave a loan record as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoanRefusal {
    /// There is no such loan: 404.
    NoSuchLoan,
    /// Neither open nor closed.
    UnknownStatus(Option<String>),
    /// An open loan that nobody has.
    OpenWithoutBorrower,
    /// A service point that is not there.
    NoSuchServicePoint {
        /// `In` or `Out`.
        side: &'static str,
        /// The member.
        key: &'static str,
        /// Its value.
        id: String,
    },
    /// A closed loan that came back nowhere.
    ClosedWithoutServicePoint,
    /// An item that is not there.
    NoSuchItem(Option<String>),
    /// The item is out.
    AlreadyCheckedOut(Uuid),
    /// The item is missing or lost.
    StatusForbids {
        /// What the item is.
        description: String,
        /// The item.
        id: Uuid,
    },
    /// Nobody can be a proxy for themselves.
    ProxyForThemselves(Uuid),
    /// The borrower gave the proxy no leave.
    InvalidProxy(Uuid),
    /// A borrower that is not there.
    NoSuchPatron(Option<Uuid>),
    /// Somebody else waits for the item.
    Requested {
        /// What is told.
        message: String,
        /// The borrower.
        patron: Uuid,
    },
    /// Another loan of the item is open.
    OpenLoanExists(Uuid),
    /// The due date of an item that is lost or claimed returned.
    ItemIs {
        /// The item.
        id: Uuid,
        /// Its status.
        status: String,
    },
    /// The loan is closed.
    Closed(Option<Uuid>),
    /// A note without a text, or of an unknown kind.
    NoInfo,
    /// No due date.
    NoDueDate,
    /// A claim without a date.
    NoClaimDate,
    /// An item declared lost nowhere: what stood instead of a service point.
    NoServicePoint(Option<String>),
    /// What is no date, instead of when the item was lost.
    NoDeclaredDate(String),
    /// The item is declared lost already.
    AlreadyDeclaredLost(Uuid),
    /// The policy charges fees, but nobody owns those of this location.
    NoFeeOwner(Option<Uuid>),
    /// An item marked missing without a comment.
    NoComment,
    /// The item is not claimed returned.
    NotClaimedReturned(Uuid),
    /// The library has no type of general notes.
    NoGeneralNoteType,
    /// The item cannot be taken back.
    NotFulfilled(NotFulfilled),
    /// The item is recalled, and no due date could be found.
    NotRecalled {
        /// Why.
        cause: NoDueDate,
        /// Loan policy.
        policy_id: Uuid,
        /// Its name.
        policy_name: String,
    },
}

impl LoanRefusal {
    pub(super) fn status_forbids(
        context: &LoanContext,
        item: &Item,
        material_type: Option<&str>,
    ) -> LoanRefusal {
        let description = format!(
            "{} ({}) (Barcode: {}) has the item status {}, loan cannot be created",
            context.instance.title,
            material_type.unwrap_or("null"),
            item.barcode.as_deref().unwrap_or("null"),
            item.status.name
        );
        LoanRefusal::StatusForbids {
            description,
            id: item.id,
        }
    }

    pub(super) fn requested(context: &LoanContext, item: &Item, patron: &Patron) -> LoanRefusal {
        let message = format!(
            "{} (Barcode: {}) cannot be checked out to user {} because it has been requested \
             by another patron",
            context.instance.title,
            item.barcode.as_deref().unwrap_or("null"),
            patron.name()
        );
        LoanRefusal::Requested {
            message,
            patron: patron.id,
        }
    }

    /// The refusal as clients see it.
    pub fn told(&self) -> Told {
        let none = None::<String>;
        match self {
            Self::NoSuchLoan => Told::new("Not found"),
            Self::UnknownStatus(status) => Told::new("Loan status must be \"Open\" or \"Closed\"")
                .about("status", status.clone()),
            Self::OpenWithoutBorrower => {
                Told::new("Open loan must have a user ID").about("userId", none)
            }
            Self::NoSuchServicePoint { side, key, id } => {
                Told::new(format!("Check {side} Service Point does not exist")).about(key, Some(id))
            }
            Self::ClosedWithoutServicePoint => {
                Told::new("A Closed loan must have a Checkin Service Point")
                    .about("checkinServicePointId", none)
            }
            Self::NoSuchItem(id) => {
                let shown = id.as_deref().unwrap_or("null");
                Told::new(format!("No item with ID {shown} could be found"))
                    .about("itemId", id.clone())
            }
            Self::AlreadyCheckedOut(id) => {
                Told::new("Item is already checked out").about("itemId", Some(*id))
            }
            Self::StatusForbids { description, id } => {
                Told::new(description).about("itemId", Some(*id))
            }
            Self::ProxyForThemselves(id) => Told::new("User cannot be proxy for themselves")
                .code("USER_CANNOT_BE_PROXY_FOR_THEMSELVES")
                .about("proxyUserId", Some(*id)),
            Self::InvalidProxy(id) => {
                Told::new("proxyUserId is not valid").about("proxyUserId", Some(*id))
            }
            Self::NoSuchPatron(id) => Told::new("user is not found").about("userId", *id),
            Self::Requested { message, patron } => {
                Told::new(message).about("userId", Some(*patron))
            }
            Self::OpenLoanExists(item) => {
                Told::new("Cannot have more than one open loan for the same item")
                    .about("itemId", Some(*item))
            }
            Self::ItemIs { id, status } => {
                Told::new(format!("item is {status}")).about("itemId", Some(*id))
            }
            Self::Closed(loan) => Told::new("Loan is closed").about("loanId", *loan),
            Self::NoInfo => Told::new(
                "An action of type patronInfoAdded or staffInfoAdded, with associated \
                 actionComment, required in order to add info",
            )
            .about("action", none),
            Self::NoDueDate => {
                Told::new("A new due date is required in order to change the due date")
                    .about("dueDate", none)
            }
            Self::NoClaimDate => Told::new("Item claimed returned date is a required field")
                .about("itemClaimedReturnedDateTime", none),
            Self::NoServicePoint(text) => {
                Told::new("A service point is required for item to be declared lost")
                    .about("servicePointId", text.clone())
            }
            Self::NoDeclaredDate(text) => {
                Told::new(format!("Text '{text}' could not be parsed at index 0"))
                    .about("declaredLostDateTime", Some(text))
            }
            Self::AlreadyDeclaredLost(item) => {
                Told::new("The item is already declared lost").about("itemId", Some(*item))
            }
            Self::NoFeeOwner(location) => {
                Told::new("No fee/fine owner found for item's permanent location")
                    .about("locationId", *location)
            }
            Self::NoComment => Told::new("Comment is a required field").about("comment", none),
            Self::NotClaimedReturned(item) => {
                Told::new("Item is not Claimed returned").about("itemId", Some(*item))
            }
            Self::NoGeneralNoteType => {
                Told::new("No General note type found").about("noteTypes", none)
            }
            Self::NotFulfilled(fault) => fault.told(),
            Self::NotRecalled {
                cause,
                policy_id,
                policy_name,
            } => cause.told(*policy_id, policy_name),
        }
    }
}
