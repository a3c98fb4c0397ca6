//! SQL has one door: statements are files of `crates/store` that other crates open by name, and columns are read by
//! name (docs/decisions/0032-sql-has-one-door.md).

use super::{collect, root};

/// Crates that talk to other databases, or that compare Carrel with plain SQL.
const ELSEWHERE: [&str; 3] = ["crates/lab/", "crates/bench/", "crates/testkit/"];
const STORE: &str = "crates/store/";
/// Reads the only column of a row.
const ONE_COLUMN: &str = "crates/store/src/db/rows.rs";
const STATEMENTS: [&str; 6] = ["SELECT ", "INSERT INTO ", "UPDATE ", "DELETE FROM ", "WITH ", "TRUNCATE "];
const READING: [&str; 4] = [".get", ".try_get", ".column", ".record"];

/// The code that talks to Carrel's database: file names and texts without unit tests.
fn code() -> Vec<(String, String)> {
    let mut sources = Vec::new();
    collect(&root().join("crates"), &mut sources);
    let named = sources.into_iter().map(|(path, text)| {
        let name = path.strip_prefix(root()).expect("below the root");
        let shipped = text.split("#[cfg(test)]\nmod tests {").next();
        let shipped = shipped.unwrap_or_default().to_owned();
        (name.to_string_lossy().into_owned(), shipped)
    });
    let is_code = |name: &str| name.ends_with(".rs") && !name.contains("/tests");
    let is_ours = |name: &str| !ELSEWHERE.iter().any(|begin| name.starts_with(begin));
    named.filter(|(name, _)| is_code(name) && is_ours(name)).collect()
}

fn begins_a_statement(line: &str) -> bool {
    let text = line.split_once('"').map(|(_, text)| text.trim_start());
    text.is_some_and(|text| STATEMENTS.iter().any(|begin| text.starts_with(begin)))
}

#[test]
fn only_the_store_has_statements() {
    let mut found = Vec::new();
    for (name, text) in code() {
        if name.starts_with(STORE) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            if begins_a_statement(line) || line.contains(".sql\"") {
                found.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "give each a file and a name in store::statements:\n{}", found.join("\n"));
}

/// The argument of a call, `(0)` or `::<_, i64>(0)`.
fn argument(call: &str) -> Option<&str> {
    let begun = match call.strip_prefix("::<") {
        Some(types) => types.split_once(">(")?.1,
        None => call.strip_prefix('(')?,
    };
    begun.split_once(')').map(|(argument, _)| argument.trim())
}

/// Whether a column is read by its number: `row.get(0)`, `row.try_get::<_, i64>(1)`.
fn reads_by_position(text: &str) -> bool {
    let mut calls = READING.iter().flat_map(|name| {
        let places = text.match_indices(name);
        places.map(|(place, _)| &text[place + name.len()..])
    });
    calls.any(|call| argument(call).is_some_and(|argument| argument.parse::<usize>().is_ok()))
}

#[test]
fn columns_are_read_by_name() {
    let by_position = code().into_iter().filter(|(name, text)| name != ONE_COLUMN && reads_by_position(text));
    let found: Vec<_> = by_position.map(|(name, _)| name).collect();
    assert!(found.is_empty(), "name the columns in SQL and read them by their names:\n{}", found.join("\n"));
}

#[test]
fn keys_are_made_by_functions() {
    let mut sources = Vec::new();
    for folder in ["queries", "sql/replaceable"] {
        collect(&root().join(STORE).join(folder), &mut sources);
    }
    let by_hand = sources.iter().filter(|(_, text)| text.contains(", 600)"));
    let found: Vec<_> = by_hand.map(|(path, _)| path).collect();
    assert!(found.is_empty(), "compare with carrel.folded_key, case_folded_key or exact_key: {found:?}");
}

/// A function's planner settings hold in all that it calls. Without sorts, a call below it once paired 3,000 loans by an
/// index of 200,000.
#[test]
fn planner_settings_end_with_one_statement() {
    let mut sources = Vec::new();
    collect(&root().join(STORE).join("sql/replaceable"), &mut sources);
    let functions = sources.iter().flat_map(|(_, text)| text.split("CREATE OR REPLACE FUNCTION "));
    let with_setting: Vec<_> = functions.filter(|one| one.contains("SET enable_")).collect();
    assert!(!with_setting.is_empty(), "no function has a planner setting; drop this test");
    for function in with_setting {
        let name = function.split('(').next().unwrap_or_default();
        // Of triggers, what comes after the function's end is not its own.
        let body = function.split("END $$;").next().unwrap_or_default();
        let calls = body.replace("PERFORM refuse_", "").contains("PERFORM ");
        let is_alone = body.contains("LANGUAGE sql") || body.contains("RETURNS trigger") && !calls;
        assert!(is_alone, "{name} sets the planner and calls other functions");
    }
}

/// The folder of rules that run over sets.
const SET_RULES: &str = "store/sql/replaceable/set_rules";

#[test]
fn each_set_rule_has_a_module_of_its_name() {
    let code = code();
    let rules = std::fs::read_dir(root().join("crates").join(SET_RULES)).expect("the set rules");
    let names = rules.map(|rule| rule.expect("an entry").file_name());
    let names: Vec<_> = names.map(|name| name.to_string_lossy().replace(".sql", "")).collect();
    assert!(names.len() > 5, "only {names:?}");
    for rule in names {
        let module = format!("/{rule}.rs");
        let path = format!("`{SET_RULES}/{rule}.sql`");
        let points = |text: &str| {
            let mut comments = text.lines().filter(|line| line.starts_with("//!"));
            comments.any(|line| line.contains(&path))
        };
        assert!(
            code.iter().any(|(name, text)| name.ends_with(&module) && points(text)),
            "no module {rule}.rs says in its doc comment that the rule is in {path}"
        );
    }
}
