//! The life of a tenant: created, given modules with their permissions and data, given an administrator,
//! removed. The gateway's administration endpoints and the command line both work through these functions.

mod bootstrap;
mod install;
mod load;
mod self_checks;
pub mod timers;

use identity::modules::{Catalogue, OKAPI};
use store::{
    StoreError,
    schema::SchemaError,
    tenants::{self, Tenant},
};

pub use bootstrap::{FirstUser, SUPERTENANT, check_id, create_library, prepare};
pub use install::{Installation, catalogue, install};
pub use load::load;

use crate::{answer::Problem, app::App};

/// Makes a tenant that has Okapi's own module only.
///
/// # Errors
/// 400 text when the id is taken; the database's failures.
pub async fn create_tenant(
    app: &App,
    id: &str,
    name: &str,
    description: Option<&str>,
) -> Result<(), Problem> {
    let collections: Vec<_> = app.collections.iter().map(|c| c.as_ref().clone()).collect();
    let tenant = Tenant {
        id: id.to_owned(),
        name: name.to_owned(),
        description: description.map(ToOwned::to_owned),
        modules: Catalogue::built_in(OKAPI),
    };
    let created = tenants::create(&app.database, &collections, &tenant).await;
    created.map_err(|error| match error {
        SchemaError::Store(StoreError::Duplicate { .. }) => {
            Problem::bad_request(format!("Duplicate tenant id {id}"))
        }
        SchemaError::Store(error) => error.into(),
        other => Problem::Internal(other.to_string()),
    })?;
    app.refresh_tenants().await?;
    Ok(())
}

/// Removes a tenant with everything it has; false when there is none of that id.
///
/// # Errors
/// The database's failures.
pub async fn delete_tenant(app: &App, id: &str) -> Result<bool, Problem> {
    // Requests that come from now on find no tenant instead of half of one.
    app.forget_tenant(id);
    let deleted = tenants::delete(&app.database, id).await;
    app.refresh_tenants().await?;
    Ok(deleted?)
}
