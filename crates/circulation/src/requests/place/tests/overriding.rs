//! Blocks and overrides.

use super::*;

#[test]
fn blocks_stop_requests_unless_staff_override_them() {
    let blocked = || {
        Case::hold().change(|context| {
            let found = context.requester.as_mut().expect("a requester");
            found.manual_blocks =
                vec![ManualBlock { desc: "Owes a book".to_owned(), requests: true, ..ManualBlock::default() }];
        })
    };
    let manual = "Patron blocked from requesting | USER_IS_BLOCKED_MANUALLY | reason";
    assert_eq!(blocked().told(), [manual]);
    let overriding = || blocked().body(json!({"requestProcessingParameters": {"overrideBlocks": {"patronBlock": {}}}}));
    let insufficient = "Insufficient override permissions | INSUFFICIENT_OVERRIDE_PERMISSIONS | ";
    assert_eq!(overriding().told(), [insufficient]);
    let mut allowed = overriding();
    allowed.granted = Granted(vec![BlockKind::Patron]);
    assert!(allowed.told().is_empty());
    let borrowing_only = blocked().change(|context| {
        let found = context.requester.as_mut().expect("a requester");
        found.manual_blocks[0].requests = false;
        found.manual_blocks[0].borrowing = true;
    });
    assert!(borrowing_only.told().is_empty());
}

#[test]
fn automated_blocks_have_their_own_message() {
    let condition = json!([{"id": crate::testing::CHARGED_OUT, "name": "Maximum", "blockBorrowing": true,
        "blockRequests": true, "message": "Too many items"}]);
    let with_loans = |loans| {
        Case::hold().records(json!({"blockConditions": condition})).change(move |context| {
            let found = context.requester.as_mut().expect("a requester");
            found.standing.open_loans = loans;
        })
    };
    assert!(with_loans(5).told().is_empty(), "at the limit only borrowing stops");
    assert_eq!(with_loans(6).told(), ["Too many items | USER_IS_BLOCKED_AUTOMATICALLY | "]);
}
