//! The archives as the index reads them.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

use indexing::{Batch, Changes, Reached, Source, Waiting};
use jiff::Timestamp;
use search::fields::Fields;
use serde_json::Value;
use store::{
    Session, StoreError,
    db::Row,
    statements::archives::{
        ARE_ARCHIVES_EMPTY, CHANGES, CHANGES_WAITING, INDEX_JOB_FILES, INDEX_NAMES, INDEX_PAGE, INDEX_POSITION,
        READ_RECORDS, TRIM_CHANGES,
    },
};

use super::{
    document::{CONTAINER, INDEXED, Names, documents, referred, source},
    fields::FIELDS,
};
use crate::{jobs, model::Uri};

/// Where the index of a tenant's archives is, below the folder of all indexes.
pub fn folder(directory: &Path, schema: &str) -> PathBuf {
    directory.join(schema)
}

/// The records of a tenant's archives, by type and id.
#[derive(Debug)]
pub struct Described;

/// Records, and what they show of those that they refer to.
#[derive(Debug, Default)]
pub struct Read {
    sources: Vec<String>,
    records: Vec<Value>,
    names: Names,
}

impl Source for Described {
    const VERSION: u32 = 2;

    type Key = (String, i64);
    type Read = Read;

    fn name(&self) -> &'static str {
        "archives"
    }

    fn fields(&self) -> Arc<Fields> {
        Arc::clone(&FIELDS)
    }

    fn before_all(&self) -> Self::Key {
        (String::new(), 0)
    }

    async fn reached(&self, session: &Session) -> Result<Reached, StoreError> {
        let row = session.get(INDEX_POSITION, &[]).await?;
        Ok(Reached { snapshot: row.get("snapshot"), origin: row.get("origin"), seconds: row.get("seconds") })
    }

    async fn changes(&self, session: &Session, since: &str) -> Result<Changes<Self::Key>, StoreError> {
        Ok(Changes::Records(session.query(CHANGES, &[&since]).await?.iter().map(key).collect()))
    }

    async fn page(
        &self,
        session: &Session,
        (kind, id): &Self::Key,
        at_most: usize,
    ) -> Result<Vec<Self::Key>, StoreError> {
        let page = session.query(INDEX_PAGE, &[kind, id, &i64::try_from(at_most).unwrap_or(i64::MAX)]).await?;
        Ok(page.iter().map(key).collect())
    }

    async fn read(&self, session: &Session, records: &[Self::Key]) -> Result<Read, StoreError> {
        let records: Vec<&Self::Key> =
            records.iter().filter(|(kind, _)| INDEXED.contains(&kind.as_str()) || kind == CONTAINER).collect();
        if records.is_empty() {
            return Ok(Read::default());
        }
        let kinds: Vec<&str> = records.iter().map(|(kind, _)| kind.as_str()).collect();
        let ids: Vec<i64> = records.iter().map(|(_, id)| *id).collect();
        let read: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
        let jobs: Vec<i64> = records.iter().filter(|(kind, _)| kind == jobs::KIND).map(|(_, id)| *id).collect();
        let sources = records.iter().map(|(kind, id)| source(kind, *id)).collect();
        let mut uris = BTreeSet::new();
        read.iter().for_each(|record| referred(record, &mut uris));
        let targets: Vec<Uri> = uris.iter().filter_map(|uri| Uri::parse(uri)).collect();
        let kinds: Vec<&str> = targets.iter().map(|target| target.kind.name.as_str()).collect();
        let ids: Vec<i64> = targets.iter().map(|target| target.id).collect();
        let mut names: Vec<Value> = session.values(INDEX_NAMES, &[&kinds, &ids]).await?;
        if !jobs.is_empty() {
            names.extend(session.values::<Value>(INDEX_JOB_FILES, &[&jobs]).await?);
        }
        let names = names.into_iter().filter_map(|name| Some((name["uri"].as_str()?.to_owned(), name))).collect();
        Ok(Read { sources, records: read, names })
    }

    fn documents(Read { sources, records, names }: Read) -> Batch {
        Batch { sources, documents: records.iter().flat_map(|record| documents(record, &names)).collect() }
    }

    async fn waiting(&self, session: &Session, since: &str) -> Result<Waiting, StoreError> {
        Ok(Waiting::of(&session.get(CHANGES_WAITING, &[&since]).await?))
    }

    async fn is_empty(&self, session: &Session) -> Result<bool, StoreError> {
        session.value(ARE_ARCHIVES_EMPTY, &[]).await
    }

    async fn trim(&self, session: &Session, before: Timestamp) -> Result<(), StoreError> {
        session.execute(TRIM_CHANGES, &[&before]).await.map(|_| ())
    }
}

fn key(row: &Row) -> (String, i64) {
    (row.get("kind"), row.get("id"))
}
