//! Moves the parts of a response from their source to the buffer.

use std::{
    fs::File,
    os::unix::fs::FileExt,
    path::Path,
    sync::{Arc, atomic::Ordering},
};

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, StreamExt};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::{BrokenOff, CHUNK, IN_MEMORY, Spool, Spools, State};

/// Pulls the parts and buffers them.
pub(super) struct Filler {
    spool: Arc<Spool>,
    spools: Spools,
    /// Still to be written to the file.
    waiting: BytesMut,
    reserved: u64,
    written: u64,
    ends: Instant,
}

enum Stop {
    Gone,
    Broken(String),
}

impl Filler {
    /// A filler that has buffered nothing yet.
    pub(super) fn new(spool: Arc<Spool>, spools: Spools) -> Self {
        let ends = Instant::now() + spools.settings.whole;
        Self { spool, spools, waiting: BytesMut::new(), reserved: 0, written: 0, ends }
    }

    /// Takes all parts, then waits until the client has read them.
    pub(super) async fn run<S, E>(mut self, parts: S)
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: std::fmt::Display + Send + 'static,
    {
        // The parts hold a database connection, so drop them before waiting for the client.
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
            *state = State { end: Some(Err(BrokenOff(why))), ..State::default() };
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

    /// Buffers a part in memory if the file is empty and the part is small enough.
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

    /// Writes the waiting bytes to the file. If the budget is used up, passes them on once the client has read
    /// everything before them.
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

    /// Waits until the client has read enough.
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

/// A temporary file without a name. It disappears when it is closed.
fn nameless(directory: Option<&Path>) -> std::io::Result<File> {
    match directory {
        Some(directory) => tempfile::tempfile_in(directory),
        None => tempfile::tempfile(),
    }
}
