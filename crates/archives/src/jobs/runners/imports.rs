//! Imports: all files of the job are read, then everything is saved together.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::{
    import::{
        Stage, Staged, Trouble,
        reading::{Options, Reading, Source},
        types::{IMPORTS, ImportType},
    },
    jobs::running::{Done, Ended, Failure, Running},
    refusal::Refusal,
};

use super::saving;

fn type_of(work: &Map<String, Value>) -> Option<&'static ImportType> {
    let name = work.get("import_type").and_then(Value::as_str)?;
    IMPORTS.iter().find(|of| of.name == name)
}

/// Refuses a type of import that there is not.
pub(super) fn check(work: &Map<String, Value>) -> Result<(), Refusal> {
    if type_of(work).is_some() {
        return Ok(());
    }
    let names = IMPORTS.iter().map(|of| of.name).collect::<Vec<_>>().join(", ");
    let name = work.get("import_type").and_then(Value::as_str).unwrap_or_default();
    let text = format!("Invalid value '{name}'.  Must be one of: {names}");
    Err(Refusal::Parameters(Map::from_iter([("import_type".to_owned(), json!([text]))])))
}

/// Runs an import.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let staged = Arc::new(stage(running).await?);
    saving::again(|| save_all(running, &staged)).await
}

/// Reads all files.
async fn stage(running: &Running<'_>) -> Result<Staged, Failure> {
    let of = running.work.as_object().and_then(type_of);
    let of = of.ok_or_else(|| Failure::Failed("No suitable converter found".to_owned()))?;
    let names = running.work["filenames"].clone();
    let is_set = |member: &str| running.work[member] == "1";
    let options = Options {
        tolerant: running.parameters["tolerant"] == true,
        events: is_set("import_events"),
        subjects: is_set("import_subjects"),
        repository: is_set("import_repository"),
        now: (running.setting.now)(),
    };
    let reading = Reading::of(running.beside, of.name, running.repository, options).await?;
    let lists = Arc::clone(&running.setting.lists);
    let (repository, folder) = (running.repository, running.setting.folder.clone());
    let (log, progress) = (Arc::clone(&running.log), Arc::clone(&running.setting.progress));
    let read = running.read(move |many, files| {
        let mut stage = Stage::new(repository, lists, folder.as_deref(), progress)?;
        for place in 0..many {
            let name = names[place].as_str().map_or_else(|| format!("file {}", place + 1), str::to_owned);
            log.line(&format!("{0}\n{name}\n{0}", "=".repeat(50)));
            let mut tell = |repair: &Trouble| log.line(&repair.to_string());
            let mut input = files.open(place);
            let source = Source { name: &name, input: &mut input, reading: &reading, tell: &mut tell };
            for (kind, many) in (of.read)(&mut stage, source)? {
                log.line(&format!("{many} of the type {kind}"));
            }
        }
        stage.finish()
    });
    Ok(read.await??)
}

/// Saves all records together with the end of the job.
async fn save_all(running: &Running<'_>, staged: &Arc<Staged>) -> Result<Ended, Failure> {
    let (transaction, saved) = saving::save(running, staged, &running.author()).await?;
    let records: Vec<String> = saved.made().map(str::to_owned).collect();
    running.log.last(&format!("{} records saved", records.len()));
    running.finish(transaction, Done { records, new_values: staged.adds_values(), ..Done::default() }).await
}
