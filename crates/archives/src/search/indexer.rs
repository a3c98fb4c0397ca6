//! Keeps the index of one library's archives up to date: one task reads what has changed in the database and writes it into
//! the index, whoever changed it (decision 44).

use std::{
    collections::BTreeSet,
    fs::{self, File},
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use search::{
    SearchError,
    index::{Document, Reader, Writer},
};
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    statements::archives::{CHANGES, INDEX_NAMES, INDEX_PAGE, INDEX_POSITION, READ_RECORDS, TRIM_CHANGES},
};
use tokio::{
    sync::{Notify, Semaphore, watch},
    task::spawn_blocking,
    time::{Instant, sleep, timeout},
};

use super::{
    document::{CONTAINER, INDEXED, documents, referred, source},
    fields::FIELDS,
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
/// Processes that share a folder each have an index of their own, up to so many.
const PROCESSES: usize = 16;

/// Makes a session on the library's tables.
pub type Sessions = Box<dyn Fn() -> Result<Session, StoreError> + Send + Sync>;

/// Why the index could not be kept up to date.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Other(String),
}

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

/// A folder that no other process uses.
struct Place {
    path: PathBuf,
    _lock: File,
    _temporary: Option<tempfile::TempDir>,
}

impl Place {
    async fn take(folder: Option<PathBuf>) -> Result<Self, Trouble> {
        let failed = |error: std::io::Error| Trouble::Other(format!("the folder of the index: {error}"));
        blocking(move || {
            let temporary = match folder {
                Some(_) => None,
                None => Some(tempfile::tempdir().map_err(failed)?),
            };
            let folder =
                folder.or_else(|| temporary.as_ref().map(|folder| folder.path().to_owned())).unwrap_or_default();
            for number in 1..=PROCESSES {
                let path = folder.join(number.to_string());
                fs::create_dir_all(&path).map_err(failed)?;
                let lock = File::create(path.join("lock")).map_err(failed)?;
                if lock.try_lock().is_ok() {
                    return Ok(Self { path, _lock: lock, _temporary: temporary });
                }
            }
            Err(Trouble::Other(format!("{} is used by {PROCESSES} other processes", folder.display())))
        })
        .await
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T, Trouble> + Send + 'static) -> Result<T, Trouble> {
    spawn_blocking(work).await.map_err(|error| Trouble::Other(error.to_string()))?
}

/// Where an index stands in the database: what is written with each commit.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
struct Position {
    snapshot: String,
    origin: String,
    seconds: i64,
    /// The last record that was read, while the index is built.
    cursor: Option<(String, i64)>,
}

/// An index on disk. The writer is elsewhere while it is used.
struct Slot {
    path: PathBuf,
    writer: Option<Writer>,
    /// The last record that was read; `None` for a complete index.
    cursor: Option<(String, i64)>,
}

impl Slot {
    /// Opens the index in a folder; a folder that cannot be used is emptied.
    async fn open(path: PathBuf) -> Result<(Self, Option<Position>), Trouble> {
        blocking(move || {
            let opened = Writer::open(&path, Arc::clone(&FIELDS));
            let writer = match opened {
                Err(SearchError::Unusable(reason)) => {
                    tracing::warn!(%reason, "the index of the archives is built again");
                    fs::remove_dir_all(&path).map_err(|error| Trouble::Other(error.to_string()))?;
                    Writer::open(&path, Arc::clone(&FIELDS))?
                }
                other => other?,
            };
            let position: Option<Position> = writer.position().and_then(|text| serde_json::from_str(text).ok());
            let cursor = position.as_ref().map_or_else(|| Some((String::new(), 0)), |position| position.cursor.clone());
            Ok((Self { path, writer: Some(writer), cursor }, position))
        })
        .await
    }

    /// Uses the writer where waiting for the disk keeps nobody up.
    async fn write(
        &mut self,
        work: impl FnOnce(&mut Writer) -> Result<(), SearchError> + Send + 'static,
    ) -> Result<(), Trouble> {
        let Some(mut writer) = self.writer.take() else {
            return Err(Trouble::Other("the index is closed".to_owned()));
        };
        let writer = blocking(move || {
            work(&mut writer)?;
            Ok(writer)
        });
        self.writer = Some(writer.await?);
        Ok(())
    }

    fn reader(&self) -> Option<Reader> {
        self.writer.as_ref().map(Writer::reader)
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
            let (slot, found) = Slot::open(path.clone()).await?;
            let usable = found.filter(|found| {
                found.origin == now.origin
                    && found.seconds > now.seconds - KEPT + HOUR
                    && !is_ahead(&found.snapshot, &now.snapshot)
            });
            match usable {
                Some(found) if keeper.serving.is_none() && keeper.building.is_none() => {
                    keeper.position = Position { cursor: None, ..found };
                    let place = if slot.cursor.is_none() { &mut keeper.serving } else { &mut keeper.building };
                    *place = Some(slot);
                }
                _ => {
                    drop(slot);
                    remove(&path);
                }
            }
        }
        if keeper.serving.is_none() && keeper.building.is_none() {
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

    /// Begins a new index beside the one that is searched.
    async fn begin(&mut self) -> Result<(), Trouble> {
        let last = self.generations()?.last().and_then(|path| path.file_name()?.to_str()?.parse::<u64>().ok());
        let path = self.folder.join((last.unwrap_or(0) + 1).to_string());
        let (slot, _) = Slot::open(path).await?;
        if self.serving.is_none() {
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
            // Of an index that is built for the first time, much is missing.
            if self.serving.is_some() {
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
            let position = Position { cursor: slot.cursor.clone(), ..self.position.clone() };
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

async fn position(session: &Session) -> Result<Position, Trouble> {
    let row = session.get(INDEX_POSITION, &[]).await?;
    let (snapshot, origin, seconds) = (row.get("snapshot"), row.get("origin"), row.get("seconds"));
    Ok(Position { snapshot, origin, seconds, cursor: None })
}

/// Whether a snapshot has seen transactions that the database has not begun: it is of a later state than a restored one.
fn is_ahead(snapshot: &str, of: &str) -> bool {
    let next = |text: &str| text.split(':').nth(1).and_then(|next| next.parse::<u64>().ok());
    next(snapshot) > next(of)
}

fn remove(path: &Path) {
    if let Err(error) = fs::remove_dir_all(path) {
        tracing::warn!(path = %path.display(), %error, "an old index of the archives could not be removed");
    }
}
