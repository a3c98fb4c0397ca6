//! A module is public when another crate uses it; what only its own crate uses is private, so that the compiler finds code
//! that nothing uses.

use std::{collections::BTreeMap, fs};

use super::{circles::names_in, collect, root};

/// The public modules of each library, by its crate.
fn public_modules() -> BTreeMap<String, Vec<String>> {
    let crates = fs::read_dir(root().join("crates")).expect("the crates");
    let libraries = crates.filter_map(|entry| {
        let entry = entry.expect("an entry");
        let text = fs::read_to_string(entry.path().join("src/lib.rs")).ok()?;
        let modules = text.lines().filter_map(|line| {
            let name = line.strip_prefix("pub mod ")?.strip_suffix(';')?;
            Some(name.to_owned())
        });
        Some((entry.file_name().to_string_lossy().into_owned(), modules.collect()))
    });
    libraries.collect()
}

#[test]
fn public_modules_are_used_by_other_crates() {
    let mut sources = Vec::new();
    for folder in ["crates", "fuzz", "tests"] {
        collect(&root().join(folder), &mut sources);
    }
    sources.retain(|(path, _)| path.extension().is_some_and(|kind| kind == "rs"));
    let mut unused = Vec::new();
    for (name, modules) in public_modules() {
        let own = root().join("crates").join(&name).join("src");
        let others = sources.iter().filter(|(path, _)| !path.starts_with(&own));
        let prefix = format!("{name}::");
        let used: Vec<&str> = others.flat_map(|(_, text)| names_in(text, &prefix)).collect();
        let unused_here = modules.iter().filter(|module| !used.contains(&module.as_str()));
        unused.extend(unused_here.map(|module| format!("{prefix}{module}")));
    }
    assert!(unused.is_empty(), "make them private: {unused:?}");
}
