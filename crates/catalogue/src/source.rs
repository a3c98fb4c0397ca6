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
    db::{Row, Unparsed},
    inventory::views::TITLES,
    statements::catalogue::{CHANGES, INDEXED, PAGE, POSITION, TRIM, TYPES, WAITING},
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
    ids: Vec<Uuid>,
    records: Vec<Record>,
    names: Names,
}

/// A record as the database has it.
struct Record {
    /// The place of its instance among those that were asked for, from 1.
    place: i64,
    kind: i32,
    document: Unparsed,
    /// Of an item, what its document lacks.
    state: Option<Unparsed>,
    is_bound_with: bool,
}

/// Puts records together that come an instance before what belongs to it.
fn together(ids: &[String], records: Vec<Record>) -> Vec<Title> {
    let mut titles: Vec<Title> = Vec::new();
    for Record { place, kind, document, state, is_bound_with } in records {
        let mut record = document.parsed();
        if let (Some(Value::Object(state)), Value::Object(record)) = (state.map(|state| state.parsed()), &mut record) {
            record.extend(state);
        }
        match (kind, titles.last_mut()) {
            (1, Some(title)) => title.holdings.push(record),
            (2, Some(title)) => title.items.push(record),
            _ => {
                let id = usize::try_from(place - 1).ok().and_then(|place| ids.get(place)).cloned().unwrap_or_default();
                titles.push(Title { id, instance: record, is_bound_with, ..Title::default() });
            }
        }
    }
    titles
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
        let rows = session.query(INDEXED, &[&records]).await?;
        let record = |row: &Row| Record {
            place: row.get("place"),
            kind: row.get("kind"),
            document: row.get("doc"),
            state: row.get("state"),
            is_bound_with: row.get::<_, Option<bool>>("is_bound_with").unwrap_or_default(),
        };
        Ok(Read { ids: records.to_vec(), records: rows.iter().map(record).collect(), names })
    }

    fn documents(Read { ids, records, names }: Read) -> Batch {
        let sources: Vec<String> = ids.iter().map(Uuid::to_string).collect();
        let documents = together(&sources, records).iter().map(|title| document(title, &names)).collect();
        Batch { sources, documents }
    }

    async fn waiting(&self, session: &Session, since: &str) -> Result<Waiting, StoreError> {
        Ok(Waiting::of(&session.get(WAITING, &[&since]).await?))
    }

    async fn trim(&self, session: &Session, before: Timestamp) -> Result<(), StoreError> {
        session.execute(TRIM, &[&before]).await.map(|_| ())
    }
}
