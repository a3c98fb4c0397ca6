//! Where the processor time of an index is spent: somebody waits for what they saved, and nobody for an index that is built.

use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

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

type Work = Box<dyn FnOnce() + Send>;

/// Takes work for threads of a low priority. They have nothing else to do, because a lowered priority cannot be raised again; threads
/// that they start have the same.
static ASIDE: OnceLock<Sender<Work>> = OnceLock::new();
/// Some documents are written while the next ones are made.
const THREADS: usize = 2;

async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
    let (give, done) = oneshot::channel();
    // Nobody waits for it any more when the server stops.
    let work = Box::new(move || drop(give.send(work())));
    let broke_off = || io::Error::other("the work on the index broke off");
    threads()?.send(work).map_err(|_| broke_off())?;
    done.await.map_err(|_| broke_off())
}

fn threads() -> io::Result<&'static Sender<Work>> {
    if let Some(give) = ASIDE.get() {
        return Ok(give);
    }
    let (give, works) = mpsc::channel();
    let works = Arc::new(Mutex::new(works));
    for _ in 0..THREADS {
        let works = Arc::clone(&works);
        thread::Builder::new().name("index".into()).spawn(move || each(&works))?;
    }
    // Threads that somebody else started at the same moment are enough: these end.
    Ok(ASIDE.get_or_init(|| give))
}

/// Works until nobody can give work any more.
fn each(works: &Mutex<Receiver<Work>>) {
    let next = || works.lock().unwrap_or_else(PoisonError::into_inner).recv();
    while let Ok(work) = next() {
        priority::lower_priority_of_this_piece();
        // Whoever waits for it learns that it broke off.
        let _ = catch_unwind(AssertUnwindSafe(work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn work_that_breaks_off_is_told_and_stops_no_other() {
        for _ in 0..=THREADS {
            assert!(Pace::Aside.run(|| panic!("of this test")).await.is_err());
        }
        assert_eq!(
            Pace::Aside.run(|| thread::current().name().map(str::to_owned)).await.unwrap().as_deref(),
            Some("index")
        );
    }
}
