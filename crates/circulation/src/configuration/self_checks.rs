//! Self-check settings. The records are those of FOLIO's edge-sip2, so that a library that migrates keeps them: setting
//! entries of the scope `edge-sip2.config.manage`, else configuration entries of the module `edge-sip2`.
//! `acsTenantConfig` applies to all terminals, `selfCheckoutConfig.<service point>` to those of a service point, and
//! `selfCheckMessages` holds messages for the patrons' screens.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use uuid::Uuid;

const ALL: &str = "acsTenantConfig";
const OF_SERVICE_POINT: &str = "selfCheckoutConfig.";
const MESSAGES: &str = "selfCheckMessages";
const CURRENCY: &str = "USD";

/// Settings and messages of self-check terminals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfChecks {
    /// Settings for all terminals.
    pub rules: SelfCheckRules,
    /// Settings for the terminals of a service point.
    pub stations: HashMap<Uuid, StationRules>,
    /// Screen messages by name.
    pub messages: HashMap<String, String>,
    /// The library's currency as an ISO 4217 code.
    pub currency: String,
}

/// Settings for all of a library's terminals (`acsTenantConfig`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SelfCheckRules {
    /// Whether terminals may block patrons.
    pub status_update: Option<bool>,
    /// Whether terminals may submit transactions later.
    pub offline: bool,
    /// Whether every transaction requires the patron's password or PIN.
    pub password_required: bool,
    /// Whether a patron inquiry verifies a password that is sent; as in edge-sip2, only if the library enables it.
    pub password_checked: bool,
    /// Whether the password is the patron's PIN.
    pub pin: bool,
    /// Statuses of items that terminals refuse to check in.
    pub refused_statuses: HashSet<String>,
    /// Disabled messages, by their names in edge-sip2 (`HOLD`).
    pub switched_off: HashSet<String>,
}

/// Settings for the terminals of a service point (`selfCheckoutConfig`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StationRules {
    /// Whether they check items in.
    pub check_in: Option<bool>,
    /// Whether they check items out.
    pub check_out: Option<bool>,
    /// Whether they renew loans.
    pub renewal: Option<bool>,
    /// How many times a terminal resends a message.
    pub retries: Option<usize>,
    /// A terminal's timeout for responses, in tenths of a second.
    pub timeout: Option<usize>,
    /// Name of the library.
    pub library_name: Option<String>,
    /// Location of the terminals.
    pub location: Option<String>,
    /// Character set of the terminals.
    pub charset: Option<String>,
    /// Terminator of their messages.
    pub message_delimiter: Option<String>,
    /// Bins of a sorting machine, by the items they receive.
    pub sort_bins: HashMap<String, String>,
    /// Whether a check-in shows the patron whose hold the item fills.
    pub hold_patron: bool,
}

impl Default for SelfChecks {
    fn default() -> Self {
        Self {
            rules: SelfCheckRules::default(),
            stations: HashMap::new(),
            messages: HashMap::new(),
            currency: CURRENCY.to_owned(),
        }
    }
}

impl SelfChecks {
    /// Reads the configuration records; `locale` is the older locale entry.
    pub(super) fn read(records: &Value, locale: &Value) -> SelfChecks {
        let entries = entries(records);
        let currencies = [&records["locale"]["currency"], &locale["currency"]];
        let currency = currencies.into_iter().find_map(text);
        let none = Map::new();
        let named = |name: &str| entries.get(name).unwrap_or(&none);
        let stations = entries.iter().filter_map(|(name, value)| {
            let id = Uuid::try_parse(name.strip_prefix(OF_SERVICE_POINT)?).ok()?;
            Some((id, StationRules::read(value)))
        });
        let messages = named(MESSAGES).iter();
        let messages = messages.filter_map(|(name, value)| Some((name.clone(), text(value)?)));
        SelfChecks {
            rules: SelfCheckRules::read(named(ALL)),
            stations: stations.collect(),
            messages: messages.collect(),
            currency: currency.unwrap_or_else(|| CURRENCY.to_owned()),
        }
    }

    /// The settings for a service point's terminals.
    pub fn station(&self, service_point: Uuid) -> StationRules {
        self.stations.get(&service_point).cloned().unwrap_or_default()
    }
}

/// The records by name; a setting takes precedence over an older configuration entry, which is JSON stored as text.
fn entries(records: &Value) -> HashMap<String, Map<String, Value>> {
    let mut found = HashMap::new();
    for older in records["olderSelfChecks"].as_object().into_iter().flatten() {
        let value = older.1.as_str().unwrap_or_default();
        if let Ok(Value::Object(members)) = serde_json::from_str(value) {
            found.insert(older.0.clone(), members);
        }
    }
    for (name, value) in records["selfChecks"].as_object().into_iter().flatten() {
        if let Value::Object(members) = value {
            found.insert(name.clone(), members.clone());
        }
    }
    found
}

