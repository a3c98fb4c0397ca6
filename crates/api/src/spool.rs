//! Large answers on their way to clients that may be slow: what the client has not taken yet waits in a little memory and
//! then in a file without a name, so that the database's connection is free as soon as the last row was read. An answer of
//! which nothing is read for a while ends.

use std::{
    collections::VecDeque,
    fs::File,
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt, future, stream};
use tokio::{
    sync::Notify,
    time::{Instant, sleep_until, timeout_at},
};

/// An answer that is no longer than this is answered whole.
const WHOLE: usize = 64 * 1024;
/// Bytes of a longer answer that wait in memory.
const IN_MEMORY: usize = 4 * WHOLE;
/// Bytes that are written to the file, or read from it, at once.
const CHUNK: usize = 64 * 1024;

/// How long answers may take, and where they wait.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The folder of the files; the system's for temporary files when there is none.
    pub directory: Option<PathBuf>,
    /// Bytes of all files together. Beyond them a client's slowness holds up the database's connection.
    pub bytes: u64,
    /// An answer of which nothing was read for so long ends.
    pub idle: Duration,
    /// An answer that has not been read in this time ends.
    pub whole: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            directory: None,
            bytes: 1 << 30,
            idle: Duration::from_secs(20),
            whole: Duration::from_secs(600),
        }
    }
}

/// Where the answers of this process wait.
#[derive(Debug, Clone)]
pub struct Spools {
    settings: Arc<Settings>,
    used: Arc<AtomicU64>,
}

/// Why an answer broke off.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub struct BrokenOff(String);

impl Spools {
    /// Nothing waits yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self {
            settings: Arc::new(settings),
            used: Arc::default(),
        }
    }

    /// A body of `parts`, which are asked for at once, however slowly the client reads. What is short is waited for and
    /// answered whole.
    ///
    /// # Errors
    /// What fails so early can still be told instead.
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
        let filler = Filler {
            spool: Arc::clone(&spool),
            spools: self.clone(),
            waiting: BytesMut::new(),
            reserved: 0,
            written: 0,
            ends: Instant::now() + self.settings.whole,
        };
        tokio::spawn(filler.run(parts));
        let reader = Reader(spool);
        Body::from_stream(stream::unfold(reader, |reader| async move {
            let part = reader.0.next().await?;
            Some((part, reader))
        }))
    }

    fn reserve(&self, bytes: u64) -> bool {
        let more = |used: u64| (used + bytes <= self.settings.bytes).then_some(used + bytes);
        let reserved = self
            .used
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, more);
        reserved.is_ok()
    }
}

/// What waits of one answer.
#[derive(Default)]
struct Spool {
    state: Mutex<State>,
    /// Something has come, or the end.
    filled: Notify,
    /// Something was taken, or the reader has gone.
    taken: Notify,
}

#[derive(Default)]
struct State {
    memory: VecDeque<Bytes>,
    in_memory: usize,
    /// Comes after what is in memory.
    file: Option<Arc<File>>,
    read: u64,
    written: u64,
    end: Option<Result<(), BrokenOff>>,
    /// Since when the reader has not asked; `None` while it waits for us.
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

/// What the reader does next.
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

/// Tells the filler when nobody reads any more.
struct Reader(Arc<Spool>);

impl Drop for Reader {
    fn drop(&mut self) {
        self.0.state().gone = true;
        self.0.taken.notify_one();
    }
}

/// Asks for the parts and puts them where they wait.
struct Filler {
    spool: Arc<Spool>,
    spools: Spools,
    /// To be written to the file.
    waiting: BytesMut,
    reserved: u64,
    written: u64,
    ends: Instant,
}

/// Why no more is put there.
enum Stop {
    /// The client has gone.
    Gone,
    Broken(String),
}

impl Filler {
    async fn run<S, E>(mut self, parts: S)
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: std::fmt::Display + Send + 'static,
    {
        // The parts hold a connection: they are let go of before the client takes the rest.
        let filled = self.fill(parts).await;
        let done = match filled {
            Ok(()) => {
                self.spool.state().end = Some(Ok(()));
                self.spool.filled.notify_one();
                self.until(State::is_empty).await
            }
            stopped => stopped,
        };
        if let Err(Stop::Broken(why)) = done {
            tracing::warn!(why, "a large answer was broken off");
            metrics::counter!("carrel_answers_broken_off_total").increment(1);
            let mut state = self.spool.state();
            *state = State {
                end: Some(Err(BrokenOff(why))),
                ..State::default()
            };
            drop(state);
            self.spool.filled.notify_one();
        }
    }

