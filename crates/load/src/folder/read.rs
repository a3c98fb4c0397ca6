//! Reads the records in a file: a single one (`.json`), a list (`.json`: an array, or an object with one), or one on
//! each line (`.ndjson`, `.jsonl`).

use std::{
    fs::File,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    sync::Arc,
};

use serde_json::Value;
use tokio::sync::mpsc;

/// Members of a list page other than the records.
const PAGE_MEMBERS: [&str; 3] = ["totalRecords", "total_records", "resultInfo"];

/// Where a record is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Source {
    pub file: Arc<Path>,
    pub line: Option<u64>,
}

/// A record, or the reason why there is none.
#[derive(Debug, PartialEq)]
pub(super) struct Found {
    pub source: Source,
    pub record: Result<Value, String>,
}

/// Sends the records of the files in sets, until they end or the receiver is gone. `list` is the name of the list in a
/// page of the collection.
pub(super) fn sets(files: &[PathBuf], list: Option<&str>, size: usize, to: &mpsc::Sender<Vec<Found>>) {
    let mut set = Vec::with_capacity(size);
    for file in files {
        let goes_on = each(file, list, &mut |found| {
            set.push(found);
            set.len() < size || to.blocking_send(std::mem::take(&mut set)).is_ok()
        });
        if !goes_on {
            return;
        }
    }
    if !set.is_empty() {
        // A receiver that is gone has failed and reports its own error.
        let _ = to.blocking_send(set);
    }
}

/// Calls `take` with each record of a file while it returns true; false if it did not.
fn each(file: &Path, list: Option<&str>, take: &mut dyn FnMut(Found) -> bool) -> bool {
    let path: Arc<Path> = file.into();
    let found = |line, record| Found { source: Source { file: Arc::clone(&path), line }, record };
    let opened = match File::open(file) {
        Ok(opened) => BufReader::new(opened),
        Err(error) => return take(found(None, Err(error.to_string()))),
    };
    if is_lines(file) {
        return lines(opened, &mut |line, record| take(found(Some(line), record)));
    }
    match whole(opened, list) {
        Ok(records) => records.into_iter().all(|record| take(found(None, Ok(record)))),
        Err(reason) => take(found(None, Err(reason))),
    }
}

pub(super) fn is_lines(file: &Path) -> bool {
    matches!(extension(file), Some("ndjson" | "jsonl"))
}

pub(super) fn extension(file: &Path) -> Option<&str> {
    file.extension().and_then(std::ffi::OsStr::to_str)
}

fn lines(file: impl BufRead, take: &mut dyn FnMut(u64, Result<Value, String>) -> bool) -> bool {
    for (line, number) in file.split(b'\n').zip(1..) {
        let record = match line {
            Ok(line) if line.trim_ascii().is_empty() => continue,
            Ok(line) => serde_json::from_slice(&line).map_err(|error| not_json(&error)),
            Err(error) => {
                take(number, Err(error.to_string()));
                return true;
            }
        };
        if !take(number, record) {
            return false;
        }
    }
    true
}

fn not_json(error: &serde_json::Error) -> String {
    format!("this is no JSON: {error}")
}

fn whole(mut file: impl Read, list: Option<&str>) -> Result<Vec<Value>, String> {
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(|error| error.to_string())?;
    let value = serde_json::from_slice(&text).map_err(|error| not_json(&error))?;
    Ok(match value {
        Value::Array(records) => records,
        Value::Object(mut members) => match page_member(&members, list) {
            Some(name) => match members.remove(&name) {
                Some(Value::Array(records)) => records,
                _ => Vec::new(),
            },
            None => vec![Value::Object(members)],
        },
        other => vec![other],
    })
}

/// The member with the records, if the object is a page of a list: the only one besides the totals, and either named
/// like the list or an array of objects.
fn page_member(members: &serde_json::Map<String, Value>, list: Option<&str>) -> Option<String> {
    let mut rest = members.iter().filter(|(name, _)| !PAGE_MEMBERS.contains(&name.as_str()));
    let (name, value) = rest.next()?;
    let records = value.as_array()?;
    let is_page = Some(name.as_str()) == list || records.iter().any(Value::is_object);
    (is_page && rest.next().is_none()).then(|| name.clone())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(name: &str, text: &str) -> Vec<(Option<u64>, Result<Value, String>)> {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, text).unwrap();
        let mut all = Vec::new();
        each(&file, Some("mtypes"), &mut |found| {
            all.push((found.source.line, found.record));
            true
        });
        all
    }

    #[test]
    fn a_json_file_holds_one_record_or_a_list() {
        let (a, b) = (json!({"id": "a", "tags": []}), json!({"id": "b"}));
        let list = vec![(None, Ok(a.clone())), (None, Ok(b.clone()))];
        assert_eq!(read("a.json", &a.to_string()), list[..1]);
        assert_eq!(read("a.json", &json!([a, b]).to_string()), list);
        assert_eq!(read("a.json", &json!({"items": [a, b], "totalRecords": 2}).to_string()), list);
        assert_eq!(read("a.json", &json!({"mtypes": [], "totalRecords": 0}).to_string()), []);
        let list_in_a_record = json!({"servicePointIds": ["a"]});
        assert_eq!(read("a.json", &list_in_a_record.to_string()), [(None, Ok(list_in_a_record))]);
    }

    #[test]
    fn a_line_file_holds_a_record_on_each_line() {
        let found = read("a.ndjson", "{\"id\":\"a\"}\n\n[\n{\"id\":\"b\"}");
        assert_eq!(found[0], (Some(1), Ok(json!({"id": "a"}))));
        assert!(matches!(&found[1], (Some(3), Err(reason)) if reason.starts_with("this is no JSON")));
        assert_eq!(found[2], (Some(4), Ok(json!({"id": "b"}))));
        assert_eq!(found.len(), 3);
    }

    #[test]
    fn unreadable_files_are_reported() {
        assert!(matches!(&read("a.json", "{")[..], [(None, Err(_))]));
        assert!(matches!(&read("a.json", "\u{feff}x")[..], [(None, Err(_))]));
        let mut all = Vec::new();
        each(Path::new("/nowhere/x.json"), None, &mut |found| {
            all.push(found.record.is_err());
            true
        });
        assert_eq!(all, [true]);
    }
}
