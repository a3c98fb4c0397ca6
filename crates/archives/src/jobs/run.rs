//! Runs a job. It may run again after its process died: what it made is saved together with its end, so it is made once.

use std::{
    io::{self, BufReader, Read},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use bytes::{Buf, Bytes};
use futures_util::TryStreamExt;
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    statements::{
        archives::{ENTER_JOB_RECORDS, JOB_WORK},
        writes::MOVE_ARCHIVES_JOB,
    },
};
use tokio::{sync::mpsc, time::interval};

use super::{file, files, log::Log, moment};
use crate::{
    import::{ImportError, Progress, Stage, Staged, finding_aid, met_another, save},
    records::Author,
    value_lists::Lists,
};

/// How often the log is written, and looked whether the job was canceled.
const MOMENT: Duration = Duration::from_secs(1);
/// An import that meets others at its end begins again this often.
const TRIES: usize = 3;

/// What a job needs of its process.
pub struct Setting {
    pub lists: Arc<Lists>,
    /// Where records are kept between reading and writing; without it, the system's folder for temporary files.
    pub folder: Option<PathBuf>,
    pub progress: Arc<Progress>,
    pub now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The job is over.
    Over,
    /// The job is over, and value lists have new values.
    WithNewValues,
    /// The process stops: another one goes on.
    Stopped,
}

/// A job that runs.
struct Running<'a> {
    id: i64,
    repository: i64,
    work: Value,
    tolerant: bool,
    owner: String,
    /// For the import.
    session: &'a Session,
    /// For the log, and to look whether it was canceled.
    beside: &'a Session,
    log: Arc<Log>,
    setting: &'a Setting,
}

/// Ends a job whose process died too often.
///
/// # Errors
/// [`StoreError`].
pub async fn give_up(session: &Session, id: i64, now: Timestamp) -> Result<(), StoreError> {
    let log = Log::default();
    log.line(
        "\nIMPORT ERROR\n\nThe server was stopped each time the job ran. Nothing was saved, and it is not tried again.",
    );
    log.flush(session, id).await?;
    let changes = json!({"status": "failed", "time_finished": moment(now)});
    moved(session, id, super::ACTIVE, &changes, now).await?;
    Ok(())
}

/// Runs a job to its end. `session` is used by the import alone; `beside` for small statements meanwhile.
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
    // Clients write the parameters as a text.
    let parameters: Value =
        doc["job_params"].as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    let running = Running {
        id,
        repository: row.get("repository"),
        work: doc["job"].clone(),
        tolerant: parameters["tolerant"] == true,
        owner: doc["owner"].as_str().unwrap_or_default().to_owned(),
        session,
        beside,
        log,
        setting,
    };
    running.run().await
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

