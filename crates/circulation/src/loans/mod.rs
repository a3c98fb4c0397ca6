//! Loans apart from check-out and check-in: records that clients edit ([`change`]), use at location
//! ([`use_at_location`]) and anonymization ([`anonymization`]).

pub mod anonymization;
pub mod change;
pub mod use_at_location;
