//! Jobs of the archives (contract 3.5): work that a client asks for and comes back to. A job is a record with files, a log and
//! the addresses of what it made; [`run`](run()) runs it, by the runner of its type.

mod log;
mod parts;
mod run;
mod runners;
mod running;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt};
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use store::{
    Session, StoreError,
    statements::{
        archives::{JOB_FILES, JOB_LOG, JOB_PARTS, JOB_RECORDS, JOB_RECORDS_AT, JOBS_OF, JOBS_UNDER_WAY, READ_RECORDS},
        writes::{ADD_ARCHIVES_JOB, MOVE_ARCHIVES_JOB},
    },
};

use crate::{
    model::{Checked, Purpose, StartingLists, check, record_type},
    records::{self, Author, Place},
    refusal::Refusal,
};

pub use run::{give_up, run};
pub use runners::{JobType, TYPES, report_needs};
pub use running::{Ended, Setting};

/// The record type.
pub const KIND: &str = "job";
/// The kind of the job in the queue of this program.
pub const QUEUED: &str = "archives";
/// Jobs that are not over.
pub const ACTIVE: &[&str] = &["running", "queued"];
/// Jobs that are over.
pub const ARCHIVED: &[&str] = &["completed", "canceled", "failed"];
/// Files are stored in parts of this many bytes.
const PART: usize = 1 << 20;

/// The type of a job by what it is to do, the member `job` of its record.
///
/// # Errors
/// This program does not run such jobs.
pub fn type_of(work: &Value) -> Result<&'static JobType, Refusal> {
    let name = work["jsonmodel_type"].as_str().unwrap_or_default();
    let found = TYPES.iter().find(|of| of.name == name);
    found.ok_or_else(|| Refusal::NotFound(format!("No runner found for {name}")))
}

/// Takes from a job that makes a report what shows suppressed records, for a client who may not see them.
pub fn without_suppressed(job: &mut Map<String, Value>) {
    if job.get("job").is_some_and(|work| work["jsonmodel_type"] == "report_job") {
        let mut parameters = run::parameters(&Value::Object(job.clone()));
        if parameters["include_suppressed"] != Value::Null {
            parameters["include_suppressed"] = false.into();
            job.insert("job_params".to_owned(), parameters.to_string().into());
        }
    }
}

/// Enters a job with its files; returns its id. One round trip.
///
/// # Errors
/// What it is to do is not valid.
pub async fn add(
    session: &Session,
    repository: i64,
    checked: Checked,
    files: &[Bytes],
    author: &Author,
) -> Result<i64, Refusal> {
    let mut record = checked.record;
    let work = record.get("job").cloned().unwrap_or_default();
    let of = type_of(&work)?;
    let of_work = record_type(of.name).ok_or_else(|| Refusal::no(KIND))?;
    let work = check(of_work, work, &StartingLists, Purpose::Save)?.record;
    (of.check)(&work)?;
    record.insert("job".to_owned(), Value::Object(work));
    let mut entry = records::prepare(Place { kind: KIND, repository: Some(repository) }, record)?;
    let doc = &mut entry["doc"];
    doc["job_type"] = of.name.into();
    doc["status"] = "queued".into();
    doc["has_modified_records"] = false.into();
    doc["inactive_record"] = false.into();
    doc["owner"] = author.name.clone().into();
    doc["time_submitted"] = moment(author.now).into();
    let (mut places, mut parts): (Vec<i32>, Vec<&[u8]>) = (Vec::new(), Vec::new());
    for (place, file) in (0..).zip(files) {
        // An empty file is a file, too.
        let of_file = if file.is_empty() { vec![&file[..]] } else { file.chunks(PART).collect() };
        places.extend(of_file.iter().map(|_| place));
        parts.extend(of_file);
    }
    let id = session.value(ADD_ARCHIVES_JOB, &[&entry, &places, &parts, &QUEUED, &author.name, &author.now]).await?;
    Ok(id)
}

