//! Stored records, limited to the members that circulation uses.

mod item;
mod loan;
mod patron;
mod request;
pub(crate) mod typed;

pub use item::{CallNumberComponents, Contributor, DatedStatus, Instance, Item, ItemState, LastCheckIn};
pub use loan::Loan;
pub use patron::{Address, Patron, Personal, ProxyRelationship};
pub use request::{QueuedRequest, Request};
pub use vocabulary::{ItemStatus, LoanAction, LoanStatus, PaymentStatus, RequestStatus};

#[cfg(test)]
pub(crate) mod tests;
