//! Workloads: what virtual users do, as files. `tests/workloads/README.md` documents the notation.
//!
//! - [`source`]: the file as it is written, each value with its place.
//! - [`compile`]: checks it and turns names into places in lists, so that nothing is looked up while it runs.
//! - [`template`]: texts with `{{values}}`.
//! - [`answer`]: what is looked at in an answer, and the checks on it.
//! - [`shipped`]: the ones in the binary.
//! - [`place`]: file, line and column of an error.

pub mod answer;
mod compile;
pub mod place;
pub mod shipped;
mod source;
pub mod template;

use std::time::Duration;

use answer::{Check, Wanted};
use template::Template;

pub use compile::parse;

/// Whose HTTP API a workload speaks: how to log in.
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

/// A workload, ready to run.
#[derive(Debug)]
pub struct Workload {
    /// Its name.
    pub name: String,
    /// What it is, in a sentence.
    pub title: String,
    /// SHA-256 of its file.
    pub sha256: String,
    /// How to log in.
    pub protocol: Protocol,
    /// At most so many requests of a step are under way at once.
    pub parallel: usize,
    /// Where rows come from, in the order in which they are drawn.
    pub data: Vec<DataSet>,
    /// Every kind of request, in order.
    pub kinds: Vec<Kind>,
    /// What users do.
    pub transactions: Vec<Transaction>,
}

/// A kind of request: what one line of a table of requests is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// Its name.
    pub name: String,
    /// Method.
    pub method: String,
    /// Path as it is written.
    pub path: String,
}

/// Rows of data.
#[derive(Debug)]
pub struct DataSet {
    /// Its name.
    pub name: String,
    /// Names of its columns.
    pub columns: Vec<String>,
    /// Where its rows come from.
    pub from: Origin,
    /// At least so many rows must be there.
    pub least: usize,
}

/// Where rows come from.
#[derive(Debug)]
pub enum Origin {
    /// From the target.
    Target(Draw),
    /// They are in the workload.
    Here(Vec<Vec<String>>),
}

/// How rows are drawn from the target.
#[derive(Debug)]
pub struct Draw {
    /// The list's path, without paging.
    pub path: Template,
    /// The data set whose rows the path is filled with, one list for each row.
    pub each: Option<usize>,
    /// Where in the answer the list is.
    pub list: String,
    /// Where in a record each column is.
    pub pointers: Vec<String>,
    /// Columns made of others: which one, what is replaced in it, by what.
    pub replaced: Vec<(usize, String, String)>,
    /// How the list is paged.
    pub paging: Paging,
    /// At most so many rows.
    pub most: usize,
    /// Once there are enough to work with, so long at most.
    pub within: Duration,
}

/// How a list is read page by page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Paging {
    /// `limit`, and from the last id on: FOLIO and Carrel find the next page as fast as the first.
    Key,
    /// `limit` and `offset`: the further, the slower.
    Offset,
    /// `page` and `page_size`, as ArchivesSpace has it.
    Page,
    /// It comes as a whole.
    Whole,
}

/// What one virtual user does at a time; a line of the table of transactions.
#[derive(Debug)]
pub struct Transaction {
    /// Its name.
    pub name: String,
    /// How often, beside the others.
    pub share: f64,
    /// The rows it works with.
    pub rows: Vec<RowUse>,
    /// Values of which it uses several at once.
    pub picks: Vec<Pick>,
    /// How many values it extracts from answers.
    pub variables: usize,
    /// What it does, one after the other.
    pub steps: Vec<Step>,
}

/// A row that a transaction works with.
#[derive(Debug)]
pub struct RowUse {
    /// The data set it is taken from.
    pub from: usize,
    /// The data set it belongs to when the transaction succeeded. Nobody else works with it meanwhile.
    pub to: Option<usize>,
}

/// Requests that are sent at once.
#[derive(Debug)]
pub struct Step {
    /// Shortest and longest pause before it, in seconds.
    pub think: (f64, f64),
    /// The requests.
    pub requests: Vec<Request>,
}

/// A request.
#[derive(Debug)]
pub struct Request {
    /// Which kind it is.
    pub kind: usize,
    /// Method.
    pub method: String,
    /// Path and query.
    pub path: Template,
    /// Body and its type.
    pub body: Option<(Template, String)>,
    /// Statuses that are fine; every 2xx when there is none.
    pub statuses: Vec<u16>,
    /// What is looked at in the answer.
    pub wanted: Wanted,
    /// What must hold of it.
    pub checks: Vec<Check>,
    /// Which of what is looked at becomes which variable.
    pub extracts: Vec<(usize, usize)>,
    /// Which of what is looked at says how many records there were.
    pub records: Option<usize>,
    /// Rows (of the transaction) that it changes: they belong elsewhere once it succeeds, whatever comes later, and are
    /// used no more once it is refused.
    pub acts_on: Vec<usize>,
    /// Whether the transaction goes on when it fails.
    pub optional: bool,
    /// The release of FOLIO that it came with: an older target answers 404, is told so in the report, and not asked again.
    pub since: Option<String>,
}

/// Several values of a column, joined.
#[derive(Debug, Clone)]
pub struct Pick {
    /// The data set.
    pub from: usize,
    /// Its column.
    pub column: usize,
    /// How many.
    pub count: usize,
    /// What stands between them.
    pub join: String,
    /// Whether they are the same ones each time: the first.
    pub same: bool,
}

impl Workload {
    /// The share of each transaction, 0 to 1.
    pub fn shares(&self) -> impl Iterator<Item = (&str, f64)> {
        let all: f64 = self.transactions.iter().map(|t| t.share).sum();
        self.transactions
            .iter()
            .map(move |t| (t.name.as_str(), t.share / all))
    }
}
