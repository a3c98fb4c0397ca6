//! When a service point is open: its calendars ([`days`], contract §7.6) and the timetable that the
//! closed-library strategies look at ([`timetable`], §2.4); [`validity`] says which calendars make sense.

pub mod days;
pub mod timetable;
pub mod validity;

pub use days::{Calendar, Day, OpeningHours, Openings};
pub use timetable::{Place, Timetable};
