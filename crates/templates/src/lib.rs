//! Notice templates: text with Mustache tokens, filled from a JSON object as in FOLIO's template engine
//! (mod-template-engine). Pure: no I/O, no clock.
//!
//! [`fill`] formats dates for the library's locale and time zone, turns bar code tokens into images, and replaces the
//! other tokens.

mod barcode;
mod dates;
mod filling;
mod locale;
mod mustache;

pub use filling::{Attachment, Filled, fill};
pub use locale::Locale;
pub use mustache::{Fault, Template};
