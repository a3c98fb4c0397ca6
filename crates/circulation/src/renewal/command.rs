//! What a client asks for: the body of a renewal.

use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use super::RenewalRefusal;
use crate::{
    blocks::{BlockKind, Granted},
    dates::parse_date_time,
    text::text,
};

/// How a client names the item and its borrower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedBy {
    /// By barcodes.
    Barcode,
    /// By ids.
    Id,
}

/// A renewal, as asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct RenewalCommand {
    /// How item and borrower are named.
    pub named_by: NamedBy,
    /// Barcode or id of the item.
    pub item: String,
    /// Barcode or id of the borrower.
    pub user: String,
    /// Where it happens.
    pub service_point_id: Option<Uuid>,
    /// Blocks that are to be overridden.
    pub overrides: RenewalOverrides,
    /// Blocks that the caller may override.
    pub granted: Granted,
}

/// The blocks that a client overrides.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RenewalOverrides {
    /// Why.
    pub comment: Option<String>,
    /// The patron may renew although blocked.
    pub patron: bool,
    /// The loan is renewed although the policy, its state or a recall forbids it.
    pub renewal: bool,
    /// The due date, where none can be computed.
    pub due_date: Option<Timestamp>,
}

impl NamedBy {
    /// The member that names the item.
    pub fn item_member(self) -> &'static str {
        match self {
            NamedBy::Barcode => "itemBarcode",
            NamedBy::Id => "itemId",
        }
    }

    /// The member that names the borrower.
    pub fn user_member(self) -> &'static str {
        match self {
            NamedBy::Barcode => "userBarcode",
            NamedBy::Id => "userId",
        }
    }
}

impl RenewalCommand {
    /// Reads the body of a request; members that FOLIO does not know are ignored.
    ///
    /// # Errors
    /// [`RenewalRefusal`] when item or borrower is not named.
    pub fn read(
        body: &Value,
        named_by: NamedBy,
        granted: Granted,
    ) -> Result<RenewalCommand, RenewalRefusal> {
        let service_point = text(&body["servicePointId"]);
        Ok(RenewalCommand {
            named_by,
            item: text(&body[named_by.item_member()])
                .ok_or(RenewalRefusal::ItemNotNamed(named_by))?,
            user: text(&body[named_by.user_member()])
                .ok_or(RenewalRefusal::UserNotNamed(named_by))?,
            service_point_id: service_point.and_then(|id| Uuid::try_parse(&id).ok()),
            overrides: RenewalOverrides::read(&body["overrideBlocks"]),
            granted,
        })
    }

    /// The barcode of the item, when it is named so.
    pub fn item_barcode(&self) -> Option<&str> {
        (self.named_by == NamedBy::Barcode).then_some(self.item.as_str())
    }

    /// The id of the item, when it is named so; `None` also for what is no id.
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
