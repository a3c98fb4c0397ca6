//! The API document, and the part of it that the staff pages are built from.

use serde_json::Value;

const PATHS: &str = include_str!("../../web/openapi.paths");
const SNAPSHOT: &str = include_str!("../../web/openapi.json");

#[test]
fn the_staff_pages_have_the_current_api() {
    let (_, routes) = testkit::routes();
    let document = api::open_api::document_of(&routes, |path| PATHS.lines().any(|one| one == path));
    let snapshot: Value = serde_json::from_str(SNAPSHOT).expect("JSON");
    assert!(document == snapshot, "the API has changed: run `make types` and commit web/");
    let described = document["paths"].as_object().expect("paths").len();
    assert_eq!(described, PATHS.lines().count(), "a path of web/openapi.paths is not served");
}
