//! Lost item policies: when an overdue item ages to lost, and what a lost item costs
//! (docs/folio/lost-items.md#what-a-lost-item-costs).

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::Deserialize;
use uuid::Uuid;

use super::Period;
use crate::dates::Moment;

/// A lost item policy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LostItemPolicy {
    /// ID of the policy.
    pub id: Uuid,
    /// Name of the policy.
    pub name: String,
    /// How long after the due date an item ages to lost; zero means never.
    pub item_aged_lost_overdue: Option<Period>,
    /// The same for recalled items.
    pub recalled_item_aged_lost_overdue: Option<Period>,
    /// How long after ageing to lost the patron is billed.
    pub patron_billed_after_aged_lost: Option<Period>,
    /// The same for recalled items.
    pub patron_billed_after_recalled_item_aged_lost: Option<Period>,
    /// Set cost or actual cost of the item.
    pub charge_amount_item: Option<ItemCost>,
    /// Amount of the lost item processing fee.
    pub lost_item_processing_fee: Option<Decimal>,
    /// Charge the processing fee when an item is declared lost.
    pub charge_amount_item_patron: bool,
    /// Charge the processing fee when an item ages to lost.
    pub charge_amount_item_system: bool,
    /// How long staff have to determine the actual cost.
    pub lost_item_charge_fee_fine: Option<Period>,
    /// Refund the processing fee too when the item is returned.
    pub returned_lost_item_processing_fee: bool,
    /// `Charge`: charge an overdue fine when the item is returned.
    pub lost_item_returned: Option<String>,
    /// How long fees are refundable after the loss; zero means without limit.
    pub fees_fines_shall_refunded: Option<Period>,
}

/// How the item charge is determined.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ItemCost {
    /// `actualCost` or `anotherCost`.
    pub charge_type: Option<String>,
    /// The set cost; ignored for actual costs.
    pub amount: Option<Decimal>,
}

/// How an item was lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Loss {
    /// Declared lost.
    Declared,
    /// Aged to lost.
    Aged,
}

impl LostItemPolicy {
    /// The set cost, if it is greater than zero.
    pub fn set_cost(&self) -> Option<Decimal> {
        let cost = self.charge_amount_item.as_ref()?;
        let is_set = cost.charge_type.as_deref() == Some("anotherCost");
        cost.amount.filter(|amount| is_set && *amount > Decimal::ZERO)
    }

    /// True if staff determine the actual cost.
    pub(crate) fn has_actual_cost(&self) -> bool {
        let cost = self.charge_amount_item.as_ref();
        cost.is_some_and(|cost| cost.charge_type.as_deref() == Some("actualCost"))
    }

    /// The processing fee, if the policy charges it for this kind of loss.
    pub(crate) fn processing_fee(&self, loss: Loss) -> Option<Decimal> {
        let charged = match loss {
            Loss::Declared => self.charge_amount_item_patron,
            Loss::Aged => self.charge_amount_item_system,
        };
        let fee = self.lost_item_processing_fee;
        fee.filter(|amount| charged && *amount > Decimal::ZERO)
    }

    /// True if the policy charges anything for this kind of loss.
    pub(crate) fn charges_anything(&self, loss: Loss) -> bool {
        self.has_actual_cost() || self.set_cost().is_some() || self.processing_fee(loss).is_some()
    }

    /// True if a returned lost item is charged an overdue fine.
    pub(crate) fn fines_returned_items(&self) -> bool {
        let returned = self.lost_item_returned.as_deref().unwrap_or_default();
        returned.eq_ignore_ascii_case("Charge")
    }

    /// True if fees of an item lost at `lost` are refunded when it is returned now.
    pub(crate) fn refunds(&self, lost: Option<Timestamp>, now: Timestamp) -> bool {
        match after(self.fees_fines_shall_refunded.as_ref(), lost) {
            After::NoPeriod => true,
            After::Unknown => false,
            After::Moment(end) => end >= now,
        }
    }

    /// Deadline for determining the actual cost of an item lost at `lost`; `None` means no deadline.
    pub(crate) fn cost_known_until(&self, lost: Timestamp) -> Option<Timestamp> {
        match after(self.lost_item_charge_fee_fine.as_ref(), Some(lost)) {
            After::Moment(end) => Some(end),
            After::NoPeriod | After::Unknown => None,
        }
    }
}

enum After {
    NoPeriod,
    Unknown,
    Moment(Timestamp),
}

fn after(period: Option<&Period>, moment: Option<Timestamp>) -> After {
    let Some(period) = period.filter(|period| period.span().is_ok()) else {
        return After::NoPeriod;
    };
    let end = moment.and_then(|moment| period.after(Moment::utc(moment)).ok());
    end.map_or(After::Unknown, After::Moment)
}
