//! Checks the custom field values of users against the definitions.

use std::sync::LazyLock;

use refusals::{Refusal, Refused};
use regex::Regex;
use serde_json::{Map, Value};

use super::{Choice, CustomField, FieldType, TextFormat};
use crate::refusal::{
    DATE_WRONG, EMAIL_WRONG, FIELD_UNKNOWN, NUMBER_WRONG, OPTION_WRONG, TEXT_BLANK, TEXT_TOO_LONG, URL_WRONG,
    VALUE_TYPE_WRONG,
};

const LONGEST_SHORT_TEXT: usize = 150;
const LONGEST_TEXT: usize = 1_500;

static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| fixed(r"^(-?\d+|-?\d*[,|.]\d+|-?\d{1,3}(\s\d{3})+([,|.]\d+)?|-?\d{1,3}(,\d{3})+(\.\d+)?)$"));
static EMAIL: LazyLock<Regex> =
    LazyLock::new(|| fixed(r#"^[^\s@"(),:;<>\[\\\]]{1,64}@([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$"#));
static URL: LazyLock<Regex> = LazyLock::new(|| {
    fixed(r"^https?://([\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]{1,}(:\d{1,5})?([/?#]\S*)?$")
});

/// Compiles a pattern of this file; a test would find a bad one.
fn fixed(pattern: &str) -> Regex {
    Regex::new(pattern).unwrap_or_else(|error| panic!("{error}"))
}

/// Checks all values of a user. Returns a refusal for each invalid value, in their order.
pub fn check(values: &Map<String, Value>, fields: &[CustomField]) -> Result<(), Refused> {
    let faults = values.iter().filter_map(|(name, value)| fault(name, value, fields));
    Refused(faults.collect()).or(())
}

fn fault(name: &str, value: &Value, fields: &[CustomField]) -> Option<Refusal> {
    let Some(field) = fields.iter().find(|field| field.ref_id == name) else {
        return Some(FIELD_UNKNOWN.with("customFields", name));
    };
    let refusal = check_value(value, field).err()?;
    Some(refusal.about(name.to_owned(), value.to_string()))
}

fn wrong_type(kind: FieldType, expected: &str) -> Refusal {
    let refusal = VALUE_TYPE_WRONG.with("type", kind.word());
    refusal.with("expected", expected)
}

fn check_value(value: &Value, field: &CustomField) -> Result<(), Refusal> {
    let kind = field.field_type;
    let several_allowed =
        field.is_repeatable && kind != FieldType::DatePicker || kind == FieldType::MultiSelectDropdown;
    match value {
        Value::Array(values) if several_allowed => values.iter().try_for_each(|value| check_one(value, field)),
        _ if field.is_repeatable && kind.is_choice() => Err(wrong_type(kind, "an array")),
        _ => check_one(value, field),
    }
}

fn check_one(value: &Value, field: &CustomField) -> Result<(), Refusal> {
    let kind = field.field_type;
    if kind == FieldType::SingleCheckbox {
        return match value {
            Value::Bool(_) => Ok(()),
            _ => Err(wrong_type(kind, "a boolean")),
        };
    }
    let Value::String(text) = value else {
        return Err(wrong_type(kind, "a string"));
    };
    match kind {
        FieldType::DatePicker => check_date(text),
        kind if kind.is_choice() => check_option(text, field),
        _ => check_text(text, field),
    }
}

fn check_date(text: &str) -> Result<(), Refusal> {
    let date = text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok();
    if date { Ok(()) } else { Err(DATE_WRONG.with("text", text)) }
}

fn check_option(id: &str, field: &CustomField) -> Result<(), Refusal> {
    let offered = field.choices();
    if offered.iter().any(|option| option.id.as_deref() == Some(id)) {
        return Ok(());
    }
    let shown = |option: &Choice| {
        let id = option.id.as_deref().unwrap_or_default();
        format!("{id}={}", option.value)
    };
    let shown: Vec<_> = offered.iter().map(shown).collect();
    let refusal = OPTION_WRONG.with("field", &field.ref_id);
    Err(refusal.with("options", shown.join(", ")))
}

fn check_text(text: &str, field: &CustomField) -> Result<(), Refusal> {
    let format = field.text_field.as_ref().map(|text| text.field_format);
    match format.unwrap_or_default() {
        TextFormat::Text if text.trim().is_empty() => return Err(TEXT_BLANK.into()),
        TextFormat::Email if !EMAIL.is_match(text) => {
            return Err(EMAIL_WRONG.with("text", text));
        }
        TextFormat::Number if !NUMBER.is_match(text) => {
            return Err(NUMBER_WRONG.with("text", text));
        }
        TextFormat::Url if !URL.is_match(text) => return Err(URL_WRONG.with("text", text)),
        _ => {}
    }
    let longest = match field.field_type {
        FieldType::TextboxLong => LONGEST_TEXT,
        _ => LONGEST_SHORT_TEXT,
    };
    if text.chars().count() > longest {
        return Err(TEXT_TOO_LONG.with("most", longest));
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
        field("TEXTBOX_SHORT", json!({"textField": {"fieldFormat": format}}))
    }

    #[test]
    fn values_are_checked_against_their_definition() {
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
            (field("DATE_PICKER", json!({})), json!("2023-02-29"), Some("Invalid date format: 2023-02-29")),
            (field("DATE_PICKER", json!({})), json!(7), Some("Field with type DATE_PICKER must be a string")),
            (radio(), json!("opt_1"), None),
            (radio(), json!("opt_9"), Some("Field field can only have following values: [opt_1=red, opt_2=blue]")),
            (radio(), json!(["opt_1"]), Some("Field with type RADIO_BUTTON must be a string")),
            (multi(), json!("opt_2"), None),
            (multi(), json!(["opt_1", "opt_2"]), None),
            (text("TEXT"), json!("word"), None),
            (text("TEXT"), json!(" "), Some("Invalid Text format")),
            (text("TEXT"), json!("x".repeat(151)), Some("Maximum length of the value is 150")),
            (field("TEXTBOX_LONG", json!({})), json!("x".repeat(1_500)), None),
            (field("TEXTBOX_LONG", json!({})), json!("x".repeat(1_501)), Some("Maximum length of the value is 1500")),
            (field("TEXTBOX_LONG", json!({"isRepeatable": true})), json!(["a", "b"]), None),
            (field("TEXTBOX_LONG", json!({})), json!(["a"]), Some("Field with type TEXTBOX_LONG must be a string")),
        ];
        for (field, value, expected) in cases {
            assert_eq!(
                check_value(&value, &field).err().map(|refusal| refusal.message()).as_deref(),
                expected,
                "{value}"
            );
        }
    }

    #[test]
    fn formats_of_texts() {
        let cases = [
            ("NUMBER", vec!["12", "-12", "0.5", ",5", "1 000,50", "1,000.50"], vec!["", "12a", "1.000.000", "--1"]),
            (
                "EMAIL",
                vec!["reader@library.example", "a.b+c@sub.library.example"],
                vec!["reader", "reader@", "@library.example", "a b@library.example", "reader@library"],
            ),
            (
                "URL",
                vec!["http://library.example", "https://library.example:8080/a?b=c#d"],
                vec!["library.example", "ftp://library.example", "http://", "http://library.example/a b"],
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
    fn every_fault_names_its_field() {
        let values = json!({"unknown": "x", "field": ""});
        let refused = check(values.as_object().unwrap(), &[text("TEXT")]);
        let faults = refused.unwrap_err().entries();
        assert_eq!(faults[0].message, "Custom field with refId unknown is not found");
        assert_eq!(faults[0].parameters, [("customFields".into(), Some("unknown".into()))]);
        assert_eq!(faults[1].message, "Invalid Text format");
        assert_eq!(faults[1].parameters, [("field".into(), Some("\"\"".into()))]);
    }
}
