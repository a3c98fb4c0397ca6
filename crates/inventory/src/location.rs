//! Which service points serve a location (docs/folio/locations-and-service-points.md#service-points-of-a-location).

use std::collections::HashSet;

use refusals::Refused;

use crate::refusal::{NO_SERVICE_POINTS, PRIMARY_SERVICE_POINT_NOT_LISTED, SERVICE_POINT_TWICE};

/// Checks the service points of a location and its `primary` one.
///
/// Reports the first violation in FOLIO's order.
pub(crate) fn check_service_points(service_points: &[&str], primary: Option<&str>) -> Result<(), Refused> {
    if service_points.is_empty() {
        return Err(NO_SERVICE_POINTS.into());
    }
    let mut seen = HashSet::new();
    if !service_points.iter().all(|id| seen.insert(id.to_ascii_lowercase())) {
        return Err(SERVICE_POINT_TWICE.into());
    }
    match primary {
        Some(id) if !seen.contains(&id.to_ascii_lowercase()) => Err(PRIMARY_SERVICE_POINT_NOT_LISTED.into()),
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
                answer.err().map(|refused| refused.entries()[0].parameters[0].0.clone()).as_deref(),
                *refused,
                "{service_points:?} {primary:?}"
            );
        }
    }
}