impl SelfCheckRules {
    fn read(members: &Map<String, Value>) -> Self {
        let flag = |name: &str| members.get(name).and_then(flag);
        let statuses = members.get("invalidCheckinStatuses").and_then(text);
        let statuses = statuses.unwrap_or_default();
        let statuses = statuses.split(',').map(str::trim);
        let messages = members.get("supportedMessages").and_then(Value::as_array);
        let off = |message: &&Value| message["isSupported"] == "N";
        let messages = messages.into_iter().flatten().filter(off);
        SelfCheckRules {
            status_update: flag("statusUpdateOk"),
            offline: flag("offlineOk").unwrap_or(false),
            password_required: flag("patronPasswordVerificationRequired").unwrap_or(false),
            password_checked: flag("alwaysCheckPatronPassword").unwrap_or(false),
            pin: flag("usePinForPatronVerification").unwrap_or(false),
            refused_statuses: statuses.filter(|status| !status.is_empty()).map(str::to_owned).collect(),
            switched_off: messages.filter_map(|m| text(&m["messageName"])).collect(),
        }
    }
}

impl StationRules {
    fn read(members: &Map<String, Value>) -> Self {
        let flag = |name: &str| members.get(name).and_then(flag);
        let text = |name: &str| members.get(name).and_then(text);
        let number = |name: &str| text(name)?.parse().ok();
        let bins = members.get("sortBins").and_then(Value::as_object);
        let bins = bins.into_iter().flatten();
        StationRules {
            check_in: flag("checkinOk"),
            check_out: flag("checkoutOk"),
            renewal: flag("acsRenewalPolicy"),
            retries: number("retriesAllowed"),
            timeout: number("timeoutPeriod"),
            library_name: text("libraryName"),
            location: text("terminalLocation"),
            charset: text("charset"),
            // Not trimmed: the delimiter is whitespace.
            message_delimiter: members.get("messageDelimiter").and_then(Value::as_str).map(str::to_owned),
            sort_bins: bins.filter_map(|(name, bin)| Some((name.clone(), self::text(bin)?))).collect(),
            hold_patron: flag("holdPatron").unwrap_or(false),
        }
    }
}

/// Flags are stored as JSON booleans or as text.
fn flag(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::String(text) => text.trim().to_ascii_lowercase().parse().ok(),
        _ => None,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const DESK: Uuid = Uuid::from_u128(1);

    #[test]
    fn settings_win_over_older_entries() {
        let station = format!("selfCheckoutConfig.{DESK}");
        let records = json!({
            "selfChecks": {
                "acsTenantConfig": {"patronPasswordVerificationRequired": true, "statusUpdateOk": "false",
                    "invalidCheckinStatuses": "Missing, Withdrawn ,",
                    "supportedMessages": [{"messageName": "HOLD", "isSupported": "N"},
                                          {"messageName": "RENEW", "isSupported": "Y"}]},
                "selfCheckMessages": {"patronUnknown": "Ausweis unbekannt", "odd": [1]},
            },
            "olderSelfChecks": {
                "acsTenantConfig": "{\"usePinForPatronVerification\": true}",
                (station): "{\"checkinOk\": false, \"retriesAllowed\": 3, \"messageDelimiter\": \"\\r\\n\"}",
                "broken": "{",
            },
            "locale": {"currency": "EUR"},
        });
        let read = SelfChecks::read(&records, &Value::Null);
        assert!(read.rules.password_required && !read.rules.pin && !read.rules.password_checked);
        assert_eq!(read.rules.status_update, Some(false));
        let statuses = ["Missing".to_owned(), "Withdrawn".to_owned()];
        assert_eq!(read.rules.refused_statuses, HashSet::from(statuses));
        assert_eq!(read.rules.switched_off, HashSet::from(["HOLD".to_owned()]));
        assert_eq!(read.messages.len(), 1);
        assert_eq!(read.currency, "EUR");
        let station = read.station(DESK);
        assert_eq!((station.check_in, station.check_out), (Some(false), None));
        assert_eq!(station.retries, Some(3));
        assert_eq!(station.message_delimiter.as_deref(), Some("\r\n"));
        assert_eq!(read.station(Uuid::nil()), StationRules::default());
    }

    #[test]
    fn nothing_set_is_no_rule() {
        let read = SelfChecks::read(&Value::Null, &Value::Null);
        assert_eq!(read, SelfChecks::default());
    }
}
