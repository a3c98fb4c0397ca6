//! How messages write kinds and values. Clients see Ruby's spelling, which ArchivesSpace is written in.

use std::fmt::Write;

use serde_json::{Map, Value};

/// What messages call the kind of a value, such as `String`.
pub(crate) fn class_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "NilClass",
        Value::Bool(true) => "TrueClass",
        Value::Bool(false) => "FalseClass",
        Value::Number(number) if number.is_f64() => "Float",
        Value::Number(_) => "Integer",
        Value::String(_) => "String",
        Value::Array(_) => "Array",
        Value::Object(_) => "Hash",
    }
}

/// The name of a record type's class: `ArchivalObject` of `archival_object`.
pub fn class_name(kind: &str) -> String {
    let words = kind.split('_').map(|word| {
        let (first, rest) = word.split_at(usize::from(!word.is_empty()));
        first.to_uppercase() + rest
    });
    words.collect()
}

/// The value as messages write it: `{"title"=>"A", "dates"=>[]}`.
pub fn inspect(value: &Value) -> String {
    let mut text = String::new();
    write_value(&mut text, value);
    text
}

/// The same of a map.
pub(crate) fn inspect_map(map: &Map<String, Value>) -> String {
    let mut text = String::new();
    write_map(&mut text, map);
    text
}

fn write_value(into: &mut String, value: &Value) {
    match value {
        Value::Null => into.push_str("nil"),
        Value::Bool(flag) => into.push_str(if *flag { "true" } else { "false" }),
        Value::Number(number) => into.push_str(&number.to_string()),
        Value::String(text) => write_text(into, text),
        Value::Array(items) => {
            into.push('[');
            for (place, item) in items.iter().enumerate() {
                into.push_str(if place > 0 { ", " } else { "" });
                write_value(into, item);
            }
            into.push(']');
        }
        Value::Object(map) => write_map(into, map),
    }
}

fn write_map(into: &mut String, map: &Map<String, Value>) {
    into.push('{');
    for (place, (key, value)) in map.iter().enumerate() {
        into.push_str(if place > 0 { ", " } else { "" });
        write_text(into, key);
        into.push_str("=>");
        write_value(into, value);
    }
    into.push('}');
}

fn write_text(into: &mut String, text: &str) {
    into.push('"');
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '"' => into.push_str("\\\""),
            '\\' => into.push_str("\\\\"),
            '\n' => into.push_str("\\n"),
            '\r' => into.push_str("\\r"),
            '\t' => into.push_str("\\t"),
            '\u{1b}' => into.push_str("\\e"),
            '#' if matches!(characters.peek(), Some('{' | '$' | '@')) => into.push_str("\\#"),
            control if control.is_control() => {
                write!(into, "\\u{:04X}", u32::from(control)).expect("writing to a text cannot fail");
            }
            plain => into.push(plain),
        }
    }
    into.push('"');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_value_is_written_as_ruby_does() {
        let value = json!({"a": "q\"\\\n", "b": [1, 2.5, true, null], "c": {"d": {}}, "e": "é #{x} #y"});
        let expected = r##"{"a"=>"q\"\\\n", "b"=>[1, 2.5, true, nil], "c"=>{"d"=>{}}, "e"=>"é \#{x} #y"}"##;
        assert_eq!(inspect(&value), expected);
    }

    #[test]
    fn kinds_have_rubys_names() {
        let cases = [(json!(1), "Integer"), (json!(1.5), "Float"), (json!(false), "FalseClass"), (json!({}), "Hash")];
        for (value, class) in cases {
            assert_eq!(class_of(&value), class);
        }
    }
}
