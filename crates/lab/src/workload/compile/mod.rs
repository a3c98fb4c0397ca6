//! Checks a workload and resolves names to indexes.

mod data;
mod each;
mod parts;
mod request;
mod scope;
mod transaction;

use std::collections::HashSet;

use sha2::{Digest, Sha256};
use toml::Spanned;

use super::{
    Kind, Workload,
    place::{Source, WorkloadError},
    source,
};

/// Parses a workload; `file` is its name in errors.
///
/// # Errors
/// Invalid TOML, an unknown member, or an unresolved name, with file, line and column.
pub fn parse(file: &str, text: &str) -> Result<Workload, WorkloadError> {
    let source = Source { file, text };
    let read: source::Source = toml::from_str(text).map_err(|error| match error.span() {
        Some(span) => source.error(&span, error.message()),
        None => source.anywhere(error.message()),
    })?;
    let mut workload = head(&source, &read)?;
    parts::add(&source, &read, &mut workload)?;
    data::add(&source, &read.data, &mut workload)?;
    for transaction in &read.transaction {
        for one in each::combination(transaction) {
            let compiled = transaction::compile(&source, &one, &mut workload)?;
            workload.transactions.push(compiled);
        }
    }
    check(&source, &read, &workload)?;
    Ok(workload)
}

fn head(source: &Source, read: &source::Source) -> Result<Workload, WorkloadError> {
    if *read.parallel.get_ref() == 0 {
        return Err(source.error(&read.parallel.span(), "at least one request at a time"));
    }
    let name = read.name.get_ref();
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-';
    if name.is_empty() || !name.chars().all(fits) {
        let message = "a name has letters, digits and hyphens: it becomes part of file names";
        return Err(source.error(&read.name.span(), message));
    }
    let digest = Sha256::digest(source.text.as_bytes());
    Ok(Workload {
        name: name.clone(),
        title: read.title.clone(),
        sha256: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        protocol: read.protocol,
        parallel: *read.parallel.get_ref(),
        data: Vec::new(),
        kinds: Vec::new(),
        transactions: Vec::new(),
    })
}

/// Checks that need the whole workload.
fn check(source: &Source, read: &source::Source, workload: &Workload) -> Result<(), WorkloadError> {
    if workload.transactions.is_empty() {
        return Err(source.anywhere("there is no [[transaction]]"));
    }
    let mut names = HashSet::new();
    let twice = workload.transactions.iter().find(|t| !names.insert(t.name.as_str()));
    match twice {
        None => Ok(()),
        Some(twice) => {
            let written = read.transaction.iter().rev().find(|t| *t.name.get_ref() == twice.name);
            let message = format!("there are two transactions {:?}", twice.name);
            Err(match written {
                Some(written) => source.error(&written.name.span(), message),
                None => source.anywhere(message),
            })
        }
    }
}

/// The index of a data set among those defined so far.
fn data_set(source: &Source, workload: &Workload, name: &Spanned<String>) -> Result<usize, WorkloadError> {
    let known = &workload.data;
    known.iter().position(|set| set.name == *name.get_ref()).ok_or_else(|| {
        let names: Vec<_> = known.iter().map(|set| set.name.as_str()).collect();
        let message = format!("there is no [[data]] {:?} above; there is: {}", name.get_ref(), list(&names));
        source.error(&name.span(), message)
    })
}

/// The index of a kind of request; a new one is added.
fn kind(source: &Source, workload: &mut Workload, request: &source::Request) -> Result<usize, WorkloadError> {
    let kind = Kind {
        name: request.name.get_ref().clone(),
        method: request.method.get_ref().clone(),
        path: request.path.get_ref().clone(),
    };
    let known = workload.kinds.iter().position(|known| known.name == kind.name);
    match known {
        Some(known) if workload.kinds[known] == kind => Ok(known),
        Some(_) => {
            let message = format!("{:?} is the name of another request, too", kind.name);
            Err(source.error(&request.name.span(), message))
        }
        None => {
            workload.kinds.push(kind);
            Ok(workload.kinds.len() - 1)
        }
    }
}

/// A JSON pointer.
fn pointer<'a>(source: &Source, text: &'a Spanned<String>) -> Result<&'a str, WorkloadError> {
    let pointer = text.get_ref();
    if pointer.is_empty() || pointer.starts_with('/') {
        return Ok(pointer);
    }
    Err(source.error(&text.span(), "a JSON pointer starts with a slash: /items/0/id"))
}

fn list(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
