//! The options of a choice: their order, their ids, and what replaces a removed option in users.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::CustomField;

/// Sorts the options as the definition demands and gives new ones ids, `opt_1` and so on.
pub(crate) fn arrange(record: &mut Map<String, Value>) {
    let Some(options) = record.get_mut("selectField").and_then(|select| select.get_mut("options")) else {
        return;
    };
    let order = options.get("sortingOrder").and_then(Value::as_str).map(str::to_owned);
    let Some(values) = options.get_mut("values").and_then(Value::as_array_mut) else {
        return;
    };
    match order.as_deref() {
        Some("ASC") => values.sort_by(by_value),
        Some("DESC") => values.sort_by(|a, b| by_value(b, a)),
        _ => {}
    }
    number(values);
}

fn by_value(a: &Value, b: &Value) -> Ordering {
    a["value"].as_str().cmp(&b["value"].as_str())
}

fn number(values: &mut [Value]) {
    let used = values.iter().filter_map(|option| {
        let id = option["id"].as_str()?;
        id.rsplit('_').next()?.parse::<u32>().ok()
    });
    let mut next = used.max().unwrap_or(0);
    for option in values {
        if option["id"].as_str().is_none_or(|id| id.trim().is_empty())
            && let Value::Object(members) = option
        {
            next = next.saturating_add(1);
            members.shift_insert(0, "id".into(), format!("opt_{next}").into());
        }
    }
}

/// Ids of the options that `old` has and `new` does not.
#[must_use]
pub(crate) fn dropped(new: &CustomField, old: &CustomField) -> Vec<String> {
    let still = |id: &String| {
        let kept = new.choices().iter();
        kept.filter_map(|option| option.id.as_ref()).any(|kept| kept == id)
    };
    let before = old.choices().iter().filter_map(|option| option.id.clone());
    before.filter(|id| !still(id)).collect()
}

/// What replaces a removed option: the default, all defaults, or nothing.
#[must_use]
pub(crate) fn replacement(new: &CustomField) -> Value {
    let defaults: Vec<Value> = new
        .choices()
        .iter()
        .filter(|option| option.default)
        .filter_map(|option| option.id.clone().map(Value::from))
        .collect();
    match defaults.as_slice() {
        [] => Value::Null,
        [only] => only.clone(),
        _ => Value::Array(defaults),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn arranged(order: &str, values: Value) -> Vec<String> {
        let mut record = json!({"selectField": {"options": {"sortingOrder": order, "values": values}}});
        arrange(record.as_object_mut().unwrap());
        let values = record["selectField"]["options"]["values"].as_array().unwrap();
        let shown =
            |option: &Value| format!("{} {}", option["id"].as_str().unwrap(), option["value"].as_str().unwrap());
        values.iter().map(shown).collect()
    }

    #[test]
    fn options_are_sorted_and_new_ones_numbered() {
        let new = json!([{"value": "b"}, {"value": "a"}]);
        assert_eq!(arranged("CUSTOM", new.clone()), ["opt_1 b", "opt_2 a"]);
        assert_eq!(arranged("ASC", new), ["opt_1 a", "opt_2 b"]);
        let mixed = json!([{"id": "opt_7", "value": "b"}, {"id": "", "value": "c"}, {"value": "a"}]);
        assert_eq!(arranged("DESC", mixed), ["opt_8 c", "opt_7 b", "opt_9 a"]);
    }

    #[test]
    fn the_defaults_replace_a_dropped_option() {
        let field = |values: Value| {
            let record = json!({"name": "n", "type": "MULTI_SELECT_DROPDOWN",
                "selectField": {"multiSelect": true, "options": {"values": values}}});
            CustomField::read(record.as_object().unwrap()).unwrap()
        };
        let option = |id: &str, default: bool| json!({"id": id, "value": id, "default": default});
        let old = field(json!([option("opt_1", false), option("opt_2", false)]));
        for (new, dropped_ids, instead) in [
            (json!([option("opt_1", true), option("opt_2", true)]), vec![], json!(["opt_1", "opt_2"])),
            (json!([option("opt_1", true)]), vec!["opt_2"], json!("opt_1")),
            (json!([option("opt_3", false)]), vec!["opt_1", "opt_2"], json!(null)),
        ] {
            let new = field(new);
            assert_eq!(dropped(&new, &old), dropped_ids);
            assert_eq!(replacement(&new), instead);
        }
    }
}
