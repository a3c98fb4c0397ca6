//! Links components to containers by a spreadsheet (`top_container_linker_job`).

use std::{collections::HashMap, sync::Arc};

use jiff::tz::TimeZone;

use crate::{
    bulk_import::{
        Added,
        linker::{self, Linker},
        look_up,
        report::RowReport,
        values::Values,
    },
    import::{ImportError, Staged},
    jobs::running::{Done, Ended, Failure, Running},
    model::ValueLists,
};

use super::{
    saving,
    sheets::{Opened, Staging, add_instances, first_file, links, open, stage, staged},
};

/// What rows are to change.
struct Planned {
    staged: Arc<Staged>,
    rows: Vec<RowReport>,
    added: Vec<Added>,
}

/// Runs the job.
pub(super) async fn run(running: &Running<'_>) -> Result<Ended, Failure> {
    let content = first_file(running).await?;
    let content = content.ok_or_else(|| Failure::Failed("No file to process for top container linking".to_owned()))?;
    running.log.line(&format!("Creating new top container linker for repository: {}", running.repository));
    running.log.line("Validating spreadsheet data...");
    let opened = match open(running, content, linker::MARKER).await? {
        Ok(opened) => opened,
        Err(why) => {
            running.log.line(&format!("ERROR: Error(s) detected: {why}"));
            return without_links(running, "Skipping creation and linking of top containers due to errors.").await;
        }
    };
    let only_validates = opened.target.only_validates;
    match plan(running, opened).await? {
        Err(wrong) => {
            wrong.iter().flat_map(|row| &row.errors).for_each(|error| running.log.line(error));
            without_links(running, "Skipping creation and linking of top containers due to errors.").await
        }
        Ok(_) if only_validates => {
            let why = "Skipping creation and linking of top containers since validate only option is enabled.";
            without_links(running, why).await
        }
        Ok(planned) => saving::again(|| carry_out(running, &planned)).await,
    }
}

async fn without_links(running: &Running<'_>, why: &str) -> Result<Ended, Failure> {
    running.log.line(why);
    let transaction = running.session.begin().await?;
    running.finish(transaction, Done::default()).await
}

/// What the rows change, or which of them are wrong.
async fn plan(running: &Running<'_>, opened: Opened) -> Result<Result<Planned, Vec<RowReport>>, Failure> {
    let Opened { table, target, resource } = opened;
    let (wanted, named) = linker::named(&table);
    let known = look_up::known(running.session, running.repository, resource, &wanted).await?;
    let existing = look_up::existing_of(running.session, running.repository, &named).await?;
    let lists = Arc::clone(&running.setting.lists);
    let today = (running.setting.now)().to_zoned(TimeZone::UTC).date().to_string();
    let mut staging = Staging(stage(running)?);
    let planning = tokio::task::spawn_blocking(move || {
        let adds_instance_types = lists.is_editable("instance_instance_type");
        let linker = Linker { target: &target, known: &known, existing: &existing, adds_instance_types };
        let wrong = linker.check(&table);
        if !wrong.is_empty() {
            return Ok(Err(wrong));
        }
        let values = Values::new(lists);
        let (rows, added) = linker.link(&table, links(&target, &values, &known), &mut staging, &today)?;
        Ok::<_, ImportError>(Ok(Planned { staged: staged(staging)?, rows, added }))
    });
    Ok(planning.await.map_err(|error| Failure::Failed(error.to_string()))??)
}

async fn carry_out(running: &Running<'_>, planned: &Planned) -> Result<Ended, Failure> {
    let author = running.author();
    let (transaction, saved) = saving::save(running, &planned.staged, &author).await?;
    let addresses: HashMap<&str, &str> = saved.addresses().collect();
    let refused = add_instances(running, &transaction, &planned.added, &addresses, &author).await?;
    let mut records = Vec::new();
    for row in &planned.rows {
        let why = refused.iter().filter(|(of, _)| *of == row.number).map(|(of, why)| format!("Row {of}:\tERROR {why}"));
        let wrong: Vec<String> = row.errors.iter().cloned().chain(why).collect();
        wrong.iter().chain(&row.info).for_each(|line| running.log.line(line));
        records.extend(row.object.as_ref().filter(|_| wrong.is_empty()).map(|object| object.uri.clone()));
    }
    let mut seen = std::collections::HashSet::new();
    records.retain(|uri| seen.insert(uri.clone()));
    running.log.line(if records.is_empty() { "No records modified." } else { "Logging modified records." });
    running.log.line("Creating and linking top containers...");
    running.finish(transaction, Done { records, new_values: planned.staged.adds_values(), ..Done::default() }).await
}
