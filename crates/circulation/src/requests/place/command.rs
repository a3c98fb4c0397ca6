//! The request body for placing or changing a request.

use refusals::Refusal;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::refusal::{FULFILMENT_NOT_ALLOWED, LEVEL_NOT_ALLOWED, STATUS_UNKNOWN};
use crate::{
    blocks::{Granted, Overrides},
    records::{Request, RequestStatus},
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
    pub request: Request,
    /// The request ID, if the client chose one.
    pub id: Option<Uuid>,
    /// ID of the item, if the request names one.
    pub item_id: Option<Uuid>,
    /// ID of the instance.
    pub instance_id: Option<Uuid>,
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
        let mut request = Request::new(record);
        settle_status(&mut request)?;
        let id = |member: &'static str| id_of(request.record(), member);
        Ok(PlaceCommand {
            // Storage rejects an invalid ID, after all other checks.
            id: id("id").unwrap_or_default(),
            item_id: id("itemId")?,
            instance_id: id("instanceId")?,
            requester_id: id("requesterId")?,
            proxy_user_id: id("proxyUserId")?,
            pickup_service_point_id: id("pickupServicePointId")?,
            knows_items_only,
            overrides,
            granted,
            request,
        })
    }

    /// Adapts the command for PUT: only POST accepts clients that know items only.
    #[must_use]
    pub fn put(self) -> PlaceCommand {
        PlaceCommand { knows_items_only: false, ..self }
    }

    /// The request type; `None` if FOLIO does not know it.
    pub fn kind(&self) -> Option<RequestKind> {
        RequestKind::named(self.request.kind()?)
    }

    /// True for a title-level request.
    pub fn is_title_level(&self) -> bool {
        self.request.is_title_level()
    }

    /// True for an item-level request.
    pub(crate) fn is_item_level(&self) -> bool {
        self.knows_items_only || self.request.level() == Some("Item")
    }

    /// True for pickup at the hold shelf.
    pub(crate) fn is_for_hold_shelf(&self) -> bool {
        self.request.fulfillment_preference() == Some(FULFILMENTS[0])
    }

    /// True for a primary or intermediate request of a consortium; its item is chosen elsewhere.
    pub(crate) fn is_of_consortium(&self) -> bool {
        matches!(self.request.ecs_phase(), Some("Primary" | "Intermediate"))
    }

    /// Checks level and fulfillment preference before everything else, one at a time.
    pub(crate) fn refuse_odd_values(&self, titles: bool) -> Result<(), Refusal> {
        let level = self.request.level();
        let known = self.is_item_level() || (titles && self.is_title_level());
        if !known {
            let allowed = match titles {
                true => "\"Item\", \"Title\"",
                false => "\"Item\"",
            };
            let refusal = LEVEL_NOT_ALLOWED.with("allowed", allowed);
            return Err(refusal.with("requestLevel", level));
        }
        let preference = self.request.fulfillment_preference();
        match preference.is_some_and(|preference| FULFILMENTS.contains(&preference)) {
            true => Ok(()),
            false => Err(FULFILMENT_NOT_ALLOWED.with("fulfillmentPreference", preference)),
        }
    }
}

/// Fills in the initial status if it is missing, and normalizes the case of a given status.
fn settle_status(request: &mut Request) -> Result<(), Refusal> {
    let status = match request.record().contains_key("status") {
        false => RequestStatus::NotYetFilled,
        true => {
            let written = request.status_text().unwrap_or_default();
            let mut known = RequestStatus::ALL.iter().copied();
            let named = known.find(|status| status.name().eq_ignore_ascii_case(written));
            named.ok_or_else(status_unknown)?
        }
    };
    request.set_status(status);
    Ok(())
}

/// Lists all statuses, in order.
fn status_unknown() -> Refusal {
    let names = RequestStatus::ALL.iter().map(|status| format!("\"{status}\""));
    let names: Vec<_> = names.collect();
    STATUS_UNKNOWN.with("statuses", names.join(", "))
}

fn id_of(record: &Map<String, Value>, member: &'static str) -> Result<Option<Uuid>, Refusal> {
    let written = record.get(member).unwrap_or(&Value::Null);
    let id = text(written).map(|text| Uuid::try_parse(&text));
    id.transpose().map_err(|_| not_an_id(member))
}
