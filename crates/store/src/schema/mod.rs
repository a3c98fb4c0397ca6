//! Updates a schema to the version of this program: numbered migrations, then the collections' tables, then the
//! replaceable parts (functions, triggers, special indexes), all in one transaction under a lock. The log says which step of
//! which library it is at, if the library is large enough to wait for.
//!
//! Numbered files (`sql/tenant/NNNN_name.sql`) run once and never change; their checksums are stored. The SQL of
//! declared tables and the files of `sql/replaceable` are idempotent and run again whenever their text changes.

pub mod declared;
pub mod expected;
mod progress;

use std::collections::HashMap;

use rust_embed::RustEmbed;
use sha2::{Digest, Sha256};

use crate::{
    collection::Collection,
    db::{Database, Transaction},
    error::StoreError,
    query::plain,
    statements::doctor::DERIVE_AGAIN,
};
use progress::Progress;

#[derive(RustEmbed)]
#[folder = "sql/tenant"]
struct Migrations;

#[derive(RustEmbed)]
#[folder = "sql/replaceable"]
struct Replaceable;

/// The folders of replaceable SQL, in the order of execution.
const FOLDERS: [&str; 5] = ["tables", "reads", "writes", "set_rules", "events"];

const FORGET_FUNCTIONS: &str = include_str!("../../sql/forget_functions.sql");

#[derive(RustEmbed)]
#[folder = "sql/system"]
struct System;

