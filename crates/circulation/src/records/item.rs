//! Items and instances.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;
use vocabulary::ItemStatus;

use crate::dates::stored;

/// A stored item record, including its volatile members.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Item {
    /// ID of the item.
    pub id: Uuid,
    /// Record version; every change increments it.
    #[serde(rename = "_version")]
    pub version: i64,
    /// Absent for items without a barcode.
    pub barcode: Option<String>,
    /// Current status and its date.
    pub status: DatedStatus,
    /// ID of the item's holdings record.
    pub holdings_record_id: Option<Uuid>,
    /// ID of the material type.
    pub material_type_id: Option<Uuid>,
    /// ID of the permanent loan type.
    pub permanent_loan_type_id: Option<Uuid>,
    /// ID of the temporary loan type; overrides the permanent one.
    pub temporary_loan_type_id: Option<Uuid>,
    /// ID of the effective location.
    pub effective_location_id: Option<Uuid>,
    /// Destination service point while the item is in transit.
    pub in_transit_destination_service_point_id: Option<Uuid>,
    /// Effective call number.
    pub effective_call_number_components: Option<CallNumberComponents>,
    /// Sort key of the call number.
    pub effective_shelving_order: Option<String>,
    /// Enumeration.
    pub enumeration: Option<String>,
    /// Chronology.
    pub chronology: Option<String>,
    /// Display summary, as lists show it.
    pub display_summary: Option<String>,
    /// Volume.
    pub volume: Option<String>,
    /// Copy number.
    pub copy_number: Option<String>,
    /// Year captions.
    pub year_caption: Vec<String>,
    /// Number of pieces.
    pub number_of_pieces: Option<String>,
    /// Description of the pieces.
    pub description_of_pieces: Option<String>,
    /// How many pieces are missing.
    pub number_of_missing_pieces: Option<String>,
    /// Which pieces are missing.
    pub missing_pieces: Option<String>,
    /// Notes for staff at the desk.
    pub circulation_notes: Vec<CirculationNote>,
    /// Administrative notes by staff.
    pub administrative_notes: Vec<String>,
    /// Accession number.
    pub accession_number: Option<String>,
    /// The last check-in; absent if the item was never checked in.
    pub last_check_in: Option<LastCheckIn>,
}

/// The members of an item that the desk changes, which are stored beside the record.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ItemState {
    #[serde(rename = "_version")]
    version: i64,
    status: DatedStatus,
    in_transit_destination_service_point_id: Option<Uuid>,
    last_check_in: Option<LastCheckIn>,
}

/// A note to be read when the item is lent or comes back.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CirculationNote {
    /// `Check in` or `Check out`.
    pub note_type: Option<String>,
    /// The text.
    pub note: Option<String>,
}

/// Item status with its date.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct DatedStatus {
    /// `None` only for an unknown item.
    pub name: Option<ItemStatus>,
    /// Date of the last status change, as stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

impl DatedStatus {
    /// A status that starts at `now`.
    pub fn since(name: ItemStatus, now: Timestamp) -> Self {
        Self { name: Some(name), date: Some(stored(now).to_string()) }
    }

    /// The stored name of the status; empty for an unknown item.
    pub fn name(&self) -> &'static str {
        self.name.map_or("", ItemStatus::name)
    }
}

/// The parts of a call number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CallNumberComponents {
    /// The call number without prefix and suffix.
    pub call_number: Option<String>,
    /// Call number prefix.
    pub prefix: Option<String>,
    /// Call number suffix.
    pub suffix: Option<String>,
}

/// The last check-in recorded on an item.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct LastCheckIn {
    /// Date and time, as stored.
    pub date_time: Option<String>,
    /// Service point of the check-in.
    pub service_point_id: Option<Uuid>,
    /// User who checked the item in.
    pub staff_member_id: Option<Uuid>,
}

/// An instance: the title that items are copies of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Instance {
    /// ID of the instance.
    pub id: Uuid,
    /// Human-readable ID.
    pub hrid: Option<String>,
    /// Title proper.
    pub title: String,
    /// Contributors, in the order of the record.
    pub contributors: Vec<Contributor>,
    /// Identifiers such as ISBN and ISSN.
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

/// An identifier of an instance.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Identifier {
    /// ID of the identifier type.
    pub identifier_type_id: Option<Uuid>,
    /// The identifier itself.
    pub value: String,
}

/// A contributor.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct Contributor {
    /// Name.
    pub name: String,
    /// True for the primary contributor.
    pub primary: Option<bool>,
}

/// A series statement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default)]
pub struct Series {
    /// Text of the statement.
    pub value: String,
}

/// A publication statement.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Publication {
    /// Publication date as free text.
    pub date_of_publication: Option<String>,
}

impl Item {
    /// The item in this state.
    pub fn in_state(self, state: ItemState) -> Self {
        Self {
            version: state.version,
            status: state.status,
            in_transit_destination_service_point_id: state.in_transit_destination_service_point_id,
            last_check_in: state.last_check_in,
            ..self
        }
    }

    /// The effective loan type: temporary if set, otherwise permanent.
    pub fn loan_type_id(&self) -> Option<Uuid> {
        self.temporary_loan_type_id.or(self.permanent_loan_type_id)
    }

    /// True for declared lost and aged to lost items.
    pub(crate) fn is_lost(&self) -> bool {
        self.is(ItemStatus::DeclaredLost) || self.is(ItemStatus::AgedToLost)
    }

    /// The texts of the notes of a type.
    pub(crate) fn notes_for<'item>(&'item self, note_type: &str) -> impl Iterator<Item = &'item str> {
        let of_type = move |note: &&CirculationNote| note.note_type.as_deref() == Some(note_type);
        self.circulation_notes.iter().filter(of_type).filter_map(|note| note.note.as_deref())
    }

    /// True if the item has this status.
    pub fn is(&self, status: ItemStatus) -> bool {
        self.status.name == Some(status)
    }

    /// True if the item has one of these statuses.
    pub(crate) fn is_any_of(&self, statuses: &[ItemStatus]) -> bool {
        self.status.name.is_some_and(|status| statuses.contains(&status))
    }
}

impl Instance {
    /// Name of the primary contributor.
    pub(crate) fn primary_contributor(&self) -> Option<&str> {
        let primary = self.contributors.iter().find(|c| c.primary == Some(true));
        primary.map(|contributor| contributor.name.as_str())
    }

    /// Publication dates, as free text.
    pub(crate) fn dates_of_publication(&self) -> Vec<&str> {
        let dates = self.publication.iter().map(|p| p.date_of_publication.as_deref());
        dates.flatten().collect()
    }
}
