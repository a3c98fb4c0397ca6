//! Fills a template.

use serde_json::Value;

use super::{Fault, LONGEST, Part};

pub(super) fn render(parts: &[Part], context: &Value) -> Result<String, Fault> {
    let mut out = String::new();
    write_parts(parts, &mut vec![context], &mut out)?;
    Ok(out)
}

fn write_parts(parts: &[Part], scopes: &mut Vec<&Value>, out: &mut String) -> Result<(), Fault> {
    for part in parts {
        match part {
            Part::Text(text) => out.push_str(text),
            Part::Value { name, escaped } => {
                let printed = find(name, scopes).map(print).unwrap_or_default();
                if *escaped {
                    escape(&printed, out);
                } else {
                    out.push_str(&printed);
                }
            }
            Part::Section { name, inverted, parts } => write_section(name, *inverted, parts, scopes, out)?,
        }
        if out.len() > LONGEST {
            return Err(Fault::TooLong);
        }
    }
    Ok(())
}

fn write_section(
    name: &str,
    inverted: bool,
    parts: &[Part],
    scopes: &mut Vec<&Value>,
    out: &mut String,
) -> Result<(), Fault> {
    let value = find(name, scopes).filter(|value| is_true(value));
    match (value, inverted) {
        (None, true) => write_parts(parts, scopes, out),
        (Some(Value::Array(elements)), false) => {
            for element in elements {
                write_inside(element, parts, scopes, out)?;
            }
            Ok(())
        }
        (Some(value), false) => write_inside(value, parts, scopes, out),
        _ => Ok(()),
    }
}

fn write_inside<'c>(
    scope: &'c Value,
    parts: &[Part],
    scopes: &mut Vec<&'c Value>,
    out: &mut String,
) -> Result<(), Fault> {
    scopes.push(scope);
    let written = write_parts(parts, scopes, out);
    scopes.pop();
    written
}

/// True unless absent, false or empty. Numbers are true, even zero.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(elements) => !elements.is_empty(),
        _ => true,
    }
}

/// The value of a name in the innermost scope that has it.
fn find<'c>(name: &str, scopes: &[&'c Value]) -> Option<&'c Value> {
    if name == "." {
        return scopes.last().copied();
    }
    let mut scopes = scopes.iter().rev();
    scopes.find_map(|scope| scope.get(name).or_else(|| find_path(name, scope)))
}

fn find_path<'c>(name: &str, scope: &'c Value) -> Option<&'c Value> {
    let mut steps = name.split('.');
    steps.try_fold(scope, |value, step| value.get(step))
}

/// A value as Java prints it.
fn print(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::Array(elements) => {
            let printed: Vec<_> = elements.iter().map(print).collect();
            format!("[{}]", printed.join(", "))
        }
        Value::Object(members) => {
            let members = members.iter();
            let printed: Vec<_> = members.map(|(name, value)| format!("{name}={}", print(value))).collect();
            format!("{{{}}}", printed.join(", "))
        }
    }
}

/// Escapes text for HTML as mustache.java does, which also writes control characters up to the carriage return as
/// numbers.
fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '`' => out.push_str("&#96;"),
            '=' => out.push_str("&#61;"),
            '\0'..='\r' => out.push_str(&format!("&#{};", u32::from(letter))),
            _ => out.push(letter),
        }
    }
}
