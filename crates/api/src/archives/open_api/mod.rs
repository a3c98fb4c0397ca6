//! The OpenAPI document of the archives' port, generated from its routes and from the declared record types. Tests check
//! every exchange against it (decision 52).

mod answers;
mod records;
mod refusals;
mod schemas;
mod usual;

use std::borrow::Cow;

use http::Method;
use serde_json::{Map, Value, json};
use store::record::{Kind, Side};

use self::usual::{Usual, usual};
use super::{
    call::{LARGEST_PAGE, USUAL_PAGE},
    endpoint::{Endpoint, Paging, Table},
    parameters::Parameter,
};
use crate::route::{Body, JSON};

const ABOUT: &str = "The API of ArchivesSpace as Carrel serves it on the archives' port. Parameters of POST requests may come in \
    the query or as a form in the body; where the body is a record, in the query. Of a record that is sent, members that are \
    unknown or only read are dropped, as are null, empty texts and empty objects.";

/// The document.
pub(super) fn document(routes: &Table) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for endpoint in &routes.all {
        let methods = paths.entry(endpoint.path.clone()).or_insert_with(|| json!({}));
        methods[endpoint.method.as_str().to_lowercase()] = operation(endpoint);
    }
    paths.sort_keys();
    let mut document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Carrel: archives",
            "description": ABOUT,
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/", "description": "The archives' port"}],
        "paths": paths,
        "components": {
            "securitySchemes": {"session": {"type": "apiKey", "in": "header", "name": "X-ArchivesSpace-Session"}},
        },
    });
    document["components"]["schemas"] = schemas::used_in(&document["paths"]);
    document
}

/// A route's description: what it says itself, and otherwise what follows from its place.
struct Said<'e> {
    endpoint: &'e Endpoint,
    usual: Option<Usual>,
}

impl<'e> Said<'e> {
    fn of(endpoint: &'e Endpoint) -> Self {
        Self { endpoint, usual: usual(endpoint) }
    }

    fn summary(&self) -> &str {
        let usual = self.usual.as_ref().map_or("", |usual| usual.summary.as_str());
        Some(self.endpoint.described.summary.as_str()).filter(|own| !own.is_empty()).unwrap_or(usual)
    }

    fn takes(&self) -> Option<Cow<'_, Body>> {
        if !self.endpoint.takes_record {
            return None;
        }
        let usual = || self.usual.as_ref().and_then(|usual| usual.takes.as_ref());
        Some(
            self.endpoint
                .described
                .takes
                .as_ref()
                .or_else(usual)
                .map_or(Cow::Owned(Body::of(Kind::Any)), Cow::Borrowed),
        )
    }

    fn gives(&self) -> Cow<'_, Body> {
        let usual = || self.usual.as_ref().map(|usual| &usual.gives);
        self.endpoint.described.gives.as_ref().or_else(usual).map_or(Cow::Owned(Body::of(Kind::Any)), Cow::Borrowed)
    }
}

fn operation(endpoint: &Endpoint) -> Value {
    let said = Said::of(endpoint);
    let mut operation = json!({
        "operationId": operation_id(&endpoint.method, &endpoint.path),
        "summary": said.summary(),
        "tags": [tag(&endpoint.path)],
        "security": match endpoint.needs {
            [] => json!([{"session": []}, {}]),
            codes => json!([{"session": codes}]),
        },
    });
    let (in_form, elsewhere): (Vec<_>, Vec<_>) = parameters(endpoint).partition(|one| one["in"] == "form");
    operation["parameters"] = elsewhere.into();
    if let Some(body) = said.takes() {
        operation["requestBody"] = json!({"content": content(&body, Side::Taken), "required": true});
    } else if !in_form.is_empty() {
        operation["requestBody"] = form(&in_form);
    }
    operation["responses"] = responses(&said);
    operation
}

