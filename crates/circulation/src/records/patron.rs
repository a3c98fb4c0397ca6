//! Patrons: users as circulation sees them.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use crate::dates::parse_date_time;

/// A patron.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Patron {
    /// ID of the user.
    pub id: Uuid,
    /// Barcode of the library card.
    pub barcode: Option<String>,
    /// Login name.
    pub username: Option<String>,
    /// Whether the account is active; see [`Patron::is_active`] for the expiration date.
    pub active: Option<bool>,
    /// Expiration date of the account, as stored.
    pub expiration_date: Option<String>,
    /// ID of the patron group.
    pub patron_group: Option<Uuid>,
    /// IDs of the departments.
    pub departments: Vec<Uuid>,
    /// Name and contact data.
    pub personal: Personal,
}

/// A patron's name and contact data.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Personal {
    /// Last name.
    pub last_name: Option<String>,
    /// First name.
    pub first_name: Option<String>,
    /// Middle name.
    pub middle_name: Option<String>,
    /// E-mail address.
    pub email: Option<String>,
    /// Used instead of the first name where set.
    pub preferred_first_name: Option<String>,
    /// Addresses.
    pub addresses: Vec<Address>,
}

/// A postal address.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Address {
    /// Two-letter country code.
    pub country_id: Option<String>,
    /// First line.
    pub address_line1: Option<String>,
    /// Second line.
    pub address_line2: Option<String>,
    /// City.
    pub city: Option<String>,
    /// State or region.
    pub region: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// ID of the address type.
    pub address_type_id: Option<Uuid>,
    /// True for the primary address.
    pub primary_address: bool,
}

/// A proxy relationship: one patron may act for another.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProxyRelationship {
    /// `Active` or `Inactive`.
    pub status: Option<String>,
    /// Expiration date, as stored.
    pub expiration_date: Option<String>,
}

impl Patron {
    /// When the account expires.
    pub fn expires(&self) -> Option<Timestamp> {
        self.expiration_date.as_deref().and_then(parse_date_time)
    }

    /// True if the account is active and not expired; `None` if the record has no active flag.
    pub fn is_active(&self, now: Timestamp) -> Option<bool> {
        let unexpired = self.expires().is_none_or(|expires| expires >= now);
        self.active.map(|active| active && unexpired)
    }

    /// True for the account of direct consortial borrowing (DCB).
    pub(crate) fn is_dcb(&self) -> bool {
        let name = self.personal.last_name.as_deref();
        name.is_some_and(|name| name.eq_ignore_ascii_case("DcbSystem"))
    }

    /// `Last, First`, or the username if either name is missing.
    pub fn name(&self) -> String {
        let present = |name: &Option<String>| name.clone().filter(|n| !n.trim().is_empty());
        match (present(&self.personal.last_name), present(&self.personal.first_name)) {
            (Some(last), Some(first)) => format!("{last}, {first}"),
            // FOLIO prints a missing username as `null`.
            _ => self.username.clone().unwrap_or_else(|| "null".to_owned()),
        }
    }
}

impl ProxyRelationship {
    /// True if the relationship is active and not expired.
    pub fn is_active(&self, now: Timestamp) -> bool {
        let expires = self.expiration_date.as_deref().and_then(parse_date_time);
        let active = self.status.as_deref().is_some_and(|s| s.eq_ignore_ascii_case("active"));
        active && expires.is_none_or(|expires| expires > now)
    }
}
