//! Tests of the lab against an independent stub: the measurements must agree with what the stub did.

mod archives;
mod errors;
mod folio;
mod measuring;
mod stub;
mod support;
mod tls;
