//! Validates against the part of JSON Schema that the API document uses. An unknown keyword is an error, so that none
//! is ignored by mistake.

use serde_json::Value;
use store::record;

/// Keywords that describe but do not constrain a body.
const SILENT: [&str; 4] = ["description", "readOnly", "default", "pattern"];

/// The target of a reference, or the value itself.
pub(super) fn resolved<'d>(document: &'d Value, value: &'d Value) -> &'d Value {
    let reference = value["$ref"].as_str();
    let pointer = reference.and_then(|reference| reference.strip_prefix('#'));
    match pointer {
        Some(pointer) => document.pointer(pointer).unwrap_or_else(|| panic!("the API document has no {pointer}")),
        None => value,
    }
}

/// Which body is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// An answer.
    Given,
    /// A request to the FOLIO port, where the same may be said in several ways.
    Taken,
    /// A request to the archives' port, where kinds are not converted. Nulls, empty texts and empty objects have been
    /// taken out.
    TakenAsIs,
}

/// The first member that violates the schema, with its place.
pub(super) fn check(document: &Value, side: Side, schema: &Value, value: &Value) -> Result<(), String> {
    let checker = Checker { document, side };
    checker.check(schema, value, "the body")
}

struct Checker<'d> {
    document: &'d Value,
    side: Side,
}

impl Checker<'_> {
    fn check(&self, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        if self.is_dropped(schema, value) {
            return Ok(());
        }
        let schema = resolved(self.document, schema);
        for (keyword, says) in schema.as_object().into_iter().flatten() {
            let is_kept = match keyword.as_str() {
                "type" if self.side == Side::Taken => can_be(says, value),
                "type" => has_type(says, value),
                "enum" => says.as_array().is_some_and(|all| all.contains(value)),
                "format" if self.side == Side::Taken && says == "date-time" => {
                    value.as_str().is_none_or(|text| record::stored_instant(text).is_some())
                }
                "format" => value.as_str().is_none_or(|text| has_format(says, text)),
                "maxLength" => says.as_u64().is_some_and(|most| length(value) <= most),
                // A text that is too short is dropped, if it is empty.
                "minLength" => says.as_u64().is_some_and(|least| value.as_str() == Some("") || length(value) >= least),
                "minItems" => says.as_u64().is_some_and(|least| value.as_array().map_or(0, Vec::len) as u64 >= least),
                "required" => self.required(says, value, at)?,
                "properties" => self.properties(says, value, at)?,
                "additionalProperties" => self.additional(schema, says, value, at)?,
                "items" => self.items(says, value, at)?,
                "anyOf" => self.any_of(says, value, at),
                silent if SILENT.contains(&silent) => true,
                unknown => {
                    panic!("the tests do not know the keyword {unknown} of the API document")
                }
            };
            if !is_kept {
                let mut shown = value.to_string();
                if shown.len() > 200 {
                    shown = shown.chars().take(200).collect::<String>() + "…";
                }
                return Err(format!("{at} has the {keyword} {says}, and is {shown}"));
            }
        }
        Ok(())
    }

    /// Whether a request's value is dropped unread (docs/folio/conventions.md#stored-form): null, an empty text in place
    /// of a date, a number or a flag, and members that the server computes.
    fn is_dropped(&self, schema: &Value, value: &Value) -> bool {
        let is_blank = value.as_str().is_some_and(|text| text.trim().is_empty());
        let is_text = schema["type"] == "string" && schema["format"] != "date-time";
        self.side == Side::Taken && (value.is_null() || schema["readOnly"] == true || is_blank && !is_text)
    }

    fn required(&self, names: &Value, value: &Value, at: &str) -> Result<bool, String> {
        let names = names.as_array().into_iter().flatten();
        let mut names = names.filter_map(Value::as_str);
        match value.as_object() {
            Some(members) => match names.find(|name| {
                let member = members.get(*name);
                member.is_none_or(|member| self.side == Side::Taken && member.is_null())
            }) {
                Some(missing) => Err(format!("{at} has {missing}, which is missing")),
                None => Ok(true),
            },
            None => Ok(true),
        }
    }

    fn properties(&self, schemas: &Value, value: &Value, at: &str) -> Result<bool, String> {
        for (name, value) in value.as_object().into_iter().flatten() {
            if let Some(schema) = schemas.get(name) {
                self.check(schema, value, &format!("{at}.{name}"))?;
            }
        }
        Ok(true)
    }

    fn items(&self, schema: &Value, value: &Value, at: &str) -> Result<bool, String> {
        for (place, value) in value.as_array().into_iter().flatten().enumerate() {
            self.check(schema, value, &format!("{at}[{place}]"))?;
        }
        Ok(true)
    }

    /// Members that are not declared: forbidden, allowed, or all of one schema.
    fn additional(&self, schema: &Value, says: &Value, value: &Value, at: &str) -> Result<bool, String> {
        let declared = &schema["properties"];
        let members = value.as_object().into_iter().flatten();
        for (name, value) in members.filter(|(name, _)| declared.get(name).is_none()) {
            match says {
                Value::Bool(true) => {}
                Value::Bool(false) => {
                    let shown: String = value.to_string().chars().take(200).collect();
                    return Err(format!("{at} has no {name} ({shown})"));
                }
                schema => self.check(schema, value, &format!("{at}.{name}"))?,
            }
        }
        Ok(true)
    }

    fn any_of(&self, schemas: &Value, value: &Value, at: &str) -> bool {
        let mut schemas = schemas.as_array().into_iter().flatten();
        schemas.any(|schema| self.check(schema, value, at).is_ok())
    }
}

