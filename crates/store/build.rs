//! Names every statement below `queries/`: `queries/circulation/read_loan.sql` is `circulation::READ_LOAN`.

use std::{env, fmt::Write, fs, path::Path};

fn main() {
    println!("cargo::rerun-if-changed=queries");
    let package = env::var("CARGO_MANIFEST_DIR").expect("cargo names the package");
    let out = env::var("OUT_DIR").expect("cargo names a folder");
    let mut names = String::new();
    list(Path::new(&package), "queries", &mut names);
    fs::write(Path::new(&out).join("statements.rs"), names).expect("the names are written");
}

/// Adds a constant for each file of a folder, and a module for each folder in it.
fn list(package: &Path, folder: &str, names: &mut String) {
    let entries = fs::read_dir(package.join(folder)).expect("a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let inner = format!("{folder}/{name}");
        let written = if path.is_dir() {
            writeln!(names, "pub mod {name} {{").and_then(|()| {
                list(package, &inner, names);
                writeln!(names, "}}")
            })
        } else {
            let constant = name.to_uppercase();
            let text = format!("include_str!({path:?})");
            writeln!(names, "/// `{inner}.sql`.\npub const {constant}: &str = {text};")
        };
        written.expect("a text grows");
    }
}
