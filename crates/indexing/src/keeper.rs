//! Keeps an index up to date: one task reads what has changed in the database and writes it into the index, whoever changed
//! it (decision 44).

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError, RwLock, Weak,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use search::{SearchError, index::Reader};
use serde_json::json;
use store::{Session, StoreError};
use tokio::{
    sync::{Notify, Semaphore, watch},
    task::spawn_blocking,
    time::{Instant, sleep, timeout},
};

use crate::{
    on_disk::{Place, Position, Slot, Trouble, is_ahead, remove},
    source::{Batch, Changes, Source},
};

/// How often changes that other processes made are looked for.
const POLL: Duration = Duration::from_secs(1);
/// After a failure; if it was the disk's, twice as long after each further one, because the index is looked through each time.
const PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// While an index is built, it is written to disk this often.
const WRITTEN: Duration = Duration::from_secs(5);
/// Records that are read and indexed at once.
const AT_ONCE: usize = 500;
/// So many times in a row while an index is built, before changes are looked for.
const IN_A_ROW: usize = 32;
/// Changes are kept for so many seconds; an index that is older is built again.
const KEPT: i64 = 7 * 24 * 3600;
const HOUR: i64 = 3600;
/// Searches that run at once.
const SEARCHES: usize = 4;

/// Makes a session on a library's tables.
pub type Sessions = Box<dyn Fn() -> Result<Session, StoreError> + Send + Sync>;

/// The index of a library's records.
pub struct Index {
    shown: RwLock<Option<Shown>>,
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
    searches: Semaphore,
    patience: Duration,
}

