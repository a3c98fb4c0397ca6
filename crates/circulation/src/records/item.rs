//! Items and what they are copies of.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An item: the stored record, volatile members included.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Item {
    /// Its id.
    pub id: Uuid,
    /// Raised by each change.
    #[serde(rename = "_version")]
    pub version: i64,
    /// Barcode.
    pub barcode: Option<String>,
    /// Where it is in its life.
    pub status: ItemStatus,
    /// Its holdings.
    pub holdings_record_id: Option<Uuid>,
    /// What kind of thing it is.
    pub material_type_id: Option<Uuid>,
    /// Its usual loan type.
    pub permanent_loan_type_id: Option<Uuid>,
    /// Its loan type for now.
    pub temporary_loan_type_id: Option<Uuid>,
    /// Where it belongs.
    pub effective_location_id: Option<Uuid>,
    /// Where it is being sent.
    pub in_transit_destination_service_point_id: Option<Uuid>,
    /// Its call number.
    pub effective_call_number_components: Option<CallNumberComponents>,
    /// Its place among call numbers.
    pub effective_shelving_order: Option<String>,
    /// Enumeration.
    pub enumeration: Option<String>,
    /// Chronology.
    pub chronology: Option<String>,
    /// What a list shows of it.
    pub display_summary: Option<String>,
    /// Volume.
    pub volume: Option<String>,
    /// Copy.
    pub copy_number: Option<String>,
    /// Years.
    pub year_caption: Vec<String>,
    /// Number of pieces.
    pub number_of_pieces: Option<String>,
    /// What the pieces are.
    pub description_of_pieces: Option<String>,
    /// Notes of the staff.
    pub administrative_notes: Vec<String>,
    /// Accession number.
    pub accession_number: Option<String>,
    /// When and where it was last checked in.
    pub last_check_in: Option<LastCheckIn>,
}

/// The status of an item.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ItemStatus {
    /// Its name, `Available`.
    pub name: String,
    /// Since when, as stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

/// The parts of a call number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CallNumberComponents {
    /// The number.
    pub call_number: Option<String>,
    /// What stands before it.
    pub prefix: Option<String>,
    /// What stands after it.
    pub suffix: Option<String>,
}

/// A check-in as the item remembers it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LastCheckIn {
    /// When, as stored.
    pub date_time: Option<String>,
    /// Where.
    pub service_point_id: Option<Uuid>,
    /// By whom.
    pub staff_member_id: Option<Uuid>,
}

/// What an item is a copy of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Instance {
    /// Its id.
    pub id: Uuid,
    /// Its human-readable id.
    pub hrid: Option<String>,
    /// Its title.
    pub title: String,
    /// Who made it.
    pub contributors: Vec<Contributor>,
    /// Its numbers: ISBN, ISSN and others.
    pub identifiers: Vec<Identifier>,
    /// Editions.
    pub editions: Vec<String>,
    /// Series.
    pub series: Vec<Series>,
    /// Publications.
    pub publication: Vec<Publication>,
    /// Physical descriptions.
    pub physical_descriptions: Vec<String>,
}

/// A number of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Identifier {
    /// What kind of number it is.
    pub identifier_type_id: Option<Uuid>,
    /// The number.
    pub value: String,
}

/// A contributor.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct Contributor {
    /// Name.
    pub name: String,
    /// The main one.
    pub primary: Option<bool>,
}

/// A series.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct Series {
    /// Its statement.
    pub value: String,
}

/// A publication.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Publication {
    /// When.
    pub date_of_publication: Option<String>,
}

impl Item {
    /// The loan type that counts: the temporary one, else the permanent one.
    pub fn loan_type_id(&self) -> Option<Uuid> {
        self.temporary_loan_type_id.or(self.permanent_loan_type_id)
    }

    /// Declared, or aged to, lost.
    pub fn is_lost(&self) -> bool {
        self.is("Declared lost") || self.is("Aged to lost")
    }

    /// True in that status.
    pub fn is(&self, status: &str) -> bool {
        self.status.name == status
    }
}

impl Instance {
    /// Name of the main contributor.
    pub fn primary_contributor(&self) -> Option<&str> {
        let primary = self.contributors.iter().find(|c| c.primary == Some(true));
        primary.map(|contributor| contributor.name.as_str())
    }

    /// Dates of its publications.
    pub fn dates_of_publication(&self) -> Vec<&str> {
        let dates = self
            .publication
            .iter()
            .map(|p| p.date_of_publication.as_deref());
        dates.flatten().collect()
    }
}