/// A page of a repository's jobs with one of some statuses, and their number in all. Three round trips.
///
/// # Errors
/// [`StoreError`].
pub async fn with_status(
    session: &Session,
    repository: i64,
    statuses: &[&str],
    (skipped, many): (i64, i64),
) -> Result<(i64, Value), StoreError> {
    let row = session.get(JOBS_OF, &[&repository, &statuses, &skipped, &many]).await?;
    let (total, ids): (i64, Vec<i64>) = (row.get("total"), row.get("ids"));
    let kinds = vec![KIND; ids.len()];
    let records: Vec<Value> = session.values(READ_RECORDS, &[&kinds, &ids]).await?;
    let mut records = Value::Array(records);
    tell_progress(session, &mut records).await?;
    Ok((total, records))
}

/// Adds to jobs that are not over how many wait before them, or how far they are. One round trip, none if all are over.
///
/// # Errors
/// [`StoreError`].
pub async fn tell_progress(session: &Session, jobs: &mut Value) -> Result<(), StoreError> {
    let list = match jobs {
        Value::Array(list) => list.as_mut_slice(),
        one => std::slice::from_mut(one),
    };
    let id = |job: &Value| job["uri"].as_str()?.rsplit('/').next()?.parse::<i64>().ok();
    let is_active = |job: &&Value| job["status"].as_str().is_some_and(|status| ACTIVE.contains(&status));
    let active: Vec<i64> = list.iter().filter(is_active).filter_map(id).collect();
    if active.is_empty() {
        return Ok(());
    }
    for row in session.query(JOBS_UNDER_WAY, &[&active]).await? {
        let (of, before, progress): (i64, Option<i64>, Option<Value>) =
            (row.get("id"), row.get("before"), row.get("progress"));
        for job in list.iter_mut().filter(|job| id(job) == Some(of)) {
            match &progress {
                Some(progress) => job["progress"] = progress.clone(),
                None => job["queue_position"] = before.into(),
            }
        }
    }
    Ok(())
}

/// Cancels a job that is not over; returns its version. Two round trips.
///
/// # Errors
/// Not found.
pub async fn cancel(session: &Session, repository: i64, id: i64, now: Timestamp) -> Result<i64, Refusal> {
    let place = Place { kind: KIND, repository: Some(repository) };
    let changes = json!({"status": "canceled", "time_finished": moment(now)});
    let _: bool = session.value(MOVE_ARCHIVES_JOB, &[&id, &ACTIVE, &changes, &now]).await?;
    let job = records::get(session, place, id, records::Seen::All).await?;
    Ok(job["lock_version"].as_i64().unwrap_or_default())
}

/// The ids of a job's files. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn files(session: &Session, id: i64) -> Result<Vec<i64>, StoreError> {
    session.values(JOB_FILES, &[&id]).await
}

/// A file of a job in parts.
///
/// # Errors
/// [`StoreError`].
pub async fn file(
    session: &Session,
    id: i64,
    file: Option<i64>,
) -> Result<impl Stream<Item = Result<(i32, Bytes), StoreError>> + Send + Unpin + use<>, StoreError> {
    let rows = session.stream(JOB_PARTS, &[&id, &file]).await?;
    Ok(Box::pin(rows.map_ok(|row| (row.get("place"), Bytes::from(row.get::<_, Vec<u8>>("content"))))))
}

/// The log of a job from a byte on, in parts.
///
/// # Errors
/// [`StoreError`].
pub async fn log(
    session: &Session,
    id: i64,
    offset: i64,
) -> Result<impl Stream<Item = Result<Bytes, StoreError>> + Send + use<>, StoreError> {
    let rows = session.stream(JOB_LOG, &[&id, &offset]).await?;
    Ok(rows.map_ok(move |row| {
        let (at, text): (i64, String) = (row.get("at"), row.get("text"));
        let from = usize::try_from(offset - at).unwrap_or_default().min(text.len());
        Bytes::from(text.into_bytes()).slice(from..)
    }))
}

/// A page of the addresses of what a job made, and their number in all. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn made(session: &Session, id: i64, skipped: i64, many: i64) -> Result<(i64, Vec<String>), StoreError> {
    let row = session.get(JOB_RECORDS, &[&id, &skipped, &many]).await?;
    Ok((row.get("total"), row.get("uris")))
}

/// The addresses at some places, from 1, among what a job made. One round trip.
///
/// # Errors
/// [`StoreError`].
pub async fn made_at(session: &Session, id: i64, places: &[i64]) -> Result<Vec<String>, StoreError> {
    session.values(JOB_RECORDS_AT, &[&id, &places]).await
}

fn moment(now: Timestamp) -> String {
    now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
