//! SQL has one door: statements are files of `crates/store`, which other crates open by their names
//! (docs/decisions/0032-sql-has-one-door.md).

use std::path::Path;

use super::collect;

/// Crates that talk to databases that are not Carrel's, or that compare Carrel with plain SQL.
const OUTSIDE: [&str; 4] = [
    "crates/store/",
    "crates/lab/",
    "crates/bench/",
    "crates/testkit/",
];
const STATEMENTS: [&str; 6] = [
    "SELECT ",
    "INSERT INTO ",
    "UPDATE ",
    "DELETE FROM ",
    "WITH ",
    "TRUNCATE ",
];

fn begins_a_statement(line: &str) -> bool {
    let text = line.split_once('"').map(|(_, text)| text.trim_start());
    text.is_some_and(|text| STATEMENTS.iter().any(|begin| text.starts_with(begin)))
}

#[test]
fn statements_are_in_the_store_alone() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let (mut sources, mut found) = (Vec::new(), Vec::new());
    collect(&root.join("crates"), &mut sources);
    for (path, text) in sources {
        let name = path.strip_prefix(&root).expect("below the root");
        let name = name.to_string_lossy().into_owned();
        if !name.ends_with(".rs") {
            continue;
        }
        if OUTSIDE.iter().any(|begin| name.starts_with(begin)) || name.contains("/tests") {
            continue;
        }
        let shipped = text
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        for (number, line) in shipped.lines().enumerate() {
            if begins_a_statement(line) || line.contains(".sql\"") {
                found.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(
        found.is_empty(),
        "give each a file and a name in store::statements:\n{}",
        found.join("\n")
    );
}
