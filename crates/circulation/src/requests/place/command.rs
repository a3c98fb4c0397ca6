//! The request body for placing or changing a request.

use jiff::tz::TimeZone;
use refusals::Refusal;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::refusal::{FULFILMENT_NOT_ALLOWED, LEVEL_NOT_ALLOWED, STATUS_UNKNOWN};
use crate::{
    blocks::{Granted, Overrides},
    dates::{end_of_day_of, parse_date_time, stored},
    records::RequestStatus,
    refusal::{NOT_AN_OBJECT, not_an_id},
    requests::kind::RequestKind,
    text::text,
};

/// Members of a displayed request that are not stored, or that only the server sets.
const SHOWN_ONLY: [&str; 9] = [
    "item",
    "instance",
    "requester",
    "proxy",
    "loan",
    "pickupServicePoint",
    "deliveryAddress",
    "requestProcessingParameters",
    "metadata",
];

/// Fulfillment preferences.
const FULFILMENTS: [&str; 2] = ["Hold Shelf", "Delivery"];

/// A request, as sent by the client.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceCommand {
    /// The client's record, without display-only members.
    pub record: Map<String, Value>,
    /// The request ID, if the client chose one.
    pub id: Option<Uuid>,
    /// ID of the item, if the request names one.
    pub item_id: Option<Uuid>,
    /// ID of the instance.
    pub instance_id: Option<Uuid>,
    /// Holdings record ID as sent; the item's own holdings record replaces it.
    pub holdings_record_id: Option<String>,
    /// ID of the requester.
    pub requester_id: Option<Uuid>,
    /// ID of the proxy.
    pub proxy_user_id: Option<Uuid>,
    /// ID of the pickup service point.
    pub pickup_service_point_id: Option<Uuid>,
    /// The client works with items only: the instance is taken from the item.
    pub knows_items_only: bool,
    /// Blocks to override.
    pub overrides: Overrides,
    /// Blocks that the caller may override.
    pub granted: Granted,
}

impl PlaceCommand {
    /// Reads a request body.
    ///
    /// # Errors
    /// The first invalid member.
    pub fn read(body: Value, granted: Granted) -> Result<PlaceCommand, Refusal> {
        let Value::Object(mut record) = body else {
            return Err(NOT_AN_OBJECT.into());
        };
        let parameters = record.get("requestProcessingParameters").cloned();
        let overrides = Overrides::read(&parameters.unwrap_or_default()["overrideBlocks"]);
        let knows = |member: &str| record.contains_key(member);
        let knows_items_only =
            !["requestLevel", "holdingsRecordId", "instanceId"].into_iter().any(knows);
        SHOWN_ONLY.iter().for_each(|member| drop(record.shift_remove(*member)));
        if let Some(Value::Object(printed)) = record.get_mut("printDetails") {
            printed.shift_remove("lastPrintRequester");
        }
        settle_status(&mut record)?;
        let id = |member: &'static str| id_of(&record, member);
        Ok(PlaceCommand {
            // Storage rejects an invalid ID, after all other checks.
            id: id("id").unwrap_or_default(),
            item_id: id("itemId")?,
            instance_id: id("instanceId")?,
            holdings_record_id: text_of(&record, "holdingsRecordId"),
            requester_id: id("requesterId")?,
            proxy_user_id: id("proxyUserId")?,
            pickup_service_point_id: id("pickupServicePointId")?,
            knows_items_only,
            overrides,
            granted,
            record,
        })
    }

    /// Adapts the command for PUT: only POST accepts clients that know items only.
    #[must_use]
    pub fn put(self) -> PlaceCommand {
        PlaceCommand { knows_items_only: false, ..self }
    }

    /// The request type; `None` if FOLIO does not know it.
    pub fn kind(&self) -> Option<RequestKind> {
        RequestKind::named(self.text("requestType")?)
    }

    /// True for a title-level request.
    pub fn is_title_level(&self) -> bool {
        self.text("requestLevel") == Some("Title")
    }

    /// True for an item-level request.
    pub(crate) fn is_item_level(&self) -> bool {
        self.knows_items_only || self.text("requestLevel") == Some("Item")
    }

    /// True for pickup at the hold shelf.
    pub(crate) fn is_for_hold_shelf(&self) -> bool {
        self.text("fulfillmentPreference") == Some(FULFILMENTS[0])
    }

    /// True for a primary or intermediate request of a consortium; its item is chosen elsewhere.
    pub(crate) fn is_of_consortium(&self) -> bool {
        let phase = self.text("ecsRequestPhase");
        phase == Some("Primary") || phase == Some("Intermediate")
    }

    pub(crate) fn text(&self, member: &str) -> Option<&str> {
        self.record.get(member)?.as_str()
    }

    /// Checks level and fulfillment preference before everything else, one at a time.
    pub(crate) fn refuse_odd_values(&self, titles: bool) -> Result<(), Refusal> {
        let level = self.text("requestLevel");
        let known = self.is_item_level() || (titles && self.is_title_level());
        if !known {
            let allowed = match titles {
                true => "\"Item\", \"Title\"",
                false => "\"Item\"",
            };
            let refusal = LEVEL_NOT_ALLOWED.with("allowed", allowed);
            return Err(refusal.with("requestLevel", level));
        }
        let preference = self.text("fulfillmentPreference");
        match preference.is_some_and(|preference| FULFILMENTS.contains(&preference)) {
            true => Ok(()),
            false => Err(FULFILMENT_NOT_ALLOWED.with("fulfillmentPreference", preference)),
        }
    }

    /// Moves the expiration to the end of the day.
    pub(crate) fn fill_expiration(&self, record: &mut Map<String, Value>, zone: &TimeZone) {
        let expires = self
            .text("requestExpirationDate")
            .and_then(parse_date_time)
            .and_then(|moment| end_of_day_of(moment, zone));
        if let Some(expires) = expires {
            let expires = stored(expires).to_string();
            record.insert("requestExpirationDate".into(), expires.into());
        }
    }
}

/// Fills in the initial status if it is missing, and normalizes the case of a given status.
fn settle_status(record: &mut Map<String, Value>) -> Result<(), Refusal> {
    let Some(written) = record.get("status") else {
        record.insert("status".into(), RequestStatus::NotYetFilled.name().into());
        return Ok(());
    };
    let written = written.as_str().unwrap_or_default();
    let status = RequestStatus::ALL
        .into_iter()
        .find(|status| status.name().eq_ignore_ascii_case(written))
        .ok_or_else(status_unknown)?;
    record.insert("status".into(), status.name().into());
    Ok(())
}

/// Lists all statuses, in order.
fn status_unknown() -> Refusal {
    let names = RequestStatus::ALL.map(|status| format!("\"{}\"", status.name()));
    STATUS_UNKNOWN.with("statuses", names.join(", "))
}

fn text_of(record: &Map<String, Value>, member: &str) -> Option<String> {
    record.get(member)?.as_str().map(str::to_owned)
}

fn id_of(record: &Map<String, Value>, member: &'static str) -> Result<Option<Uuid>, Refusal> {
    let written = record.get(member).unwrap_or(&Value::Null);
    let id = text(written).map(|text| Uuid::try_parse(&text));
    id.transpose().map_err(|_| not_an_id(member))
}
