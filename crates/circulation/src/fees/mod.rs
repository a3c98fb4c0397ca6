//! Fees and fines: the automatic fee/fine [`types`], a patron's accounts ([`account`]), charges and refunds that come
//! with a loan ([`changes`], [`overdue_fine`]), and actions on accounts: pay, waive, transfer, refund, cancel
//! ([`action`], docs/folio/fees-fines.md#actions-upon-accounts).

pub mod account;
pub mod action;
pub mod changes;
pub(crate) mod lost_item;
pub mod money;
pub(crate) mod overdue_fine;
pub(crate) mod refusal;
pub mod report;
pub mod request;
mod split;
pub mod types;
