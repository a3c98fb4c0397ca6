//! The archives' API document, and the refusals that all routes have in common: every route of the document is called.

use http::Method;
use serde_json::{Value, json};
use testkit::Client;

use super::{Archives, anonymous, archives};

/// Routes that read their bodies late.
const LATER: [&str; 2] = ["/batch_imports", "/preferences/{id}"];

/// A route of the document.
struct Operation {
    method: Method,
    path: String,
    says: Value,
}

fn operations() -> Vec<Operation> {
    let document = api::archives::document();
    let paths = document["paths"].as_object().expect("paths").clone();
    let of_path = |(path, methods): (String, Value)| {
        let methods = methods.as_object().expect("methods").clone().into_iter();
        methods.map(move |(method, says)| Operation {
            method: method.to_uppercase().parse().expect("a method"),
            path: path.clone(),
            says,
        })
    };
    paths.into_iter().flat_map(of_path).collect()
}

impl Operation {
    fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    fn codes(&self) -> &Value {
        &self.says["security"][0]["session"]
    }

    fn refuses(&self, status: u16) -> bool {
        self.says["responses"][status.to_string()].is_object()
    }

    /// The parameters beside those of the path: name, whether it must be there, and a value that it may have.
    fn parameters(&self) -> Vec<(String, bool, &'static str)> {
        let value = |schema: &Value| match (schema["type"].as_str(), schema["items"]["type"].as_str()) {
            (Some("integer"), _) | (_, Some("integer")) => "1",
            (Some("boolean"), _) => "true",
            _ => "x",
        };
        let asked = self.says["parameters"].as_array().expect("parameters").iter();
        let asked = asked.filter(|one| one["in"] == "query").map(|one| {
            (one["name"].as_str().expect("a name").to_owned(), one["required"] == true, value(&one["schema"]))
        });
        let form = &self.says["requestBody"]["content"]["application/x-www-form-urlencoded"]["schema"];
        let required = |name: &str| form["required"].as_array().is_some_and(|names| names.contains(&json!(name)));
        let members = form["properties"].as_object().into_iter().flatten();
        asked.chain(members.map(|(name, schema)| (name.clone(), required(name), value(schema)))).collect()
    }

    /// The path in a repository, for a record.
    fn at(&self, repository: u32, id: u32) -> String {
        let path = self.path.replace("{repo_id}", &repository.to_string()).replace("{id}", &id.to_string());
        let path = path.replace("{record_type}", "agent_person");
        path.split('/').map(|part| if part.starts_with('{') { "x" } else { part }).collect::<Vec<_>>().join("/")
    }

    /// With all parameters that must be there, but perhaps one, which is named.
    fn with_parameters(&self, path: &str, without: Option<&str>) -> String {
        let wanted =
            self.parameters().into_iter().filter(|(name, required, _)| *required && Some(name.as_str()) != without);
        // Which of the forms of a list is asked for is not said to be required.
        let of_lists = self.parameters().iter().any(|(name, ..)| name == "page") && !self.path.contains("search");
        let all: Vec<String> = wanted.map(|(name, _, value)| format!("{name}={value}")).collect();
        let all = if of_lists { [all, vec!["page=1".to_owned()]].concat() } else { all };
        if all.is_empty() { path.to_owned() } else { format!("{path}?{}", all.join("&")) }
    }

    fn body(&self) -> Option<Vec<u8>> {
        self.says["requestBody"]["content"].get("application/json").map(|_| b"{}".to_vec())
    }

    async fn call(&self, client: &Client, target: &str) -> (u16, String) {
        let answer = client.malformed().send(self.method.clone(), target, self.body()).await;
        (answer.status, answer.text)
    }
}

async fn with_repository() -> Archives {
    let archives = archives().await;
    assert_eq!(archives.repository("A").await, "/repositories/2");
    archives
}

