//! What decisions about requests are made from, and what comes out of them.

use serde::Deserialize;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::queue::{Moved, Queue};
use crate::{
    blocks::{ManualBlock, automated::Standing},
    configuration::Configuration,
    records::{Item, Loan, Patron, ProxyRelationship, QueuedRequest},
    requests::representation::Title,
};

/// What was read to decide about a request.
#[derive(Debug, Clone, Default)]
pub struct RequestContext {
    /// The request as it is stored, when there is one already.
    pub existing: Option<Map<String, Value>>,
    /// The item that is asked for.
    pub item: Option<Item>,
    /// What that item is a copy of.
    pub item_title: Option<Uuid>,
    /// The item that the stored request is for.
    pub source: Option<Item>,
    /// The title that is asked for.
    pub title: Option<Title>,
    /// The open loan of the item.
    pub loan: Option<Loan>,
    /// Who has it.
    pub borrower: Option<Patron>,
    /// Who asks.
    pub requester: Option<FoundRequester>,
    /// Who acts for them.
    pub proxy: Option<Patron>,
    /// Leave that the requester gave the proxy.
    pub proxy_relationships: Vec<ProxyRelationship>,
    /// The item and the title that `requests` were read by.
    pub queue_of: (Option<Uuid>, Option<Uuid>),
    /// Open requests for the item or its title.
    pub requests: Vec<QueuedRequest>,
    /// The items of the title, for a request that any of them fills.
    pub copies: Vec<Copy>,
    /// The title has holdings.
    pub has_holdings: bool,
    /// A copy of the title that the requester has.
    pub own_loan: Option<Loan>,
}

/// A patron who asks, with what speaks against it.
#[derive(Debug, Clone, Default)]
pub struct FoundRequester {
    /// The patron.
    pub patron: Patron,
    /// Manual blocks.
    pub manual_blocks: Vec<ManualBlock>,
    /// Loans and debts.
    pub standing: Standing,
}

/// An item of a title, with its open loan.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(from = "CopyRow")]
pub struct Copy {
    /// The item.
    pub item: Item,
    /// The loan.
    pub loan: Option<Loan>,
    /// Who has it.
    pub borrower: Option<Patron>,
}

#[derive(Deserialize)]
struct CopyRow {
    item: Item,
    loan: Option<Map<String, Value>>,
    borrower: Option<Patron>,
}

impl From<CopyRow> for Copy {
    fn from(row: CopyRow) -> Self {
        Copy {
            item: row.item,
            loan: row.loan.map(Loan::new),
            borrower: row.borrower,
        }
    }
}

/// What becomes of the record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestDeed {
    /// It is new.
    Made,
    /// It replaces the stored one.
    Changed,
    /// It is gone.
    Deleted,
    /// Only the queue changes.
    Left,
}

/// A decided change: everything that is to be written, but for who did it.
#[derive(Debug, Clone)]
pub struct RequestChange {
    /// What becomes of the record.
    pub deed: RequestDeed,
    /// The request as it is from now on.
    pub request: Map<String, Value>,
    /// Items whose status changes, with the new one.
    pub items: Vec<(Item, &'static str)>,
    /// Items that must still be as they were read.
    pub relied_on: Vec<Item>,
    /// Other requests that get another position.
    pub moved: Vec<Moved>,
    /// The item that the request is for.
    pub item: Option<Item>,
    /// The loan that a recall makes shorter, as it is from now on, and its due date is shown.
    pub loan: Option<Loan>,
    /// The loan as it was read, when it changes.
    pub loan_before: Option<Loan>,
    /// Staff passed over the blocks of the patron.
    pub through_override: bool,
}

impl RequestContext {
    /// The queue that a request for this item and title belongs to.
    pub fn queue(&self, item: Option<Uuid>, configuration: &Configuration) -> Queue {
        let titles = configuration.title_level_requests;
        Queue::new(self.requests.clone(), item.unwrap_or_default(), titles)
    }

    /// Who asks.
    pub fn patron(&self) -> Option<&Patron> {
        self.requester.as_ref().map(|found| &found.patron)
    }
}
