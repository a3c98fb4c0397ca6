//! Keeps the index of one library's archives up to date: one task reads what has changed in the database and writes it into
//! the index, whoever changed it (decision 44).

use std::{
    collections::BTreeSet,
    fs,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use search::index::{Document, Reader};
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    statements::archives::{CHANGES, INDEX_NAMES, INDEX_PAGE, INDEX_POSITION, READ_RECORDS, TRIM_CHANGES},
};
use tokio::{
    sync::{Notify, Semaphore, watch},
    time::{Instant, sleep, timeout},
};

use super::{
    document::{CONTAINER, INDEXED, documents, referred, source},
    on_disk::{Place, Position, Slot, Trouble, is_ahead, remove},
};
use crate::model::Uri;

/// How often changes that other processes made are looked for.
const POLL: Duration = Duration::from_secs(1);
/// After a failure.
const PAUSE: Duration = Duration::from_secs(2);
/// While an index is built, it is written to disk this often.
const WRITTEN: Duration = Duration::from_secs(5);
/// Records that are read and indexed at once.
const AT_ONCE: usize = 500;
/// Changes are kept for so many seconds; an index that is older is built again.
const KEPT: i64 = 7 * 24 * 3600;
const HOUR: i64 = 3600;
/// Searches that run at once.
const SEARCHES: usize = 4;

/// Makes a session on the library's tables.
pub type Sessions = Box<dyn Fn() -> Result<Session, StoreError> + Send + Sync>;

/// The index of a library's archives.
pub struct Index {
    reader: RwLock<Option<Reader>>,
    /// Counts what this process has written; starts at 1, so that the first search waits for the index to be read.
    written: AtomicU64,
    /// The count that the index has reached.
    reached: watch::Sender<u64>,
    wake: Notify,
    rebuild: AtomicBool,
    building: AtomicBool,
    /// Records that are still to be read.
    behind: AtomicU64,
    /// When the index had everything last.
    compared: Mutex<Instant>,
    pub(super) searches: Semaphore,
    patience: Duration,
}

/// How the index stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    pub documents: u64,
    /// Changed records that are not in it, as far as they are known.
    pub behind: u64,
    /// For how long it has not been compared with the database, in seconds.
    pub seconds: u64,
    /// Whether a new one is being built.
    pub is_building: bool,
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index").field("status", &self.status()).finish_non_exhaustive()
    }
}

impl Index {
    /// Begins to keep an index below a folder, or without one in a temporary folder, as long as it is used.
    /// Searches wait at most so long for what was saved before them.
    pub fn start(folder: Option<PathBuf>, patience: Duration, sessions: Sessions) -> Arc<Self> {
        let index = Arc::new(Self {
            reader: RwLock::new(None),
            written: AtomicU64::new(1),
            reached: watch::Sender::new(0),
            wake: Notify::new(),
            rebuild: AtomicBool::new(false),
            building: AtomicBool::new(false),
            behind: AtomicU64::new(0),
            compared: Mutex::new(Instant::now()),
            searches: Semaphore::new(SEARCHES),
            patience,
        });
        tokio::spawn(keep(Arc::downgrade(&index), folder, sessions));
        index
    }

    /// Notes that this process has written to the archives.
    pub fn wrote(&self) {
        self.written.fetch_add(1, Ordering::SeqCst);
    }

    /// Builds a new index, while the one that is there is searched.
    pub(super) fn rebuild(&self) {
        self.rebuild.store(true, Ordering::SeqCst);
        self.wake.notify_one();
    }

    /// How it stands.
    pub fn status(&self) -> Status {
        let documents =
            self.reader.read().unwrap_or_else(PoisonError::into_inner).as_ref().map_or(0, Reader::documents);
        let is_building = self.building.load(Ordering::SeqCst);
        let seconds = self.compared.lock().unwrap_or_else(PoisonError::into_inner).elapsed().as_secs();
        Status { documents, behind: self.behind.load(Ordering::SeqCst), seconds, is_building }
    }

    /// Reads the index with all that this process wrote before, if that takes no longer than searches may wait. Also tells whether
    /// something is missing; no reader: there is no index yet.
    pub(super) async fn reader(&self) -> (Option<Reader>, bool) {
        let wanted = self.written.load(Ordering::SeqCst);
        let mut reached = self.reached.subscribe();
        if *reached.borrow() < wanted {
            self.wake.notify_one();
        }
        let is_there = timeout(self.patience, reached.wait_for(|reached| *reached >= wanted)).await;
        let is_behind = !matches!(is_there, Ok(Ok(_)));
        (self.reader.read().unwrap_or_else(PoisonError::into_inner).clone(), is_behind)
    }

    fn show(&self, reader: Reader) {
        *self.reader.write().unwrap_or_else(PoisonError::into_inner) = Some(reader);
    }
}

