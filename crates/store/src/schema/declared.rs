//! The tables, keys and indexes of the declared collections as idempotent SQL: existing objects stay, and additions of
//! a newer declaration are added.

use std::fmt::Write as _;

use crate::collection::{Collection, IndexKind, Unique};
use crate::query::{
    compact,
    expression::{self, literal},
    flag, plain,
};

/// PostgreSQL truncates longer names.
const LONGEST_NAME: usize = 63;

/// The SQL of all `collections`, in an executable order.
pub fn ddl(collections: &[Collection]) -> String {
    steps(collections).into_iter().map(|step| step.sql).collect()
}

/// A part of the SQL that is about one table.
pub(super) struct Step {
    pub(super) table: &'static str,
    /// What it makes, for people who wait.
    pub(super) makes: &'static str,
    pub(super) sql: String,
}

/// The SQL of [`ddl`] in steps.
pub(super) fn steps(collections: &[Collection]) -> Vec<Step> {
    let made = || collections.iter().filter(|collection| !collection.composed);
    let tables = made().map(|collection| {
        let mut sql = String::new();
        table(&mut sql, collection);
        Step { table: collection.table, makes: "columns", sql }
    });
    let keys = made().map(|collection| {
        let mut sql = String::new();
        indexes(&mut sql, collection);
        foreign_keys(&mut sql, collection);
        change_trigger(&mut sql, collection);
        Step { table: collection.table, makes: "indexes and keys", sql }
    });
    tables.chain(keys).collect()
}

/// A new table gets all its columns at once: each column added later rewrites the table. A plain column is added as a
/// generated one, so that PostgreSQL fills it, and stays when its expression is dropped. One of a compact table is added empty.
fn table(sql: &mut String, collection: &Collection) {
    let table = collection.table;
    let plain = plain::columns(collection);
    // Nothing fills the columns of a compact table that are new: they are derived again.
    let is_compact = collection.is_compact();
    let columns = match collection.plain {
        true if is_compact => plain.iter().map(|column| format!("{} {}", column.name, column.kind)).collect(),
        true => plain.iter().map(|column| generated(&column.name, column.kind, &column.value)).collect(),
        false => generated_references(collection),
    };
    let all: String = match collection.plain {
        true => plain.iter().map(|column| format!(", {} {}", column.name, column.kind)).collect(),
        false => columns.iter().map(|column| format!(", {column}")).collect(),
    };
    let doc = if is_compact { "" } else { ", doc jsonb NOT NULL" };
    let _ = writeln!(
        sql,
        "CREATE TABLE IF NOT EXISTS {table} (id uuid PRIMARY KEY, \
         seq bigint GENERATED ALWAYS AS IDENTITY{doc}{all});"
    );
    if !columns.is_empty() {
        let added: Vec<_> = columns.iter().map(|column| format!("ADD COLUMN IF NOT EXISTS {column}")).collect();
        let _ = writeln!(sql, "ALTER TABLE {table} {};", added.join(", "));
    }
    if !plain.is_empty() && !is_compact {
        let plain: Vec<_> =
            plain.iter().map(|column| format!("ALTER COLUMN {} DROP EXPRESSION IF EXISTS", column.name)).collect();
        let _ = writeln!(sql, "ALTER TABLE {table} {};", plain.join(", "));
    }
    if !collection.volatile.is_empty() {
        state_table(sql, table);
    }
}

fn generated(name: &str, kind: &str, value: &str) -> String {
    format!("{name} {kind} GENERATED ALWAYS AS ({value}) STORED")
}

fn generated_references(collection: &Collection) -> Vec<String> {
    let references = collection.references.iter();
    references
        .map(|reference| {
            let value = format!("{}::uuid", expression::text(collection, reference.field));
            generated(&reference.column(), "uuid", &value)
        })
        .collect()
}

/// The narrow table of the volatile members. It has no index but its key, and room on each page, so that a change
/// rewrites only a short row. `queue` counts the changes of what is decided together with the record.
fn state_table(sql: &mut String, table: &str) {
    let _ = writeln!(
        sql,
        "CREATE TABLE IF NOT EXISTS {table}_state (id uuid PRIMARY KEY, state jsonb NOT NULL, \
         queue bigint NOT NULL DEFAULT 0) WITH (fillfactor = 70);"
    );
    let (name, keyed) = (foreign_key_name(&format!("{table}_state"), "id"), format!("{table}_state"));
    add_constraint(sql, &keyed, &name, &format!("FOREIGN KEY (id) REFERENCES {table} (id) ON DELETE CASCADE"));
}

