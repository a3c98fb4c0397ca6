//! Input and output of decisions about requests.

use serde::Deserialize;
use uuid::Uuid;

use super::queue::{Moved, Queue};
use crate::{
    blocks::{ManualBlock, automated::Standing},
    configuration::Configuration,
    records::{Item, ItemStatus, Loan, Patron, ProxyRelationship, QueuedRequest, Request},
    requests::representation::Title,
};

/// The records read for a decision about a request.
#[derive(Debug, Clone, Default)]
pub struct RequestContext {
    /// The stored request; absent for a new one.
    pub existing: Option<Request>,
    /// The requested item.
    pub item: Option<Item>,
    /// ID of the requested item's instance.
    pub item_title: Option<Uuid>,
    /// The item of the stored request.
    pub source: Option<Item>,
    /// The requested instance.
    pub title: Option<Title>,
    /// The item's open loan.
    pub loan: Option<Loan>,
    /// Borrower of that loan.
    pub borrower: Option<Patron>,
    /// The requester, with blocks and counts.
    pub requester: Option<FoundRequester>,
    /// The proxy.
    pub proxy: Option<Patron>,
    /// Proxy relationships between the requester and the proxy.
    pub proxy_relationships: Vec<ProxyRelationship>,
    /// Item and instance IDs that `requests` were read for.
    pub queue_of: (Option<Uuid>, Option<Uuid>),
    /// Open requests for the item or its title.
    pub requests: Vec<QueuedRequest>,
    /// Items of the instance, for a request that any copy can fill.
    pub copies: Vec<Copy>,
    /// True if the instance has holdings.
    pub has_holdings: bool,
    /// The requester's open loan of a copy of the title.
    pub own_loan: Option<Loan>,
}

/// A requester, with the records that may block the request.
#[derive(Debug, Clone, Default)]
pub struct FoundRequester {
    /// The user record.
    pub patron: Patron,
    /// Manual blocks of the patron.
    pub manual_blocks: Vec<ManualBlock>,
    /// Loan and fee totals, for automated blocks.
    pub standing: Standing,
}

/// An item of the requested instance, with its open loan.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Copy {
    /// The item record.
    pub item: Item,
    /// The open loan; absent if the item is not checked out.
    pub loan: Option<Loan>,
    /// Borrower of that loan.
    pub borrower: Option<Patron>,
}

/// What happens to the request record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestDeed {
    /// A new request.
    Made,
    /// Replaces the stored request.
    Changed,
    /// The request is deleted.
    Deleted,
    /// Only the queue changes.
    Left,
}

/// A decided change: everything to write, except the operator.
#[derive(Debug, Clone)]
pub struct RequestChange {
    /// What happens to the request record.
    pub deed: RequestDeed,
    /// The updated request.
    pub request: Request,
    /// Items with their new status.
    pub items: Vec<(Item, ItemStatus)>,
    /// Items that must be unchanged since they were read.
    pub relied_on: Vec<Item>,
    /// Other requests that change position.
    pub moved: Vec<Moved>,
    /// The item of the request.
    pub item: Option<Item>,
    /// The updated loan if a recall changes it; the response shows its due date.
    pub loan: Option<Loan>,
    /// The loan as read, if it changes.
    pub loan_before: Option<Loan>,
    /// True if staff overrode a patron block.
    pub through_override: bool,
}

impl RequestContext {
    /// The queue for a request on this item and title.
    pub fn queue(&self, item: Option<Uuid>, configuration: &Configuration) -> Queue {
        let titles = configuration.title_level_requests;
        Queue::new(self.requests.clone(), item.unwrap_or_default(), titles)
    }

    /// The requester.
    pub fn patron(&self) -> Option<&Patron> {
        self.requester.as_ref().map(|found| &found.patron)
    }
}