/// Keeps the index until nobody uses it any more.
async fn keep(index: Weak<Index>, folder: Option<PathBuf>, sessions: Sessions) {
    let mut place = None;
    while index.strong_count() > 0 {
        let outcome = async {
            let found = match place.take() {
                Some(found) => found,
                None => Place::take(folder.clone()).await?,
            };
            let path = found.path.clone();
            place = Some(found);
            let mut keeper = Keeper::open(path, &sessions).await?;
            keeper.run(&index).await
        };
        if let Err(trouble) = outcome.await {
            tracing::warn!(error = %trouble, "the index of the archives is not up to date; trying again");
            sleep(PAUSE).await;
        }
    }
}

struct Keeper<'s> {
    folder: PathBuf,
    sessions: &'s Sessions,
    /// The complete index, if there is one.
    serving: Option<Slot>,
    /// One that is being built.
    building: Option<Slot>,
    position: Position,
    committed: Instant,
    trimmed: i64,
}

impl<'s> Keeper<'s> {
    async fn open(folder: PathBuf, sessions: &'s Sessions) -> Result<Self, Trouble> {
        let now = position(&sessions()?).await?;
        let mut keeper = Self {
            folder,
            sessions,
            serving: None,
            building: None,
            position: now.clone(),
            committed: Instant::now(),
            trimmed: 0,
        };
        // The newest complete index is searched; the newest incomplete one is completed.
        for path in keeper.generations()?.into_iter().rev() {
            let (mut slot, found) = Slot::open(path.clone()).await?;
            let of_this_database =
                found.filter(|found| found.origin == now.origin && !is_ahead(&found.snapshot, &now.snapshot));
            let Some(found) = of_this_database.filter(|_| keeper.serving.is_none()) else {
                drop(slot);
                remove(&path);
                continue;
            };
            let is_current = is_recent(&found, &now);
            match (&keeper.building, slot.cursor.is_none()) {
                (None, is_complete) if is_current => {
                    keeper.position = Position { cursor: None, ..found };
                    let place = if is_complete { &mut keeper.serving } else { &mut keeper.building };
                    *place = Some(slot);
                }
                (_, true) => {
                    let is_as_new = keeper.building.is_some() && found.snapshot == keeper.position.snapshot;
                    slot.outdated = (!is_as_new).then_some(found);
                    keeper.serving = Some(slot);
                }
                (_, false) => {
                    drop(slot);
                    remove(&path);
                }
            }
        }
        if keeper.building.is_none() && keeper.complete().is_none() {
            keeper.begin().await?;
        }
        Ok(keeper)
    }

    /// The folders of indexes, the oldest first.
    fn generations(&self) -> Result<Vec<PathBuf>, Trouble> {
        let entries = fs::read_dir(&self.folder).map_err(|error| Trouble::Other(error.to_string()))?;
        let mut numbers: Vec<u64> =
            entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
        numbers.sort_unstable();
        Ok(numbers.into_iter().map(|number| self.folder.join(number.to_string())).collect())
    }

    /// The index that has everything, but for the last changes.
    fn complete(&self) -> Option<&Slot> {
        self.serving.as_ref().filter(|slot| slot.outdated.is_none())
    }

    /// Begins a new index beside the one that is searched.
    async fn begin(&mut self) -> Result<(), Trouble> {
        let last = self.generations()?.last().and_then(|path| path.file_name()?.to_str()?.parse::<u64>().ok());
        let path = self.folder.join((last.unwrap_or(0) + 1).to_string());
        let (slot, _) = Slot::open(path).await?;
        if self.complete().is_none() {
            self.position = position(&(self.sessions)()?).await?;
        }
        self.building = Some(slot);
        Ok(())
    }

    async fn run(&mut self, index: &Weak<Index>) -> Result<(), Trouble> {
        while let Some(index) = index.upgrade() {
            if let Some(reader) = self.serving.as_ref().or(self.building.as_ref()).and_then(Slot::reader) {
                index.show(reader);
            }
            if index.rebuild.swap(false, Ordering::SeqCst) && self.building.is_none() {
                self.begin().await?;
            }
            index.building.store(self.building.is_some(), Ordering::SeqCst);
            let written = index.written.load(Ordering::SeqCst);
            self.catch_up(&index).await?;
            if self.building.is_some() {
                self.read_on(&index).await?;
            }
            // Of an index that is built for the first time, much is missing, and of one that is too old, something.
            if self.complete().is_some() {
                *index.compared.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
                index.reached.send_replace(written);
            }
            if self.building.is_none() {
                self.trim().await?;
                let _ = timeout(POLL, index.wake.notified()).await;
            }
        }
        Ok(())
    }

    /// Indexes what has changed since the position, and writes it to disk.
    async fn catch_up(&mut self, index: &Index) -> Result<(), Trouble> {
        let session = (self.sessions)()?;
        let now = position(&session).await?;
        if now.snapshot != self.position.snapshot {
            let changed = session.query(CHANGES, &[&self.position.snapshot]).await?;
            let changed: Vec<(String, i64)> = changed.iter().map(|row| (row.get("kind"), row.get("id"))).collect();
            let mut behind = changed.len();
            for some in changed.chunks(AT_ONCE) {
                index.behind.store(behind as u64, Ordering::SeqCst);
                self.index(&session, some).await?;
                behind -= some.len();
            }
            index.behind.store(0, Ordering::SeqCst);
            let is_old = now.seconds > self.position.seconds + HOUR;
            self.position.snapshot = now.snapshot;
            if !changed.is_empty() || is_old {
                self.position.seconds = now.seconds;
                if self.serving.is_some() {
                    self.commit().await?;
                }
            }
        }
        Ok(())
    }

