//! Changes components as a spreadsheet says that was made of them (`bulk_archival_object_updater_job`): all rows, or none.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use rand::Rng;
use serde_json::{Value, json};
use store::{
    db::Transaction,
    statements::archives::{FIND_COMPONENTS, RESOURCE_CONTAINERS},
};

use crate::{
    bulk_import::look_up::keys,
    bulk_update::{
        Problem, SHEET,
        change::apply,
        columns::Column,
        digital_objects::{Described, Named, named},
        row::{Container, Library},
    },
    import::{ImportError, Staged},
    jobs::running::{Done, Ended, Failure, Running},
    model::Uri,
    records::{Author, BATCH, lock, revise},
    refusal::Refusal,
    sheets::{Format, SheetError, Table, rows},
};

use super::{
    saving,
    sheets::{failed, first_file, stage},
};

/// A sheet has at most this many rows.
const MOST: usize = 10_000;

/// What a sheet says, and what of the library it is about.
struct Planned {
    table: Table,
    columns: Vec<Column>,
    named: Named,
    library: Library,
    /// Digital objects and containers that the sheet adds.
    staged: Arc<Staged>,
    /// Digital objects that the sheet changes.
    described: Vec<(i64, Described)>,
    /// What the log says of what is added.
    info: Vec<String>,
}

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    running.log.line("Starting spreadsheet bulk archival object updater job\n");
    let content = first_file(running).await?;
    let content = content.ok_or_else(|| Failure::Failed("\nNo spreadsheet found.\n".to_owned()))?;
    let planned = plan(running, content).await?;
    saving::again(|| carry_out(running, &planned)).await
}

fn unexpected(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!("Unexpected failure while running job. Error: {error}"))
}

/// What a job says whose sheet is wrong.
fn reverted(problems: &[Problem]) -> Failure {
    let all: Vec<String> = problems.iter().map(Problem::lines).collect();
    Failure::Failed(format!(
        "\nErrors encountered during processing.\n\nAll changes have been reverted.\n\n{}\n\nPlease correct any issues with your \
         import spreadsheet and retry.\n",
        all.join("\n\n")
    ))
}

async fn plan(running: &Running<'_>, content: Vec<u8>) -> Result<Planned, Failure> {
    let reading = tokio::task::spawn_blocking(move || {
        let table = Table::below_titles(rows(content, Format::Xlsx, Some(SHEET))?)?;
        Ok::<_, SheetError>(table)
    });
    let table = reading.await.map_err(unexpected)?.map_err(unexpected)?;
    let columns = table.codes.iter().map(|path| Column::at(path)).collect::<Result<Vec<_>, _>>().map_err(unexpected)?;
    let mut problems = Vec::new();
    let named = named(&table, &columns, &mut problems);
    let resource = resource(running, &named, &mut problems).await?;
    if !problems.is_empty() {
        return Err(reverted(&problems));
    }
    let (library, existing) = look_up(running, resource, &named).await?;
    let mut planned = Planned {
        table,
        columns,
        named,
        library,
        staged: Arc::new(stage(running)?.finish()?),
        described: existing,
        info: Vec::new(),
    };
    add_missing(running, &mut planned)?;
    Ok(planned)
}

/// The resource that all components are of.
async fn resource(running: &Running<'_>, named: &Named, problems: &mut Vec<Problem>) -> Result<i64, Failure> {
    if named.rows.len() > MOST {
        problems.push(Problem::of_sheet(format!("The number of rows in this sheet exceeds the maximum of {MOST}.")));
    }
    let ids: Vec<i64> = named.rows.iter().map(|(id, _)| *id).collect();
    let none: Vec<&str> = Vec::new();
    let found = running.session.query(FIND_COMPONENTS, &[&running.repository, &ids, &none]).await?;
    let found: HashMap<i64, i64> = found.iter().map(|row| (row.get("id"), row.get("root"))).collect();
    let missing = ids.iter().filter(|id| !found.contains_key(id));
    problems.extend(missing.map(|id| Problem::of_sheet(format!("Archival Object not found for id: {id}"))));
    let resources: BTreeSet<i64> = found.values().copied().collect();
    if resources.len() > 1 {
        problems.push(Problem::of_sheet("Archival Objects must all belong to the same resource.".to_owned()));
    }
    if ids.is_empty() {
        problems.push(Problem::of_sheet("There are no Archival Objects in this sheet.".to_owned()));
    }
    Ok(resources.first().copied().unwrap_or_default())
}

