//! Gives ARKs to all resources and components of the library that need one (`generate_arks_job`).

use serde_json::{Value, json};
use store::{
    db::{Transaction, only},
    statements::{
        archives::{ARK_REPOSITORIES, RECORDS_WITH_ARKS},
        writes::{GIVE_ARCHIVAL_ARKS, NEXT_ARCHIVAL_ARKS},
    },
};

use crate::{
    arks::{KINDS, Renewed},
    jobs::running::{Done, Ended, Failure, Running},
    model::class_name,
};

/// Records get ARKs in batches of so many.
const BATCH: i64 = 1_000;

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    if running.setting.arks.authority.is_none() {
        running.log.line("ARKs are not made here: the setting archives_ark_naan is empty.");
    }
    let transaction = running.session.begin().await?;
    for row in transaction.query(ARK_REPOSITORIES, &[]).await? {
        let (repository, code, shoulder): (i64, String, String) = (row.get("id"), row.get("code"), row.get("shoulder"));
        let stem = running.setting.arks.stem(&shoulder);
        for kind in KINDS {
            let name = class_name(kind);
            let tell = |text: &str| {
                let line = format!("Repository {code}: {text}");
                running.log.line(&format!("{line}\n{}", "=".repeat(line.chars().count())));
            };
            tell(&format!("Generating ARKs for {name} records"));
            let made = match &stem {
                Some(stem) => give(running, &transaction, (kind, repository), stem).await?,
                None => 0,
            };
            tell(&match made {
                0 => format!("ARKs for {name} records were already up-to-date"),
                _ => format!("Generated {made} ARKs for {name} records"),
            });
        }
    }
    running.finish(transaction, Done::default()).await
}

/// Gives ARKs to the records of a type in a repository; returns how many new ones. Three round trips for each batch.
async fn give(
    running: &Running<'_>,
    transaction: &Transaction,
    (kind, repository): (&str, i64),
    stem: &str,
) -> Result<i64, Failure> {
    let (numbering, now) = (&running.setting.arks, (running.setting.now)());
    let (mut after, mut made) = (0_i64, 0_i64);
    loop {
        let rows = transaction.query(RECORDS_WITH_ARKS, &[&kind, &repository, &after, &BATCH]).await?;
        let found: Vec<(i64, Value)> =
            rows.iter().map(|row| (row.get("id"), row.get::<_, Option<Value>>("ark").unwrap_or_default())).collect();
        after = found.last().map_or(after, |(id, _)| *id);
        let needs =
            |(_, ark): &&(i64, Value)| matches!(numbering.renewed(ark, stem, || Some(String::new())), Renewed::New(_));
        let many = i32::try_from(found.iter().filter(needs).count()).unwrap_or(i32::MAX);
        let mut new = if many == 0 {
            Vec::new()
        } else {
            let rows = transaction.query(NEXT_ARCHIVAL_ARKS, &[&stem, &many]).await?;
            rows.first().map(only::<Vec<String>>).transpose()?.unwrap_or_default()
        }
        .into_iter();
        let mut given = Vec::new();
        for (id, before) in &found {
            let mut key = None;
            let renewed = numbering.renewed(before, stem, || {
                key = new.next();
                key.clone()
            });
            if let Renewed::New(ark) | Renewed::Back(ark) = renewed {
                given.push(json!({"id": id, "before": before, "ark": ark, "key": key}));
            }
        }
        if !given.is_empty() {
            let written = transaction.query(GIVE_ARCHIVAL_ARKS, &[&kind, &Value::Array(given), &now]).await?;
            made += written.first().map(only::<i64>).transpose()?.unwrap_or_default();
        }
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
        if rows.len() < BATCH as usize {
            return Ok(made);
        }
    }
}
