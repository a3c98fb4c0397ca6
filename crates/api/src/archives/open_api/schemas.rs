//! The schemas that the document has by name: those that its paths, or other schemas of it, refer to.

use std::collections::{BTreeMap, HashMap};

use ::archives::model::{RecordType, class_name, record_types};
use serde_json::{Value, json};
use store::record::{Kind, Side};

use super::{
    answers::{ANSWERS, MAPS},
    records,
};

const PREFIX: &str = "#/components/schemas/";
/// What the name of a record ends with when clients send it.
const INPUT: &str = "Input";

/// The schemas by name.
///
/// # Panics
/// If a declaration of a route names what nobody has declared.
pub(super) fn used_in(paths: &Value) -> Value {
    let types: HashMap<String, &RecordType> = record_types().iter().map(|of| (class_name(&of.name), of)).collect();
    let answers: HashMap<&str, &str> = ANSWERS.into_iter().collect();
    let mut schemas: BTreeMap<String, Value> = BTreeMap::new();
    let mut wanted = Vec::new();
    references(paths, &mut wanted);
    while let Some(name) = wanted.pop() {
        if schemas.contains_key(&name) {
            continue;
        }
        let (base, side) = match name.strip_suffix(INPUT) {
            Some(base) => (base, Side::Taken),
            None => (name.as_str(), Side::Given),
        };
        let schema = match (types.get(base), answers.get(base)) {
            (Some(of), _) => records::schema(of, side),
            (None, Some(answer)) => Kind::declare(answer).to_open_api(side),
            (None, None) => map(base),
        };
        references(&schema, &mut wanted);
        schemas.insert(name, schema);
    }
    schemas.into_iter().collect()
}

fn map(name: &str) -> Value {
    let of = MAPS.iter().find(|(of, _)| *of == name).map(|(_, of)| of);
    let of = of.unwrap_or_else(|| panic!("nothing is declared as {name}"));
    json!({"type": "object", "additionalProperties": Kind::declare(of).to_open_api(Side::Given)})
}

/// Adds the names that a value refers to.
fn references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Array(entries) => entries.iter().for_each(|entry| references(entry, found)),
        Value::Object(members) => {
            let target = members.get("$ref").and_then(Value::as_str).and_then(|target| target.strip_prefix(PREFIX));
            found.extend(target.map(str::to_owned));
            members.values().for_each(|member| references(member, found));
        }
        _ => {}
    }
}
