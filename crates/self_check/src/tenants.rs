//! Which terminals belong to which tenant, and their dialects: the file `sip2-tenants.conf` of FOLIO's edge-sip2.

use std::net::IpAddr;

use serde_json::Value;
use sip2::{Dialect, Encoding, Ending};

/// Why the file cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TenantTableError {
    #[error("the file is no JSON: {0}")]
    NoJson(String),
    /// A member has an invalid value.
    #[error("{member} cannot be {value}")]
    Odd { member: &'static str, value: String },
}

/// The rows of the file, in order; the outermost values apply where a row has none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TenantTable {
    base: Row,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Row {
    tenant: Option<String>,
    subnet: Option<Subnet>,
    port: Option<u16>,
    locations: Vec<String>,
    encoding: Option<Encoding>,
    delimiter: Option<u8>,
    ending: Option<Ending>,
}

impl TenantTable {
    /// Parses the file.
    pub fn read(text: &str) -> Result<Self, TenantTableError> {
        let no_json = |error: serde_json::Error| TenantTableError::NoJson(error.to_string());
        let file: Value = serde_json::from_str(text).map_err(no_json)?;
        let rows = file["scTenants"].as_array().into_iter().flatten();
        Ok(Self { base: Row::read(&file)?, rows: rows.map(Row::read).collect::<Result<_, _>>()? })
    }

    /// The tenant, if the connection implies one, and the dialect.
    #[must_use]
    pub(crate) fn at_connection(&self, address: IpAddr, port: u16, dialect: Dialect) -> (Option<&str>, Dialect) {
        let by_port = || self.rows.iter().find(|row| row.port == Some(port) && row.reaches(address));
        let by_subnet = |row: &&Row| row.port.is_none() && row.subnet.is_some() && row.reaches(address);
        let row = by_port().or_else(|| self.rows.iter().find(by_subnet));
        let tenant = row.and_then(|row| row.tenant.as_deref());
        let dialect = self.base.over(dialect);
        (tenant.or(self.base.tenant.as_deref()), row.map_or(dialect, |row| row.over(dialect)))
    }

    /// The tenant with terminals at that location.
    #[must_use]
    pub(crate) fn at_location(&self, location: &str) -> Option<&str> {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.locations.iter().any(|known| known == location));
        row?.tenant.as_deref()
    }
}

impl Row {
    fn read(value: &Value) -> Result<Self, TenantTableError> {
        let text = |member: &str| value[member].as_str().filter(|text| !text.is_empty());
        let locations = value["locationCodes"].as_array().into_iter().flatten();
        Ok(Row {
            tenant: text("tenant").map(str::to_owned),
            subnet: known("scSubnet", text("scSubnet"), Subnet::read)?,
            port: port(&value["port"])?,
            locations: locations.filter_map(|code| code.as_str().map(str::to_owned)).collect(),
            encoding: known("charset", text("charset"), Encoding::named)?,
            delimiter: known("fieldDelimiter", text("fieldDelimiter"), delimiter)?,
            ending: known("messageDelimiter", text("messageDelimiter"), ending)?,
        })
    }

    fn reaches(&self, address: IpAddr) -> bool {
        self.subnet.is_none_or(|subnet| subnet.contains(address))
    }

    fn over(&self, dialect: Dialect) -> Dialect {
        Dialect {
            encoding: self.encoding.unwrap_or(dialect.encoding),
            delimiter: self.delimiter.unwrap_or(dialect.delimiter),
            ending: self.ending.or(dialect.ending),
        }
    }
}

fn known<T>(
    member: &'static str,
    text: Option<&str>,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, TenantTableError> {
    let odd = |text: &str| TenantTableError::Odd { member, value: format!("{text:?}") };
    text.map(|text| read(text).ok_or_else(|| odd(text))).transpose()
}

/// A port. edge-sip2 writes it as a number, a text or a list; a list counts only in a row, not at the top.
fn port(value: &Value) -> Result<Option<u16>, TenantTableError> {
    let read = match value {
        Value::Null | Value::Array(_) => return Ok(None),
        Value::Number(number) => number.as_u64().and_then(|n| u16::try_from(n).ok()),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    let odd = || TenantTableError::Odd { member: "port", value: value.to_string() };
    read.map(Some).ok_or_else(odd)
}

fn delimiter(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [delimiter] if delimiter.is_ascii_punctuation() => Some(*delimiter),
        _ => None,
    }
}

/// The line end for what edge-sip2 calls a message delimiter.
pub(crate) fn ending(text: &str) -> Option<Ending> {
    match text {
        "\r" | "\\r" => Some(Ending::Cr),
        "\r\n" | "\\r\\n" => Some(Ending::CrLf),
        _ => None,
    }
}

/// An address and the length of its prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Subnet {
    address: IpAddr,
    bits: u32,
}

