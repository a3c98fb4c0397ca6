//! When a service point is open: its calendars ([`days`], docs/folio/calendars.md#what-a-day-is) and the timetable that
//! the closed-library strategies look at ([`timetable`], docs/folio/due-dates.md#closed-library-strategies);
//! [`validity`] says which calendars make sense.

pub mod closed_library;
pub mod days;
pub mod timetable;
pub mod validity;

pub use days::{Calendar, Day, OpeningHours, Openings};
pub use timetable::{Place, Timetable};
