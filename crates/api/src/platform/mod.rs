//! The life cycle of a tenant: creation, modules with their permissions and data, an administrator, deletion. Both the
//! gateway's administration routes and the command line use these functions.

mod bootstrap;
mod bundled_records;
mod install;
mod refusals;
mod self_checks;
pub mod timers;

use identity::modules::{OKAPI, Registry};
use store::{
    StoreError,
    schema::SchemaError,
    tenants::{self, Tenant},
};

pub(crate) use bootstrap::check_id;
pub use bootstrap::{FirstUser, SUPERTENANT, create_library, prepare};
pub use bundled_records::load_bundled;
pub use install::{Installation, install, registry};
pub(crate) use refusals::TABLE;

use crate::{answer::Problem, app::App};

/// Creates a tenant with only Okapi's own module. Answers 400 text if the id is taken.
pub async fn create_tenant(app: &App, id: &str, name: &str, description: Option<&str>) -> Result<(), Problem> {
    let collections: Vec<_> = app.collections.iter().map(|c| c.as_ref().clone()).collect();
    let tenant = Tenant {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.map(ToOwned::to_owned),
        modules: Registry::built_in(OKAPI),
    };
    let created = tenants::create(&app.database, &collections, &tenant).await;
    created.map_err(|error| match error {
        SchemaError::Store(StoreError::Duplicate { .. }) => refusals::TENANT_EXISTS.with("id", id).into(),
        SchemaError::Store(error) => error.into(),
        other => Problem::Internal(other.to_string()),
    })?;
    app.refresh_tenants().await?;
    Ok(())
}

/// Deletes a tenant and all its data. Returns false if it does not exist.
pub async fn delete_tenant(app: &App, id: &str) -> Result<bool, Problem> {
    // From now on requests find no tenant rather than half of one.
    app.forget_tenant(id);
    let deleted = tenants::delete(&app.database, id).await;
    app.refresh_tenants().await?;
    Ok(deleted?)
}
