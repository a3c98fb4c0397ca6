//! The values users have in custom fields, held to the definitions.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Map, Value};
use store::collection::Fault;

use super::{Choice, CustomField, FieldType, TextFormat};

const LONGEST_SHORT_TEXT: usize = 150;
const LONGEST_TEXT: usize = 1_500;

static NUMBER: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"^(-?\d+|-?\d*[,|.]\d+|-?\d{1,3}(\s\d{3})+([,|.]\d+)?|-?\d{1,3}(,\d{3})+(\.\d+)?)$")
});
static EMAIL: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r#"^[^\s@"(),:;<>\[\\\]]{1,64}@([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$"#)
});
static URL: LazyLock<Regex> = LazyLock::new(|| {
    fixed(
        r"^https?://([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]{1,}(:\d{1,5})?([/?#]\S*)?$",
    )
});

/// A pattern of this file; a mistake in one is found by the first test.
fn fixed(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks all values of a user; every fault is told.
///
/// # Errors
/// One [`Fault`] for each value that is wrong, in the order of the values.
pub fn check(values: &Map<String, Value>, fields: &[CustomField]) -> Result<(), Vec<Fault>> {
    let faults: Vec<_> = values
        .iter()
        .filter_map(|(name, value)| fault(name, value, fields))
        .collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(faults)
    }
}

fn fault(name: &str, value: &Value, fields: &[CustomField]) -> Option<Fault> {
    let Some(field) = fields.iter().find(|field| field.ref_id == name) else {
        let sentence = format!("Custom field with refId {name} is not found");
        return Some(Fault::of(sentence, "customFields", Some(name)));
    };
    let sentence = check_value(value, field).err()?;
    Some(Fault::of(sentence, name, Some(&value.to_string())))
}

fn check_value(value: &Value, field: &CustomField) -> Result<(), String> {
    let kind = field.field_type;
    let several_allowed = field.is_repeatable && kind != FieldType::DatePicker
        || kind == FieldType::MultiSelectDropdown;
    match value {
        Value::Array(values) if several_allowed => {
            values.iter().try_for_each(|value| check_one(value, field))
        }
        _ if field.is_repeatable && kind.is_choice() => {
            Err(format!("Field with type {} must be an array", kind.word()))
        }
        _ => check_one(value, field),
    }
}

fn check_one(value: &Value, field: &CustomField) -> Result<(), String> {
    let kind = field.field_type;
    if kind == FieldType::SingleCheckbox {
        return match value {
            Value::Bool(_) => Ok(()),
            _ => Err(format!("Field with type {} must be a boolean", kind.word())),
        };
    }
    let Value::String(text) = value else {
        return Err(format!("Field with type {} must be a string", kind.word()));
    };
    match kind {
        FieldType::DatePicker => check_date(text),
        kind if kind.is_choice() => check_option(text, field),
        _ => check_text(text, field),
    }
}

fn check_date(text: &str) -> Result<(), String> {
    let date = text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
    if date {
        Ok(())
    } else {
        Err(format!("Invalid date format: {text}"))
    }
}

fn check_option(id: &str, field: &CustomField) -> Result<(), String> {
    let offered = field.choices();
    if offered
        .iter()
        .any(|option| option.id.as_deref() == Some(id))
    {
        return Ok(());
    }
    let shown = |option: &Choice| {
        let id = option.id.as_deref().unwrap_or_default();
        format!("{id}={}", option.value)
    };
    let shown: Vec<_> = offered.iter().map(shown).collect();
    Err(format!(
        "Field {} can only have following values: [{}]",
        field.ref_id,
        shown.join(", ")
    ))
}

