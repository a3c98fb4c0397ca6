//! The types of jobs. Each has a runner in a file of its own: a function that is given a [`Running`] and ends it with
//! [`Running::finish`] in the transaction that saves its work, or returns why it failed.
//!
//! | A job that … | does it by |
//! |---|---|
//! | reads the files that came with it | [`Running::read`] |
//! | makes files | [`Done::files`](super::running::Done) |
//! | makes or changes records | its own transaction, and [`Done::records`](super::running::Done) |
//! | stages records, as imports do | [`saving`] |
//! | imports | a row of [`import::types`](crate::import::types), no runner of its own |
//!
//! A runner of long work asks `running.setting.progress` now and then whether it is to end.

mod arks;
mod bulk_import;
mod bulk_update;
mod changes;
mod container_links;
mod duplicates;
mod export;
mod find_and_replace;
mod imports;
mod labels;
mod of_resource;
mod prefixes;
mod print;
mod reports;
mod saving;
mod sheets;
mod slugs;
mod trim;

use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

pub use reports::needs as report_needs;

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
    /// Whether it is left out of the list of types that clients offer.
    pub hidden: bool,
    /// Refuses what is valid by the schema but cannot be done. Is given the member `job`.
    pub(super) check: fn(&Map<String, Value>) -> Result<(), Refusal>,
    pub(super) run: Runner,
}

/// The types that this program runs.
pub const TYPES: &[JobType] = &[
    JobType {
        cancel: &["cancel_importer_job"],
        check: imports::check,
        ..of("import_job", &["import_records"], |running| Box::pin(imports::run(running)))
    },
    JobType {
        cancel: &["cancel_importer_job"],
        ..of("bulk_import_job", &["import_records"], |running| Box::pin(bulk_import::run(running)))
    },
    JobType { hidden: true, ..of("top_container_linker_job", &[], |running| Box::pin(container_links::run(running))) },
    of("bulk_archival_object_updater_job", &["update_resource_record"], |running| Box::pin(bulk_update::run(running))),
    JobType { hidden: true, ..of("resource_duplicate_job", &[], |running| Box::pin(duplicates::run(running))) },
    JobType {
        cancel: &["manage_repository"],
        check: find_and_replace::check,
        ..of("find_and_replace_job", &["manage_repository"], |running| Box::pin(find_and_replace::run(running)))
    },
    JobType {
        cancel: &["administer_system"],
        ..of("generate_slugs_job", &["administer_system"], |running| Box::pin(slugs::run(running)))
    },
    JobType {
        cancel: &["administer_system"],
        ..of("generate_arks_job", &["administer_system"], |running| Box::pin(arks::run(running)))
    },
    of("container_labels_job", &[], |running| Box::pin(labels::run(running))),
    // ArchivesSpace does not have it, so its clients are not told of it.
    JobType { hidden: true, ..of("ead_export_job", &[], |running| Box::pin(export::run(running))) },
    of("print_to_pdf_job", &[], |running| Box::pin(print::run(running))),
    JobType { check: reports::check, ..of("report_job", &[], |running| Box::pin(reports::run(running))) },
    JobType {
        cancel: &["administer_system"],
        ..of("ns2_remover_job", &["administer_system"], |running| Box::pin(prefixes::run(running)))
    },
    of("trim_whitespace_job", &[], |running| Box::pin(trim::run(running))),
];

/// A type of job that asks for the permissions, and nothing else.
const fn of(name: &'static str, create: &'static [&'static str], run: Runner) -> JobType {
    JobType { name, create, cancel: &[], hidden: false, check: |_| Ok(()), run }
}
