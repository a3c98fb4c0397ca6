//! The OpenAPI document, generated from the table of routes.

use serde_json::{Map, Value, json};

use crate::route::{Route, RouteTable};

/// The document for all routes.
#[must_use]
pub fn document(routes: &RouteTable) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes.all() {
        let methods = paths
            .entry(route.path.replace("{*", "{"))
            .or_insert_with(|| json!({}));
        methods[route.method.as_str().to_lowercase()] = operation(route);
    }
    paths.sort_keys();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Carrel",
            "description": "The FOLIO API as Carrel serves it.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "components": {"securitySchemes": {
            "token": {"type": "apiKey", "in": "header", "name": "X-Okapi-Token"},
        }},
        "security": [{"token": []}],
        "paths": paths,
    })
}

fn operation(route: &Route) -> Value {
    let mut operation = json!({
        "operationId": operation_id(route),
        "parameters": parameters(&route.path),
        "responses": responses(route),
    });
    if !route.summary.is_empty() {
        operation["summary"] = route.summary.as_str().into();
    }
    if let Some(module) = route.module {
        operation["tags"] = json!([module]);
    }
    if let Some(schema) = &route.takes {
        operation["requestBody"] = content(&schema.to_open_api());
    }
    if route.required.is_empty() {
        operation["security"] = json!([]);
    } else {
        operation["x-permissions-required"] = json!(route.required);
    }
    operation
}

/// `get_users_id` for GET /users/{id}.
fn operation_id(route: &Route) -> String {
    let path = route
        .path
        .replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let words: Vec<_> = path.split('_').filter(|word| !word.is_empty()).collect();
    format!(
        "{}_{}",
        route.method.as_str().to_lowercase(),
        words.join("_")
    )
}

fn parameters(path: &str) -> Value {
    path.split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| {
            let name = name.trim_start_matches('*');
            json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
        })
        .collect()
}

fn responses(route: &Route) -> Value {
    let mut good = json!({"description": "Done"});
    if let Some(schema) = &route.gives {
        good["content"] = content(&schema.to_open_api())["content"].clone();
    }
    json!({"2XX": good, "4XX": {"description": "Refused; the body says why"}})
}

fn content(schema: &Value) -> Value {
    json!({"content": {"application/json": {"schema": schema}}})
}