/// What went wrong, a line each.
fn none(wrong: &[String]) {
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[tokio::test]
async fn the_document_is_served() {
    let archives = archives().await;
    let document = anonymous(&archives.library).get("/openapi.json").await.expect(200).json();
    assert_eq!(document, api::archives::document());
    assert_eq!(document["openapi"], "3.1.0");
    let one = &document["components"]["schemas"]["ArchivalObject"];
    assert_eq!(one["properties"]["resource"]["properties"]["_resolved"]["$ref"], "#/components/schemas/Resource");
}

#[tokio::test]
async fn whoever_may_not_is_refused() {
    let archives = with_repository().await;
    let nobody = anonymous(&archives.library);
    let mut wrong = Vec::new();
    for route in operations().iter().filter(|route| route.codes().as_array().is_some_and(|codes| !codes.is_empty())) {
        let (status, text) = route.call(&nobody, &route.with_parameters(&route.at(2, 1), None)).await;
        if (status, text.as_str()) != (403, r#"{"error":"Access denied"}"#) {
            wrong.push(format!("{}: {status} {text}", route.name()));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn a_session_that_is_over_ends_every_request() {
    let archives = with_repository().await;
    let gone = anonymous(&archives.library).with_header("x-archivesspace-session", "gone");
    let mut wrong = Vec::new();
    for route in operations().iter().filter(|route| route.refuses(412)) {
        let (status, text) = route.call(&gone, &route.at(2, 1)).await;
        if status != 412 || !text.contains("SESSION_GONE") {
            wrong.push(format!("{}: {status} {text}", route.name()));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn an_unknown_repository_is_a_wrong_parameter() {
    let archives = with_repository().await;
    let mut wrong = Vec::new();
    for route in operations().iter().filter(|route| route.path.contains("{repo_id}")) {
        let target = route.with_parameters(&route.at(99, 1), None);
        let (status, text) = route.call(&archives.admin, &target).await;
        if status != 400 || !text.contains("The Repository must exist") {
            wrong.push(format!("{}: {status} {text}", route.name()));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn a_parameter_that_is_missing_is_named() {
    let archives = with_repository().await;
    let mut wrong = Vec::new();
    for route in &operations() {
        for (name, ..) in route.parameters().iter().filter(|(_, required, _)| *required) {
            let target = route.with_parameters(&route.at(2, 1), Some(name));
            let (status, text) = route.call(&archives.admin, &target).await;
            let member = name.trim_end_matches("[]");
            let expected = json!({"error": {member: ["Parameter required but no value provided"]}}).to_string();
            if (status, text.as_str()) != (400, expected.as_str()) {
                wrong.push(format!("{} without {name}: {status} {text}", route.name()));
            }
        }
    }
    none(&wrong);
}

/// Imports answer before they read, and whose preferences they are is looked up first.
#[tokio::test]
async fn a_broken_body_is_refused() {
    let archives = with_repository().await;
    let mut wrong = Vec::new();
    for route in operations()
        .iter()
        .filter(|route| route.body().is_some() && !LATER.iter().any(|path| route.path.ends_with(path)))
    {
        let target = route.with_parameters(&route.at(2, 1), None);
        let broken = archives.admin.malformed();
        let answer = broken.send(route.method.clone(), &target, Some(b"{".to_vec())).await;
        if answer.status != 400 || !answer.text.contains("Had some trouble parsing your request") {
            wrong.push(format!("{}: {} {}", route.name(), answer.status, answer.text));
        }
    }
    none(&wrong);
}

/// Reading or deleting what does not exist.
#[tokio::test]
async fn an_unknown_record_is_not_found() {
    let archives = with_repository().await;
    let mut wrong = Vec::new();
    let by_id = |route: &&Operation| route.path.contains("{id}") && route.method != Method::POST;
    for route in operations().iter().filter(by_id) {
        let target = route.with_parameters(&route.at(2, 9_999_999), None);
        let (status, text) = route.call(&archives.admin, &target).await;
        let expected = match route.name().as_str() {
            // A repository that is to be deleted is a parameter.
            "DELETE /repositories/{id}" => 400,
            // As in ArchivesSpace.
            "GET /vocabularies/{id}/terms" => 200,
            _ => 404,
        };
        if status != expected {
            wrong.push(format!("{}: {status} {text}", route.name()));
        }
    }
    none(&wrong);
}

#[tokio::test]
async fn a_path_that_is_no_text_is_refused() {
    let archives = with_repository().await;
    let mut wrong = Vec::new();
    for route in &operations() {
        let at = route.path.replace("{repo_id}", "2").replace("{id}", "1");
        let Some((before, rest)) = at.split_once('{') else { continue };
        let target = format!("{before}%FF{}", rest.split_once('}').map_or("", |(_, rest)| rest));
        let (status, text) = route.call(&archives.admin, &target).await;
        if status != 400 || !text.contains("is not UTF-8 text") {
            wrong.push(format!("{}: {status} {text}", route.name()));
        }
    }
    none(&wrong);
}

/// `docs/archivesspace/routes.md` says which of ArchivesSpace's routes are served.
#[test]
fn the_list_of_archivesspaces_routes_is_right() {
    let list = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/archivesspace/routes.md"));
    let list = list.expect("the list");
    let rows = list.lines().filter_map(|line| {
        let [_, _, route, served, _] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else { return None };
        let (method, path) = route.strip_prefix('`')?.strip_suffix('`')?.split_once(' ')?;
        Some((method, path, served))
    });
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() > 300, "{}", rows.len());
    let mut wrong = Vec::new();
    for (method, path, served) in rows {
        let example = path.split('/').map(|part| match part {
            ":repo_id" | ":id" => "1",
            part if part.starts_with(":id.") => {
                if part.ends_with("tsv") {
                    "1.tsv"
                } else {
                    "1.xml"
                }
            }
            part if part.starts_with(':') || part == "*" => "x",
            part => part,
        });
        let example = example.collect::<Vec<_>>().join("/");
        let found = api::archives::path_of(&method.parse().expect("a method"), &example);
        if found.is_some() != (served == "yes") {
            wrong.push(format!("{method} {path}: {served}"));
        }
    }
    none(&wrong);
}
