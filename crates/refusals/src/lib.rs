//! Refusals: why a rule says no, in FOLIO's words.
//!
//! The words are in tables ([`table!`]), one row for each refusal ([`Wording`]). A rule names a row and gives the
//! values that the row mentions ([`Refusal`]); a use case returns every reason to refuse it ([`Refused`]) instead of an
//! outcome. `docs/errors.md` is made from the tables.

mod document;
mod entry;
mod refusal;
mod value;
mod wording;

pub use entry::{ErrorEntry, OverridableBlock};
pub use refusal::{Refusal, Refused};
pub use value::Value;
pub use wording::{Shape, Table, Wording};
