//! Blocks and their overrides.

use super::*;

#[test]
fn manual_blocks_hold_until_they_expire() {
    for (expires, borrowing, refused) in
        [(None, true, true), (Some("2026-06-02"), true, true), (Some("2026-05-31"), true, false), (None, false, false)]
    {
        let mut context = context();
        let expiration_date = expires.map(str::to_owned);
        let block = ManualBlock { desc: "Owes money".into(), borrowing, expiration_date, ..ManualBlock::default() };
        context.patron.as_mut().expect("a patron").manual_blocks = vec![block];
        let decided = decide(&context, &configuration(), &command(json!({}), &[]), now());
        assert_eq!(decided.is_err(), refused, "{expires:?} {borrowing}");
    }
}

#[test]
fn overrides_need_permission_and_a_comment() {
    let patron_block = json!({"overrideBlocks": {"patronBlock": {}}});
    let commented = json!({"overrideBlocks": {"patronBlock": {}, "comment": "Agreed"}});
    let told = refusals(&blocked(), &command(commented.clone(), &[]));
    assert_eq!(told.len(), 1, "told once for both checks that it skips");
    assert_eq!(told[0].message, "Insufficient override permissions");
    let code = told[0].code.as_deref();
    assert_eq!(code, Some("INSUFFICIENT_OVERRIDE_PERMISSIONS"));
    let block = json!({"name": "patronBlock",
        "missingPermissions": ["circulation.override-patron-block.post"]});
    let told = told[0].overridable_block.map(|b| b.to_json());
    assert_eq!(told, Some(block));
    let expected = ["Override should be performed with the comment specified"];
    assert_eq!(messages(&blocked(), &command(patron_block, &[BlockKind::Patron])), expected);
    let check_out = decided(&blocked(), &command(commented, &[BlockKind::Patron]));
    assert_eq!(check_out.loan.record()["action"], "checkedOutThroughOverride");
    assert_eq!(check_out.loan.record()["actionComment"], "Agreed");
    assert_eq!(check_out.loan.due_date_text(), Some("2026-06-22T23:59:59.000+00:00"));
}

#[test]
fn an_item_that_is_not_lent_needs_a_due_date_to_be_lent() {
    let mut context = context();
    change_item(&mut context, json!({"materialTypeId": MAP}));
    let override_until = |due: Value| {
        let blocks = json!({"itemNotLoanableBlock": {"dueDate": due}, "comment": "Agreed"});
        command(json!({"overrideBlocks": blocks}), &[BlockKind::ItemNotLoanable])
    };
    for (due, expected) in [
        (Value::Null, "Override should be performed with due date specified"),
        (json!("2026-06-01T10:00:00Z"), "Due date should be later than loan date"),
    ] {
        assert_eq!(messages(&context, &override_until(due)), [expected]);
    }
    let check_out = decided(&context, &override_until(json!("2026-06-03T12:30:00+02:00")));
    assert_eq!(check_out.loan.due_date_text(), Some("2026-06-03T10:30:00.000+00:00"));
}
