//! Circulation rules: who may borrow what, for how long, and what happens on return (docs/folio/README.md).
//!
//! Everything here is a pure function: the caller reads what a decision needs and writes what it changes ("read,
//! decide, write", decision 7). The crate `desk` does both; neither it nor `store` is a dependency. Rules that run over
//! a set of records (ageing to lost, expiry, anonymization) are SQL: `store/sql/replaceable/set_rules/`.
//!
//! | Topic | Module |
//! |---|---|
//! | checking out an item, and the checks before it | [`check_out`] |
//! | checking in an item; items in transit | [`check_in`] |
//! | renewing a loan | [`renewal`] |
//! | due dates | [`due_dates`] |
//! | editing and anonymizing loans; use at location | [`loans`] |
//! | representation of loans and items | [`representation`] |
//! | declared lost, aged to lost, claimed returned, and the fees for each | [`lost_items`] |
//! | placing, changing, moving, reordering and filling requests; recalls; the hold shelf | [`requests`] |
//! | fees and fines: charging, paying, waiving, refunding; overdue fines | [`fees`] |
//! | patron blocks and overrides | [`blocks`] |
//! | opening hours and closed days | [`calendars`] |
//! | the language of circulation rules | [`rules`] |
//! | loan, request, fine, lost item and notice policies | [`policies`] |
//! | which policy applies | [`policy_choice`] |
//! | patron notices and reminders | [`notices`] |
//! | staff slips | [`slips`] |
//! | why a rule decided as it did | [`trace`], asked in [`why`] |
//! | the library's settings, as decisions read them | [`configuration`] |
//! | stored records, as decisions read them | [`records`] |
//! | parsing and printing dates | [`dates`] |
//! | refusals in FOLIO's wording | [`refusal`] |

// Table-driven tests can be long.
#![cfg_attr(test, allow(clippy::too_many_lines))]

pub mod blocks;
pub mod calendars;
pub mod check_in;
pub mod check_out;
pub mod configuration;
pub mod dates;
mod due_dates;
pub mod fees;
pub mod item_facts;
pub mod loans;
pub mod lost_items;
pub mod notices;
mod policies;
mod policy_choice;
pub mod records;
pub mod refusal;
pub mod renewal;
pub mod representation;
pub mod requests;
pub mod rules;
pub mod slips;
mod text;
mod trace;
pub mod why;

#[cfg(test)]
mod testing;

/// The refusal tables that `docs/errors.md` is generated from.
pub const REFUSALS: &[&refusals::Table] = &[
    refusal::SHARED,
    blocks::refusal::TABLE,
    calendars::refusal::TABLE,
    due_dates::refusal::TABLE,
    check_out::refusal::TABLE,
    check_in::refusal::TABLE,
    renewal::refusal::TABLE,
    loans::anonymization::STORED,
    loans::anonymization::REQUESTS,
    loans::change::refusal::TABLE,
    loans::use_at_location::refusal::TABLE,
    requests::place::refusal::TABLE,
    requests::refusal::TABLE,
    fees::refusal::TABLE,
    why::refusal::TABLE,
    lost_items::refusal::TABLE,
    lost_items::refusal::ACTUAL_COSTS,
];
