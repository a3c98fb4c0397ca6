//! What is indexed.

use std::{future::Future, sync::Arc};

use jiff::Timestamp;
use search::{document::Document, fields::Fields};
use serde::{Serialize, de::DeserializeOwned};
use store::{Session, StoreError, db::Row};

/// Where the changes of a database are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// What is visible now.
    pub snapshot: String,
    /// The database and tables that it is of; others after a restore.
    pub origin: String,
    /// When, in seconds since 1970.
    pub seconds: i64,
}

/// What has changed since a snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changes<K> {
    /// These records, each once.
    Records(Vec<K>),
    /// So much that all records are to be indexed again.
    Everything,
}

/// Changes that an index has not seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    pub changes: u64,
    /// How long the first of them has been waiting.
    pub seconds: u64,
}

impl Waiting {
    /// What a statement says in its columns `changes` and `seconds`.
    pub fn of(row: &Row) -> Self {
        let number = |name: &str| row.get::<_, Option<i64>>(name).and_then(|number| u64::try_from(number).ok());
        Self { changes: number("changes").unwrap_or(0), seconds: number("seconds").unwrap_or(0) }
    }
}

/// Records with their documents.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Batch {
    /// What the documents that these records had are deleted by.
    pub sources: Vec<String>,
    /// The documents that they have now.
    pub documents: Vec<Document>,
}

/// Records of a database that are indexed.
pub trait Source: Send + Sync + 'static {
    /// Counts up when the same records get other documents than before: an index of an earlier version is searched until there is
    /// another. Other fields need no other version.
    const VERSION: u32 = 0;

    /// Names a record. Keys have the order in which pages have them.
    type Key: Clone + Ord + Send + Sync + Serialize + DeserializeOwned + 'static;

    /// What is read of records.
    type Read: Send + 'static;

    /// What the records are called in logs.
    fn name(&self) -> &'static str;

    /// The fields of their documents.
    fn fields(&self) -> Arc<Fields>;

    /// A key before all others.
    fn before_all(&self) -> Self::Key;

    /// Where the database is.
    ///
    /// # Errors
    /// [`StoreError`].
    fn reached(&self, session: &Session) -> impl Future<Output = Result<Reached, StoreError>> + Send;

    /// Prepares for an index that is opened.
    ///
    /// # Errors
    /// [`StoreError`].
    fn opened(&self, session: &Session) -> impl Future<Output = Result<(), StoreError>> + Send {
        let _ = session;
        async { Ok(()) }
    }

    /// The records that may have other documents than they had at a snapshot.
    ///
    /// # Errors
    /// [`StoreError`].
    fn changes(
        &self,
        session: &Session,
        since: &str,
    ) -> impl Future<Output = Result<Changes<Self::Key>, StoreError>> + Send;

    /// The records after one, in the order of their keys, so many at most.
    ///
    /// # Errors
    /// [`StoreError`].
    fn page(
        &self,
        session: &Session,
        after: &Self::Key,
        at_most: usize,
    ) -> impl Future<Output = Result<Vec<Self::Key>, StoreError>> + Send;

    /// Reads records for their documents.
    ///
    /// # Errors
    /// [`StoreError`].
    fn read(
        &self,
        session: &Session,
        records: &[Self::Key],
    ) -> impl Future<Output = Result<Self::Read, StoreError>> + Send;

    /// The documents of records that were read. It takes processor time: [`crate::Pace`] says where.
    fn documents(read: Self::Read) -> Batch;

    /// How many changes there are since a snapshot. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    fn waiting(&self, session: &Session, since: &str) -> impl Future<Output = Result<Waiting, StoreError>> + Send;

    /// Whether there are no records to be found. One round trip.
    ///
    /// # Errors
    /// [`StoreError`].
    fn is_empty(&self, session: &Session) -> impl Future<Output = Result<bool, StoreError>> + Send {
        async { Ok(self.page(session, &self.before_all(), 1).await?.is_empty()) }
    }

    /// Deletes changes from before a moment, some at a time.
    ///
    /// # Errors
    /// [`StoreError`].
    fn trim(&self, session: &Session, before: Timestamp) -> impl Future<Output = Result<(), StoreError>> + Send;
}
