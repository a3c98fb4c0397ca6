//! The body of a check-in request.

use refusals::Refusal;
use serde_json::Value;
use uuid::Uuid;

use super::refusal::{NO_DATE, NO_ITEM_BARCODE, NO_OPERATOR, NO_SERVICE_POINT, RESOLUTION_UNKNOWN};
use crate::{dates::Moment, text::text};

/// A requested check-in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckInCommand {
    /// Barcode of the item.
    pub item_barcode: String,
    /// The service point of the check-in.
    pub service_point_id: Uuid,
    /// The time of the return.
    pub check_in_date: Moment,
    /// How a claim that the item was returned is resolved; absent when the client sends none.
    pub resolution: Option<Resolution>,
    /// The client's id for the check-in session.
    pub session_id: Option<String>,
    /// The staff user who checks the item in.
    pub operator: Uuid,
}

/// The resolution of a patron's claim to have returned an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// The library found the item on its shelves.
    FoundByLibrary,
    /// The patron returned the item.
    ReturnedByPatron,
}

impl CheckInCommand {
    /// Reads the body of a request made by `operator`.
    ///
    /// # Errors
    /// The first missing or invalid property.
    pub fn read(body: &Value, operator: Option<Uuid>) -> Result<CheckInCommand, Refusal> {
        let operator = operator.ok_or(NO_OPERATOR)?;
        let item_barcode = text(&body["itemBarcode"]).ok_or(NO_ITEM_BARCODE)?;
        let service_point = text(&body["servicePointId"]);
        let service_point_id = service_point.and_then(|id| Uuid::try_parse(&id).ok()).ok_or(NO_SERVICE_POINT)?;
        let check_in_date = text(&body["checkInDate"]).and_then(|date| Moment::parse(&date)).ok_or(NO_DATE)?;
        Ok(CheckInCommand {
            item_barcode,
            service_point_id,
            check_in_date,
            resolution: resolution(&body["claimedReturnedResolution"])?,
            session_id: text(&body["sessionId"]),
            operator,
        })
    }
}

fn resolution(value: &Value) -> Result<Option<Resolution>, Refusal> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text == "Found by library" => Ok(Some(Resolution::FoundByLibrary)),
        Value::String(text) if text == "Returned by patron" => Ok(Some(Resolution::ReturnedByPatron)),
        Value::String(text) => Err(unknown_resolution(text)),
        other => Err(unknown_resolution(&other.to_string())),
    }
}

fn unknown_resolution(text: &str) -> Refusal {
    RESOLUTION_UNKNOWN.with("claimedReturnedResolution", text)
}
