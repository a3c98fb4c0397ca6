//! The fields of the index of the archives (contract 8.2).

use std::{
    collections::BTreeSet,
    sync::{Arc, LazyLock},
};

use search::fields::{Fields, Kind};

use crate::model::{self, record_types};

const TEXT: &str = "four_part_id title fullrecord fullrecord_published notes notes_published dates extents subjects_text \
    creators_text agents_text display_string finding_aid_title finding_aid_filing_title parent_title processors \
    processing_funding_source summary collection_identifier_u_stext series_identifier_u_stext \
    top_container_u_typeahead_utext";
const WORDS: &str = "title_ws identifier_ws";
const SORTED: &str = "identifier title_sort identifier_sort repo_sort year_sort type_u_ssort indicator_u_icusort \
    top_container_u_icusort barcode_u_icusort typeahead_sort_key_u_sort display_string_sort parent_title_sort \
    processors_sort processing_funding_source_sort";
/// Fields with words of which a document has one value, so that clients sort by them, and the fields for that.
pub(super) const SORTED_AS: [(&str, &str); 4] = [
    ("display_string", "display_string_sort"),
    ("parent_title", "parent_title_sort"),
    ("processors", "processors_sort"),
    ("processing_funding_source", "processing_funding_source_sort"),
];
const NUMBERS: &str = "years accession_date_year assessment_survey_year assessment_id position_int_sort queue_position";
const EXACT: &str = "id uri parent_id pui_parent_id types primary_type repository suppressed publish external_id \
    ark_name component_id ref_id system_generated subjects subject_uris creators agents published_agents agent_uris \
    published_agent_uris related_agent_uris level langcode acquisition_type accession_date resource_type \
    restrictions_apply access_restrictions use_restrictions restrictions ead_id finding_aid_status digital_object_id \
    resource ancestors digital_object_type digital_object first_term_type temporary building floor room area root_uri \
    exclude_by_default has_classification_terms classification classification_path classification_paths \
    classification_uris location_uris linked_record_uris linked_record_titles digital_object_uris linked_instance_uris \
    related_accession_uris related_resource_uris rights_statement_agent_uris event_type outcome parent_type \
    processing_priority processing_status processing_hours_total authority_id source rules linked_agent_roles \
    used_within_repository used_within_published_repository is_user assessment_record_uris assessment_records \
    assessment_collection_uris assessment_collections assessment_surveyor_uris assessment_surveyors \
    assessment_survey_begin assessment_survey_end assessment_review_required assessment_sensitive_material \
    assessment_reviewer_uris assessment_reviewers assessment_inactive assessment_record_types assessment_completed \
    assessment_formats assessment_ratings assessment_conservation_issues created_by last_modified_by create_time \
    system_mtime user_mtime slug is_slug_auto series_uri_u_sstr series_title_u_sstr series_level_u_sstr \
    series_identifier_stored_u_sstr published_series_uri_u_sstr published_series_title_u_sstr collection_uri_u_sstr \
    collection_display_string_u_sstr collection_identifier_stored_u_sstr container_profile_uri_u_sstr \
    container_profile_display_string_u_sstr has_location_u_sbool location_uri_u_sstr location_display_string_u_sstr \
    location_profile_display_string_u_sstr exported_u_sbool empty_u_sbool barcode_u_sstr ils_holding_id_u_sstr \
    subcontainer_barcodes_u_sstr created_for_collection_u_sstr top_container_uri_u_sstr child_container_u_sstr \
    grand_child_container_u_sstr container_profile_width_u_sstr container_profile_height_u_sstr \
    container_profile_depth_u_sstr container_profile_dimension_units_u_sstr location_profile_width_u_sstr \
    location_profile_height_u_sstr location_profile_depth_u_sstr location_profile_dimension_units_u_sstr \
    location_profile_uri_u_sstr owner_repo_uri_u_sstr owner_repo_display_string_u_ssort \
    location_profile_display_string_u_ssort job_type report_type job_report_type status owner time_submitted \
    time_started time_finished files job_data";
/// Ends of names that any field may have.
const DYNAMIC: [&str; 17] = [
    "_enum_s",
    "_u_ustr",
    "_u_uint",
    "_u_utext",
    "_u_udate",
    "_u_ubool",
    "_u_sstr",
    "_u_sint",
    "_u_stext",
    "_u_sdate",
    "_u_sbool",
    "_u_sort",
    "_u_ssort",
    "_u_icusort",
    "_u_sortdate",
    "_u_ssortdate",
    "_int_sort",
];
/// Fields with moments.
pub(super) const MOMENTS: [&str; 8] = [
    "create_time",
    "user_mtime",
    "system_mtime",
    "assessment_survey_begin",
    "assessment_survey_end",
    "time_submitted",
    "time_started",
    "time_finished",
];

/// The fields of the index.
pub(super) static FIELDS: LazyLock<Arc<Fields>> = LazyLock::new(|| {
    let named = [
        (TEXT, Kind::Text),
        (WORDS, Kind::Words),
        (SORTED, Kind::Sorted),
        (NUMBERS, Kind::Number),
        (EXACT, Kind::Exact),
    ];
    let declared = named.into_iter().flat_map(|(names, kind)| names.split_whitespace().map(move |name| (name, kind)));
    let listed: Vec<String> = LISTED.iter().map(|name| format!("{name}_enum_s")).collect();
    let listed = listed.iter().map(|name| (name.as_str(), Kind::Exact));
    Arc::new(Fields::with_records(declared.chain(listed)))
});

/// Names of the properties whose values come from value lists; `type` is that of the items of notes.
pub(super) static LISTED: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
    let mut names = BTreeSet::from(["type".to_owned()]);
    record_types().iter().for_each(|of| listed(&of.fields, &mut names));
    names
});

fn listed(fields: &model::Fields, names: &mut BTreeSet<String>) {
    fn of_kind(name: &str, kind: &model::Kind, names: &mut BTreeSet<String>) {
        match kind {
            model::Kind::Text(text) if text.list.is_some() => {
                names.insert(name.to_owned());
            }
            model::Kind::Fields(fields) => listed(fields, names),
            model::Kind::Array { of, .. } => of_kind(name, of, names),
            model::Kind::AnyOf(kinds) => kinds.iter().for_each(|kind| of_kind(name, kind, names)),
            _ => {}
        }
    }
    fields.properties.iter().for_each(|property| of_kind(&property.name, &property.kind, names));
}

/// Whether clients may ask for the field, though no record may have it.
pub(super) fn is_known(name: &str) -> bool {
    FIELDS.kind(name).is_some() || DYNAMIC.iter().any(|end| name.len() > end.len() && name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_have_kinds_and_others_may_be_asked_for() {
        assert_eq!(FIELDS.kind("title"), Some(Kind::Text));
        assert_eq!(FIELDS.kind("level_enum_s"), Some(Kind::Exact));
        assert!(is_known("anything_u_sstr") && is_known("years") && !is_known("anything") && !is_known("_u_sstr"));
    }
}
