//! Builds the application on a database: updates the shared schema and every tenant's schema, loads the token key and
//! builds the routes.

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
    archives, folio, platform,
};

/// The row that holds the token-signing key.
const TOKEN_KEY: &str = "token-key";
const TOKEN_KEY_BYTES: usize = 32;

/// Why the application could not be built.
#[derive(Debug, thiserror::Error)]
pub enum AssemblyError {
    /// A schema update failed.
    #[error(transparent)]
    Schema(#[from] SchemaError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The route table contradicts itself, which is a bug in this program.
    #[error("the routes are not sound: {}", .0.join("; "))]
    Routes(Vec<String>),
    /// Creating the first tenants failed.
    #[error("{0}")]
    Platform(Problem),
}

/// Builds the application, ready to serve. If it fails, tenants already updated stay updated.
pub async fn assemble(database: Database, settings: Settings, clock: Clock) -> Result<Arc<App>, AssemblyError> {
    schema::prepare_system(&database).await?;
    let keys = Keys::new(&token_key(&database).await?);
    let collections = folio::all_collections();
    let routes = folio::all_routes(&collections);
    let routes = routes.build().map_err(AssemblyError::Routes)?;
    let app = App::new(database, collections, routes, keys, settings, clock);
    migrate_tenants(&app).await?;
    platform::prepare(&app).await.map_err(AssemblyError::Platform)?;
    archives::first_users::prepare(&app).await.map_err(AssemblyError::Platform)?;
    Ok(Arc::new(app))
}

async fn migrate_tenants(app: &App) -> Result<(), AssemblyError> {
    let declared: Vec<_> = app.collections.iter().map(|c| (**c).clone()).collect();
    for tenant in tenants::list(&app.database).await? {
        schema::migrate(&app.database, &schema_name(&tenant.id), &declared).await?;
    }
    Ok(())
}

/// The signing key that all processes on this database share. The first process creates it.
async fn token_key(database: &Database) -> Result<Vec<u8>, StoreError> {
    let mut fresh = vec![0; TOKEN_KEY_BYTES];
    rand::rng().fill_bytes(&mut fresh);
    let sql = store::statements::system::SECRET;
    let system = database.system()?;
    system.value(sql, &[&TOKEN_KEY, &fresh]).await
}
