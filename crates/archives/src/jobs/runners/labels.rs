//! Makes labels for the containers of a resource (`container_labels_job`).

use crate::{
    exports::labels,
    jobs::running::{Done, Ended, Failure, Running},
};

use super::{
    of_resource::{filled, resource},
    sheets::failed,
};

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let (of, _) = resource(running, "Generating Container Labels").await?;
    let parts = labels(running.session, of).await.map_err(failed)?;
    let file = filled(running, parts, |part| part).await?;
    running.log.line("File generated.");
    let transaction = running.session.begin().await?;
    running.finish(transaction, Done { files: vec![file], ..Done::default() }).await
}
