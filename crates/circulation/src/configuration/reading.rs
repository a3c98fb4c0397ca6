//! Reads the configuration from the result of its statement: an object with a list of stored records for each kind.
//!
//! A record that cannot be read is skipped and logged: one invalid calendar must not stop circulation.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{
    Configuration, Location, Rules, SelfChecks, TitleTemplates, Zone,
    entries::{entry, setting},
    notices,
};
use crate::{
    calendars::{Calendar, Openings},
    policies::notice::NoticePolicy,
    rules::{Matcher, parse},
};

/// A record of which only id, name and code matter; address types store the name as `addressType`.
#[derive(Deserialize)]
struct Named {
    id: Uuid,
    #[serde(alias = "addressType", default)]
    name: String,
    code: Option<String>,
}

impl Configuration {
    /// The configuration with this version and these records; the operator's options keep their defaults.
    pub fn read(version: i64, records: &Value) -> Configuration {
        let read = Records(records);
        let mut configuration = Configuration {
            version,
            rules: rules(read.0["rules"].as_str().unwrap_or_default()),
            rules_text: read.0["rules"].as_str().unwrap_or_default().to_owned(),
            loan_policies: read.by_id("loanPolicies"),
            schedules: read.by_id("schedules"),
            request_policies: read.by_id("requestPolicies"),
            overdue_fine_policies: read.by_id("overdueFinePolicies"),
            lost_item_policies: read.by_id("lostItemPolicies"),
            fee_owners: read.list("feeOwners").map(|(_, owner)| owner).collect(),
            notice_policies: read
                .list("noticePolicies")
                .map(|(id, record): (_, Value)| (id, NoticePolicy::read(record)))
                .collect(),
            title_templates: TitleTemplates::read(records),
            notices_at_once: notices::at_once(records),
            session_minutes: notices::session_minutes(records),
            service_points: read.by_id("servicePoints"),
            locations: read.by_id("locations"),
            openings: openings(&read),
            patron_groups: read.by_id("patronGroups"),
            material_types: read.names("materialTypes"),
            loan_types: read.names("loanTypes"),
            identifier_types: read.names("identifierTypes"),
            departments: read.names("departments"),
            address_types: read.names("addressTypes"),
            block_conditions: read.by_id("blockConditions"),
            block_limits: read.list("blockLimits").map(|(_, limit)| limit).collect(),
            time_zone: zone(records),
            language: language(records),
            title_level_requests: title_switch(records, "titleLevelRequestsFeatureEnabled"),
            title_holds_follow_rules: title_switch(records, "tlrHoldShouldFollowCirculationRules"),
            search_slips: search_slips(records),
            check_out_lock: check_out_lock(&records["checkOutLock"]),
            self_checks: SelfChecks::read(records, &entry(records, "localeSettings")),
            use_at_location: false,
            has_listeners: false,
        };
        name_places(&read, &mut configuration.locations);
        configuration
    }
}

struct Records<'r>(&'r Value);

impl Records<'_> {
    /// The readable records of one kind, with their ids.
    fn list<T: DeserializeOwned>(&self, kind: &'static str) -> impl Iterator<Item = (Uuid, T)> {
        let records = self.0[kind].as_array().map(Vec::as_slice).unwrap_or_default();
        records.iter().filter_map(move |record| {
            let id = record["id"].as_str().and_then(|id| Uuid::parse_str(id).ok())?;
            match T::deserialize(without_nulls(record)) {
                Ok(read) => Some((id, read)),
                Err(error) => {
                    tracing::warn!(kind, %id, %error, "a configuration record cannot be read");
                    None
                }
            }
        })
    }

    fn by_id<T: DeserializeOwned>(&self, kind: &'static str) -> HashMap<Uuid, T> {
        self.list(kind).collect()
    }

    fn names(&self, kind: &'static str) -> HashMap<Uuid, String> {
        self.list(kind).map(|(_, named): (_, Named)| (named.id, named.name)).collect()
    }
}

/// The record without null members, which mean the same as missing ones.
fn without_nulls(record: &Value) -> Value {
    match record {
        Value::Object(members) => Value::Object(
            members
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(|(name, value)| (name.clone(), without_nulls(value)))
                .collect::<Map<_, _>>(),
        ),
        Value::Array(elements) => elements.iter().map(without_nulls).collect(),
        other => other.clone(),
    }
}

fn rules(text: &str) -> Rules {
    if text.trim().is_empty() {
        return Rules::Blank;
    }
    match parse(text) {
        Ok(tree) => Rules::Ready(Matcher::new(&tree)),
        Err(error) => Rules::Broken(error),
    }
}

fn openings(records: &Records<'_>) -> HashMap<Uuid, Openings> {
    let mut calendars: HashMap<Uuid, Vec<Calendar>> = HashMap::new();
    for (_, calendar) in records.list::<Calendar>("calendars") {
        for service_point in &calendar.assignments {
            calendars.entry(*service_point).or_default().push(calendar.clone());
        }
    }
    calendars.into_iter().map(|(service_point, calendars)| (service_point, Openings::new(calendars))).collect()
}

fn name_places(records: &Records<'_>, locations: &mut HashMap<Uuid, Location>) {
    let institutions = records.by_id::<Named>("institutions");
    let campuses = records.by_id::<Named>("campuses");
    let libraries = records.by_id::<Named>("libraries");
    for location in locations.values_mut() {
        let institution = institutions.get(&location.institution_id);
        let campus = campuses.get(&location.campus_id);
        let library = libraries.get(&location.library_id);
        let name = |part: Option<&Named>| part.map(|part| part.name.clone());
        location.institution_name = name(institution);
        location.campus_name = name(campus);
        location.library_name = name(library);
        let parts = [library, campus, institution].into_iter().flatten();
        location.codes_of_parts = parts.filter_map(|part| part.code.clone()).collect();
    }
}

