//! Authorities from a file, one on each line (contract 10.1). mod-entities-links reads it from an object storage; Carrel from a folder
//! (decision 92).

use std::{
    io::ErrorKind,
    path::{Component, Path, PathBuf},
};

use refusals::Refusal;
use serde::Serialize;
use serde_json::{Map, Value};
use store::{Session, StoreError, db::Row, statements::authorities::LOAD};
use tokio::{
    fs::{self, File},
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, BufWriter},
};

use crate::{
    Failed,
    records::normalized,
    refusal::{FILE_NAME_INVALID, FILE_UNKNOWN, FILE_UNUSABLE, LINE_TOO_LONG, NO_SOURCE_FILE, STALE},
};

/// Records that are written at once.
const AT_ONCE: usize = 500;
/// Longest line, in bytes.
const LONGEST: usize = 1 << 20;

/// What became of a file.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Loaded {
    errors_number: u64,
    /// The file with the lines that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_records_file_name: Option<String>,
    /// The file that says why: ids and reasons.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors_file_name: Option<String>,
}

/// Adds or replaces the authorities of a file in a folder. What failed is beside it, in files of their own; the rest stays. `read` makes
/// a record of a line, with its id and `metadata`, or says why it is none. One round trip for each 500 records.
///
/// # Errors
/// [`Failed::Refused`] if the file cannot be used.
pub async fn load(
    session: &Session,
    folder: &Path,
    name: &str,
    read: impl Fn(&str) -> Result<Map<String, Value>, String>,
) -> Result<Loaded, Failed> {
    let name = name.trim_start_matches('/');
    let path = within(folder, name).ok_or_else(|| FILE_NAME_INVALID.with("name", name))?;
    let unusable =
        |error: std::io::Error| Failed::from(FILE_UNUSABLE.with("name", name).with("error", &*error.to_string()));
    let file = File::open(&path).await.map_err(|error| match error.kind() {
        ErrorKind::NotFound => FILE_UNKNOWN.with("name", name).into(),
        _ => unusable(error),
    })?;
    let mut lines = BufReader::new(file);
    let mut failures = Failures::new(folder, name);
    let (mut page, mut texts) = (Vec::with_capacity(AT_ONCE), Vec::with_capacity(AT_ONCE));
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let taken = (&mut lines).take(LONGEST as u64).read_until(b'\n', &mut bytes).await.map_err(unusable)?;
        if taken == LONGEST && bytes.last() != Some(&b'\n') {
            return Err(LINE_TOO_LONG.with("name", name).into());
        }
        let text = String::from_utf8_lossy(&bytes);
        match text.trim() {
            "" => {}
            text => match read(text) {
                Ok(record) => {
                    page.push(Value::Object(normalized(record)));
                    texts.push(text.to_owned());
                }
                Err(reason) => {
                    let sent: Value = serde_json::from_str(text).unwrap_or_default();
                    let reason = format!("Unexpected json parsing exception: {reason}");
                    failures.add(text, sent["id"].as_str(), &reason).await.map_err(unusable)?;
                }
            },
        }
        if taken == 0 || page.len() == AT_ONCE {
            for (place, reason) in write(session, &page).await? {
                let id = page[place]["id"].as_str();
                failures.add(&texts[place], id, &reason).await.map_err(unusable)?;
            }
            page.clear();
            texts.clear();
        }
        if taken == 0 {
            return failures.end().await.map_err(unusable);
        }
    }
}

/// The path of a file in a folder; `None` if it would be elsewhere.
fn within(folder: &Path, name: &str) -> Option<PathBuf> {
    let is_plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    (is_plain && !name.is_empty()).then(|| folder.join(name))
}

/// Writes records; the places of those that cannot be written come back, with the reasons. If the database refuses all because of one,
/// each is written alone.
async fn write(session: &Session, records: &[Value]) -> Result<Vec<(usize, String)>, StoreError> {
    match write_together(session, records).await {
        Err(error) if error.is_refusal() => {}
        written => return written,
    }
    let mut refused = Vec::new();
    for (place, record) in records.iter().enumerate() {
        match write_together(session, std::slice::from_ref(record)).await {
            Ok(one) => refused.extend(one.into_iter().map(|(_, reason)| (place, reason))),
            Err(error) if error.is_refusal() => refused.push((place, error.to_string())),
            Err(error) => return Err(error),
        }
    }
    Ok(refused)
}

async fn write_together(session: &Session, records: &[Value]) -> Result<Vec<(usize, String)>, StoreError> {
    if records.is_empty() {
        return Ok(Vec::new());
    }
    let refused = session.query(LOAD, &[&records]).await?;
    let of_row = |row: &Row| {
        let place = usize::try_from(row.get::<_, i64>("place") - 1).unwrap_or_default();
        let id = records[place]["id"].as_str().unwrap_or_default();
        let (stored, sent) = (row.get::<_, Option<i64>>("stored").unwrap_or_default(), row.get::<_, i64>("sent"));
        let reason: Refusal = match row.get("has_source") {
            true => STALE.with("id", id).with("stored", stored).with("sent", sent),
            false => NO_SOURCE_FILE.into(),
        };
        (place, reason.to_string())
    };
    Ok(refused.iter().map(of_row).collect())
}

/// The files with what failed, from the first failure on.
struct Failures {
    folder: PathBuf,
    records: String,
    reasons: String,
    files: Option<[BufWriter<File>; 2]>,
    many: u64,
}

impl Failures {
    fn new(folder: &Path, name: &str) -> Self {
        let (records, reasons) = (format!("{name}_failedEntities"), format!("{name}_errors"));
        Self { folder: folder.to_owned(), records, reasons, files: None, many: 0 }
    }

    async fn add(&mut self, line: &str, id: Option<&str>, reason: &str) -> std::io::Result<()> {
        if self.files.is_none() {
            let create = |name: &str| fs::File::create(self.folder.join(name));
            let files = [create(&self.records).await?, create(&self.reasons).await?];
            self.files = Some(files.map(BufWriter::new));
        }
        if let Some([records, reasons]) = &mut self.files {
            records.write_all(format!("{line}\n").as_bytes()).await?;
            let reason = reason.replace('\n', " ");
            reasons.write_all(format!("{},{reason}\n", id.unwrap_or("null")).as_bytes()).await?;
        }
        self.many += 1;
        Ok(())
    }

    async fn end(mut self) -> std::io::Result<Loaded> {
        let Some(files) = &mut self.files else { return Ok(Loaded::default()) };
        for file in files {
            file.flush().await?;
            file.get_ref().sync_all().await?;
        }
        Ok(Loaded {
            errors_number: self.many,
            error_records_file_name: Some(self.records),
            errors_file_name: Some(self.reasons),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_in_their_folder() {
        let folder = Path::new("/files/diku");
        for (name, expected) in [
            ("names.jsonl", Some("/files/diku/names.jsonl")),
            ("2026/names", Some("/files/diku/2026/names")),
            ("", None),
            ("../other/names", None),
            ("2026/../../other", None),
            ("/etc/passwd", None),
        ] {
            assert_eq!(within(folder, name).as_deref(), expected.map(Path::new), "{name}");
        }
    }
}
