//! Who charges fees and fines, and where.

use serde::Deserialize;
use uuid::Uuid;

use super::Configuration;

/// Who charges fees and fines.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FeeOwner {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub owner: String,
    /// The service points it charges for.
    pub service_point_owner: Vec<OwnedServicePoint>,
}

/// A service point of an owner.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct OwnedServicePoint {
    /// Its id.
    pub value: Uuid,
}

impl Configuration {
    /// Who charges for items of a location: the first owner of its primary service point.
    pub fn fee_owner_at(&self, location: Option<Uuid>) -> Option<&FeeOwner> {
        let point = self.location(location)?.primary_service_point?;
        let owns = |owner: &&FeeOwner| {
            let mut points = owner.service_point_owner.iter();
            points.any(|owned| owned.value == point)
        };
        self.fee_owners.iter().find(owns)
    }
}
