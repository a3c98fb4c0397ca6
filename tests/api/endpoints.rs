//! `docs/endpoints.md` and `README.md` are up to date: they list all routes of both APIs, every endpoint of circulation and
//! of the archives and each of its refusals has a test, and the tests exist.

#[path = "../endpoints/served.rs"]
mod served;
#[path = "../endpoints/wanted.rs"]
mod wanted;

use std::{collections::HashSet, fs, path::PathBuf};

use testkit::library;

/// The products whose routes belong to circulation.
const PRODUCTS: [&str; 6] =
    ["mod-circulation", "mod-circulation-storage", "mod-feesfines", "mod-patron-blocks", "mod-calendar", "mod-pubsub"];
const MAKE: &str = "run `make endpoints`, and add what is missing to tests/endpoints/*.tsv";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn document() -> String {
    fs::read_to_string(root().join("docs/endpoints.md")).expect("docs/endpoints.md")
}

/// The parts of the document that name the tests: of circulation and of the archives.
fn tested() -> (String, String) {
    let document = document();
    let (_, tested) = document.split_once(wanted::CIRCULATION).expect("the tests of circulation");
    let (circulation, archives) = tested.split_once(wanted::ARCHIVES).expect("the tests of the archives");
    (circulation.to_owned(), archives.to_owned())
}

#[test]
fn the_lists_of_served_routes_are_up_to_date() {
    let (_, routes) = testkit::routes();
    let archives = api::archives::document();
    for (name, mark, list) in [
        ("README.md", served::OF_FOLIO, served::modules(&routes)),
        ("docs/endpoints.md", served::OF_FOLIO, served::routes(&routes)),
        ("docs/endpoints.md", served::OF_ARCHIVES, served::archives(&archives)),
    ] {
        let text = fs::read_to_string(root().join(name)).expect(name);
        assert!(
            served::with_list(&text, mark, &list) == text,
            "{name} is out of date: cargo run -p tests --example endpoints"
        );
    }
    let document = document();
    let of_folio = routes.all().iter().map(|route| format!("| `{} {}` |", route.method, route.path));
    let of_archives = wanted::of_archives(&archives);
    let of_archives = of_archives.iter().map(|route| format!("| `{} {}` |", route.method, route.path));
    for endpoint in of_folio.chain(of_archives) {
        assert!(document.contains(&endpoint), "{endpoint}");
    }
    let readme = fs::read_to_string(root().join("README.md")).expect("README.md");
    assert!(readme.contains("(docs/endpoints.md)"));
}

#[tokio::test]
async fn every_route_of_circulation_is_in_the_list() {
    let library = library().await;
    let listed = wanted::of_circulation();
    let listed: HashSet<String> = listed.iter().map(|one| format!("{} {}", one.method, one.path)).collect();
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

/// The lines with their endpoint, which is named in the first of several only.
fn answers<'l>(lines: impl Iterator<Item = &'l str>) -> HashSet<String> {
    let mut endpoint = "";
    let mut all = HashSet::new();
    for line in lines {
        let (name, answer) = line.strip_prefix("| ").and_then(|line| line.split_once(" | ")).expect("two cells");
        if !name.trim().is_empty() {
            endpoint = name;
        }
        all.insert(format!("{endpoint} {answer}"));
    }
    all
}

#[test]
fn every_answer_has_a_line_and_a_test() {
    let (circulation, archives) = tested();
    let of_archives = wanted::of_archives(&api::archives::document());
    for (list, wanted) in [(circulation, wanted::of_circulation()), (archives, of_archives)] {
        let lines = list.strip_prefix(wanted::COLUMNS).expect("the head of the list").trim_end().lines();
        let lines: Vec<_> = lines.filter_map(|line| line.strip_suffix(" |")?.rsplit_once(' ')).collect();
        let without: Vec<_> = lines.iter().filter(|(_, test)| *test == wanted::NONE).collect();
        assert!(without.is_empty(), "{without:#?}: write the tests, then {MAKE}");
        let listed: HashSet<String> = answers(lines.iter().map(|(begin, _)| *begin));
        let all: Vec<&wanted::Wanted> = wanted.iter().collect();
        let must: Vec<&wanted::Wanted> = all.iter().copied().filter(|one| one.must).collect();
        let of = |wanted: &[&wanted::Wanted]| answers(wanted::begins(wanted).iter().map(String::as_str));
        let (all, must) = (of(&all), of(&must));
        let missing: Vec<_> = must.difference(&listed).collect();
        assert!(missing.is_empty(), "{missing:#?}: {MAKE}");
        let gone: Vec<_> = listed.difference(&all).collect();
        assert!(gone.is_empty(), "{gone:#?}: {MAKE}");
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
    let (circulation, archives) = tested();
    let named = circulation
        .lines()
        .chain(archives.lines())
        .filter_map(|line| line.strip_suffix("` |")?.rsplit_once('`'))
        .map(|(_, test)| test.rsplit("::").next().unwrap_or(test));
    let gone: HashSet<&str> = named.filter(|name| !names.contains(name)).collect();
    assert!(gone.is_empty(), "{gone:?}: {MAKE}");
}
