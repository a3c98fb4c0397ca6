//! Whether the counters behind patron blocks agree with the loans and accounts.

use super::or_ok;
use crate::doctor::{
    facts::Miscount,
    finding::{Finding, Level},
};

const CHECK: &str = "counters";

pub fn check(tenant: &str, wrong: &[Miscount]) -> Vec<Finding> {
    let of_tenant = |mut finding: Finding| {
        finding.tenant = Some(tenant.to_owned());
        finding
    };
    let findings = wrong.iter().map(|miscount| {
        let text = format!("The counters of patron {} are wrong: {}", miscount.patron, differences(miscount));
        Finding::new(CHECK, Level::Fail, text)
            .because("The desk blocks this patron, or lets them borrow, because of wrong numbers")
            .command(format!("carrel doctor --repair-counters {tenant}"))
    });
    let findings = or_ok(findings.collect(), || {
        Finding::ok(CHECK, format!("The loan and debt counters of all patrons of {tenant} are right"))
    });
    findings.into_iter().map(of_tenant).collect()
}

fn differences(miscount: &Miscount) -> String {
    let numbers = [
        ("open loans", miscount.open_loans),
        ("items claimed returned", miscount.claimed_returned),
        ("lost items", miscount.lost_items),
    ];
    let wrong = numbers.into_iter().filter(|(_, (kept, counted))| kept != counted);
    let mut texts: Vec<_> =
        wrong.map(|(what, (kept, counted))| format!("{kept} {what} instead of {counted}")).collect();
    let (kept, counted) = &miscount.fee_balance;
    if kept != counted {
        texts.push(format!("a debt of {kept} instead of {counted}"));
    }
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::checks::sample;

    #[test]
    fn each_patron_and_each_difference_is_reported() {
        let patron = |patron: &str, kept, counted, owes: &str| Miscount {
            patron: patron.to_owned(),
            open_loans: (kept, counted),
            claimed_returned: (0, 0),
            lost_items: (1, 1),
            fee_balance: (owes.to_owned(), "0".to_owned()),
        };
        let wrong = [patron("p1", 3, 2, "0"), patron("p2", 1, 2, "4.5")];
        let findings = check("a", &wrong);
        let texts: Vec<_> = findings.iter().map(|finding| finding.finding.as_str()).collect();
        assert_eq!(
            texts,
            [
                "The counters of patron p1 are wrong: 3 open loans instead of 2",
                "The counters of patron p2 are wrong: 1 open loans instead of 2, a debt of 4.5 instead of 0",
            ]
        );
        assert!(findings.iter().all(|finding| finding.level == Level::Fail));
        assert!(findings.iter().all(|finding| finding.tenant.as_deref() == Some("a")));
        assert_eq!(sample::worst_and_text(&check("a", &[])).0, Level::Ok);
    }
}
