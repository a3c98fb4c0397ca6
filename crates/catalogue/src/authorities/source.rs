//! Authorities as their index reads them.

use std::sync::Arc;

use indexing::{Batch, Changes, Reached, Source, Waiting};
use jiff::Timestamp;
use search::fields::Fields;
use serde_json::Value;
use store::{
    Session, StoreError,
    statements::{
        authorities::{CHANGES, PAGE, RECORDS, TRIM, WAITING},
        catalogue::{POSITION, TYPES},
    },
};
use uuid::Uuid;

use super::{
    document::{Names, documents, lccn_types},
    options::AUTHORITIES,
};

/// The authorities of a tenant.
pub(crate) struct Decided {
    tenant: String,
}

impl Decided {
    pub(crate) fn new(tenant: &str) -> Self {
        Self { tenant: tenant.to_owned() }
    }
}

/// Reads records; those that are gone are left out. One round trip.
pub(super) async fn records(session: &Session, ids: &[Uuid]) -> Result<Vec<(Uuid, Value)>, StoreError> {
    let rows = session.query(RECORDS, &[&ids]).await?;
    Ok(rows.iter().map(|row| (row.get("id"), row.get("doc"))).collect())
}

/// Authorities, and what their documents need beside them.
pub(crate) struct Read {
    sources: Vec<String>,
    records: Vec<(Uuid, Value)>,
    names: Names,
}

impl Source for Decided {
    const VERSION: u32 = 1;

    type Key = Uuid;
    type Read = Read;

    fn name(&self) -> &'static str {
        "authorities"
    }

    fn fields(&self) -> Arc<Fields> {
        Arc::clone(&AUTHORITIES.fields)
    }

    fn before_all(&self) -> Uuid {
        Uuid::nil()
    }

    async fn reached(&self, session: &Session) -> Result<Reached, StoreError> {
        let row = session.get(POSITION, &[]).await?;
        Ok(Reached { snapshot: row.get("snapshot"), origin: row.get("origin"), seconds: row.get("seconds") })
    }

    async fn changes(&self, session: &Session, since: &str) -> Result<Changes<Uuid>, StoreError> {
        let changed: Vec<Option<Uuid>> = session.values(CHANGES, &[&since]).await?;
        // What is of no authority is of all.
        Ok(changed.into_iter().collect::<Option<_>>().map_or(Changes::Everything, Changes::Records))
    }

    async fn page(&self, session: &Session, after: &Uuid, at_most: usize) -> Result<Vec<Uuid>, StoreError> {
        session.values(PAGE, &[after, &i64::try_from(at_most).unwrap_or(i64::MAX)]).await
    }

    async fn read(&self, session: &Session, ids: &[Uuid]) -> Result<Self::Read, StoreError> {
        let types: Value = session.value(TYPES, &[]).await?;
        let names = Names { tenant: self.tenant.clone(), lccn: lccn_types(&types) };
        let records = records(session, ids).await?;
        Ok(Read { sources: ids.iter().map(Uuid::to_string).collect(), records, names })
    }

    fn documents(Read { sources, records, names }: Read) -> Batch {
        let of = |(id, record): &(Uuid, Value)| record.as_object().map(|record| documents(*id, record, &names));
        Batch { sources, documents: records.iter().filter_map(of).flatten().collect() }
    }

    async fn waiting(&self, session: &Session, since: &str) -> Result<Waiting, StoreError> {
        Ok(Waiting::of(&session.get(WAITING, &[&since]).await?))
    }

    async fn trim(&self, session: &Session, before: Timestamp) -> Result<(), StoreError> {
        session.execute(TRIM, &[&before]).await.map(|_| ())
    }
}
