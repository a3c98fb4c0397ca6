//! What is wrong with a record, and the words for it.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Something found in a record.
#[derive(Debug)]
pub struct Problem {
    /// The slash path of the value that was looked at.
    pub at: String,
    /// The slash path the message is for: the value, or a property of it.
    pub path: String,
    /// What was found.
    pub what: What,
}

/// What was found.
#[derive(Debug)]
pub enum What {
    /// A reason to refuse the record.
    Error(String),
    /// Something to warn of.
    Warning(String),
    /// A value of the wrong kind. Where several kinds are allowed there is one for each.
    WrongKind {
        /// The kind it should be of.
        wanted: String,
        /// The kind it is of.
        sent: &'static str,
    },
    /// A reason to refuse the record that has a code, not a message.
    Code(&'static str),
}

/// The errors and warnings by slash path; of several for the same path the last counts.
pub fn messages(problems: &[Problem]) -> (Map<String, Value>, Map<String, Value>) {
    let mut errors = Map::new();
    let mut warnings = Map::new();
    let mut wanted_at: HashMap<&str, Vec<&str>> = HashMap::new();
    for problem in problems {
        match &problem.what {
            What::Error(text) => put(&mut errors, &problem.path, text.clone()),
            What::Warning(text) => put(&mut warnings, &problem.path, text.clone()),
            What::Code(code) => put(&mut errors, "coded_errors", (*code).to_owned()),
            What::WrongKind { wanted, sent } => {
                let all = wanted_at.entry(&problem.path).or_default();
                all.push(wanted);
                put(&mut errors, &problem.path, wrong_kind(all, sent));
            }
        }
    }
    (errors, warnings)
}

fn put(into: &mut Map<String, Value>, path: &str, text: String) {
    into.insert(path.to_owned(), Value::from(vec![text]));
}

fn wrong_kind(wanted: &[&str], sent: &str) -> String {
    match wanted {
        [one] if one.ends_with("uri") => format!(
            "Must be a {one} (you provided a {sent}) (malformed or invalid uri? check if referenced object exists.)"
        ),
        [one] => format!("Must be a {one} (you provided a {sent})"),
        several => format!("Must be one of: {} (you provided a {sent})", several.join(", ")),
    }
}
