//! Reads and writes `results.json`.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use serde::Deserialize;

use super::model::{Results, SCHEMA};

/// The file's name in the folder of a run.
pub const NAME: &str = "results.json";

/// Why a results file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: io::Error },
    /// Not a results file.
    #[error("{path}: not the results of a run of the lab: {source}")]
    Garbled {
        path: PathBuf,
        /// Where and why.
        source: serde_json::Error,
    },
    /// Written by another version of the lab.
    #[error("{path}: written in schema {found} of results.json, and this lab reads schema {SCHEMA}. {}", advice(*found))]
    OtherSchema { path: PathBuf, found: u32 },
}

fn advice(found: u32) -> &'static str {
    if found > SCHEMA { "Use a newer carrel" } else { "Use the carrel that wrote it, or repeat the run" }
}

#[derive(Deserialize)]
struct Head {
    schema: u32,
}

/// Reads the results of a run; `path` is the file or its folder.
///
/// # Errors
/// The file is unreadable, invalid, or has another schema.
pub fn read(path: &Path) -> Result<Results, FileError> {
    let path = if path.is_dir() { path.join(NAME) } else { path.to_owned() };
    let text = fs::read(&path).map_err(|source| FileError::Io { path: path.clone(), source })?;
    let garbled = |source| FileError::Garbled { path: path.clone(), source };
    let head: Head = serde_json::from_slice(&text).map_err(garbled)?;
    if head.schema != SCHEMA {
        return Err(FileError::OtherSchema { path, found: head.schema });
    }
    serde_json::from_slice(&text).map_err(garbled)
}

/// Writes the results into the folder of the run atomically: readers, and users after a crash or on a full disk, see
/// either the whole previous file or the whole new one.
///
/// # Errors
/// The disk is full, the folder is not writable, …; a previous file is then unchanged.
pub fn write(folder: &Path, results: &Results) -> Result<PathBuf, FileError> {
    let path = folder.join(NAME);
    let temporary = folder.join(format!("{NAME}.part"));
    let written = write_to(&temporary, results).and_then(|()| fs::rename(&temporary, &path));
    match written {
        Ok(()) => Ok(path),
        Err(source) => {
            let _ = fs::remove_file(&temporary);
            Err(FileError::Io { path, source })
        }
    }
}

fn write_to(path: &Path, results: &Results) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    serde_json::to_writer_pretty(&mut file, results)?;
    file.write_all(b"\n")?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    #[test]
    fn what_is_written_is_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = sample::results();
        let path = write(folder.path(), &results).expect("written");
        assert_eq!(read(&path).expect("read"), results);
        assert_eq!(read(folder.path()).expect("read"), results);
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn another_schema_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(NAME);
        for (schema, advice) in [(2, "Use a newer carrel"), (0, "repeat the run")] {
            fs::write(&path, format!(r#"{{"schema":{schema},"runs":[]}}"#)).expect("written");
            let error = read(&path).expect_err("another schema").to_string();
            assert!(error.contains(&format!("schema {schema} ")), "{error}");
            assert!(error.contains(advice), "{error}");
        }
    }

    #[test]
    fn other_files_are_refused_with_the_position() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(NAME);
        assert!(read(&path).expect_err("none").to_string().contains(NAME));
        for text in ["", "<html>", "[]", r#"{"schema":1}"#, r#"{"schema":"x"}"#] {
            fs::write(&path, text).expect("written");
            let error = read(&path).expect_err("garbled").to_string();
            assert!(error.contains("not the results of a run"), "{error}");
            assert!(error.contains("line"), "{error}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_leaves_the_old_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = sample::results();
        write(folder.path(), &results).expect("written");
        let part = folder.path().join(format!("{NAME}.part"));
        std::os::unix::fs::symlink("/dev/full", part).expect("linked");
        let error = write(folder.path(), &results).expect_err("full").to_string();
        assert!(error.contains("No space left on device"), "{error}");
        assert_eq!(read(folder.path()).expect("the one of before"), results);
    }
}
