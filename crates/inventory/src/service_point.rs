//! The rules of a service point: a hold shelf needs an expiry period, and only a hold shelf has one
//! (docs/folio/locations-and-service-points.md#hold-shelf-expiry-period).

use store::collection::Fault;

/// What happens to an expiry date on which the library is closed, when the record does not say.
pub const DEFAULT_CLOSED_DATE_MANAGEMENT: &str = "Keep_the_current_due_date";

/// Checks that the hold shelf expiry period goes with pickup; `name` is the service point's, named in the refusal.
pub fn check_hold_shelf(
    name: &str,
    pickup_location: bool,
    has_expiry_period: bool,
) -> Result<(), Fault> {
    let message = match (pickup_location, has_expiry_period) {
        (true, false) => {
            "Hold shelf expiry period must be specified when service point can be used for pickup."
        }
        (false, true) => {
            "Hold shelf expiry period cannot be specified when service point cannot be used for pickup"
        }
        _ => return Ok(()),
    };
    Err(Fault::of(message, "name", Some(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expiry_period_goes_with_pickup() {
        assert!(check_hold_shelf("Desk", true, true).is_ok());
        assert!(check_hold_shelf("Desk", false, false).is_ok());
        let missing = check_hold_shelf("Desk", true, false).unwrap_err();
        assert_eq!(
            missing.parameters,
            [("name".to_owned(), Some("Desk".to_owned()))]
        );
        assert!(
            missing
                .message
                .starts_with("Hold shelf expiry period must be")
        );
        assert!(
            check_hold_shelf("Desk", false, true)
                .unwrap_err()
                .message
                .ends_with("cannot be used for pickup")
        );
    }
}
