//! FOLIO's modules. In Carrel a module is a name that groups routes, permissions and data, and that a tenant enables
//! (docs/folio/okapi.md#modules-of-a-tenant).

mod dependencies;
mod plan;
mod registry;

pub use dependencies::missing;
pub use plan::{Action, Change, PlanError, Wanted, plan};
pub use registry::{Interface, Module, Registry, product_of, served, version_of};

/// The product that makes a tenant require tokens.
pub const AUTHTOKEN: &str = "mod-authtoken";
/// The product that every tenant has from the start.
pub const OKAPI: &str = "okapi";
