//! The catalogue (folio-platform §4).

mod batches;
mod catalogue;
mod hrids;
mod isbn;
mod items;
mod locations;
mod records;
mod reference_data;

use catalogue::Catalogue;
