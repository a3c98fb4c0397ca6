//! Settings of the desk: cancellation reasons, staff slips, circulation settings and rules
//! (docs/folio/policies.md, docs/folio/settings.md, docs/folio/circulation-rules.md).

use refusals::Refused;
use serde_json::{Map, Value};
use store::collection::{Collection, IndexKind};

use super::refusal::SLIP_INCOMPLETE;

pub(super) fn collections() -> Vec<Collection> {
    vec![cancellation_reasons(), staff_slips(), circulation_settings(), circulation_rules()]
}

fn cancellation_reasons() -> Collection {
    Collection::new(
        "/cancellation-reason-storage/cancellation-reasons",
        "cancellationReasons",
        "cancellation_reason",
        "name*, description, publicDescription, requiresAdditionalInformation:bool, source",
    )
    .unique(&["name"])
    .near_static()
}

fn staff_slips() -> Collection {
    Collection::new(
        "/staff-slips-storage/staff-slips",
        "staffSlips",
        "staff_slips",
        "name*, description, active:bool=true, isRawHtml:bool=false, template*",
    )
    .unique(&["name"])
    .checked(check_staff_slip)
    .upserting()
    .without(&["post"])
    .near_static()
}

fn check_staff_slip(record: &mut Map<String, Value>) -> Result<(), Refused> {
    let missing = [("name", "Name"), ("template", "Template")]
        .into_iter()
        .filter(|(member, _)| record.get(*member).is_none_or(|text| text == ""))
        .map(|(_, which)| SLIP_INCOMPLETE.with("which", which))
        .collect();
    Refused(missing).or(())
}

/// Unique by name: posting a setting with an existing name replaces its value, so POST has its own handler.
fn circulation_settings() -> Collection {
    Collection::new(
        "/circulation-settings-storage/circulation-settings",
        "circulationSettings",
        "circulation_settings",
        "name*, value*:object, ...",
    )
    .with_required_id()
    .unique_as(&["name"], IndexKind::Exact, None)
    .without(&["post"])
    .configuration()
}

/// The single record with the rules text. Its routes (`/circulation/rules`, `/circulation-rules-storage`) have their
/// own handlers.
pub fn circulation_rules() -> Collection {
    Collection::new("/circulation-rules-storage", "circulationRules", "circulation_rules", "rulesAsText*")
        .without_routes()
        .configuration()
}
