//! The rows that virtual users work with: barcodes, ids.
//!
//! - [`pool`]: the rows of one data set while a run lasts.
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
    /// The target does not answer.
    #[error("drawing {set:?} from {path}: {failure}")]
    Unreachable {
        /// The data set.
        set: String,
        /// The request.
        path: String,
        /// Why.
        failure: Failure,
    },
    /// The target answers something else than a list.
    #[error("drawing {set:?} from {path}: {said}")]
    NoList {
        /// The data set.
        set: String,
        /// The request.
        path: String,
        /// What it answers.
        said: String,
    },
    /// There are too few.
    #[error(
        "there are {found} rows of {set:?}, and the workload needs {least} at least ({path}). Add records to the \
         target, or give the rows in a file: --data '{set}=FILE.csv'"
    )]
    TooFew {
        /// The data set.
        set: String,
        /// Where they were looked for.
        path: String,
        /// How many there are.
        found: usize,
        /// How many are needed.
        least: usize,
    },
    /// A file of rows cannot be used.
    #[error("{file}: {message}")]
    File {
        /// The file.
        file: PathBuf,
        /// Why.
        message: String,
    },
    /// A file is given for a data set that the workload does not have.
    #[error("the workload has no data {set:?}; it has: {known}")]
    NoSuchSet {
        /// The name.
        set: String,
        /// The names that there are.
        known: String,
    },
}

/// Gathers the rows of all data sets of a workload, and what is to be said of them; `files` gives some of them.
///
/// # Errors
/// The target does not give them, or too few, or a file is not sound.
pub async fn gather(
    workload: &Workload,
    access: &Access,
    files: &BTreeMap<String, PathBuf>,
    progress: &dyn Progress,
) -> Result<(Vec<Pool>, Vec<String>), DataError> {
    if let Some(set) = files
        .keys()
        .find(|name| workload.data.iter().all(|set| set.name != **name))
    {
        let known: Vec<_> = workload.data.iter().map(|set| set.name.as_str()).collect();
        return Err(DataError::NoSuchSet {
            set: set.clone(),
            known: known.join(", "),
        });
    }
    let (mut all, mut said) = (Vec::<Vec<Row>>::new(), Vec::new());
    for set in &workload.data {
        let (rows, path) = match (files.get(&set.name), &set.from) {
            (Some(file), _) => (csv::read(file, &set.columns)?, file.display().to_string()),
            (None, Origin::Here(rows)) => {
                (rows.iter().cloned().map(Row::from).collect(), String::new())
            }
            (None, Origin::Target(draw)) => {
                let drawn = draw::draw(set, draw, access, &all, progress).await?;
                said.extend(drawn.cut_short);
                (drawn.rows, drawn.path)
            }
        };
        if rows.len() < set.least {
            let (set, found, least) = (set.name.clone(), rows.len(), set.least);
            return Err(DataError::TooFew {
                set,
                path,
                found,
                least,
            });
        }
        all.push(rows);
    }
    Ok((all.into_iter().map(Pool::new).collect(), said))
}
