//! The OpenAPI document, generated from the table of routes.

use serde_json::{Map, Value, json};
use store::record::Schema;

use crate::route::{Route, RouteTable};

/// The document for all routes.
#[must_use]
pub fn document(routes: &RouteTable) -> Value {
    document_of(routes, |_| true)
}

/// The document for the routes whose paths are wanted; the staff pages generate their types from those they use.
#[must_use]
pub fn document_of(routes: &RouteTable, wanted: impl Fn(&str) -> bool) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for route in routes.all().iter().filter(|route| wanted(&route.path)) {
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
        "servers": [{"url": "/folio", "description": "The FOLIO API on the staff port"}],
        "paths": paths,
    })
}

fn operation(route: &Route) -> Value {
    let mut operation = json!({
        "operationId": operation_id(route),
        "parameters": parameters(route),
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
        if let Some(of_own) = &route.required_of_own {
            operation["x-permissions-required-tenant"] = json!(of_own);
        }
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

fn parameters(route: &Route) -> Vec<Value> {
    let named = route.path.split('/');
    let in_path = named
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
        .map(|name| {
            let name = name.trim_start_matches('*');
            json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}})
        });
    let in_query = route.list.iter().flat_map(|_| page_parameters());
    in_path.chain(in_query).collect()
}

/// What chooses a page of a list (docs/folio/conventions.md#lists).
fn page_parameters() -> [Value; 4] {
    let parameter = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "query", "description": description, "schema": schema});
    let totals = json!({"type": "string", "enum": ["auto", "exact", "estimated", "none"]});
    [
        parameter("query", "Which records, in CQL", json!({"type": "string"})),
        parameter(
            "limit",
            "How many records at most",
            json!({"type": "integer", "minimum": 0}),
        ),
        parameter(
            "offset",
            "How many records to leave out",
            json!({"type": "integer", "minimum": 0}),
        ),
        parameter("totalRecords", "How to count", totals),
    ]
}

fn responses(route: &Route) -> Value {
    let mut good = json!({"description": "Done"});
    let given = route.gives.as_ref().map(Schema::to_open_api);
    let body = match route.list {
        Some(name) => Some(page_of(name, given.unwrap_or_else(|| json!({})))),
        None => given,
    };
    if let Some(body) = body {
        good["content"] = content(&body)["content"].clone();
    }
    json!({"2XX": good, "4XX": {"description": "Refused; the body says why"}})
}

fn page_of(name: &str, record: Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            name: {"type": "array", "items": record},
            "totalRecords": {"type": "integer"},
        },
        "required": [name],
    })
}

fn content(schema: &Value) -> Value {
    json!({"content": {"application/json": {"schema": schema}}})
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{answer::Reply, route::Routes};

    fn described() -> Value {
        let mut routes = Routes::default();
        let answer = |_| async { Ok(Reply::no_content()) };
        routes
            .get("/groups", answer)
            .gives("group*")
            .lists("usergroups");
        routes.get("/groups/{id}", answer).gives("group*");
        routes
            .post("/authn/login", answer)
            .takes("username, password*")
            .open();
        document(&routes.build().expect("sound routes"))
    }

    fn parameter_names(operation: &Value) -> Vec<&str> {
        let parameters = operation["parameters"].as_array().into_iter().flatten();
        parameters.filter_map(|p| p["name"].as_str()).collect()
    }

    #[test]
    fn a_list_takes_a_query_and_gives_a_page() {
        let document = described();
        let list = &document["paths"]["/groups"]["get"];
        let page = &list["responses"]["2XX"]["content"]["application/json"]["schema"];
        assert_eq!(
            parameter_names(list),
            ["query", "limit", "offset", "totalRecords"]
        );
        assert_eq!(
            page["properties"]["usergroups"]["items"]["required"],
            json!(["group"])
        );
        assert_eq!(page["properties"]["totalRecords"]["type"], "integer");
    }

    #[test]
    fn a_record_is_read_by_what_its_path_names() {
        let document = described();
        let read = &document["paths"]["/groups/{id}"]["get"];
        let record = &read["responses"]["2XX"]["content"]["application/json"]["schema"];
        assert_eq!(parameter_names(read), ["id"]);
        assert_eq!(record["required"], json!(["group"]));
        assert_eq!(
            read["x-permissions-required"],
            json!(["usergroups.item.get"])
        );
    }

    #[test]
    fn what_anybody_may_call_asks_for_no_token() {
        let document = described();
        let login = &document["paths"]["/authn/login"]["post"];
        let body = &login["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(login["security"], json!([]));
        assert_eq!(body["required"], json!(["password"]));
    }
}