impl Subnet {
    fn read(text: &str) -> Option<Self> {
        let (address, bits) = match text.split_once('/') {
            Some((address, bits)) => (address, Some(bits.parse().ok()?)),
            None => (text, None),
        };
        let (address, most) = match address.contains(':') {
            true => (IpAddr::V6(address.parse().ok()?), 128),
            false => (IpAddr::V4(octets(address)?.into()), 32),
        };
        let bits = bits.unwrap_or(most);
        (bits <= most).then_some(Self { address, bits })
    }

    fn contains(self, address: IpAddr) -> bool {
        match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                let mask = u32::MAX.checked_shl(32 - self.bits).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => {
                let mask = u128::MAX.checked_shl(128 - self.bits).unwrap_or(0);
                own.to_bits() & mask == other.to_bits() & mask
            }
            _ => false,
        }
    }
}

/// Parses four numbers, with leading zeros, because edge-sip2's own example has `11.11.00.00`, which a strict parser
/// rejects.
fn octets(text: &str) -> Option<[u8; 4]> {
    let parts: Option<Vec<u8>> = text.split('.').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"tenant": "main", "charset": "ISO-8859-1", "scTenants": [
        {"scSubnet": "11.11.00.00/16", "tenant": "north", "messageDelimiter": "\r\n"},
        {"scSubnet": "1001:db8:1::/48", "tenant": "south", "fieldDelimiter": "~", "charset": "UTF-8"},
        {"port": "6444", "tenant": "east"},
        {"tenant": "west", "locationCodes": ["f79ed33a", "WEST"]}]}"#;

    #[test]
    fn the_connection_implies_tenant_and_dialect() {
        let table = TenantTable::read(FILE).unwrap();
        let latin = |delimiter, ending| Dialect { encoding: Encoding::Latin1, delimiter, ending };
        let utf8 = Dialect { delimiter: b'~', ..Dialect::default() };
        for (address, port, tenant, dialect) in [
            ("11.11.3.4", 6001, "north", latin(b'|', Some(Ending::CrLf))),
            ("::ffff:11.11.3.4", 6001, "north", latin(b'|', Some(Ending::CrLf))),
            ("11.12.3.4", 6001, "main", latin(b'|', None)),
            ("1001:db8:1:9::1", 6001, "south", utf8),
            ("11.11.3.4", 6444, "east", latin(b'|', None)),
        ] {
            let found = table.at_connection(address.parse().unwrap(), port, Dialect::default());
            assert_eq!(found, (Some(tenant), dialect), "{address}:{port}");
        }
        assert_eq!(table.at_location("WEST"), Some("west"));
        assert_eq!(table.at_location("EAST"), None);
    }

    #[test]
    fn invalid_values_are_named() {
        for (text, expected) in [
            ("{", "the file is no JSON"),
            (r#"{"charset": "EBCDIC"}"#, "charset cannot be \"EBCDIC\""),
            (r#"{"scTenants": [{"scSubnet": "1.2.3.4/33"}]}"#, "scSubnet cannot be"),
            (r#"{"scTenants": [{"scSubnet": "1.2.3"}]}"#, "scSubnet cannot be"),
            (r#"{"scTenants": [{"port": 70000}]}"#, "port cannot be 70000"),
            (r#"{"fieldDelimiter": "||"}"#, "fieldDelimiter cannot be"),
        ] {
            let error = TenantTable::read(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
        let all = Subnet::read("0.0.0.0/0").unwrap();
        assert!(all.contains("9.9.9.9".parse().unwrap()));
    }
}