/// What of the library the sheet names, and what it says of digital objects that exist.
async fn look_up(
    running: &Running<'_>,
    resource: i64,
    named: &Named,
) -> Result<(Library, Vec<(i64, Described)>), Failure> {
    let (session, repository) = (running.session, running.repository);
    let mut library = Library::default();
    for row in session.query(RESOURCE_CONTAINERS, &[&resource, &repository]).await? {
        let text = |name: &str| row.get::<_, Option<String>>(name).filter(|text| !text.is_empty());
        let container = Container { kind: text("type"), indicator: text("indicator"), barcode: text("barcode") };
        let id: i64 = row.get("id");
        library.containers.insert(container, format!("/repositories/{repository}/top_containers/{id}"));
    }
    let identifiers: Vec<(String, _)> = named.accessions.iter().map(|one| (json!(one).to_string(), one)).collect();
    let accessions = identifiers.iter().map(|(key, _)| ("accession", "id_0", key));
    let objects = named.digital_objects.keys().map(|id| ("digital_object", "digital_object_id", id));
    let mut existing = Vec::new();
    for (kind, value, uri) in keys(session, repository, accessions.chain(objects)).await? {
        if kind == "accession" {
            let of_key = identifiers.iter().filter(|(key, _)| *key == value);
            library.accessions.extend(of_key.map(|(_, identifier)| ((*identifier).clone(), uri.clone())));
            continue;
        }
        let described = named.digital_objects.get(&value).filter(|described| !described.is_link());
        existing.extend(Uri::parse(&uri).map(|uri| uri.id).zip(described.cloned()));
        library.digital_objects.insert(value, uri);
    }
    Ok((library, existing))
}

/// Plans the digital objects that the library lacks and, if the client wants it, the containers.
fn add_missing(running: &Running<'_>, planned: &mut Planned) -> Result<(), Failure> {
    let address = |place: &str| {
        format!("/repositories/{}/{place}/import_{:032x}", running.repository, rand::rng().random::<u128>())
    };
    let mut stage = stage(running)?;
    let mut problems = Vec::new();
    let mut add = |record: Value, problems: &mut Vec<Problem>| match stage.add(record, 0) {
        Ok(()) => Ok(true),
        Err(ImportError::Refused(trouble)) => {
            problems.push(Problem { errors: vec![trouble.to_string()], ..Problem::default() });
            Ok(false)
        }
        Err(error) => Err(Failure::from(error)),
    };
    let (library, named) = (&mut planned.library, &planned.named);
    if running.work["create_missing_top_containers"] == true {
        for container in &named.containers {
            if library.containers.contains_key(container) {
                continue;
            }
            let uri = address("top_containers");
            let Container { kind, indicator, barcode } = container;
            let record = json!({"jsonmodel_type": "top_container", "uri": uri, "type": kind, "indicator": indicator,
                "barcode": barcode});
            if add(record, &mut problems)? {
                let text = |part: &Option<String>| part.clone().unwrap_or_default();
                let (kind, indicator) = (text(kind), text(indicator));
                planned.info.push(format!("Creating top container for type: {kind} indicator: {indicator}"));
                library.containers.insert(container.clone(), uri);
            }
        }
    }
    for (id, described) in &named.digital_objects {
        // One that is only linked must be there.
        if library.digital_objects.contains_key(id) || described.is_link() {
            continue;
        }
        let uri = address("digital_objects");
        let record = described.record(id, &uri);
        let title = record["title"].as_str().unwrap_or_default().to_owned();
        if add(record, &mut problems)? {
            planned.info.push(format!("Created digital object {id} - {title}"));
            library.digital_objects.insert(id.clone(), uri);
        }
    }
    if !problems.is_empty() {
        return Err(reverted(&problems));
    }
    planned.staged = Arc::new(stage.finish()?);
    Ok(())
}