/// Why a schema could not be updated.
#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    /// The data was written by a newer Carrel.
    #[error(
        "the data of {schema} is at schema version {found}, but this Carrel knows only {known}: \
         start the newer Carrel that wrote it, or restore a backup"
    )]
    Newer {
        schema: String,
        found: i32,
        /// Newest version this program knows.
        known: i32,
    },
    /// The text of an applied migration differs.
    #[error(
        "migration {version} of {schema} was applied with another text than this Carrel has: \
         the program or the data is damaged; reinstall Carrel or restore a backup"
    )]
    Changed { schema: String, version: i32 },
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Creates the shared schema `carrel`.
///
/// # Errors
/// [`SchemaError`] if the database refuses, for example because the role may not create extensions.
pub async fn prepare_system(database: &Database) -> Result<(), SchemaError> {
    let transaction = database.session("public")?.begin_long().await?;
    lock(&transaction, "system").await?;
    for file in ["schema.sql", "functions.sql"] {
        transaction.batch(&text(System::get(file).map(|file| file.data), file)?).await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// Creates `schema` if it is missing, and updates it.
pub async fn migrate(database: &Database, schema: &str, collections: &[Collection]) -> Result<(), SchemaError> {
    let transaction = database.session(schema)?.begin_long().await?;
    migrate_in(&transaction, schema, collections).await?;
    transaction.commit().await?;
    Ok(())
}

/// The same within a transaction of a session on that schema.
pub(crate) async fn migrate_in(
    transaction: &Transaction,
    schema: &str,
    collections: &[Collection],
) -> Result<(), SchemaError> {
    lock(transaction, schema).await?;
    transaction
        .batch(&format!(
            "CREATE SCHEMA IF NOT EXISTS {schema};
             CREATE TABLE IF NOT EXISTS {schema}.schema_history (
               version int PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
               applied timestamptz NOT NULL DEFAULT now());"
        ))
        .await?;
    let mut progress = Progress::of(transaction, schema).await?;
    run_numbered(transaction, schema, &mut progress).await?;
    let steps = declared::steps(collections);
    let declared: String = steps.iter().map(|step| step.sql.as_str()).collect();
    if has_changed(transaction, -1, &declared).await? {
        let mut waiting = String::new();
        for step in &steps {
            if progress.is_slow(step) {
                transaction.batch(&std::mem::take(&mut waiting)).await?;
                progress.table(step.table, step.makes);
            }
            waiting.push_str(&step.sql);
        }
        transaction.batch(&waiting).await?;
        record(transaction, -1, "declared collections", &declared).await?;
    }
    let replaceable = replaceable(collections)?;
    if has_changed(transaction, -2, &replaceable).await? {
        progress.step("functions, triggers, further indexes and keys");
        let before = derivations(transaction).await?;
        transaction.batch(FORGET_FUNCTIONS).await?;
        apply(transaction, -2, "replaceable", &replaceable).await?;
        let after = derivations(transaction).await?;
        let has_changed = |table: &str| before.get(table).is_some_and(|text| after.get(table) != Some(text));
        derive_again(transaction, collections, has_changed, &mut progress).await?;
    }
    progress.end(transaction).await?;
    Ok(())
}

async fn run_numbered(transaction: &Transaction, schema: &str, progress: &mut Progress) -> Result<(), SchemaError> {
    let rows = transaction.query("SELECT version, checksum FROM schema_history WHERE version > 0", &[]).await?;
    let applied: HashMap<i32, String> = rows.iter().map(|row| (row.get("version"), row.get("checksum"))).collect();
    let known = numbered()?;
    let newest = known.last().map_or(0, |migration| migration.version);
    if let Some(&found) = applied.keys().max()
        && found > newest
    {
        return Err(SchemaError::Newer { schema: schema.into(), found, known: newest });
    }
    for migration in known {
        match applied.get(&migration.version) {
            None => {
                progress.step(&format!("migration {} {}", migration.version, migration.name));
                apply(transaction, migration.version, &migration.name, &migration.sql).await?;
            }
            Some(before) if *before != checksum(&migration.sql) => {
                return Err(SchemaError::Changed { schema: schema.into(), version: migration.version });
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// The text of the function that derives the plain columns of each table that has them.
async fn derivations(transaction: &Transaction) -> Result<HashMap<String, String>, StoreError> {
    let sql = "SELECT left(proname, -length('_columns')) AS table, prosrc AS text FROM pg_proc
               WHERE pronamespace = current_schema()::regnamespace AND proname LIKE '%\\_columns'";
    let found = transaction.query(sql, &[]).await?;
    Ok(found.iter().map(|row| (row.get("table"), row.get("text"))).collect())
}

/// Derives the plain columns of records again that were written with another derivation.
async fn derive_again(
    transaction: &Transaction,
    collections: &[Collection],
    has_changed: impl Fn(&str) -> bool,
    progress: &mut Progress,
) -> Result<(), StoreError> {
    for collection in plain::having(collections).filter(|one| has_changed(one.table)) {
        progress.table(collection.table, "columns that are derived in another way");
        transaction.execute(&plain::filled(DERIVE_AGAIN, collection), &[]).await?;
    }
    Ok(())
}

async fn has_changed(transaction: &Transaction, version: i32, sql: &str) -> Result<bool, StoreError> {
    let rows = transaction.query("SELECT checksum FROM schema_history WHERE version = $1", &[&version]).await?;
    Ok(rows.first().map(|row| row.get::<_, String>("checksum")) != Some(checksum(sql)))
}

async fn apply(transaction: &Transaction, version: i32, name: &str, sql: &str) -> Result<(), StoreError> {
    transaction.batch(sql).await?;
    record(transaction, version, name, sql).await
}

/// Notes that a text was applied.
async fn record(transaction: &Transaction, version: i32, name: &str, sql: &str) -> Result<(), StoreError> {
    transaction
        .execute(
            "INSERT INTO schema_history (version, name, checksum) VALUES ($1, $2, $3)
             ON CONFLICT (version) DO UPDATE SET checksum = excluded.checksum, applied = now()",
            &[&version, &name, &checksum(sql)],
        )
        .await?;
    Ok(())
}

/// Two Carrels that start at the same time migrate one after the other.
async fn lock(transaction: &Transaction, what: &str) -> Result<(), StoreError> {
    transaction.query("SELECT pg_advisory_xact_lock(hashtextextended('carrel migration ' || $1, 0))", &[&what]).await?;
    Ok(())
}

struct Migration {
    version: i32,
    name: String,
    sql: String,
}

fn numbered() -> Result<Vec<Migration>, StoreError> {
    let mut found = Vec::new();
    for file in Migrations::iter() {
        let (number, rest) = file.split_once('_').unwrap_or((&file, ""));
        let version = number.parse().map_err(|_| StoreError::Other(format!("migration {file} has no number")))?;
        let sql = text(Migrations::get(&file).map(|file| file.data), &file)?;
        found.push(Migration { version, name: rest.trim_end_matches(".sql").to_owned(), sql });
    }
    found.sort_by_key(|migration| migration.version);
    Ok(found)
}

/// What reads and writes the declared tables, then the files.
fn replaceable(collections: &[Collection]) -> Result<String, StoreError> {
    let place = |file: &str| FOLDERS.iter().position(|folder| file.starts_with(folder));
    let mut files: Vec<_> = Replaceable::iter().filter(|file| file.ends_with(".sql")).collect();
    files.sort_by_key(|file| (place(file), file.clone()));
    let texts = files.iter().map(|file| text(Replaceable::get(file).map(|file| file.data), file));
    std::iter::once(Ok(declared::replaceable(collections))).chain(texts).collect()
}

fn text(data: Option<std::borrow::Cow<'static, [u8]>>, file: &str) -> Result<String, StoreError> {
    let data = data.ok_or_else(|| StoreError::Other(format!("{file} is not in this program")))?;
    String::from_utf8(data.into_owned()).map_err(|_| StoreError::Other(format!("{file} is not UTF-8")))
}

fn checksum(text: &str) -> String {
    Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect()
}