/// The time zone of the locale, else of the older configuration entry.
fn zone(records: &Value) -> Zone {
    let entry = entry(records, "localeSettings");
    let names = [&records["locale"]["timezone"], &entry["timezone"]];
    let mut zones = names.into_iter().filter_map(Value::as_str).map(TimeZone::get);
    zones.find_map(Result::ok).map(Zone).unwrap_or_default()
}

/// The language tag of the locale, else of the older configuration entry.
fn language(records: &Value) -> String {
    let entry = entry(records, "localeSettings");
    let tags = [&records["locale"]["locale"], &entry["locale"]];
    tags.into_iter().find_map(Value::as_str).unwrap_or_default().to_owned()
}

/// A flag of the setting `generalTlr` (an entry of mod-settings, or of the circulation settings), else of `TLR`, else of the configuration entry `TLR`.
fn title_switch(records: &Value, member: &str) -> bool {
    let set = |name: &str| flag(&setting(records, name)?[member]);
    set("generalTlr").or_else(|| set("TLR")).or_else(|| flag(&entry(records, "TLR")[member])).unwrap_or(false)
}

/// Reads the setting `PRINT_HOLD_REQUESTS`, else the configuration entry of the same name.
fn search_slips(records: &Value) -> bool {
    const NAME: &str = "PRINT_HOLD_REQUESTS";
    const MEMBER: &str = "printHoldRequestsEnabled";
    setting(records, NAME)
        .and_then(|value| flag(&value[MEMBER]))
        .or_else(|| flag(&entry(records, NAME)[MEMBER]))
        .unwrap_or(false)
}

/// Reads the setting `checkoutLockFeature`, whose value is JSON stored as text.
fn check_out_lock(value: &Value) -> bool {
    let written = value.as_str().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let value = written.as_ref().unwrap_or(value);
    flag(&value["checkOutLockFeatureEnabled"]).unwrap_or(false)
}

/// Clients store flags as JSON booleans or as text.
fn flag(value: &Value) -> Option<bool> {
    value.as_bool().or_else(|| value.as_str()?.parse().ok())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::{DESK, configuration, records, with};

    fn read(members: Value) -> Configuration {
        Configuration::read(1, &with(records(), members))
    }

    #[test]
    fn names_of_places_are_put_together() {
        let configuration = configuration();
        let library = configuration.locations.values().find_map(|l| l.library_name.clone());
        assert_eq!(library.as_deref(), Some("Main library"));
        assert_eq!(configuration.service_point(Some(DESK)).map(|s| s.name.as_str()), Some("Desk"));
    }

    #[test]
    fn a_record_that_cannot_be_read_is_left_out() {
        let calendars = json!([
            {"id": DESK, "startDate": "someday", "endDate": "2026-12-31", "assignments": [DESK]},
            {"id": DESK, "startDate": "2026-01-01", "endDate": "2026-12-31", "assignments": [DESK]},
        ]);
        assert_eq!(read(json!({"calendars": calendars})).openings.len(), 1);
        assert_eq!(read(json!({"loanPolicies": null})).loan_policies.len(), 0);
    }

    #[test]
    fn the_zone_is_the_locales_then_the_old_entrys() {
        let berlin = json!([{"configName": "localeSettings", "value": "{\"timezone\":\"Europe/Berlin\"}"}]);
        for (locale, entries, zone) in [
            (json!({"timezone": "America/New_York"}), berlin.clone(), "America/New_York"),
            (Value::Null, berlin, "Europe/Berlin"),
            (json!({"timezone": "Middle/Earth"}), json!([{"configName": "localeSettings", "value": "{"}]), "UTC"),
        ] {
            let read = read(json!({"locale": locale, "configurationEntries": entries}));
            assert_eq!(read.zone().iana_name(), Some(zone));
        }
    }

    #[test]
    fn the_lock_is_a_setting_written_as_text() {
        for (value, expected) in [
            (json!("{\"checkOutLockFeatureEnabled\":true}"), true),
            (json!({"checkOutLockFeatureEnabled": true}), true),
            (json!("{\"checkOutLockFeatureEnabled\":false}"), false),
            (json!("on"), false),
            (Value::Null, false),
        ] {
            assert_eq!(read(json!({"checkOutLock": value})).check_out_lock, expected, "{value}");
        }
    }

    #[test]
    fn title_level_requests_are_switched_in_three_places() {
        let setting = |name: &str, on: Value| json!({"name": name, "value": {"titleLevelRequestsFeatureEnabled": on}});
        let entry = json!([{"configName": "TLR", "value": "{\"titleLevelRequestsFeatureEnabled\":true}"}]);
        for (settings, entries, expected) in [
            (json!([]), json!([]), false),
            (json!([]), entry.clone(), true),
            (json!([setting("TLR", json!(false))]), entry, false),
            (json!([setting("TLR", json!(false)), setting("generalTlr", json!("true"))]), json!([]), true),
        ] {
            let members = json!({"circulationSettings": settings, "configurationEntries": entries});
            assert_eq!(read(members.clone()).title_level_requests, expected, "{members}");
        }
    }
}
