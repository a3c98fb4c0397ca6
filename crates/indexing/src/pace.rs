//! Where the processor time of an index is spent: somebody waits for what they saved, and nobody for an index that is built.

use std::{io, thread};

use store::priority;
use tokio::{sync::oneshot, task::spawn_blocking};

/// How soon work on an index is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Somebody may wait for it.
    Prompt,
    /// It takes minutes and gives way to everything else, at the desk first of all.
    Aside,
}

impl Pace {
    /// Runs work that takes processor time or waits for the disk.
    ///
    /// # Errors
    /// If it breaks off, or the system gives no thread.
    pub(crate) async fn run<T: Send + 'static>(self, work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        match self {
            Self::Prompt => Ok(spawn_blocking(work).await?),
            Self::Aside => aside(work).await,
        }
    }
}

/// On a thread of its own: a lowered priority cannot be raised again. Threads that it starts have the same priority.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let (give, done) = oneshot::channel();
    let working = move || {
        priority::lower_priority_of_this_piece();
        // Nobody waits for it any more when the server stops.
        let _ = give.send(work());
    };
    thread::Builder::new().name("index".into()).spawn(working)?;
    done.await.map_err(|_| io::Error::other("the work on the index broke off"))
}
