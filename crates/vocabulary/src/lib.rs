//! The controlled vocabularies of FOLIO's records that several crates share: the statuses of items and loans, the last
//! action of a loan. No I/O.

mod item_status;
mod loan_action;
mod loan_status;
mod named;

pub use item_status::ItemStatus;
pub use loan_action::LoanAction;
pub use loan_status::LoanStatus;
