//! Closed-library date management: the strategies that move a date out of closed time, for loan policies
//! (docs/folio/due-dates.md#closed-library-strategies) and hold shelves (docs/folio/check-in.md#the-hold-shelf).

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use refusals::Wording;

use crate::{
    calendars::{Day, Openings, Place, Timetable},
    dates::{end_of_day, end_of_day_of, local_date},
    refusal::TIMETABLE_ABSENT,
};

/// How to move a date or time at which the service point is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// To the end of the same day.
    EndOfSameDay,
    /// Keeps the date.
    Unchanged,
    /// To the end of the day if open, else of the previous open day.
    EndOfPreviousOpenDay,
    /// To the end of the day if open, else of the next open day.
    EndOfNextOpenDay,
    /// To the end of the opening in which the loan began.
    EndOfCurrentHours,
    /// To this long after the next opening begins.
    BeginningOfNextHours(SignedDuration),
}

impl Strategy {
    /// The strategy for a loan policy's `closedLibraryDueDateManagementId`; the end of the same day if the id is
    /// unknown or missing.
    pub(crate) fn of_loan_policy(id: Option<&str>, offset: SignedDuration) -> Strategy {
        match id.unwrap_or_default() {
            "CURRENT_DUE_DATE_TIME" => Strategy::Unchanged,
            "END_OF_THE_PREVIOUS_OPEN_DAY" => Strategy::EndOfPreviousOpenDay,
            "END_OF_THE_NEXT_OPEN_DAY" => Strategy::EndOfNextOpenDay,
            "END_OF_THE_CURRENT_SERVICE_POINT_HOURS" => Strategy::EndOfCurrentHours,
            "BEGINNING_OF_THE_NEXT_OPEN_SERVICE_POINT_HOURS" => Strategy::BeginningOfNextHours(offset),
            _ => Strategy::EndOfSameDay,
        }
    }

    /// The strategy for a service point's `holdShelfClosedLibraryDateManagement`.
    pub(crate) fn of_hold_shelf(name: Option<&str>, period: SignedDuration) -> Strategy {
        match name.unwrap_or_default().to_ascii_lowercase().as_str() {
            "keep_the_current_due_date_time" => Strategy::Unchanged,
            "move_to_the_end_of_the_previous_open_day" => Strategy::EndOfPreviousOpenDay,
            "move_to_the_end_of_the_next_open_day" => Strategy::EndOfNextOpenDay,
            "move_to_end_of_current_service_point_hours" => Strategy::EndOfCurrentHours,
            "move_to_beginning_of_next_open_service_point_hours" => Strategy::BeginningOfNextHours(period),
            _ => Strategy::EndOfSameDay,
        }
    }
}

/// A service point's openings around a date.
#[derive(Debug, Clone)]
pub struct Surroundings<'a> {
    days: [Day; 3],
    zone: &'a TimeZone,
}

impl<'a> Surroundings<'a> {
    /// The openings around the local date of `moment`.
    pub fn of(moment: Timestamp, openings: &Openings, zone: &'a TimeZone) -> Surroundings<'a> {
        let days = openings.surrounding(local_date(moment, zone));
        Surroundings { days, zone }
    }

    /// The last open day before the date, its day, and the first open day after it.
    pub(crate) fn days(&self) -> &[Day; 3] {
        &self.days
    }

    /// Moves `date` out of closed time. `begun` is the start of the loan or of the wait on the hold shelf.
    ///
    /// # Errors
    /// [`TIMETABLE_ABSENT`] when the calendars lack the openings that the strategy needs.
    pub(crate) fn adjust(
        &self,
        strategy: Strategy,
        date: Timestamp,
        begun: Timestamp,
    ) -> Result<Timestamp, &'static Wording> {
        let [previous, _, next] = &self.days;
        match strategy {
            Strategy::Unchanged => Ok(date),
            Strategy::EndOfSameDay => end_of_day_of(date, self.zone).ok_or(TIMETABLE_ABSENT),
            Strategy::EndOfPreviousOpenDay => self.end_of_open_day(date, previous),
            Strategy::EndOfNextOpenDay => self.end_of_open_day(date, next),
            Strategy::EndOfCurrentHours => {
                self.out_of_gap(date, |table, gap| end_of_current_hours(table, gap, begun, self.zone))
            }
            Strategy::BeginningOfNextHours(offset) => {
                self.out_of_gap(date, |table, gap| after_next_opening(table, gap, offset))
            }
        }
    }

