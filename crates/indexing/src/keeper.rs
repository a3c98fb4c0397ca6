//! Keeps an index up to date: one task reads what has changed in the database and writes it into the index, whoever changed
//! it (decision 44).

use std::{
    path::PathBuf,
    sync::{Arc, PoisonError, Weak, atomic::Ordering},
    time::Duration,
};

use search::{SearchError, index::Writer};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;
use store::{Session, StoreError};
use tokio::time::{Instant, sleep, timeout};

use crate::{
    filling::fill,
    index::{Index, Shown},
    on_disk::{Place, Position, Slot, Trouble, is_ahead, is_before, is_taken, numbered},
    pace::Pace,
    source::{Changes, Reached, Source},
};

/// How often changes that others made are looked for.
const POLL: Duration = Duration::from_secs(1);
/// After a failure; if it was the disk's, twice as long after each further one, because the index is looked through each time.
const PAUSE: Duration = Duration::from_secs(2);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// While an index is built, it is written to disk this often. Meanwhile nothing else is done for it.
const WRITTEN: Duration = Duration::from_secs(30);
/// Changed records that are read and indexed at once.
const AT_ONCE: usize = 500;
/// An index that searches fail in is looked through at most so often.
const BETWEEN_LOOKS: Duration = Duration::from_secs(60);
/// Changes are kept for so many seconds; an index that is older is built again.
const KEPT: i64 = 7 * 24 * 3600;
const HOUR: i64 = 3600;

/// Makes a session on a library's tables, for work of that pace.
pub type Sessions = Box<dyn Fn(Pace) -> Result<Session, StoreError> + Send + Sync>;

impl Index {
    /// Begins to keep an index below a folder, or without one in a temporary folder, as long as it is used.
    /// Searches wait at most so long for what was saved before them.
    pub fn start<S: Source>(source: S, folder: Option<PathBuf>, patience: Duration, sessions: Sessions) -> Arc<Self> {
        let index = Arc::new(Self::new(patience));
        tokio::spawn(keep(Arc::downgrade(&index), source, folder, sessions));
        index
    }
}

