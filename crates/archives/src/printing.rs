//! Finding aids as PDF: the EAD of a resource, waiting in a file while it is set on pages
//! ([decision 53](../../../docs/decisions/0053-finding-aids-are-set-by-a-crate-of-our-own.md)).

use std::{
    fs::File,
    io::{self, BufReader, Seek},
    path::Path,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, TryLockError},
    thread,
    time::Duration,
};

use futures_util::TryStreamExt;
use jiff::Timestamp;
use print::{PrintError, Printed, Progress};
use store::{Session, StoreError};
use tokio::{
    io::AsyncWriteExt,
    sync::{Semaphore, SemaphorePermit},
};

use crate::{
    exports::Exported,
    finding_aid::{self, Asked},
    refusal::Refusal,
};

/// A process prints this many finding aids and reports at once, because each takes a processor.
static PRINTERS: Semaphore = Semaphore::const_new(2);
/// A finding aid has at most this many pages, unless the process is told otherwise.
pub const MOST_PAGES: usize = 15_000;
/// Of longer finding aids a process draws only one at once, because memory grows with the pages. No report is longer.
pub(crate) const LONG: usize = 2_000;
static LONG_ONE: Mutex<()> = Mutex::new(());
/// How often one that waits looks whether it is still wanted.
const MOMENT: Duration = Duration::from_millis(100);

/// Why a finding aid was not printed.
#[derive(Debug, thiserror::Error)]
pub enum NotPrinted {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It would have more pages than the limit.
    #[error("{0}")]
    TooLong(PrintError),
    /// The caller wants no more of it.
    #[error("the printing was canceled")]
    Canceled,
}

impl From<io::Error> for NotPrinted {
    fn from(error: io::Error) -> Self {
        Self::Refused(StoreError::Other(format!("the finding aid cannot be kept in a file: {error}")).into())
    }
}

/// The right to print one finding aid or report.
pub struct Printer {
    _permit: Option<SemaphorePermit<'static>>,
}

impl Printer {
    /// Waits until one is free; who came first is first.
    pub async fn free() -> Self {
        // Nobody closes it.
        Self { _permit: PRINTERS.acquire().await.ok() }
    }

    /// Prints the finding aid of a resource in EAD 2002, of at most so many pages. `folder` is for its EAD; without it, the system's
    /// folder for temporary files. `goes_on` is asked after each page, and while another long one is printed; `false` cancels, and
    /// so does dropping this. The round trips of [`finding_aid::ead`].
    ///
    /// # Errors
    /// [`NotPrinted`].
    pub async fn print(
        self,
        session: &Session,
        of: Exported,
        (asked, now): (Asked, Timestamp),
        (folder, most): (Option<&Path>, usize),
        mut goes_on: impl FnMut(Progress) -> bool + Send + 'static,
    ) -> Result<Printed, NotPrinted> {
        let asked = Asked { ead3: false, ..asked };
        let mut parts = pin!(finding_aid::ead(session, of, asked, now).await?);
        let mut ead = tokio::fs::File::from_std(match folder {
            Some(folder) => tempfile::tempfile_in(folder)?,
            None => tempfile::tempfile()?,
        });
        while let Some(part) = parts.try_next().await? {
            ead.write_all(&part.text).await?;
        }
        ead.flush().await?;
        let ead = ead.into_std().await;
        let wanted = Arc::new(());
        let is_wanted = Arc::downgrade(&wanted);
        let printing = tokio::task::spawn_blocking(move || {
            let mut alone = None;
            let goes_on = |progress: Progress| {
                let mut is_wanted = || is_wanted.strong_count() > 0 && goes_on(progress);
                if progress.pages > LONG && alone.is_none() {
                    alone = wait_alone(&mut is_wanted);
                }
                is_wanted()
            };
            let printed = print::print(|| from_its_start(&ead), most, goes_on);
            drop(self);
            printed
        });
        let printed = printing.await.map_err(io::Error::other)?;
        drop(wanted);
        printed.map_err(|error| match error {
            PrintError::Canceled => NotPrinted::Canceled,
            PrintError::TooLong(_) => NotPrinted::TooLong(error),
            other => Refusal::from(StoreError::Other(other.to_string())).into(),
        })
    }
}

/// Waits until no other long finding aid is printed; `None` if this one is wanted no more.
#[expect(clippy::disallowed_methods, reason = "it runs on a thread that may wait")]
fn wait_alone(is_wanted: &mut impl FnMut() -> bool) -> Option<MutexGuard<'static, ()>> {
    loop {
        match LONG_ONE.try_lock() {
            Ok(alone) => return Some(alone),
            Err(TryLockError::Poisoned(alone)) => return Some(alone.into_inner()),
            Err(TryLockError::WouldBlock) if is_wanted() => thread::sleep(MOMENT),
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

fn from_its_start(file: &File) -> io::Result<BufReader<File>> {
    let mut file = file.try_clone()?;
    file.rewind()?;
    Ok(BufReader::new(file))
}
