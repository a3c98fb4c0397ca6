//! Settings of the desk: cancellation reasons, staff slips, circulation settings and rules
//! (docs/folio/policies.md, docs/folio/settings.md, docs/folio/circulation-rules.md).

use serde_json::{Map, Value};
use store::collection::{Collection, Fault, IndexKind, Unique};

pub(super) fn collections() -> Vec<Collection> {
    vec![
        cancellation_reasons(),
        staff_slips(),
        circulation_settings(),
        circulation_rules(),
    ]
}

fn cancellation_reasons() -> Collection {
    Collection::new(
        "/cancellation-reason-storage/cancellation-reasons",
        "cancellationReasons",
        "cancellation_reason",
        "name*, description, publicDescription, requiresAdditionalInformation:bool, source",
    )
    .unique(&["name"])
}

fn staff_slips() -> Collection {
    Collection::new(
        "/staff-slips-storage/staff-slips",
        "staffSlips",
        "staff_slips",
        "name, description, active:bool=true, isRawHtml:bool=false, template",
    )
    .unique(&["name"])
    .checked(check_staff_slip)
    .upserting()
    .without(&["post"])
}

fn check_staff_slip(record: &mut Map<String, Value>) -> Result<(), Fault> {
    let missing = [("name", "Name"), ("template", "Template")]
        .into_iter()
        .filter(|(member, _)| record.get(*member).is_none_or(|text| text == ""))
        .map(|(_, label)| format!("{label} is a required property"))
        .collect::<Vec<_>>();
    match missing.is_empty() {
        true => Ok(()),
        false => Err(Fault::text(missing.join("\n"))),
    }
}

/// Kept by name: a posted setting with a known name replaces its value, so POST has a handler of its own.
fn circulation_settings() -> Collection {
    Collection::new(
        "/circulation-settings-storage/circulation-settings",
        "circulationSettings",
        "circulation_settings",
        "name*, value*:object, ...",
    )
    .with_required_id()
    .unique_as(Unique {
        fields: &["name"],
        kind: IndexKind::Exact,
        message: None,
        key: None,
        code: None,
    })
    .without(&["post"])
    .configuration()
}

/// The one record that holds the rules' text. Its routes (`/circulation/rules`, `/circulation-rules-storage`) have
/// handlers of their own.
#[must_use]
pub fn circulation_rules() -> Collection {
    Collection::new(
        "/circulation-rules-storage",
        "circulationRules",
        "circulation_rules",
        "rulesAsText*",
    )
    .without(&["list", "get", "post", "put", "delete"])
    .configuration()
}
