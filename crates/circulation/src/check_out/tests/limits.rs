//! Limits on the number of items.

use super::*;

#[test]
fn a_limit_of_items_counts_what_the_rule_tests() {
    for (material_type, both, refused) in [(1, 9, false), (2, 0, true), (3, 0, true)] {
        let mut context = context();
        change_item(&mut context, json!({"materialTypeId": DVD}));
        let found = context.patron.as_mut().expect("a patron");
        found.same_kind = SameKind { any: 9, material_type, loan_type: 9, both };
        let command = command(json!({}), &[]);
        let decided = decide(&context, &configuration(), &command, now());
        assert_eq!(decided.is_err(), refused, "{material_type}");
        if refused {
            let told = refusals(&context, &command).remove(0);
            let tail = "combination of patron group and material type";
            let message = format!("Patron has reached maximum limit of 2 items for {tail}");
            assert_eq!(told.message, message);
            let code = told.code.as_deref();
            assert_eq!(code, Some("ITEM_LIMIT_PATRON_GROUP_MATERIAL_TYPE"));
            let expected = [("itemBarcode", Some("i-1")), ("itemLimit", Some("2"))];
            assert_eq!(parameters(&told), expected);
        }
    }
}

#[test]
fn every_kind_of_limit_has_its_own_words() {
    for ((g, m, t), code, tail) in [
        (
            (true, true, true),
            "PATRON_GROUP_MATERIAL_TYPE_LOAN_TYPE",
            "combination of patron group, material type and loan type",
        ),
        ((true, true, false), "PATRON_GROUP_MATERIAL_TYPE", "combination of patron group and material type"),
        ((true, false, true), "PATRON_GROUP_LOAN_TYPE", "combination of patron group and loan type"),
        ((false, true, true), "MATERIAL_TYPE_LOAN_TYPE", "combination of material type and loan type"),
        ((false, true, false), "MATERIAL_TYPE", "material type"),
        ((false, false, true), "LOAN_TYPE", "loan type"),
    ] {
        let conditions = AppliedRuleConditions { material_type: m, loan_type: t, patron_group: g };
        let wording = limit_wording(conditions).expect("a limit");
        assert_eq!(wording.code, Some(format!("ITEM_LIMIT_{code}").as_str()));
        assert_eq!(
            wording.with("itemLimit", 4_i64).message(),
            format!("Patron has reached maximum limit of 4 items for {tail}")
        );
    }
    let only_group = AppliedRuleConditions { patron_group: true, ..Default::default() };
    assert_eq!(limit_wording(only_group), None);
}

#[test]
fn items_of_a_kind_are_counted_only_when_a_limit_is_near() {
    for (material_type, open_loans, members, near) in [
        (Some(DVD), 1, json!({}), false),
        (Some(DVD), 2, json!({}), true),
        (Some(DVD), 500, json!({"forceLoanPolicyId": THREE_WEEKS}), false),
        (None, 500, json!({}), false),
    ] {
        let mut context = context();
        if let Some(material_type) = material_type {
            change_item(&mut context, json!({"materialTypeId": material_type}));
        }
        let found = context.patron.as_mut().expect("a patron");
        found.open_loans = open_loans;
        let command = command(members, &[]);
        assert_eq!(limit_is_near(&context, &configuration(), &command), near, "{material_type:?} {open_loans}");
    }
}
