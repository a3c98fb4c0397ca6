//! A record's declaration as an OpenAPI schema.

use serde_json::{Map, Value, json};

use super::{Field, Kind, Schema};

/// Which way a body goes. They differ in what is promised: an answer has no member that is not declared, while a
/// request may bring more, which its route refuses or ignores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// From the client.
    Taken,
    /// To the client.
    Given,
}

impl Schema {
    /// The JSON Schema of this record, for the OpenAPI document.
    pub fn to_open_api(&self, side: Side) -> Value {
        let mut properties = Map::new();
        let mut required = Vec::new();
        for field in self.fields.iter().filter(|field| !field.is_ignored(side)) {
            properties.insert(field.name.clone(), field.to_open_api(side));
            if field.required && !field.may_lack(side) {
                required.push(Value::from(field.name.as_str()));
            }
        }
        let mut schema = json!({"type": "object", "properties": properties});
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        match side {
            Side::Given => schema["additionalProperties"] = self.undeclared_members.into(),
            Side::Taken => {}
        }
        schema
    }
}

impl Field {
    /// Whether a required member may be absent.
    fn may_lack(&self, side: Side) -> bool {
        match side {
            Side::Given => self.removable,
            Side::Taken => matches!(self.kind, Kind::List(_)) && self.default.is_some(),
        }
    }

    /// A computed member of any kind is one that clients send back and no answer has.
    fn is_ignored(&self, side: Side) -> bool {
        side == Side::Given && self.computed && self.kind == Kind::Any
    }

    fn to_open_api(&self, side: Side) -> Value {
        let mut schema = self.kind.to_open_api(side);
        if self.computed {
            schema["readOnly"] = true.into();
        }
        if side == Side::Taken {
            if let Some(max) = self.max_length {
                schema["maxLength"] = max.into();
            }
            if let Some(default) = &self.default {
                schema["default"] = default.clone();
            }
        } else if self.nullable {
            nullable(&mut schema);
        }
        schema
    }
}

fn nullable(schema: &mut Value) {
    if let Some(kind) = schema.get("type").cloned() {
        schema["type"] = json!([kind, "null"]);
    }
    if schema.get("$ref").is_some() {
        *schema = json!({"anyOf": [schema.take(), {"type": "null"}]});
    }
    if let Some(Value::Array(texts)) = schema.get_mut("enum") {
        texts.push(Value::Null);
    }
}

impl Kind {
    /// The JSON Schema of a value of this kind.
    pub fn to_open_api(&self, side: Side) -> Value {
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
            Kind::Named(name) => {
                let suffix = if side == Side::Taken { "Input" } else { "" };
                json!({"$ref": format!("#/components/schemas/{name}{suffix}")})
            }
            Kind::Either(kinds) => {
                let kinds = kinds.iter().map(|kind| kind.to_open_api(side));
                json!({"anyOf": kinds.collect::<Value>()})
            }
            Kind::Object(schema) => schema.to_open_api(side),
            Kind::List(element) => {
                json!({"type": "array", "items": element.to_open_api(side)})
            }
        }
    }
}
