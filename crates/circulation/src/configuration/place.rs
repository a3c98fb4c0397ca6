//! Locations and service points.

use serde::Deserialize;
use uuid::Uuid;

use crate::policies::Period;

/// A location, with the names of its institution, campus and library.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Location {
    /// Id.
    pub id: Uuid,
    /// Name.
    pub name: String,
    /// Code.
    pub code: Option<String>,
    /// Name shown to patrons.
    pub discovery_display_name: Option<String>,
    /// Id of the institution.
    pub institution_id: Uuid,
    /// Id of the campus.
    pub campus_id: Uuid,
    /// Id of the library.
    pub library_id: Uuid,
    /// The service point to which its items return.
    pub primary_service_point: Option<Uuid>,
    /// All service points that serve it.
    pub service_point_ids: Vec<Uuid>,
    /// Name of the institution.
    #[serde(skip)]
    pub institution_name: Option<String>,
    /// Name of the campus.
    #[serde(skip)]
    pub campus_name: Option<String>,
    /// Name of the library.
    #[serde(skip)]
    pub library_name: Option<String>,
    /// Codes of the library, the campus and the institution.
    #[serde(skip)]
    pub codes_of_parts: Vec<String>,
}

impl Location {
    /// Whether the service point serves this location, so that its items belong there.
    pub(crate) fn is_served_by(&self, service_point: Uuid) -> bool {
        self.primary_service_point == Some(service_point) || self.service_point_ids.contains(&service_point)
    }

    /// Whether this is the code of the location or of its library, campus or institution.
    pub(crate) fn is_at(&self, code: &str) -> bool {
        let codes = self.code.iter().chain(&self.codes_of_parts);
        codes.into_iter().any(|known| known == code)
    }
}

/// A service point.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ServicePoint {
    /// Id.
    pub id: Uuid,
    /// Name.
    pub name: String,
    /// Code.
    pub code: Option<String>,
    /// Name shown to patrons.
    pub discovery_display_name: Option<String>,
    /// Description.
    pub description: Option<String>,
    /// Minutes from check-in until the item is on the shelf.
    pub shelving_lag_time: Option<i64>,
    /// Whether patrons can pick up items here.
    pub pickup_location: Option<bool>,
    /// Whether requests of other libraries come through it.
    pub ecs_request_routing: bool,
    /// How long items stay on the hold shelf.
    pub hold_shelf_expiry_period: Option<Period>,
    /// The closed-library strategy for the end of that period.
    pub hold_shelf_closed_library_date_management: Option<String>,
}
