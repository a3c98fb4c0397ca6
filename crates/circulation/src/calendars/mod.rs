//! When a service point is open: its calendars ([`opening_hours`], docs/folio/calendars.md#what-a-day-is), their validation
//! ([`validity`]), and the timetable that the closed-library strategies use ([`timetable`],
//! docs/folio/due-dates.md#closed-library-strategies).

pub(crate) mod closed_library;
pub(crate) mod opening_hours;
pub mod refusal;
pub(crate) mod timetable;
pub mod validity;

pub use opening_hours::{Calendar, Day, OpeningHours, Openings};
pub use timetable::{Place, Timetable};
