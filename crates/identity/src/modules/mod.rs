//! The modules FOLIO is made of, which for Carrel are names: they group routes, permissions and data, and a
//! tenant has some of them enabled (docs/folio/okapi.md#modules-of-a-tenant).

mod catalogue;
mod dependencies;
mod plan;

pub use catalogue::{Catalogue, Interface, Module, product_of, served, version_of};
pub use dependencies::missing;
pub use plan::{Action, Change, PlanError, Wanted, plan};

/// The product that makes a tenant ask for tokens.
pub const AUTHTOKEN: &str = "mod-authtoken";
/// The product every tenant has from the beginning.
pub const OKAPI: &str = "okapi";