    /// Reads the next records into the index that is built.
    async fn read_on(&mut self, index: &Index) -> Result<(), Trouble> {
        let Some((kind, id)) = self.building.as_ref().and_then(|slot| slot.cursor.clone()) else { return Ok(()) };
        let session = (self.sessions)()?;
        let page = session.query(INDEX_PAGE, &[&kind, &id, &(AT_ONCE as i64)]).await?;
        let page: Vec<(String, i64)> = page.iter().map(|row| (row.get("kind"), row.get("id"))).collect();
        self.index(&session, &page).await?;
        let is_complete = page.len() < AT_ONCE;
        if let Some(slot) = &mut self.building {
            slot.cursor = if is_complete { None } else { page.last().cloned() };
        }
        if is_complete || self.committed.elapsed() > WRITTEN {
            self.commit().await?;
        }
        if is_complete {
            let before = self.serving.take();
            self.serving = self.building.take();
            index.building.store(false, Ordering::SeqCst);
            if let Some(reader) = self.serving.as_ref().and_then(Slot::reader) {
                index.show(reader);
            }
            if let Some(before) = before {
                let path = before.path.clone();
                drop(before);
                remove(&path);
            }
        }
        Ok(())
    }

    /// Replaces the documents of records by those that they have now.
    async fn index(&mut self, session: &Session, records: &[(String, i64)]) -> Result<(), Trouble> {
        let records: Vec<&(String, i64)> =
            records.iter().filter(|(kind, _)| INDEXED.contains(&kind.as_str()) || kind == CONTAINER).collect();
        if records.is_empty() {
            return Ok(());
        }
        let kinds: Vec<&str> = records.iter().map(|(kind, _)| kind.as_str()).collect();
        let ids: Vec<i64> = records.iter().map(|(_, id)| *id).collect();
        let read: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
        let mut uris = BTreeSet::new();
        read.iter().for_each(|record| referred(record, &mut uris));
        let targets: Vec<Uri> = uris.iter().filter_map(|uri| Uri::parse(uri)).collect();
        let kinds: Vec<&str> = targets.iter().map(|target| target.kind.name.as_str()).collect();
        let ids: Vec<i64> = targets.iter().map(|target| target.id).collect();
        let names: Vec<Value> = session.values(INDEX_NAMES, &[&kinds, &ids]).await?;
        let names = names.into_iter().filter_map(|name| Some((name["uri"].as_str()?.to_owned(), name))).collect();
        let documents: Arc<Vec<Document>> =
            Arc::new(read.iter().flat_map(|record| documents(record, &names)).collect());
        let sources: Arc<Vec<String>> = Arc::new(records.iter().map(|(kind, id)| source(kind, *id)).collect());
        for slot in [&mut self.serving, &mut self.building].into_iter().flatten() {
            let (documents, sources) = (Arc::clone(&documents), Arc::clone(&sources));
            slot.write(move |writer| {
                sources.iter().for_each(|source| writer.delete(source));
                documents.iter().try_for_each(|document| writer.add(document))
            })
            .await?;
        }
        Ok(())
    }

    async fn commit(&mut self) -> Result<(), Trouble> {
        for slot in [&mut self.serving, &mut self.building].into_iter().flatten() {
            let reached = Position { cursor: slot.cursor.clone(), ..self.position.clone() };
            let position = slot.outdated.clone().unwrap_or(reached);
            let position = json!(position).to_string();
            slot.write(move |writer| writer.commit(&position)).await?;
        }
        self.committed = Instant::now();
        Ok(())
    }

    /// Deletes changes that are older than any index may be.
    async fn trim(&mut self) -> Result<(), Trouble> {
        if self.position.seconds >= self.trimmed + HOUR {
            let before = jiff::Timestamp::from_second(self.position.seconds - KEPT).unwrap_or(jiff::Timestamp::MIN);
            (self.sessions)()?.execute(TRIM_CHANGES, &[&before]).await?;
            self.trimmed = self.position.seconds;
        }
        Ok(())
    }
}

/// Whether all changes since are still kept.
fn is_recent(position: &Position, now: &Position) -> bool {
    position.seconds > now.seconds - KEPT + HOUR
}

async fn position(session: &Session) -> Result<Position, StoreError> {
    let row = session.get(INDEX_POSITION, &[]).await?;
    let (snapshot, origin, seconds) = (row.get("snapshot"), row.get("origin"), row.get("seconds"));
    Ok(Position { snapshot, origin, seconds, cursor: None })
}
