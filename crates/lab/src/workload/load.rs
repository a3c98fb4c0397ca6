//! Finds a workload, shipped or in a file.

use std::path::Path;

use super::{Workload, parse, place::WorkloadError, shipped};

/// Loads a shipped workload by name, or one from a file.
///
/// # Errors
/// Neither exists, the file is unreadable, or the workload has an error.
pub fn load(name_or_file: &str) -> Result<Workload, WorkloadError> {
    if let Some(text) = shipped::text(name_or_file) {
        return parse(name_or_file, text);
    }
    let error = |message: String| WorkloadError { file: name_or_file.to_owned(), place: None, message };
    let path = Path::new(name_or_file);
    if !path.exists() && path.extension().is_none() {
        let names: Vec<_> = shipped::SHIPPED.iter().map(|(name, _)| *name).collect();
        return Err(error(format!("neither a file nor one of the shipped workloads: {}", names.join(", "))));
    }
    let text = std::fs::read_to_string(path).map_err(|source| error(source.to_string()))?;
    parse(name_or_file, &text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_workload_is_sound_and_bears_its_name() {
        for (name, _) in shipped::SHIPPED {
            let workload = load(name).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(workload.name, name);
        }
    }

    #[test]
    fn an_unknown_name_is_reported() {
        let error = load("check-in").expect_err("none").to_string();
        assert!(error.contains("check-in-check-out, uuid-batch"), "{error}");
        let error = load("/nowhere/mine.toml").expect_err("none").to_string();
        assert!(error.contains("No such file"), "{error}");
    }
}
