//! Text members of request bodies.

use serde_json::Value;

/// Reads a non-blank text. Accepts numbers, because some clients send barcodes as numbers.
pub fn text(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.trim().is_empty()).then_some(text)
}
