//! Copies the streams of a sample library into the empty tables of a tenant: one connection for each table, one thread
//! that makes titles with everything that belongs to them, and one that makes patrons.

use std::{collections::HashMap, sync::Arc};

use api::app::App;
use inventory::write::{Change, Intent, Sent, new_holdings, new_instance, new_item};
use sample::{Library, inventory::Shelf};
use serde_json::{Map, Value, json};
use store::{
    Session,
    bulk::{self, Rows, indexes},
    collection::Collection,
    record::print_instant,
};
use tokio::sync::mpsc;
use uuid::Uuid;

use crate::{LoadError, progress::Progress};

/// Rows are passed on in parcels of about this many bytes …
const PARCEL: usize = 256 * 1024;
/// … of which at most this many wait for the database.
const WAITING: usize = 8;
/// Connections that a bulk load opens.
pub(crate) const CONNECTIONS: usize = 7;
/// Written beside items and loans.
const BESIDE: [&str; 3] = ["item_state", "item_uncommon_status", "loan_history"];

/// The collections to copy into.
struct Tables {
    instances: Arc<Collection>,
    holdings: Arc<Collection>,
    items: Arc<Collection>,
    loans: Arc<Collection>,
    users: Arc<Collection>,
}

impl Tables {
    fn of(app: &App) -> Result<Self, LoadError> {
        let find = |table: &str| {
            app.collection(table).ok_or_else(|| LoadError::BrokeOff(format!("no collection is kept in {table}")))
        };
        Ok(Self {
            instances: find("instance")?,
            holdings: find("holdings_record")?,
            items: find("item")?,
            loans: find("loan")?,
            users: find("users")?,
        })
    }

    fn names(&self) -> Vec<&'static str> {
        let tables = [&self.instances, &self.holdings, &self.items, &self.loans, &self.users];
        tables.iter().map(|collection| collection.table).chain(BESIDE).collect()
    }
}

/// Copies inventory, loans and patrons.
pub(crate) async fn copy(
    app: &App,
    session: &Session,
    library: &Arc<Library>,
    progress: &dyn Progress,
) -> Result<(), LoadError> {
    let tables = Arc::new(Tables::of(app)?);
    let names = tables.names();
    let suspended = indexes::suspend(session, &names).await?;
    stream(session, &tables, library, progress).await?;
    bulk::entail(session).await?;
    let steps = u64::try_from(suspended.len()).unwrap_or(0);
    progress.begin("Making indexes", steps);
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    indexes::restore(session, suspended, workers.min(CONNECTIONS), &|| progress.advance(1)).await?;
    progress.begin("Counting for the planner", 1);
    bulk::analyze(session, &names).await?;
    store::inventory::numbers_used(session, library.last_numbers()).await?;
    progress.advance(1);
    Ok(())
}

/// Runs the makers and the copies in parallel.
async fn stream(
    session: &Session,
    tables: &Arc<Tables>,
    library: &Arc<Library>,
    progress: &dyn Progress,
) -> Result<(), LoadError> {
    let plan = library.plan;
    progress.begin("Copying records", u64::from(plan.instances) + u64::from(plan.items) + u64::from(plan.users));
    let (made, mut counted) = mpsc::unbounded_channel();
    let channel = || mpsc::channel::<Rows>(WAITING);
    let (instances, instance_rows) = channel();
    let (holdings, holdings_rows) = channel();
    let (items, item_rows) = channel();
    let (loans, loan_rows) = channel();
    let (users, user_rows) = channel();
    let to = [instances, holdings, items, loans];
    let (for_shelves, for_patrons) = (made.clone(), made);
    let shelves = spawn(library, tables, move |make| make.shelves(to, &for_shelves));
    let patrons = spawn(library, tables, move |make| make.patrons(users, &for_patrons));
    let watching = async {
        while let Some(parts) = counted.recv().await {
            progress.advance(parts);
        }
        Ok(0)
    };
    let copied = tokio::try_join!(
        bulk::copy(session, &tables.instances, instance_rows),
        bulk::copy(session, &tables.holdings, holdings_rows),
        bulk::copy(session, &tables.items, item_rows),
        bulk::copy(session, &tables.loans, loan_rows),
        bulk::copy(session, &tables.users, user_rows),
        watching,
    );
    // A maker whose receiver is gone ends by itself, so the copy's error is the first one.
    let makers = [shelves.await, patrons.await];
    copied?;
    for maker in makers {
        maker.map_err(|error| LoadError::BrokeOff(error.to_string()))??;
    }
    Ok(())
}

type Making = tokio::task::JoinHandle<Result<(), LoadError>>;

fn spawn(
    library: &Arc<Library>,
    tables: &Arc<Tables>,
    work: impl FnOnce(&Maker) -> Result<(), LoadError> + Send + 'static,
) -> Making {
    let maker = Maker::new(library, tables);
    tokio::task::spawn_blocking(move || work(&maker))
}

/// Makes rows from a library's records.
struct Maker {
    library: Arc<Library>,
    tables: Arc<Tables>,
    now: String,
    metadata: Value,
}

type Made = mpsc::UnboundedSender<u64>;

