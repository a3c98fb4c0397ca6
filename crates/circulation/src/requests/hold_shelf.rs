//! How long an item stays on the hold shelf (docs/folio/check-in.md#the-hold-shelf).

use jiff::{Span, Timestamp};
use refusals::Wording;
use uuid::Uuid;

use crate::{
    calendars::closed_library::{Strategy, Surroundings},
    configuration::{Configuration, ServicePoint},
    dates::{Moment, end_of_day_of},
    policies::Period,
};

/// When a request placed on the hold shelf of `service_point` now expires; `None` if the service point has no expiry
/// period.
pub(super) fn expiration(
    service_point: Uuid,
    configuration: &Configuration,
    now: Timestamp,
) -> Result<Option<Timestamp>, &'static Wording> {
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

/// Adds the period in the library's time zone; days, weeks and months last until the end of the day.
fn end_of_stay(period: &Period, configuration: &Configuration, now: Timestamp) -> Option<Timestamp> {
    let zone = configuration.zone();
    let span: Span = period.span_from_zero().ok()?;
    let local = Moment::utc(now).zoned().with_time_zone(zone.clone());
    let end = local.checked_add(span).ok()?.timestamp();
    match period.is_short() {
        true => Some(end),
        false => end_of_day_of(end, zone),
    }
}

fn strategy(service_point: &ServicePoint, period: &Period) -> Strategy {
    let name = service_point.hold_shelf_closed_library_date_management.as_deref();
    match Strategy::of_hold_shelf(name, period.clock_time()) {
        // Periods in minutes or hours are not extended to the end of the day.
        Strategy::EndOfSameDay if period.is_short() => Strategy::Unchanged,
        strategy => strategy,
    }
}
