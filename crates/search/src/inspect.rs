//! What is on disk of an index, without using it: nothing is written and nothing locked.

use std::path::Path;

use tantivy::{Index as Files, directory::MmapDirectory};

use crate::{
    SearchError,
    fields::Fields,
    index::{older, whole},
};

/// An index on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inspected {
    /// The position of its last commit; `None` before the first.
    pub position: Option<String>,
    /// How many documents it has.
    pub documents: u64,
    /// Whether it was made for other fields.
    pub is_older: bool,
}

/// Looks at the index in a directory; `None` if there is none. `all` reads all of it, which finds damage.
///
/// # Errors
/// [`SearchError::Unusable`] if it is damaged or no index of this crate, [`SearchError::Failed`] if it cannot be read.
pub fn inspect(directory: &Path, fields: &Fields, all: bool) -> Result<Option<Inspected>, SearchError> {
    let failed = |error: &dyn std::fmt::Display| SearchError::Failed(format!("{}: {error}", directory.display()));
    std::fs::read_dir(directory).map_err(|error| failed(&error))?;
    let mapped = MmapDirectory::open(directory).map_err(|error| failed(&error))?;
    if !Files::exists(&mapped).map_err(|error| failed(&error))? {
        return Ok(None);
    }
    let files = Files::open(mapped)?;
    let is_older = files.schema() != fields.schema;
    if is_older {
        older(&files, fields)?;
    }
    if all {
        whole(&files)?;
    }
    let metas = files.load_metas()?;
    let documents = metas.segments.iter().map(|segment| u64::from(segment.num_docs())).sum();
    Ok(Some(Inspected { position: metas.payload, documents, is_older }))
}
