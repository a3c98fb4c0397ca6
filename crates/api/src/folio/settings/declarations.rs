//! The settings that a tenant keeps: legacy configuration entries, settings entries, locale, base URL, addresses
//! (docs/folio/configuration-and-settings.md).

use refusals::Refused;
use serde_json::{Map, Value};
use store::{
    collection::{Collection, IndexKind},
    record::text,
};

use super::refusals::{ADDRESS_NAME_TAKEN, CONFIGURATION_EXISTS, NAME_MISSING};

pub(in crate::folio) fn collections() -> Vec<Collection> {
    vec![
        configuration_entries(),
        configuration_audit(),
        settings_entries(),
        audit_settings(),
        tenant_addresses(),
        only_one("/locale", "locale", "locale, currency, timezone, numberingSystem").configuration(),
        only_one("/base-url", "baseurl", "baseUrl").near_static(),
    ]
}

/// A table with a single record, which its handlers read and write.
fn only_one(path: &'static str, table: &'static str, members: &str) -> Collection {
    Collection::new(path, table, table, members).without_metadata().without_routes()
}

/// An enabled entry is unique by module, name, code and user; a missing code or user counts as a value.
const CONFIGURATION_KEY: &str = "CASE WHEN doc->>'enabled' = 'true' THEN carrel.fold((doc->>'module') || chr(31) \
    || (doc->>'configName') || chr(31) || coalesce(doc->>'code', chr(30)) || chr(31) \
    || coalesce(doc->>'userId', chr(30))) END";

fn configuration_entries() -> Collection {
    Collection::new(
        "/configurations/entries",
        "configs",
        "config_data",
        "module*, configName*, code, description, default:bool, enabled:bool=true, value, userId",
    )
    .virtual_field("uniqueKey", CONFIGURATION_KEY)
    .unique_as(&["uniqueKey"], IndexKind::Exact, CONFIGURATION_EXISTS)
    .folded(&["module", "configName", "code"])
    .with_result_info()
    .without(&["put"])
    .configuration()
}

/// The history of configuration entries, written by a trigger.
fn configuration_audit() -> Collection {
    Collection::new(
        "/configurations/audit",
        "audits",
        "audit_config_data",
        "operation, createdDate, config_data:ConfigData",
    )
    .without_metadata()
    .without(&["get", "post", "put", "delete"])
}

/// An entry is unique by scope, key and user; a missing user counts as a value.
const SETTINGS_KEY: &str = "(doc->>'scope') || chr(31) || (doc->>'key') || chr(31) || coalesce(doc->>'userId', '')";

fn settings_entries() -> Collection {
    Collection::new("/settings/entries", "items", "settings", "scope*, key*, value*:any, userId:uuid")
        .without_metadata()
        .loose_reference("userId")
        .virtual_field("uniqueKey", SETTINGS_KEY)
        .unique_as(&["uniqueKey"], IndexKind::Exact, None)
        .folded(&["scope", "key"])
        .with_result_info()
        .configuration()
        .without_routes()
}

/// Which changes mod-audit records, by group and key; every tenant has the same six.
fn audit_settings() -> Collection {
    Collection::new(
        "/audit/config/groups",
        "settings",
        "audit_setting",
        "key*, value*:any, type*:(STRING|INTEGER|BOOLEAN), description<=500, groupId",
    )
    .unique_as(&["groupId", "key"], IndexKind::Exact, None)
    .without_routes()
}

fn tenant_addresses() -> Collection {
    Collection::new("/tenant-addresses", "addresses", "tenant_addresses", "name, address")
        .unique_as(&["name"], IndexKind::Exact, ADDRESS_NAME_TAKEN)
        .with_result_info()
        .default_limit(50)
        .checked(require_name)
        .near_static()
}

fn require_name(record: &mut Map<String, Value>) -> Result<(), Refused> {
    match text(record, "name") {
        Some(name) if !name.trim().is_empty() => Ok(()),
        _ => Err(NAME_MISSING.into()),
    }
}
