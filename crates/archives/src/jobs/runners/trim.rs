//! Takes spaces from the ends of titles in a repository (`trim_whitespace_job`).

use serde_json::Value;
use store::{db::only, statements::archives::TITLES_WITH_SPACES};

use crate::jobs::running::{Done, Ended, Failure, Running};

use super::changes::{change, tell_end, tell_refused};

/// Types of records with their names in the log.
const KINDS: [(&str, &str); 5] = [
    ("resource", "Resource"),
    ("archival_object", "ArchivalObject"),
    ("accession", "Accession"),
    ("digital_object", "DigitalObject"),
    ("digital_object_component", "DigitalObjectComponent"),
];

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let author = running.author();
    let transaction = running.session.begin().await?;
    let mut records = Vec::new();
    for (kind, name) in KINDS {
        running.log.line(&format!("Trimming whitespace from {name} titles"));
        let rows = transaction.query(TITLES_WITH_SPACES, &[&kind, &running.repository]).await?;
        let ids =
            rows.iter().map(|row| Ok((kind, only(row)?))).collect::<Result<Vec<(&str, i64)>, store::StoreError>>()?;
        let changed = change(running, &transaction, &ids, &author, |_, record| {
            let Some(Value::String(title)) = record.get_mut("title") else { return false };
            let trimmed = title.trim().to_owned();
            let differs = trimmed != *title;
            *title = trimmed;
            differs
        });
        let changed = changed.await?;
        tell_refused(running, &changed.refused);
        running.log.line(&format!("{} records modified.\n{}", changed.records.len(), "=".repeat(32)));
        records.extend(changed.records);
    }
    tell_end(running, records.len());
    running.finish(transaction, Done { records, ..Done::default() }).await
}
