//! Runs a job. It may run again after its process died: what it made is saved together with its end, so it is made once.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    statements::{archives::JOB_WORK, writes::MOVE_ARCHIVES_JOB},
};
use tokio::time::interval;

use super::{
    log::Log,
    moment,
    running::{Ended, Failure, Running, Setting},
    type_of,
};

/// How often the log is written, and looked whether the job was canceled.
const MOMENT: Duration = Duration::from_secs(1);

/// Ends a job whose process died too often.
///
/// # Errors
/// [`StoreError`].
pub async fn give_up(session: &Session, id: i64, now: Timestamp) -> Result<(), StoreError> {
    let log = Log::default();
    log.line("\nERROR\n\nThe server was stopped each time the job ran. Nothing was saved, and it is not tried again.");
    log.flush(session, id).await?;
    let changes = json!({"status": "failed", "time_finished": moment(now)});
    moved(session, id, super::ACTIVE, &changes, now).await?;
    Ok(())
}

/// Runs a job to its end. `session` is used by the work alone; `beside` for small statements meanwhile.
///
/// # Errors
/// The database fails: the job is to run again.
pub async fn run(session: &Session, beside: &Session, id: i64, setting: &Setting) -> Result<Ended, StoreError> {
    let Some(row) = beside.find(JOB_WORK, &[&id]).await? else { return Ok(Ended::Over) };
    let doc: Value = row.get("doc");
    let log = Arc::new(Log::default());
    let changes = json!({"status": "running", "time_started": moment((setting.now)())});
    if !moved(beside, id, &["queued", "running"], &changes, (setting.now)()).await? {
        return Ok(Ended::Over);
    }
    if doc["status"] == "running" {
        log.line("The server was stopped while the job ran. Nothing was saved; it begins again.");
    }
    let parameters = parameters(&doc);
    let running = Running {
        id,
        repository: row.get("repository"),
        work: doc["job"].clone(),
        parameters,
        owner: doc["owner"].as_str().unwrap_or_default().to_owned(),
        session,
        beside,
        log,
        setting,
    };
    to_its_end(&running).await
}

/// The parameters of a job, which clients write as a text; some of them as a text within a text.
pub(super) fn parameters(doc: &Value) -> Value {
    let read = |text: &Value| text.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let outer: Value = read(&doc["job_params"]);
    if outer.is_string() { read(&outer) } else { outer }
}

async fn moved(
    session: &Session,
    id: i64,
    before: &[&str],
    changes: &Value,
    now: Timestamp,
) -> Result<bool, StoreError> {
    session.value(MOVE_ARCHIVES_JOB, &[&id, &before, changes, &now]).await
}

/// The work of the job's type.
async fn work(running: &Running<'_>) -> Result<Ended, Failure> {
    // A job of a type that a later version knows.
    let of = type_of(&running.work).map_err(|refusal| Failure::Failed(refusal.to_string()))?;
    (of.run)(running).await
}

async fn to_its_end(running: &Running<'_>) -> Result<Ended, StoreError> {
    let &Running { id, beside, .. } = running;
    let outcome = tokio::select! {
        outcome = work(running) => outcome,
        error = watch(running) => return Err(error),
    };
    let ended = match outcome {
        Ok(ended) => ended,
        Err(Failure::Canceled) => {
            let row = beside.find(JOB_WORK, &[&id]).await?;
            let is_running = row.is_some_and(|row| row.get::<_, Value>("doc")["status"] == "running");
            running.log.last(if is_running { "The server stops; the job goes on later." } else { "Canceled!" });
            if is_running { Ended::Stopped } else { Ended::Over }
        }
        // What the database refuses once it refuses each time.
        Err(Failure::Store(error)) if !error.is_refusal() => {
            running.log.last(&format!("The database failed; the job is tried again later: {error}"));
            running.log.flush(beside, id).await?;
            return Err(error);
        }
        Err(failure) => {
            running.log.last(&failure.to_string());
            let now = (running.setting.now)();
            let changes = json!({"status": "failed", "time_finished": moment(now)});
            moved(beside, id, &["running"], &changes, now).await?;
            Ended::Over
        }
    };
    running.log.flush(beside, id).await?;
    Ok(ended)
}

/// Looks after the job every moment, until that fails.
async fn watch(running: &Running<'_>) -> StoreError {
    let mut moments = interval(MOMENT);
    loop {
        moments.tick().await;
        if let Err(error) = look(running).await {
            return error;
        }
    }
}

/// Writes the log, and ends the job if it was canceled or deleted.
async fn look(running: &Running<'_>) -> Result<(), StoreError> {
    running.log.flush(running.beside, running.id).await?;
    let row = running.beside.find(JOB_WORK, &[&running.id]).await?;
    if row.is_none_or(|row| row.get::<_, Value>("doc")["status"] != "running") {
        running.setting.progress.cancel();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_texts_or_texts_within_texts() {
        let given = json!({"rid": "7"});
        for text in [given.to_string(), json!(given.to_string()).to_string()] {
            assert_eq!(parameters(&json!({"job_params": text})), given);
        }
        for none in [json!({}), json!({"job_params": "nonsense"}), json!({"job_params": "\"null\""})] {
            assert_eq!(parameters(&none), Value::Null);
        }
    }
}
