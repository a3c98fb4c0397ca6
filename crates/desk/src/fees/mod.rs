//! Fees and fines: actions on accounts, and writing fee changes together with a loan.

mod action;
mod writing;

pub use action::{Acted, act_upon_accounts, check_action};

pub(crate) use writing::written;
