//! Components, digital objects and links to containers from spreadsheets (contract 3.5, `bulk_import_job` and
//! `top_container_linker_job`): field codes, checks and messages are those of ArchivesSpace, whose templates staff fill in.
//!
//! | Step | Module |
//! |---|---|
//! | what the sheet names of the library | [`wanted`] |
//! | parts of records: dates, extents, notes | [`parts`] |
//! | agents, subjects, containers, digital objects | [`links`] |
//! | a component for each row | [`components`] |
//! | a digital object for each row | [`digital_objects`] |
//! | containers for components | [`linker`] |
//! | what became of each row | [`report`] |
//!
//! Only [`look_up`] asks the database, before the rows are worked on.

pub(crate) mod components;
pub(crate) mod digital_objects;
pub(crate) mod linker;
pub(crate) mod links;
pub(crate) mod look_up;
pub(crate) mod parts;
pub(crate) mod report;
#[cfg(test)]
mod tests;
pub(crate) mod values;
pub(crate) mod wanted;

use serde_json::Value;

use crate::import::ImportError;

/// Takes the records that rows make, with temporary addresses.
pub(crate) trait Sink {
    /// Adds a record.
    ///
    /// # Errors
    /// It is refused, or the import ends.
    fn add(&mut self, record: Value, row: usize) -> Result<(), Stop>;

    /// Replaces a record that was added.
    ///
    /// # Errors
    /// As [`add`](Self::add).
    fn revise(&mut self, record: Value, row: usize) -> Result<(), Stop>;
}

/// Why a row is not worked on further.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The row is wrong.
    Row(String),
    /// The sheet is wrong: no further row is read.
    Sheet(String),
    /// The import ends without saving anything.
    Import(ImportError),
}

/// An instance that a component gets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Added {
    /// The id of the component.
    pub component: i64,
    pub row: usize,
    pub instance: Value,
    /// The address of the digital object that was made for it.
    pub made: Option<String>,
}

/// Where rows belong.
#[derive(Debug, Clone, Default)]
pub(crate) struct Target {
    pub repository: i64,
    /// Its address.
    pub resource: String,
    pub ead_id: Option<String>,
    /// The component that was chosen to begin with, and the one above it.
    pub start: Option<(String, Option<String>)>,
    pub only_validates: bool,
}

impl Target {
    /// Refuses a row that is about another resource.
    fn matches(&self, ead_id: Option<&str>, uri: Option<&str>) -> Result<(), String> {
        match (uri, ead_id, &self.ead_id) {
            (None, None, _) => Err("This row is missing BOTH an EAD ID and URI".to_owned()),
            (Some(uri), ..) if uri != self.resource => {
                Err(format!("Input resource's URI [{}] does not match row's URI [{uri}]", self.resource))
            }
            (None, Some(_), None) => Err("This form's resource is missing an EAD ID".to_owned()),
            (None, Some(row), Some(own)) if row != own => {
                Err(format!("Form's EAD ID [{own}] does not match row's EAD ID [{row}]"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod target_tests {
    use super::*;

    #[test]
    fn a_row_names_its_resource() {
        let uri = "/repositories/2/resources/1";
        let of = |ead_id: Option<&str>| Target {
            resource: uri.to_owned(),
            ead_id: ead_id.map(str::to_owned),
            ..Target::default()
        };
        let target = of(Some("MS1"));
        assert!(target.matches(None, Some(uri)).is_ok() && target.matches(Some("MS1"), None).is_ok());
        assert!(target.matches(Some("other"), Some(uri)).is_ok(), "the address is enough");
        for (target, ead_id, row, text) in [
            (&target, None, None, "This row is missing BOTH an EAD ID and URI"),
            (&target, Some("MS2"), None, "Form's EAD ID [MS1] does not match row's EAD ID [MS2]"),
            (
                &target,
                None,
                Some("/x"),
                "Input resource's URI [/repositories/2/resources/1] does not match row's URI [/x]",
            ),
            (&of(None), Some("MS1"), None, "This form's resource is missing an EAD ID"),
        ] {
            assert_eq!(target.matches(ead_id, row), Err(text.to_owned()));
        }
    }
}
