//! Fills an index that is built with the records of the database, in pages, and leaves the machine to the desk while somebody is there
//! (decision 87).

use std::{
    sync::atomic::Ordering,
    time::{Duration, Instant},
};

use store::Session;
use tokio::{sync::mpsc, time::timeout};

use crate::{
    index::Index,
    on_disk::{Slot, Trouble},
    pace::Pace,
    source::Source,
};

/// Records of a page.
const PAGE: usize = 500;
/// The same while somebody is at the desk: PostgreSQL gives way to it only between statements.
const PAGE_BESIDE_THE_DESK: usize = 100;
/// While somebody is at the desk, building rests after each page for so many times as long as the page took: a disk and processors are
/// slower for the desk while others use them.
const REST: u32 = 12;
const LONGEST_REST: Duration = Duration::from_millis(500);
/// So many pages wait at most between reading them, making their documents, and writing these.
const AHEAD: usize = 1;

/// Reads the next records into the index: some are written while documents of the next ones are made and those after them are read.
/// Begins no page after `time`, and ends after any page if that is enough. What is read by then is read again: changes of what is not
/// written are not looked for.
pub(crate) async fn fill<S: Source>(
    slot: &mut Slot<S::Key>,
    source: &S,
    session: &Session,
    index: &Index,
    time: Duration,
    is_enough: impl Fn() -> bool,
) -> Result<(), Trouble> {
    let began = Instant::now();
    let mut after = slot.cursor.clone();
    let (give_read, mut take_read) = mpsc::channel(AHEAD);
    let (give_made, mut take_made) = mpsc::channel(AHEAD);
    // Each ends, too, when nobody takes its pages any more.
    let read = async move {
        while let Some(from) = after.as_ref().filter(|_| began.elapsed() < time) {
            let page = if priority::is_quiet() { PAGE } else { PAGE_BESIDE_THE_DESK };
            let keys = source.page(session, from, page).await?;
            let read = source.read(session, &keys).await?;
            after = keys.last().filter(|_| keys.len() == page).cloned();
            if give_read.send((keys.len(), after.clone(), read)).await.is_err() {
                break;
            }
        }
        Ok::<_, Trouble>(())
    };
    let make = async move {
        while let Some((records, after, read)) = take_read.recv().await {
            let batch = Pace::Aside.run(|| S::documents(read)).await?;
            if give_made.send((records, after, batch)).await.is_err() {
                break;
            }
        }
        Ok(())
    };
    let write = async move {
        let mut rested = Instant::now();
        while let Some((records, after, batch)) = take_made.recv().await {
            // Of records after the cursor the index has nothing to delete.
            slot.write(move |writer| batch.documents.iter().try_for_each(|document| writer.add(document))).await?;
            slot.cursor = after;
            slot.read += records as u64;
            index.read.store(slot.read, Ordering::SeqCst);
            if !priority::is_quiet() {
                let rest = LONGEST_REST.min(rested.elapsed() * REST);
                let _ = timeout(rest, index.wake.notified()).await;
            }
            rested = Instant::now();
            if is_enough() {
                break;
            }
        }
        Ok(())
    };
    tokio::try_join!(read, make, write).map(drop)
}
