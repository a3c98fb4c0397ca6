//! The conditions and limits of automated blocks (docs/folio/patron-blocks.md#conditions-and-limits).

use refusals::Refused;
use serde_json::{Map, Value};
use store::record::text;

use crate::refusal::{BALANCE_LIMIT_WRONG, CONDITION_WITHOUT_MESSAGE, LIMIT_WRONG, MESSAGE_WITHOUT_BLOCK};

/// The condition whose limit is an amount of money: the outstanding fee/fine balance.
pub(crate) const OUTSTANDING_BALANCE: &str = "cf7a0d5f-a327-4ca1-aa9e-dc55ec006b8a";

/// A condition that blocks something needs a message, and a message needs a block.
pub(crate) fn check_condition(condition: &mut Map<String, Value>) -> Result<(), Refused> {
    let blocks = ["blockBorrowing", "blockRenewals", "blockRequests"]
        .iter()
        .any(|action| condition.get(*action) == Some(&Value::Bool(true)));
    let silent = text(condition, "message").is_none_or(|message| message.trim().is_empty());
    let wording = match (blocks, silent) {
        (true, true) => CONDITION_WITHOUT_MESSAGE,
        (false, false) => MESSAGE_WITHOUT_BLOCK,
        _ => return Ok(()),
    };
    let refusal = wording.with("patron block condition id", text(condition, "id"));
    Err(refusal.into())
}

/// A limit is a whole number up to 999999, or for the balance an amount up to 999999.99.
pub(crate) fn check_limit(limit: &mut Map<String, Value>) -> Result<(), Refused> {
    let Some(value) = limit.get("value").and_then(Value::as_f64) else {
        return Ok(());
    };
    let (good, wording) = if text(limit, "conditionId") == Some(OUTSTANDING_BALANCE) {
        ((0.0..=999_999.99).contains(&value), BALANCE_LIMIT_WRONG)
    } else {
        (value.fract() == 0.0 && (0.0..=999_999.0).contains(&value), LIMIT_WRONG)
    };
    if good { Ok(()) } else { Err(wording.with("value", as_double(value)).into()) }
}

/// The number as Java prints a double, always with a fraction.
fn as_double(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("{value:.1}") } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        let Value::Object(members) = value else { panic!("no object") };
        members
    }

    #[test]
    fn a_condition_has_both_a_block_and_a_message_or_neither() {
        let cases = [
            (true, "Too many", None),
            (false, "", None),
            (true, " ", Some("Message to be displayed is a required field if one or more blocked actions selected")),
            (
                false,
                "Too many",
                Some("One or more blocked actions must be selected for message to be displayed to be used"),
            ),
        ];
        for (blocks, message, expected) in cases {
            let mut condition =
                object(json!({"id": "c", "blockBorrowing": false, "blockRenewals": blocks, "message": message}));
            let found = check_condition(&mut condition).err();
            assert_eq!(found.map(|refused| refused.to_string()).as_deref(), expected, "{blocks} {message}");
        }
    }

    #[test]
    fn limits_are_counts_or_money() {
        let items = "3d7c52dc-c732-4223-8bf8-e5917801386f";
        let cases = [
            (items, json!(0), None),
            (items, json!(999_999), None),
            (items, json!(2.5), Some("2.5")),
            (items, json!(-1), Some("-1.0")),
            (items, json!(1_000_000), Some("1000000.0")),
            (OUTSTANDING_BALANCE, json!(10.5), None),
            (OUTSTANDING_BALANCE, json!(999_999.99), None),
            (OUTSTANDING_BALANCE, json!(1_000_000), Some("1000000.0")),
        ];
        for (condition, value, expected) in cases {
            let mut limit = object(json!({"conditionId": condition, "value": value}));
            let found = check_limit(&mut limit).err();
            let shown = found.and_then(|refused| refused.entries()[0].parameters[0].1.clone());
            assert_eq!(shown.as_deref(), expected, "{value}");
        }
    }
}
