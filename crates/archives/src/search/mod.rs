//! Search (contract 8): an index of the archives, beside the database, and what clients ask of it.
//!
//! | Topic | Module |
//! |---|---|
//! | the fields of the index | [`fields`] |
//! | the documents of a record | [`document`], [`by_type`], [`members`], [`parts`], [`words`] |
//! | what the index reads of the database | [`source`]; `indexing` keeps it |
//! | what components inherit | [`inheritance`] |
//! | what is asked | [`ask`], [`meaning`] |
//! | answers | [`answer`], [`run`], in Solr's form [`raw`]; the records in them [`printed`], [`records`], [`gathering`], documents put into others [`resolving`], parts of trees [`published_trees`]; what is kept for further ones [`referred`] |

use std::sync::Arc;

use indexing::Index;
use store::Session;

mod answer;
mod ask;
mod by_type;
mod document;
mod fields;
mod gathering;
mod inheritance;
mod meaning;
mod members;
mod parts;
mod printed;
mod published_trees;
mod raw;
mod records;
mod referred;
mod resolving;
mod run;
mod source;
mod words;

pub use answer::{Found, Shape, by_ids, counts, csv, find, repositories};
pub use ask::Search;
pub use raw::raw;
pub use referred::Referred;
pub use source::{Described, folder};

/// What answers are made from.
#[derive(Clone)]
pub struct Archives {
    pub index: Arc<Index>,
    pub session: Session,
    /// The records that are kept of earlier answers.
    pub referred: Arc<Referred>,
}
