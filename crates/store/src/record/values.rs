//! Single values of a record: texts, numbers, identifiers, instants.

use std::borrow::Cow;

use jiff::{Timestamp, civil, tz::TimeZone};
use serde_json::{Map, Value};

use super::Rejection;

/// The text of a member; `None` if it is absent or not a text.
pub fn text<'a>(record: &'a Map<String, Value>, member: &str) -> Option<&'a str> {
    record.get(member).and_then(Value::as_str)
}

pub(super) fn unreadable(path: &str, expected: &str, found: &Value) -> Rejection {
    let mut shown = found.to_string();
    if shown.len() > 80 {
        shown = shown.chars().take(80).collect::<String>() + "…";
    }
    Rejection::Unreadable(format!("Json content error: {path} must be {expected}, but is {shown}"))
}

/// Refuses NUL characters, which PostgreSQL cannot store.
pub(super) fn without_nul(value: Value, path: &str) -> Result<Value, Rejection> {
    if has_nul(&value) { Err(nul(path)) } else { Ok(value) }
}

fn has_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_nul),
        Value::Object(members) => members.iter().any(|(name, value)| name.contains('\0') || has_nul(value)),
        _ => false,
    }
}

fn nul(path: &str) -> Rejection {
    Rejection::Unreadable(format!("Json content error: {path} contains a NUL character"))
}

pub(super) fn as_text(value: Value, path: &str) -> Result<String, Rejection> {
    match value {
        Value::String(text) if text.contains('\0') => Err(nul(path)),
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(flag) => Ok(flag.to_string()),
        other => Err(unreadable(path, "a string", &other)),
    }
}

pub(super) fn as_integer(value: Value, path: &str) -> Result<Value, Rejection> {
    let number = match &value {
        Value::Number(number) => {
            number.as_i64().or_else(|| number.as_f64().filter(|n| n.fract() == 0.0 && n.abs() < 9e15).map(|n| n as i64))
        }
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.map(Value::from).ok_or_else(|| unreadable(path, "a whole number", &value))
}

pub(super) fn as_number(value: Value, path: &str) -> Result<Value, Rejection> {
    match &value {
        Value::Number(_) => Ok(value),
        Value::String(text) => serde_json::from_str::<serde_json::Number>(&without_leading_zeros(text.trim()))
            .map(Value::Number)
            .map_err(|_| unreadable(path, "a number", &value)),
        other => Err(unreadable(path, "a number", other)),
    }
}

/// A number in a text may begin with zeros, as for Jackson; JSON's own may not.
fn without_leading_zeros(text: &str) -> Cow<'_, str> {
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let rest = digits.trim_start_matches('0');
    match digits.len() - rest.len() {
        0 => text.into(),
        _ if rest.starts_with(|next: char| next.is_ascii_digit()) => format!("{sign}{rest}").into(),
        _ => format!("{sign}0{rest}").into(),
    }
}

/// Parses an ISO date and time (docs/folio/circulation.md#dates: `Z`, `+HH:MM`, `+HHMM` or UTC without an offset; a
/// date alone is midnight UTC; also milliseconds since 1970) and formats it as stored: `2020-01-01T00:00:00.000+00:00`.
pub fn stored_instant(text: &str) -> Option<String> {
    read_instant(text).map(print_instant)
}

/// Parses an instant in any form that FOLIO's clients send.
pub fn read_instant(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some(instant);
    }
    if let Ok(instant) = Timestamp::strptime("%Y-%m-%dT%H:%M:%S%.f%z", text) {
        return Some(instant);
    }
    if let Ok(local) = text.parse::<civil::DateTime>() {
        return local.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    }
    None
}

/// Formats an instant as stored: `2020-01-01T00:00:00.000+00:00`.
pub fn print_instant(instant: Timestamp) -> String {
    instant.strftime("%Y-%m-%dT%H:%M:%S%.3f+00:00").to_string()
}

/// Formats an instant as exactly as the database keeps it: `2020-01-01T00:00:00.000000+00:00`.
pub fn print_exactly(instant: Timestamp) -> String {
    instant.strftime("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_are_read_in_every_form_clients_send() {
        let cases = [
            ("2022-12-09T23:59:59.000+00:00", "2022-12-09T23:59:59.000+00:00"),
            ("2022-12-09T23:59:59Z", "2022-12-09T23:59:59.000+00:00"),
            ("2022-12-09T23:59:59.123+0100", "2022-12-09T22:59:59.123+00:00"),
            ("2022-12-09T23:59:59", "2022-12-09T23:59:59.000+00:00"),
            ("2022-12-09", "2022-12-09T00:00:00.000+00:00"),
        ];
        for (sent, stored) in cases {
            assert_eq!(stored_instant(sent).as_deref(), Some(stored), "{sent}");
        }
        for bad in ["", "soon", "2022-13-01", "2022-12-09T25:00:00Z"] {
            assert_eq!(stored_instant(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_number_in_a_text_may_begin_with_zeros() {
        for (sent, read) in
            [("00.0", "0.0"), ("007", "7"), ("-00.50", "-0.50"), ("0", "0"), ("0.5", "0.5"), ("12e1", "12e1")]
        {
            let number = as_number(sent.into(), "value").expect("a number");
            assert_eq!(number, serde_json::from_str::<Value>(read).expect("a number"), "{sent}");
        }
        for bad in ["0x1", "0-1", "--1", "0 1", "00-"] {
            assert!(as_number(bad.into(), "value").is_err(), "{bad}");
        }
    }
}
