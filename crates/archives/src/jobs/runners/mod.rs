//! The types of jobs. Each has a runner in a file of its own: a function that is given a [`Running`] and ends it with
//! [`Running::finish`] in the transaction that saves its work, or returns why it failed.
//!
//! | A job that … | does it by |
//! |---|---|
//! | reads the files that came with it | [`Running::read`] |
//! | makes files | [`Done::files`](super::running::Done) |
//! | makes or changes records | its own transaction, and [`Done::records`](super::running::Done) |
//! | imports | a row of [`import::types`](crate::import::types), no runner of its own |
//!
//! A runner of long work asks `running.setting.progress` now and then whether it is to end.

mod imports;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use super::running::{Ended, Failure, Running};
use crate::refusal::Refusal;

type Runner = for<'a> fn(&'a Running<'a>) -> BoxFuture<'a, Result<Ended, Failure>>;

/// A type of job.
#[derive(Debug)]
pub struct JobType {
    pub name: &'static str,
    /// Permissions to ask for one, beside `create_job`.
    pub create: &'static [&'static str],
    /// Permissions to cancel one, beside `cancel_job`.
    pub cancel: &'static [&'static str],
    /// Refuses what is valid by the schema but cannot be done. Is given the member `job`.
    pub(super) check: fn(&Map<String, Value>) -> Result<(), Refusal>,
    pub(super) run: Runner,
}

/// The types that this program runs.
pub const TYPES: &[JobType] = &[JobType {
    name: "import_job",
    create: &["import_records"],
    cancel: &["cancel_importer_job"],
    check: imports::check,
    run: |running| Box::pin(imports::run(running)),
}];
