//! Check-outs: each check by itself, several at once, and the changes a loan makes.

mod changes;
mod checks;
mod limits;
mod overriding;

use refusals::ErrorEntry;
use serde_json::{Value, json};

use super::{checks::limit_wording, *};
use crate::{
    blocks::BlockKind,
    refusal::{NOT_AN_OBJECT, not_an_id, not_applicable},
    rules::AppliedRuleConditions,
    testing::*,
};

/// A patron checks out an available book; tests modify what they need.
fn context() -> CheckOutContext {
    CheckOutContext {
        item: Some(FoundItem {
            item: serde_json::from_value(item()).expect("an item"),
            instance: serde_json::from_value(instance()).expect("an instance"),
            has_open_loan: false,
        }),
        patron: Some(FoundPatron {
            patron: serde_json::from_value(patron(READER)).expect("a patron"),
            ..FoundPatron::default()
        }),
        ..CheckOutContext::default()
    }
}

fn body() -> Value {
    json!({"itemBarcode": "i-1", "userBarcode": "p-1", "servicePointId": DESK})
}

fn command(more: Value, granted: &[BlockKind]) -> CheckOutCommand {
    let granted = Granted(granted.to_vec());
    CheckOutCommand::read(&with(body(), more), granted, false, now()).expect("a command")
}

fn refusals(context: &CheckOutContext, command: &CheckOutCommand) -> Vec<ErrorEntry> {
    match decide(context, &configuration(), command, now()) {
        Err(refused) => refused.entries(),
        other => panic!("expected refusals, got {other:?}"),
    }
}

fn decided(context: &CheckOutContext, command: &CheckOutCommand) -> CheckOut {
    decide(context, &configuration(), command, now()).expect("a loan")
}

fn change_item(context: &mut CheckOutContext, members: Value) {
    let found = context.item.as_mut().expect("an item");
    found.item = serde_json::from_value(with(item(), members)).expect("an item");
}

fn change_patron(context: &mut CheckOutContext, members: Value) {
    let found = context.patron.as_mut().expect("a patron");
    found.patron = serde_json::from_value(with(patron(READER), members)).expect("a patron");
}

fn messages(context: &CheckOutContext, command: &CheckOutCommand) -> Vec<String> {
    refusals(context, command).into_iter().map(|told| told.message).collect()
}

/// A patron with a manual block on borrowing.
fn blocked() -> CheckOutContext {
    let mut context = context();
    let found = context.patron.as_mut().expect("a patron");
    found.standing.open_loans = 5;
    found.manual_blocks = vec![ManualBlock {
        desc: "Owes money".into(),
        borrowing: true,
        expiration_date: None,
        ..ManualBlock::default()
    }];
    context
}
