//! Plans each file of statements alone, without values, as PostgreSQL plans frequent statements.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use testkit::Planned;

use crate::{filled::Filled, judge::Judge};

/// The doctor's files without a plan of their own, and why.
const WITHOUT_PLAN: [(&str, &str); 3] = [
    ("statements.sql", "reads what PostgreSQL has counted, no table of Carrel"),
    ("plain_columns.sql", "the doctor compares all rows of a table, at most a million"),
    ("derive_again.sql", "the doctor's repair compares all rows of a table"),
];

/// Explains each file of `crates/store/queries`, and returns the files that could not be explained. A file with a part
/// of a statement must have occurred in one.
pub async fn explain_each(filled: &Filled, judge: &mut Judge) -> Vec<String> {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/store/queries"), &mut files);
    assert!(files.len() > 30, "only {} files", files.len());
    let mut unknown = Vec::new();
    for file in files {
        let sql = fs::read_to_string(&file).expect("a statement");
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if WITHOUT_PLAN.iter().any(|(file, _)| *file == name) {
            continue;
        }
        match plan(filled, &sql).await {
            Ok(plan) => judge.judge(&Planned { sql, plan }, &name),
            Err(_) if judge.has_seen(&pieces(&sql)) => {}
            Err(error) => unknown.push(format!("{name}: {error}")),
        }
    }
    unknown
}

/// The text between the placeholders.
fn pieces(sql: &str) -> Vec<&str> {
    sql.split(['{', '}']).step_by(2).map(str::trim).collect()
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("the statements").flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "sql") {
            files.push(path);
        }
    }
}

async fn plan(filled: &Filled, sql: &str) -> Result<Value, store::StoreError> {
    let transaction = filled.session().begin().await?;
    transaction.batch("SET LOCAL plan_cache_mode = force_generic_plan").await?;
    transaction.batch(&format!("PREPARE shipped AS {sql}")).await?;
    let types = "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = 'shipped'";
    let number: i32 = transaction.query(types, &[]).await?[0].get(0);
    let nulls = vec!["NULL"; usize::try_from(number).unwrap_or(0)].join(", ");
    let arguments = if nulls.is_empty() { nulls } else { format!("({nulls})") };
    let explain = format!("EXPLAIN (FORMAT JSON) EXECUTE shipped{arguments}");
    let rows = transaction.query(&explain, &[]).await?;
    let mut plans: Value = rows[0].get(0);
    transaction.batch("DEALLOCATE shipped").await?;
    Ok(plans[0]["Plan"].take())
}
