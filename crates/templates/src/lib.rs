//! Templates of notices and slips: text with tokens in the notation of Mustache, filled from a JSON object as
//! FOLIO's template engine fills them (mod-template-engine). Pure: no I/O, no clock.
//!
//! [`fill`] does all of it: dates are written as the library's locale and time zone want them, tokens of bar code
//! images become images, and the tokens are replaced.

mod barcode;
mod dates;
mod filling;
mod locale;
mod mustache;

pub use filling::{Attachment, Filled, fill};
pub use locale::Locale;
pub use mustache::{Fault, Template};