/// The functions and views that read and write the declared tables. They are replaced together with the other
/// replaceable SQL.
pub fn replaceable(collections: &[Collection]) -> String {
    let mut sql = String::new();
    for collection in collections {
        let table = collection.table;
        if !collection.volatile.is_empty() {
            let references: String =
                collection.references.iter().map(|reference| format!(", r.{}", reference.column())).collect();
            let _ = writeln!(
                sql,
                "DROP VIEW IF EXISTS {table}_record; CREATE VIEW {table}_record AS \
                 SELECT r.id, r.seq, r.doc{references}, s.state, s.queue FROM {table} r \
                 LEFT JOIN {table}_state s ON s.id = r.id;"
            );
        }
        let columns = plain::columns(collection);
        if !columns.is_empty() {
            let results: Vec<_> =
                columns.iter().map(|column| format!("{} {}", column.name, kind(column.kind))).collect();
            let (body, volatility) = match collection.is_compact() {
                true => (compact::derivation(&columns), "STABLE"),
                false => {
                    let values: Vec<_> = columns.iter().map(|column| column.value.as_str()).collect();
                    (format!("SELECT {}", values.join(", ")), "IMMUTABLE")
                }
            };
            let _ = writeln!(
                sql,
                "CREATE OR REPLACE FUNCTION {table}_columns(doc jsonb) RETURNS TABLE ({}) \
                 LANGUAGE sql {volatility} PARALLEL SAFE AS $columns$ {body} $columns$;",
                results.join(", ")
            );
        }
        if collection.is_compact() {
            sql.push_str(&compact::composition(collection, &columns));
        }
    }
    sql
}

/// The type without its collation, which a function's result cannot have.
fn kind(column: &str) -> &str {
    column.split_once(' ').map_or(column, |(kind, _)| kind)
}

fn indexes(sql: &mut String, collection: &Collection) {
    let table = collection.table;
    if !collection.unsequenced {
        create_index(sql, table, "", &index_name(table, &["seq"], "idx"), "(seq)");
    }
    for reference in collection.references.iter().filter(|reference| !reference.covered) {
        let column = reference.column();
        let name = index_name(table, &[&column], "ref");
        let kept =
            if collection.plain { format!("({column}) WHERE {column} IS NOT NULL") } else { format!("({column})") };
        create_index(sql, table, "", &name, &kept);
    }
    for index in &collection.indexes {
        let on = expression::indexed(collection, index.field, &index.kind);
        let (suffix, method) = match index.kind {
            IndexKind::Folded => ("fold", ""),
            IndexKind::CaseFolded => ("lower", ""),
            IndexKind::Exact => ("exact", ""),
            IndexKind::Words => ("words", "USING gin "),
            IndexKind::Elements => ("elements", "USING gin "),
        };
        let operators = if index.kind == IndexKind::Elements { " jsonb_path_ops" } else { "" };
        let name = index_name(table, &[index.field], suffix);
        create_index(sql, table, "", &name, &format!("{method}({on}{operators})"));
    }
    for field in &collection.flags {
        let name = index_name(table, &[field], "true");
        create_index(sql, table, "", &name, &format!("(seq) WHERE {}", flag::holds(collection, field)));
        // Where it is true of many after all, the planner must know.
        let (name, value) = (index_name(table, &[field], "values"), expression::text(collection, field));
        let _ = writeln!(sql, "CREATE STATISTICS IF NOT EXISTS {name} ON {value} FROM {table};");
    }
    for unique in &collection.uniques {
        let on: Vec<_> =
            unique.fields.iter().map(|field| expression::indexed(collection, field, &unique.kind)).collect();
        let name = unique_name(collection, unique);
        create_index(sql, table, "UNIQUE ", &name, &format!("({})", on.join(", ")));
    }
}

fn create_index(sql: &mut String, table: &str, unique: &str, name: &str, on: &str) {
    let _ = writeln!(sql, "CREATE {unique}INDEX IF NOT EXISTS {name} ON {table} {on};");
}

/// Name of the index that enforces a unique; database errors are traced back to the declaration by it.
pub fn unique_name(collection: &Collection, unique: &Unique) -> String {
    index_name(collection.table, unique.fields, "key")
}

/// Name of the foreign key of a reference column.
pub fn foreign_key_name(table: &str, column: &str) -> String {
    index_name(table, &[column], "fkey")
}

fn index_name(table: &str, fields: &[&str], suffix: &str) -> String {
    let name = format!("{table}_{}_{suffix}", fields.join("_").replace('.', "_").to_lowercase());
    let name = name.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    if name.len() <= LONGEST_NAME { name } else { shortened(&name, suffix) }
}

fn shortened(name: &str, suffix: &str) -> String {
    let sum = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{}_{:08x}_{suffix}", &name[..LONGEST_NAME - suffix.len() - 10], sum as u32)
}

fn foreign_keys(sql: &mut String, collection: &Collection) {
    for reference in &collection.references {
        let Some(target) = reference.table else {
            continue;
        };
        let (table, column) = (collection.table, reference.column());
        let name = foreign_key_name(table, &column);
        add_constraint(sql, table, &name, &format!("FOREIGN KEY ({column}) REFERENCES {target} (id)"));
    }
}

fn add_constraint(sql: &mut String, table: &str, name: &str, constraint: &str) {
    let _ = writeln!(
        sql,
        "DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_constraint WHERE conname = {} AND conrelid = {}::regclass) \
         THEN ALTER TABLE {table} ADD CONSTRAINT {name} {constraint}; END IF; END $$;",
        literal(name),
        literal(table)
    );
}

fn change_trigger(sql: &mut String, collection: &Collection) {
    let (name, function) = match (collection.configuration, collection.near_static) {
        (true, _) => ("is_configuration", "raise_configuration_version"),
        (false, true) => ("is_near_static", "renew_snapshot_stamp"),
        (false, false) => return,
    };
    let table = collection.table;
    let _ = writeln!(
        sql,
        "CREATE OR REPLACE TRIGGER {table}_{name} AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON {table} \
         FOR EACH STATEMENT EXECUTE FUNCTION {function}();"
    );
}
