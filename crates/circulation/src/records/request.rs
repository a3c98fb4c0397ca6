//! Requests for an item or a title.

use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;
use vocabulary::RequestStatus;

use super::{
    Patron,
    typed::{Date, Plain, Text, record},
};

record! {
    /// A request record; keeps members unknown to the server.
    Request {
        /// `None` for a new request.
        known_id: Plain<Uuid> = "id";
        /// `Item` or `Title`.
        level / set_level: Text = "requestLevel";
        /// `Page`, `Hold` or `Recall`.
        kind / set_kind: Text = "requestType";
        status / set_status: Plain<RequestStatus> = "status";
        status_text: Text = "status";
        request_date / set_request_date: Date = "requestDate";
        request_date_text: Text = "requestDate";
        /// `None` for a title-level request that has no item yet.
        item_id / set_item_id: Plain<Uuid> = "itemId";
        holdings_record_id / set_holdings_record_id: Plain<Uuid> = "holdingsRecordId";
        holdings_record_text: Text = "holdingsRecordId";
        instance_id / set_instance_id: Plain<Uuid> = "instanceId";
        /// Absent once the request is anonymized.
        requester_id / set_requester_id: Plain<Uuid> = "requesterId";
        proxy_user_id: Plain<Uuid> = "proxyUserId";
        /// Position in the queue, from 1; only open requests have one.
        position / set_position: Plain<i64> = "position";
        /// `Hold Shelf` or `Delivery`.
        fulfillment_preference / set_fulfillment_preference: Text = "fulfillmentPreference";
        /// Absent for deliveries.
        pickup_point / set_pickup_point: Plain<Uuid> = "pickupServicePointId";
        delivery_address_type_id: Plain<Uuid> = "deliveryAddressTypeId";
        expiration_date / set_expiration_date: Date = "requestExpirationDate";
        expiration_date_text: Text = "requestExpirationDate";
        /// When the hold shelf period ends.
        hold_shelf_expiration_date / set_hold_shelf_expiration_date: Date = "holdShelfExpirationDate";
        hold_shelf_expiration_date_text: Text = "holdShelfExpirationDate";
        patron_comments: Text = "patronComments";
        cancelled_by / set_cancelled_by: Plain<Uuid> = "cancelledByUserId";
        cancelled_date / set_cancelled_date: Date = "cancelledDate";
        cancellation_comment / set_cancellation_comment: Text = "cancellationAdditionalInformation";
        item_location_code: Text = "itemLocationCode";
        /// `Primary`, `Intermediate` or `Secondary`, in a consortium.
        ecs_phase: Text = "ecsRequestPhase";
        tag_list: Plain<Value> = "tags.tagList";
        item_copy / set_item_copy: Plain<Value> = "item";
        instance_copy / set_instance_copy: Plain<Value> = "instance";
        title: Text = "instance.title";
        requester_copy / set_requester_copy: Plain<Value> = "requester";
        proxy_copy / set_proxy_copy: Plain<Value> = "proxy";
        search_index / set_search_index: Plain<Value> = "searchIndex";
        metadata / set_metadata: Plain<Map<String, Value>> = "metadata";
    }
}

/// A request in a queue, with its requester.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
pub struct QueuedRequest {
    /// The request.
    pub request: Request,
    /// `None` if the user no longer exists.
    pub requester: Option<Patron>,
}

impl Request {
    /// ID of the request; nil for a new one.
    pub fn id(&self) -> Uuid {
        self.known_id().unwrap_or_default()
    }

    /// True if the request has this status.
    pub fn is(&self, status: RequestStatus) -> bool {
        self.status() == Some(status)
    }

    /// True until the request is filled, cancelled or expired.
    pub fn is_open(&self) -> bool {
        self.status().is_some_and(RequestStatus::is_open)
    }

    /// True unless the status is not yet filled.
    pub(crate) fn is_being_filled(&self) -> bool {
        !self.is(RequestStatus::NotYetFilled)
    }

    /// True for a page.
    pub fn is_page(&self) -> bool {
        self.kind() == Some("Page")
    }

    /// True for a hold.
    pub(crate) fn is_hold(&self) -> bool {
        self.kind() == Some("Hold")
    }

    /// True for a recall.
    pub fn is_recall(&self) -> bool {
        self.kind() == Some("Recall")
    }

    /// True for a title-level request.
    pub fn is_title_level(&self) -> bool {
        self.level() == Some("Title")
    }

    /// True if the item is to be delivered.
    pub(crate) fn is_delivery(&self) -> bool {
        self.fulfillment_preference() == Some("Delivery")
    }

    /// Closes the request, whose item was checked out to the requester.
    pub fn fill(&mut self) {
        self.set_status(RequestStatus::Filled);
        self.set_position(None);
    }

    /// The members that differ from an earlier version; `null` for those it no longer has.
    pub fn changes_since(&self, before: &Request) -> Map<String, Value> {
        let (after, before) = (self.record(), before.record());
        let gone = before.keys().filter(|member| !after.contains_key(*member));
        let gone = gone.map(|member| (member.clone(), Value::Null));
        let new = after.iter().filter(|(member, value)| before.get(*member) != Some(*value));
        gone.chain(new.map(|(member, value)| (member.clone(), value.clone()))).collect()
    }
}