/// For example `get_repositories_repo_id_resources_id`.
fn operation_id(method: &Method, path: &str) -> String {
    let path = path.replace(|c: char| !c.is_ascii_alphanumeric(), "_");
    let words: Vec<_> = path.split('_').filter(|word| !word.is_empty()).collect();
    format!("{}_{}", method.as_str().to_lowercase(), words.join("_"))
}

/// The first part of the path that says what it is about.
fn tag(path: &str) -> &str {
    let within = path.strip_prefix("/repositories/{repo_id}").filter(|rest| !rest.is_empty()).unwrap_or(path);
    within.split('/').nth(1).filter(|part| !part.is_empty()).unwrap_or("server")
}

/// The parameters, those of a form in the body with `in: form`.
fn parameters(endpoint: &Endpoint) -> impl Iterator<Item = Value> {
    let in_path: Vec<&str> = endpoint.path.split(['{', '}']).skip(1).step_by(2).collect();
    let with_form = endpoint.method == Method::POST && !endpoint.takes_record;
    let of = |parameter: &Parameter| {
        let name = if parameter.is_list() { format!("{}[]", parameter.name()) } else { parameter.name().to_owned() };
        let place = if with_form { "form" } else { "query" };
        json!({"name": name, "in": place, "required": parameter.is_required(), "schema": parameter.schema()})
    };
    let of_path = |name: &&str| {
        let declared = endpoint.parameters.iter().find(|parameter| parameter.is(name));
        let schema = declared.map_or_else(|| json!({"type": "string"}), Parameter::schema);
        json!({"name": name, "in": "path", "required": true, "schema": schema})
    };
    let own = endpoint.parameters.iter().filter(|parameter| !in_path.contains(&parameter.name())).map(of);
    let all: Vec<Value> = in_path.iter().map(of_path).chain(own).chain(of_lists(endpoint.paging)).collect();
    all.into_iter()
}

/// The parameters of a list (contract 2).
fn of_lists(paging: Paging) -> Vec<Value> {
    let parameter = |name: &str, description: &str, schema: Value| json!({"name": name, "in": "query", "required": false, "description": description, "schema": schema});
    let page = parameter("page", "Which page, from 1", json!({"type": "integer", "minimum": 1}));
    let size = format!("How many records a page has; {USUAL_PAGE} if not given, at most {LARGEST_PAGE}");
    let size = parameter("page_size", &size, json!({"type": "integer", "minimum": 0}));
    let since = parameter("modified_since", "Records changed since, in seconds since 1970", json!({"type": "integer"}));
    let field = parameter("sort_field", "The member that records are sorted by", json!({"type": "string"}));
    let direction =
        parameter("sort_direction", "Upwards or downwards", json!({"type": "string", "enum": ["asc", "desc"]}));
    let common = vec![page, size, since, field, direction];
    match paging {
        Paging::None => Vec::new(),
        Paging::Paged => common,
        Paging::Paginated => {
            let ids = format!("Instead of a page: these ids, at most {LARGEST_PAGE}, with commas between them");
            let ids = parameter("id_set", &ids, json!({"type": "string"}));
            let all =
                parameter("all_ids", "Instead of a page, with any value: the ids of all", json!({"type": "string"}));
            let texts = json!({"type": "array", "items": {"type": "string"}});
            let resolve = parameter("resolve[]", "References whose records are put in, as `_resolved`", texts);
            [common, vec![ids, all, resolve]].concat()
        }
    }
}

/// A form with these parameters.
fn form(parameters: &[Value]) -> Value {
    let name = |parameter: &Value| parameter["name"].as_str().unwrap_or_default().to_owned();
    let members: Map<String, Value> = parameters.iter().map(|one| (name(one), one["schema"].clone())).collect();
    let required: Vec<_> = parameters.iter().filter(|one| one["required"] == true).map(name).collect();
    let schema = json!({"type": "object", "properties": members, "required": required});
    json!({"content": {"application/x-www-form-urlencoded": {"schema": schema}}, "required": !required.is_empty()})
}

fn content(body: &Body, side: Side) -> Value {
    json!({body.media: {"schema": body.kind.to_open_api(side)}})
}

