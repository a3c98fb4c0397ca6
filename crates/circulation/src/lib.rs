//! Circulation: what a library lends, to whom, for how long, and what happens when it comes back.
//!
//! Decisions are pure functions: everything they need is read before, everything they change is
//! written after (see "read, decide, write" in `docs/architecture.md`). The contract they follow is
//! FOLIO's, as docs/folio describes it.

pub mod actual_cost;
pub mod anonymization;
pub mod calendar;
pub mod check_in;
pub mod check_out;
pub mod closed_library;
pub mod collections;
pub mod configuration;
pub mod countries;
pub mod dates;
pub mod desk;
pub mod due_date;
pub mod fee_changes;
pub mod in_transit;
pub mod loan_records;
pub mod lost;
pub mod lost_billing;
pub mod lost_item_fees;
pub mod lost_item_policy;
pub mod notice_policy;
pub mod notices;
pub mod overdue_fine;
pub mod patron_blocks;
pub mod policies;
pub mod policy_choice;
pub mod recall;
pub mod records;
pub mod refusal;
pub mod renew;
pub mod representation;
pub mod request_representation;
pub mod requests;
pub mod rules;
pub mod staff_slip;
pub mod use_at_location;

#[cfg(test)]
mod testing;
