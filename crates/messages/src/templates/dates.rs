//! Formats the dates in a context for the library's locale. A member is a date if its name ends with `…Date`,
//! `…DateTime` or `…DetailedDateTime`.

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::locale::{Locale, Style};

/// Adds a `…DateTime` beside every `…Date` and formats every date. A text that is not an instant with an offset stays
/// as it is.
pub(crate) fn write_dates(context: &mut Value, locale: &Locale) {
    match context {
        Value::Object(members) => {
            add_times(members);
            for (name, value) in members.iter_mut() {
                match value {
                    Value::String(text) => write_date(name, text, locale),
                    other => write_dates(other, locale),
                }
            }
        }
        Value::Array(elements) => {
            for element in elements {
                write_dates(element, locale);
            }
        }
        _ => {}
    }
}

fn add_times(members: &mut Map<String, Value>) {
    let dates: Vec<_> = members
        .iter()
        .filter(|(name, value)| name.ends_with("Date") && is_text(value))
        .map(|(name, value)| (format!("{name}Time"), value.clone()))
        .collect();
    for (name, value) in dates {
        members.entry(name).or_insert(value);
    }
}

fn is_text(value: &Value) -> bool {
    value.as_str().is_some_and(|text| !text.trim().is_empty())
}

fn write_date(name: &str, text: &mut String, locale: &Locale) {
    if let Some(style) = style(name)
        && let Ok(moment) = text.parse::<Timestamp>()
    {
        *text = locale.write(moment, style);
    }
}

fn style(name: &str) -> Option<Style> {
    let name = name.to_lowercase();
    [("detaileddatetime", Style::DetailedDateTime), ("date", Style::Date), ("datetime", Style::DateTime)]
        .into_iter()
        .find(|(end, _)| name.ends_with(end))
        .map(|(_, style)| style)
}
