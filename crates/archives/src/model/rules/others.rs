//! Rules for queries, jobs and assessments.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};

use super::super::registry::record_type;
use super::{Finding, error_if, text};

/// A query has a value, unless it asks for what is empty.
pub(crate) fn query_has_value(query: &Map<String, Value>) -> Vec<Finding> {
    let missing = !query.contains_key("value") && text(query, "comparator") != Some("empty");
    error_if(missing, "value", "Must specify either a value or use the 'empty' comparator").into_iter().collect()
}

/// What a job is to replace is a property of the records it is to replace it in.
pub(crate) fn property_exists(job: &Map<String, Value>) -> Vec<Finding> {
    let (Some(name), Some(property)) = (text(job, "record_type"), text(job, "property")) else { return Vec::new() };
    let exists = record_type(name).is_some_and(|of| of.fields.get(property).is_some());
    let message = format!("JSONModel(:{name}) does not have a property named '{property}'");
    error_if(!exists, "property", &message).into_iter().collect()
}

static MONEY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\A\d+(\.\d{1,2})?\z").expect("the pattern is well formed"));

/// A monetary value is a number.
pub(crate) fn monetary_value(assessment: &Map<String, Value>) -> Vec<Finding> {
    let wrong = text(assessment, "monetary_value").is_some_and(|value| !MONEY.is_match(value));
    error_if(wrong, "monetary_value", "must be a number with no more than 2 decimal places").into_iter().collect()
}

static EMAIL: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^[A-Z0-9._%+-]+@[A-Z0-9.-]+\.[A-Z]{2,}$").expect("the pattern is well formed"));

/// Harvesters learn who offers the records, and what each set is.
pub(crate) fn harvesting_is_described(config: &Map<String, Value>) -> Vec<Finding> {
    let missing = |property: &str| !config.contains_key(property);
    let has_set = |property: &str| text(config, property).is_some_and(|set| set != "[]");
    let (repositories, sponsors) = (has_set("repo_set_codes"), has_set("sponsor_set_names"));
    let no_email = !text(config, "oai_admin_email").is_some_and(|email| EMAIL.is_match(email));
    let checks = [
        (missing("oai_record_prefix"), "oai_record_prefix", "is not present"),
        (missing("oai_repository_name"), "oai_repository_name", "is not present"),
        (no_email, "oai_admin_email", "must be a valid email address"),
        (repositories && missing("repo_set_description"), "repo_set_description", "repo_set_desc_required"),
        (repositories && missing("repo_set_name"), "repo_set_name", "repo_set_name_required"),
        (sponsors && missing("sponsor_set_description"), "sponsor_set_description", "sponsor_set_desc_required"),
        (sponsors && missing("sponsor_set_name"), "sponsor_set_name", "sponsor_set_name_required"),
    ];
    checks.iter().filter_map(|(wrong, property, message)| error_if(*wrong, property, message)).collect()
}
