//! Writes the finding aid of a resource as EAD (`ead_export_job`). ArchivesSpace has no such job, its clients take EAD from
//! `resource_descriptions`; the staff pages start it, so that a long export goes on when the page is left (decision 83).

use serde_json::Value;

use crate::{
    finding_aid::{self, Asked, Part},
    jobs::running::{Done, Ended, Failure, Running},
};

use super::{
    of_resource::{filled, resource, warn_unpublished},
    sheets::failed,
};

/// The log has a line for so many components.
const TOLD: u64 = 10_000;

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let (of, record) = resource(running, "Exporting").await?;
    warn_unpublished(running, &record);
    let says = |name: &str| running.work[name] == Value::Bool(true);
    let asked = Asked {
        include_unpublished: says("include_unpublished"),
        include_daos: says("include_daos"),
        numbered_cs: says("numbered_cs"),
        include_uris: says("include_uris"),
        ead3: says("ead3"),
    };
    let total = finding_aid::size(running.session, of.id).await?;
    let progress = &running.setting.progress;
    progress.expect(total);
    let now = (running.setting.now)();
    let parts = finding_aid::ead(running.session, of, asked, now).await.map_err(failed)?;
    let mut told = 0;
    let file = filled(running, parts, |Part { text, components }| {
        progress.wrote(components);
        let (written, _) = progress.written();
        if written / TOLD > told {
            told = written / TOLD;
            running.log.line(&format!("{written} of {total} components are written"));
        }
        text
    });
    let file = file.await?;
    running.log.line(&format!("All {total} components are written."));
    let transaction = running.session.begin().await?;
    running.finish(transaction, Done { files: vec![file], ..Done::default() }).await
}
