//! When a service point is open: its calendars ([`days`], contract §7.6) and the timetable that the
//! closed-library strategies look at ([`timetable`], §2.4).

pub mod days;
pub mod timetable;

pub use days::{Calendar, Day, OpeningHours, Openings};
pub use timetable::{Place, Timetable};
