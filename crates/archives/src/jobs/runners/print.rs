//! Prints the finding aid of a resource (`print_to_pdf_job`).

use std::{collections::BTreeSet, pin::pin, sync::Arc, time::Duration};

use print::Progress;
use serde_json::Value;
use tokio::time::timeout;

use crate::{
    finding_aid::Asked,
    jobs::running::{Done, Ended, Failure, Running},
    printing::{NotPrinted, Printer},
};

use super::{
    of_resource::{resource, warn_unpublished},
    sheets::{failed, file_of},
};

/// How often it is looked whether a job that waits was canceled.
const MOMENT: Duration = Duration::from_millis(500);
/// The log has a line for so many pages.
const TOLD: usize = 250;
/// The log names at most this many characters that no font has.
const MOST_MISSING: usize = 100;

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let (of, record) = resource(running, "Generating PDF for").await?;
    warn_unpublished(running, &record);
    let says = |name: &str| running.work[name] == Value::Bool(true);
    let asked = Asked {
        include_unpublished: says("include_unpublished"),
        include_daos: true,
        numbered_cs: false,
        include_uris: says("include_uris"),
        ead3: false,
    };
    let printer = printer(running).await?;
    let (progress, log) = (Arc::clone(&running.setting.progress), Arc::clone(&running.log));
    let goes_on = move |Progress { run, pages }: Progress| {
        if pages % TOLD == 0 {
            let what = if run == 1 { "measured" } else { "drawn" };
            log.line(&format!("{pages} pages are {what}"));
        }
        !progress.is_canceled()
    };
    let (bounds, now) = ((running.setting.folder.as_deref(), running.setting.most_pages), (running.setting.now)());
    let printed = printer.print(running.session, of, (asked, now), bounds, goes_on).await;
    let printed = printed.map_err(|error| match error {
        NotPrinted::Refused(refusal) => failed(refusal),
        NotPrinted::Canceled => Failure::Canceled,
        NotPrinted::TooLong(error) => Failure::Failed(error.to_string()),
    })?;
    tell_missing(running, &printed.missing);
    let file = file_of(running, &printed.pdf)?;
    running.log.line(&format!("The PDF has {} pages.", printed.pages));
    running.log.line("All done. Please click refresh to view your download link.");
    let transaction = running.session.begin().await?;
    running.finish(transaction, Done { files: vec![file], ..Done::default() }).await
}

/// Names the characters that no font has in the log.
pub(super) fn tell_missing(running: &Running<'_>, missing: &BTreeSet<char>) {
    if !missing.is_empty() {
        let missing: String = missing.iter().take(MOST_MISSING).collect();
        running
            .log
            .line(&format!("No font of the server has these characters, so boxes stand in their place: {missing}"));
    }
}

/// Waits for a printer, as long as the job is wanted.
pub(super) async fn printer(running: &Running<'_>) -> Result<Printer, Failure> {
    let mut free = pin!(Printer::free());
    let mut has_waited = false;
    loop {
        if let Ok(printer) = timeout(MOMENT, free.as_mut()).await {
            return Ok(printer);
        }
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
        if !std::mem::replace(&mut has_waited, true) {
            running.log.line("Others are printed; this one waits for its turn.");
        }
    }
}
