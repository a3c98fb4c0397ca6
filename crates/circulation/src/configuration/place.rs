//! Locations and service points as the desk knows them.

use serde::Deserialize;
use uuid::Uuid;

use crate::policies::Period;

/// A location, with the names of what it is part of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Location {
    /// Id.
    pub id: Uuid,
    /// Name.
    pub name: String,
    /// Code.
    pub code: Option<String>,
    /// Name for patrons.
    pub discovery_display_name: Option<String>,
    /// Institution.
    pub institution_id: Uuid,
    /// Campus.
    pub campus_id: Uuid,
    /// Library.
    pub library_id: Uuid,
    /// The service point that items go to.
    pub primary_service_point: Option<Uuid>,
    /// Every service point that serves it.
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
    /// True when items of this location are at home at the service point.
    pub fn is_served_by(&self, service_point: Uuid) -> bool {
        self.primary_service_point == Some(service_point)
            || self.service_point_ids.contains(&service_point)
    }

    /// True when the code is that of the location, or of the library, campus or institution it is part of.
    pub fn is_at(&self, code: &str) -> bool {
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
    /// Name for patrons.
    pub discovery_display_name: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Minutes from check-in to shelf.
    pub shelving_lag_time: Option<i64>,
    /// Patrons can fetch items here.
    pub pickup_location: Option<bool>,
    /// How long items are kept on the hold shelf.
    pub hold_shelf_expiry_period: Option<Period>,
    /// What happens when that ends in closed time.
    pub hold_shelf_closed_library_date_management: Option<String>,
}
