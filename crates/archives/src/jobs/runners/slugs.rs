//! Names all records of the library for addresses that people read (`generate_slugs_job`). Names that people gave stay.

use serde_json::Value;
use store::{
    db::only,
    statements::{
        archives::{GIVEN_SLUGS, NAMED_RECORDS},
        writes::NAME_ARCHIVAL,
    },
};

use crate::{
    jobs::running::{Done, Ended, Failure, Running},
    model::derive::clean_slug,
    naming::{Taken, text_of},
};

/// Types of records with names, in the order in which they get them.
const KINDS: [(&str, &str); 13] = [
    ("repository", "Repositories"),
    ("resource", "Resources"),
    ("accession", "Accessions"),
    ("digital_object", "Digital Objects"),
    ("classification", "Classifications"),
    ("classification_term", "Classification Terms"),
    ("agent_person", "Agents (Person)"),
    ("agent_family", "Agents (Family)"),
    ("agent_corporate_entity", "Agents (Corporate Entity)"),
    ("agent_software", "Agents (Software)"),
    ("subject", "Subjects"),
    ("archival_object", "Archival Objects"),
    ("digital_object_component", "Digital Object Components"),
];
/// Records are named in batches of so many.
const BATCH: i64 = 1_000;

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let author = running.author();
    let transaction = running.session.begin().await?;
    let mut taken = Taken::default();
    for (kind, _) in KINDS {
        for row in transaction.query(GIVEN_SLUGS, &[&kind]).await? {
            taken.take(row.get("slug"));
        }
    }
    for (kind, name) in KINDS {
        running.log.line(&format!("Generating slugs for {name}\n{}", "=".repeat(32)));
        let (mut after, mut empty, mut changed) = (0_i64, 0_u64, 0_i64);
        loop {
            let rows = transaction.query(NAMED_RECORDS, &[&kind, &after, &BATCH]).await?;
            let (mut ids, mut slugs): (Vec<i64>, Vec<Option<String>>) = (Vec::new(), Vec::new());
            for row in &rows {
                after = row.get("id");
                let doc: Value = row.get("doc");
                let is_given =
                    doc["is_slug_auto"] == false && doc["slug"].as_str().is_some_and(|slug| !slug.is_empty());
                if is_given {
                    continue;
                }
                let slug = taken.free(clean_slug(&text_of(kind, &doc)));
                if slug.is_empty() {
                    empty += 1;
                    running.log.line(&format!(" -> Generated empty slug for: {kind} {after}"));
                }
                ids.push(after);
                slugs.push(Some(slug).filter(|slug| !slug.is_empty()));
            }
            let written = transaction.query(NAME_ARCHIVAL, &[&kind, &ids, &slugs, &author.name, &author.now]).await?;
            changed += written.first().map(only::<i64>).transpose()?.unwrap_or_default();
            if running.setting.progress.is_canceled() {
                return Err(Failure::Canceled);
            }
            if rows.len() < BATCH as usize {
                break;
            }
        }
        running.log.line(&format!("{changed} slugs changed, {empty} records without one"));
    }
    running.finish(transaction, Done::default()).await
}
