//! What a client asks for: the body of a check-in.

use serde_json::Value;
use uuid::Uuid;

use super::CheckInRefusal;
use crate::{dates::Moment, text::text};

/// A check-in, as asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckInCommand {
    /// Barcode of the item.
    pub item_barcode: String,
    /// Where it happens.
    pub service_point_id: Uuid,
    /// When the item came back.
    pub check_in_date: Moment,
    /// What became of the patron's claim to have returned it.
    pub resolution: Option<Resolution>,
    /// The check-in session, as the client calls it.
    pub session_id: Option<String>,
    /// Who is at the desk.
    pub operator: Uuid,
}

/// How a patron's claim to have returned an item ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// It was on the shelf.
    FoundByLibrary,
    /// The patron brought it.
    ReturnedByPatron,
}

impl CheckInCommand {
    /// Reads the body of a request made by `operator`.
    ///
    /// # Errors
    /// The first thing that is missing or wrong.
    pub fn read(body: &Value, operator: Option<Uuid>) -> Result<CheckInCommand, CheckInRefusal> {
        let operator = operator.ok_or(CheckInRefusal::NoOperator)?;
        let item_barcode = text(&body["itemBarcode"]).ok_or(CheckInRefusal::NoItemBarcode)?;
        let service_point = text(&body["servicePointId"]);
        let service_point_id = service_point
            .and_then(|id| Uuid::try_parse(&id).ok())
            .ok_or(CheckInRefusal::NoServicePoint)?;
        let check_in_date = text(&body["checkInDate"])
            .and_then(|date| Moment::parse(&date))
            .ok_or(CheckInRefusal::NoDate)?;
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

fn resolution(value: &Value) -> Result<Option<Resolution>, CheckInRefusal> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) if text == "Found by library" => Ok(Some(Resolution::FoundByLibrary)),
        Value::String(text) if text == "Returned by patron" => {
            Ok(Some(Resolution::ReturnedByPatron))
        }
        Value::String(text) => Err(CheckInRefusal::UnknownResolution(text.clone())),
        other => Err(CheckInRefusal::UnknownResolution(other.to_string())),
    }
}
