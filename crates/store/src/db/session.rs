//! A session: statements on one tenant's tables, counted as round trips.

use std::{sync::Arc, time::Instant};

use deadpool_postgres::{Pool, PoolError, TimeoutType};
use postgres_types::ToSql;
use tokio_postgres::{Row, Statement, error::SqlState, types::FromSqlOwned};

use super::{
    Database, Lane, Meter, Rows,
    lease::{Budget, Lease},
    rows::only,
};
use crate::{
    error::{StoreError, with_causes},
    snapshot::Snapshot,
};

/// Limit of prepared statements per connection. CQL keeps producing new ones; at the limit all are dropped, so that an
/// old connection does not keep growing.
const PREPARED_AT_MOST: usize = 300;

/// A parameter of a statement.
pub type Parameter<'a> = &'a (dyn ToSql + Sync);

/// Statements on one tenant's tables. Each runs on a connection from the pool of its lane, in its own transaction;
/// [`Session::begin`] groups several. A statement is cancelled when the session's time is up or the caller goes away.
#[derive(Clone)]
pub struct Session {
    database: Database,
    pool: Pool,
    /// Connections for records that a key finds, if they are others.
    lookups: Option<Pool>,
    snapshot: Arc<Snapshot>,
    lane: Lane,
    budget: Budget,
    meter: Arc<Meter>,
}

impl Session {
    pub(super) fn new(
        database: Database,
        (pool, lookups): (Pool, Option<Pool>),
        snapshot: Arc<Snapshot>,
        lane: Lane,
        budget: Budget,
    ) -> Self {
        Self { database, pool, lookups, snapshot, lane, budget, meter: Arc::default() }
    }

    /// The session for reading records that a key finds ([`Lane::Lookups`]). A session at the desk or in the background stays as it
    /// is.
    #[must_use]
    pub fn lookups(&self) -> Self {
        match &self.lookups {
            Some(pool) => Self { pool: pool.clone(), lookups: None, lane: Lane::Lookups, ..self.clone() },
            None => self.clone(),
        }
    }

