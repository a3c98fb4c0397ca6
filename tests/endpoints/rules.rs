//! Finds tests of rules in the sources: those that contain the text of a refusal.

use std::{fs, path::Path};

/// A test of a rule.
pub struct RuleTest {
    name: String,
    source: String,
}

/// The tests of all crates.
pub fn read(crates: &Path) -> Vec<RuleTest> {
    let mut tests = Vec::new();
    let mut folders = vec![crates.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let within = path.strip_prefix(crates).expect("a crate").to_owned();
                tests.extend(in_file(&within, &fs::read_to_string(&path).expect("a source")));
            }
        }
    }
    tests.sort_by(|one, other| one.name.cmp(&other.name));
    tests
}

fn in_file(path: &Path, source: &str) -> Vec<RuleTest> {
    let module = path.with_extension("").display().to_string();
    let module = module.replace("/src/", "/").replace('/', "::");
    let mut parts = source.split("#[test]");
    parts.next();
    let test = |part: &str| {
        let name = part.split("fn ").nth(1)?.split('(').next()?;
        Some(RuleTest { name: format!("{module}::{name}"), source: part.to_owned() })
    };
    parts.filter_map(test).collect()
}

/// The first test that contains this message, in which `%` stands for anything.
pub fn covering(tests: &[RuleTest], message: &str) -> Option<String> {
    let longest = message.split('%').max_by_key(|part| part.len())?;
    let said = longest.trim().replace('"', "\\\"");
    let found = tests.iter().find(|test| test.source.contains(&said))?;
    (said.len() >= 8).then(|| found.name.clone())
}
