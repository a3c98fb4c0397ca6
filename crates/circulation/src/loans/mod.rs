//! Loans beside the desk: changed by clients ([`change`]), shown ([`representation`]), used in the library
//! ([`use_at_location`]) and anonymized ([`anonymization`]).

pub mod anonymization;
pub mod change;
pub mod representation;
pub mod use_at_location;
