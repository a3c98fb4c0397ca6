//! Connections to the database: a pool for each tenant, sessions that count their round trips.

mod address;
mod meter;
mod session;
mod unchecked;

pub use address::{Address, AddressError};
pub use meter::Meter;
pub use session::{Parameter, Session, Transaction};
pub use tokio_postgres::Row;

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
    time::Duration,
};

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use tokio_postgres::NoTls;

use crate::error::StoreError;

/// A connection that nobody has used for so long is closed.
const IDLE: Duration = Duration::from_secs(60);
/// How long a request waits for a free connection.
const PATIENCE: Duration = Duration::from_secs(10);

/// The schema that all tenants share.
pub const SYSTEM_SCHEMA: &str = "carrel";

/// The database server, with a pool of connections for each schema that is in use.
#[derive(Clone)]
pub struct Database {
    shared: Arc<Shared>,
}

/// How busy the connections are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Connections {
    /// Open connections.
    pub open: usize,
    /// Those of them that no request uses.
    pub idle: usize,
    /// Requests that wait for one.
    pub waiting: usize,
}

struct Shared {
    address: Address,
    pools: RwLock<HashMap<String, Pool>>,
    connections_per_schema: usize,
}

impl Database {
    /// A database on this machine, reached with `config` and without encryption; at most
    /// `connections_per_schema` connections for each tenant.
    #[must_use]
    pub fn new(config: tokio_postgres::Config, connections_per_schema: usize) -> Self {
        Self::at(Address::plain(config), connections_per_schema)
    }

    /// A database anywhere; at most `connections_per_schema` connections for each tenant.
    #[must_use]
    pub fn at(address: Address, connections_per_schema: usize) -> Self {
        let pools = RwLock::default();
        Self {
            shared: Arc::new(Shared {
                address,
                pools,
                connections_per_schema,
            }),
        }
    }

    /// The same database, with pools of at most that many connections of its own.
    #[must_use]
    pub fn with_connections(&self, connections_per_schema: usize) -> Self {
        Self::at(self.shared.address.clone(), connections_per_schema)
    }

    /// A session whose statements see the tables of `schema`; it counts its round trips from zero.
    ///
    /// # Errors
    /// When the pool cannot be made, which only a wrong configuration causes.
    pub fn session(&self, schema: &str) -> Result<Session, StoreError> {
        Ok(Session::new(self.pool(schema)?))
    }

    /// A session on what all tenants share.
    ///
    /// # Errors
    /// As [`Self::session`].
    pub fn system(&self) -> Result<Session, StoreError> {
        self.session(SYSTEM_SCHEMA)
    }

    fn pool(&self, schema: &str) -> Result<Pool, StoreError> {
        let poisoned = |_| StoreError::Other("a pool's lock is poisoned".into());
        if let Some(pool) = self.shared.pools.read().map_err(poisoned)?.get(schema) {
            return Ok(pool.clone());
        }
        let mut pools = self
            .shared
            .pools
            .write()
            .map_err(|_| StoreError::Other("a pool's lock is poisoned".into()))?;
        if let Some(pool) = pools.get(schema) {
            return Ok(pool.clone());
        }
        let pool = self.new_pool(schema)?;
        pools.insert(schema.to_owned(), pool.clone());
        Ok(pool)
    }

    fn new_pool(&self, schema: &str) -> Result<Pool, StoreError> {
        let mut config = self.shared.address.config.clone();
        config.application_name("carrel").options(format!(
            "-c search_path={schema},{SYSTEM_SCHEMA} -c timezone=UTC -c jit=off -c statement_timeout=120s \
             -c idle_in_transaction_session_timeout=60s -c datestyle=ISO -c client_min_messages=warning"
        ));
        let recycling = ManagerConfig {
            recycling_method: RecyclingMethod::Fast,
        };
        let manager = match &self.shared.address.tls {
            Some(tls) => Manager::from_config(config, tls.clone(), recycling),
            None => Manager::from_config(config, NoTls, recycling),
        };
        Pool::builder(manager)
            .max_size(self.shared.connections_per_schema)
            .wait_timeout(Some(PATIENCE))
            .create_timeout(Some(PATIENCE))
            .runtime(Runtime::Tokio1)
            .build()
            .map_err(|error| StoreError::Other(error.to_string()))
    }

    /// Forgets the pool of a schema that is gone and closes its idle connections.
    pub fn forget(&self, schema: &str) {
        if let Ok(mut pools) = self.shared.pools.write()
            && let Some(pool) = pools.remove(schema)
        {
            pool.close();
        }
    }

    /// Closes connections idle for a minute, so that many quiet tenants cost nothing.
    pub fn close_idle(&self) {
        if let Ok(pools) = self.shared.pools.read() {
            for pool in pools.values() {
                pool.retain(|_, metrics| metrics.last_used() < IDLE);
            }
        }
    }

    /// How busy the connections of all pools are now.
    #[must_use]
    pub fn connections(&self) -> Connections {
        let mut all = Connections::default();
        if let Ok(pools) = self.shared.pools.read() {
            for status in pools.values().map(Pool::status) {
                all.open += status.size;
                all.idle += status.available;
                all.waiting += status.waiting;
            }
        }
        all
    }

    /// How the server is reached, for tools that open connections of their own.
    #[must_use]
    pub fn config(&self) -> &tokio_postgres::Config {
        &self.shared.address.config
    }
}
