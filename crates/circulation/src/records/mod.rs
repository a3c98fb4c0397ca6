//! The stored records that the desk works with, as far as it looks at them.

mod item;
mod loan;
mod patron;
mod request;

pub use item::{CallNumberComponents, Contributor, Instance, Item, ItemStatus, LastCheckIn};
pub use loan::{Loan, LoanStatus};
pub use patron::{Address, Patron, Personal, ProxyRelationship};
pub use request::{QueuedRequest, RequestRecord, RequestStatus};
