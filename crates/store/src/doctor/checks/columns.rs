//! Whether what is kept beside the records of the desk agrees with them: plain columns, states of items, uncommon statuses.

use super::or_ok;
use crate::doctor::{
    facts::{Cure, Disagreement},
    finding::{Finding, Level},
};

const CHECK: &str = "columns";

pub fn check(tenant: &str, wrong: &[Disagreement]) -> Vec<Finding> {
    let findings = wrong.iter().map(|one| {
        let Disagreement { table, what, rows, example, cure } = one;
        let text = format!("{rows} rows of {table} {what}, such as {example}");
        let finding = Finding::new(CHECK, Level::Fail, text).because(
            "The desk finds records by what is kept beside them, so it overlooks these or takes them for others",
        );
        match cure {
            Cure::Derive => finding.command(format!("carrel doctor --repair-columns {tenant}")),
            Cure::Restore => finding.command("Restore a backup: what is missing is in no other place"),
        }
    });
    let findings = or_ok(findings.collect(), || {
        Finding::ok(CHECK, format!("The columns and item states of {tenant} agree with the records"))
    });
    findings.into_iter().map(|finding| Finding { tenant: Some(tenant.to_owned()), ..finding }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    #[test]
    fn each_disagreement_names_table_number_example_and_cure() {
        let wrong = |table: &str, cure| Disagreement {
            table: table.to_owned(),
            what: "have columns that do not follow from the record".to_owned(),
            rows: 2,
            example: "l1".to_owned(),
            cure,
        };
        let findings = check("a", &[wrong("loan", Cure::Derive), wrong("item", Cure::Restore)]);
        assert_eq!(findings[0].finding, "2 rows of loan have columns that do not follow from the record, such as l1");
        assert_eq!(findings[0].command.as_deref(), Some("carrel doctor --repair-columns a"));
        assert!(findings[1].command.as_deref().is_some_and(|command| command.starts_with("Restore a backup")));
        assert!(findings.iter().all(|one| one.level == Level::Fail && one.tenant.as_deref() == Some("a")));
        assert_eq!(sample::worst_and_text(&check("a", &[])).0, Level::Ok);
    }
}
