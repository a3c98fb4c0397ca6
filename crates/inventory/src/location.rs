//! The rules of a location: which service points serve it
//! (docs/folio/locations-and-service-points.md#service-points-of-a-location).

use std::collections::HashSet;

use store::collection::Fault;

/// Checks the service points of a location; `primary` is its primary service point.
///
/// FOLIO reports the first rule that is broken, in this order.
pub fn check_service_points(service_points: &[&str], primary: Option<&str>) -> Result<(), Fault> {
    if service_points.is_empty() {
        let message = "A location must have at least one Service Point assigned.";
        return Err(Fault::of(message, "servicePointIds", None));
    }
    let mut seen = HashSet::new();
    if !service_points
        .iter()
        .all(|id| seen.insert(id.to_ascii_lowercase()))
    {
        let message = "A Service Point can only appear once on a Location.";
        return Err(Fault::of(message, "servicePointIds", None));
    }
    match primary {
        Some(id) if !seen.contains(&id.to_ascii_lowercase()) => {
            let message = "A Location's Primary Service point must be included as a Service Point.";
            Err(Fault::of(message, "primaryServicePoint", None))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_needs_distinct_service_points_and_its_primary_among_them() {
        let table: &[(&[&str], Option<&str>, Option<&str>)] = &[
            (&["a"], Some("a"), None),
            (&["a", "b"], Some("B"), None),
            (&["a"], None, None),
            (&[], Some("a"), Some("servicePointIds")),
            (&["a", "A"], Some("a"), Some("servicePointIds")),
            (&["a"], Some("b"), Some("primaryServicePoint")),
        ];
        for (service_points, primary, refused) in table {
            let answer = check_service_points(service_points, *primary);
            assert_eq!(
                answer
                    .err()
                    .map(|fault| fault.parameters[0].0.clone())
                    .as_deref(),
                *refused,
                "{service_points:?} {primary:?}"
            );
        }
    }
}
