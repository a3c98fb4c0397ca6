//! Texts that follow from a record (contract sections 4 and 7.1).

mod agents;
mod containers;
mod descriptions;
mod location_batches;
mod slugs;
mod sort_names;

pub(crate) use agents::{agent_identity, agent_title, complete_agent, display_name};
pub(crate) use containers::{container_profile_display_string, location_profile_display_string, location_title};
pub(crate) use descriptions::{
    accession_display_string, archival_object_display_string, digital_object_component_display_string,
    fill_persistent_ids, fill_ref_id, identifier, repository_display_string, subject_title,
};
pub(crate) use location_batches::{batch_locations, complete_location};
pub(crate) use slugs::{clean_slug, fill_slug};