    async fn fill<S, E>(&mut self, parts: S) -> Result<(), Stop>
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: std::fmt::Display + Send + 'static,
    {
        let mut parts = std::pin::pin!(parts);
        let spool = Arc::clone(&self.spool);
        loop {
            let next = async {
                loop {
                    let taken = spool.taken.notified();
                    if spool.state().gone {
                        return Err(Stop::Gone);
                    }
                    tokio::select! {
                        part = parts.next() => return Ok(part),
                        () = taken => {}
                    }
                }
            };
            let next = timeout_at(self.ends, next).await;
            match next.map_err(|_| self.too_long())?? {
                Some(Ok(part)) => self.put(part).await?,
                Some(Err(error)) => return Err(Stop::Broken(error.to_string())),
                None => return self.write_waiting().await,
            }
        }
    }

    async fn put(&mut self, part: Bytes) -> Result<(), Stop> {
        if self.waiting.is_empty() && self.remember(&part) {
            return Ok(());
        }
        self.waiting.extend_from_slice(&part);
        if self.waiting.len() < CHUNK {
            return Ok(());
        }
        drop(part);
        self.write_waiting().await
    }

    /// Keeps a part in memory, if nothing waits in the file and it is small enough.
    fn remember(&self, part: &Bytes) -> bool {
        let mut state = self.spool.state();
        let fits = !state.on_file() && state.in_memory + part.len() <= IN_MEMORY;
        if fits {
            state.in_memory += part.len();
            state.memory.push_back(part.clone());
            drop(state);
            self.spool.filled.notify_one();
        }
        fits
    }

    /// Writes what waits to the file; where there is no room, hands it over when the client has taken all before it.
    async fn write_waiting(&mut self) -> Result<(), Stop> {
        while !self.waiting.is_empty() {
            let length = self.waiting.len().min(16 * CHUNK);
            let part = self.waiting.split_to(length).freeze();
            if self.write(part.clone()).await {
                continue;
            }
            self.until(State::is_empty).await?;
            let mut state = self.spool.state();
            state.in_memory += part.len();
            state.memory.push_back(part);
            drop(state);
            self.spool.filled.notify_one();
        }
        Ok(())
    }

    async fn write(&mut self, part: Bytes) -> bool {
        let length = part.len() as u64;
        if !self.spools.reserve(length) {
            return false;
        }
        self.reserved += length;
        let (known, at) = (self.spool.state().file.clone(), self.written);
        let directory = self.spools.settings.directory.clone();
        let writing = tokio::task::spawn_blocking(move || {
            let file = match known {
                Some(file) => file,
                None => Arc::new(nameless(directory.as_deref())?),
            };
            file.write_all_at(&part, at).map(|()| file)
        });
        match writing.await.map_err(std::io::Error::other).flatten() {
            Ok(file) => {
                self.written += length;
                let mut state = self.spool.state();
                state.file = Some(file);
                state.written = self.written;
                drop(state);
                self.spool.filled.notify_one();
                true
            }
            Err(error) => {
                tracing::warn!(%error, "a large answer cannot wait on the disk");
                false
            }
        }
    }

    /// Waits until the client has taken so much.
    async fn until(&self, enough: impl Fn(&State) -> bool) -> Result<(), Stop> {
        let idle = self.spools.settings.idle;
        loop {
            let taken = self.spool.taken.notified();
            let resting = {
                let state = self.spool.state();
                if state.gone {
                    return Err(Stop::Gone);
                }
                if enough(&state) {
                    return Ok(());
                }
                state.resting.unwrap_or_else(Instant::now)
            };
            let patience = (resting + idle).min(self.ends);
            tokio::select! {
                () = taken => {}
                () = sleep_until(patience) => {
                    let resting = self.spool.state().resting;
                    if Instant::now() >= self.ends {
                        return Err(self.too_long());
                    }
                    if resting.is_some_and(|since| since.elapsed() >= idle) {
                        let seconds = idle.as_secs_f32();
                        return Err(Stop::Broken(format!("nothing was read for {seconds} seconds")));
                    }
                }
            }
        }
    }

