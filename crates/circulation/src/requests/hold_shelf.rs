//! How long an item stays on the hold shelf (docs/folio/check-in.md#the-hold-shelf).

use jiff::{Span, Timestamp};
use uuid::Uuid;

use crate::{
    calendars::closed_library::{Strategy, Surroundings, TimetableAbsent},
    configuration::{Configuration, ServicePoint},
    dates::{Moment, end_of_day_of},
    policies::Period,
};

/// When a request that is put on the shelf of `service_point` now expires; never, at a service point
/// without an expiry period.
pub(super) fn expiration(
    service_point: Uuid,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Option<Timestamp>, TimetableAbsent> {
    let Some(found) = configuration.service_point(Some(service_point)) else {
        return Ok(None);
    };
    let Some(period) = found.hold_shelf_expiry_period.as_ref() else {
        return Ok(None);
    };
    let zone = configuration.zone();
    let Some(date) = end_of_stay(period, configuration, now) else {
        return Ok(None);
    };
    let openings = configuration.openings_of(Some(service_point));
    let around = Surroundings::of(date, openings, zone);
    around.adjust(strategy(found, period), date, date).map(Some)
}

/// The period counted on the library's clock; days, weeks and months last to the end of their day.
fn end_of_stay(
    period: &Period,
    configuration: &Configuration,
    now: Timestamp,
) -> Option<Timestamp> {
    let zone = configuration.zone();
    let span: Span = period.span().ok()?;
    let local = Moment::utc(now).zoned().with_time_zone(zone.clone());
    let end = local.checked_add(span).ok()?.timestamp();
    match period.is_short() {
        true => Some(end),
        false => end_of_day_of(end, zone),
    }
}

fn strategy(service_point: &ServicePoint, period: &Period) -> Strategy {
    let name = service_point
        .hold_shelf_closed_library_date_management
        .as_deref();
    match Strategy::of_hold_shelf(name, period.clock_time()) {
        // A stay of minutes or hours does not last to the end of the day.
        Strategy::EndOfSameDay if period.is_short() => Strategy::Unchanged,
        strategy => strategy,
    }
}