/// How many characters a text has.
fn length(value: &Value) -> u64 {
    value.as_str().map_or(0, |text| text.chars().count()) as u64
}

/// Whether a request may have this value for the type: texts, numbers and flags are read from each other, as Jackson does.
fn can_be(says: &Value, value: &Value) -> bool {
    match (says.as_str(), value) {
        (Some("string"), Value::Number(_) | Value::Bool(_)) => true,
        (Some(one @ ("integer" | "number" | "boolean")), Value::String(text)) => {
            serde_json::from_str(text).is_ok_and(|read| has_type(&one.into(), &read))
        }
        _ => has_type(says, value),
    }
}

fn has_type(says: &Value, value: &Value) -> bool {
    match says {
        Value::Array(types) => types.iter().any(|one| has_type(one, value)),
        Value::String(one) => match one.as_str() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
            "null" => value.is_null(),
            unknown => panic!("the API document has the type {unknown}"),
        },
        _ => panic!("the API document has the type {says}"),
    }
}

fn has_format(says: &Value, text: &str) -> bool {
    match says.as_str() {
        Some("uuid") => record::is_uuid(text),
        Some("date-time") => is_instant(text),
        Some("date") => text.parse::<jiff::civil::Date>().is_ok(),
        _ => panic!("the API document has the format {says}"),
    }
}

/// RFC 3339: a date, a time and an offset.
fn is_instant(text: &str) -> bool {
    let has_offset = text.ends_with('Z')
        || text
            .get(text.len().saturating_sub(6)..)
            .is_some_and(|end| end.starts_with(['+', '-']) && end.as_bytes()[3] == b':');
    has_offset && text.parse::<jiff::Timestamp>().is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fault(value: &Value) -> Option<String> {
        let loan = json!({
            "type": "object",
            "properties": {
                "id": {"type": "string", "format": "uuid"},
                "dueDate": {"type": ["string", "null"], "format": "date-time"},
                "item": {"$ref": "#/components/schemas/Item"},
                "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}},
            },
            "required": ["id"],
            "additionalProperties": false,
        });
        let item = json!({"anyOf": [{"type": "integer"}, {"type": "object"}]});
        let document = json!({"components": {"schemas": {"Loan": loan, "Item": item}}});
        let named = json!({"$ref": "#/components/schemas/Loan"});
        check(&document, Side::Given, &named, value).err()
    }

    #[test]
    fn a_body_as_declared_has_no_fault() {
        let id = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
        for value in [
            json!({"id": id}),
            json!({"id": id, "dueDate": null, "item": 3}),
            json!({"id": id, "dueDate": "2026-01-01T00:00:00.000+00:00", "item": {"x": 1}}),
            json!({"id": id, "dueDate": "2026-01-01T00:00:00Z", "tags": ["b"]}),
        ] {
            assert_eq!(fault(&value), None, "{value}");
        }
    }

    #[test]
    fn a_request_may_say_the_same_in_other_ways() {
        let schema = json!({
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "count": {"type": "integer"},
                "dueDate": {"type": "string", "format": "date-time"},
                "metadata": {"type": "object", "readOnly": true},
            },
            "required": ["name"],
        });
        let fault = |sent: &Value| check(&json!({}), Side::Taken, &schema, sent).err();
        for sent in [
            json!({"name": 7, "count": "3", "more": 1}),
            json!({"name": "", "count": "", "dueDate": "2026-01-01", "metadata": "x"}),
            json!({"name": "a", "count": null}),
        ] {
            assert_eq!(fault(&sent), None, "{sent}");
        }
        for sent in [
            json!({"name": null}),
            json!({"name": {}}),
            json!({"name": "a", "count": "three"}),
            json!({"name": "a", "dueDate": "soon"}),
        ] {
            assert!(fault(&sent).is_some(), "{sent}");
        }
    }

    #[test]
    fn a_fault_names_its_member() {
        let id = "3a40852d-49fd-4df2-a1f9-6e2641a6e91f";
        for (value, member) in [
            (json!([]), "the body"),
            (json!({}), "id"),
            (json!({"id": "x"}), "the body.id"),
            (json!({"id": id, "dueDate": "2026-01-01"}), "the body.dueDate"),
            (json!({"id": id, "dueDate": 3}), "the body.dueDate"),
            (json!({"id": id, "item": "x"}), "the body.item"),
            (json!({"id": id, "borrower": {}}), "borrower"),
            (json!({"id": id, "tags": ["a", "c"]}), "the body.tags[1]"),
        ] {
            let fault = fault(&value).expect("a fault");
            assert!(fault.contains(member), "{fault}");
        }
    }
}
