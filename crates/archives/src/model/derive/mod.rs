//! Texts that follow from a record (contract sections 4 and 7.1).

mod agents;
mod containers;
mod descriptions;
mod location_batches;
mod sort_names;

pub(crate) use agents::{agent_identity, agent_title, complete_agent, display_name};
pub(crate) use containers::{
    ContainerParts, SeriesPart, container_profile_display_string, is_series, location_profile_display_string,
    location_title, series_level, sub_container_display_string, top_container_display_string,
    top_container_long_display_string,
};
pub(crate) use descriptions::{
    PathStep, accession_display_string, archival_object_display_string, assessment_display_string,
    classification_term_display_string, dates_text, digital_object_component_display_string, fill_persistent_ids,
    fill_ref_id, identifier, path_from_root, repository_display_string, subject_title,
};
pub(crate) use location_batches::{batch_locations, complete_location};
pub(crate) use sort_names::{existence, sort_name};
