//! A record's declaration as an OpenAPI schema.

use serde_json::{Map, Value, json};

use super::{Kind, Schema};

impl Schema {
    /// The JSON Schema of this record, for the OpenAPI document.
    #[must_use]
    pub fn to_open_api(&self) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in &self.fields {
            let mut schema = field.kind.to_open_api();
            if field.computed {
                schema["readOnly"] = true.into();
            }
            if let Some(max) = field.max_length {
                schema["maxLength"] = max.into();
            }
            if let Some(default) = &field.default {
                schema["default"] = default.clone();
            }
            properties.insert(field.name.clone(), schema);
            if field.required {
                required.push(Value::from(field.name.as_str()));
            }
        }
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        schema
    }
}

impl Kind {
    fn to_open_api(&self) -> Value {
        match self {
            Kind::Text => json!({"type": "string"}),
            Kind::Bool => json!({"type": "boolean"}),
            Kind::Integer => json!({"type": "integer"}),
            Kind::Number => json!({"type": "number"}),
            Kind::Uuid => json!({"type": "string", "format": "uuid"}),
            Kind::DateTime => json!({"type": "string", "format": "date-time"}),
            Kind::OneOf(texts) => json!({"type": "string", "enum": texts}),
            Kind::Any => json!({}),
            Kind::FreeObject => json!({"type": "object", "additionalProperties": true}),
            Kind::Object(schema) => schema.to_open_api(),
            Kind::List(element) => json!({"type": "array", "items": element.to_open_api()}),
        }
    }
}
