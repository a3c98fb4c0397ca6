//! A workload as written in its file. Unknown members are errors, so that typing errors are noticed.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;

use super::{Paging, Protocol};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    pub name: Spanned<String>,
    pub title: String,
    pub protocol: Protocol,
    /// Composed of these shipped workloads of that protocol, instead of having transactions of its own.
    #[serde(default)]
    pub parts: Vec<Spanned<String>>,
    #[serde(default = "six")]
    pub parallel: Spanned<usize>,
    #[serde(default)]
    pub data: Vec<Data>,
    #[serde(default)]
    pub transaction: Vec<Transaction>,
}

/// The usual number of connections of a browser.
fn six() -> Spanned<usize> {
    Spanned::new(0..0, 6)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    pub name: Spanned<String>,
    pub path: Option<Spanned<String>>,
    #[serde(default)]
    pub list: String,
    #[serde(default = "by_key")]
    pub paging: Paging,
    pub columns: Spanned<BTreeMap<String, Spanned<String>>>,
    /// Columns derived from others: the other column, the text to replace, the replacement.
    #[serde(default)]
    pub replace: BTreeMap<String, Spanned<[String; 3]>>,
    pub each: Option<Spanned<String>>,
    #[serde(default)]
    pub rows: Vec<Spanned<BTreeMap<String, String>>>,
    #[serde(default = "ten_thousand")]
    pub most: usize,
    #[serde(default = "one")]
    pub least: usize,
    /// Seconds.
    #[serde(default = "five_seconds")]
    pub within: Spanned<f64>,
}

fn five_seconds() -> Spanned<f64> {
    Spanned::new(0..0, 5.0)
}

fn by_key() -> Paging {
    Paging::Key
}

fn ten_thousand() -> usize {
    10_000
}

fn one() -> usize {
    1
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Transaction {
    pub name: Spanned<String>,
    #[serde(default = "equal")]
    pub share: Spanned<f64>,
    #[serde(default)]
    pub rows: BTreeMap<String, RowUse>,
    /// Repeats it for each combination of these values.
    #[serde(default)]
    pub each: BTreeMap<String, Vec<String>>,
    /// Several values of a column at once.
    #[serde(default)]
    pub pick: BTreeMap<String, Pick>,
    pub step: Spanned<Vec<Step>>,
}

fn equal() -> Spanned<f64> {
    Spanned::new(0..0, 1.0)
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowUse {
    pub from: Spanned<String>,
    pub to: Option<Spanned<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Step {
    /// Shortest and longest pause before it, in seconds.
    pub think: Option<Spanned<[f64; 2]>>,
    pub request: Spanned<Vec<Request>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Request {
    pub name: Spanned<String>,
    #[serde(default = "get")]
    pub method: Spanned<String>,
    pub path: Spanned<String>,
    pub body: Option<Spanned<String>>,
    #[serde(default = "json")]
    pub content_type: String,
    #[serde(default)]
    pub status: Vec<Spanned<u16>>,
    #[serde(default)]
    pub checks: Vec<Check>,
    #[serde(default)]
    pub extract: BTreeMap<String, Spanned<String>>,
    pub records: Option<Spanned<String>>,
    #[serde(default)]
    pub acts_on: Vec<Spanned<String>>,
    #[serde(default)]
    pub optional: bool,
    pub since: Option<String>,
}

fn get() -> Spanned<String> {
    Spanned::new(0..0, "GET".to_owned())
}

fn json() -> String {
    "application/json".to_owned()
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    /// A JSON pointer.
    pub at: Spanned<String>,
    pub equals: Option<Spanned<toml::Value>>,
    pub exists: Option<bool>,
    pub at_least: Option<f64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pick {
    pub from: Spanned<String>,
    pub column: Spanned<String>,
    pub count: Spanned<String>,
    #[serde(default = "or")]
    pub join: String,
    /// The `same` values each time, or `new` ones.
    pub which: Spanned<String>,
}

fn or() -> String {
    " or ".to_owned()
}
