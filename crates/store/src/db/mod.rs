//! Database connections: pools per tenant, divided into lanes, and sessions that count round trips, keep time limits
//! and leave nothing running.

mod address;
mod dialer;
mod lane;
mod lease;
mod meter;
mod refusals;
mod rows;
mod session;
mod unchecked;

pub use address::{Address, AddressError};
pub use lane::{Lane, Limits};
pub use meter::Meter;
pub use rows::{JsonText, Rows, Unparsed, only};
pub use session::{Parameter, Session, Transaction};
pub use tokio_postgres::Row;

use std::{
    collections::HashMap,
    sync::{Arc, RwLock},
    time::Duration,
};

use deadpool_postgres::{Hook, HookError, Manager, ManagerConfig, Object, Pool, RecyclingMethod, Runtime};
use tokio::time::Instant;
use tokio_postgres_rustls::MakeRustlsConnect;

use self::{
    lane::Shares,
    lease::{Budget, Lease},
    refusals::{Refusals, TRIAL, Verdict},
};
use crate::{
    error::StoreError,
    snapshot::{Snapshot, Snapshots},
};

/// Idle connections are closed after this time.
const IDLE: Duration = Duration::from_secs(60);
/// How long a request waits for a free connection.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long background work and very large answers wait for one.
const LONG_PATIENCE: Duration = Duration::from_secs(60);

/// The schema shared by all tenants.
pub const SYSTEM_SCHEMA: &str = "carrel";

/// A database server, with connection pools for each schema in use.
#[derive(Clone)]
pub struct Database {
    shared: Arc<Shared>,
}

/// Use of the connections, for metrics.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Connections {
    pub open: usize,
    /// Open connections that no request uses.
    pub idle: usize,
    /// Requests waiting for a connection.
    pub waiting: usize,
}

struct Shared {
    address: Address,
    pools: RwLock<HashMap<String, SchemaPools>>,
    snapshots: Arc<Snapshots>,
    refusals: Refusals,
    shares: Shares,
    limits: Limits,
    tls: Option<Arc<MakeRustlsConnect>>,
}

/// The pools of a schema, and its snapshot, which their connections keep current.
struct SchemaPools {
    lanes: Vec<LanePool>,
    snapshot: Arc<Snapshot>,
}

/// The pool that serves some lanes of a schema.
#[derive(Clone)]
struct LanePool {
    lanes: Vec<Lane>,
    pool: Pool,
}

impl Database {
    /// A database on this machine, without encryption, with at most `connections_per_schema` connections per tenant.
    pub fn new(config: tokio_postgres::Config, connections_per_schema: usize) -> Self {
        Self::at(Address::plain(config), connections_per_schema)
    }

    /// A database at any address, with at most `connections_per_schema` connections per tenant, divided among the
    /// lanes.
    pub fn at(address: Address, connections_per_schema: usize) -> Self {
        let shares = Shares::of(connections_per_schema);
        Self::sharing(address, shares, Limits::default(), Arc::default())
    }

    /// The same database with other time limits.
    pub fn with_limits(&self, limits: Limits) -> Self {
        let shares = self.shared.shares.clone();
        Self::sharing(self.shared.address.clone(), shares, limits, Arc::clone(&self.shared.snapshots))
    }

    /// The same database with separate pools of at most `connections_per_schema` connections, shared by all lanes.
    pub fn with_connections(&self, connections_per_schema: usize) -> Self {
        let shares = Shares::undivided(connections_per_schema);
        let snapshots = Arc::clone(&self.shared.snapshots);
        Self::sharing(self.shared.address.clone(), shares, self.shared.limits, snapshots)
    }

    fn sharing(address: Address, shares: Shares, limits: Limits, snapshots: Arc<Snapshots>) -> Self {
        Self {
            shared: Arc::new(Shared {
                tls: address.tls.clone().map(Arc::new),
                address,
                pools: RwLock::default(),
                snapshots,
                refusals: Refusals::default(),
                shares,
                limits,
            }),
        }
    }

    /// A background session on the tables of `schema`; its round trip count starts at zero.
    ///
    /// # Errors
    /// If the pool cannot be created, which only a wrong configuration causes.
    pub fn session(&self, schema: &str) -> Result<Session, StoreError> {
        let budget = Budget::Each(self.shared.limits.background);
        self.session_in(schema, Lane::Background, budget)
    }