/// What there is of an index.
#[derive(Clone)]
pub enum Shown {
    /// At most the last changes are missing.
    Complete(Reader),
    /// It is made for the first time: nobody can tell what a search would not find.
    Begun(Reader),
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
    pub fn start<S: Source>(source: S, folder: Option<PathBuf>, patience: Duration, sessions: Sessions) -> Arc<Self> {
        let index = Arc::new(Self {
            shown: RwLock::new(None),
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
        tokio::spawn(keep(Arc::downgrade(&index), source, folder, sessions));
        index
    }

    /// Notes that this process has written.
    pub fn wrote(&self) {
        self.written.fetch_add(1, Ordering::SeqCst);
    }

    /// Builds a new index, while the one that is there is searched.
    pub fn rebuild(&self) {
        self.rebuild.store(true, Ordering::SeqCst);
        self.wake.notify_one();
    }

    /// How it stands.
    pub fn status(&self) -> Status {
        let documents = match &*self.shown.read().unwrap_or_else(PoisonError::into_inner) {
            Some(Shown::Complete(reader) | Shown::Begun(reader)) => reader.documents(),
            None => 0,
        };
        let is_building = self.building.load(Ordering::SeqCst);
        let seconds = self.compared.lock().unwrap_or_else(PoisonError::into_inner).elapsed().as_secs();
        Status { documents, behind: self.behind.load(Ordering::SeqCst), seconds, is_building }
    }

    /// Reads the index with all that this process wrote before, if that takes no longer than searches may wait. Also tells whether
    /// something is missing; `None`: there is nothing of it yet.
    pub async fn reader(&self) -> (Option<Shown>, bool) {
        let wanted = self.written.load(Ordering::SeqCst);
        let mut reached = self.reached.subscribe();
        if *reached.borrow() < wanted {
            self.wake.notify_one();
        }
        let is_there = timeout(self.patience, reached.wait_for(|reached| *reached >= wanted)).await;
        let is_behind = !matches!(is_there, Ok(Ok(_)));
        (self.shown.read().unwrap_or_else(PoisonError::into_inner).clone(), is_behind)
    }

    /// Searches where it keeps nobody up; only some searches run at once. An index that turns out to be damaged is built again.
    ///
    /// # Errors
    /// That of the search, or [`SearchError::Failed`] if it broke off.
    pub async fn run<T: Send + 'static>(
        &self,
        search: impl FnOnce() -> Result<T, SearchError> + Send + 'static,
    ) -> Result<T, SearchError> {
        let broke_off = |error: &dyn std::fmt::Display| SearchError::Failed(error.to_string());
        let _turn = self.searches.acquire().await.map_err(|error| broke_off(&error))?;
        let found = spawn_blocking(search).await.map_err(|error| broke_off(&error))?;
        found.inspect_err(|error| {
            if matches!(error, SearchError::Unusable(_)) {
                self.rebuild();
            }
        })
    }

    fn show(&self, shown: Shown) {
        *self.shown.write().unwrap_or_else(PoisonError::into_inner) = Some(shown);
    }
}

/// Keeps the index until nobody uses it any more.
async fn keep<S: Source>(index: Weak<Index>, source: S, folder: Option<PathBuf>, sessions: Sessions) {
    let mut place = None;
    let mut pause = PAUSE;
    while index.strong_count() > 0 {
        let outcome = async {
            let found = match place.take() {
                Some(found) => found,
                None => Place::take(folder.clone()).await?,
            };
            let path = found.path.clone();
            place = Some(found);
            let mut keeper = Keeper::open(path, &source, &sessions).await?;
            let outcome = keeper.run(&index).await;
            if keeper.has_committed {
                pause = PAUSE;
            }
            outcome
        };
        if let Err(trouble) = outcome.await {
            if matches!(trouble, Trouble::Store(_)) {
                pause = PAUSE;
            }
            let seconds = pause.as_secs();
            let index = source.name();
            tracing::warn!(index, error = %trouble, seconds, "the index is not up to date; trying again");
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}

struct Keeper<'s, S: Source> {
    folder: PathBuf,
    source: &'s S,
    sessions: &'s Sessions,
    /// The complete index, if there is one.
    serving: Option<Slot<S::Key>>,
    /// One that is being built.
    building: Option<Slot<S::Key>>,
    position: Position<S::Key>,
    committed: Instant,
    /// Whether anything was written to disk.
    has_committed: bool,
    trimmed: i64,
}

impl<'s, S: Source> Keeper<'s, S> {
    async fn open(folder: PathBuf, source: &'s S, sessions: &'s Sessions) -> Result<Self, Trouble> {
        let session = sessions()?;
        let now = position(source, &session).await?;
        source.opened(&session).await?;
        drop(session);
        let mut keeper = Self {
            folder,
            source,
            sessions,
            serving: None,
            building: None,
            position: now.clone(),
            committed: Instant::now(),
            has_committed: false,
            trimmed: 0,
        };
        // The newest complete index is searched; the newest incomplete one is completed.
        for path in keeper.generations()?.into_iter().rev() {
            let (mut slot, found) = Slot::open(path.clone(), source).await?;
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
    fn complete(&self) -> Option<&Slot<S::Key>> {
        self.serving.as_ref().filter(|slot| slot.outdated.is_none())
    }

    /// What is searched, or else what is made.
    fn shown(&self) -> Option<Shown> {
        let complete = self.serving.as_ref().and_then(Slot::reader).map(Shown::Complete);
        complete.or_else(|| self.building.as_ref().and_then(Slot::reader).map(Shown::Begun))
    }

    /// Begins a new index beside the one that is searched.
    async fn begin(&mut self) -> Result<(), Trouble> {
        let last = self.generations()?.last().and_then(|path| path.file_name()?.to_str()?.parse::<u64>().ok());
        let path = self.folder.join((last.unwrap_or(0) + 1).to_string());
        let (slot, _) = Slot::open(path, self.source).await?;
        if self.complete().is_none() {
            self.position = position(self.source, &(self.sessions)()?).await?;
        }
        self.building = Some(slot);
        Ok(())
    }

    /// Begins a new index because all records have changed; the one that is searched lacks that.
    async fn begin_again(&mut self, now: Position<S::Key>) -> Result<(), Trouble> {
        if let Some(slot) = self.building.take() {
            let path = slot.path.clone();
            drop(slot);
            remove(&path);
        }
        if let Some(slot) = self.serving.as_mut().filter(|slot| slot.outdated.is_none()) {
            slot.outdated = Some(self.position.clone());
        }
        self.position = now;
        self.begin().await
    }

    async fn run(&mut self, index: &Weak<Index>) -> Result<(), Trouble> {
        while let Some(index) = index.upgrade() {
            if let Some(shown) = self.shown() {
                index.show(shown);
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
        let now = position(self.source, &session).await?;
        if now.snapshot != self.position.snapshot {
            let changed = match self.source.changes(&session, &self.position.snapshot).await? {
                Changes::Records(changed) => changed,
                Changes::Everything => {
                    self.begin_again(now).await?;
                    return Ok(());
                }
            };
            let mut behind = changed.len();
            for some in changed.chunks(AT_ONCE) {
                index.behind.store(behind as u64, Ordering::SeqCst);
                self.index(&session, some).await?;
                // The last ones are behind until they are written to disk.
                behind -= some.len().min(behind - 1);
            }
            let is_old = now.seconds > self.position.seconds + HOUR;
            self.position.snapshot = now.snapshot;
            if !changed.is_empty() || is_old {
                self.position.seconds = now.seconds;
                if self.serving.is_some() {
                    self.commit().await?;
                }
            }
            // Not before: a disk that is full refuses what was read.
            index.behind.store(0, Ordering::SeqCst);
        }
        Ok(())
    }

    /// Reads the next records into the index that is built: some are written while the ones after them are read. Ends when
    /// somebody who searches waits for what they saved.
    async fn read_on(&mut self, index: &Index) -> Result<(), Trouble> {
        let written = index.written.load(Ordering::SeqCst);
        let session = (self.sessions)()?;
        let mut read = match self.building.as_ref().and_then(|slot| slot.cursor.clone()) {
            Some(after) => Some(next(self.source, &session, &after).await?),
            None => None,
        };
        for pages in 1.. {
            let (Some(slot), Some((page, batch))) = (&mut self.building, read.take()) else { break };
            let last = page.last().filter(|_| page.len() == AT_ONCE).cloned();
            let is_waited_for = self.serving.is_some() && index.written.load(Ordering::SeqCst) > written;
            let is_over = is_waited_for || pages >= IN_A_ROW || self.committed.elapsed() > WRITTEN;
            let ahead = async {
                match last.as_ref().filter(|_| !is_over) {
                    Some(last) => next(self.source, &session, last).await.map(Some),
                    None => Ok(None),
                }
            };
            // Of records after the cursor the index has nothing to delete.
            let write = slot.write(move |writer| batch.documents.iter().try_for_each(|document| writer.add(document)));
            let (wrote, found) = tokio::join!(write, ahead);
            wrote?;
            slot.cursor = last;
            read = found?;
        }
        let is_complete = self.building.as_ref().is_some_and(|slot| slot.cursor.is_none());
        if is_complete || self.committed.elapsed() > WRITTEN {
            self.commit().await?;
        }
        if is_complete {
            let before = self.serving.take();
            self.serving = self.building.take();
            index.building.store(false, Ordering::SeqCst);
            if let Some(shown) = self.shown() {
                index.show(shown);
            }
            if let Some(before) = before {
                let path = before.path.clone();
                drop(before);
                remove(&path);
            }
        }
        Ok(())
    }

    /// Replaces the documents of records by those that they have now. An index that is built gets only those that it has read:
    /// the others come with their pages.
    async fn index(&mut self, session: &Session, records: &[S::Key]) -> Result<(), Trouble> {
        let cursor = self.building.as_ref().and_then(|slot| slot.cursor.as_ref());
        let (read, unread): (Vec<_>, Vec<_>) =
            records.iter().cloned().partition(|record| cursor.is_none_or(|cursor| record <= cursor));
        self.replace(session, &read, true).await?;
        if self.serving.is_some() {
            self.replace(session, &unread, false).await?;
        }
        Ok(())
    }

    async fn replace(&mut self, session: &Session, records: &[S::Key], everywhere: bool) -> Result<(), Trouble> {
        if records.is_empty() {
            return Ok(());
        }
        let batch = self.source.documents(session, records).await?;
        let (documents, sources) = (Arc::new(batch.documents), Arc::new(batch.sources));
        let building = self.building.as_mut().filter(|_| everywhere);
        for slot in [self.serving.as_mut(), building].into_iter().flatten() {
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
        self.has_committed = true;
        Ok(())
    }

    /// Deletes changes that are older than any index may be.
    async fn trim(&mut self) -> Result<(), Trouble> {
        if self.position.seconds >= self.trimmed + HOUR {
            let before = jiff::Timestamp::from_second(self.position.seconds - KEPT).unwrap_or(jiff::Timestamp::MIN);
            self.source.trim(&(self.sessions)()?, before).await?;
            self.trimmed = self.position.seconds;
        }
        Ok(())
    }
}

/// The records after one, with their documents.
async fn next<S: Source>(source: &S, session: &Session, after: &S::Key) -> Result<(Vec<S::Key>, Batch), StoreError> {
    let page = source.page(session, after, AT_ONCE).await?;
    let batch = source.documents(session, &page).await?;
    Ok((page, batch))
}

/// Whether all changes since are still kept.
fn is_recent<K>(position: &Position<K>, now: &Position<K>) -> bool {
    position.seconds > now.seconds - KEPT + HOUR
}

async fn position<S: Source>(source: &S, session: &Session) -> Result<Position<S::Key>, StoreError> {
    let reached = source.reached(session).await?;
    Ok(Position { snapshot: reached.snapshot, origin: reached.origin, seconds: reached.seconds, cursor: None })
}
