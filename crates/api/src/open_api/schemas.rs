//! The shared components of the document: records and error formats.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use store::record::{Kind, Side};

use super::refusals;
use crate::route::{Body, Form};

/// The components used by the operations processed so far.
#[derive(Default)]
pub(super) struct Components {
    schemas: BTreeMap<String, Value>,
    responses: BTreeMap<String, Value>,
}

impl Components {
    /// The `content` object of a body, with its schema.
    pub(super) fn content(&mut self, body: &Body, side: Side) -> Value {
        let schema = match &body.name {
            Some(name) => self.record(name, &body.kind, side),
            None => body.kind.to_open_api(side),
        };
        json!({body.media: {"schema": schema}})
    }

    fn record(&mut self, name: &str, kind: &Kind, side: Side) -> Value {
        match (kind, side) {
            // Records in responses always have an id, though requests may omit it.
            (Kind::Object(schema), Side::Given) => {
                let schema = schema.clone().require("id");
                self.share(name.to_owned(), schema.to_open_api(side))
            }
            (kind, Side::Given) => self.share(name.to_owned(), kind.to_open_api(side)),
            (kind, Side::Taken) => self.share(format!("{name}Input"), kind.to_open_api(side)),
        }
    }

    /// A reference to the named schema. A different schema with the same name stays inline.
    fn share(&mut self, name: String, schema: Value) -> Value {
        let reference = json!({"$ref": format!("#/components/schemas/{name}")});
        let known = self.schemas.entry(name).or_insert_with(|| schema.clone());
        if *known == schema { reference } else { schema }
    }

    /// A reference to an error response in one of these formats.
    pub(super) fn refusal<'f>(&mut self, forms: impl IntoIterator<Item = &'f Form>) -> Value {
        let forms: Vec<_> = forms.into_iter().copied().collect();
        let name: Vec<_> = forms.iter().map(|form| format!("{form:?}")).collect();
        let name = name.join("Or");
        let reference = json!({"$ref": format!("#/components/responses/{name}")});
        if !self.responses.contains_key(&name) {
            let content = forms.iter().map(|form| self.form(*form));
            let mut by_media: Map<String, Value> = Map::new();
            for (media, schema) in content.collect::<Vec<_>>() {
                match by_media.get_mut(media) {
                    None => {
                        by_media.insert(media.to_owned(), json!({"schema": schema}));
                    }
                    Some(known) => {
                        let before = known["schema"].take();
                        known["schema"] = json!({"anyOf": [before, schema]});
                    }
                }
            }
            let response = json!({"description": "The request is refused, or has failed", "content": by_media});
            self.responses.insert(name, response);
        }
        reference
    }

    fn form(&mut self, form: Form) -> (&'static str, Value) {
        let (media, declaration) = refusals::shape(form);
        match declaration {
            Some(declaration) => {
                let schema = Kind::declare(declaration).to_open_api(Side::Given);
                (media, self.share(format!("{form:?}"), schema))
            }
            None => (media, json!({"type": "string"})),
        }
    }

    pub(super) fn into_json(self) -> Value {
        json!({
            "securitySchemes": {
                "token": {"type": "apiKey", "in": "header", "name": "X-Okapi-Token"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "folioAccessToken"},
            },
            "schemas": self.schemas,
            "responses": self.responses,
        })
    }
}

/// A page of a list with the records in the member `name` (docs/folio/conventions.md#lists).
pub(super) fn page(name: &str, record: Value, has_result_info: bool) -> Value {
    let mut members = json!({
        name: {"type": "array", "items": record},
        "totalRecords": {"type": "integer"},
    });
    if has_result_info {
        let info = "totalRecords*:int, facets[object], diagnostics*[object]";
        members["resultInfo"] = Kind::declare(info).to_open_api(Side::Given);
    }
    json!({"type": "object", "properties": members, "required": [name], "additionalProperties": false})
}
