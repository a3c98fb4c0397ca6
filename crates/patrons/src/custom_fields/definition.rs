//! Checks definitions of custom fields.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::{Choice, CustomField, FieldType};

const LONGEST_NAME: usize = 65;
const LONGEST_HELP: usize = 100;
const LONGEST_OPTION: usize = 100;
const MOST_RADIO_BUTTONS: usize = 5;
const MOST_OPTIONS: usize = 200;

const COMMON: [&str; 12] = [
    "id",
    "name",
    "refId",
    "type",
    "entityType",
    "visible",
    "required",
    "isRepeatable",
    "order",
    "helpText",
    "metadata",
    "displayInAccordion",
];

/// Checks a definition. Returns FOLIO's message for the first fault.
pub fn check(record: &Map<String, Value>, field: &CustomField) -> Result<(), String> {
    check_members(record, field.field_type)?;
    check_repeatable(field)?;
    match field.field_type {
        FieldType::SingleCheckbox => ensure(field.checkbox_field.is_some(), || {
            format!("The 'checkBox' property should be defined for '{}' custom field type.", field.field_type.word())
        })?,
        kind if kind.is_choice() => check_choice(field)?,
        _ => {}
    }
    ensure(longest(field.help_text.as_deref(), LONGEST_HELP), || {
        format!("The 'helpText' length cannot be more than {LONGEST_HELP}")
    })?;
    ensure(longest(Some(&field.name), LONGEST_NAME), || format!("The 'name' length cannot be more than {LONGEST_NAME}"))
}

fn ensure(good: bool, sentence: impl FnOnce() -> String) -> Result<(), String> {
    if good { Ok(()) } else { Err(sentence()) }
}

fn longest(text: Option<&str>, characters: usize) -> bool {
    text.is_none_or(|text| text.chars().count() <= characters)
}

/// A choice has options, a text has a format, and neither has members of the other.
fn check_members(record: &Map<String, Value>, kind: FieldType) -> Result<(), String> {
    let own = match kind {
        FieldType::SingleCheckbox => "checkboxField",
        kind if kind.is_choice() => "selectField",
        kind if kind.is_text() => "textField",
        _ => "",
    };
    let allowed = |name: &str| name == own || COMMON.contains(&name);
    match record.keys().find(|name| !allowed(name)) {
        None => Ok(()),
        Some(name) => {
            let mut names = COMMON.to_vec();
            names.extend((!own.is_empty()).then_some(own));
            Err(format!(
                "Attribute {name} is not allowed, following attributes are allowed for field of type {} : [{}]",
                kind.word(),
                names.join(", ")
            ))
        }
    }
}

fn check_repeatable(field: &CustomField) -> Result<(), String> {
    let never =
        matches!(field.field_type, FieldType::SingleCheckbox | FieldType::MultiSelectDropdown | FieldType::RadioButton);
    ensure(!(never && field.is_repeatable), || {
        format!("Repeatable is not supported by custom field of type {}", field.field_type.word())
    })
}

fn check_choice(field: &CustomField) -> Result<(), String> {
    let Some(select) = &field.select_field else {
        return Err("The 'selectField' property should be defined".into());
    };
    let kind = field.field_type;
    let most = if kind == FieldType::RadioButton { MOST_RADIO_BUTTONS } else { MOST_OPTIONS };
    check_options(&select.options.values, most)?;
    let several = kind == FieldType::MultiSelectDropdown;
    let defaults = select.options.values.iter().filter(|option| option.default);
    ensure(several || defaults.count() <= 1, || "The max defaults amount is 1".into())?;
    ensure(select.multi_select == several, || format!("The 'multiSelect' property should be '{several}'"))
}

fn check_options(options: &[Choice], most: usize) -> Result<(), String> {
    ensure((1..=most).contains(&options.len()), || format!("The options amount should be in range 1 - {most}"))?;
    let good = |option: &Choice| !option.value.trim().is_empty() && longest(Some(&option.value), LONGEST_OPTION);
    ensure(options.iter().all(good), || {
        format!("The option value cannot be blank or have more than {LONGEST_OPTION} length")
    })?;
    ensure(all_different(options.iter().map(|option| option.value.as_str())), || {
        "Option values should be unique".into()
    })?;
    ensure(all_different(options.iter().filter_map(|option| option.id.as_deref())), || {
        "Option IDs should be unique".into()
    })
}

fn all_different<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let mut seen = HashSet::new();
    texts.into_iter().all(|text| seen.insert(text))
}

