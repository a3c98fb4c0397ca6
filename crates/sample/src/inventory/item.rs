//! Items and their loans.

use serde_json::{Value, json};
use vocabulary::{ItemStatus, LoanStatus};

use super::{Holding, Shelf};
use crate::{
    barcode::{Holder, barcode},
    dice::Dice,
    library::Library,
    places::Place,
    work::Kind,
};

/// Statuses of items that are not on loan, each with its share of ten thousand.
const STATUSES: [(ItemStatus, u32); 8] = [
    (ItemStatus::Available, 9650),
    (ItemStatus::InProcess, 90),
    (ItemStatus::Missing, 70),
    (ItemStatus::InTransit, 60),
    (ItemStatus::OnOrder, 50),
    (ItemStatus::Withdrawn, 40),
    (ItemStatus::Restricted, 30),
    (ItemStatus::LongMissing, 10),
];

impl Library {
    /// Adds item `number` of the library, copy `copy` of its holdings (both from 0), and its loans.
    pub(super) fn add_item(&self, shelf: &mut Shelf, holding: &Holding<'_>, copy: u64, number: u64) {
        let mut dice = self.dice("item", number);
        let loan_type = loan_type(holding.place);
        let mut record = json!({"id": self.id("item", number), "hrid": format!("it{:011}", number + 1),
            "holdingsRecordId": holding.id, "order": copy + 1,
            "barcode": barcode(Holder::Item, number + 1),
            "materialTypeId": self.reference.id(&format!("material-types/{}", holding.work.kind.material())),
            "permanentLoanTypeId": self.reference.id(&format!("loan-types/{loan_type}"))});
        describe(&mut record, holding, copy);
        self.annotate(&mut record, &mut dice);
        self.put(shelf, record, holding, number, &mut dice);
    }

    /// Sets the item's status: on the shelf, on loan or elsewhere.
    fn put(&self, shelf: &mut Shelf, mut record: Value, holding: &Holding<'_>, number: u64, dice: &mut Dice) {
        let loans = self.loans(holding.work, holding.place, number, dice);
        let on_loan = loans.iter().any(|loan| loan["status"]["name"] == LoanStatus::Open.name());
        let status = match on_loan {
            true => ItemStatus::CheckedOut,
            false => STATUSES[dice.weighted(STATUSES.iter().map(|(_, weight)| *weight))].0,
        };
        record["status"] = json!({"name": status});
        if status == ItemStatus::InTransit {
            record["inTransitDestinationServicePointId"] = self.desk(holding.place).into();
        }
        shelf.items.push(record);
        shelf.loans.extend(loans);
    }

    fn annotate(&self, record: &mut Value, dice: &mut Dice) {
        if dice.per_mille(15) {
            record["notes"] = json!([{"itemNoteTypeId": self.reference.id("item-note-types/Binding"),
                "note": "Rebound in cloth", "staffOnly": false}]);
        }
        if dice.per_mille(5) {
            record["circulationNotes"] = json!([{"id": uuid::Uuid::nil(), "noteType": "Check in",
                "note": "Check that the map in the back pocket is there", "staffOnly": true}]);
            record["circulationNotes"][0]["id"] =
                self.ids.named(&format!("note of {}", record["id"])).to_string().into();
        }
    }
}

/// Name of the loan type of items at a place, from FOLIO's reference data.
pub(crate) fn loan_type(place: Place) -> &'static str {
    match place {
        Place::Reserves => "Course reserves",
        Place::RareBooks => "Reading room",
        _ => "Can circulate",
    }
}

/// Sets the copy or volume.
fn describe(record: &mut Value, holding: &Holding<'_>, copy: u64) {
    match holding.work.kind {
        Kind::Serial => {
            let year = i64::from(holding.work.year) + i64::try_from(copy).unwrap_or(0);
            record["enumeration"] = format!("v.{}", copy + 1).into();
            record["chronology"] = year.to_string().into();
            record["yearCaption"] = json!([year.to_string()]);
        }
        Kind::Film | Kind::Disc => {
            record["numberOfPieces"] = "1".into();
            record["descriptionOfPieces"] = "1 disc".into();
        }
        _ if copy > 0 => record["copyNumber"] = format!("c.{}", copy + 1).into(),
        _ => {}
    }
}
