//! The entries of FOLIO's `errors`.

use serde_json::{Map, Value, json};

/// One entry of FOLIO's `errors` array (docs/folio/conventions.md#error-shapes).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ErrorEntry {
    /// The sentence.
    pub message: String,
    /// `type`, where the module gives one.
    pub kind: Option<String>,
    /// `code`, where the module gives one.
    pub code: Option<String>,
    /// Parameters in order; `null` values stay.
    pub parameters: Vec<(String, Option<String>)>,
    /// The block behind the refusal, as mod-circulation adds it.
    pub overridable_block: Option<OverridableBlock>,
}

/// A block that staff may override.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OverridableBlock {
    /// Its name in requests and answers.
    pub name: &'static str,
    /// The permission to override it, if the caller lacks it.
    pub missing_permission: Option<&'static str>,
}

impl OverridableBlock {
    /// `{"name", "missingPermissions"}`.
    pub fn to_json(self) -> Value {
        let missing = Vec::from_iter(self.missing_permission);
        json!({"name": self.name, "missingPermissions": missing})
    }
}

impl ErrorEntry {
    /// An error about one parameter, in the style of the RMB modules (type 1, code -1).
    pub fn rmb(message: impl Into<String>, key: &str, value: &str) -> Self {
        Self { kind: Some("1".into()), code: Some("-1".into()), ..Self::plain(message, key, Some(value)) }
    }

    /// An error about one parameter without type and code, in the style of mod-circulation and mod-inventory.
    pub fn plain(message: impl Into<String>, key: &str, value: Option<&str>) -> Self {
        Self { message: message.into(), parameters: vec![(key.into(), value.map(str::to_owned))], ..Self::default() }
    }

    /// Modules that give a `type` print the code before the parameters, the others after them.
    pub fn to_json(&self) -> Value {
        let parameters = self.parameters.iter();
        let parameters = parameters.map(|(key, value)| json!({"key": key, "value": value}));
        let parameters = ("parameters".to_owned(), Value::from_iter(parameters));
        let code = self.code.as_deref();
        let code = code.map(|code| ("code".to_owned(), code.into()));
        let mut entry = Map::new();
        entry.insert("message".into(), self.message.as_str().into());
        match &self.kind {
            Some(kind) => {
                entry.insert("type".into(), kind.as_str().into());
                entry.extend(code);
                entry.extend([parameters]);
            }
            None => {
                entry.extend([parameters]);
                entry.extend(code);
            }
        }
        if let Some(block) = self.overridable_block {
            entry.insert("overridableBlock".into(), block.to_json());
        }
        Value::Object(entry)
    }
}
