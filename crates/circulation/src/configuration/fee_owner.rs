//! The owners of fees and fines, and their service points.

use serde::Deserialize;
use uuid::Uuid;

use super::Configuration;

/// A fee/fine owner.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct FeeOwner {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub owner: String,
    /// The service points for which the owner charges.
    pub service_point_owner: Vec<OwnedServicePoint>,
}

/// A fee/fine owner's service point.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct OwnedServicePoint {
    /// The id of the service point.
    pub value: Uuid,
}

impl Configuration {
    /// The owner of fees for items at a location: the first owner assigned to its primary service point.
    pub(crate) fn fee_owner_at(&self, location: Option<Uuid>) -> Option<&FeeOwner> {
        let point = self.location(location)?.primary_service_point?;
        let owns = |owner: &&FeeOwner| {
            let mut points = owner.service_point_owner.iter();
            points.any(|owned| owned.value == point)
        };
        self.fee_owners.iter().find(owns)
    }
}
