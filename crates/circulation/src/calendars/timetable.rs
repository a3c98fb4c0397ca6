//! The openings around a day as points in time, and the gaps between them.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::Day;

/// A half-open interval of time: the end is excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// The first moment in the interval.
    pub start: Timestamp,
    /// The first moment after the interval.
    pub end: Timestamp,
}

/// Openings in chronological order; adjoining openings are merged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timetable {
    openings: Vec<Interval>,
}

/// The position of a moment in a timetable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Within the opening at this index.
    Open(usize),
    /// Between the opening at this index and the next one.
    Gap(usize),
    /// Before the first or after the last opening.
    Outside,
}

impl Timetable {
    /// The timetable of these days in a time zone.
    pub fn new(days: &[Day], zone: &TimeZone) -> Timetable {
        let mut openings: Vec<Interval> = Vec::new();
        for opening in days.iter().flat_map(|day| intervals(day, zone)) {
            match openings.last_mut() {
                Some(last) if last.end >= opening.start => last.end = last.end.max(opening.end),
                _ => openings.push(opening),
            }
        }
        Timetable { openings }
    }

    /// The position of a moment.
    pub fn place(&self, moment: Timestamp) -> Place {
        let begun = self.openings.partition_point(|o| o.start <= moment);
        match begun.checked_sub(1) {
            Some(index) if moment < self.openings[index].end => Place::Open(index),
            Some(index) if begun < self.openings.len() => Place::Gap(index),
            _ => Place::Outside,
        }
    }

    /// The opening at this index.
    pub(crate) fn opening(&self, index: usize) -> Option<Interval> {
        self.openings.get(index).copied()
    }

    /// The first opening.
    pub fn first(&self) -> Option<Interval> {
        self.openings.first().copied()
    }

    /// The last opening.
    pub fn last(&self) -> Option<Interval> {
        self.openings.last().copied()
    }
}

fn intervals<'d>(day: &'d Day, zone: &'d TimeZone) -> impl Iterator<Item = Interval> + 'd {
    let whole_day = (day.open && day.all_day).then(|| whole_day(day.date, zone));
    let hours = day.openings.iter().filter(|_| !day.all_day).map(|hours| {
        let moment = |time| zone.to_timestamp(day.date.to_datetime(time)).ok();
        Some(Interval { start: moment(hours.start)?, end: moment(hours.end)? })
    });
    whole_day.into_iter().chain(hours).flatten().filter(|i| i.start < i.end)
}

/// From midnight to midnight, which a clock change makes longer or shorter.
fn whole_day(date: Date, zone: &TimeZone) -> Option<Interval> {
    let midnight = |date: Date| zone.to_timestamp(date.at(0, 0, 0, 0)).ok();
    Some(Interval { start: midnight(date)?, end: midnight(date.tomorrow().ok()?)? })
}
