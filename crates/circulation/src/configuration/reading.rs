//! Reads the configuration from what its statement returns: an object with one member for each kind
//! of record, each a list of stored records.
//!
//! A record that cannot be read is left out and logged: one odd calendar must not close the desk.

use std::collections::HashMap;

use jiff::tz::TimeZone;
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Map, Value};
use uuid::Uuid;

use super::{Configuration, Location, Rules, Zone};
use crate::{
    calendar::{Calendar, Openings},
    policies::NamedPolicy,
    rules::{Matcher, parse},
};

/// A record of which only id and name matter; patron groups call the name `group`, address types
/// `addressType`.
#[derive(Deserialize)]
struct Named {
    id: Uuid,
    #[serde(alias = "group", alias = "addressType", default)]
    name: String,
}

impl Configuration {
    /// The configuration in version `version`, from its records.
    pub fn read(version: i64, records: &Value) -> Configuration {
        let read = Records(records);
        let mut configuration = Configuration {
            version,
            rules: rules(read.0["rules"].as_str().unwrap_or_default()),
            loan_policies: read.by_id("loanPolicies"),
            schedules: read.by_id("schedules"),
            request_policies: read.by_id("requestPolicies"),
            overdue_fine_policies: read.by_id("overdueFinePolicies"),
            lost_item_policies: read.by_id("lostItemPolicies"),
            notice_policies: read
                .list("noticePolicies")
                .map(|(id, _): (_, NamedPolicy)| id)
                .collect(),
            service_points: read.by_id("servicePoints"),
            locations: read.by_id("locations"),
            openings: openings(&read),
            patron_groups: read.names("patronGroups"),
            material_types: read.names("materialTypes"),
            loan_types: read.names("loanTypes"),
            departments: read.names("departments"),
            address_types: read.names("addressTypes"),
            block_conditions: read.by_id("blockConditions"),
            block_limits: read.list("blockLimits").map(|(_, limit)| limit).collect(),
            time_zone: zone(&records["timeZone"]),
            title_level_requests: records["titleLevelRequests"].as_bool().unwrap_or(false),
        };
        name_places(&read, &mut configuration.locations);
        configuration
    }
}

struct Records<'r>(&'r Value);

impl Records<'_> {
    /// The records of one kind that can be read, with their ids.
    fn list<T: DeserializeOwned>(&self, kind: &'static str) -> impl Iterator<Item = (Uuid, T)> {
        let records = self.0[kind]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        records.iter().filter_map(move |record| {
            let id = record["id"]
                .as_str()
                .and_then(|id| Uuid::parse_str(id).ok())?;
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
        self.list(kind)
            .map(|(_, named): (_, Named)| (named.id, named.name))
            .collect()
    }
}

/// The record without members that are null, which say no more than members that are not there.
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
            calendars
                .entry(*service_point)
                .or_default()
                .push(calendar.clone());
        }
    }
    calendars
        .into_iter()
        .map(|(service_point, calendars)| (service_point, Openings::new(calendars)))
        .collect()
}

fn name_places(records: &Records<'_>, locations: &mut HashMap<Uuid, Location>) {
    let institutions = records.names("institutions");
    let campuses = records.names("campuses");
    let libraries = records.names("libraries");
    for location in locations.values_mut() {
        location.institution_name = institutions.get(&location.institution_id).cloned();
        location.campus_name = campuses.get(&location.campus_id).cloned();
        location.library_name = libraries.get(&location.library_id).cloned();
    }
}

fn zone(name: &Value) -> Zone {
    let named = name.as_str().and_then(|name| TimeZone::get(name).ok());
    named.map(Zone).unwrap_or_default()
}
