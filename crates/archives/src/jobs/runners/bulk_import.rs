//! Components or digital objects from a spreadsheet. Rows that are wrong are left out and listed; all others are saved together.

use std::{collections::HashMap, sync::Arc};

use crate::{
    bulk_import::{
        Added, components, digital_objects, look_up,
        report::{Report, RowReport},
        values::Values,
        wanted::Wanted,
    },
    import::{ImportError, Staged},
    jobs::running::{Done, Ended, Failure, Running},
};

use super::{
    saving,
    sheets::{Opened, Staging, add_instances, file_of, first_file, links, open, stage, staged, text},
};

/// What was read.
struct Read {
    staged: Arc<Staged>,
    report: Report,
    /// For components that exist.
    added: Vec<Added>,
}

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let name = text(&running.work["filename"]).unwrap_or_default();
    running.log.line(&format!("Start new bulk_import for job: {}", running.id));
    running.log.line(&format!("{0}\n{name}\n{0}", "=".repeat(50)));
    let makes_components = match running.work["load_type"].as_str().unwrap_or_default() {
        "ao" => true,
        "digital" => false,
        other => return Err(Failure::Failed(format!("Unable to determine type: load_type '{other}'"))),
    };
    let content = first_file(running).await?.unwrap_or_default();
    let marker = if makes_components { components::MARKER } else { digital_objects::MARKER };
    let read = match open(running, content, marker).await? {
        Ok(opened) => read(running, opened, makes_components).await?,
        Err(why) => {
            let report = Report {
                terminal: Some(why),
                makes_components,
                only_validates: running.work["only_validate"] == "true",
                ..Report::default()
            };
            Read { staged: staged(Staging(stage(running)?))?, report, added: Vec::new() }
        }
    };
    saving::again(|| end(running, &read, &name)).await
}

async fn read(running: &Running<'_>, opened: Opened, makes_components: bool) -> Result<Read, Failure> {
    let Opened { table, target, resource } = opened;
    let wanted = Wanted::of(&table);
    let known = look_up::known(running.session, running.repository, resource, &wanted).await?;
    let lists = Arc::clone(&running.setting.lists);
    let mut staging = Staging(stage(running)?);
    let reading = tokio::task::spawn_blocking(move || {
        let values = Values::new(lists);
        let links = links(&target, &values, &known);
        let (report, added) = if makes_components {
            (components::read(&table, &target, links, &mut staging)?, Vec::new())
        } else {
            digital_objects::read(&table, &target, links, &mut staging)?
        };
        Ok::<_, ImportError>(Read { staged: staged(staging)?, report, added })
    });
    Ok(reading.await.map_err(|error| Failure::Failed(error.to_string()))??)
}

/// Saves what was read, unless it was only to be checked, together with the end of the job.
async fn end(running: &Running<'_>, read: &Read, name: &str) -> Result<Ended, Failure> {
    let mut report = read.report.clone();
    let author = running.author();
    if report.only_validates {
        tell(running, &report, name);
        let transaction = running.session.begin().await?;
        let files = vec![file_of(running, &report.csv())?];
        return running.finish(transaction, Done { files, ..Done::default() }).await;
    }
    let (transaction, saved) = saving::save(running, &read.staged, &author).await?;
    let addresses: HashMap<&str, &str> = saved.addresses().collect();
    let refused = add_instances(running, &transaction, &read.added, &addresses, &author).await?;
    report.name(&addresses);
    for (row, why) in refused {
        let text = format!("Unable to save archival object with associated digital object: {why}");
        let of_row = report.rows.iter_mut().filter(|of| of.number == row);
        of_row.for_each(|of: &mut RowReport| of.errors.push(text.clone()));
    }
    tell(running, &report, name);
    let records = records(&report, &read.added, &addresses);
    let files = vec![file_of(running, &report.csv())?];
    running.finish(transaction, Done { records, files, new_values: read.staged.adds_values() }).await
}

/// The records that the job made or changed.
fn records(report: &Report, added: &[Added], addresses: &HashMap<&str, &str>) -> Vec<String> {
    let mut records = Vec::new();
    for row in &report.rows {
        let made = added.iter().find(|one| one.row == row.number).and_then(|one| one.made.as_deref());
        let object = row.object.as_ref().filter(|_| report.makes_components || made.is_some());
        records.extend(object.map(|object| object.uri.clone()));
        records.extend(made.and_then(|made| addresses.get(made)).map(|uri| (*uri).to_owned()));
    }
    let mut seen = std::collections::HashSet::new();
    records.retain(|uri| seen.insert(uri.clone()));
    records
}

fn tell(running: &Running<'_>, report: &Report, name: &str) {
    for row in &report.rows {
        report.lines(row).iter().for_each(|line| running.log.line(line));
    }
    let (processed, line) = ("The file has been processed".to_owned(), "=".repeat(50));
    running.log.line(&report.terminal.as_ref().map_or(processed, |why| format!("ERROR: Error(s) detected: {why}")));
    let ended = if report.only_validates { "validation" } else { "import" };
    running.log.line(&format!("{line}\n\nCompleted {ended} of {name}\n\n{line}\n"));
    running.log.line("Compiling results CSV file");
}
