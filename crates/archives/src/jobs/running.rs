//! A job that runs: what a runner is given, and how it ends the job.

use std::{
    fs::File,
    io::{self, Seek},
    path::PathBuf,
    sync::Arc,
};

use futures_util::TryStreamExt;
use jiff::Timestamp;
use serde_json::{Value, json};
use store::{
    Session, StoreError,
    db::{Transaction, only},
    statements::{
        archives::ENTER_JOB_RECORDS,
        writes::{ADD_ARCHIVES_JOB_FILE, ADD_ARCHIVES_JOB_PART, MOVE_ARCHIVES_JOB},
    },
};
use tokio::{io::AsyncReadExt, sync::mpsc};

use super::{PART, file, files, log::Log, moment, parts::Parts};
use crate::{arks::Numbering, import::Progress, records::Author, value_lists::Lists};

/// What a job needs of its process.
pub struct Setting {
    pub lists: Arc<Lists>,
    /// Where records are kept between reading and writing; without it, the system's folder for temporary files.
    pub folder: Option<PathBuf>,
    /// How many pages a printed finding aid has at most.
    pub most_pages: usize,
    pub progress: Arc<Progress>,
    pub now: Arc<dyn Fn() -> Timestamp + Send + Sync>,
    /// How ARKs are made.
    pub arks: Numbering,
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

/// Why a job did not come to its end. Nothing of it is saved then.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    /// The job failed; this is the end of its log.
    #[error("{0}")]
    Failed(String),
    /// Somebody canceled the job, or the process stops.
    #[error("canceled")]
    Canceled,
    /// The database failed, and the job is tried again; or it refused what the job has made.
    #[error("{0}")]
    Store(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

/// What a job leaves behind.
#[derive(Debug, Default)]
pub(super) struct Done {
    /// The addresses of the records that it made or changed, as `:id/records` lists them.
    pub records: Vec<String>,
    /// Files for the client, in the order of `output_files`.
    pub files: Vec<File>,
    /// Whether value lists have new values.
    pub new_values: bool,
}

/// A job that runs.
pub(super) struct Running<'a> {
    pub id: i64,
    pub repository: i64,
    /// The member `job` of the record: what is to be done.
    pub work: Value,
    /// The member `job_params`, which clients write as a text.
    pub parameters: Value,
    pub owner: String,
    /// For the work.
    pub session: &'a Session,
    /// For the log, and to look whether it was canceled.
    pub beside: &'a Session,
    pub log: Arc<Log>,
    pub setting: &'a Setting,
}

impl Running<'_> {
    /// Who made the records, and when.
    pub(super) fn author(&self) -> Author {
        Author { name: self.owner.clone(), now: (self.setting.now)(), arks: self.setting.arks.clone() }
    }

    /// Reads the files of the job on a thread that may wait. `read` opens them in their order; its first argument is their number.
    pub(super) async fn read<T: Send + 'static, E: From<io::Error> + Send + 'static>(
        &self,
        read: impl FnOnce(usize, &mut Parts) -> Result<T, E> + Send + 'static,
    ) -> Result<Result<T, E>, StoreError> {
        let (to, parts) = mpsc::channel(4);
        let many = files(self.beside, self.id).await?.len();
        let reading = tokio::task::spawn_blocking(move || read(many, &mut Parts::new(parts)));
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
        let (sent, read) = tokio::join!(sending, reading);
        sent?;
        Ok(read.unwrap_or_else(|error| Err(io::Error::other(error).into())))
    }

    /// Ends the job in the transaction that has saved its work: both are there, or neither. Three round trips, and one for
    /// each megabyte of its files.
    ///
    /// # Errors
    /// The job was canceled meanwhile; the database fails.
    pub(super) async fn finish(&self, transaction: Transaction, done: Done) -> Result<Ended, Failure> {
        let Done { records, files, new_values } = done;
        if !records.is_empty() {
            transaction.execute(ENTER_JOB_RECORDS, &[&self.id, &records]).await?;
        }
        for file in files {
            self.keep(&transaction, file).await?;
        }
        self.log.flush(self.beside, self.id).await?;
        let now = (self.setting.now)();
        let changes =
            json!({"status": "completed", "time_finished": moment(now), "has_modified_records": !records.is_empty()});
        let rows = transaction.query(MOVE_ARCHIVES_JOB, &[&self.id, &["running"].as_slice(), &changes, &now]).await?;
        if !rows.first().map(only::<bool>).transpose()?.unwrap_or_default() {
            return Err(Failure::Canceled);
        }
        transaction.commit().await?;
        Ok(if new_values { Ended::WithNewValues } else { Ended::Over })
    }

    /// Keeps a file for the client.
    async fn keep(&self, transaction: &Transaction, mut file: File) -> Result<(), Failure> {
        let unread = |error: io::Error| Failure::Failed(format!("A file that the job made cannot be read: {error}"));
        file.rewind().map_err(unread)?;
        let mut file = tokio::fs::File::from_std(file);
        let rows = transaction.query(ADD_ARCHIVES_JOB_FILE, &[&self.id]).await?;
        let number: i64 = rows.first().map(only).transpose()?.unwrap_or_default();
        let mut place = 0_i32;
        loop {
            let mut part = Vec::with_capacity(PART);
            (&mut file).take(PART as u64).read_to_end(&mut part).await.map_err(unread)?;
            // An empty file is a file, too.
            if part.is_empty() && place > 0 {
                return Ok(());
            }
            transaction.execute(ADD_ARCHIVES_JOB_PART, &[&number, &place, &part]).await?;
            place += 1;
        }
    }
}
