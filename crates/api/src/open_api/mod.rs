//! The OpenAPI document, generated from the route table. Tests check every response against it (decision 34).

mod refusals;
mod schemas;
mod staff;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use http::Method;
use serde_json::{Map, Value, json};
use store::record::Side;

use self::schemas::Components;
use crate::{
    descriptors,
    route::{JSON, Route, RouteTable},
};

pub use refusals::OF_ANY_ROUTE;

/// The document for all routes.
pub fn document(routes: &RouteTable) -> Value {
    document_of(routes, |_| true)
}

/// The document for selected paths. The staff web application generates its types from those it uses.
pub fn document_of(routes: &RouteTable, wanted: impl Fn(&str) -> bool) -> Value {
    let mut components = Components::of(routes);
    let mut paths: Map<String, Value> = Map::new();
    let mut templates: HashMap<String, String> = HashMap::new();
    for route in routes.all() {
        // Paths that differ only in parameter names are the same path.
        let template =
            templates.entry(descriptors::shape(&route.path)).or_insert_with(|| route.path.replace("{*", "{"));
        if wanted(template) {
            let methods = paths.entry(&*template).or_insert_with(|| json!({}));
            methods[route.method.as_str().to_lowercase()] = operation(route, template, &mut components);
        }
    }
    paths.extend(staff::paths(&mut components).filter(|(path, _)| wanted(path)));
    paths.sort_keys();
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Carrel",
            "description": "The FOLIO API as Carrel serves it.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/folio", "description": "The FOLIO API on the staff port"}],
        "security": [{"token": []}, {"cookie": []}],
        "paths": paths,
        "components": components.into_json(),
    })
}

fn operation(route: &Route, template: &str, components: &mut Components) -> Value {
    let mut operation = json!({"operationId": operation_id(&route.method, template)});
    if !route.summary.is_empty() {
        operation["summary"] = route.summary.as_str().into();
    }
    if let Some(module) = route.module {
        operation["tags"] = json!([module]);
    }
    operation["parameters"] = parameters(route, template).into();
    if let Some(body) = &route.takes {
        let content = components.content(body, Side::Taken);
        operation["requestBody"] = json!({"content": content, "required": true});
    }
    operation["responses"] = responses(route, components);
    permissions(route, &mut operation);
    operation
}

/// For example `get_users_id` for GET /users/{id}.
fn operation_id(method: &Method, path: &str) -> String {
    let path = path.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let words: Vec<_> = path.split('_').filter(|word| !word.is_empty()).collect();
    format!("{}_{}", method.as_str().to_lowercase(), words.join("_"))
}

/// The permissions required: OpenAPI's `security` lists the permissions a token needs, and any one entry suffices.
fn permissions(route: &Route, operation: &mut Value) {
    let with = |permissions: &[&str]| [json!({"token": permissions}), json!({"cookie": permissions})];
    if route.required.is_empty() {
        operation["security"] = json!([]);
        return;
    }
    let mut ways = with(&route.required).to_vec();
    let mut needed = json!({"required": route.required});
    if !route.desired.is_empty() {
        needed["desired"] = json!(route.desired);
    }
    if let Some(of_own) = &route.required_of_own {
        ways.extend(with(of_own));
        needed["requiredForOwnTenant"] = json!(of_own);
    }
    operation["security"] = ways.into();
    operation["x-okapi-permissions"] = needed;
}

fn parameters(route: &Route, template: &str) -> Vec<Value> {
    let named = template.split('/');
    let in_path = named
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}));
    let asked = route.asks.to_open_api(Side::Taken);
    let required = |name: &str| route.asks.field(name).is_some_and(|field| field.required);
    let asked = asked["properties"].as_object().into_iter().flatten();
    let asked =
        asked.map(|(name, schema)| json!({"name": name, "in": "query", "required": required(name), "schema": schema}));
    let of_lists = route.list.iter().flat_map(|_| page_parameters());
    let of_lists =
        of_lists.filter(|parameter| parameter["name"].as_str().and_then(|name| route.asks.field(name)).is_none());
    in_path.chain(asked).chain(of_lists).collect()
}

/// The paging parameters of a list (docs/folio/conventions.md#lists).
fn page_parameters() -> [Value; 4] {
    let parameter = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "query", "description": description, "schema": schema});
    let number = json!({"type": "integer", "minimum": 0});
    let totals = json!({"type": "string", "enum": ["auto", "exact", "estimated", "none"]});
    [
        parameter("query", "Which records, in CQL", json!({"type": "string"})),
        parameter("limit", "How many records at most", number.clone()),
        parameter("offset", "How many records to leave out", number),
        parameter("totalRecords", "How to count", totals),
    ]
}

fn responses(route: &Route, components: &mut Components) -> Value {
    let mut responses = Map::new();
    let good = std::iter::once(&route.gives).chain(&route.or_gives);
    for (place, given) in good.enumerate() {
        let status = given.status();
        let mut response = json!({"description": status.canonical_reason().unwrap_or("Done")});
        let mut content = given.body.as_ref().map(|body| components.content(body, Side::Given));
        if let (0, Some(list), Some(content)) = (place, route.list.or(route.whole_list), &mut content) {
            let schema = &mut content[JSON]["schema"];
            *schema = components.page(list, schema.take(), route.result_info);
        }
        // Bodies of several media types may have one status.
        let known = responses.get_mut(status.as_str()).and_then(|known| known["content"].as_object_mut());
        match (known, content) {
            (Some(known), Some(Value::Object(content))) => known.extend(content),
            (_, content) => {
                if let Some(content) = content {
                    response["content"] = content;
                }
                responses.insert(status.as_str().to_owned(), response);
            }
        }
    }
    for (status, forms) in refusals::of(route) {
        responses.insert(status.as_str().to_owned(), components.refusal(&forms));
    }
    responses.sort_keys();
    responses.insert("default".into(), components.refusal(&refusals::DEFAULT));
    responses.into()
}