/// Keeps the index until nobody uses it any more.
async fn keep<S: Source>(index: Weak<Index>, source: S, folder: Option<PathBuf>, sessions: Sessions) {
    let mut place: Option<Place> = None;
    let mut pause = PAUSE;
    let mut is_checked = false;
    while index.strong_count() > 0 {
        let outcome = async {
            let found = match place.take() {
                Some(found) if is_taken(&found.path).await => found,
                _ => Place::take(folder.clone()).await?,
            };
            let path = found.path.clone();
            place = Some(found);
            let mut keeper = Keeper::open(path, &source, &sessions).await?;
            if let Some(index) = index.upgrade() {
                keeper.show(&index);
            }
            if !is_checked {
                keeper.check().await?;
                is_checked = true;
            }
            keeper.begin_if_missing().await?;
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
            is_checked &= !matches!(trouble, Trouble::Search(SearchError::Unusable(_)));
            if let Some(index) = index.upgrade() {
                index.failing.store(true, Ordering::SeqCst);
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
    tended: Instant,
    /// When the index was last looked through because searches fail.
    examined: Option<Instant>,
    /// Whether anything was written to disk.
    has_committed: bool,
    trimmed: i64,
}

impl<'s, S: Source> Keeper<'s, S> {
    async fn open(folder: PathBuf, source: &'s S, sessions: &'s Sessions) -> Result<Self, Trouble> {
        let session = sessions(Pace::Prompt)?;
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
            tended: Instant::now(),
            examined: None,
            has_committed: false,
            trimmed: 0,
        };
        // The newest complete index is searched; the newest incomplete one is completed.
        for (_, path) in keeper.generations()?.into_iter().rev() {
            let (mut slot, found) = Slot::open(path, source).await?;
            let of_this_database =
                found.filter(|found| found.origin == now.origin && !is_ahead(&found.snapshot, &now.snapshot));
            let Some(found) = of_this_database.filter(|_| keeper.serving.is_none()) else {
                slot.remove();
                continue;
            };
            let is_current = is_recent(&found, &now) && !slot.is_older;
            match (&keeper.building, slot.cursor.is_none()) {
                (None, is_complete) if is_current => {
                    keeper.position = Position { cursor: None, ..found };
                    let place = if is_complete { &mut keeper.serving } else { &mut keeper.building };
                    *place = Some(slot);
                }
                (_, true) => {
                    if keeper.building.is_none() && is_recent(&found, &now) {
                        // It is only of another version: it is brought up to date beside the new one.
                        keeper.position = Position { cursor: None, version: S::VERSION, ..found.clone() };
                    }
                    // What is built is written to disk less often, and then both are.
                    let is_as_new = keeper.building.is_some() && !is_before(&found.snapshot, &keeper.position.snapshot);
                    slot.outdated = (!is_as_new || slot.is_older).then_some(found);
                    keeper.serving = Some(slot);
                }
                (_, false) => slot.remove(),
            }
        }
        Ok(keeper)
    }

    /// Reads all of what there is, and deletes what is damaged. It is searched meanwhile: reading a large one takes long.
    async fn check(&mut self) -> Result<(), Trouble> {
        for place in [&mut self.serving, &mut self.building] {
            if let Some(mut slot) = place.take() {
                if slot.is_damaged().await? {
                    slot.remove();
                } else {
                    *place = Some(slot);
                }
            }
        }
        Ok(())
    }

    fn show(&self, index: &Index) {
        if let Some(shown) = self.shown() {
            index.show(shown);
        }
    }

    /// The folders of indexes, the oldest first.
    fn generations(&self) -> Result<Vec<(u64, PathBuf)>, Trouble> {
        numbered(&self.folder).map_err(|error| Trouble::Other(error.to_string()))
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
        let last = self.generations()?.last().map_or(0, |(number, _)| *number);
        let path = self.folder.join((last + 1).to_string());
        let (slot, _) = Slot::open(path, self.source).await?;
        if self.complete().is_none() {
            let now = position(self.source, &(self.sessions)(Pace::Prompt)?).await?;
            let follows = |slot: &Slot<S::Key>| slot.is_older && is_recent(&self.position, &now);
            if !self.serving.as_ref().is_some_and(follows) {
                self.position = now;
            }
        }
        self.building = Some(slot);
        // From now on it is completed, also by the next process.
        self.commit().await
    }

    /// Begins one, unless there is a complete one or one is being built.
    async fn begin_if_missing(&mut self) -> Result<(), Trouble> {
        if self.building.is_none() && self.complete().is_none() {
            self.begin().await?;
        }
        Ok(())
    }

    /// Begins a new index because all records have changed; the one that is searched lacks that.
    async fn begin_again(&mut self, now: Position<S::Key>) -> Result<(), Trouble> {
        if let Some(slot) = self.building.take() {
            slot.remove();
        }
        if let Some(slot) = self.serving.as_mut().filter(|slot| slot.outdated.is_none()) {
            slot.outdated = Some(self.position.clone());
        }
        self.position = now;
        self.begin().await
    }

    async fn run(&mut self, index: &Weak<Index>) -> Result<(), Trouble> {
        while let Some(index) = index.upgrade() {
            if index.suspect.swap(false, Ordering::SeqCst) {
                self.look_for_damage().await?;
            }
            self.show(&index);
            let is_wanted = index.rebuild.load(Ordering::SeqCst);
            if is_wanted && self.building.is_none() {
                self.begin().await?;
            }
            index.read.store(self.building.as_ref().map_or(0, |slot| slot.read), Ordering::SeqCst);
            index.set_building(self.building.is_some());
            if is_wanted {
                // Not before: somebody may ask whether one is being built.
                index.rebuild.store(false, Ordering::SeqCst);
            }
            let written = index.written.load(Ordering::SeqCst);
            self.catch_up(&index).await?;
            self.tell(&index, written);
            self.tend().await?;
            if self.building.is_some() {
                self.read_on(&index).await?;
                self.tell(&index, written);
            }
            index.failing.store(false, Ordering::SeqCst);
            if self.building.is_none() {
                self.trim().await?;
                let _ = timeout(POLL, index.wake.notified()).await;
            }
        }
        Ok(())
    }

    /// Looks the index through after a search failed, and has it built again if it is damaged. A disk that fails for other reasons is
    /// not read from end to end for each search.
    async fn look_for_damage(&mut self) -> Result<(), Trouble> {
        if self.examined.is_some_and(|last| last.elapsed() < BETWEEN_LOOKS) {
            return Ok(());
        }
        self.examined = Some(Instant::now());
        self.check().await?;
        self.begin_if_missing().await
    }

    /// Tells searches what was written that they find. Of an index that is built for the first time, much is missing. One that is
    /// outdated has what was saved since, and to wait for what it lacks would be in vain.
    fn tell(&self, index: &Index, written: u64) {
        let is_complete = self.complete().is_some();
        index.outdated.store(!is_complete, Ordering::SeqCst);
        if is_complete {
            *index.compared.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        }
        if self.serving.is_some() {
            index.reached.send_replace(written);
        }
    }

    /// Indexes what has changed since the position, and writes it to disk.
    async fn catch_up(&mut self, index: &Index) -> Result<(), Trouble> {
        let session = (self.sessions)(Pace::Prompt)?;
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
                self.commit_serving().await?;
            }
            // Not before: a disk that is full refuses what was read.
            index.behind.store(0, Ordering::SeqCst);
        }
        Ok(())
    }

    /// Reads the next records into the index that is built. Ends after a while, because changes are to be looked for, and sooner when
    /// somebody who searches waits for what they saved.
    async fn read_on(&mut self, index: &Index) -> Result<(), Trouble> {
        let (committed, is_searched) = (self.committed, self.serving.is_some());
        let session = (self.sessions)(Pace::Aside)?;
        let Some(slot) = &mut self.building else { return Ok(()) };
        let is_enough = || is_searched && index.is_waited_for() || committed.elapsed() > WRITTEN;
        fill(slot, self.source, &session, index, POLL, is_enough).await?;
        let is_complete = self.building.as_ref().is_some_and(|slot| slot.cursor.is_none());
        if is_complete || self.committed.elapsed() > WRITTEN {
            self.commit().await?;
        }
        if is_complete {
            let before = self.serving.take();
            if let Some(slot) = &mut self.building {
                slot.open_again(self.source.fields()).await?;
            }
            self.serving = self.building.take();
            index.set_building(false);
            self.show(index);
            if let Some(before) = before {
                before.remove();
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
        let read = self.source.read(session, records).await?;
        let batch = Pace::Prompt.run(|| S::documents(read)).await?;
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

    /// Writes both indexes to disk: first the one that is searched, so that it is never older than the other.
    async fn commit(&mut self) -> Result<(), Trouble> {
        self.commit_serving().await?;
        commit(self.building.as_mut(), &self.position).await?;
        self.committed = Instant::now();
        self.has_committed = true;
        Ok(())
    }

    /// Writes the index that is searched to disk, if there is one. What is built beside it can wait: writing it often makes many small
    /// files of it.
    async fn commit_serving(&mut self) -> Result<(), Trouble> {
        commit(self.serving.as_mut(), &self.position).await?;
        self.has_committed |= self.serving.is_some();
        Ok(())
    }

    /// Has the files of the index that is searched merged, also while another one is built.
    async fn tend(&mut self) -> Result<(), Trouble> {
        if self.tended.elapsed() < POLL {
            return Ok(());
        }
        self.tended = Instant::now();
        if !is_taken(&self.folder).await {
            return Err(Trouble::Other(format!("{} is gone; the index is built again", self.folder.display())));
        }
        match &mut self.serving {
            Some(slot) => slot.write(Writer::tend).await,
            None => Ok(()),
        }
    }

    /// Deletes changes that are older than any index may be.
    async fn trim(&mut self) -> Result<(), Trouble> {
        if self.position.seconds >= self.trimmed + HOUR {
            let before = jiff::Timestamp::from_second(self.position.seconds - KEPT).unwrap_or(jiff::Timestamp::MIN);
            self.source.trim(&(self.sessions)(Pace::Prompt)?, before).await?;
            self.trimmed = self.position.seconds;
        }
        Ok(())
    }
}

async fn commit<K>(slot: Option<&mut Slot<K>>, position: &Position<K>) -> Result<(), Trouble>
where
    K: Clone + Send + Serialize + DeserializeOwned + 'static,
{
    let Some(slot) = slot else { return Ok(()) };
    let reached = Position { cursor: slot.cursor.clone(), ..position.clone() };
    let position = slot.outdated.clone().unwrap_or(reached);
    slot.commit(json!(position).to_string()).await
}

/// Whether all changes since are still kept.
pub(crate) fn is_recent<K>(position: &Position<K>, now: &Position<K>) -> bool {
    position.seconds > now.seconds - KEPT + HOUR
}

pub(crate) async fn position<S: Source>(source: &S, session: &Session) -> Result<Position<S::Key>, StoreError> {
    let Reached { snapshot, origin, seconds } = source.reached(session).await?;
    Ok(Position { snapshot, origin, seconds, cursor: None, version: S::VERSION })
}
