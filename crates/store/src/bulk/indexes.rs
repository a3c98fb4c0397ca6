//! Drops indexes and foreign keys before a bulk load and re-creates them afterwards, unchanged.

use crate::{
    db::{Session, Transaction},
    error::StoreError,
};

/// The dropped objects, as the statements that re-create them.
#[derive(Debug, Default)]
pub struct Suspended {
    indexes: Vec<String>,
    constraints: Vec<String>,
}

impl Suspended {
    /// Number of statements that [`restore`] will run.
    pub fn len(&self) -> usize {
        self.indexes.len() + self.constraints.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Foreign keys from and to the tables, and their primary and unique keys, in the order in which they were made: in it
/// the database checks them.
const CONSTRAINTS: &str = "
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS dropping,
           format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS making,
           contype = 'f' AS is_foreign_key
    FROM pg_constraint
    WHERE contype IN ('f', 'p', 'u', 'x')
      AND (conrelid = ANY ($1::text[]::regclass[]) OR confrelid = ANY ($1::text[]::regclass[]))
    ORDER BY contype = 'f' DESC, oid";

/// Indexes that do not back a constraint.
const INDEXES: &str = "
    SELECT format('DROP INDEX %s', indexrelid::regclass) AS dropping, pg_get_indexdef(indexrelid) AS making
    FROM pg_index
    WHERE indrelid = ANY ($1::text[]::regclass[])
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
    ORDER BY 1";

/// Triggers that note each row for the search; [`entail`](super::entail) says at once that everything is new.
const TRIGGERS: &str = "
    SELECT format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS dropping,
           format('ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname) AS making
    FROM pg_trigger
    WHERE tgrelid = ANY ($1::text[]::regclass[]) AND tgname LIKE 'catalogue\\_%'
    ORDER BY 1";

/// Drops all indexes and keys of the tables, and the foreign keys from and to them, and turns off triggers that note rows for
/// the search, in one transaction.
pub async fn suspend(session: &Session, tables: &[&str]) -> Result<Suspended, StoreError> {
    let transaction = session.begin_long().await?;
    let mut suspended = Suspended::default();
    let mut drops = Vec::new();
    for row in transaction.query(CONSTRAINTS, &[&tables]).await? {
        drops.push(row.get::<_, String>("dropping"));
        let is_foreign_key = row.get("is_foreign_key");
        let made_again = if is_foreign_key { &mut suspended.constraints } else { &mut suspended.indexes };
        made_again.push(row.get("making"));
    }
    for row in transaction.query(INDEXES, &[&tables]).await? {
        drops.push(row.get::<_, String>("dropping"));
        suspended.indexes.push(row.get("making"));
    }
    for row in transaction.query(TRIGGERS, &[&tables]).await? {
        drops.push(row.get::<_, String>("dropping"));
        suspended.constraints.push(row.get("making"));
    }
    transaction.batch(&drops.join(";")).await?;
    transaction.commit().await?;
    Ok(suspended)
}

/// Re-creates everything: indexes first, on `workers` connections, then foreign keys. Calls `done` after each
/// statement.
///
/// # Errors
/// [`StoreError::Duplicate`] when the loaded rows break a unique index.
pub async fn restore(
    session: &Session,
    suspended: Suspended,
    workers: usize,
    done: &(dyn Fn() + Sync),
) -> Result<(), StoreError> {
    run(session, &suspended.indexes, workers, done).await?;
    // Two foreign keys of one table wait for each other's lock, and one table scan at a time is enough.
    run(session, &suspended.constraints, 1, done).await
}

async fn run(
    session: &Session,
    statements: &[String],
    workers: usize,
    done: &(dyn Fn() + Sync),
) -> Result<(), StoreError> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || async {
        loop {
            let place = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(statement) = statements.get(place) else {
                return Ok::<_, StoreError>(());
            };
            one(session.begin_long().await?, statement).await?;
            done();
        }
    };
    futures_util::future::try_join_all((0..workers.max(1)).map(|_| work())).await?;
    Ok(())
}

async fn one(transaction: Transaction, statement: &str) -> Result<(), StoreError> {
    transaction.batch(statement).await?;
    transaction.commit().await
}
