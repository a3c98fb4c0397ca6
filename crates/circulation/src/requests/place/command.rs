//! What a client asks for: the body of a request.

use jiff::tz::TimeZone;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::PlaceRefusal;
use crate::{
    blocks::{Granted, Overrides},
    dates::{end_of_day_of, parse_date_time, stored},
    records::RequestStatus,
    requests::kind::RequestKind,
    text::text,
};

/// Members of a request as circulation shows it that are not kept with it, or that the server sets.
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

/// How a request is filled.
const FULFILMENTS: [&str; 2] = ["Hold Shelf", "Delivery"];

/// A request, as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceCommand {
    /// The record as the client wrote it, without what only stands beside it.
    pub record: Map<String, Value>,
    /// The request's id, when the client has chosen one.
    pub id: Option<Uuid>,
    /// The item.
    pub item_id: Option<Uuid>,
    /// The title.
    pub instance_id: Option<Uuid>,
    /// The holdings of the item, as written: those of the item take their place.
    pub holdings_record_id: Option<String>,
    /// Who asks.
    pub requester_id: Option<Uuid>,
    /// Who acts for them.
    pub proxy_user_id: Option<Uuid>,
    /// Where the item is to be fetched.
    pub pickup_service_point_id: Option<Uuid>,
    /// The client knows items only: the title is that of the item.
    pub knows_items_only: bool,
    /// Blocks that are to be overridden.
    pub overrides: Overrides,
    /// Blocks that the caller may override.
    pub granted: Granted,
}

/// A body that no request can be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// Not an object.
    NotAnObject,
    /// Not an id.
    Id(&'static str),
    /// Not a status of a request.
    Status,
}

impl Unreadable {
    /// FOLIO's text of the 400 for an unknown status: all of them, in order.
    pub fn status_text() -> String {
        let names = RequestStatus::ALL.map(|status| format!("\"{}\"", status.name()));
        let names = names.join(", ");
        format!("Request status must be one of the following: {names}")
    }
}

impl PlaceCommand {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// [`Unreadable`].
    pub fn read(body: Value, granted: Granted) -> Result<PlaceCommand, Unreadable> {
        let Value::Object(mut record) = body else {
            return Err(Unreadable::NotAnObject);
        };
        let parameters = record.get("requestProcessingParameters").cloned();
        let overrides = Overrides::read(&parameters.unwrap_or_default()["overrideBlocks"]);
        let knows = |member: &str| record.contains_key(member);
        let knows_items_only = !["requestLevel", "holdingsRecordId", "instanceId"]
            .into_iter()
            .any(knows);
        SHOWN_ONLY
            .iter()
            .for_each(|member| drop(record.shift_remove(*member)));
        if let Some(Value::Object(printed)) = record.get_mut("printDetails") {
            printed.shift_remove("lastPrintRequester");
        }
        settle_status(&mut record)?;
        let id = |member: &'static str| id_of(&record, member);
        Ok(PlaceCommand {
            // What is no id is refused by what keeps the request, after everything that speaks against the request.
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

    /// The same for a PUT: only who places a new request with POST may know items only.
    #[must_use]
    pub fn put(self) -> PlaceCommand {
        PlaceCommand {
            knows_items_only: false,
            ..self
        }
    }

    /// The type; none for one that FOLIO does not know.
    pub fn kind(&self) -> Option<RequestKind> {
        RequestKind::named(self.text("requestType")?)
    }

    /// A request for a title.
    pub fn is_title_level(&self) -> bool {
        self.text("requestLevel") == Some("Title")
    }

    /// A request for an item.
    pub fn is_item_level(&self) -> bool {
        self.knows_items_only || self.text("requestLevel") == Some("Item")
    }

    /// To be fetched from the hold shelf.
    pub fn is_for_hold_shelf(&self) -> bool {
        self.text("fulfillmentPreference") == Some(FULFILMENTS[0])
    }

    /// Holds an item back for another part of a consortium; its item is chosen there.
    pub fn is_of_consortium(&self) -> bool {
        let phase = self.text("ecsRequestPhase");
        phase == Some("Primary") || phase == Some("Intermediate")
    }

    pub(crate) fn text(&self, member: &str) -> Option<&str> {
        self.record.get(member)?.as_str()
    }

    /// Level and fulfilment are checked before anything else, one after the other.
    pub(crate) fn refuse_odd_values(&self, titles: bool) -> Result<(), PlaceRefusal> {
        let level = self.text("requestLevel");
        let known = self.is_item_level() || (titles && self.is_title_level());
        if !known {
            let level = level.map(str::to_owned);
            return Err(PlaceRefusal::LevelNotAllowed { level, titles });
        }
        let preference = self.text("fulfillmentPreference");
        match preference.is_some_and(|preference| FULFILMENTS.contains(&preference)) {
            true => Ok(()),
            false => Err(PlaceRefusal::FulfilmentNotAllowed(
                preference.map(str::to_owned),
            )),
        }
    }

    /// A request expires at the end of the day.
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

/// Gives a record without a status the first one, and every status the case of its name.
fn settle_status(record: &mut Map<String, Value>) -> Result<(), Unreadable> {
    let Some(written) = record.get("status") else {
        record.insert("status".into(), RequestStatus::NotYetFilled.name().into());
        return Ok(());
    };
    let written = written.as_str().unwrap_or_default();
    let status = RequestStatus::ALL
        .into_iter()
        .find(|status| status.name().eq_ignore_ascii_case(written))
        .ok_or(Unreadable::Status)?;
    record.insert("status".into(), status.name().into());
    Ok(())
}

fn text_of(record: &Map<String, Value>, member: &str) -> Option<String> {
    record.get(member)?.as_str().map(str::to_owned)
}

fn id_of(record: &Map<String, Value>, member: &'static str) -> Result<Option<Uuid>, Unreadable> {
    let written = record.get(member).unwrap_or(&Value::Null);
    let id = text(written).map(|text| Uuid::try_parse(&text));
    id.transpose().map_err(|_| Unreadable::Id(member))
}
