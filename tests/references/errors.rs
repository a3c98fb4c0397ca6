//! `docs/errors.md` lists every refusal of the tables (docs/decisions/0033-refusals-are-tables.md).

use std::fs;

use api::folio::refusal_tables;

use super::{collect, root};

/// The crate that defines the tables; its refusals are examples.
const TABLES: &str = "crates/refusals/";

#[test]
fn every_refusal_is_listed() {
    let document = fs::read_to_string(root().join("docs/errors.md")).expect("docs/errors.md");
    let rows = refusal_tables().into_iter().flat_map(|table| table.rows);
    let missing: Vec<_> = rows.map(|wording| wording.line()).filter(|line| !document.contains(line)).collect();
    let missing = missing.join("\n");
    assert!(missing.is_empty(), "run `make endpoints`:\n{missing}");
}

#[test]
fn every_table_is_known() {
    let root = root();
    let mut sources = Vec::new();
    collect(&root.join("crates"), &mut sources);
    let ours = sources.iter().filter(|(path, _)| !path.starts_with(root.join(TABLES)));
    let declared: usize = ours.map(|(_, text)| text.matches("refusals::table! {").count()).sum();
    assert_eq!(refusal_tables().len(), declared);
}

#[test]
fn the_words_of_collections_stand_in_tables() {
    let rows: Vec<_> = refusal_tables().into_iter().flat_map(|table| table.rows).collect();
    for collection in api::folio::all_collections() {
        let mut wordings = collection.wordings().chain(collection.refused_in_general);
        assert_eq!(wordings.find(|wording| !rows.contains(&wording)), None, "{}", collection.path);
    }
}