impl Running<'_> {
    async fn run(&self) -> Result<Ended, StoreError> {
        let outcome = tokio::select! {
            outcome = self.import() => outcome,
            error = self.watch() => return Err(error),
        };
        let now = (self.setting.now)();
        let ended = match outcome {
            Ok(ended) => {
                self.log.flush(self.beside, self.id).await?;
                return Ok(ended);
            }
            Err(ImportError::Canceled) => {
                let row = self.beside.find(JOB_WORK, &[&self.id]).await?;
                let is_running = row.is_some_and(|row| row.get::<_, Value>("doc")["status"] == "running");
                self.log.last(if is_running { "The server stops; the job goes on later." } else { "Import canceled!" });
                if is_running { Ended::Stopped } else { Ended::Over }
            }
            Err(ImportError::Store(error)) if !met_another(&error) => {
                self.log.last(&format!("The database failed; the job is tried again later: {error}"));
                self.log.flush(self.beside, self.id).await?;
                return Err(error);
            }
            Err(error) => {
                self.log.last(&format!("\nIMPORT ERROR\n\nThe following errors were found:\n\t{error}"));
                let changes = json!({"status": "failed", "time_finished": moment(now)});
                moved(self.beside, self.id, &["running"], &changes, now).await?;
                Ended::Over
            }
        };
        self.log.flush(self.beside, self.id).await?;
        Ok(ended)
    }

    /// Looks after the job every moment, until that fails.
    async fn watch(&self) -> StoreError {
        let mut moments = interval(MOMENT);
        loop {
            moments.tick().await;
            if let Err(error) = self.look().await {
                return error;
            }
        }
    }

    /// Writes the log, and ends the job if it was canceled or deleted.
    async fn look(&self) -> Result<(), StoreError> {
        self.log.flush(self.beside, self.id).await?;
        let row = self.beside.find(JOB_WORK, &[&self.id]).await?;
        if row.is_none_or(|row| row.get::<_, Value>("doc")["status"] != "running") {
            self.setting.progress.cancel();
        }
        Ok(())
    }

    async fn import(&self) -> Result<Ended, ImportError> {
        let staged = Arc::new(self.stage().await?);
        let mut tries = 1;
        loop {
            match self.save(&staged).await {
                Err(ImportError::Store(error)) if met_another(&error) && tries < TRIES => tries += 1,
                done => return done,
            }
        }
    }

    /// Reads all files.
    async fn stage(&self) -> Result<Staged, ImportError> {
        let (to, parts) = mpsc::channel(4);
        let many = files(self.beside, self.id).await?.len();
        let names: Vec<String> = (0..many)
            .map(|place| {
                self.work["filenames"][place].as_str().map_or_else(|| format!("file {}", place + 1), str::to_owned)
            })
            .collect();
        let reading = finding_aid::Reading::of(self.beside, self.tolerant).await?;
        let lists = Arc::clone(&self.setting.lists);
        let (repository, folder) = (self.repository, self.setting.folder.clone());
        let (log, progress) = (Arc::clone(&self.log), Arc::clone(&self.setting.progress));
        let staging = tokio::task::spawn_blocking(move || {
            let mut stage = Stage::new(repository, lists, folder.as_deref(), progress)?;
            let mut parts = Parts { parts, place: 0, now: Bytes::new(), next: None };
            for (place, name) in (0..).zip(&names) {
                log.line(&format!("{0}\n{name}\n{0}", "=".repeat(50)));
                parts.place = place;
                let mut tell = |repair: &crate::import::Trouble| log.line(&repair.to_string());
                let input = BufReader::with_capacity(1 << 16, &mut parts);
                let counts = finding_aid::read(&mut stage, name, input, &reading, &mut tell)?;
                for (kind, many) in counts {
                    log.line(&format!("{many} of the type {kind}"));
                }
            }
            stage.finish()
        });
        let sending = async {
            let mut all = file(self.session, self.id, None).await?;
            while let Some(part) = all.try_next().await? {
                // The reader has found something wrong.
                if to.send(part).await.is_err() {
                    break;
                }
            }
            drop(to);
            Ok::<_, StoreError>(())
        };
        let (sent, staged) = tokio::join!(sending, staging);
        sent?;
        staged.map_err(|error| ImportError::Disk(io::Error::other(error)))?
    }

    /// Saves all records together with the end of the job.
    async fn save(&self, staged: &Arc<Staged>) -> Result<Ended, ImportError> {
        let now = (self.setting.now)();
        let author = Author { name: self.owner.clone(), now };
        let (transaction, saved) = save(self.session, staged, &author, &self.setting.progress).await?;
        let uris: Vec<&str> = saved.made().collect();
        transaction.execute(ENTER_JOB_RECORDS, &[&self.id, &uris]).await?;
        self.log.last(&format!("{} records saved", uris.len()));
        self.log.flush(self.beside, self.id).await?;
        let now = (self.setting.now)();
        let changes =
            json!({"status": "completed", "time_finished": moment(now), "has_modified_records": !uris.is_empty()});
        let rows = transaction.query(MOVE_ARCHIVES_JOB, &[&self.id, &["running"].as_slice(), &changes, &now]).await?;
        if !rows.first().map(store::db::only::<bool>).transpose()?.unwrap_or_default() {
            return Err(ImportError::Canceled);
        }
        transaction.commit().await?;
        Ok(if staged.adds_values() { Ended::WithNewValues } else { Ended::Over })
    }
}

/// The parts of one file after the other.
struct Parts {
    parts: mpsc::Receiver<(i32, Bytes)>,
    /// The file that is read now.
    place: i32,
    now: Bytes,
    /// The first part of the next file.
    next: Option<(i32, Bytes)>,
}

impl Read for Parts {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.now.is_empty() {
            let part = self.next.take().or_else(|| self.parts.blocking_recv());
            match part {
                Some((place, content)) if place == self.place => self.now = content,
                // What was not read of an earlier file.
                Some((place, _)) if place < self.place => {}
                other => {
                    self.next = other;
                    return Ok(0);
                }
            }
        }
        let many = into.len().min(self.now.len());
        self.now.copy_to_slice(&mut into[..many]);
        Ok(many)
    }
}
