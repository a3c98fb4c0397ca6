//! The controlled vocabularies of FOLIO's records that several crates share: the statuses of items, loans
//! and requests, the last action of a loan. No I/O.

mod item_status;
mod loan_action;
mod loan_status;
mod named;
mod request_status;

pub use item_status::ItemStatus;
pub use loan_action::LoanAction;
pub use loan_status::LoanStatus;
pub use request_status::RequestStatus;