    fn too_long(&self) -> Stop {
        let seconds = self.spools.settings.whole.as_secs_f32();
        Stop::Broken(format!("it was not read in {seconds} seconds"))
    }
}

impl Drop for Filler {
    fn drop(&mut self) {
        self.spools.used.fetch_sub(self.reserved, Ordering::AcqRel);
    }
}

/// A file that nobody can open and that is gone when it is closed.
fn nameless(directory: Option<&Path>) -> std::io::Result<File> {
    match directory {
        Some(directory) => tempfile::tempfile_in(directory),
        None => tempfile::tempfile(),
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    fn spools(bytes: u64, idle: u64) -> Spools {
        Spools::new(Settings {
            bytes,
            idle: Duration::from_millis(idle),
            ..Settings::default()
        })
    }

    /// Parts of all sizes; `held` lives as long as they do.
    fn parts(held: Arc<()>, count: u32) -> impl Stream<Item = Result<Bytes, BrokenOff>> + Send {
        stream::iter(0..count).map(move |number| {
            let _held = &held;
            let length = (number as usize * 7919) % 90_000;
            Ok(Bytes::from(vec![number as u8; length]))
        })
    }

    async fn let_go(held: &Arc<()>) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while Arc::strong_count(held) > 1 {
            assert!(Instant::now() < deadline, "the source is still held");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn whole(count: u32) -> Bytes {
        let body = Body::from_stream(parts(Arc::default(), count));
        body.collect().await.expect("parts").to_bytes()
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_holds_no_source_and_gets_everything_later() {
        let (spools, held) = (spools(1 << 30, 60_000), Arc::new(()));
        let body = spools.spooled(parts(Arc::clone(&held), 300));
        let_go(&held).await;
        assert!(spools.used.load(Ordering::Acquire) > 1 << 20);
        let read = body.collect().await.expect("all of it").to_bytes();
        assert!(read == whole(300).await, "it differs");
        let deadline = Instant::now() + Duration::from_secs(10);
        while spools.used.load(Ordering::Acquire) > 0 {
            assert!(Instant::now() < deadline, "the room is not given back");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn without_room_on_the_disk_the_answer_comes_all_the_same() {
        for bytes in [0, 100_000] {
            let body = spools(bytes, 60_000).spooled(parts(Arc::default(), 100));
            let read = body.collect().await.expect("all of it").to_bytes();
            assert!(read == whole(100).await, "it differs with {bytes}");
        }
    }

    #[tokio::test]
    async fn an_answer_that_nobody_reads_ends() {
        for bytes in [0, 1 << 30] {
            let (spools, held) = (spools(bytes, 50), Arc::new(()));
            let mut body = spools.spooled(parts(Arc::clone(&held), 300));
            body.frame().await.expect("a part").expect("a good part");
            let_go(&held).await;
            let deadline = Instant::now() + Duration::from_secs(10);
            while spools.used.load(Ordering::Acquire) > 0 {
                assert!(Instant::now() < deadline, "it still waits");
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
            let broken = body.collect().await.expect_err("it broke off");
            assert!(broken.to_string().contains("nothing was read"), "{broken}");
        }
    }

    #[tokio::test]
    async fn a_client_that_goes_away_ends_the_source() {
        let held = Arc::new(());
        let endless = parts(Arc::clone(&held), 1).chain(stream::pending());
        drop(spools(1 << 30, 60_000).spooled(endless));
        let_go(&held).await;
    }

    #[tokio::test]
    async fn a_failure_of_the_source_reaches_the_client() {
        let failing = stream::iter([Ok(Bytes::from_static(b"x")), Err("lost")]);
        let body = spools(1 << 30, 60_000).spooled(failing);
        let broken = body.collect().await.expect_err("it broke off");
        assert!(broken.to_string().contains("lost"), "{broken}");
    }
}