    /// A session for work on an index that no client waits for: its server process gives way to all others. Each statement
    /// has the time of one in the background.
    ///
    /// # Errors
    /// If the pool cannot be created, which only a wrong configuration causes.
    pub fn indexing(&self, schema: &str) -> Result<Session, StoreError> {
        self.session_in(schema, Lane::Indexing, Budget::Each(self.shared.limits.of(Lane::Indexing)))
    }

    /// A session for one request, whose work must finish within the time limit of its lane, starting now. A request
    /// that runs a job has no overall limit, only one per statement.
    pub fn request(&self, schema: &str, lane: Lane) -> Result<Session, StoreError> {
        if lane == Lane::Background {
            return self.session(schema);
        }
        let limit = self.shared.limits.of(lane);
        self.session_in(schema, lane, Budget::Until(Instant::now() + limit, limit))
    }

    /// A session on the shared schema.
    pub fn system(&self) -> Result<Session, StoreError> {
        self.session(SYSTEM_SCHEMA)
    }

    fn lease(&self, object: Object, snapshot: Arc<Snapshot>) -> Lease {
        Lease::new(object, self.shared.tls.clone(), self.shared.refusals.clone(), snapshot)
    }

    fn session_in(&self, schema: &str, lane: Lane, budget: Budget) -> Result<Session, StoreError> {
        let (pool, snapshot) = self.pool(schema, lane)?;
        let lookups = match lane {
            Lane::Records => Some(self.pool(schema, Lane::Lookups)?.0),
            _ => None,
        };
        Ok(Session::new(self.clone(), (pool, lookups), snapshot, lane, budget))
    }

    fn pool(&self, schema: &str, lane: Lane) -> Result<(Pool, Arc<Snapshot>), StoreError> {
        let poisoned = || StoreError::Other("a pool's lock is poisoned".into());
        let of_lane = |of: &SchemaPools| {
            let found = of.lanes.iter().find(|one| one.lanes.contains(&lane));
            found.map(|found| (found.pool.clone(), Arc::clone(&of.snapshot)))
        };
        let known = self.shared.pools.read().map_err(|_| poisoned())?;
        if let Some(found) = known.get(schema).and_then(of_lane) {
            return Ok(found);
        }
        drop(known);
        let mut pools = self.shared.pools.write().map_err(|_| poisoned())?;
        if !pools.contains_key(schema) {
            pools.insert(schema.to_owned(), self.new_pools(schema)?);
        }
        let made = pools.get(schema).and_then(of_lane);
        made.ok_or_else(|| StoreError::Other(format!("no connections for {lane:?}")))
    }

    fn new_pools(&self, schema: &str) -> Result<SchemaPools, StoreError> {
        let snapshot = self.shared.snapshots.of(schema);
        let make = |(size, lanes): &(usize, Vec<Lane>)| {
            Ok(LanePool { lanes: lanes.clone(), pool: self.new_pool(schema, *size, lanes, &snapshot)? })
        };
        let lanes: Result<_, StoreError> = self.shared.shares.pools().iter().map(make).collect();
        Ok(SchemaPools { lanes: lanes?, snapshot })
    }

    fn new_pool(
        &self,
        schema: &str,
        size: usize,
        lanes: &[Lane],
        snapshot: &Arc<Snapshot>,
    ) -> Result<Pool, StoreError> {
        let limits = lanes.iter().map(|lane| self.shared.limits.of(*lane));
        let longest = limits.max().unwrap_or_default().as_millis();
        // The desk's statements look single records up, whatever their values: planning them each time would cost a
        // quarter of the whole. Lists are planned for their values.
        let plans = if lanes == [Lane::Desk] { " -c plan_cache_mode=force_generic_plan" } else { "" };
        let mut config = self.shared.address.config.clone();
        config.application_name("carrel").options(format!(
            "-c search_path={schema},{SYSTEM_SCHEMA} -c timezone=UTC -c jit=off -c statement_timeout={longest} \
             -c idle_in_transaction_session_timeout=60s -c datestyle=ISO -c client_min_messages=warning{plans}"
        ));
        let dialer = self.shared.address.dialer().reporting_to(Arc::clone(snapshot));
        let recycling = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let manager = Manager::from_connect(config, dialer, recycling);
        let patient = |lane: &Lane| matches!(lane, Lane::Streams | Lane::Background | Lane::Indexing);
        let patience = match lanes.iter().all(patient) {
            true => LONG_PATIENCE,
            false => PATIENCE,
        };
        let pool = Pool::builder(manager)
            .max_size(size)
            .wait_timeout(Some(patience))
            .create_timeout(Some(PATIENCE))
            .runtime(Runtime::Tokio1)
            .pre_recycle(self.up_to_date());
        let yields = lanes.first().is_none_or(|lane| lane.yields_to_the_desk());
        let pool = match self.shared.address.is_ours && yields {
            true => pool.post_create(yield_to_the_desk()).post_recycle(use_what_the_desk_leaves()),
            false => pool,
        };
        pool.build().map_err(|error| StoreError::Other(error.to_string()))
    }

