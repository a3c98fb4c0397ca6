//! Whether each tenant's schema has the version that this program needs.

use super::or_ok;
use crate::{
    doctor::{
        facts::Schema,
        finding::{Finding, Level},
    },
    schema::expected::Expected,
};

const CHECK: &str = "schema";

/// A database on which Carrel has never started.
pub fn empty() -> Finding {
    Finding::new(CHECK, Level::Warn, "Carrel has not started on this database yet")
        .because("There is nothing in it to examine")
        .command("carrel serve")
}

pub fn check(tenants: &[String], schemas: &[Schema], expected: &Expected) -> Vec<Finding> {
    let mut findings = Vec::new();
    for tenant in tenants {
        if !schemas.iter().any(|schema| schema.tenant == *tenant) {
            let name = crate::tenants::schema_name(tenant);
            findings.push(
                Finding::new(CHECK, Level::Fail, format!("The tenant {tenant} has no schema {name}"))
                    .because("Its records are not in this database")
                    .command("restore the backup of that schema, or carrel tenant delete it")
                    .of_schema(&name),
            );
        }
    }
    for schema in schemas {
        let name = schema.name();
        if tenants.contains(&schema.tenant) {
            findings.extend(versions(schema, expected).map(|finding| finding.of_schema(&name)));
        } else {
            findings.push(
                Finding::new(CHECK, Level::Warn, format!("The schema {name} belongs to no tenant"))
                    .because("It takes up space, and its records cannot be reached")
                    .sql(format!("DROP SCHEMA {name} CASCADE;    -- only if you do not need it")),
            );
        }
    }
    or_ok(findings, || {
        let (count, newest) = (tenants.len(), expected.newest());
        Finding::ok(CHECK, format!("The schemas of {count} tenants are at version {newest}, as this Carrel needs"))
    })
}

fn versions(schema: &Schema, expected: &Expected) -> Option<Finding> {
    let name = schema.name();
    let fail = |text: String| Finding::new(CHECK, Level::Fail, text);
    let Some(history) = &schema.history else {
        return Some(
            fail(format!("The version of {name} is unknown"))
                .because("Its table schema_history is missing: the schema was not made by Carrel, or is damaged")
                .command("restore a backup"),
        );
    };
    let (found, known) = (newest(history), expected.newest());
    if found > known {
        return Some(
            fail(format!("{name} is at version {found}, and this Carrel knows only {known}"))
                .because("A newer Carrel has changed it; this one does not start on it")
                .command("install the newer Carrel again, or restore a backup"),
        );
    }
    let applied = |number: i32| history.iter().find(|(version, _)| *version == number);
    for (number, sum) in &expected.versions {
        match applied(*number) {
            Some((_, before)) if before == sum => {}
            Some(_) if *number > 0 => {
                return Some(
                    fail(format!("Migration {number} of {name} was applied with another text"))
                        .because("The program or the data is damaged; Carrel does not start on it")
                        .command("install Carrel again, or restore a backup"),
                );
            }
            None if *number > 0 && *number < found => {
                return Some(
                    fail(format!("Migration {number} of {name} is missing, though {found} is there"))
                        .because("An upgrade was not finished, or the history was edited by hand")
                        .command("restore a backup from before the upgrade"),
                );
            }
            _ => {
                return Some(
                    Finding::new(CHECK, Level::Warn, format!("{name} is of another version of Carrel"))
                        .because(format!("It is at version {found}; this Carrel brings it up to date when it starts"))
                        .command("restart Carrel"),
                );
            }
        }
    }
    None
}

fn newest(history: &[(i32, String)]) -> i32 {
    let versions = history.iter().map(|(version, _)| *version);
    versions.max().unwrap_or_default().max(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    fn versions(versions: &[(i32, &str)]) -> Vec<(i32, String)> {
        versions.iter().map(|(number, sum)| (*number, (*sum).to_owned())).collect()
    }

    fn expected() -> Expected {
        let versions = versions(&[(1, "a"), (10, "b"), (20, "c"), (-1, "d"), (-2, "e")]);
        Expected { versions, objects: Vec::new() }
    }

    /// Applied migrations, expected level, expected words.
    type Case = (&'static [(i32, &'static str)], Level, &'static str);

    #[test]
    fn a_schema_must_be_of_this_version() {
        let good: &'static [_] = &[(-2, "e"), (-1, "d"), (1, "a"), (10, "b"), (20, "c")];
        let cases: [Case; 7] = [
            (good, Level::Ok, "at version 20"),
            (&[(-2, "e"), (-1, "d"), (1, "a"), (10, "b"), (20, "c"), (30, "x")], Level::Fail, "is at version 30"),
            (&[(-2, "e"), (-1, "d"), (1, "x"), (10, "b"), (20, "c")], Level::Fail, "Migration 1 of t_a was applied"),
            (&[(-2, "e"), (-1, "d"), (1, "a"), (20, "c")], Level::Fail, "Migration 10 of t_a is missing"),
            (&[(-2, "e"), (-1, "d"), (1, "a"), (10, "b")], Level::Warn, "another version"),
            (&[(-2, "e"), (-1, "x"), (1, "a"), (10, "b"), (20, "c")], Level::Warn, "another version"),
            (&[], Level::Warn, "another version"),
        ];
        for (history, level, words) in cases {
            let schema = Schema { tenant: "a".to_owned(), history: Some(versions(history)) };
            let (worst, text) = sample::worst_and_text(&check(&["a".to_owned()], &[schema], &expected()));
            assert_eq!(worst, level, "{history:?}: {text}");
            assert!(text.contains(words), "{text}");
        }
    }

    #[test]
    fn tenants_and_schemas_belong_together() {
        let schema = |tenant: &str| Schema { tenant: tenant.to_owned(), history: None };
        let (worst, text) = sample::worst_and_text(&check(&["a".to_owned()], &[], &expected()));
        assert_eq!(worst, Level::Fail);
        assert!(text.contains("The tenant a has no schema t_a"), "{text}");
        let (worst, text) = sample::worst_and_text(&check(&[], &[schema("b")], &expected()));
        assert_eq!(worst, Level::Warn);
        assert!(text.contains("The schema t_b belongs to no tenant"), "{text}");
        let (worst, text) = sample::worst_and_text(&check(&["b".to_owned()], &[schema("b")], &expected()));
        assert_eq!(worst, Level::Fail);
        assert!(text.contains("The version of t_b is unknown"), "{text}");
    }
}
