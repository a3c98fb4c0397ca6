//! Ids of records that are the same in every sample library, by name: FOLIO's reference data, whose ids clients know,
//! and the settings.

use std::collections::HashMap;

use serde_json::Value;
use store::{
    StoreError,
    bundle::{self, Set},
};

/// The ids of FOLIO's reference data and of the settings.
#[derive(Debug)]
pub struct Reference {
    ids: HashMap<String, String>,
}

impl Reference {
    /// Reads the bundled records, and takes the settings with their paths.
    ///
    /// # Errors
    /// If the program's data is damaged.
    pub fn read(settings: &[(&str, Value)]) -> Result<Self, StoreError> {
        let mut ids = HashMap::new();
        for file in [bundle::files(Set::Seed)?, bundle::files(Set::Reference)?].concat() {
            for record in file.records()? {
                enter(&mut ids, &file.path, &record);
            }
        }
        for (path, record) in settings {
            enter(&mut ids, path, record);
        }
        Ok(Self { ids })
    }

    /// The id of the record with that name, `material-types/book`.
    ///
    /// # Panics
    /// If there is none: the names are part of the program.
    pub fn id(&self, name: &str) -> &str {
        match self.ids.get(name) {
            Some(id) => id,
            None => panic!("no reference record {name}"),
        }
    }
}

fn enter(ids: &mut HashMap<String, String>, path: &str, record: &Value) {
    let collection = path.rsplit('/').next().unwrap_or_default();
    if let (Some(name), Some(id)) = (name(record), record["id"].as_str()) {
        ids.insert(format!("{collection}/{name}"), id.to_owned());
    }
}

/// The name of a record; collections use different members for it.
fn name(record: &Value) -> Option<&str> {
    ["name", "group", "addressType", "feeFineType", "owner"].iter().find_map(|member| record[*member].as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_known_by_collection_and_name() {
        let reference = Reference::read(&[]).unwrap();
        let book = "1a54b431-2e4f-452d-9cae-9cee66c9a892";
        assert_eq!(reference.id("material-types/book"), book);
        let faculty = "503a81cd-6c26-400f-b620-14c08943697c";
        assert_eq!(reference.id("groups/faculty"), faculty);
    }
}
