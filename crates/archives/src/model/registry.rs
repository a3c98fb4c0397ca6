//! The record types, read once from `schema/*.schema`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::declaration::RecordType;
use super::notation;

/// The declarations, by file.
const FILES: [(&str, &str); 9] = [
    ("base.schema", include_str!("schema/base.schema")),
    ("description.schema", include_str!("schema/description.schema")),
    ("containers.schema", include_str!("schema/containers.schema")),
    ("notes.schema", include_str!("schema/notes.schema")),
    ("agents.schema", include_str!("schema/agents.schema")),
    ("names.schema", include_str!("schema/names.schema")),
    ("subjects.schema", include_str!("schema/subjects.schema")),
    ("settings.schema", include_str!("schema/settings.schema")),
    ("requests.schema", include_str!("schema/requests.schema")),
];

struct Registry {
    types: Vec<RecordType>,
    by_name: HashMap<String, usize>,
}

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    let types = notation::parse(&FILES).unwrap_or_else(|mistake| panic!("a record type's declaration: {mistake}"));
    let by_name = types.iter().enumerate().map(|(place, of)| (of.name.clone(), place)).collect();
    Registry { types, by_name }
});

/// The record type of that name, such as `archival_object`.
pub fn record_type(name: &str) -> Option<&'static RecordType> {
    REGISTRY.by_name.get(name).map(|place| &REGISTRY.types[*place])
}

/// All record types and subrecords, in the order of their declaration.
pub fn record_types() -> &'static [RecordType] {
    &REGISTRY.types
}

/// The record type of a name that a declaration uses.
pub(crate) fn declared(name: &str) -> &'static RecordType {
    record_type(name).expect("the notation refuses names that are not declared")
}

#[cfg(test)]
mod tests {
    use super::super::declaration::{Fields, Kind};
    use super::super::lists::starting;
    use super::*;

    #[test]
    fn every_declared_type_parses() {
        // 163 of ArchivesSpace, and a job of our own.
        assert_eq!(record_types().len(), 164);
        for of in record_types() {
            assert!(of.name.ends_with("_job") || !of.fields.properties.is_empty(), "{} has no properties", of.name);
        }
    }

    #[test]
    fn every_value_list_named_is_there() {
        fn visit(fields: &Fields, seen: &mut Vec<String>) {
            fields.properties.iter().for_each(|property| kind(&property.kind, seen));
        }
        fn kind(of: &Kind, seen: &mut Vec<String>) {
            match of {
                Kind::Text(text) => seen.extend(text.list.clone()),
                Kind::Array { of, .. } => kind(of, seen),
                Kind::Fields(fields) => visit(fields, seen),
                Kind::AnyOf(kinds) => kinds.iter().for_each(|each| kind(each, seen)),
                _ => {}
            }
        }
        let mut named = Vec::new();
        record_types().iter().for_each(|of| visit(&of.fields, &mut named));
        assert!(named.len() > 140);
        for list in named {
            assert!(starting(&list).is_some(), "{list}");
        }
    }
}
