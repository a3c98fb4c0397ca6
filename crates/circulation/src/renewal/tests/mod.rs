//! Renewals: single checks, combined refusals, overrides and the resulting changes.

mod checks;
mod overriding;
mod renewing;

use refusals::ErrorEntry;
use serde_json::{Value, json};

use super::*;
use crate::{blocks::Granted, testing::*};

const DUE: &str = "2026-06-05T23:59:59.000+00:00";

/// A loan policy: three weeks, two renewals from the current due date.
fn policy(members: Value) -> Value {
    let policy = json!({
        "id": THREE_WEEKS, "name": "Three weeks", "loanable": true, "renewable": true,
        "loansPolicy": {"profileId": "Rolling", "period": {"duration": 3, "intervalId": "Weeks"},
            "closedLibraryDueDateManagementId": "CURRENT_DUE_DATE"},
        "renewalsPolicy": {"numberAllowed": 2, "renewFromId": "CURRENT_DUE_DATE"},
    });
    with(policy, members)
}

fn library(of_policy: Value, more: Value) -> Configuration {
    let records = with(records(), json!({"loanPolicies": [policy(of_policy)]}));
    Configuration::read(7, &with(records, more))
}

fn usual() -> Configuration {
    library(json!({}), json!({}))
}

fn loan(members: Value) -> Loan {
    let loan = json!({
        "id": Uuid::from_u128(7), "userId": READER, "itemId": ITEM, "status": {"name": "Open"},
        "loanDate": "2026-05-15T10:00:00Z", "dueDate": DUE, "action": "checkedout",
        "actionComment": "a comment", "itemStatus": "Checked out", "checkoutServicePointId": DESK,
        "overdueFinePolicyId": FINES,
    });
    Loan::new(with(loan, members).as_object().expect("a record").clone())
}

fn context() -> RenewalContext {
    let out = with(item(), json!({"status": {"name": "Checked out"}}));
    RenewalContext {
        item: serde_json::from_value(out).expect("an item"),
        instance: serde_json::from_value(instance()).expect("an instance"),
        loan: Some(loan(json!({}))),
        borrower: serde_json::from_value(patron(READER)).expect("a patron"),
        ..RenewalContext::default()
    }
}

fn item_in(status: &str) -> RenewalContext {
    let item = with(item(), json!({"status": {"name": status}}));
    RenewalContext { item: serde_json::from_value(item).expect("an item"), ..context() }
}

fn with_loan(members: Value) -> RenewalContext {
    RenewalContext { loan: Some(loan(members)), ..context() }
}

fn with_request(kind: &str, more: Value) -> RenewalContext {
    let mut queued = request(1, OTHER_READER, 1);
    queued["request"]["requestType"] = kind.into();
    queued["request"] = with(queued["request"].take(), more);
    RenewalContext { requests: vec![serde_json::from_value(queued).expect("a request")], ..context() }
}

fn command(more: Value, granted: &[BlockKind]) -> RenewalCommand {
    let body = with(json!({"itemBarcode": "i-1", "userBarcode": "p-1"}), more);
    let granted = Granted(granted.to_vec());
    RenewalCommand::read(&body, NamedBy::Barcode, granted).expect("a command")
}

fn plain() -> RenewalCommand {
    command(json!({}), &[])
}

fn overriding(blocks: Value) -> RenewalCommand {
    let blocks = with(json!({"comment": "because"}), blocks);
    command(json!({"overrideBlocks": blocks}), &[BlockKind::Patron, BlockKind::Renewal])
}

fn told(context: &RenewalContext, configuration: &Configuration, command: &RenewalCommand) -> Vec<ErrorEntry> {
    match decide(context, configuration, command, now()) {
        Err(refused) => refused.entries(),
        other => panic!("expected refusals, got {other:?}"),
    }
}

fn messages(context: &RenewalContext, configuration: &Configuration, command: &RenewalCommand) -> Vec<String> {
    let told = told(context, configuration, command);
    told.into_iter().map(|told| told.message).collect()
}

fn renewed(context: &RenewalContext, configuration: &Configuration) -> Renewal {
    decide(context, configuration, &plain(), now()).expect("a renewal")
}

/// Asserts a single refusal: message, code, parameter keys and block name.
#[track_caller]
fn assert_refused(
    (context, configuration): (&RenewalContext, &Configuration),
    (message, code, keys, block): (&str, &str, &[&str], Option<&str>),
) {
    let all = told(context, configuration, &plain());
    assert_eq!(all.len(), 1, "{all:?}");
    let told = &all[0];
    assert_eq!(told.message, message);
    assert_eq!(told.code.as_deref(), Some(code), "{message}");
    let told_keys: Vec<&str> = told.parameters.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(told_keys, keys, "{message}");
    let told_block = told.overridable_block.as_ref().map(|block| block.name);
    assert_eq!(told_block, block, "{message}");
}