    pub fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    /// The tenant's answers that need no round trip.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    async fn connection(&self) -> Result<Lease, StoreError> {
        let started = Instant::now();
        let taken = self.budget.within(self.take()).await.flatten();
        super::meter::waited(started);
        taken
    }

    async fn take(&self) -> Result<Lease, StoreError> {
        let mut taken = self.pool.get().await;
        if taken.as_ref().is_err_and(no_room) {
            self.database.make_room();
            taken = self.pool.get().await;
        }
        let object = taken.map_err(|error| match error {
            PoolError::Timeout(TimeoutType::Wait) => {
                StoreError::Unavailable(format!("{}; try again", self.lane.in_words()))
            }
            PoolError::Timeout(_) => StoreError::Unavailable("the database server does not answer".into()),
            PoolError::Backend(error) => StoreError::Unavailable(with_causes(&error)),
            error => StoreError::Unavailable(error.to_string()),
        })?;
        Ok(self.database.lease(object, Arc::clone(&self.snapshot)))
    }

    /// All rows.
    pub async fn query(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, StoreError> {
        let lease = self.connection().await?;
        query(&lease, self.budget, &self.meter, sql, parameters).await
    }

    /// The row, if there is one.
    pub async fn find(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Option<Row>, StoreError> {
        Ok(self.query(sql, parameters).await?.into_iter().next())
    }

    /// The only row.
    ///
    /// # Errors
    /// [`StoreError`], also if there is no row.
    pub async fn get(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Row, StoreError> {
        self.find(sql, parameters).await?.ok_or_else(no_row)
    }

    /// The values of a single-column result.
    ///
    /// # Errors
    /// [`StoreError`], also if there are more columns.
    pub async fn values<T: FromSqlOwned>(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<T>, StoreError> {
        let rows = self.query(sql, parameters).await?;
        rows.iter().map(only).collect()
    }

    /// The value of the only row, if there is one.
    pub async fn find_value<T: FromSqlOwned>(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Option<T>, StoreError> {
        let row = self.find(sql, parameters).await?;
        row.as_ref().map(only).transpose()
    }

    /// The value of the only row.
    ///
    /// # Errors
    /// As [`Self::values`], also if there is no row.
    pub async fn value<T: FromSqlOwned>(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<T, StoreError> {
        only(&self.get(sql, parameters).await?)
    }

    /// Runs a change and returns the number of affected rows.
    pub async fn execute(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<u64, StoreError> {
        let lease = self.connection().await?;
        execute(&lease, self.budget, &self.meter, sql, parameters).await
    }

    /// Streams rows, for answers that do not fit in memory.
    ///
    /// # Errors
    /// [`StoreError`] if the statement cannot start; later errors come with the rows.
    pub async fn stream(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Rows, StoreError> {
        let lease = self.connection().await?;
        let statement = prepare(&lease, self.budget, &self.meter, sql).await?;
        let started = Instant::now();
        let rows = lease.client()?.query_raw(&statement, parameters.iter().copied());
        let rows = lease.run(self.budget, rows).await?;
        self.meter.count(started);
        lease.begin();
        Ok(Rows::new(rows, lease, self.budget))
    }

    /// Runs several statements without parameters in one round trip.
    pub async fn batch(&self, sql: &str) -> Result<(), StoreError> {
        let lease = self.connection().await?;
        batch(&lease, self.budget, &self.meter, sql).await
    }

    /// Begins a transaction. Dropping it without [`Transaction::commit`] rolls it back.
    pub async fn begin(&self) -> Result<Transaction, StoreError> {
        self.begin_with("BEGIN", self.budget).await
    }

    /// Begins a transaction without time limits, for loads and migrations.
    pub(crate) async fn begin_long(&self) -> Result<Transaction, StoreError> {
        self.begin_with(BEGIN_LONG, Budget::Unlimited).await
    }

    async fn begin_with(&self, sql: &str, budget: Budget) -> Result<Transaction, StoreError> {
        let mut lease = self.connection().await?;
        lease.begin_transaction();
        batch(&lease, self.budget, &self.meter, sql).await?;
        Ok(Transaction { lease: Some(lease), budget, meter: Arc::clone(&self.meter) })
    }
}

const BEGIN_LONG: &str = "BEGIN; SET LOCAL statement_timeout = 0; \
    SET LOCAL idle_in_transaction_session_timeout = 0";

/// Whether the server has no room for another connection.
fn no_room(error: &PoolError) -> bool {
    match error {
        PoolError::Backend(error) => error.code() == Some(&SqlState::TOO_MANY_CONNECTIONS),
        _ => false,
    }
}

/// Several statements that are committed together.
pub struct Transaction {
    lease: Option<Lease>,
    budget: Budget,
    meter: Arc<Meter>,
}

impl Transaction {
    fn lease(&self) -> Result<&Lease, StoreError> {
        self.lease.as_ref().ok_or_else(|| StoreError::Other("the transaction is over".into()))
    }

    /// All rows.
    pub async fn query(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Vec<Row>, StoreError> {
        query(self.lease()?, self.budget, &self.meter, sql, parameters).await
    }

    /// Runs a change and returns the number of affected rows.
    pub async fn execute(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<u64, StoreError> {
        execute(self.lease()?, self.budget, &self.meter, sql, parameters).await
    }

    /// Runs several statements without parameters in one round trip.
    pub async fn batch(&self, sql: &str) -> Result<(), StoreError> {
        batch(self.lease()?, self.budget, &self.meter, sql).await
    }

    /// Readies the transaction to write so much that tables grow many times over: everything is found by indexes from here on, also
    /// by the checks of foreign keys, whose plans a session keeps from when the tables were small.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn expect_growth(&self) -> Result<(), StoreError> {
        self.batch("SET LOCAL enable_seqscan = off; DISCARD PLANS").await
    }

    /// The connection itself, for COPY.
    ///
    /// # Errors
    /// If the transaction has ended.
    pub fn client(&self) -> Result<&tokio_postgres::Client, StoreError> {
        Ok(self.lease()?.client()?)
    }

    /// Commits the changes.
    ///
    /// # Errors
    /// [`StoreError`], also from deferred constraints, which are checked here.
    pub async fn commit(mut self) -> Result<(), StoreError> {
        self.batch("COMMIT").await?;
        self.lease.take();
        Ok(())
    }
}

impl Drop for Transaction {
    /// Rolls back an unfinished transaction by closing its connection: nothing can be awaited in `drop`.
    fn drop(&mut self) {
        if let Some(lease) = self.lease.take() {
            lease.close();
        }
    }
}

async fn prepare(lease: &Lease, budget: Budget, meter: &Meter, sql: &str) -> Result<Statement, StoreError> {
    let client = lease.client()?;
    let cache = &client.statement_cache;
    if cache.size() > PREPARED_AT_MOST {
        cache.clear();
    }
    let known = cache.size();
    let started = Instant::now();
    let statement = lease.run(budget, client.prepare_cached(sql)).await?;
    if cache.size() > known {
        meter.prepared(started);
    }
    Ok(statement)
}

async fn query(
    lease: &Lease,
    budget: Budget,
    meter: &Meter,
    sql: &str,
    parameters: &[Parameter<'_>],
) -> Result<Vec<Row>, StoreError> {
    let statement = prepare(lease, budget, meter, sql).await?;
    let started = Instant::now();
    let rows = lease.client()?.query(&statement, parameters);
    let rows = lease.run(budget, rows).await;
    meter.count(started);
    rows
}

async fn execute(
    lease: &Lease,
    budget: Budget,
    meter: &Meter,
    sql: &str,
    parameters: &[Parameter<'_>],
) -> Result<u64, StoreError> {
    let statement = prepare(lease, budget, meter, sql).await?;
    let started = Instant::now();
    let rows = lease.client()?.execute(&statement, parameters);
    let rows = lease.run(budget, rows).await;
    meter.count(started);
    rows
}

async fn batch(lease: &Lease, budget: Budget, meter: &Meter, sql: &str) -> Result<(), StoreError> {
    let started = Instant::now();
    let done = lease.client()?.batch_execute(sql);
    let done = lease.run(budget, done).await;
    meter.count(started);
    done
}

fn no_row() -> StoreError {
    StoreError::Other("the statement returned no row".into())
}
