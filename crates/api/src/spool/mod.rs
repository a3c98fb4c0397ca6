//! Buffers large responses to slow clients, a little in memory and the rest in an unnamed file, so that the database
//! connection is free after the last row is read. A response that the client does not read for a while is ended.

mod filler;

use std::{
    collections::VecDeque,
    fs::File,
    os::unix::fs::FileExt,
    path::PathBuf,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, future, stream};
use tokio::{sync::Notify, time::Instant};

use self::filler::Filler;

/// Responses up to this many bytes are sent whole.
const WHOLE: usize = 64 * 1024;
/// Maximum bytes of a longer response buffered in memory.
const IN_MEMORY: usize = 4 * WHOLE;
/// Bytes per read from or write to the file.
const CHUNK: usize = 64 * 1024;

/// Where responses are buffered, and their time limits.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Directory of the files. If absent, the system's temporary directory.
    pub directory: Option<PathBuf>,
    /// Maximum size of all files, in bytes. Above it, a slow client keeps its database connection waiting.
    pub bytes: u64,
    /// How long a client may read nothing before the response ends.
    pub idle: Duration,
    /// Maximum duration of a response.
    pub whole: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { directory: None, bytes: 1 << 30, idle: Duration::from_secs(20), whole: Duration::from_secs(600) }
    }
}

/// The response buffers of this process.
#[derive(Debug, Clone)]
pub struct Spools {
    settings: Arc<Settings>,
    used: Arc<AtomicU64>,
}

/// Why a response was broken off.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub(crate) struct BrokenOff(String);

impl Spools {
    /// Creates empty buffers.
    pub fn new(settings: Settings) -> Self {
        Self { settings: Arc::new(settings), used: Arc::default() }
    }

    /// A body of `parts`, which are pulled at once, however slowly the client reads. A short response is collected and
    /// sent whole. An error this early can still be sent instead of it.
    pub async fn body<S, E>(&self, parts: S) -> Result<Body, E>
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: std::fmt::Display + Send + 'static,
    {
        let mut parts = Box::pin(parts);
        let mut beginning = BytesMut::new();
        while beginning.len() <= WHOLE {
            match parts.next().await.transpose()? {
                Some(part) => beginning.extend_from_slice(&part),
                None => return Ok(Body::from(beginning.freeze())),
            }
        }
        let beginning = stream::once(future::ok(beginning.freeze()));
        Ok(self.spooled(beginning.chain(parts)))
    }

    fn spooled<S, E>(&self, parts: S) -> Body
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: std::fmt::Display + Send + 'static,
    {
        let spool = Arc::new(Spool::default());
        spool.state().resting = Some(Instant::now());
        let filler = Filler::new(Arc::clone(&spool), self.clone());
        tokio::spawn(filler.run(parts));
        let reader = Reader(spool);
        let parts = stream::unfold(reader, |reader| async move {
            let part = reader.0.next().await?;
            Some((part, reader))
        });
        // What compresses it asks once more after the end.
        Body::from_stream(parts.fuse())
    }

    fn reserve(&self, bytes: u64) -> bool {
        let more = |used: u64| (used + bytes <= self.settings.bytes).then_some(used + bytes);
        let reserved = self.used.fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        reserved.is_ok()
    }
}

#[derive(Default)]
struct Spool {
    state: Mutex<State>,
    /// Signals a new part or the end.
    filled: Notify,
    /// Signals that the client has read a part or disconnected.
    taken: Notify,
}

#[derive(Default)]
struct State {
    memory: VecDeque<Bytes>,
    in_memory: usize,
    /// Holds the parts after those in memory.
    file: Option<Arc<File>>,
    read: u64,
    written: u64,
    end: Option<Result<(), BrokenOff>>,
    /// When the reader last stopped asking; `None` while it is waiting for a part.
    resting: Option<Instant>,
    gone: bool,
}

impl State {
    fn on_file(&self) -> bool {
        self.read < self.written
    }

    fn is_empty(&self) -> bool {
        self.memory.is_empty() && !self.on_file()
    }
}

enum Next {
    Give(Bytes),
    Read(Arc<File>, u64, usize),
    End(Option<BrokenOff>),
    Wait,
}

impl Spool {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self) -> Next {
        let mut state = self.state();
        if let Some(part) = state.memory.pop_front() {
            state.in_memory -= part.len();
            return Next::Give(part);
        }
        if state.on_file()
            && let Some(file) = state.file.clone()
        {
            let left = usize::try_from(state.written - state.read).unwrap_or(CHUNK);
            return Next::Read(file, state.read, left.min(CHUNK));
        }
        match &state.end {
            Some(end) => Next::End(end.clone().err()),
            None => Next::Wait,
        }
    }

    /// The next part; `None` after the last.
    async fn next(&self) -> Option<Result<Bytes, BrokenOff>> {
        self.state().resting = None;
        let part = loop {
            let filled = self.filled.notified();
            match self.look() {
                Next::Give(part) => break Some(Ok(part)),
                Next::Read(file, from, length) => break Some(self.read(file, from, length).await),
                Next::End(why) => break why.map(Err),
                Next::Wait => filled.await,
            }
        };
        self.state().resting = Some(Instant::now());
        self.taken.notify_one();
        part
    }

    async fn read(&self, file: Arc<File>, from: u64, length: usize) -> Result<Bytes, BrokenOff> {
        let reading = tokio::task::spawn_blocking(move || {
            let mut part = vec![0; length];
            file.read_exact_at(&mut part, from).map(|()| part)
        });
        let part = reading.await.map_err(std::io::Error::other).flatten();
        let part = part.map_err(|error| BrokenOff(format!("its file cannot be read: {error}")))?;
        self.state().read += length as u64;
        Ok(part.into())
    }
}

/// Tells the filler when the client has disconnected.
struct Reader(Arc<Spool>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.state().gone = true;
        self.0.taken.notify_one();
    }
}

#[cfg(test)]
mod tests;
