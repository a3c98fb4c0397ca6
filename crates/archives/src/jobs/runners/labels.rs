//! Makes labels for the containers of a resource (`container_labels_job`).

use std::{io, pin::pin};

use futures_util::TryStreamExt;
use tokio::io::AsyncWriteExt;

use crate::{
    exports::labels,
    jobs::running::{Done, Ended, Failure, Running},
    model::Uri,
    records::{self, Place, Seen},
};

use super::sheets::{failed, file_of};

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let source = running.work["source"].as_str().and_then(Uri::parse);
    let source = source.filter(|uri| uri.kind.name == "resource" && uri.repository == Some(running.repository));
    let id = source.ok_or_else(|| Failure::Failed("The source is no resource of this repository.".to_owned()))?.id;
    let place = Place { kind: "resource", repository: Some(running.repository) };
    let record = records::get(running.session, place, id, Seen::All).await.map_err(failed)?;
    running.log.line(&format!("Generating Container Labels {}", record["title"].as_str().unwrap_or_default()));
    let unwritten = |error: io::Error| Failure::Failed(format!("The labels cannot be written: {error}"));
    let mut file = tokio::fs::File::from_std(file_of(running, &[])?);
    let mut parts = pin!(labels(running.session, running.repository, id).await.map_err(failed)?);
    while let Some(part) = parts.try_next().await.map_err(failed)? {
        file.write_all(&part).await.map_err(unwritten)?;
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
    }
    file.flush().await.map_err(unwritten)?;
    let file = file.into_std().await;
    running.log.line("File generated.");
    let transaction = running.session.begin().await?;
    running.finish(transaction, Done { files: vec![file], ..Done::default() }).await
}
