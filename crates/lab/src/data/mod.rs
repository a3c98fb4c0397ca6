//! The rows that virtual users work with: barcodes, ids.
//!
//! - [`pool`]: the rows of one data set during a run.
//! - [`draw`]: rows from the target itself.
//! - [`csv`]: rows from a file.

pub mod csv;
pub mod draw;
pub mod pool;

use std::{collections::BTreeMap, path::PathBuf};

use crate::{
    access::Access,
    client::Failure,
    progress::Progress,
    workload::{Origin, Workload},
};
use pool::{Pool, Row};

/// Why there are no rows.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    #[error("drawing {set:?} from {path}: {failure}")]
    Unreachable { set: String, path: String, failure: Failure },
    /// The target does not answer with a list.
    #[error("drawing {set:?} from {path}: {detail}")]
    NoList {
        set: String,
        path: String,
        /// The answer's text.
        detail: String,
    },
    /// There are too few rows.
    #[error(
        "there are {found} rows of {set:?}, and the workload needs {least} at least ({path}). Add records to the \
         target, or give the rows in a file: --data '{set}=FILE.csv'"
    )]
    TooFew {
        set: String,
        /// The request or file.
        path: String,
        found: usize,
        least: usize,
    },
    /// A file of rows is unusable.
    #[error("{file}: {message}")]
    File { file: PathBuf, message: String },
    /// A file was given for a data set that the workload does not have.
    #[error("the workload has no data {set:?}; it has: {known}")]
    NoSuchSet {
        set: String,
        /// The workload's data sets.
        known: String,
    },
}

/// Gathers the rows of all data sets of a workload, with remarks for the report; `files` supplies some of them.
///
/// # Errors
/// The target supplies no rows or too few, or a file is invalid.
pub async fn gather(
    workload: &Workload,
    access: &Access,
    files: &BTreeMap<String, PathBuf>,
    progress: &dyn Progress,
) -> Result<(Vec<Pool>, Vec<String>), DataError> {
    if let Some(set) = files.keys().find(|name| workload.data.iter().all(|set| set.name != **name)) {
        let known: Vec<_> = workload.data.iter().map(|set| set.name.as_str()).collect();
        return Err(DataError::NoSuchSet { set: set.clone(), known: known.join(", ") });
    }
    let (mut all, mut remarks) = (Vec::<Vec<Row>>::new(), Vec::new());
    for set in &workload.data {
        let (rows, path) = match (files.get(&set.name), &set.from) {
            (Some(file), _) => (csv::read(file, &set.columns)?, file.display().to_string()),
            (None, Origin::Here(rows)) => (rows.iter().cloned().map(Row::from).collect(), String::new()),
            (None, Origin::Target(draw)) => {
                let drawn = draw::draw(set, draw, access, &all, progress).await?;
                remarks.extend(drawn.cut_short);
                (drawn.rows, drawn.path)
            }
        };
        if rows.len() < set.least {
            let (set, found, least) = (set.name.clone(), rows.len(), set.least);
            return Err(DataError::TooFew { set, path, found, least });
        }
        all.push(rows);
    }
    Ok((all.into_iter().map(Pool::new).collect(), remarks))
}
