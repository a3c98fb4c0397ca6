//! `docs/endpoints.md` and `README.md` are up to date: they list all routes, every endpoint of circulation and each of
//! its refusals has a test, and the tests exist.

#[path = "../endpoints/served.rs"]
mod served;

use std::{collections::HashSet, fs, path::PathBuf};

use testkit::library;

/// The products whose routes belong to circulation.
const PRODUCTS: [&str; 6] =
    ["mod-circulation", "mod-circulation-storage", "mod-feesfines", "mod-patron-blocks", "mod-calendar", "mod-pubsub"];
const MAKE: &str = "run `make endpoints`, and add what is missing to tests/endpoints/*.tsv";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn rows(file: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(root().join("tests/endpoints").join(file)).expect(file);
    text.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn document() -> String {
    fs::read_to_string(root().join("docs/endpoints.md")).expect("docs/endpoints.md")
}

/// The part of the document that names the tests.
fn tested() -> String {
    let document = document();
    let (_, tested) = document.split_once("## Circulation and its tests").expect("the tests");
    tested.to_owned()
}

#[test]
fn the_lists_of_served_routes_are_up_to_date() {
    let (_, routes) = testkit::routes();
    for (name, list) in [("README.md", served::modules(&routes)), ("docs/endpoints.md", served::routes(&routes))] {
        let text = fs::read_to_string(root().join(name)).expect(name);
        assert!(
            served::with_list(&text, &list) == text,
            "{name} is out of date: cargo run -p tests --example endpoints"
        );
    }
    let routes = routes.all().iter();
    let document = document();
    for route in routes {
        let endpoint = format!("| `{} {}` |", route.method, route.path);
        assert!(document.contains(&endpoint), "{endpoint}");
    }
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    assert!(readme.contains("(docs/endpoints.md)"));
}

#[tokio::test]
async fn every_route_of_circulation_is_in_the_list() {
    let library = library().await;
    let listed: HashSet<String> = rows("endpoints.tsv").iter().map(|row| format!("{} {}", row[0], row[1])).collect();
    let routes = library.app.routes.all().iter();
    let forgotten: Vec<String> = routes
        .filter(|route| route.module.is_some_and(|module| PRODUCTS.contains(&module)))
        .map(|route| {
            let path = route.path.split('/').map(|part| if part.starts_with('{') { "{id}" } else { part });
            format!("{} {}", route.method, path.collect::<Vec<_>>().join("/"))
        })
        .filter(|endpoint| !listed.contains(endpoint))
        .collect();
    assert!(forgotten.is_empty(), "{forgotten:#?}: {MAKE}");
}

#[test]
fn every_line_of_the_list_has_a_test() {
    let document = tested();
    let lines: Vec<_> = document.lines().filter(|line| line.starts_with('|')).collect();
    let head = 2;
    let endpoints = rows("endpoints.tsv");
    let without: Vec<_> = lines.iter().filter(|line| line.contains("**none**")).collect();
    assert!(without.is_empty(), "{without:#?}: write the tests, then {MAKE}");
    for row in &endpoints {
        let name = format!("| `{} {}` |", row[0], row[1]);
        assert!(lines.iter().any(|line| line.starts_with(&name)), "{name}: {MAKE}");
    }
    let unserved = lines.iter().filter(|line| line.ends_with("| not served |")).count();
    if unserved == 0 {
        assert_eq!(lines.len() - head, endpoints.len() + rows("refusals.tsv").len(), "{MAKE}");
    }
}

#[test]
fn every_listed_test_exists() {
    let mut sources = String::new();
    let mut folders = vec![root().join("tests"), root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                sources += &fs::read_to_string(&path).expect("a source");
            }
        }
    }
    let names: HashSet<&str> = sources.split("fn ").filter_map(|part| part.split('(').next()).collect();
    let document = tested();
    let named = document
        .lines()
        .filter_map(|line| line.strip_suffix("` |")?.rsplit_once('`'))
        .map(|(_, test)| test.rsplit("::").next().unwrap_or(test));
    let gone: HashSet<&str> = named.filter(|name| !names.contains(name)).collect();
    assert!(gone.is_empty(), "{gone:?}: {MAKE}");
}
