//! The shared components of the document: records and error formats.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};
use store::record::{Kind, Side};

use super::refusals;
use crate::route::{Body, Form, RouteTable};

/// Parts of many records and answers, which declarations refer to by name.
const PARTS: [(&str, &str); 2] = [
    ("Metadata", "createdDate:datetime, createdByUserId:uuid, updatedDate:datetime, updatedByUserId:uuid"),
    (
        "ResultInfo",
        "totalRecords*:int, facets[{type, facetValues[{count:int, value}]}],
            diagnostics*[{source, code, message, module, recordCount:int, query}]",
    ),
];

/// The components used by the operations processed so far.
pub(super) struct Components {
    /// What declarations may refer to by name.
    known: HashMap<String, Kind>,
    schemas: BTreeMap<String, Value>,
    responses: BTreeMap<String, Value>,
}

impl Components {
    /// No components yet; those of the routes may be referred to by name.
    pub(super) fn of(routes: &RouteTable) -> Self {
        let named = routes.all().iter().flat_map(|route| route.bodies());
        let named = named.filter_map(|body| Some((body.name.clone()?, body.kind.clone())));
        let parts = PARTS.map(|(name, part)| (name.to_owned(), Kind::declare(part)));
        Self { known: named.chain(parts).collect(), schemas: BTreeMap::new(), responses: BTreeMap::new() }
    }

    /// The `content` object of a body, with its schema.
    pub(super) fn content(&mut self, body: &Body, side: Side) -> Value {
        let schema = match &body.name {
            Some(name) => self.share(name, &body.kind, side),
            None => self.schema(&body.kind, side),
        };
        let mut content = json!({body.media: {"schema": schema}});
        if body.is_sequence {
            content[body.media]["x-sequence"] = true.into();
        }
        content
    }

    /// The schema of a kind, after those it refers to.
    fn schema(&mut self, kind: &Kind, side: Side) -> Value {
        for name in kind.names() {
            let known = self.known.get(name);
            let known = known.unwrap_or_else(|| panic!("nothing is declared as {name}")).clone();
            self.share(name, &known, side);
        }
        kind.to_open_api(side)
    }

    /// A reference to the schema of that name, which becomes a component.
    fn share(&mut self, name: &str, kind: &Kind, side: Side) -> Value {
        let reference = Kind::Named(name.to_owned()).to_open_api(side);
        let key = reference["$ref"].as_str().and_then(|target| target.rsplit('/').next());
        let key = key.unwrap_or_default().to_owned();
        if !self.schemas.contains_key(&key) {
            // A record may refer to others of its kind.
            self.schemas.insert(key.clone(), Value::Null);
            let schema = match (kind, side) {
                // Records in responses always have an id, though requests may omit it.
                (Kind::Object(record), Side::Given) => self.schema(&Kind::Object(record.clone().require("id")), side),
                (kind, side) => self.schema(kind, side),
            };
            self.schemas.insert(key, schema);
        }
        reference
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
                let kind = Kind::declare(declaration);
                (media, self.share(&format!("{form:?}"), &kind, Side::Given))
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

    /// A page of a list with the records in the member `name` (docs/folio/conventions.md#lists).
    pub(super) fn page(&mut self, name: &str, record: Value, has_result_info: bool) -> Value {
        let mut members = json!({
            name: {"type": "array", "items": record},
            "totalRecords": {"type": "integer"},
        });
        if has_result_info {
            let info = Kind::Named("ResultInfo".to_owned());
            members["resultInfo"] = self.schema(&info, Side::Given);
        }
        json!({"type": "object", "properties": members, "required": [name], "additionalProperties": false})
    }
}
