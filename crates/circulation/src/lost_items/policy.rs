//! Lost item policies: when an overdue item counts as lost, and what a lost item costs
//! (docs/folio/lost-items.md#what-a-lost-item-costs).

use jiff::Timestamp;
use rust_decimal::Decimal;
use serde::Deserialize;
use uuid::Uuid;

use crate::{dates::Moment, policies::Period};

/// A lost item policy.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LostItemPolicy {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// How long after the due date an item counts as lost; never, when it is zero.
    pub item_aged_lost_overdue: Option<Period>,
    /// The same, when the item was recalled.
    pub recalled_item_aged_lost_overdue: Option<Period>,
    /// How long after that the patron is billed.
    pub patron_billed_after_aged_lost: Option<Period>,
    /// The same, when the item was recalled.
    pub patron_billed_after_recalled_item_aged_lost: Option<Period>,
    /// What the item costs.
    pub charge_amount_item: Option<ItemCost>,
    /// What the work costs.
    pub lost_item_processing_fee: Option<Decimal>,
    /// The work is charged when a patron declares an item lost.
    pub charge_amount_item_patron: bool,
    /// The work is charged when an item ages to lost.
    pub charge_amount_item_system: bool,
    /// How long somebody has to find out what an item costs.
    pub lost_item_charge_fee_fine: Option<Period>,
    /// The work is given back, too, when the item comes back.
    pub returned_lost_item_processing_fee: bool,
    /// `Charge`: an overdue fine is charged when the item comes back.
    pub lost_item_returned: Option<String>,
    /// How long fees are given back when the item comes back; for ever, when it is zero.
    pub fees_fines_shall_refunded: Option<Period>,
}

/// What a lost item costs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ItemCost {
    /// `actualCost` or `anotherCost`.
    pub charge_type: Option<String>,
    /// The set cost.
    pub amount: Option<Decimal>,
}

/// How an item got lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    /// Somebody said so.
    Declared,
    /// It was overdue for too long.
    Aged,
}

impl LostItemPolicy {
    /// What every item costs, if it is more than nothing.
    pub fn set_cost(&self) -> Option<Decimal> {
        let cost = self.charge_amount_item.as_ref()?;
        let is_set = cost.charge_type.as_deref() == Some("anotherCost");
        cost.amount
            .filter(|amount| is_set && *amount > Decimal::ZERO)
    }

    /// Somebody is to find out what the item costs.
    pub fn has_actual_cost(&self) -> bool {
        let cost = self.charge_amount_item.as_ref();
        cost.is_some_and(|cost| cost.charge_type.as_deref() == Some("actualCost"))
    }

    /// What the work costs, if it is charged for such a loss.
    pub fn processing_fee(&self, loss: Loss) -> Option<Decimal> {
        let charged = match loss {
            Loss::Declared => self.charge_amount_item_patron,
            Loss::Aged => self.charge_amount_item_system,
        };
        let fee = self.lost_item_processing_fee;
        fee.filter(|amount| charged && *amount > Decimal::ZERO)
    }

    /// Anything at all is charged for such a loss.
    pub fn charges_anything(&self, loss: Loss) -> bool {
        self.has_actual_cost() || self.set_cost().is_some() || self.processing_fee(loss).is_some()
    }

    /// An overdue fine is charged when a lost item comes back.
    pub fn fines_returned_items(&self) -> bool {
        let returned = self.lost_item_returned.as_deref().unwrap_or_default();
        returned.eq_ignore_ascii_case("Charge")
    }

    /// Fees of an item lost at that moment are given back when it comes back now.
    pub fn gives_back(&self, lost: Option<Timestamp>, now: Timestamp) -> bool {
        match after(self.fees_fines_shall_refunded.as_ref(), lost) {
            After::NoPeriod => true,
            After::Unknown => false,
            After::Moment(end) => end >= now,
        }
    }

    /// Until when somebody may find out what an item costs that was lost at that moment; for ever, when `None`.
    pub fn cost_known_until(&self, lost: Timestamp) -> Option<Timestamp> {
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
