//! Patrons: users as the desk sees them.

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use crate::dates::parse_date_time;

/// A patron.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Patron {
    /// Id.
    pub id: Uuid,
    /// Barcode of the library card.
    pub barcode: Option<String>,
    /// Name the patron signs in with.
    pub username: Option<String>,
    /// May use the library.
    pub active: Option<bool>,
    /// When the registration expires, as stored.
    pub expiration_date: Option<String>,
    /// Patron group.
    pub patron_group: Option<Uuid>,
    /// Departments.
    pub departments: Vec<Uuid>,
    /// Name and addresses.
    pub personal: Personal,
}

/// A patron's name and addresses.
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
    /// How the patron wants to be called.
    pub preferred_first_name: Option<String>,
    /// Addresses.
    pub addresses: Vec<Address>,
}

/// A postal address.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Address {
    /// Country, two letters.
    pub country_id: Option<String>,
    /// First line.
    pub address_line1: Option<String>,
    /// Second line.
    pub address_line2: Option<String>,
    /// City.
    pub city: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Postal code.
    pub postal_code: Option<String>,
    /// What kind of address it is.
    pub address_type_id: Option<Uuid>,
    /// The main one.
    pub primary_address: bool,
}

/// Leave of one patron to act for another.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ProxyRelationship {
    /// `Active` or not.
    pub status: Option<String>,
    /// When it expires, as stored.
    pub expiration_date: Option<String>,
}

impl Patron {
    /// When the registration expires.
    pub fn expires(&self) -> Option<Timestamp> {
        self.expiration_date.as_deref().and_then(parse_date_time)
    }

    /// May use the library now; `None` when the record does not say.
    pub fn is_active(&self, now: Timestamp) -> Option<bool> {
        let unexpired = self.expires().is_none_or(|expires| expires >= now);
        self.active.map(|active| active && unexpired)
    }

    /// The account by which libraries that lend to each other borrow.
    pub fn is_of_lending_network(&self) -> bool {
        let name = self.personal.last_name.as_deref();
        name.is_some_and(|name| name.eq_ignore_ascii_case("DcbSystem"))
    }

    /// `Last, First`, or the name the patron signs in with.
    pub fn name(&self) -> String {
        let present = |name: &Option<String>| name.clone().filter(|n| !n.trim().is_empty());
        match (
            present(&self.personal.last_name),
            present(&self.personal.first_name),
        ) {
            (Some(last), Some(first)) => format!("{last}, {first}"),
            // FOLIO prints the missing name.
            _ => self.username.clone().unwrap_or_else(|| "null".to_owned()),
        }
    }
}

impl ProxyRelationship {
    /// Active and not expired.
    pub fn is_active(&self, now: Timestamp) -> bool {
        let expires = self.expiration_date.as_deref().and_then(parse_date_time);
        let active = self
            .status
            .as_deref()
            .is_some_and(|s| s.eq_ignore_ascii_case("active"));
        active && expires.is_none_or(|expires| expires > now)
    }
}