impl Maker {
    fn new(library: &Arc<Library>, tables: &Arc<Tables>) -> Self {
        let now = print_instant(library.plan.now);
        Self {
            metadata: json!({"createdDate": now, "updatedDate": now}),
            now,
            library: Arc::clone(library),
            tables: Arc::clone(tables),
        }
    }

    /// Instances, holdings, items and loans.
    fn shelves(&self, to: [mpsc::Sender<Rows>; 4], made: &Made) -> Result<(), LoadError> {
        let [instances, holdings, items, loans] = to;
        let mut parcels = [
            Parcels::new(&self.tables.instances, instances),
            Parcels::new(&self.tables.holdings, holdings),
            Parcels::new(&self.tables.items, items),
            Parcels::new(&self.tables.loans, loans),
        ];
        for number in 0..self.library.shelves() {
            let shelf = self.library.shelf(number);
            let parts = shelf.instances.len() + shelf.items.len();
            if !self.shelf(shelf, &mut parcels)? {
                return Ok(());
            }
            let _ = made.send(u64::try_from(parts).unwrap_or(0));
        }
        parcels.into_iter().for_each(Parcels::finish);
        Ok(())
    }

    /// False if the receiver is gone.
    fn shelf(&self, shelf: Shelf, to: &mut [Parcels; 4]) -> Result<bool, LoadError> {
        let [instances, holdings, items, loans] = to;
        let mut open = true;
        for record in shelf.instances {
            let sent = sent(record);
            let made = new_instance(self.change(&self.tables.instances), &sent);
            open &= instances.add(sent.id, self.done(&self.tables.instances, made)?);
        }
        let mut held = HashMap::new();
        for record in shelf.holdings {
            let sent = sent(record);
            let made = new_holdings(self.change(&self.tables.holdings), &sent);
            let record = self.done(&self.tables.holdings, made)?;
            held.insert(sent.id.to_string(), record.clone());
            open &= holdings.add(sent.id, record);
        }
        let nowhere = Map::new();
        for record in shelf.items {
            let sent = sent(record);
            let holdings = sent.record["holdingsRecordId"].as_str().and_then(|id| held.get(id));
            let made = new_item(self.change(&self.tables.items), &sent, holdings.unwrap_or(&nowhere));
            open &= items.add(sent.id, self.done(&self.tables.items, made)?);
        }
        for record in shelf.loans {
            let (id, record) = self.plain(&self.tables.loans, record)?;
            open &= loans.add(id, record);
        }
        Ok(open)
    }

    fn patrons(&self, to: mpsc::Sender<Rows>, made: &Made) -> Result<(), LoadError> {
        let mut parcels = Parcels::new(&self.tables.users, to);
        for number in 0..self.library.plan.users {
            let (id, mut user) = self.plain(&self.tables.users, self.library.user(number))?;
            for date in ["createdDate", "updatedDate"] {
                user.insert(date.into(), self.now.clone().into());
            }
            if !parcels.add(id, user) {
                return Ok(());
            }
            let _ = made.send(1);
        }
        parcels.finish();
        Ok(())
    }

    fn change<'a>(&'a self, collection: &'a Collection) -> Change<'a> {
        Change {
            collection,
            intent: Intent::Create,
            locking: true,
            metadata: &self.metadata,
            now: &self.now,
            rule: None,
        }
    }

    /// The stored form of a record that needs only its declaration.
    fn plain(&self, collection: &Collection, record: Value) -> Result<(Uuid, Record), LoadError> {
        let id = id_of(&record);
        let mut record = self.done(collection, collection.schema.accept(record))?;
        record.insert("metadata".into(), self.metadata.clone());
        if let Some(check) = collection.check {
            self.done(collection, check(&mut record))?;
        }
        Ok((id, record))
    }

    /// A refused record of the sample library is a defect.
    fn done<T, E: std::fmt::Debug>(&self, collection: &Collection, made: Result<T, E>) -> Result<T, LoadError> {
        made.map_err(|refused| LoadError::Refused { path: collection.path.into(), reason: format!("{refused:?}") })
    }
}

type Record = Map<String, Value>;

fn sent(record: Value) -> Sent {
    Sent { id: id_of(&record), record }
}

fn id_of(record: &Value) -> Uuid {
    let id = record["id"].as_str().and_then(|id| id.parse().ok());
    id.unwrap_or_default()
}

/// Collects the rows of a table into parcels.
struct Parcels {
    collection: Arc<Collection>,
    rows: Rows,
    to: mpsc::Sender<Rows>,
}

impl Parcels {
    fn new(collection: &Arc<Collection>, to: mpsc::Sender<Rows>) -> Self {
        Self { collection: Arc::clone(collection), rows: Rows::default(), to }
    }

    /// False if the receiver is gone.
    fn add(&mut self, id: Uuid, record: Record) -> bool {
        let (doc, state) = self.collection.split(record);
        let state = (!self.collection.volatile.is_empty()).then_some(&state);
        self.rows.push(id, &doc, state);
        if self.rows.size() < PARCEL {
            return true;
        }
        let rows = std::mem::take(&mut self.rows);
        self.to.blocking_send(rows).is_ok()
    }

    fn finish(self) {
        // A receiver that is gone has failed and reports its own error.
        let _ = self.to.blocking_send(self.rows);
    }
}
