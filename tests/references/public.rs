//! A module, function or constant is public when another crate uses it; what only its own crate uses is private, so
//! that the compiler finds code that nothing uses.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

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

/// Every source, with its text.
fn sources() -> Vec<(PathBuf, String)> {
    let mut sources = Vec::new();
    for folder in ["crates", "fuzz", "tests"] {
        collect(&root().join(folder), &mut sources);
    }
    sources.retain(|(path, _)| path.extension().is_some_and(|kind| kind == "rs"));
    sources
}

/// The folder of the crate's own sources that a file is in.
fn crate_of(path: &Path) -> Option<PathBuf> {
    path.ancestors().find(|folder| folder.ends_with("src")).map(Path::to_owned)
}

/// The function or constant that a line makes public.
fn made_public(line: &str) -> Option<&str> {
    let words: Vec<&str> = line.split_whitespace().take(5).collect();
    let (first, rest) = words.split_first()?;
    let kind = rest.iter().position(|word| ["fn", "const", "static"].contains(word))?;
    // `const` is also a property of functions.
    let kind = if rest.get(kind + 1) == Some(&"fn") { kind + 1 } else { kind };
    let name = rest.get(kind + 1).filter(|_| *first == "pub")?;
    name.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
}

#[test]
fn public_functions_are_used_by_other_crates() {
    let sources = sources();
    let mut users = BTreeMap::<&str, BTreeSet<Option<PathBuf>>>::new();
    for (path, text) in &sources {
        let user = crate_of(path);
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        for word in code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')) {
            users.entry(word).or_default().insert(user.clone());
        }
    }
    let mut unused = Vec::new();
    for (path, text) in &sources {
        let Some(own) = crate_of(path) else { continue };
        let is_program = own.join("main.rs").exists();
        for name in text.lines().filter_map(made_public).filter(|_| !is_program) {
            if users
                .get(name)
                .is_none_or(|users| users.iter().flatten().all(|user| *user == own) && !users.contains(&None))
            {
                unused.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(unused.is_empty(), "make them private:\n{}", unused.join("\n"));
}

#[test]
fn public_items_are_recognised() {
    for (line, name) in [
        ("pub fn a(b: C) {", Some("a")),
        ("    pub const fn a<T>() {", Some("a")),
        ("pub async fn a() {", Some("a")),
        ("pub const A: &str = \"\";", Some("A")),
        ("pub(crate) fn a() {", None),
        ("fn a(fn_pub: u8) {", None),
        ("pub struct A;", None),
    ] {
        assert_eq!(made_public(line), name, "{line}");
    }
}

#[test]
fn public_modules_are_used_by_other_crates() {
    let sources = sources();
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
