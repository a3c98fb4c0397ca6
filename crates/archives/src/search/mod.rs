//! Search (contract 8): an index of the archives, beside the database, and what clients ask of it.
//!
//! | Topic | Module |
//! |---|---|
//! | the fields of the index | [`fields`] |
//! | the documents of a record | [`document`], [`by_type`], [`members`], [`words`] |
//! | keeping the index up to date | [`indexer`], on disk [`on_disk`] |
//! | what components inherit | [`inheritance`] |
//! | what is asked | [`ask`], [`meaning`] |
//! | answers | [`answer`], in Solr's form [`raw`] |

mod answer;
mod ask;
mod by_type;
mod document;
mod fields;
mod indexer;
mod inheritance;
mod meaning;
mod members;
mod on_disk;
mod raw;
mod words;

pub use answer::{Found, Shape, by_ids, counts, csv, find, repositories};
pub use ask::Search;
pub use indexer::{Index, Sessions, Status};
pub use raw::raw;
