//! Message templates: text with Mustache tokens, filled from a JSON object as in FOLIO's template engine
//! (mod-template-engine).
//!
//! [`fill`] formats dates for the library's locale and time zone, turns bar code tokens into images, and replaces the
//! other tokens. [`stored`] does so with the templates of a library.

mod barcode;
mod dates;
mod filling;
mod locale;
mod mustache;
pub mod stored;

pub use filling::{Attachment, Filled, fill};
pub use locale::Locale;
pub use mustache::Fault;
