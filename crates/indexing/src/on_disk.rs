//! An index on disk: the folder of a process, and in it the generations of its index (decision 44).

use std::{
    cmp::Reverse,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use search::{
    SearchError,
    fields::Fields,
    index::{MERGING, Reader, WRITING, Writer},
};
use serde::de::DeserializeOwned;
use store::StoreError;

use crate::{pace::Pace, source::Source};

/// Processes that share a folder each have an index of their own, up to so many.
const PROCESSES: usize = 16;

const LOCK: &str = "lock";
const MOMENT: Duration = Duration::from_millis(50);

/// Why the index could not be kept up to date.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error(transparent)]
    Search(#[from] SearchError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Broken(#[from] io::Error),
    #[error("{0}")]
    Other(String),
}

/// A folder that no other process uses.
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    _lock: File,
    _temporary: Option<tempfile::TempDir>,
}

impl Place {
    pub(crate) async fn take(folder: Option<PathBuf>) -> Result<Self, Trouble> {
        let failed = |error: std::io::Error| Trouble::Other(format!("the folder of the index: {error}"));
        let take = move || {
            let temporary = match folder {
                Some(_) => None,
                None => Some(tempfile::tempdir().map_err(failed)?),
            };
            let folder =
                folder.or_else(|| temporary.as_ref().map(|folder| folder.path().to_owned())).unwrap_or_default();
            for number in 1..=PROCESSES {
                let path = folder.join(number.to_string());
                search::folder::make(&path).map_err(failed)?;
                let lock_file = path.join(LOCK);
                let lock = File::create(&lock_file).map_err(failed)?;
                search::folder::hand_over(&lock_file);
                if is_locked(&lock) {
                    return Ok(Self { path, _lock: lock, _temporary: temporary });
                }
            }
            Err(Trouble::Other(format!("{} is used by {PROCESSES} other processes", folder.display())))
        };
        Pace::Prompt.run(take).await?
    }
}

/// Whether the folder of a place is still there with its lock; somebody may have deleted it.
pub(crate) async fn is_taken(path: &Path) -> bool {
    tokio::fs::try_exists(path.join(LOCK)).await.unwrap_or(true)
}

/// Locks the file of a place, if no other process has it. Whoever only looks has it for less than a moment.
#[expect(clippy::disallowed_methods, reason = "it runs on a thread that may wait")]
fn is_locked(lock: &File) -> bool {
    lock.try_lock().is_ok() || {
        thread::sleep(MOMENT);
        lock.try_lock().is_ok()
    }
}

/// Where an index stands in the database: what is written with each commit.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Position<K> {
    pub(crate) snapshot: String,
    pub(crate) origin: String,
    pub(crate) seconds: i64,
    /// The last record that was read, while the index is built.
    pub(crate) cursor: Option<K>,
    /// The [`Source::VERSION`] of its documents.
    #[serde(default)]
    pub(crate) version: u32,
}

/// An index on disk. The writer is elsewhere while it is used.
pub(crate) struct Slot<K> {
    pub(crate) path: PathBuf,
    writer: Option<Writer>,
    /// The last record that was read; `None` for a complete index.
    pub(crate) cursor: Option<K>,
    /// Of an index that lacks changes which are not kept any more, or was made by another version: where it stood. It is searched
    /// until there is another.
    pub(crate) outdated: Option<Position<K>>,
    /// Whether another version made it.
    pub(crate) is_older: bool,
    /// About how many records were read into it, while it is built.
    pub(crate) read: u64,
}

