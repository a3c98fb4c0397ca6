//! Workloads: what virtual users do, as files. `tests/workloads/README.md` documents the notation.
//!
//! - [`source`]: the file as written, each value with its position.
//! - [`compile`]: checks it and resolves names to indexes, so that nothing is looked up during a run.
//! - [`template`]: texts with `{{values}}`.
//! - [`answer`]: values extracted from an answer, and the checks on it.
//! - [`shipped`]: the workloads in the binary; [`load`] finds one of them or a file.
//! - [`place`]: file, line and column of an error.

pub(crate) mod answer;
mod compile;
mod load;
pub(crate) mod place;
pub mod shipped;
mod source;
pub(crate) mod template;

use std::time::Duration;

use answer::{Check, Wanted};
use template::Template;

pub use compile::parse;
pub use load::load;

/// The HTTP API of a workload, which determines the log-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// FOLIO: a tenant, a token.
    Folio,
    /// ArchivesSpace: a session.
    Archives,
    /// No log-in.
    Plain,
}

/// A compiled workload.
#[derive(Debug)]
pub struct Workload {
    pub name: String,
    /// A sentence.
    pub title: String,
    /// SHA-256 of its file.
    pub sha256: String,
    pub protocol: Protocol,
    /// Maximum number of concurrent requests of a step.
    pub parallel: usize,
    /// Sources of rows, in the order of drawing.
    pub data: Vec<DataSet>,
    /// Every kind of request, in order.
    pub kinds: Vec<Kind>,
    pub transactions: Vec<Transaction>,
}

/// A kind of request: a line in the table of requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    pub name: String,
    pub method: String,
    /// Path as written.
    pub path: String,
}

/// Rows of data.
#[derive(Debug)]
pub struct DataSet {
    pub name: String,
    /// Names of its columns.
    pub columns: Vec<String>,
    /// Source of its rows.
    pub from: Origin,
    /// Minimum number of rows.
    pub least: usize,
}

/// Source of rows.
#[derive(Debug)]
pub enum Origin {
    /// Drawn from the target.
    Target(Draw),
    /// Listed in the workload.
    Here(Vec<Vec<String>>),
}

/// How rows are drawn from the target.
#[derive(Debug)]
pub struct Draw {
    /// The list's path, without paging.
    pub path: Template,
    /// The data set whose rows fill the path: one list per row.
    pub each: Option<usize>,
    /// JSON pointer to the list in the answer.
    pub list: String,
    /// JSON pointers to the columns in a record.
    pub pointers: Vec<String>,
    /// Columns derived from others: index, text to replace, replacement.
    pub replaced: Vec<(usize, String, String)>,
    pub paging: Paging,
    /// Maximum number of rows.
    pub most: usize,
    /// Time limit once there are enough rows to work with.
    pub within: Duration,
}

/// How a list is paged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paging {
    /// `limit`, and a condition on the last id: FOLIO and Carrel find every page as fast as the first.
    Key,
    /// `limit` and `offset`: later pages are slower.
    Offset,
    /// `page` and `page_size`, as in ArchivesSpace.
    Page,
    /// The whole list at once.
    Whole,
}

/// What one virtual user does at a time; a line in the table of transactions.
#[derive(Debug)]
pub struct Transaction {
    pub name: String,
    /// Its weight among the transactions.
    pub share: f64,
    /// The rows it works with.
    pub rows: Vec<RowUse>,
    /// Values used several at once.
    pub picks: Vec<Pick>,
    /// Number of values extracted from answers.
    pub variables: usize,
    /// Its steps, in sequence.
    pub steps: Vec<Step>,
}

/// A row that a transaction works with.
#[derive(Debug)]
pub struct RowUse {
    /// The data set it is taken from.
    pub from: usize,
    /// The data set it belongs to after a success; meanwhile it is used exclusively.
    pub to: Option<usize>,
}

/// Requests that are sent concurrently.
#[derive(Debug)]
pub struct Step {
    /// Shortest and longest pause before it, in seconds.
    pub think: (f64, f64),
    pub requests: Vec<Request>,
}

#[derive(Debug)]
pub struct Request {
    /// Index of its kind.
    pub kind: usize,
    pub method: String,
    /// Path and query.
    pub path: Template,
    /// Body and its type.
    pub body: Option<(Template, String)>,
    /// Accepted statuses; any 2xx if empty.
    pub statuses: Vec<u16>,
    /// The values to extract from the answer.
    pub wanted: Wanted,
    pub checks: Vec<Check>,
    /// (index in `wanted`, index of the variable).
    pub extracts: Vec<(usize, usize)>,
    /// Index in `wanted` of the number of records.
    pub records: Option<usize>,
    /// Rows (of the transaction) that it changes: after a success they move, whatever follows; after a refusal they are
    /// retired.
    pub acts_on: Vec<usize>,
    /// Whether the transaction continues if it fails.
    pub optional: bool,
    /// The FOLIO release that introduced it: an older target answers 404, is mentioned in the report, and is not asked
    /// again.
    pub since: Option<String>,
}

/// Several values of a column, joined.
#[derive(Debug, Clone)]
pub struct Pick {
    /// The data set.
    pub from: usize,
    /// Its column.
    pub column: usize,
    pub count: usize,
    /// The separator.
    pub join: String,
    /// Whether the first values are used each time.
    pub same: bool,
}

impl Workload {
    /// The share of each transaction, 0 to 1.
    pub fn shares(&self) -> impl Iterator<Item = (&str, f64)> {
        let all: f64 = self.transactions.iter().map(|t| t.share).sum();
        self.transactions.iter().map(move |t| (t.name.as_str(), t.share / all))
    }
}
