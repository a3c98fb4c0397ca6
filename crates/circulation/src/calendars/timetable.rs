//! The openings around a day as moments in time, with the gaps between them.

use jiff::{Timestamp, civil::Date, tz::TimeZone};

use super::Day;

/// From an opening's start to (not including) its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval {
    /// First moment.
    pub start: Timestamp,
    /// First moment after.
    pub end: Timestamp,
}

/// Openings in order of time; openings that touch are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Timetable {
    openings: Vec<Interval>,
}

/// Where a moment is in a timetable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Inside the opening with this index.
    Open(usize),
    /// After the opening with this index and before the next one.
    Gap(usize),
    /// Before the first opening or after the last one.
    Outside,
}

impl Timetable {
    /// The timetable of some days in a time zone.
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

    /// Where the moment is.
    pub fn place(&self, moment: Timestamp) -> Place {
        let begun = self.openings.partition_point(|o| o.start <= moment);
        match begun.checked_sub(1) {
            Some(index) if moment < self.openings[index].end => Place::Open(index),
            Some(index) if begun < self.openings.len() => Place::Gap(index),
            _ => Place::Outside,
        }
    }

    /// The opening with this index.
    pub fn opening(&self, index: usize) -> Option<Interval> {
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
        Some(Interval {
            start: moment(hours.start)?,
            end: moment(hours.end)?,
        })
    });
    whole_day
        .into_iter()
        .chain(hours)
        .flatten()
        .filter(|i| i.start < i.end)
}

/// From midnight to midnight, however long that is on this date.
fn whole_day(date: Date, zone: &TimeZone) -> Option<Interval> {
    let midnight = |date: Date| zone.to_timestamp(date.at(0, 0, 0, 0)).ok();
    Some(Interval {
        start: midnight(date)?,
        end: midnight(date.tomorrow().ok()?)?,
    })
}
