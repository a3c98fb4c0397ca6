//! Loans apart from check-out and check-in: records that clients edit ([`change`]), use at location
//! ([`use_at_location`]) and anonymization ([`anonymization`]).
//!
//! Which loans are anonymized is decided in SQL: `store/sql/replaceable/set_rules/anonymizing.sql`, used by
//! `desk/src/loans/anonymizing.rs`.

pub mod anonymization;
pub mod change;
pub mod use_at_location;
