//! Missing or disabled constraints and triggers.

use std::collections::HashSet;

use super::{indexes::is_of_this_version, or_ok};
use crate::{
    doctor::{
        facts::{Rule, Schema},
        finding::{Finding, Level},
    },
    schema::expected::{Expected, Kind, Object},
};

const CHECK: &str = "constraints";

pub fn check(found: &[Rule], schemas: &[Schema], expected: &Expected) -> Vec<Finding> {
    let mut findings: Vec<_> = found.iter().filter(|rule| !rule.in_force).map(idle).collect();
    for schema in schemas.iter().filter(|schema| is_of_this_version(schema, expected)) {
        let name = schema.name();
        let there: HashSet<(bool, &str, &str)> = found
            .iter()
            .filter(|rule| rule.schema == name)
            .map(|rule| (rule.trigger, rule.table.as_str(), rule.name.as_str()))
            .collect();
        let needed = expected.objects.iter().filter(|object| object.kind != Kind::Index);
        let gone = needed.filter(|object| {
            !there.contains(&(object.kind == Kind::Trigger, object.table.as_str(), object.name.as_str()))
        });
        findings.extend(gone.map(|object| missing(object, &name)));
    }
    or_ok(findings, || Finding::ok(CHECK, format!("All {} constraints and triggers are in force", found.len())))
}

fn idle(rule: &Rule) -> Finding {
    let Rule { schema, table, name, .. } = rule;
    let finding = if rule.trigger {
        Finding::new(CHECK, Level::Fail, format!("The trigger {name} of {table} is disabled"))
            .because("What Carrel keeps up to date with each change (counters, history, references) goes wrong")
            .sql(format!("ALTER TABLE {schema}.{table} ENABLE TRIGGER {name};"))
    } else {
        Finding::new(CHECK, Level::Fail, format!("The constraint {name} of {table} was never checked for old records"))
            .because("There may be records that refer to others that do not exist")
            .sql(format!("ALTER TABLE {schema}.{table} VALIDATE CONSTRAINT {name};"))
    };
    finding.of_schema(schema)
}

fn missing(object: &Object, schema: &str) -> Finding {
    let Object { table, name, statement, .. } = object;
    let (what, reason) = match object.kind {
        Kind::Trigger => {
            ("trigger", "What Carrel keeps up to date with each change (counters, history, references) goes wrong")
        }
        _ => ("constraint", "Records can refer to others that do not exist"),
    };
    Finding::new(CHECK, Level::Fail, format!("The {what} {name} of {table} is missing"))
        .because(reason)
        .sql(format!("SET search_path = {schema}, carrel; {statement};"))
        .of_schema(schema)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    fn rule(name: &str, trigger: bool, in_force: bool) -> Rule {
        Rule { schema: "t_a".to_owned(), table: "loan".to_owned(), name: name.to_owned(), trigger, in_force }
    }

    fn expected() -> Expected {
        let object = |kind, name: &str| Object {
            kind,
            table: "loan".to_owned(),
            name: name.to_owned(),
            statement: format!("MAKE {name}"),
        };
        Expected {
            versions: vec![(1, "a".to_owned())],
            objects: vec![object(Kind::Constraint, "key"), object(Kind::Trigger, "count")],
        }
    }

    #[test]
    fn constraints_must_exist_and_be_enabled() {
        let schema = Schema { tenant: "a".to_owned(), history: Some(vec![(1, "a".to_owned())]) };
        let (key, count) = (rule("key", false, true), rule("count", true, true));
        for (found, level, words) in [
            (vec![key.clone(), count.clone()], Level::Ok, "All 2"),
            (vec![key.clone(), rule("count", true, false)], Level::Fail, "ALTER TABLE t_a.loan ENABLE TRIGGER count;"),
            (vec![rule("key", false, false), count.clone()], Level::Fail, "VALIDATE CONSTRAINT key;"),
            (vec![count], Level::Fail, "SET search_path = t_a, carrel; MAKE key;"),
            (vec![key], Level::Fail, "The trigger count of loan is missing"),
        ] {
            let (worst, text) = sample::worst_and_text(&check(&found, std::slice::from_ref(&schema), &expected()));
            assert_eq!(worst, level, "{text}");
            assert!(text.contains(words), "{text}");
        }
    }
}
