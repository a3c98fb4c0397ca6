//! Saves what a job has staged. A job that meets another one at its end begins its save again.

use std::{future::Future, sync::Arc};

use store::db::Transaction;

use super::super::running::{Ended, Failure, Running};
use crate::{
    import::{self, ImportError, Saved, Staged, met_another},
    records::Author,
};

/// A job that meets others at its end begins again this often.
const TRIES: usize = 3;

impl From<ImportError> for Failure {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Canceled => Self::Canceled,
            ImportError::Store(error) if !met_another(&error) && !error.is_refusal() => Self::Store(error),
            error => Self::Failed(format!("\nIMPORT ERROR\n\nThe following errors were found:\n\t{error}")),
        }
    }
}

/// Ends a job, and begins that again if it met another job.
///
/// # Errors
/// Those of `end`. A job that still meets others has failed.
pub(super) async fn again<F>(end: impl Fn() -> F) -> Result<Ended, Failure>
where
    F: Future<Output = Result<Ended, Failure>>,
{
    let mut tries = 1;
    loop {
        match end().await {
            Err(Failure::Store(error)) if met_another(&error) && tries < TRIES => tries += 1,
            Err(Failure::Store(error)) => return Err(ImportError::Store(error).into()),
            done => return done,
        }
    }
}

/// Saves the staged records in a transaction that the job then ends.
///
/// # Errors
/// [`Failure::Store`] also if it met another job, for [`again`].
pub(super) async fn save(
    running: &Running<'_>,
    staged: &Arc<Staged>,
    author: &Author,
) -> Result<(Transaction, Saved), Failure> {
    let saving = import::save(running.session, staged, author, &running.setting.progress).await;
    saving.map_err(|error| match error {
        ImportError::Store(error) => Failure::Store(error),
        error => error.into(),
    })
}
