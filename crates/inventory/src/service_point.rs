//! The rules of a service point: a hold shelf needs an expiry period, and only a hold shelf has one
//! (docs/folio/locations-and-service-points.md#hold-shelf-expiry-period).

use refusals::Refused;

use crate::refusal::{EXPIRY_PERIOD_WITHOUT_PICKUP, NO_EXPIRY_PERIOD};

/// Checks that the service point has a hold shelf expiry period if and only if it is a pickup location. The refusal
/// contains its `name`.
pub(crate) fn check_hold_shelf(name: &str, pickup_location: bool, has_expiry_period: bool) -> Result<(), Refused> {
    let wording = match (pickup_location, has_expiry_period) {
        (true, false) => NO_EXPIRY_PERIOD,
        (false, true) => EXPIRY_PERIOD_WITHOUT_PICKUP,
        _ => return Ok(()),
    };
    Err(wording.with("name", name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expiry_period_goes_with_pickup() {
        assert!(check_hold_shelf("Desk", true, true).is_ok());
        assert!(check_hold_shelf("Desk", false, false).is_ok());
        for (pickup, period, wording) in [(true, false, NO_EXPIRY_PERIOD), (false, true, EXPIRY_PERIOD_WITHOUT_PICKUP)]
        {
            let refused = check_hold_shelf("Desk", pickup, period).unwrap_err();
            assert_eq!(refused, wording.with("name", "Desk").into());
        }
    }
}
