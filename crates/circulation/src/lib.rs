//! The rules of circulation: what a library lends, to whom, for how long, and what happens when it comes back
//! (docs/folio/README.md).
//!
//! Everything here is a pure function: what a decision needs is read before, what it changes is written after ("read,
//! decide, write", decision 7). The crate `desk` does both; it is not among the dependencies, and neither is `store`.
//!
//! | To find | Look in |
//! |---|---|
//! | lending an item, and what speaks against it | [`check_out`] |
//! | taking an item back; items in transit | [`check_in`] |
//! | renewing a loan | [`renewal`] |
//! | due dates | [`due_dates`] |
//! | changing, showing and anonymizing loans; use at location | [`loans`] |
//! | declared lost, aged to lost, claimed returned, and what that costs | [`lost_items`] |
//! | placing, changing, moving, reordering and filling requests; recalls; the hold shelf | [`requests`] |
//! | fees and fines: charging, paying, waiving, refunding; overdue fines | [`fees`] |
//! | what blocks a patron, and overriding it | [`blocks`] |
//! | opening hours and closed days | [`calendars`] |
//! | the circulation rules' language | [`rules`] |
//! | loan, request, fine and lost item policies, and which one applies | [`policies`] |
//! | patron notices and reminders | [`notices`] |
//! | staff slips | [`slips`] |
//! | the library's settings, as the rules read them | [`configuration`] |
//! | the stored records, as the rules read them | [`records`] |
//! | dates as they are read and printed | [`dates`] |
//! | a refusal in FOLIO's words | [`refusal`] |

pub mod blocks;
pub mod calendars;
pub mod check_in;
pub mod check_out;
pub mod configuration;
pub mod dates;
pub mod due_dates;
pub mod fees;
pub mod loans;
pub mod lost_items;
pub mod notices;
pub mod policies;
pub mod records;
pub mod refusal;
pub mod renewal;
pub mod requests;
pub mod rules;
pub mod slips;
mod text;

#[cfg(test)]
mod testing;