fn responses(said: &Said<'_>) -> Value {
    let endpoint = said.endpoint;
    let mut responses = Map::new();
    let mut good = content(&said.gives(), Side::Given);
    if endpoint.paging != Paging::None {
        let schema = &mut good[JSON]["schema"];
        *schema = listed(endpoint.paging, schema.take());
    }
    responses.insert("200".to_owned(), json!({"description": "OK", "content": good}));
    for given in &endpoint.described.or_gives {
        let status = given.status();
        let mut response = json!({"description": status.canonical_reason().unwrap_or("Done")});
        if let Some(body) = &given.body {
            let mut content = content(body, Side::Given);
            // The same status may have several forms.
            let known = responses
                .remove(status.as_str())
                .and_then(|mut known| known["content"].as_object_mut().map(std::mem::take));
            for (media, form) in known.into_iter().flatten() {
                content[media] = form;
            }
            response["content"] = content;
        }
        responses.insert(status.as_str().to_owned(), response);
    }
    for status in refusals::of(endpoint, said.usual.as_ref()) {
        responses.insert(status.to_string(), refusals::response(endpoint, status));
    }
    responses.sort_keys();
    responses.insert("default".to_owned(), refusals::response(endpoint, 500));
    responses.into()
}

/// The forms of a list of such records.
fn listed(paging: Paging, record: Value) -> Value {
    let number = json!({"type": "integer"});
    let records = json!({"type": "array", "items": record});
    let mut page = json!({
        "type": "object",
        "properties": {"first_page": number, "last_page": number, "this_page": number, "total": number, "results": records},
        "required": ["first_page", "last_page", "this_page", "results"],
        "additionalProperties": false,
    });
    if paging == Paging::Paged {
        return page;
    }
    page["required"] = json!(["first_page", "last_page", "this_page", "total", "results"]);
    json!({"anyOf": [page, records, {"type": "array", "items": number}]})
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::archives::ROUTES;

    /// A route beside the addresses of record types says what it does, takes and gives.
    #[test]
    fn every_route_is_described() {
        let is_described = |endpoint: &Endpoint| {
            let (said, own) = (Said::of(endpoint), &endpoint.described);
            let is_usual = said.usual.is_some();
            let takes = !endpoint.takes_record || own.takes.is_some() || is_usual;
            !said.summary().is_empty() && takes && (own.gives.is_some() || is_usual)
        };
        let without = ROUTES.all.iter().filter(|endpoint| !is_described(endpoint));
        let without: Vec<_> = without.map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).collect();
        assert!(without.is_empty(), "say .summary(), .takes() and .gives() of {without:#?}");
    }

    #[test]
    fn the_document_is_complete() {
        let document = document(&ROUTES);
        let paths = document["paths"].as_object().expect("paths").values();
        let operations: Vec<_> = paths.flat_map(|methods| methods.as_object().into_iter().flatten()).collect();
        assert_eq!(operations.len(), ROUTES.all.len());
        let names: HashSet<_> = operations.iter().map(|(_, operation)| operation["operationId"].as_str()).collect();
        assert_eq!(names.len(), operations.len());
        let schemas = &document["components"]["schemas"];
        for (name, read_only) in [("Resource", true), ("ResourceInput", false)] {
            let properties = &schemas[name]["properties"];
            assert_eq!((properties["tree"].is_object(), properties["level"].is_object()), (read_only, true), "{name}");
        }
        let list = &document["paths"]["/repositories/{repo_id}/resources"]["get"];
        let forms = list["responses"]["200"]["content"][JSON]["schema"]["anyOf"].as_array().expect("forms");
        assert_eq!(forms[1]["items"]["$ref"], "#/components/schemas/Resource");
        assert_eq!(list["security"], json!([{"session": ["view_repository"]}]));
        let log_in = &document["paths"]["/users/{username}/login"]["post"];
        let form = &log_in["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"];
        assert_eq!(form["required"], json!(["password"]));
    }
}