    /// The end of the last open day before this date.
    ///
    /// # Errors
    /// [`TIMETABLE_ABSENT`] when the calendars have none.
    pub(crate) fn end_of_previous_open_day(&self) -> Result<Timestamp, &'static Wording> {
        let [previous, ..] = &self.days;
        self.end_of(previous)
    }

    /// The end of the last opening before `moment`.
    ///
    /// # Errors
    /// [`TIMETABLE_ABSENT`] when there is none, or `moment` is not between known openings.
    pub(crate) fn end_of_previous_opening(&self, moment: Timestamp) -> Result<Timestamp, &'static Wording> {
        let table = Timetable::new(&self.days, self.zone);
        let index = match table.place(moment) {
            Place::Open(index) => index.checked_sub(1),
            Place::Gap(index) => Some(index),
            Place::Outside => None,
        };
        index.and_then(|index| table.opening(index)).map(|opening| opening.end).ok_or(TIMETABLE_ABSENT)
    }

    fn end_of_open_day(&self, date: Timestamp, other: &Day) -> Result<Timestamp, &'static Wording> {
        let [_, day, _] = &self.days;
        if day.open {
            return end_of_day_of(date, self.zone).ok_or(TIMETABLE_ABSENT);
        }
        self.end_of(other)
    }

    fn end_of(&self, day: &Day) -> Result<Timestamp, &'static Wording> {
        let end = day.open.then(|| end_of_day(day.date, self.zone)).flatten();
        end.ok_or(TIMETABLE_ABSENT)
    }

    /// Moves a date that lies between openings; a date within an opening stays.
    fn out_of_gap(
        &self,
        date: Timestamp,
        move_out: impl FnOnce(&Timetable, usize) -> Option<Timestamp>,
    ) -> Result<Timestamp, &'static Wording> {
        let table = Timetable::new(&self.days, self.zone);
        match table.place(date) {
            Place::Open(_) => Ok(date),
            Place::Gap(gap) => move_out(&table, gap).ok_or(TIMETABLE_ABSENT),
            Place::Outside => Err(TIMETABLE_ABSENT),
        }
    }
}

/// The end of the opening in which the loan began, or of the next one if it began in a gap. If the library was open
/// over midnight until the date, the end of the opening before the date.
fn end_of_current_hours(table: &Timetable, gap: usize, begun: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
    let current = match table.place(begun) {
        Place::Open(index) => index,
        Place::Gap(index) => index + 1,
        Place::Outside => return None,
    };
    let opening = match open_over_midnight(table, gap, zone) {
        true => gap,
        false => current,
    };
    Some(table.opening(opening)?.end)
}

/// Whether the first opening lasts to the last minute of its day and the opening before the gap begins at the following
/// midnight: a single opening that the calendar stores as two.
fn open_over_midnight(table: &Timetable, gap: usize, zone: &TimeZone) -> bool {
    let (Some(first), Some(before)) = (table.first(), table.opening(gap)) else {
        return false;
    };
    let (evening, morning) = (zone.to_datetime(first.end), zone.to_datetime(before.start));
    let days_apart = (morning.date() - evening.date()).get_days().abs();
    let at = |time: jiff::civil::Time| (time.hour(), time.minute());
    days_apart <= 1 && at(evening.time()) == (23, 59) && at(morning.time()) == (0, 0)
}

/// `offset` after the next opening begins; if that falls into a gap, the end of the opening before it.
fn after_next_opening(table: &Timetable, gap: usize, offset: SignedDuration) -> Option<Timestamp> {
    let next = table.opening(gap + 1)?;
    let moment = next.start.checked_add(offset).ok()?;
    match table.place(moment) {
        Place::Open(_) => Some(moment),
        Place::Gap(index) => Some(table.opening(index)?.end),
        Place::Outside => Some(table.last()?.end),
    }
}
