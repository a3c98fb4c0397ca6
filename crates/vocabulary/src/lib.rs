//! The controlled vocabularies of FOLIO's records that several crates share: the status of an item, the last action of a
//! loan. No I/O.

mod item_status;
mod loan_action;
mod named;

pub use item_status::ItemStatus;
pub use loan_action::LoanAction;
