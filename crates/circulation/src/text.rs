//! Texts in the bodies of requests.

use serde_json::Value;

/// A text that is not blank. Numbers count as text: some clients send barcodes so.
pub fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}
