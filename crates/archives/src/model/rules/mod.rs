//! What must hold between the properties of a record. Declarations say the rest.
//!
//! The rules of a type are looked at only where the record itself lacks nothing that it needs, and some only where
//! nothing else is wrong.

mod agents;
mod containers;
mod description;
mod markup;
mod others;
mod timing;

#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use super::reading::{items, text};

/// What a rule found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A reason to refuse the record: the property, and the message.
    Error(String, String),
    /// Something to warn of, alike.
    Warning(String, String),
    /// A reason to refuse the record, known by a code.
    Code(&'static str),
}

/// Looks at a record.
pub type Rule = fn(&Map<String, Value>) -> Vec<Finding>;

/// The rules, by the record type they are for.
const RULES: &[(&str, Rule)] = &[
    ("resource", description::identifier_without_gaps),
    ("resource", description::has_a_language),
    ("resource", description::other_level_is_named),
    ("accession", description::identifier_without_gaps),
    ("archival_object", description::has_title_or_dates),
    ("archival_object", description::other_level_is_named),
    ("digital_object_component", description::has_label_title_or_dates),
    ("rights_statement", description::rights_have_their_grounds),
    ("rights_statement_external_document", description::document_has_identifier_type),
    ("note_multipart", description::has_a_subnote),
    ("note_multipart", timing::restriction_in_order),
    ("note_bioghist", description::has_a_subnote),
    ("collection_management", description::processing_is_in_numbers),
    ("user_defined", description::numbers_are_numbers),
    ("date", timing::date_in_order),
    ("event", timing::date_or_timestamp),
    ("assessment", timing::survey_in_order),
    ("assessment", others::monetary_value),
    ("structured_date_label", timing::single_or_range),
    ("structured_date_single", timing::single_date),
    ("structured_date_range", timing::date_range),
    ("instance", containers::instance_has_content),
    ("sub_container", containers::levels_are_whole),
    ("container_location", containers::previous_location_has_ended),
    ("container_profile", containers::profile_is_measured),
    ("location", containers::location_can_be_found),
    ("location_profile", containers::location_is_measured),
    ("agent_person", agents::dates_of_existence),
    ("agent_family", agents::dates_of_existence),
    ("agent_corporate_entity", agents::dates_of_existence),
    ("agent_software", agents::dates_of_existence),
    ("agent_software", agents::software_without_record_control),
    ("name_person", agents::has_sort_name),
    ("name_person", agents::authority_has_source),
    ("name_family", agents::has_sort_name),
    ("name_family", agents::authority_has_source),
    ("name_corporate_entity", agents::has_sort_name),
    ("name_corporate_entity", agents::authority_has_source),
    ("name_software", agents::has_sort_name),
    ("name_software", agents::authority_has_source),
    ("agent_function", agents::has_a_subject),
    ("agent_place", agents::has_a_subject),
    ("agent_occupation", agents::has_a_subject),
    ("agent_topic", agents::has_a_subject),
    ("agent_sources", agents::source_says_something),
    ("agent_alternate_set", agents::set_says_something),
    ("used_language", agents::language_or_note),
    ("field_query", others::query_has_value),
    ("date_field_query", others::query_has_value),
    ("find_and_replace_job", others::property_exists),
];

/// The rules that are looked at only where nothing else is wrong.
const LAST_RULES: &[(&str, Rule)] = &[
    ("resource", description::identifier_is_short),
    ("resource", description::one_primary_agent),
    ("resource", markup::title_is_well_formed),
    ("resource", containers::one_representative_instance),
    ("accession", description::identifier_is_short),
    ("accession", description::one_primary_agent),
    ("accession", markup::title_is_well_formed),
    ("archival_object", description::one_primary_agent),
    ("archival_object", markup::title_is_well_formed),
    ("archival_object", containers::one_representative_instance),
    ("digital_object", description::one_primary_agent),
    ("digital_object", markup::title_is_well_formed),
    ("digital_object", description::one_representative_file),
    ("digital_object_component", description::one_primary_agent),
    ("digital_object_component", markup::title_is_well_formed),
    ("digital_object_component", description::one_representative_file),
    ("file_version", description::representative_file_is_published),
    ("agent_person", agents::one_name_is_it),
    ("agent_family", agents::one_name_is_it),
    ("agent_corporate_entity", agents::one_name_is_it),
    ("agent_software", agents::one_name_is_it),
    ("agent_person", agents::one_contact_is_it),
    ("agent_family", agents::one_contact_is_it),
    ("agent_corporate_entity", agents::one_contact_is_it),
    ("agent_software", agents::one_contact_is_it),
    ("accession", description::documents_differ),
    ("archival_object", description::documents_differ),
    ("resource", description::documents_differ),
    ("subject", description::documents_differ),
    ("agent_person", description::documents_differ),
    ("agent_family", description::documents_differ),
    ("agent_corporate_entity", description::documents_differ),
    ("agent_software", description::documents_differ),
    ("rights_statement", description::documents_differ),
    ("digital_object", description::documents_differ),
    ("digital_object_component", description::documents_differ),
    ("oai_config", others::harvesting_is_described),
];

/// The rules of the record type, in the order in which they are looked at.
pub fn of(record_type: &str) -> impl Iterator<Item = Rule> {
    named(RULES, record_type)
}

/// The rules of the record type that are looked at where nothing else is wrong.
pub fn last_of(record_type: &str) -> impl Iterator<Item = Rule> {
    named(LAST_RULES, record_type)
}

fn named(rules: &'static [(&str, Rule)], record_type: &str) -> impl Iterator<Item = Rule> {
    rules.iter().filter(move |(name, _)| *name == record_type).map(|(_, rule)| *rule)
}

fn error(property: &str, message: &str) -> Finding {
    Finding::Error(property.to_owned(), message.to_owned())
}

/// The error, if the condition holds.
fn error_if(condition: bool, property: &str, message: &str) -> Option<Finding> {
    condition.then(|| error(property, message))
}

/// An error for each of the list's items that has the flag after one that has it.
fn only_one(record: &Map<String, Value>, list: &str, flag: &str, message: &str) -> Vec<Finding> {
    let flagged = items(record, list).iter().enumerate().filter(|(_, item)| item.get(flag) == Some(&Value::Bool(true)));
    flagged.skip(1).map(|(place, _)| error(&format!("{list}/{place}/{flag}"), message)).collect()
}
