//! Taking indexes and foreign keys away while a table is filled, and making the very same ones again.

use crate::{
    db::{Session, Transaction},
    error::StoreError,
};

/// What was taken away, as the statements that bring it back.
#[derive(Debug, Default)]
pub struct Suspended {
    indexes: Vec<String>,
    constraints: Vec<String>,
}

impl Suspended {
    /// How many statements [`restore`] will run.
    #[must_use]
    pub fn len(&self) -> usize {
        self.indexes.len() + self.constraints.len()
    }

    /// True when nothing was taken away.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Foreign keys of and to the tables, and their keys.
const CONSTRAINTS: &str = "
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
           format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
           contype = 'f'
    FROM pg_constraint
    WHERE contype IN ('f', 'p', 'u', 'x')
      AND (conrelid = ANY ($1::text[]::regclass[]) OR confrelid = ANY ($1::text[]::regclass[]))
    ORDER BY contype = 'f' DESC, conname";

/// Indexes that no constraint stands on.
const INDEXES: &str = "
    SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    FROM pg_index
    WHERE indrelid = ANY ($1::text[]::regclass[])
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
    ORDER BY 1";

/// Takes all indexes and keys of these tables away, and the foreign keys from and to them.
///
/// # Errors
/// [`StoreError`]; nothing is changed then.
pub async fn suspend(session: &Session, tables: &[&str]) -> Result<Suspended, StoreError> {
    let transaction = session.begin_long().await?;
    let mut suspended = Suspended::default();
    let mut drops = Vec::new();
    for row in transaction.query(CONSTRAINTS, &[&tables]).await? {
        drops.push(row.get::<_, String>(0));
        let is_foreign_key = row.get(2);
        let made_again = if is_foreign_key {
            &mut suspended.constraints
        } else {
            &mut suspended.indexes
        };
        made_again.push(row.get(1));
    }
    for row in transaction.query(INDEXES, &[&tables]).await? {
        drops.push(row.get::<_, String>(0));
        suspended.indexes.push(row.get(1));
    }
    transaction.batch(&drops.join(";")).await?;
    transaction.commit().await?;
    Ok(suspended)
}

/// Makes everything again: indexes first, on as many connections as `workers`, then foreign keys. `done` is
/// called after each statement.
///
/// # Errors
/// [`StoreError`], for example when the rows break a unique index.
pub async fn restore(
    session: &Session,
    suspended: Suspended,
    workers: usize,
    done: &(dyn Fn() + Sync),
) -> Result<(), StoreError> {
    run(session, &suspended.indexes, workers, done).await?;
    // Two foreign keys of a table wait for each other's lock, and one scan is enough to do at a time.
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
