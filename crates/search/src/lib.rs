//! Full-text search in an embedded index on disk, for any kind of documents.
//!
//! | Topic | Module |
//! |---|---|
//! | which fields documents have | [`fields`] |
//! | words and sort keys | [`analysis`] |
//! | what documents are | [`document`] |
//! | the index: documents in and out, commits, damage | [`index`] |
//! | the same, looked at from outside | [`inspect`] |
//! | who owns its folders | [`folder`] |
//! | what is asked | [`query`], and as text [`syntax`] |
//! | answers: pages, order, facets | [`hits`]; all values of a field: `Reader::each` |
//! | the records that documents are of | [`records`] |
//! | what is near a place in an order | [`nearby`] |
//! | lists in order, from a place on | [`lists`]; how long they are: `Reader::tally` |
//! | highlighting | [`highlight`] |
//!
//! Positions in a source of changes are opaque texts: they are written with the documents they stand for, in one commit.

pub mod analysis;
mod best;
mod collecting;
mod columns;
mod counting;
pub mod document;
mod entry;
mod excluded;
mod facets;
pub mod fields;
pub mod folder;
pub mod highlight;
pub mod hits;
pub mod index;
pub mod inspect;
mod kept;
mod known;
pub mod lists;
mod merging;
pub mod nearby;
pub mod query;
mod ranking;
pub mod records;
mod segment;
mod similar;
mod steady;
pub mod syntax;
mod tally;
mod terms;
mod values;
mod worded;

/// Why the index cannot do something.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The index on disk cannot be read, or was written for other fields: it must be built again.
    #[error("the index cannot be used: {0}")]
    Unusable(String),
    /// The disk, or the index, failed at an operation that may succeed later.
    #[error("the index failed: {0}")]
    Failed(String),
}

impl From<std::io::Error> for SearchError {
    fn from(error: std::io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<tantivy::TantivyError> for SearchError {
    fn from(error: tantivy::TantivyError) -> Self {
        use tantivy::TantivyError::{DataCorruption, IncompatibleIndex, OpenReadError, SchemaError};
        match error {
            DataCorruption(_) | IncompatibleIndex(_) | OpenReadError(_) | SchemaError(_) => {
                Self::Unusable(error.to_string())
            }
            other => Self::Failed(other.to_string()),
        }
    }
}
