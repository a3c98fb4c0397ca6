//! FOLIO's modules. In Carrel a module is a name that groups routes, permissions and data, and that a tenant enables
//! (docs/folio/okapi.md#modules-of-a-tenant).

mod dependencies;
mod ids;
mod module;
mod plan;
mod registry;
mod versions;

pub use dependencies::missing;
pub use ids::{product_of, version_of};
pub use module::{Interface, Module};
pub use plan::{Action, Change, PlanError, Wanted, plan};
pub use registry::{Registry, served};

/// The product that makes a tenant require tokens.
pub const AUTHTOKEN: &str = "mod-authtoken";
/// The product that every tenant has from the start.
pub const OKAPI: &str = "okapi";
