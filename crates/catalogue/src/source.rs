//! The catalogue as the index reads it.

use std::{
    borrow::Cow,
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
};

use indexing::{Batch, Changes, Reached, Source, Waiting};
use jiff::Timestamp;
use search::fields::Fields;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json_borrow::Value as Json;
use store::{
    Session, StoreError,
    db::{JsonText, Row},
    inventory::views::TITLES,
    statements::catalogue::{CHANGES, INDEXED, PAGE, POSITION, TRIM, TYPES, WAITING},
};
use uuid::Uuid;

use crate::{
    answer::Expanded,
    document::{Names, document},
    options::INSTANCES,
    settings::Settings,
    title::Title,
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
pub(crate) async fn titles(session: &Session, ids: &[Uuid]) -> Result<Vec<Expanded>, StoreError> {
    let read: Vec<Value> = session.values(&TITLES, &[&ids]).await?;
    Ok(read.into_iter().map(title).collect())
}

fn title(mut read: Value) -> Expanded {
    let mut records = |name: &str| match read[name].take() {
        Value::Array(records) => records,
        _ => Vec::new(),
    };
    let (holdings, items) = (records("holdingsRecords"), records("items"));
    Expanded { is_bound_with: read["isBoundWith"] == true, instance: read["instance"].take(), holdings, items }
}

/// Names an instance, in the order in which instances were made; one that was deleted comes before all others.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Key {
    seq: i64,
    id: Uuid,
}

/// Instances with their holdings and items, and what their documents need beside them.
pub(crate) struct Read {
    ids: Vec<Uuid>,
    /// An instance before what belongs to it.
    records: Vec<Row>,
    names: Names,
}

/// Puts records together that belong to one instance.
fn together<'t>(ids: &'t [String], records: &'t [Row]) -> Vec<Title<'t>> {
    let mut titles: Vec<Title<'t>> = Vec::new();
    for row in records {
        let mut record = parsed(row.get("doc"));
        // Of an item, what its document lacks.
        let state = row.get::<_, Option<JsonText<'_>>>("state").map(parsed);
        if let (Some(Json::Object(state)), Json::Object(record)) = (state, &mut record) {
            for (name, value) in state.into_vec() {
                if let Cow::Borrowed(name) = name {
                    record.insert(name, value);
                }
            }
        }
        match (row.get("kind"), titles.last_mut()) {
            (1, Some(title)) => title.holdings.push(record),
            (2, Some(title)) => title.items.push(record),
            _ => {
                let place = usize::try_from(row.get::<_, i64>("place") - 1).unwrap_or(usize::MAX);
                let id = ids.get(place).map_or("", String::as_str);
                let is_bound_with = row.get::<_, Option<bool>>("is_bound_with").unwrap_or_default();
                titles.push(Title { id, instance: record, is_bound_with, ..Title::default() });
            }
        }
    }
    titles
}

fn parsed(JsonText(text): JsonText<'_>) -> Json<'_> {
    // PostgreSQL sends no other JSON.
    serde_json::from_str(text).unwrap_or_default()
}

impl Source for Catalogued {
    const VERSION: u32 = 3;

    type Key = Key;
    type Read = Read;

    fn name(&self) -> &'static str {
        "catalogue"
    }

    fn fields(&self) -> Arc<Fields> {
        Arc::clone(&INSTANCES.fields)
    }

    fn before_all(&self) -> Key {
        Key { seq: 0, id: Uuid::nil() }
    }

    async fn reached(&self, session: &Session) -> Result<Reached, StoreError> {
        let row = session.get(POSITION, &[]).await?;
        Ok(Reached { snapshot: row.get("snapshot"), origin: row.get("origin"), seconds: row.get("seconds") })
    }

    async fn opened(&self, session: &Session) -> Result<(), StoreError> {
        self.read_settings(session).await
    }

    async fn changes(&self, session: &Session, since: &str) -> Result<Changes<Key>, StoreError> {
        let changed = session.query(CHANGES, &[&since]).await?;
        let scopes: Vec<String> = changed.iter().filter_map(|row| row.get("scope")).collect();
        if scopes.iter().any(|scope| scope == "settings") {
            self.read_settings(session).await?;
        }
        if scopes.iter().any(|scope| scope == "everything") {
            return Ok(Changes::Everything);
        }
        let key = |row: &Row| {
            let seq: Option<i64> = row.get("seq");
            Some(Key { seq: seq.unwrap_or(0), id: row.get::<_, Option<Uuid>>("instance")? })
        };
        Ok(Changes::Records(changed.iter().filter_map(key).collect()))
    }

    async fn page(&self, session: &Session, after: &Key, at_most: usize) -> Result<Vec<Key>, StoreError> {
        let rows = session.query(PAGE, &[&after.seq, &i64::try_from(at_most).unwrap_or(i64::MAX)]).await?;
        Ok(rows.iter().map(|row| Key { seq: row.get("seq"), id: row.get("id") }).collect())
    }

    async fn read(&self, session: &Session, records: &[Key]) -> Result<Read, StoreError> {
        let types: Value = session.value(TYPES, &[]).await?;
        let types: HashMap<String, String> = serde_json::from_value(types).unwrap_or_default();
        let names = Names { tenant: self.tenant.clone(), types };
        let ids: Vec<Uuid> = records.iter().map(|key| key.id).collect();
        let records = session.query(INDEXED, &[&ids]).await?;
        Ok(Read { ids, records, names })
    }

    fn documents(Read { ids, records, names }: Read) -> Batch {
        let sources: Vec<String> = ids.iter().map(Uuid::to_string).collect();
        let documents = together(&sources, &records).iter().map(|title| document(title, &names)).collect();
        Batch { sources, documents }
    }

    async fn waiting(&self, session: &Session, since: &str) -> Result<Waiting, StoreError> {
        Ok(Waiting::of(&session.get(WAITING, &[&since]).await?))
    }

    async fn trim(&self, session: &Session, before: Timestamp) -> Result<(), StoreError> {
        session.execute(TRIM, &[&before]).await.map(|_| ())
    }
}
