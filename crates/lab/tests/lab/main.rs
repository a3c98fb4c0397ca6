//! The lab against a stub that is not ours: what it measures must be what the stub did.

mod archives;
mod errors;
mod folio;
mod measuring;
mod stub;
mod support;
mod tls;
