//! The FOLIO records that ship with Carrel (`data/`): the records every tenant has, reference data and sample data, as
//! FOLIO's modules load them (docs/folio/bundled-records.md).

use std::borrow::Cow;

use rust_embed::RustEmbed;
use serde_json::Value;

use crate::error::StoreError;

#[derive(RustEmbed)]
#[folder = "data/seed"]
#[prefix = "seed/"]
struct SeedData;

#[derive(RustEmbed)]
#[folder = "data/reference"]
#[prefix = "reference/"]
struct ReferenceData;

#[derive(RustEmbed)]
#[folder = "data/sample"]
#[prefix = "sample/"]
struct SampleData;

/// One line per file: set, module, path, file name.
const LOAD_ORDER: &str = include_str!("../data/load-order.tsv");

/// When FOLIO loads a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    /// For every tenant.
    Seed,
    /// With `loadReference=true`.
    Reference,
    /// With `loadSample=true`.
    Sample,
}

impl Set {
    fn name(self) -> &'static str {
        match self {
            Set::Seed => "seed",
            Set::Reference => "reference",
            Set::Sample => "sample",
        }
    }
}

/// The records of one collection.
#[derive(Debug, Clone)]
pub struct File {
    /// The module that owns them, such as `mod-inventory-storage`.
    pub module: String,
    /// Path of the collection they are posted to, such as `/material-types`.
    pub path: String,
    text: Cow<'static, [u8]>,
}

impl File {
    /// The records as a client would post them.
    ///
    /// # Errors
    /// [`StoreError`] if the bundled data is damaged.
    pub fn records(&self) -> Result<Vec<Value>, StoreError> {
        self.text
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).map_err(|error| damaged(&self.path, &error)))
            .collect()
    }
}

/// The files of a set, ordered so that a record comes after the records it refers to.
///
/// # Errors
/// [`StoreError`] if the bundled data is damaged.
pub fn files(set: Set) -> Result<Vec<File>, StoreError> {
    let rows = LOAD_ORDER.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    rows.filter(|row| row.first() == Some(&set.name()))
        .map(|row| match row[..] {
            [_, module, path, file] => {
                Ok(File { module: module.to_owned(), path: path.to_owned(), text: read(set, file)? })
            }
            _ => Err(damaged("load-order.tsv", &row.join(" "))),
        })
        .collect()
}

fn read(set: Set, name: &str) -> Result<Cow<'static, [u8]>, StoreError> {
    let file = match set {
        Set::Seed => SeedData::get(name),
        Set::Reference => ReferenceData::get(name),
        Set::Sample => SampleData::get(name),
    };
    Ok(file.ok_or_else(|| damaged(name, &"it is missing"))?.data)
}

fn damaged(what: &str, reason: &dyn std::fmt::Display) -> StoreError {
    StoreError::Other(format!("the program's data is damaged: {what}: {reason}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_there_and_readable() {
        let count = |set| -> usize {
            let files = files(set).unwrap();
            files.iter().map(|file| file.records().unwrap().len()).sum()
        };
        assert_eq!(count(Set::Seed), 83);
        assert_eq!(count(Set::Reference), 626);
        assert_eq!(count(Set::Sample), 481);
    }

    #[test]
    fn referring_records_come_after_their_targets() {
        let paths: Vec<_> = files(Set::Reference).unwrap().into_iter().map(|file| file.path).collect();
        let place = |path: &str| paths.iter().position(|known| known == path).unwrap();
        assert!(place("/statistical-code-types") < place("/statistical-codes"));
        assert!(place("/loan-policy-storage/loan-policies") < place("/circulation-rules-storage"));
    }
}