impl<K: Clone + Send + DeserializeOwned + 'static> Slot<K> {
    /// Opens the index in a folder; a folder that cannot be used is emptied.
    pub(crate) async fn open<S: Source<Key = K>>(
        path: PathBuf,
        source: &S,
    ) -> Result<(Self, Option<Position<K>>), Trouble> {
        let (index, fields, first) = (source.name(), source.fields(), source.before_all());
        let wanted = Arc::clone(&fields);
        let open = move || {
            let opened = to_search(&path, Arc::clone(&fields));
            let writer = match opened {
                Err(SearchError::Unusable(reason)) => {
                    tracing::warn!(index, %reason, "the index is built again");
                    fs::remove_dir_all(&path).map_err(|error| Trouble::Other(error.to_string()))?;
                    to_search(&path, fields)?
                }
                other => other?,
            };
            let position: Option<Position<K>> = writer.position().and_then(|text| serde_json::from_str(text).ok());
            let cursor = position.as_ref().map_or(Some(first), |position| position.cursor.clone());
            let is_older =
                writer.is_older() || position.as_ref().is_some_and(|position| position.version != S::VERSION);
            let read = writer.reader().documents();
            let slot = Self { path, writer: Some(writer), cursor, outdated: None, is_older, read };
            Ok::<_, Trouble>((slot, position))
        };
        let (mut slot, position) = Pace::Prompt.run(open).await??;
        if slot.cursor.is_some() {
            slot.open_again(wanted).await?;
        }
        Ok((slot, position))
    }

    /// Opens it again: to be built, or to be searched once it is complete.
    pub(crate) async fn open_again(&mut self, fields: Arc<Fields>) -> Result<(), Trouble> {
        // A folder has one writer.
        drop(self.writer.take());
        let (path, pace) = (self.path.clone(), self.pace());
        let open = move || match pace {
            Pace::Aside => Writer::build(&path, fields).inspect(|_| priority::divide_threads(WRITING)),
            Pace::Prompt => to_search(&path, fields),
        };
        self.writer = Some(pace.run(open).await??);
        Ok(())
    }

    /// Nobody waits for an index that is built.
    fn pace(&self) -> Pace {
        if self.cursor.is_some() { Pace::Aside } else { Pace::Prompt }
    }

    /// Uses the writer where waiting for the disk keeps nobody up.
    pub(crate) async fn write(
        &mut self,
        work: impl FnOnce(&mut Writer) -> Result<(), SearchError> + Send + 'static,
    ) -> Result<(), Trouble> {
        let Some(mut writer) = self.writer.take() else {
            return Err(Trouble::Other("the index is closed".to_owned()));
        };
        let worked = move || work(&mut writer).map(|()| writer);
        self.writer = Some(self.pace().run(worked).await??);
        Ok(())
    }

    /// Writes to disk what was added, with the position that it stands for.
    pub(crate) async fn commit(&mut self, position: String) -> Result<(), Trouble> {
        let is_aside = self.pace() == Pace::Aside;
        let commit = move |writer: &mut Writer| {
            writer.commit(&position)?;
            if is_aside {
                priority::divide_threads(WRITING);
            }
            Ok(())
        };
        self.write(commit).await
    }

    /// Reads all of it; whether it is damaged.
    pub(crate) async fn is_damaged(&mut self) -> Result<bool, Trouble> {
        match self.write(|writer| writer.check()).await {
            Err(Trouble::Search(SearchError::Unusable(reason))) => {
                tracing::warn!(path = %self.path.display(), %reason, "an index is built again");
                Ok(true)
            }
            checked => checked.map(|()| false),
        }
    }

    /// Closes it and deletes it.
    pub(crate) fn remove(self) {
        let path = self.path.clone();
        drop(self);
        remove(&path);
    }

    pub(crate) fn reader(&self) -> Option<Reader> {
        self.writer.as_ref().map(Writer::reader)
    }
}

/// Opens an index that is searched. Merging its files takes seconds, for which nobody waits.
fn to_search(path: &Path, fields: Arc<Fields>) -> Result<Writer, SearchError> {
    let writer = Writer::open(path, fields)?;
    priority::lower_priority_of_threads(MERGING);
    Ok(writer)
}

/// Whether a snapshot has seen transactions that the database has not begun: it is of a later state than a restored one.
pub(crate) fn is_ahead(snapshot: &str, of: &str) -> bool {
    let next = |text: &str| text.split(':').nth(1).and_then(|next| next.parse::<u64>().ok());
    next(snapshot) > next(of)
}

/// Whether a snapshot was taken before another one of the same database.
pub(crate) fn is_before(snapshot: &str, other: &str) -> bool {
    // Its oldest transaction, the next one, and those between that have not ended.
    let place = |text: &str| {
        let mut parts = text.split(':');
        let mut number = || parts.next()?.parse::<u64>().ok();
        let (oldest, next) = (number(), number());
        (oldest, next, Reverse(parts.next().map_or(0, |open| open.split(',').filter(|one| !one.is_empty()).count())))
    };
    place(snapshot) < place(other)
}

/// The folders in a folder that are named by numbers, the lowest first: those of processes, and the generations of an index.
///
/// # Errors
/// The folder cannot be read.
pub(crate) fn numbered(folder: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let entries = fs::read_dir(folder)?.flatten();
    let mut found: Vec<(u64, PathBuf)> =
        entries.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path()))).collect();
    found.sort_unstable();
    Ok(found)
}

pub(crate) fn remove(path: &Path) {
    if let Err(error) = fs::remove_dir_all(path) {
        tracing::warn!(path = %path.display(), %error, "an old index could not be removed");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_are_ordered_as_they_were_taken() {
        let taken = ["10:10:", "10:12:10,11", "10:12:10", "12:12:", "12:100:12,15", "99:100:", "100:100:"];
        for (place, one) in taken.iter().enumerate() {
            for (other_place, other) in taken.iter().enumerate() {
                assert_eq!(is_before(one, other), place < other_place, "{one} {other}");
            }
        }
    }
}
