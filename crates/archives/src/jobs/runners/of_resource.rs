//! What jobs share that make a file of one resource: labels, finding aids.

use std::{fs::File, io, pin::pin};

use futures_util::{Stream, TryStreamExt};
use serde_json::Value;
use tokio::io::AsyncWriteExt;

use crate::{
    exports::Exported,
    jobs::running::{Failure, Running},
    model::Uri,
    records::{self, Place, Seen},
    refusal::Refusal,
};

use super::sheets::{failed, file_of};

/// The resource that the job is about. The log says what becomes of it.
pub(super) async fn resource(running: &Running<'_>, telling: &str) -> Result<(Exported, Value), Failure> {
    let source = running.work["source"].as_str().and_then(Uri::parse);
    let source = source.filter(|uri| uri.kind.name == "resource" && uri.repository == Some(running.repository));
    let no_source = || Failure::Failed("The source is no resource of this repository.".to_owned());
    let id = source.ok_or_else(no_source)?.id;
    let place = Place { kind: "resource", repository: Some(running.repository) };
    let record = records::get(running.session, place, id, Seen::All).await.map_err(failed)?;
    running.log.line(&format!("{telling} {}", record["title"].as_str().unwrap_or_default()));
    Ok((Exported { repository: running.repository, id, seen: Seen::All }, record))
}

/// Warns in the log that the public does not see the resource.
pub(super) fn warn_unpublished(running: &Running<'_>, resource: &Value) {
    if resource["publish"] != true {
        let rule = "-".repeat(50);
        running.log.line(&format!("{rule}\nWarning: this resource has not been published\n{rule}"));
    }
}

/// A file of what comes in parts. `text` takes it from a part, which is written; the job can be canceled between two.
pub(super) async fn filled<Part, Text: AsRef<[u8]>>(
    running: &Running<'_>,
    parts: impl Stream<Item = Result<Part, Refusal>>,
    mut text: impl FnMut(Part) -> Text,
) -> Result<File, Failure> {
    let unwritten = |error: io::Error| Failure::Failed(format!("The file cannot be written: {error}"));
    let mut file = tokio::fs::File::from_std(file_of(running, &[])?);
    let mut parts = pin!(parts);
    while let Some(part) = parts.try_next().await.map_err(failed)? {
        file.write_all(text(part).as_ref()).await.map_err(unwritten)?;
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
    }
    file.flush().await.map_err(unwritten)?;
    Ok(file.into_std().await)
}
