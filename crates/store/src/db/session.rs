//! A session: statements on one tenant's tables, each counted.

use std::{sync::Arc, time::Instant};

use deadpool_postgres::{Object, Pool};
use postgres_types::ToSql;
use tokio_postgres::{Row, RowStream, Statement};

use super::Meter;
use crate::error::StoreError;

/// Statements kept prepared on a connection. CQL makes ever new ones; past this number they are all
/// forgotten, so that a connection's memory does not grow with its age.
const PREPARED_AT_MOST: usize = 300;

/// A parameter of a statement.
pub type Parameter<'a> = &'a (dyn ToSql + Sync);

/// Statements on one tenant's tables. Each runs on a connection of its own from the pool, in its own
/// transaction; [`Session::begin`] joins several.
#[derive(Clone)]
pub struct Session {
    pool: Pool,
    meter: Arc<Meter>,
}

impl Session {
    pub(super) fn new(pool: Pool) -> Self {
        Self {
            pool,
            meter: Arc::default(),
        }
    }

    /// The count of this session's round trips.
    #[must_use]
    pub fn meter(&self) -> &Arc<Meter> {
        &self.meter
    }

    async fn connection(&self) -> Result<Object, StoreError> {
        let started = Instant::now();
        let connection = self.pool.get().await;
        super::meter::waited(started);
        connection.map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// All rows.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act.
    pub async fn query(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        query(&self.connection().await?, &self.meter, sql, parameters).await
    }

    /// The only row, if there is one.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act.
    pub async fn find(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Option<Row>, StoreError> {
        Ok(self.query(sql, parameters).await?.into_iter().next())
    }

    /// The only row.
    ///
    /// # Errors
    /// [`StoreError`]; also when there is no row.
    pub async fn get(&self, sql: &str, parameters: &[Parameter<'_>]) -> Result<Row, StoreError> {
        self.find(sql, parameters).await?.ok_or_else(no_row)
    }

    /// Runs a change and returns the number of rows it touched.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act.
    pub async fn execute(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, StoreError> {
        execute(&self.connection().await?, &self.meter, sql, parameters).await
    }

    /// Rows as they come, for answers that do not fit in memory.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act; later ones come with the rows.
    pub async fn stream(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<(RowStream, impl Sized + Send + use<>), StoreError> {
        let connection = self.connection().await?;
        let statement = prepare(&connection, &self.meter, sql).await?;
        let started = Instant::now();
        let rows = connection
            .query_raw(&statement, parameters.iter().copied())
            .await?;
        self.meter.count(started);
        Ok((rows, connection))
    }

    /// Runs several statements without parameters at once.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act.
    pub async fn batch(&self, sql: &str) -> Result<(), StoreError> {
        let connection = self.connection().await?;
        let started = Instant::now();
        let outcome = connection.batch_execute(sql).await;
        self.meter.count(started);
        Ok(outcome?)
    }

    /// Begins a transaction. Dropped without [`Transaction::commit`], it is undone.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act.
    pub async fn begin(&self) -> Result<Transaction, StoreError> {
        let connection = self.connection().await?;
        let started = Instant::now();
        connection.batch_execute("BEGIN").await?;
        self.meter.count(started);
        Ok(Transaction {
            connection: Some(connection),
            meter: Arc::clone(&self.meter),
        })
    }
}

/// Several statements that happen together or not at all.
pub struct Transaction {
    connection: Option<Object>,
    meter: Arc<Meter>,
}

impl Transaction {
    fn connection(&self) -> Result<&Object, StoreError> {
        self.connection
            .as_ref()
            .ok_or_else(|| StoreError::Other("the transaction is over".into()))
    }

    /// All rows.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act.
    pub async fn query(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<Vec<Row>, StoreError> {
        query(self.connection()?, &self.meter, sql, parameters).await
    }

    /// Runs a change and returns the number of rows it touched.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act.
    pub async fn execute(
        &self,
        sql: &str,
        parameters: &[Parameter<'_>],
    ) -> Result<u64, StoreError> {
        execute(self.connection()?, &self.meter, sql, parameters).await
    }

    /// Runs several statements without parameters at once.
    ///
    /// # Errors
    /// [`StoreError`], sorted by who can act.
    pub async fn batch(&self, sql: &str) -> Result<(), StoreError> {
        let started = Instant::now();
        let outcome = self.connection()?.batch_execute(sql).await;
        self.meter.count(started);
        Ok(outcome?)
    }

    /// The connection itself, for COPY.
    ///
    /// # Errors
    /// When the transaction is over.
    pub fn client(&self) -> Result<&tokio_postgres::Client, StoreError> {
        Ok(self.connection()?)
    }

    /// Makes the changes last.
    ///
    /// # Errors
    /// [`StoreError`]: deferred constraints speak up now.
    pub async fn commit(mut self) -> Result<(), StoreError> {
        self.batch("COMMIT").await?;
        self.connection.take();
        Ok(())
    }
}

impl Drop for Transaction {
    /// An unfinished transaction is undone by closing its connection: nothing can be awaited here.
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            drop(Object::take(connection));
        }
    }
}

async fn prepare(connection: &Object, meter: &Meter, sql: &str) -> Result<Statement, StoreError> {
    let cache = &connection.statement_cache;
    if cache.size() > PREPARED_AT_MOST {
        cache.clear();
    }
    let known = cache.size();
    let started = Instant::now();
    let statement = connection.prepare_cached(sql).await?;
    if cache.size() > known {
        meter.prepared(started);
    }
    Ok(statement)
}

async fn query(
    connection: &Object,
    meter: &Meter,
    sql: &str,
    parameters: &[Parameter<'_>],
) -> Result<Vec<Row>, StoreError> {
    let statement = prepare(connection, meter, sql).await?;
    let started = Instant::now();
    let rows = connection.query(&statement, parameters).await;
    meter.count(started);
    Ok(rows?)
}

async fn execute(
    connection: &Object,
    meter: &Meter,
    sql: &str,
    parameters: &[Parameter<'_>],
) -> Result<u64, StoreError> {
    let statement = prepare(connection, meter, sql).await?;
    let started = Instant::now();
    let rows = connection.execute(&statement, parameters).await;
    meter.count(started);
    Ok(rows?)
}

fn no_row() -> StoreError {
    StoreError::Other("the statement returned no row".into())
}
