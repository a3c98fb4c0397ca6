//! The declared record types of the archives API, and what is checked of a request (contract sections 1.3, 2, 4, 5).
//!
//! | Topic | Module |
//! |---|---|
//! | the record types, as written in `schema/*.schema` | [`declaration`], [`notation`], [`registry`] |
//! | checking a request's body | [`check`](mod@check) |
//! | what must hold between the properties of a record | [`rules`] |
//! | value lists | [`lists`], [`listed`] |
//! | URIs, and the references in a record | [`uri`], [`references`](mod@references) |
//! | dates as clients write them | [`dates`] |
//! | whether parts are published | [`publishing`] |
//! | what clients read about the last change of a part | [`audit`] |
//! | texts that follow from a record | [`derive`](mod@derive) |
//! | the answer to a question for a type's schema | [`json_schema`](mod@json_schema) |
//! | how messages write values | [`spelling`] |

mod audit;
pub mod check;
pub(crate) mod dates;
pub mod declaration;
pub(crate) mod derive;
pub mod json_schema;
pub(crate) mod listed;
pub mod lists;
pub(crate) mod notation;
pub(crate) mod publishing;
mod reading;
pub mod references;
pub mod registry;
pub(crate) mod rules;
pub(crate) mod spelling;
pub mod uri;

pub use audit::{AUDIT, add_audit};
pub(crate) use check::set_defaults;
pub use check::{Checked, Invalid, NewValue, Purpose, check};
pub use declaration::{Fields, Kind, Needed, Property, RecordType, Text};
pub use json_schema::json_schema;
pub use lists::{Labels, ListedValue, StartingLists, ValueList, ValueLists};
pub use publishing::publish_unsaid;
pub(crate) use publishing::set_unsaid;
pub use references::{Reference, references};
pub use registry::{record_type, record_types};
pub use spelling::class_name;
pub use uri::Uri;
