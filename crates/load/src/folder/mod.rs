//! Loads a folder of FOLIO records, as in FOLIO's repositories and exports: a folder for each collection, whatever the
//! folders around it are called.
//!
//! The report covers everything found: each record is created, already there, or refused with a reason, and files that
//! belong to no collection are listed.

mod layout;
mod read;
mod report;

use std::{path::Path, sync::Arc};

use api::{
    app::{App, TenantState},
    load::{Loader, Outcome},
};
use serde_json::Value;
use tokio::sync::mpsc;

pub use layout::Aside;
pub use report::{Listener, Refusal, Report, Summary};

use crate::LoadError;
use layout::{Layout, Method, Target};
use read::{Found, Source};

/// Records sent to the database together.
const SET: usize = 1000;
/// Sets that may wait for the database.
const WAITING: usize = 2;

/// Loads all records below `folder` into a tenant.
///
/// # Errors
/// If the folder cannot be read or the database fails. The listener gets the refusals of single records.
pub async fn load(
    app: &Arc<App>,
    tenant: &Arc<TenantState>,
    folder: &Path,
    listener: &mut dyn Listener,
) -> Result<Report, LoadError> {
    let layout = Layout::of(app, folder)?;
    let loader = Loader::new(app, tenant)?;
    let mut report = Report { aside: layout.aside, ..Report::default() };
    for target in layout.targets {
        listener.begins(&target.path, target.files.len());
        let summary = fill(&loader, &target, listener).await?;
        listener.ends(&summary);
        report.summaries.push(summary);
    }
    // Records bring their own HRIDs; new ones must not collide with them.
    store::inventory::number_past_all(&app.session(tenant)?).await?;
    Ok(report)
}

/// Loads the files of one collection.
async fn fill(loader: &Loader, target: &Target, listener: &mut dyn Listener) -> Result<Summary, LoadError> {
    let (to, mut sets) = mpsc::channel(WAITING);
    let (files, list) = (target.files.clone(), target.list);
    let reading = tokio::task::spawn_blocking(move || read::sets(&files, list, SET, &to));
    let mut summary = Summary::of(&target.path);
    while let Some(set) = sets.recv().await {
        send(loader, target, set, &mut summary, listener).await?;
    }
    let broke_off = |error: tokio::task::JoinError| LoadError::BrokeOff(error.to_string());
    reading.await.map_err(broke_off)?;
    Ok(summary)
}

/// Sends a set and reports the result of each record.
async fn send(
    loader: &Loader,
    target: &Target,
    set: Vec<Found>,
    summary: &mut Summary,
    listener: &mut dyn Listener,
) -> Result<(), LoadError> {
    let mut sources = Vec::with_capacity(set.len());
    let mut records = Vec::with_capacity(set.len());
    for Found { source, record } in set {
        match record {
            Ok(record) => {
                sources.push(source);
                records.push(record);
            }
            Err(reason) => tell(summary, listener, &source, None, Outcome::Refused(reason)),
        }
    }
    let outcomes = match target.method {
        Method::Post => loader.post(&target.path, &records).await?,
        _ => put(loader, target, &records).await?,
    };
    for ((source, record), outcome) in sources.iter().zip(&records).zip(outcomes) {
        tell(summary, listener, source, Some(record), outcome);
    }
    Ok(())
}

/// Replaces records that every tenant has.
async fn put(loader: &Loader, target: &Target, records: &[Value]) -> Result<Vec<Outcome>, LoadError> {
    let mut outcomes = Vec::with_capacity(records.len());
    for record in records {
        let path = match (target.method, record["id"].as_str()) {
            (Method::PutEach, Some(id)) => format!("{}/{id}", target.path),
            _ => target.path.clone(),
        };
        outcomes.push(loader.put(&path, record).await?);
    }
    Ok(outcomes)
}

fn tell(summary: &mut Summary, listener: &mut dyn Listener, source: &Source, record: Option<&Value>, outcome: Outcome) {
    summary.count(&outcome);
    if let Outcome::Refused(reason) = outcome {
        let id = record.and_then(|record| record["id"].as_str());
        let id = id.filter(|id| !id.is_empty());
        listener.refused(&Refusal { path: &summary.path, file: &source.file, line: source.line, id, reason: &reason });
    }
}
