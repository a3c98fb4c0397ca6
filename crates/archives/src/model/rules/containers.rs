//! Rules for containers and places.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::{Finding, error, error_if, only_one, text};

/// An instance has a digital object or a container, as its type says.
pub(crate) fn instance_has_content(instance: &Map<String, Value>) -> Vec<Finding> {
    let is_digital = text(instance, "instance_type") == Some("digital_object");
    let of_type = "An instance with a digital object reference must be of type 'digital_object'";
    let finding = match (is_digital, instance.contains_key("digital_object"), instance.contains_key("sub_container")) {
        (true, false, _) => Some(error("digital_object", "Can't be empty")),
        (false, true, _) => Some(error("instance_type", of_type)),
        (false, false, false) => Some(error("sub_container", "Can't be empty")),
        _ => None,
    };
    finding.into_iter().collect()
}

/// At most one instance represents its record.
pub(crate) fn one_representative_instance(record: &Map<String, Value>) -> Vec<Finding> {
    let kind = text(record, "jsonmodel_type").unwrap_or("resource");
    let message = format!("A {kind} can have only one Instance defined as: is_representative");
    only_one(record, "instances", "is_representative", &message)
}

/// A second or third level has a type and an indicator, and a third level stands in a second.
pub(crate) fn levels_are_whole(container: &Map<String, Value>) -> Vec<Finding> {
    let [type_2, indicator_2, type_3, indicator_3] =
        ["type_2", "indicator_2", "type_3", "indicator_3"].map(|property| container.contains_key(property));
    let skipped = !type_2 && !indicator_2 && (type_3 || indicator_3);
    let checks = [
        (type_2 != indicator_2, "type_2", "container 2 requires both a type and indicator"),
        (skipped, "type_2", "container 2 is required if container 3 is provided"),
        (type_3 != indicator_3, "type_3", "container 3 requires both a type and indicator"),
    ];
    checks.iter().filter_map(|(wrong, property, message)| error_if(*wrong, property, message)).collect()
}

/// A container's stay in a previous location has ended.
pub(crate) fn previous_location_has_ended(location: &Map<String, Value>) -> Vec<Finding> {
    let open = text(location, "status") == Some("previous") && !location.contains_key("end_date");
    error_if(open, "end_date", "is required if status is previous").into_iter().collect()
}

static MEASURE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(\d+(\.\d{1,2})?|\.\d{1,2})\s*$").expect("the pattern is well formed"));

fn unmeasured(record: &Map<String, Value>) -> impl Iterator<Item = Finding> {
    let wrong = |property: &&str| text(record, property).is_some_and(|text| !MEASURE.is_match(text));
    let message = "must be a number with no more than 2 decimal places";
    ["depth", "width", "height"].into_iter().filter(wrong).map(|property| error(property, message))
}

/// The measures of a container are numbers, and so is how many stand on each other.
pub(crate) fn profile_is_measured(profile: &Map<String, Value>) -> Vec<Finding> {
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let uncounted = text(profile, "stacking_limit").is_some_and(|limit| !is_count(limit));
    unmeasured(profile).chain(error_if(uncounted, "stacking_limit", "must be a positive integer")).collect()
}

/// The measures of a location are numbers.
pub(crate) fn location_is_measured(profile: &Map<String, Value>) -> Vec<Finding> {
    unmeasured(profile).collect()
}

/// A location can be told from others in its area.
pub(crate) fn location_can_be_found(location: &Map<String, Value>) -> Vec<Finding> {
    let has = |property| location.contains_key(property);
    let found = has("barcode") || has("classification") || (has("coordinate_1_indicator") && has("coordinate_1_label"));
    if found { Vec::new() } else { vec![Finding::Code("location_fields_error")] }
}
