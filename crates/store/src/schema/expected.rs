//! The expected state of a schema of this version: its migrations, and the indexes, constraints and triggers that its
//! statements create. They are read from the statements themselves, so they cannot get out of date.

use super::{SchemaError, checksum, declared, numbered, replaceable};
use crate::collection::Collection;

/// The expected content of a tenant's schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// Version and checksum of each migration; -1 is the declared SQL, -2 the replaceable SQL.
    pub versions: Vec<(i32, String)>,
    pub objects: Vec<Object>,
}

impl Expected {
    /// The newest numbered migration.
    pub fn newest(&self) -> i32 {
        let numbers = self.versions.iter().map(|(number, _)| *number);
        numbers.max().unwrap_or_default().max(0)
    }
}

/// What a statement creates, other than tables and functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Index,
    Constraint,
    Trigger,
}

/// An index, a constraint or a trigger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    pub kind: Kind,
    pub table: String,
    pub name: String,
    /// The statement that creates it, on one line.
    pub statement: String,
}

/// The expected content of a tenant's schema with these collections.
///
/// # Errors
/// [`SchemaError`] if a file is missing from this program.
pub fn expected(collections: &[Collection]) -> Result<Expected, SchemaError> {
    let (numbered, declared, replaceable) = (numbered()?, declared::ddl(collections), replaceable(collections)?);
    let mut objects = Vec::new();
    let texts = numbered.iter().map(|migration| &migration.sql);
    for text in texts.chain([&declared, &replaceable]) {
        objects.extend(created_by(text));
    }
    let mut versions: Vec<_> = numbered.iter().map(|migration| (migration.version, checksum(&migration.sql))).collect();
    versions.extend([(-1, checksum(&declared)), (-2, checksum(&replaceable))]);
    Ok(Expected { versions, objects })
}

/// The objects that the statements of a text create.
fn created_by(sql: &str) -> Vec<Object> {
    let lines = sql.lines().map(|line| line.split("--").next().unwrap_or(line));
    let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
    let plain = words.join(" ");
    plain.split(';').flat_map(of_statement).collect()
}

fn of_statement(statement: &str) -> Vec<Object> {
    for (start, kind) in [
        ("CREATE INDEX ", Kind::Index),
        ("CREATE UNIQUE INDEX ", Kind::Index),
        ("CREATE OR REPLACE TRIGGER ", Kind::Trigger),
        ("CREATE TRIGGER ", Kind::Trigger),
    ] {
        if let Some(at) = statement.find(start) {
            let rest = statement[at + start.len()..].trim_start_matches("IF NOT EXISTS ");
            return object(kind, rest, &statement[at..]).into_iter().collect();
        }
    }
    constraints(statement)
}

/// `name … ON table …`
fn object(kind: Kind, rest: &str, statement: &str) -> Option<Object> {
    let name = identifier(rest)?;
    let (_, table) = rest.split_once(" ON ")?;
    Some(Object { kind, table: identifier(table)?, name, statement: statement.trim().to_owned() })
}

/// `ALTER TABLE table ADD CONSTRAINT name …, ADD CONSTRAINT name …`
fn constraints(statement: &str) -> Vec<Object> {
    const ADD: &str = "ADD CONSTRAINT ";
    let Some((_, altered)) = statement.split_once("ALTER TABLE ") else {
        return Vec::new();
    };
    let Some(table) = identifier(altered) else {
        return Vec::new();
    };
    let added = altered.split(ADD).skip(1);
    added
        .filter_map(|added| {
            Some(Object {
                kind: Kind::Constraint,
                table: table.clone(),
                name: identifier(added)?,
                statement: format!("ALTER TABLE {table} {ADD}{}", added.trim().trim_end_matches(',')),
            })
        })
        .collect()
}

fn identifier(text: &str) -> Option<String> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    (end > 0).then(|| text[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn created(sql: &str) -> Vec<(Kind, String, String)> {
        let objects = created_by(sql).into_iter();
        objects.map(|o| (o.kind, o.table, o.name)).collect()
    }

    #[test]
    fn created_objects_are_read_from_the_statements() {
        let of = |kind, table: &str, name: &str| (kind, table.to_owned(), name.to_owned());
        let cases = [
            ("CREATE INDEX a ON b (c);", vec![of(Kind::Index, "b", "a")]),
            ("CREATE UNIQUE INDEX IF NOT EXISTS a\n  ON b USING gin (c);", vec![of(Kind::Index, "b", "a")]),
            (
                "CREATE OR REPLACE TRIGGER t AFTER INSERT OR UPDATE ON b\n FOR EACH ROW EXECUTE FUNCTION f();",
                vec![of(Kind::Trigger, "b", "t")],
            ),
            (
                "DO $$ BEGIN IF x THEN ALTER TABLE b ADD CONSTRAINT one FOREIGN KEY (c) REFERENCES d (id),\n \
                 ADD CONSTRAINT two CHECK (e); END IF; END $$;",
                vec![of(Kind::Constraint, "b", "one"), of(Kind::Constraint, "b", "two")],
            ),
            ("-- CREATE INDEX a ON b (c);\nSELECT 1;", vec![]),
            ("ALTER TABLE b ADD COLUMN IF NOT EXISTS c int;", vec![]),
            ("", vec![]),
        ];
        for (sql, objects) in cases {
            assert_eq!(created(sql), objects, "{sql}");
        }
    }

    #[test]
    fn a_statement_can_be_run_alone() {
        let sql = "DO $$ BEGIN ALTER TABLE b ADD CONSTRAINT one CHECK (c), ADD CONSTRAINT two CHECK (d); END $$;";
        let statements: Vec<_> = created_by(sql).into_iter().map(|o| o.statement).collect();
        assert_eq!(
            statements,
            ["ALTER TABLE b ADD CONSTRAINT one CHECK (c)", "ALTER TABLE b ADD CONSTRAINT two CHECK (d)"]
        );
    }
}