/// Checks that a definition can replace another: users have values of the old type and format. Returns the member, its
/// new value and FOLIO's message.
pub(crate) fn check_change(new: &CustomField, old: &CustomField) -> Result<(), (&'static str, String, String)> {
    if new.field_type != old.field_type {
        let (new, old) = (new.field_type.word(), old.field_type.word());
        let sentence = format!("The type of the custom field can not be changed: newType = {new}, oldType = {old}");
        return Err(("type", new.into(), sentence));
    }
    let format = |field: &CustomField| field.text_field.as_ref().map(|text| text.field_format).unwrap_or_default();
    if new.field_type.is_text() && format(new) != format(old) {
        let (new, old) = (word(&format(new)), word(&format(old)));
        let sentence =
            format!("The format of the custom field can not be changed: newFormat = {new}, oldFormat = {old}");
        return Err(("fieldFormat", new, sentence));
    }
    Ok(())
}

fn word(format: &super::TextFormat) -> String {
    format!("{format:?}").to_uppercase()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn verdict(record: Value) -> Option<String> {
        let Value::Object(record) = record else { panic!("no object") };
        let field = CustomField::read(&record).expect("a definition");
        check(&record, &field).err()
    }

    fn choice(kind: &str, multi: bool, values: Value) -> Value {
        json!({"name": "n", "type": kind, "entityType": "user",
            "selectField": {"multiSelect": multi, "options": {"values": values}}})
    }

    #[test]
    fn invalid_definitions_are_refused() {
        let two = json!([{"value": "a"}, {"value": "b"}]);
        let six: Vec<_> = (0..6).map(|n| json!({"value": n.to_string()})).collect();
        let cases = [
            (json!({"name": "n", "type": "TEXTBOX_SHORT"}), None),
            (json!({"name": "n", "type": "DATE_PICKER", "isRepeatable": true}), None),
            (choice("RADIO_BUTTON", false, two.clone()), None),
            (choice("MULTI_SELECT_DROPDOWN", true, json!(six)), None),
            (json!({"name": "n".repeat(66), "type": "DATE_PICKER"}), Some("The 'name' length cannot be more than 65")),
            (
                json!({"name": "n", "type": "DATE_PICKER", "helpText": "h".repeat(101)}),
                Some("The 'helpText' length cannot be more than 100"),
            ),
            (
                json!({"name": "n", "type": "SINGLE_CHECKBOX"}),
                Some("The 'checkBox' property should be defined for 'SINGLE_CHECKBOX' custom field type."),
            ),
            (
                json!({"name": "n", "type": "SINGLE_CHECKBOX", "checkboxField": {}, "isRepeatable": true}),
                Some("Repeatable is not supported by custom field of type SINGLE_CHECKBOX"),
            ),
            (json!({"name": "n", "type": "RADIO_BUTTON"}), Some("The 'selectField' property should be defined")),
            (choice("RADIO_BUTTON", false, json!(six)), Some("The options amount should be in range 1 - 5")),
            (choice("RADIO_BUTTON", false, json!([])), Some("The options amount should be in range 1 - 5")),
            (choice("RADIO_BUTTON", true, two), Some("The 'multiSelect' property should be 'false'")),
            (
                choice("RADIO_BUTTON", false, json!([{"value": " "}])),
                Some("The option value cannot be blank or have more than 100 length"),
            ),
            (
                choice("RADIO_BUTTON", false, json!([{"value": "a"}, {"value": "a"}])),
                Some("Option values should be unique"),
            ),
            (
                choice("RADIO_BUTTON", false, json!([{"id": "opt_0", "value": "a"}, {"id": "opt_0", "value": "b"}])),
                Some("Option IDs should be unique"),
            ),
            (
                choice(
                    "RADIO_BUTTON",
                    false,
                    json!([{"value": "a", "default": true}, {"value": "b", "default": true}]),
                ),
                Some("The max defaults amount is 1"),
            ),
        ];
        for (record, expected) in cases {
            assert_eq!(verdict(record.clone()).as_deref(), expected, "{record}");
        }
        let foreign = verdict(json!({"name": "n", "type": "DATE_PICKER", "textField": {}})).unwrap();
        assert!(foreign.starts_with("Attribute textField is not allowed"), "{foreign}");
    }

    #[test]
    fn type_and_format_cannot_change() {
        let field = |kind: &str, format: &str| {
            let record = json!({"name": "n", "type": kind, "textField": {"fieldFormat": format}});
            CustomField::read(record.as_object().unwrap()).unwrap()
        };
        let short = field("TEXTBOX_SHORT", "TEXT");
        assert_eq!(check_change(&short, &short), Ok(()));
        let (member, value, sentence) = check_change(&field("TEXTBOX_LONG", "TEXT"), &short).unwrap_err();
        assert_eq!((member, value.as_str()), ("type", "TEXTBOX_LONG"));
        assert_eq!(
            sentence,
            "The type of the custom field can not be changed: newType = TEXTBOX_LONG, oldType = TEXTBOX_SHORT"
        );
        let (member, value, sentence) = check_change(&field("TEXTBOX_SHORT", "URL"), &short).unwrap_err();
        assert_eq!((member, value.as_str()), ("fieldFormat", "URL"));
        assert!(sentence.ends_with("newFormat = URL, oldFormat = TEXT"), "{sentence}");
    }
}
