//! Names every statement: `queries/circulation/read_loan.sql` is `circulation::READ_LOAN`, and the call of a function
//! that writes, in a line `-- Statement: SELECT write_loan(…)` above it, is `writes::WRITE_LOAN`.

use std::{
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

const WRITES: &str = "sql/replaceable/writes";

fn main() {
    println!("cargo::rerun-if-changed=queries");
    println!("cargo::rerun-if-changed={WRITES}");
    let package = env::var("CARGO_MANIFEST_DIR").expect("cargo names the package");
    let out = env::var("OUT_DIR").expect("cargo names a folder");
    let mut names = String::new();
    list(Path::new(&package), "queries", &mut names);
    list_calls(&Path::new(&package).join(WRITES), &mut names);
    fs::write(Path::new(&out).join("statements.rs"), names).expect("the names are written");
}

/// The paths in a folder, in one order on every machine, so that builds are alike.
fn paths_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Adds a constant for each file of a folder, and a module for each folder in it.
fn list(package: &Path, folder: &str, names: &mut String) {
    for path in paths_in(&package.join(folder)) {
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

/// Adds a constant for the call of each function that says how it is called.
fn list_calls(folder: &Path, names: &mut String) {
    names.push_str("pub mod writes {\n");
    for path in paths_in(folder) {
        let text = fs::read_to_string(path).expect("a text");
        for call in text.lines().filter_map(|line| line.strip_prefix("-- Statement: ")) {
            let function = call.strip_prefix("SELECT ").and_then(|call| call.split_once('('));
            let (function, _) = function.expect("a statement calls a function");
            let constant = function.to_uppercase();
            let written = writeln!(names, "/// Calls `{function}`.\npub const {constant}: &str = {call:?};");
            written.expect("a text grows");
        }
    }
    names.push_str("}\n");
}