    /// Rejects pooled connections that may lead to a former primary.
    fn up_to_date(&self) -> Hook {
        let refusals = self.shared.refusals.clone();
        Hook::sync_fn(move |_, metrics| match refusals.outdate(metrics.created) {
            true => Err(HookError::message("the server took no changes")),
            false => Ok(()),
        })
    }

    /// Checks that the database answers within `limit`, accepts changes, and has not refused a write since the last
    /// successful trial.
    ///
    /// # Errors
    /// [`StoreError`] with the first of these that fails.
    pub async fn ping(&self, limit: Duration) -> Result<(), StoreError> {
        let budget = Budget::Until(Instant::now() + limit, limit);
        let session = self.session_in(SYSTEM_SCHEMA, Lane::Desk, budget)?;
        let read_only = "SELECT current_setting('transaction_read_only')::bool";
        if session.value(read_only, &[]).await? {
            self.shared.refusals.note(&StoreError::ReadOnly);
            return Err(StoreError::ReadOnly);
        }
        match self.shared.refusals.disk() {
            Verdict::Good => Ok(()),
            Verdict::Bad(error) => Err(error),
            Verdict::Doubtful => {
                session.batch(TRIAL).await?;
                self.shared.refusals.disk_recovered();
                Ok(())
            }
        }
    }

    /// Closes the idle connections of all tenants when the server has no room for another.
    fn make_room(&self) {
        self.each_pool(|pool| drop(pool.retain(|_, _| false)));
    }

    fn each_pool(&self, mut does: impl FnMut(&Pool)) {
        if let Ok(pools) = self.shared.pools.read() {
            let all = pools.values().flat_map(|of| &of.lanes);
            all.for_each(|one| does(&one.pool));
        }
    }

    /// Closes all connections, those in use as soon as they are free. A server that is stopped next loses none, which the log
    /// would tell.
    pub fn close(&self) {
        self.each_pool(Pool::close);
    }

    /// Forgets the pools of a deleted schema and closes their idle connections.
    pub fn forget(&self, schema: &str) {
        if let Ok(mut pools) = self.shared.pools.write()
            && let Some(of_schema) = pools.remove(schema)
        {
            of_schema.lanes.iter().for_each(|one| one.pool.close());
        }
        self.shared.snapshots.forget(schema);
    }

    /// Closes connections idle for a minute, and empties snapshots, so that quiet tenants hold none.
    pub fn close_idle(&self) {
        self.shared.snapshots.forget_idle();
        self.each_pool(|pool| drop(pool.retain(|_, metrics| metrics.last_used() < IDLE)));
    }

    /// Current use of the connections of all pools.
    pub fn connections(&self) -> Connections {
        let mut all = Connections::default();
        self.each_pool(|pool| {
            let status = pool.status();
            all.open += status.size;
            all.idle += status.available;
            all.waiting += status.waiting;
        });
        all
    }

    /// How to reach the server, for tools that open their own connections.
    pub fn config(&self) -> &tokio_postgres::Config {
        &self.shared.address.config
    }
}

/// Lets server processes that yield use all processors, if nobody is at the desk when one of them gets work.
fn use_what_the_desk_leaves() -> Hook {
    Hook::sync_fn(|_, _| {
        priority::widen();
        Ok(())
    })
}

/// Gives the server process of a new connection a lower priority than the desk's.
fn yield_to_the_desk() -> Hook {
    Hook::async_fn(|client, _| {
        Box::pin(async move {
            let process = client.query_one("SELECT pg_backend_pid()", &[]).await;
            if let Ok(process) = process.map_err(StoreError::from).and_then(|row| only(&row)) {
                priority::lower_priority_of(process);
            }
            Ok(())
        })
    })
}
