//! What `GET /schemas/:name` answers: the declaration of a record type in the form that ArchivesSpace has.

use serde_json::{Map, Value, json};

use super::declaration::{Fields, Kind, Needed, Property, RecordType, Text};

/// The schema of the record type.
pub fn json_schema(of: &RecordType) -> Value {
    let mut schema = Map::new();
    schema.insert("$schema".to_owned(), json!("http://www.archivesspace.org/archivesspace.json"));
    schema.insert("version".to_owned(), json!(1));
    schema.insert("type".to_owned(), json!("object"));
    if let Some(parent) = &of.parent {
        schema.insert("parent".to_owned(), json!(parent));
    }
    if let Some(uri) = &of.uri {
        schema.insert("uri".to_owned(), json!(uri));
    }
    if of.fields.targets().is_some() {
        schema.insert("subtype".to_owned(), json!("ref"));
    }
    let mut properties = Map::new();
    if of.uri.is_some() {
        properties.insert("uri".to_owned(), json!({"type": "string", "required": false}));
    }
    properties.extend(declared(&of.fields));
    properties.extend(of_all_records(&properties));
    schema.insert("properties".to_owned(), Value::Object(properties));
    Value::Object(schema)
}

/// The properties that every record has, besides those given.
fn of_all_records(given: &Map<String, Value>) -> Map<String, Value> {
    let text = json!({"type": "string", "readonly": true});
    let time = json!({"type": "date-time", "readonly": true});
    let repository = json!({
        "type": "object",
        "subtype": "ref",
        "readonly": "true",
        "properties": {
            "ref": {"type": "JSONModel(:repository) uri", "ifmissing": "error", "readonly": "true"},
            "_resolved": {"type": "object", "readonly": "true"},
        },
    });
    let all = [
        ("lock_version", json!({"type": ["integer", "string"], "required": false})),
        ("jsonmodel_type", json!({"type": "string", "ifmissing": "error"})),
        ("created_by", text.clone()),
        ("last_modified_by", text),
        ("user_mtime", time.clone()),
        ("system_mtime", time.clone()),
        ("create_time", time),
        ("repository", repository),
    ];
    let missing = all.into_iter().filter(|(name, _)| !given.contains_key(*name));
    missing.map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn declared(fields: &Fields) -> Map<String, Value> {
    let mut properties: Map<_, _> =
        fields.properties.iter().map(|property| (property.name.clone(), of_property(property))).collect();
    if fields.targets().is_some() {
        properties.insert("_resolved".to_owned(), json!({"type": "object", "readonly": "true"}));
    }
    properties
}

fn of_property(property: &Property) -> Value {
    let mut schema = of_kind(&property.kind);
    match property.needed {
        Needed::No => {}
        Needed::Warned => {
            schema.insert("required".to_owned(), json!(true));
        }
        Needed::Yes => {
            schema.insert("ifmissing".to_owned(), json!("error"));
        }
    }
    if property.read_only {
        schema.insert("readonly".to_owned(), json!(true));
    }
    if let Some(default) = &property.default {
        schema.insert("default".to_owned(), default.clone());
    }
    Value::Object(schema)
}

fn of_kind(kind: &Kind) -> Map<String, Value> {
    let typed = |of: Value| Map::from_iter([("type".to_owned(), of)]);
    match kind {
        Kind::Text(text) => of_text(text),
        Kind::Integer => typed(json!("integer")),
        Kind::Number => typed(json!("number")),
        Kind::Boolean => typed(json!("boolean")),
        Kind::Date => typed(json!("date")),
        Kind::DateTime => typed(json!("date-time")),
        Kind::Object => typed(json!("object")),
        Kind::Record(name) => typed(json!(format!("JSONModel(:{name}) object"))),
        Kind::RecordOrUri(name) => typed(json!(format!("JSONModel(:{name}) uri_or_object"))),
        Kind::Uri(types) => match types.as_slice() {
            [one] => typed(uri(one)),
            several => typed(several.iter().map(|name| json!({"type": uri(name)})).collect()),
        },
        Kind::AnyOf(kinds) => typed(kinds.iter().map(|kind| Value::Object(of_kind(kind))).collect()),
        Kind::Array { of, least } => {
            let mut schema = typed(json!("array"));
            schema.extend(least.map(|least| ("minItems".to_owned(), json!(least))));
            schema.insert("items".to_owned(), Value::Object(of_kind(of)));
            schema
        }
        Kind::Fields(fields) => {
            let mut schema = typed(json!("object"));
            if fields.targets().is_some() {
                schema.insert("subtype".to_owned(), json!("ref"));
            }
            schema.insert("properties".to_owned(), Value::Object(declared(fields)));
            schema
        }
    }
}

fn uri(name: &str) -> Value {
    json!(format!("JSONModel(:{name}) uri"))
}

fn of_text(text: &Text) -> Map<String, Value> {
    let one_of = if text.one_of.is_empty() { None } else { Some(json!(text.one_of)) };
    let limits = [
        ("minLength", text.least.map(Value::from)),
        ("maxLength", text.most.map(Value::from)),
        ("pattern", text.pattern.as_ref().map(|pattern| Value::from(pattern.as_str()))),
        ("enum", one_of),
        ("dynamic_enum", text.list.clone().map(Value::from)),
    ];
    let mut schema = Map::from_iter([("type".to_owned(), json!("string"))]);
    schema.extend(limits.into_iter().filter_map(|(name, limit)| Some((name.to_owned(), limit?))));
    schema
}

#[cfg(test)]
mod tests {
    use super::super::registry::{record_type, record_types};
    use super::*;

    fn property(of: &str, name: &str) -> Value {
        json_schema(record_type(of).unwrap())["properties"][name].clone()
    }

    #[test]
    fn properties_are_written_as_clients_know_them() {
        let reference = json!({
            "type": "object", "subtype": "ref",
            "properties": {
                "ref": {"type": "JSONModel(:subject) uri", "ifmissing": "error"},
                "_resolved": {"type": "object", "readonly": "true"},
            },
        });
        let cases = [
            ("resource", "title", json!({"type": "string", "minLength": 1, "maxLength": 16384, "ifmissing": "error"})),
            (
                "resource",
                "level",
                json!({"type": "string", "dynamic_enum": "archival_record_level", "ifmissing": "error"}),
            ),
            ("resource", "restrictions", json!({"type": "boolean", "default": false})),
            (
                "resource",
                "extents",
                json!({
                    "type": "array", "minItems": 1, "items": {"type": "JSONModel(:extent) object"}, "ifmissing": "error",
                }),
            ),
            ("resource", "subjects", json!({"type": "array", "items": reference})),
            ("resource", "suppressed", json!({"type": "boolean", "readonly": true})),
            ("resource", "uri", json!({"type": "string", "required": false})),
            ("extent", "uri", Value::Null),
            ("extent", "lock_version", json!({"type": ["integer", "string"], "required": false})),
            ("permission", "level", json!({"type": "string", "enum": ["repository", "global"], "ifmissing": "error"})),
            (
                "subject",
                "terms",
                json!({
                    "type": "array", "minItems": 1, "items": {"type": "JSONModel(:term) uri_or_object"}, "ifmissing": "error",
                }),
            ),
            (
                "agent_relationship_parentchild",
                "ref",
                json!({
                    "type": [{"type": "JSONModel(:agent_person) uri"}, {"type": "JSONModel(:agent_family) uri"}],
                    "ifmissing": "error",
                }),
            ),
            (
                "repository_with_agent",
                "repository",
                json!({"type": "JSONModel(:repository) object", "ifmissing": "error"}),
            ),
        ];
        for (of, name, expected) in cases {
            assert_eq!(property(of, name), expected, "{of} {name}");
        }
    }

    #[test]
    fn a_schema_says_what_its_type_is() {
        let schema = json_schema(record_type("archival_object").unwrap());
        assert_eq!((&schema["parent"], &schema["type"]), (&json!("abstract_archival_object"), &json!("object")));
        assert_eq!(schema["uri"], "/repositories/:repo_id/archival_objects");
        assert_eq!(json_schema(record_type("container_location").unwrap())["subtype"], "ref");
        for of in record_types() {
            let schema = json_schema(of);
            assert_eq!(schema["properties"]["jsonmodel_type"]["ifmissing"], "error", "{}", of.name);
        }
    }
}
