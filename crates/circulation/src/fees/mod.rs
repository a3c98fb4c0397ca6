//! Fees and fines: the [`types`] FOLIO charges by itself, what a patron owes ([`account`]), what is charged and given back
//! together with a loan ([`changes`], [`overdue_fine`]), and what is done about an account: paid, waived, transferred,
//! refunded, cancelled ([`action`], docs/folio/fees-fines.md#actions-upon-accounts).

pub mod account;
pub mod action;
pub mod changes;
pub mod money;
pub mod overdue_fine;
mod refund;
pub mod report;
pub mod request;
mod split;
pub mod types;
