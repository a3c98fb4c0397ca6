//! Missing, invalid and unused indexes.

use std::collections::HashSet;

use super::or_ok;
use crate::{
    doctor::{
        facts::{Index, Schema},
        finding::{Finding, Level, size},
    },
    schema::expected::{Expected, Kind},
};

const CHECK: &str = "indexes";
/// Smaller indexes cost little.
const BIG: u64 = 16 << 20;
/// Days without use after which an index counts as unused.
const LONG: i64 = 30;

/// `days` is how long use has been counted.
pub fn check(found: &[Index], schemas: &[Schema], expected: &Expected, known_for: i64) -> Vec<Finding> {
    let mut findings: Vec<_> = found.iter().filter(|index| !index.valid).map(invalid).collect();
    findings.extend(missing(found, schemas, expected));
    if known_for >= LONG {
        findings.extend(unused(found, expected));
    }
    or_ok(findings, || Finding::ok(CHECK, format!("All {} indexes exist and are valid", found.len())))
}

fn invalid(index: &Index) -> Finding {
    let Index { schema, table, name, .. } = index;
    let reason = if index.unique {
        "It enforces nothing and speeds up nothing, but slows down every change"
    } else {
        "It speeds up nothing, but slows down every change; it was left by an interrupted build"
    };
    Finding::new(CHECK, Level::Fail, format!("The index {name} of {table} cannot be used"))
        .because(reason)
        .sql(format!("REINDEX INDEX CONCURRENTLY {schema}.{name};"))
        .of_schema(schema)
}

fn missing<'a>(found: &[Index], schemas: &'a [Schema], expected: &'a Expected) -> impl Iterator<Item = Finding> + 'a {
    let there: HashSet<(String, String)> =
        found.iter().map(|index| (index.schema.clone(), index.name.clone())).collect();
    // The indexes of other versions are unknown.
    let judged = schemas.iter().filter(|schema| is_of_this_version(schema, expected));
    judged.flat_map(move |schema| {
        let name = schema.name();
        let gone: Vec<_> = expected
            .objects
            .iter()
            .filter(|object| object.kind == Kind::Index)
            .filter(|object| !there.contains(&(name.clone(), object.name.clone())))
            .map(|object| {
                Finding::new(CHECK, Level::Fail, format!("The index {} of {} is missing", object.name, object.table))
                    .because("Lists, searches or the desk read the whole table instead, or duplicates are possible")
                    .sql(format!("SET search_path = {name}, carrel; {};", object.statement))
                    .of_schema(&name)
            })
            .collect();
        gone
    })
}

/// Whether the schema's migrations are those of this program.
pub(super) fn is_of_this_version(schema: &Schema, expected: &Expected) -> bool {
    let history = schema.history.as_deref().unwrap_or_default();
    expected.versions.iter().all(|version| history.contains(version))
}

/// Every index of Carrel's own serves some route; added ones may not.
fn unused(found: &[Index], expected: &Expected) -> impl Iterator<Item = Finding> {
    let ours: HashSet<&str> = expected.objects.iter().map(|object| object.name.as_str()).collect();
    let idle = found.iter().filter(move |index| {
        index.valid && !index.unique && index.scans == 0 && index.bytes >= BIG && !ours.contains(index.name.as_str())
    });
    let findings: Vec<_> = idle
        .map(|index| {
            let Index { schema, table, name, bytes, .. } = index;
            let text = format!("The index {name} of {table} ({}) has not been used for {LONG} days", size(*bytes));
            Finding::new(CHECK, Level::Warn, text)
                .because("It is not Carrel's, takes up space, and slows down every change of the table")
                .sql(format!("DROP INDEX CONCURRENTLY {schema}.{name};"))
                .of_schema(schema)
        })
        .collect();
    findings.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{doctor::checks::sample, schema::expected::Object};

    fn index(name: &str) -> Index {
        Index {
            schema: "t_a".to_owned(),
            table: "loan".to_owned(),
            name: name.to_owned(),
            valid: true,
            unique: false,
            scans: 0,
            bytes: BIG,
        }
    }

    fn expected() -> Expected {
        let object = Object {
            kind: Kind::Index,
            table: "loan".to_owned(),
            name: "ours".to_owned(),
            statement: "CREATE INDEX ours ON loan (x)".to_owned(),
        };
        Expected { versions: vec![(1, "a".to_owned())], objects: vec![object] }
    }

    fn schema(checksum: &str) -> Schema {
        Schema { tenant: "a".to_owned(), history: Some(vec![(1, checksum.to_owned())]) }
    }

    #[test]
    fn indexes_must_exist_and_be_valid() {
        let invalid = Index { valid: false, ..index("ours") };
        for (found, level, words) in [
            (vec![index("ours")], Level::Ok, "All 1 indexes"),
            (vec![invalid], Level::Fail, "REINDEX INDEX CONCURRENTLY t_a.ours;"),
            (vec![], Level::Fail, "SET search_path = t_a, carrel; CREATE INDEX ours ON loan (x);"),
        ] {
            let (worst, text) = sample::worst_and_text(&check(&found, &[schema("a")], &expected(), 0));
            assert_eq!(worst, level, "{text}");
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn schemas_of_other_versions_are_not_judged() {
        assert_eq!(sample::worst_and_text(&check(&[], &[schema("b")], &expected(), 0)).0, Level::Ok);
    }

    #[test]
    fn only_a_big_foreign_index_that_was_idle_for_long_is_unused() {
        let theirs = index("theirs");
        let cases = [
            (theirs.clone(), LONG, Level::Warn),
            (theirs.clone(), LONG - 1, Level::Ok),
            (index("ours"), LONG, Level::Ok),
            (Index { scans: 1, ..theirs.clone() }, LONG, Level::Ok),
            (Index { bytes: BIG - 1, ..theirs.clone() }, LONG, Level::Ok),
            (Index { unique: true, ..theirs }, LONG, Level::Ok),
        ];
        for (one, days, level) in cases {
            let found = [index("ours"), one];
            let (worst, text) = sample::worst_and_text(&check(&found, &[schema("a")], &expected(), days));
            assert_eq!(worst, level, "{text}");
        }
    }
}