async fn carry_out(running: &Running<'_>, planned: &Planned) -> Result<Ended, Failure> {
    let author = running.author();
    let (transaction, saved) = saving::save(running, &planned.staged, &author).await?;
    let addresses: HashMap<&str, &str> = saved.addresses().collect();
    let named = |uri: &String| addresses.get(uri.as_str()).map_or_else(|| uri.clone(), |uri| (*uri).to_owned());
    let of = &planned.library;
    let library = Library {
        containers: of.containers.iter().map(|(container, uri)| (container.clone(), named(uri))).collect(),
        digital_objects: of.digital_objects.iter().map(|(id, uri)| (id.clone(), named(uri))).collect(),
        accessions: of.accessions.clone(),
    };
    let mut outcome = Outcome { info: planned.info.clone(), ..Outcome::default() };
    outcome.records.extend(saved.made().filter(|uri| uri.contains("/digital_objects/")).map(str::to_owned));
    change_digital_objects(running, &transaction, planned, &author, &mut outcome).await?;
    change_components(running, &transaction, planned, &library, &author, &mut outcome).await?;
    if !outcome.problems.is_empty() {
        return Err(reverted(&outcome.problems));
    }
    outcome.info.iter().for_each(|line| running.log.line(line));
    let many = outcome.records.len();
    running.log.line(&format!("\nBulk update job successfully completed. {many} record(s) were updated."));
    let done = Done { records: outcome.records, new_values: planned.staged.adds_values(), ..Done::default() };
    running.finish(transaction, done).await
}

/// What a run has done so far.
#[derive(Debug, Default)]
struct Outcome {
    records: Vec<String>,
    info: Vec<String>,
    problems: Vec<Problem>,
}

async fn change_digital_objects(
    running: &Running<'_>,
    transaction: &Transaction,
    planned: &Planned,
    author: &Author,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    for batch in planned.described.chunks(BATCH) {
        let ids: Vec<(&str, i64)> = batch.iter().map(|(id, _)| ("digital_object", *id)).collect();
        let mut entries = Vec::new();
        for locked in lock(transaction, &ids).await? {
            let Some((_, described)) = batch.iter().find(|(id, _)| *id == locked.id) else { continue };
            let mut record = locked.whole();
            if !described.apply(&mut record) {
                continue;
            }
            let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let told = format!("Updated digital object {} - {}", text("digital_object_id"), text("title"));
            match locked.changed(record, &*running.setting.lists) {
                Ok(entry) => {
                    entries.push(entry);
                    outcome.info.push(told);
                    outcome.records.push(locked.uri());
                }
                Err(refusal) => outcome.problems.extend(problems(None, refusal)?),
            }
        }
        revise(transaction, entries, author).await.map_err(failed)?;
    }
    Ok(())
}

async fn change_components(
    running: &Running<'_>,
    transaction: &Transaction,
    planned: &Planned,
    library: &Library,
    author: &Author,
    outcome: &mut Outcome,
) -> Result<(), Failure> {
    // The last row of a component counts.
    let by_row: HashMap<usize, i64> = planned.named.rows.iter().map(|(id, row)| (*row, *id)).collect();
    let lines: HashMap<i64, _> =
        planned.table.lines().filter_map(|line| Some((*by_row.get(&line.number)?, line))).collect();
    let mut ids: Vec<(&str, i64)> = lines.keys().map(|id| ("archival_object", *id)).collect();
    ids.sort_unstable();
    for batch in ids.chunks(BATCH) {
        let mut entries = Vec::new();
        for locked in lock(transaction, batch).await? {
            let Some(line) = lines.get(&locked.id) else { continue };
            let mut record = locked.whole();
            let version = i64::from(locked.version);
            if !apply(line, &planned.columns, &mut record, version, library, &mut outcome.problems) {
                continue;
            }
            match locked.changed(record, &*running.setting.lists) {
                Ok(entry) => {
                    let shown = entry["doc"]["display_string"].as_str().unwrap_or_default();
                    outcome.info.push(format!("Updated archival object {} - {shown}", locked.id));
                    outcome.records.push(locked.uri());
                    entries.push(entry);
                }
                Err(refusal) => outcome.problems.extend(problems(Some(line.number), refusal)?),
            }
        }
        // What is wrong is found in all rows, but nothing is written any more.
        if outcome.problems.is_empty() {
            revise(transaction, entries, author).await.map_err(failed)?;
        }
        if running.setting.progress.is_canceled() {
            return Err(Failure::Canceled);
        }
    }
    Ok(())
}

/// What is wrong with a record, member by member.
fn problems(row: Option<usize>, refusal: Refusal) -> Result<Vec<Problem>, Failure> {
    match refusal {
        Refusal::Store(error) => Err(error.into()),
        Refusal::Invalid(invalid) => {
            let of = |(property, errors): (String, Value)| {
                let texts = errors.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
                Problem { row, property: Some(property), errors: texts.collect(), ..Problem::default() }
            };
            Ok(invalid.errors.into_iter().map(of).collect())
        }
        other => Ok(vec![Problem { row, errors: vec![other.to_string()], ..Problem::default() }]),
    }
}
