use std::collections::{HashMap, HashSet};

use super::*;
use crate::{
    answer::Reply,
    route::{Form, Routes},
};

fn described() -> Value {
    let mut routes = Routes::default();
    let answer = |_| async { Ok(Reply::no_content()) };
    routes.get("/groups", answer).gives("group*").lists("usergroups");
    routes.get("/groups/{id}", answer).gives("group*, desc?").asks("full:bool");
    routes.delete("/groups/{groupId}", answer).refuses(&[422]).refuses_as(400, Form::Errors);
    routes.post("/authn/login", answer).takes("username, password*").open();
    document(&routes.build().expect("sound routes"))
}

fn parameter_names(operation: &Value) -> Vec<&str> {
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    parameters.filter_map(|p| p["name"].as_str()).collect()
}

fn good_body(operation: &Value) -> &Value {
    &operation["responses"]["200"]["content"]["application/json"]["schema"]
}

#[test]
fn a_list_takes_a_query_and_gives_a_page() {
    let document = described();
    let list = &document["paths"]["/groups"]["get"];
    let page = good_body(list);
    assert_eq!(parameter_names(list), ["query", "limit", "offset", "totalRecords"]);
    assert_eq!(page["properties"]["usergroups"]["items"]["required"], json!(["group"]));
    assert_eq!(page["properties"]["totalRecords"]["type"], "integer");
}

#[test]
fn an_answer_has_no_member_that_is_not_declared() {
    let document = described();
    let read = &document["paths"]["/groups/{id}"]["get"];
    let record = good_body(read);
    assert_eq!(parameter_names(read), ["id", "full"]);
    assert_eq!(record["required"], json!(["group"]));
    assert_eq!(record["additionalProperties"], false);
    assert_eq!(record["properties"]["desc"]["type"], json!(["string", "null"]));
}

#[test]
fn paths_that_differ_in_names_only_are_one() {
    let document = described();
    let delete = &document["paths"]["/groups/{id}"]["delete"];
    assert_eq!(parameter_names(delete), ["id"]);
    assert_eq!(delete["responses"]["204"], json!({"description": "No Content"}));
}

#[test]
fn refusals_have_the_form_of_their_module() {
    let document = described();
    let refusals = &document["paths"]["/groups/{id}"]["delete"]["responses"];
    let named = |status: &str| refusals[status]["$ref"].as_str();
    assert_eq!(named("422"), Some("#/components/responses/Errors"));
    assert_eq!(named("400"), Some("#/components/responses/TextOrErrors"));
    assert_eq!(named("403"), Some("#/components/responses/Text"));
    let both = &document["components"]["responses"]["TextOrErrors"]["content"];
    assert_eq!(both["application/json"]["schema"]["$ref"], "#/components/schemas/Errors");
}

#[test]
fn an_operation_says_what_its_caller_needs() {
    let document = described();
    let read = &document["paths"]["/groups/{id}"]["get"];
    let needed = json!(["usergroups.item.get"]);
    assert_eq!(read["security"][0]["token"], needed);
    assert_eq!(read["x-okapi-permissions"]["required"], needed);
    let login = &document["paths"]["/authn/login"]["post"];
    let body = &login["requestBody"]["content"]["application/json"]["schema"];
    assert_eq!(login["security"], json!([]));
    assert_eq!(body["required"], json!(["password"]));
    assert_eq!(login["requestBody"]["required"], true);
}

#[test]
fn a_name_stands_for_one_schema() {
    let routes = crate::folio::all_routes(&crate::folio::all_collections());
    let routes = routes.build().unwrap_or_else(|faults| panic!("{faults:#?}"));
    let mut known = HashMap::new();
    for route in routes.all() {
        let given = [&route.gives].into_iter().chain(&route.or_gives);
        let given = given.filter_map(|given| Some((given.body.as_ref()?, Side::Given)));
        for (body, side) in given.chain(route.takes.iter().map(|body| (body, Side::Taken))) {
            let Some(name) = &body.name else { continue };
            let schema = body.kind.to_open_api(side);
            let before = known.entry((name.clone(), side == Side::Given)).or_insert(schema.clone());
            assert_eq!(*before, schema, "{name} of {} {}", route.method, route.path);
        }
    }
}

/// Every route is an operation with a unique id, and every reference resolves.
#[test]
fn the_document_is_complete() {
    let collections = crate::folio::all_collections();
    let routes = crate::folio::all_routes(&collections).build().unwrap_or_else(|faults| panic!("{faults:#?}"));
    let document = document(&routes);
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.values().flat_map(|methods| {
        let methods = methods.as_object().into_iter().flatten();
        methods.filter(|(name, _)| !["servers", "parameters"].contains(&name.as_str()))
    });
    let operations: Vec<_> = operations.map(|(_, operation)| operation).collect();
    let of_the_staff_port = operations.iter().filter(|one| one["tags"] == json!(["carrel"]));
    assert_eq!(operations.len() - of_the_staff_port.count(), routes.all().len());
    let names: HashSet<_> = operations.iter().map(|one| one["operationId"].as_str()).collect();
    assert_eq!(names.len(), operations.len());
    let undescribed = operations.iter().filter(|one| one["summary"].is_null());
    assert_eq!(undescribed.count(), 0);
    let text = document.to_string();
    for part in text.split("\"#").skip(1) {
        let pointer = part.split('"').next().unwrap_or_default();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
    }
}
