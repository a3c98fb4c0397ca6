//! Everything that speaks against a return, in FOLIO's words (docs/folio/check-in.md#refusals-of-a-check-in).

use uuid::Uuid;

use crate::{refusal::Told, requests::fulfilment::NotFulfilled};

/// A reason not to take an item back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckInRefusal {
    /// Nobody is at the desk.
    NoOperator,
    /// No barcode.
    NoItemBarcode,
    /// No service point.
    NoServicePoint,
    /// No date.
    NoDate,
    /// A resolution that FOLIO does not know.
    UnknownResolution(String),
    /// No item has that barcode.
    ItemNotFound,
    /// The item stands for others and never leaves.
    IntellectualItem {
        /// Title of the item.
        title: String,
        /// Name of its material type.
        material_type: String,
        /// Its barcode.
        barcode: String,
    },
    /// The patron claims to have returned the item.
    ClaimNotResolved,
    /// The request that waits for the item cannot get it.
    NotFulfilled(NotFulfilled),
    /// The item was lost, but was never lent.
    LostWithoutLoan(Uuid),
    /// The item was lost, but not during its last loan.
    LastLoanNotLost(Uuid),
}

impl CheckInRefusal {
    /// The refusal as clients see it; `barcode` is that of the request.
    pub fn told(&self, barcode: &str) -> Told {
        let none = None::<String>;
        match self {
            Self::NoOperator => Told::new("No logged-in user present").about("userId", none),
            Self::NoItemBarcode => {
                Told::new("Checkin request must have an item barcode").about("itemBarcode", none)
            }
            Self::NoServicePoint => Told::new("Checkin request must have a service point id")
                .about("servicePointId", none),
            Self::NoDate => {
                Told::new("Checkin request must have an check in date").about("checkInDate", none)
            }
            Self::UnknownResolution(text) => Told::new("Unrecognized value provided for property")
                .about("claimedReturnedResolution", Some(text)),
            Self::ItemNotFound => Told::new(format!("No item with barcode {barcode} exists"))
                .code("ITEM_BARCODE_NOT_FOUND")
                .about("itemBarcode", Some(barcode)),
            Self::IntellectualItem {
                title,
                material_type,
                barcode,
            } => Told::new(format!(
                "{title} ({material_type}) (Barcode: {barcode}) has the item status \
                 Intellectual item and cannot be checked in"
            ))
            .about("itemBarcode", Some(barcode)),
            Self::ClaimNotResolved => {
                Told::new("Item is claimed returned, a resolution is required to check in")
                    .about("claimedReturnedResolution", none)
            }
            Self::NotFulfilled(fault) => fault.told(),
            Self::LostWithoutLoan(item) => Told::new(
                "Item is lost however there is no aged to lost nor declared lost loan found",
            )
            .about("itemId", Some(*item)),
            Self::LastLoanNotLost(loan) => {
                Told::new("Last loan for lost item is neither aged to lost nor declared lost")
                    .about("loanId", Some(*loan))
            }
        }
    }
}
