//! What jobs with a spreadsheet share.

use std::{
    collections::HashMap,
    fs::File,
    io::{self, Read, Write},
    sync::Arc,
};

use rand::Rng;
use serde_json::Value;
use store::db::Transaction;

use crate::{
    bulk_import::{
        Added, Sink, Stop, Target,
        links::Links,
        values::Values,
        wanted::{Known, id_of},
    },
    import::{ImportError, Stage, Staged, reason},
    jobs::running::{Failure, Running},
    records::{self, Author, BATCH, Place, Seen, lock, revise},
    refusal::Refusal,
    sheets::{Format, Table, rows},
};

/// A spreadsheet, and where its rows belong.
pub(super) struct Opened {
    pub table: Table,
    pub target: Target,
    /// The id of the resource.
    pub resource: i64,
}

/// What a refusal makes of a job.
pub(super) fn failed(refusal: Refusal) -> Failure {
    match refusal {
        Refusal::Store(error) => Failure::Store(error),
        other => Failure::Failed(reason(&other)),
    }
}

/// A text in a record of the job or in its parameters; numbers are texts, too.
pub(super) fn text(of: &Value) -> Option<String> {
    match of {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The first file of a job; none without one. Its size is limited like that of every request.
pub(super) async fn first_file(running: &Running<'_>) -> Result<Option<Vec<u8>>, Failure> {
    let read = running.read(|many, files| {
        let mut content = Vec::new();
        if many > 0 {
            files.open(0).read_to_end(&mut content)?;
        }
        Ok::<_, io::Error>((many > 0).then_some(content))
    });
    read.await?.map_err(|error| Failure::Failed(format!("The file cannot be read: {error}")))
}

/// Opens the spreadsheet of a job for a resource, or says in the words of ArchivesSpace why not. `marker` is in the first cell of
/// the row with field codes.
pub(super) async fn open(
    running: &Running<'_>,
    content: Vec<u8>,
    marker: &'static str,
) -> Result<Result<Opened, String>, Failure> {
    let (work, given) = (&running.work, &running.parameters);
    let Some(format) = Format::of(&text(&work["content_type"]).unwrap_or_default()) else {
        return Ok(Err(spreadsheet("The file is neither an Excel Spreadsheet nor a CSV file")));
    };
    let id = text(&given["rid"]).or_else(|| text(&work["resource_id"])).as_deref().and_then(id_of);
    let Some(id) = id else { return Ok(Err(system("Resource not found"))) };
    let place = |kind| Place { kind, repository: Some(running.repository) };
    let resource = match records::get(running.session, place("resource"), id, Seen::All).await {
        Err(Refusal::NotFound(why)) => return Ok(Err(system(&why))),
        found => found.map_err(failed)?,
    };
    let start = match text(&given["aoid"]).as_deref().and_then(id_of) {
        None => None,
        Some(id) => match records::get(running.session, place("archival_object"), id, Seen::All).await {
            Err(Refusal::NotFound(why)) => return Ok(Err(system(&why))),
            found => {
                let found = found.map_err(failed)?;
                let parent = found["parent"]["ref"].as_str().map(str::to_owned);
                found["uri"].as_str().map(|uri| (uri.to_owned(), parent))
            }
        },
    };
    let reading = tokio::task::spawn_blocking(move || Table::with_codes(rows(content, format, None)?, marker));
    let table = match reading.await.map_err(|error| Failure::Failed(error.to_string()))? {
        Ok(table) => table,
        Err(why) => return Ok(Err(spreadsheet(&why.to_string()))),
    };
    let target = Target {
        repository: running.repository,
        resource: text(&resource["uri"]).unwrap_or_default(),
        ead_id: text(&resource["ead_id"]),
        start,
        only_validates: work["only_validate"] == "true",
    };
    Ok(Ok(Opened { table, target, resource: id }))
}

fn spreadsheet(why: &str) -> String {
    format!("Processing stopped at row 0 [Error(s) parsing spreadsheet: {why}]")
}

fn system(why: &str) -> String {
    format!("Processing stopped at row 0 [Some system error has occurred  [{why}].]")
}

/// What links rows of the sheet to records.
pub(super) fn links<'a>(target: &Target, values: &'a Values, known: &'a Known) -> Links<'a> {
    Links {
        repository: target.repository,
        values,
        known,
        only_validates: target.only_validates,
        ids: Box::new(|| format!("{:032x}", rand::rng().random::<u128>())),
        made: HashMap::new(),
    }
}

/// An empty import into the repository of the job.
pub(super) fn stage(running: &Running<'_>) -> Result<Stage, ImportError> {
    let lists = Arc::clone(&running.setting.lists);
    let folder = running.setting.folder.as_deref();
    Stage::new(running.repository, lists, folder, Arc::clone(&running.setting.progress))
}

/// Keeps what rows make until it is saved.
pub(super) struct Staging(pub Stage);

impl Sink for Staging {
    fn add(&mut self, record: Value, row: usize) -> Result<(), Stop> {
        self.0.add(record, row as u64).map_err(stopped)
    }

    fn revise(&mut self, record: Value, row: usize) -> Result<(), Stop> {
        self.0.revise(record, row as u64).map_err(stopped)
    }
}

fn stopped(error: ImportError) -> Stop {
    match error {
        ImportError::Refused(trouble) => Stop::Row(trouble.reason),
        other => Stop::Import(other),
    }
}

/// Ends the reading of a sheet.
pub(super) fn staged(staging: Staging) -> Result<Arc<Staged>, ImportError> {
    staging.0.finish().map(Arc::new)
}

/// Adds instances to components that exist, in the order of rows; returns rows that could not be carried out, and why. Two round
/// trips for each batch of components.
pub(super) async fn add_instances(
    running: &Running<'_>,
    transaction: &Transaction,
    added: &[Added],
    saved: &HashMap<&str, &str>,
    author: &Author,
) -> Result<Vec<(usize, String)>, Failure> {
    let mut by_component: HashMap<i64, Vec<&Added>> = HashMap::new();
    added.iter().for_each(|one| by_component.entry(one.component).or_default().push(one));
    let mut ids: Vec<(&str, i64)> = by_component.keys().map(|id| ("archival_object", *id)).collect();
    ids.sort_unstable();
    let mut refused = Vec::new();
    for batch in ids.chunks(BATCH) {
        let mut changed = Vec::new();
        for locked in lock(transaction, batch).await? {
            let mut record = locked.whole();
            let new = by_component.get(&locked.id).map(Vec::as_slice).unwrap_or_default();
            let instances = record.entry("instances").or_insert_with(|| Value::Array(Vec::new()));
            if let Value::Array(instances) = instances {
                instances.extend(new.iter().map(|one| with_addresses(one.instance.clone(), saved)));
            }
            match locked.changed(record, &*running.setting.lists) {
                Ok(entry) => changed.push(entry),
                Err(Refusal::Store(error)) => return Err(error.into()),
                Err(why) => refused.extend(new.iter().map(|one| (one.row, reason(&why)))),
            }
        }
        revise(transaction, changed, author).await.map_err(failed)?;
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
    }
    Ok(refused)
}

/// The same with the addresses of saved records.
fn with_addresses(mut value: Value, saved: &HashMap<&str, &str>) -> Value {
    match &mut value {
        Value::String(text) => {
            if let Some(uri) = saved.get(text.as_str()) {
                *text = (*uri).to_owned();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| *item = with_addresses(item.take(), saved)),
        Value::Object(members) => {
            members.values_mut().for_each(|member| *member = with_addresses(member.take(), saved));
        }
        _ => {}
    }
    value
}

/// A file that a job gives out.
pub(super) fn file_of(running: &Running<'_>, content: &[u8]) -> Result<File, Failure> {
    let made = match &running.setting.folder {
        Some(folder) => tempfile::tempfile_in(folder),
        None => tempfile::tempfile(),
    };
    let written = made.and_then(|mut file| file.write_all(content).map(|()| file));
    written.map_err(|error| Failure::Failed(format!("A file cannot be written: {error}")))
}
