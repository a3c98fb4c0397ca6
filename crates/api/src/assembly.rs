//! Puts the application together on a database: the shared schema, the key of the tokens, the routes,
//! and every tenant's schema brought to what this program needs.

use std::sync::Arc;

use identity::tokens::Keys;
use rand::RngCore;
use store::{
    Database, StoreError,
    schema::{self, SchemaError},
    tenants::{self, schema_name},
};

use crate::{
    answer::Problem,
    app::{App, Clock, Settings},
    folio, platform,
};

/// The row of the key that tokens are signed with.
const TOKEN_KEY: &str = "token-key";
const TOKEN_KEY_BYTES: usize = 32;

/// Why the application cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum AssemblyError {
    /// A schema could not be brought up to date.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The database refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The table of routes contradicts itself: a defect of this program.
    #[error("the routes are not sound: {}", .0.join("; "))]
    Routes(Vec<String>),
    /// The first tenants could not be made.
    #[error("{0}")]
    Platform(Problem),
}

/// Puts the application together; it can serve at once.
///
/// # Errors
/// [`AssemblyError`]; tenants that were brought up to date before the fault stay so.
pub async fn assemble(
    database: Database,
    settings: Settings,
    clock: Clock,
) -> Result<Arc<App>, AssemblyError> {
    schema::prepare_system(&database).await?;
    let keys = Keys::new(&token_key(&database).await?);
    let collections = folio::all_collections();
    let routes = folio::all_routes(&collections);
    let routes = routes.build().map_err(AssemblyError::Routes)?;
    let app = App::new(database, collections, routes, keys, settings, clock);
    migrate_tenants(&app).await?;
    platform::prepare(&app)
        .await
        .map_err(AssemblyError::Platform)?;
    Ok(Arc::new(app))
}

async fn migrate_tenants(app: &App) -> Result<(), AssemblyError> {
    let declared: Vec<_> = app.collections.iter().map(|c| (**c).clone()).collect();
    for tenant in tenants::list(&app.database).await? {
        schema::migrate(&app.database, &schema_name(&tenant.id), &declared).await?;
    }
    Ok(())
}

/// The key of all processes on this database, made by the first of them.
async fn token_key(database: &Database) -> Result<Vec<u8>, StoreError> {
    let mut fresh = vec![0; TOKEN_KEY_BYTES];
    rand::rng().fill_bytes(&mut fresh);
    let row = database
        .system()?
        .get(store::statements::system::SECRET, &[&TOKEN_KEY, &fresh])
        .await?;
    Ok(row.get(0))
}
