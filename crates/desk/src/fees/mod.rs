//! Fees and fines: what is done upon accounts, and how changes of fees are written with a loan.

mod action;
mod writing;

pub use action::{Acted, act_upon_accounts, check_action};

pub(crate) use writing::written;