fn check_text(text: &str, field: &CustomField) -> Result<(), String> {
    let format = field.text_field.as_ref().map(|text| text.field_format);
    match format.unwrap_or_default() {
        TextFormat::Text if text.trim().is_empty() => return Err("Invalid Text format".into()),
        TextFormat::Email if !EMAIL.is_match(text) => {
            return Err(format!("Invalid Email format: {text}"));
        }
        TextFormat::Number if !NUMBER.is_match(text) => {
            return Err(format!("Invalid Number format: {text}"));
        }
        TextFormat::Url if !URL.is_match(text) => return Err(format!("Invalid URL: {text}")),
        _ => {}
    }
    let longest = match field.field_type {
        FieldType::TextboxLong => LONGEST_TEXT,
        _ => LONGEST_SHORT_TEXT,
    };
    if text.chars().count() > longest {
        return Err(format!("Maximum length of the value is {longest}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn field(kind: &str, more: Value) -> CustomField {
        let mut record = json!({"name": "Field", "refId": "field", "type": kind});
        for (name, value) in more.as_object().unwrap() {
            record[name] = value.clone();
        }
        CustomField::read(record.as_object().unwrap()).unwrap()
    }

    fn text(format: &str) -> CustomField {
        field(
            "TEXTBOX_SHORT",
            json!({"textField": {"fieldFormat": format}}),
        )
    }

    #[test]
    fn values_are_held_to_their_definition() {
        let options = json!({"selectField": {"multiSelect": false,
            "options": {"values": [{"id": "opt_1", "value": "red"}, {"id": "opt_2", "value": "blue"}]}}});
        let radio = || field("RADIO_BUTTON", options.clone());
        let multi = || field("MULTI_SELECT_DROPDOWN", options.clone());
        let cases = [
            (field("SINGLE_CHECKBOX", json!({})), json!(true), None),
            (
                field("SINGLE_CHECKBOX", json!({})),
                json!("true"),
                Some("Field with type SINGLE_CHECKBOX must be a boolean"),
            ),
            (field("DATE_PICKER", json!({})), json!("2024-02-29"), None),
            (
                field("DATE_PICKER", json!({})),
                json!("2023-02-29"),
                Some("Invalid date format: 2023-02-29"),
            ),
            (
                field("DATE_PICKER", json!({})),
                json!(7),
                Some("Field with type DATE_PICKER must be a string"),
            ),
            (radio(), json!("opt_1"), None),
            (
                radio(),
                json!("opt_9"),
                Some("Field field can only have following values: [opt_1=red, opt_2=blue]"),
            ),
            (
                radio(),
                json!(["opt_1"]),
                Some("Field with type RADIO_BUTTON must be a string"),
            ),
            (multi(), json!("opt_2"), None),
            (multi(), json!(["opt_1", "opt_2"]), None),
            (text("TEXT"), json!("word"), None),
            (text("TEXT"), json!(" "), Some("Invalid Text format")),
            (
                text("TEXT"),
                json!("x".repeat(151)),
                Some("Maximum length of the value is 150"),
            ),
            (
                field("TEXTBOX_LONG", json!({})),
                json!("x".repeat(1_500)),
                None,
            ),
            (
                field("TEXTBOX_LONG", json!({})),
                json!("x".repeat(1_501)),
                Some("Maximum length of the value is 1500"),
            ),
            (
                field("TEXTBOX_LONG", json!({"isRepeatable": true})),
                json!(["a", "b"]),
                None,
            ),
            (
                field("TEXTBOX_LONG", json!({})),
                json!(["a"]),
                Some("Field with type TEXTBOX_LONG must be a string"),
            ),
        ];
        for (field, value, expected) in cases {
            assert_eq!(
                check_value(&value, &field).err().as_deref(),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn formats_of_texts() {
        let cases = [
            (
                "NUMBER",
                vec!["12", "-12", "0.5", ",5", "1 000,50", "1,000.50"],
                vec!["", "12a", "1.000.000", "--1"],
            ),
            (
                "EMAIL",
                vec!["reader@library.example", "a.b+c@sub.library.example"],
                vec![
                    "reader",
                    "reader@",
                    "@library.example",
                    "a b@library.example",
                    "reader@library",
                ],
            ),
            (
                "URL",
                vec![
                    "http://library.example",
                    "https://library.example:8080/a?b=c#d",
                ],
                vec![
                    "library.example",
                    "ftp://library.example",
                    "http://",
                    "http://library.example/a b",
                ],
            ),
        ];
        for (format, good, bad) in cases {
            let field = text(format);
            for value in good {
                assert_eq!(check_value(&json!(value), &field), Ok(()), "{value}");
            }
            for value in bad {
                assert!(check_value(&json!(value), &field).is_err(), "{value}");
            }
        }
    }

    #[test]
    fn every_fault_is_told_with_its_field() {
        let values = json!({"unknown": "x", "field": ""});
        let faults = check(values.as_object().unwrap(), &[text("TEXT")]).unwrap_err();
        assert_eq!(
            faults[0].message,
            "Custom field with refId unknown is not found"
        );
        assert_eq!(
            faults[0].parameters,
            [("customFields".into(), Some("unknown".into()))]
        );
        assert_eq!(faults[1].message, "Invalid Text format");
        assert_eq!(
            faults[1].parameters,
            [("field".into(), Some("\"\"".into()))]
        );
    }
}
