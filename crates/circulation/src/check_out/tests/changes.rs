//! What a check-out writes: the loan, its due date and the filled request.

use super::*;

#[test]
fn nothing_speaks_against_a_plain_loan() {
    let check_out = decided(&context(), &command(json!({"id": "ignored"}), &[]));
    let record = Value::Object(check_out.loan.into_record());
    assert_eq!(
        record,
        json!({
            "userId": READER, "itemId": ITEM, "itemEffectiveLocationIdAtCheckOut": STACKS,
            "status": {"name": "Open"}, "loanDate": "2026-06-01T10:00:00.000Z",
            "dueDate": "2026-06-22T23:59:59.000+00:00", "action": "checkedout", "itemStatus": "Checked out",
            "loanPolicyId": THREE_WEEKS, "checkoutServicePointId": DESK, "patronGroupIdAtCheckout": STAFF,
            "isDcb": false, "overdueFinePolicyId": FINES, "lostItemPolicyId": LOST,
        })
    );
    assert_eq!(check_out.queue, crate::requests::queue::QueueChange::default());
}

#[test]
fn a_forced_policy_replaces_the_rules() {
    let forced = |id: Uuid| command(json!({"forceLoanPolicyId": id}), &[]);
    let mut context = context();
    change_item(&mut context, json!({"materialTypeId": MAP}));
    let check_out = decided(&context, &forced(THREE_WEEKS));
    assert_eq!(check_out.loan.loan_policy_id(), Some(THREE_WEEKS));
    let told = refusals(&context, &forced(NOBODY)).remove(0);
    assert_eq!(told.message, "Item is not loanable");
    assert_eq!(parameters(&told)[2], ("loanPolicyName", None));
}

#[test]
fn the_patrons_own_request_at_the_head_is_filled() {
    let queued = |value| serde_json::from_value(value).expect("a request");
    let mut context = context();
    let delivery = json!({"fulfillmentPreference": "Pigeon post"});
    let not_fulfillable = {
        let mut row = request(4, OTHER_READER, 1);
        row["request"] = with(row["request"].clone(), delivery);
        row
    };
    context.requests =
        vec![queued(request(2, OTHER_READER, 3)), queued(request(1, READER, 2)), queued(not_fulfillable)];
    let check_out = decided(&context, &command(json!({}), &[]));
    assert_eq!(check_out.queue.filled, Some(Uuid::from_u128(1)));
    assert_eq!(check_out.queue.moved, [crate::requests::queue::Moved { id: Uuid::from_u128(2), position: 2 }]);
}

#[test]
fn a_recall_that_waits_brings_the_due_date_forward() {
    let mut row = request(2, OTHER_READER, 2);
    row["request"]["requestType"] = "Recall".into();
    let mut context = context();
    context.requests = vec![
        serde_json::from_value(request(1, READER, 1)).expect("a request"),
        serde_json::from_value(row).expect("a request"),
    ];
    let check_out = decided(&context, &command(json!({}), &[]));
    assert_eq!(check_out.loan.record().get("dueDateChangedByRecall"), Some(&json!(true)));
    assert_eq!(check_out.loan.due_date_text(), Some("2026-06-01T23:59:59.000+00:00"));
}

#[test]
fn title_level_requests_count_only_when_they_are_allowed() {
    let mut row = request(1, OTHER_READER, 1);
    row["request"] = with(row["request"].clone(), json!({"requestLevel": "Title", "itemId": null}));
    let mut context = context();
    context.requests = vec![serde_json::from_value(row).expect("a request")];
    for (allowed, refused) in [(false, false), (true, true)] {
        let records = with_titles(records(), allowed);
        let configuration = Configuration::read(1, &records);
        let decided = decide(&context, &configuration, &command(json!({}), &[]), now());
        assert_eq!(decided.is_err(), refused, "title-level requests: {allowed}");
    }
}

#[test]
fn an_item_is_read_in_the_library_where_operator_and_policy_say_so() {
    let in_use = json!({"status": "In use", "statusDate": "2026-06-01T10:00:00.000+00:00"});
    for (switched_on, policy, expected) in [
        (true, json!(true), Some(&in_use)),
        (true, json!(false), None),
        (true, Value::Null, None),
        (false, json!(true), None),
    ] {
        let mut records = records();
        records["loanPolicies"][0]["loansPolicy"]["forUseAtLocation"] = policy.clone();
        let library = Configuration { use_at_location: switched_on, ..Configuration::read(1, &records) };
        let command = command(json!({}), &[]);
        let check_out = decide(&context(), &library, &command, now()).expect("a loan");
        let usage = check_out.loan.record().get("forUseAtLocation");
        assert_eq!(usage, expected, "{switched_on} {policy}");
        assert_eq!(check_out.loan.record()["action"], "checkedout");
    }
}
