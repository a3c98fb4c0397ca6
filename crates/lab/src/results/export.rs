//! Writes the files of a run for other tools: `.hgrm`, CSV and JUnit.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{file::FileError, hgrm, junit, model::Results, tables, threshold::Verdict};

/// Writes the files beside `results.json`, and returns them.
///
/// # Errors
/// The disk is full, the folder is not writable, …
pub fn write(folder: &Path, results: &Results, verdicts: &[Verdict]) -> Result<Vec<PathBuf>, FileError> {
    let mut files = vec![
        put(folder, "figures.csv", &tables::figures(results))?,
        put(folder, "errors.csv", &tables::errors(results))?,
        put(folder, "timeline.csv", &tables::timeline(results))?,
    ];
    let junit = junit::text(results, verdicts)
        .map_err(|source| FileError::Io { path: folder.join("junit.xml"), source: io::Error::other(source) })?;
    files.push(put(folder, "junit.xml", junit.as_bytes())?);
    for stage in &results.stages {
        for figures in &stage.transactions {
            let name = format!("{} {}.hgrm", figures.name, stage.asked());
            let text = hgrm::text(&figures.corrected.histogram);
            files.push(put(folder, &plain(&name), text.as_bytes())?);
        }
    }
    Ok(files)
}

/// Writes one file into the folder, which it creates if necessary.
pub fn put(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, FileError> {
    let path = folder.join(name);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, content));
    match written {
        Ok(()) => Ok(path),
        Err(source) => Err(FileError::Io { path, source }),
    }
}

/// Replaces characters that are special to file systems, shells or URLs: `Check-in 20 users.hgrm` becomes
/// `check-in-20-users.hgrm`.
fn plain(name: &str) -> String {
    let character = |c: char| match c.to_ascii_lowercase() {
        c if c.is_alphanumeric() || matches!(c, '.' | '_') => c,
        _ => '-',
    };
    let plain: String = name.chars().map(character).collect();
    let words: Vec<&str> = plain.split('-').filter(|word| !word.is_empty()).collect();
    words.join("-").trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{super::sample, *};

    #[test]
    fn names_of_files_are_plain() {
        for (name, expected) in [
            ("Check-in 20 users.hgrm", "check-in-20-users.hgrm"),
            ("../../etc/passwd", "etc-passwd"),
            ("Items by 10 ids, new 0.5 a second.hgrm", "items-by-10-ids-new-0.5-a-second.hgrm"),
        ] {
            let expected = expected.to_owned();
            assert!(plain(name).ends_with(&expected), "{}", plain(name));
            assert!(!plain(name).contains('/'));
        }
    }

    #[test]
    fn every_file_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = write(&folder.path().join("new"), &sample::results(), &[]).expect("written");
        let name = |path: &PathBuf| path.file_name().expect("a name").to_string_lossy().into_owned();
        let names: Vec<String> = files.iter().map(name).collect();
        assert_eq!(
            names,
            ["figures.csv", "errors.csv", "timeline.csv", "junit.xml", "check-in-1-user.hgrm", "check-out-1-user.hgrm"]
        );
        assert!(files.iter().all(|file| file.metadata().is_ok_and(|file| file.len() > 0)));
    }
}
