//! Schemas of the declared record types ([`::archives::model`]).

use ::archives::model::{Fields, Kind, Needed, Property, RecordType, Text, class_name};
use serde_json::{Map, Value, json};
use store::record::Side;

/// Members that the server adds to records and their parts, in the notation of [`store::record`].
const OF_ALL: &str = "uri*, jsonmodel_type*, lock_version*:int, created_by, last_modified_by, create_time:datetime,
    user_mtime:datetime, system_mtime:datetime";

/// The schema of a record type, as clients send it or as they get it.
pub(super) fn schema(of: &RecordType, side: Side) -> Value {
    let mut schema = object(&of.fields, side);
    if side == Side::Given {
        given(&mut schema, of);
    }
    schema
}

/// Members that answers have beside the declared ones, in the notation of [`store::record`].
const ALSO: [(&str, &str); 6] = [
    ("classification", "tree:Link, suppressed:bool"),
    ("classification_term", "ancestors[Link], suppressed:bool, has_unpublished_ancestor:bool"),
    ("container_circulation", "repository:Link"),
    ("digital_object_tree", "level?, instance_types[], containers[object], children[object]"),
    ("enumeration_value", "id:int"),
    ("user", "is_hidden_user:bool"),
];
/// Records that are shown within others, and then without a version or address.
const PARTS: [&str; 5] = ["collection_management", "enumeration_value", "repository_with_agent", "telephone", "term"];
/// Types whose objects do not say in all places what they are.
const UNTYPED: [&str; 5] = ["ark_name", "classification_tree", "defaults", "digital_object_tree", "resource_tree"];

fn also(of: &str) -> Map<String, Value> {
    let declared = ALSO.iter().find(|(name, _)| *name == of).map_or("", |(_, more)| more);
    let mut schema = store::record::Kind::declare(declared).to_open_api(Side::Given);
    schema["properties"].as_object_mut().map(std::mem::take).unwrap_or_default()
}

/// Adds what the server adds.
fn given(schema: &mut Value, of: &RecordType) {
    let added = store::record::Kind::declare(OF_ALL).to_open_api(Side::Given);
    let all = added["properties"].as_object().into_iter().flatten();
    for (name, member) in all.filter(|(name, _)| of.uri.is_some() || name.as_str() != "uri") {
        schema["properties"][name] = member.clone();
    }
    let is_record = of.uri.as_deref().is_some_and(|uri| !uri.replace(":repo_id", "").contains(':'));
    schema["properties"]["jsonmodel_type"] = json!({"type": "string", "enum": [of.name]});
    for (name, member) in also(&of.name) {
        schema["properties"][name] = member;
    }
    if of.is_in_repository() {
        schema["properties"]["repository"] = reference(&["repository".to_owned()], Side::Given);
    }
    let is = |names: &[&str]| names.contains(&of.name.as_str());
    let always = [
        ("jsonmodel_type", !is(&UNTYPED)),
        ("uri", is_record && !is(&PARTS)),
        ("lock_version", is_record && !is(&PARTS)),
    ];
    let required = always.into_iter().filter(|(_, always)| *always).map(|(name, _)| json!(name));
    match schema["required"].as_array_mut() {
        Some(names) => names.extend(required),
        None => schema["required"] = required.collect(),
    }
}

/// The schema of an object with these properties. What clients only read is not in what they send; other members that they
/// send are dropped, too.
fn object(fields: &Fields, side: Side) -> Value {
    let of_side = |property: &&Property| side == Side::Given || !property.read_only;
    let mut properties: Map<String, Value> =
        fields.properties.iter().filter(of_side).map(|one| (one.name.clone(), property(one, side))).collect();
    if let (Some(targets), Side::Given) = (fields.targets(), side) {
        properties.insert("_resolved".to_owned(), any_of(targets));
    }
    let always = |property: &&Property| property.needed == Needed::Yes && property.default.is_none();
    let required: Vec<&str> =
        fields.properties.iter().filter(of_side).filter(always).map(|one| one.name.as_str()).collect();
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    if side == Side::Given {
        schema["additionalProperties"] = false.into();
    }
    schema
}

fn property(of: &Property, side: Side) -> Value {
    let mut schema = kind(&of.kind, side);
    if of.read_only {
        schema["readOnly"] = true.into();
    }
    if let (Side::Taken, Some(default)) = (side, &of.default) {
        schema["default"] = default.clone();
    }
    schema
}

fn kind(of: &Kind, side: Side) -> Value {
    match of {
        Kind::Text(of) => text(of, side),
        Kind::Integer => json!({"type": "integer"}),
        Kind::Number => json!({"type": "number"}),
        Kind::Boolean => json!({"type": "boolean"}),
        Kind::Date => json!({"type": "string", "format": "date"}),
        // Clients may write a time in other ways, which are kept.
        Kind::DateTime => json!({"type": "string", "description": "A time"}),
        Kind::Object => json!({"type": "object", "additionalProperties": true}),
        Kind::Fields(fields) => object(fields, side),
        Kind::Array { of, least } => {
            let mut schema = json!({"type": "array", "items": kind(of, side)});
            if let (Side::Taken, Some(least)) = (side, least) {
                schema["minItems"] = json!(least);
            }
            schema
        }
        Kind::Record(name) => named(name, side),
        Kind::Uri(types) => address(types),
        Kind::RecordOrUri(name) => json!({"anyOf": [named(name, side), address(std::slice::from_ref(name))]}),
        Kind::AnyOf(kinds) => json!({"anyOf": kinds.iter().map(|one| kind(one, side)).collect::<Vec<_>>()}),
    }
}

fn text(of: &Text, side: Side) -> Value {
    let mut schema = json!({"type": "string"});
    if let Some(list) = &of.list {
        schema["description"] = format!("One of the value list {list}").into();
    }
    if !of.one_of.is_empty() {
        schema["enum"] = json!(of.one_of);
    }
    if side == Side::Taken {
        let limits = [("minLength", of.least), ("maxLength", of.most)];
        for (name, limit) in limits {
            if let Some(limit) = limit {
                schema[name] = json!(limit);
            }
        }
        if let Some(pattern) = &of.pattern {
            // The same in the dialect of JSON Schema.
            schema["pattern"] = pattern.as_str().replace(r"\A", "^").replace(r"\z", "$").into();
        }
    }
    schema
}

/// A schema that the document has by its name.
fn named(name: &str, side: Side) -> Value {
    store::record::Kind::Named(class_name(name)).to_open_api(side)
}

fn address(types: &[String]) -> Value {
    let names: Vec<_> = types.iter().map(|name| name.replace('_', " ")).collect();
    json!({"type": "string", "description": format!("The address of: {}", names.join(", "))})
}

/// A reference to a record of one of the types.
fn reference(types: &[String], side: Side) -> Value {
    let mut members = json!({"ref": address(types)});
    if side == Side::Given {
        members["_resolved"] = any_of(types);
    }
    json!({"type": "object", "properties": members, "required": ["ref"], "additionalProperties": false})
}

/// A record of one of the types, put in by `resolve[]`.
fn any_of(types: &[String]) -> Value {
    match types {
        [one] => named(one, Side::Given),
        several => json!({"anyOf": several.iter().map(|one| named(one, Side::Given)).collect::<Vec<_>>()}),
    }
}
