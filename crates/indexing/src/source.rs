//! What is indexed.

use std::{future::Future, sync::Arc};

use jiff::Timestamp;
use search::{fields::Fields, index::Document};
use serde::{Serialize, de::DeserializeOwned};
use store::{Session, StoreError};

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
    /// Names a record. Keys have the order in which pages have them.
    type Key: Clone + Ord + Send + Sync + Serialize + DeserializeOwned + 'static;

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

    /// The documents of records.
    ///
    /// # Errors
    /// [`StoreError`].
    fn documents(
        &self,
        session: &Session,
        records: &[Self::Key],
    ) -> impl Future<Output = Result<Batch, StoreError>> + Send;

    /// Deletes changes from before a moment, some at a time.
    ///
    /// # Errors
    /// [`StoreError`].
    fn trim(&self, session: &Session, before: Timestamp) -> impl Future<Output = Result<(), StoreError>> + Send;
}
