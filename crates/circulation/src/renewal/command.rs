//! The request body for a renewal.

use jiff::Timestamp;
use refusals::{Refusal, Wording};
use serde_json::Value;
use uuid::Uuid;

use super::refusal;
use crate::{
    blocks::{BlockKind, Granted},
    dates::parse_date_time,
    text::text,
};

/// How a client identifies the item and its borrower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// By barcode.
    Barcode,
    /// By ID.
    Id,
}

/// A renewal, as sent by the client.
#[derive(Debug, Clone, PartialEq)]
pub struct RenewalCommand {
    /// Whether `item` and `user` are barcodes or IDs.
    pub named_by: NamedBy,
    /// Barcode or ID of the item.
    pub item: String,
    /// Barcode or ID of the borrower.
    pub user: String,
    /// Service point of the renewal.
    pub service_point_id: Option<Uuid>,
    /// Blocks to override.
    pub overrides: RenewalOverrides,
    /// Blocks that the caller may override.
    pub granted: Granted,
}

/// The overrides that a client requests.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenewalOverrides {
    /// Reason for the override.
    pub comment: Option<String>,
    /// Renew despite patron blocks.
    pub patron: bool,
    /// Renew despite the loan policy, the item's status or a recall.
    pub renewal: bool,
    /// Due date to use if none can be computed.
    pub due_date: Option<Timestamp>,
}

impl NamedBy {
    /// The body member that identifies the item.
    pub(crate) fn item_member(self) -> &'static str {
        match self {
            NamedBy::Barcode => "itemBarcode",
            NamedBy::Id => "itemId",
        }
    }

    /// The kind of identifier, for messages.
    pub(super) fn noun(self) -> &'static str {
        match self {
            NamedBy::Barcode => "barcode",
            NamedBy::Id => "ID",
        }
    }

    /// The refusals for a body without item or borrower.
    fn missing(self) -> [&'static Wording; 2] {
        match self {
            NamedBy::Barcode => [refusal::NO_ITEM_BARCODE, refusal::NO_USER_BARCODE],
            NamedBy::Id => [refusal::NO_ITEM_ID, refusal::NO_USER_ID],
        }
    }

    /// The body member that identifies the borrower.
    pub(crate) fn user_member(self) -> &'static str {
        match self {
            NamedBy::Barcode => "userBarcode",
            NamedBy::Id => "userId",
        }
    }
}

impl RenewalCommand {
    /// Reads a request body; ignores members that FOLIO does not know.
    ///
    /// # Errors
    /// Item or borrower is missing.
    pub fn read(body: &Value, named_by: NamedBy, granted: Granted) -> Result<RenewalCommand, Refusal> {
        let service_point = text(&body["servicePointId"]);
        let [no_item, no_user] = named_by.missing();
        Ok(RenewalCommand {
            named_by,
            item: text(&body[named_by.item_member()]).ok_or(no_item)?,
            user: text(&body[named_by.user_member()]).ok_or(no_user)?,
            service_point_id: service_point.and_then(|id| Uuid::try_parse(&id).ok()),
            overrides: RenewalOverrides::read(&body["overrideBlocks"]),
            granted,
        })
    }

    /// The item barcode, if the client identifies the item by barcode.
    pub fn item_barcode(&self) -> Option<&str> {
        (self.named_by == NamedBy::Barcode).then_some(self.item.as_str())
    }

    /// The item ID, if the client identifies the item by a valid ID.
    pub fn item_id(&self) -> Option<Uuid> {
        let named = self.named_by == NamedBy::Id;
        named.then(|| Uuid::try_parse(&self.item).ok()).flatten()
    }
}

impl RenewalOverrides {
    fn read(blocks: &Value) -> RenewalOverrides {
        let block = |kind: BlockKind| &blocks[kind.name()];
        let with_date = block(BlockKind::RenewalDueDateRequired);
        let due_date = text(&with_date["dueDate"]);
        RenewalOverrides {
            comment: text(&blocks["comment"]),
            patron: block(BlockKind::Patron).is_object(),
            renewal: block(BlockKind::Renewal).is_object() || with_date.is_object(),
            due_date: due_date.as_deref().and_then(parse_date_time),
        }
    }
}
