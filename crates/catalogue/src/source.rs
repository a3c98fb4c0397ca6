//! The catalogue as the index reads it.

use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use indexing::{Batch, Changes, Reached, Source, Waiting};
use jiff::Timestamp;
use search::fields::Fields;
use serde_json::Value;
use store::{
    Session, StoreError,
    db::Unparsed,
    inventory::views::TITLES,
    statements::catalogue::{BRIEF_TITLES, CHANGES, PAGE, POSITION, TRIM, TYPES, WAITING},
};
use uuid::Uuid;

use crate::{
    document::{Names, Title, document},
    options::INSTANCES,
    settings::Settings,
};

/// The instances of a tenant.
pub(crate) struct Catalogued {
    tenant: String,
    /// Read again when they change.
    settings: Arc<RwLock<Arc<Settings>>>,
}

impl Catalogued {
    pub(crate) fn new(tenant: &str, settings: Arc<RwLock<Arc<Settings>>>) -> Self {
        Self { tenant: tenant.to_owned(), settings }
    }

    async fn read_settings(&self, session: &Session) -> Result<(), StoreError> {
        let read = Arc::new(Settings::read(session).await?);
        *self.settings.write().unwrap_or_else(PoisonError::into_inner) = read;
        Ok(())
    }
}

/// Reads instances with their holdings and items, in the order asked for. One round trip.
pub(crate) async fn titles(session: &Session, ids: &[Uuid]) -> Result<Vec<Title>, StoreError> {
    let read: Vec<Value> = session.values(&TITLES, &[&ids]).await?;
    Ok(read.into_iter().map(title).collect())
}

/// Reads of instances, their holdings and items what lists show. One round trip.
pub(crate) async fn brief_titles(session: &Session, ids: &[Uuid]) -> Result<Vec<Title>, StoreError> {
    let read: Vec<Value> = session.values(BRIEF_TITLES, &[&ids]).await?;
    Ok(read.into_iter().map(title).collect())
}

fn title(mut read: Value) -> Title {
    let mut records = |name: &str| match read[name].take() {
        Value::Array(records) => records,
        _ => Vec::new(),
    };
    let (holdings, items) = (records("holdingsRecords"), records("items"));
    Title {
        id: read["instanceId"].as_str().unwrap_or_default().to_owned(),
        is_bound_with: read["isBoundWith"] == true,
        instance: read["instance"].take(),
        holdings,
        items,
    }
}

/// Instances with their holdings and items, and what their documents need beside them.
pub(crate) struct Read {
    sources: Vec<String>,
    titles: Vec<Unparsed>,
    names: Names,
}

impl Source for Catalogued {
    type Key = Uuid;
    type Read = Read;

    fn name(&self) -> &'static str {
        "catalogue"
    }

    fn fields(&self) -> Arc<Fields> {
        Arc::clone(&INSTANCES.fields)
    }

    fn before_all(&self) -> Uuid {
        Uuid::nil()
    }

    async fn reached(&self, session: &Session) -> Result<Reached, StoreError> {
        let row = session.get(POSITION, &[]).await?;
        Ok(Reached { snapshot: row.get("snapshot"), origin: row.get("origin"), seconds: row.get("seconds") })
    }

    async fn opened(&self, session: &Session) -> Result<(), StoreError> {
        self.read_settings(session).await
    }

    async fn changes(&self, session: &Session, since: &str) -> Result<Changes<Uuid>, StoreError> {
        let changed = session.query(CHANGES, &[&since]).await?;
        let scopes: Vec<String> = changed.iter().filter_map(|row| row.get("scope")).collect();
        if scopes.iter().any(|scope| scope == "settings") {
            self.read_settings(session).await?;
        }
        if scopes.iter().any(|scope| scope == "everything") {
            return Ok(Changes::Everything);
        }
        Ok(Changes::Records(changed.iter().filter_map(|row| row.get("instance")).collect()))
    }

    async fn page(&self, session: &Session, after: &Uuid, at_most: usize) -> Result<Vec<Uuid>, StoreError> {
        session.values(PAGE, &[after, &i64::try_from(at_most).unwrap_or(i64::MAX)]).await
    }

    async fn read(&self, session: &Session, records: &[Uuid]) -> Result<Read, StoreError> {
        let types: Value = session.value(TYPES, &[]).await?;
        let types: HashMap<String, String> = serde_json::from_value(types).unwrap_or_default();
        let names = Names { tenant: self.tenant.clone(), types };
        let titles = session.values(&TITLES, &[&records]).await?;
        Ok(Read { sources: records.iter().map(Uuid::to_string).collect(), titles, names })
    }

    fn documents(Read { sources, titles, names }: Read) -> Batch {
        let documents = titles.into_iter().map(|read| document(&title(read.parsed()), &names));
        Batch { sources, documents: documents.collect() }
    }

    async fn waiting(&self, session: &Session, since: &str) -> Result<Waiting, StoreError> {
        Ok(Waiting::of(&session.get(WAITING, &[&since]).await?))
    }

    async fn trim(&self, session: &Session, before: Timestamp) -> Result<(), StoreError> {
        session.execute(TRIM, &[&before]).await.map(|_| ())
    }
}
