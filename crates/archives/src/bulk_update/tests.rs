//! A sheet goes out, is changed and comes back.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};

use super::{
    Problem, SHEET,
    change::apply,
    columns::Column,
    digital_objects::named,
    row::{Container, Library},
    sheet::{Component, Room, chosen, workbook},
};
use crate::{
    model::StartingLists,
    sheets::{Format, Row, Table, rows},
};

const BOX: &str = "/repositories/2/top_containers/4";
const SCAN: &str = "/repositories/2/digital_objects/5";
const GIFT: &str = "/repositories/2/accessions/6";

fn component() -> Component {
    let doc = json!({"title": "Letters", "level": "file", "ref_id": "r1", "publish": true, "component_id": "c1",
        "dates": [{"jsonmodel_type": "date", "label": "creation", "date_type": "inclusive", "begin": "1900", "end": "1910"}],
        "extents": [],
        "notes": [
            {"jsonmodel_type": "note_singlepart", "type": "abstract", "content": ["Short"]},
            {"jsonmodel_type": "note_multipart", "type": "accessrestrict",
             "subnotes": [{"jsonmodel_type": "note_text", "content": "Closed"}],
             "rights_restriction": {"local_access_restriction_type": ["RestrictedFragileSpecColl"], "end": "2050"}}],
        "lang_materials": [
            {"jsonmodel_type": "lang_material", "language_and_script": {"language": "eng"}},
            {"jsonmodel_type": "lang_material", "notes": [{"type": "langmaterial", "content": ["In English"]}]}],
        "instances": [
            {"jsonmodel_type": "instance", "instance_type": "digital_object", "digital_object": {"ref": SCAN}},
            {"jsonmodel_type": "instance", "instance_type": "books",
             "sub_container": {"jsonmodel_type": "sub_container", "top_container": {"ref": BOX}, "type_2": "folder", "indicator_2": "1"}}],
        "accession_links": [{"ref": GIFT}]});
    let of = |uri: &str, value: Value| (uri.to_owned(), value);
    Component {
        id: 7,
        version: 3,
        doc,
        named: HashMap::from([
            of(BOX, json!({"type": "box", "indicator": "1", "barcode": "b1"})),
            of(
                SCAN,
                json!({"digital_object_id": "d1", "title": "Scan", "publish": false,
                "file_versions": [{"file_uri": "http://a.b", "publish": true}]}),
            ),
            of(GIFT, json!({"id_0": "2020", "id_1": "1"})),
        ]),
    }
}

const GROUPS: [&str; 24] = [
    "level",
    "component_id",
    "ref_id",
    "repository_processing_note",
    "publish",
    "date",
    "extent",
    "instance",
    "digital_object",
    "related_accession",
    "langmaterial",
    "note_abstract",
    "note_accruals",
    "note_bioghist",
    "note_accessrestrict",
    "note_dimensions",
    "note_altformavail",
    "note_odd",
    "note_phystech",
    "note_physdesc",
    "note_processinfo",
    "note_relatedmaterial",
    "note_scopecontent",
    "note_separatedmaterial",
];

fn library() -> Library {
    let container = |indicator: &str, barcode: Option<&str>| Container {
        kind: Some("box".to_owned()),
        indicator: Some(indicator.to_owned()),
        barcode: barcode.map(str::to_owned),
    };
    let second = "/repositories/2/top_containers/8".to_owned();
    Library {
        containers: BTreeMap::from([(container("1", Some("b1")), BOX.to_owned()), (container("2", None), second)]),
        digital_objects: HashMap::from([
            ("d1".to_owned(), SCAN.to_owned()),
            ("d2".to_owned(), "/repositories/2/digital_objects/9".to_owned()),
        ]),
        accessions: HashMap::from([([Some("2020".to_owned()), Some("1".to_owned()), None, None], GIFT.to_owned())]),
    }
}

/// The sheet of the component, with some cells changed.
fn sent_back(changes: &[(&str, &str)]) -> (Table, Vec<Column>) {
    let components = [component()];
    let groups = GROUPS.map(str::to_owned);
    let columns = chosen(&components, Room { least: 4, extra: 3, notes: 2 }, &groups);
    assert_eq!(columns.len(), 177);
    let content = workbook(&components, &columns, &StartingLists).expect("a workbook");
    let mut found = rows(content, Format::Xlsx, Some(SHEET)).expect("rows");
    assert_eq!(found.len(), 3);
    let paths = found[1].cells.clone();
    let row: &mut Row = &mut found[2];
    row.cells.resize(paths.len(), None);
    for (path, value) in changes {
        let place = paths.iter().position(|of| of.as_deref() == Some(path)).unwrap_or_else(|| panic!("no {path}"));
        row.cells[place] = Some((*value).to_owned()).filter(|value| !value.is_empty());
    }
    (Table::below_titles(found).expect("a table"), columns)
}

fn applied(changes: &[(&str, &str)]) -> (Map<String, Value>, bool, Vec<Problem>) {
    let (table, _) = sent_back(changes);
    let columns: Vec<Column> = table.codes.iter().map(|path| Column::at(path).expect("a column")).collect();
    let mut record = component().doc.as_object().cloned().expect("an object");
    let mut problems = Vec::new();
    let line = table.lines().next().expect("a line");
    let changed = apply(&line, &columns, &mut record, 3, &library(), &mut problems);
    (record, changed, problems)
}

#[test]
fn a_sheet_that_nobody_changed_changes_nothing() {
    let (record, changed, problems) = applied(&[]);
    assert_eq!(problems, []);
    assert!(!changed, "{record:?}");
    assert_eq!(Value::Object(record), component().doc);
}

#[test]
fn cells_change_members_of_all_kinds() {
    let (record, changed, problems) = applied(&[
        ("title", "Diaries"),
        ("level", "Item [item]"),
        ("publish", "false"),
        ("component_id", ""),
        ("dates/0/end", ""),
        ("dates/1/begin", "1999"),
        ("extents/0/portion", "Whole [whole]"),
        ("extents/0/number", "3"),
        ("extents/0/extent_type", "Reels [reels]"),
        ("note/abstract/0/content", "Shorter"),
        ("note/abstract/1/content", "Second"),
        ("note/accessrestrict/0/content", "Open"),
        ("note/accessrestrict/0/end", "2060"),
        ("note/scopecontent/0/content", "Much"),
        ("note/scopecontent/0/label", "What"),
        ("language_and_script/0/script", "Latin [Latn]"),
        ("note_langmaterial/0/content", "All in English"),
        ("instances/0/sub_container_indicator_2", "9"),
        ("instances/1/instance_type", "Books [books]"),
        ("instances/1/top_container_type", "Box [box]"),
        ("instances/1/top_container_indicator", "2"),
        ("digital_object/1/digital_object_id", "d2"),
    ]);
    assert_eq!(problems, []);
    assert!(changed);
    let record = Value::Object(record);
    assert_eq!(
        (&record["title"], &record["level"], &record["publish"]),
        (&json!("Diaries"), &json!("item"), &json!(false))
    );
    assert_eq!(record.get("component_id"), None);
    assert_eq!(
        record["dates"][0],
        json!({"jsonmodel_type": "date", "label": "creation", "date_type": "single", "begin": "1900"})
    );
    assert_eq!(record["dates"][1]["label"], "creation");
    assert_eq!(
        record["extents"],
        json!([{"jsonmodel_type": "extent", "extent_type": "reels", "number": "3", "portion": "whole"}])
    );
    assert_eq!(
        (&record["notes"][0]["content"], &record["notes"][3]["content"]),
        (&json!(["Shorter"]), &json!(["Second"]))
    );
    assert_eq!(
        (&record["notes"][1]["subnotes"][0]["content"], &record["notes"][1]["rights_restriction"]["end"]),
        (&json!("Open"), &json!("2060"))
    );
    assert_eq!(
        (&record["notes"][2]["label"], &record["notes"][2]["subnotes"][0]["content"]),
        (&json!("What"), &json!("Much"))
    );
    assert_eq!(record["lang_materials"][0]["language_and_script"], json!({"language": "eng", "script": "Latn"}));
    assert_eq!(record["lang_materials"][1]["notes"][0]["content"], json!(["All in English"]));
    let instances = &record["instances"];
    assert_eq!(instances[1]["sub_container"]["indicator_2"], "9");
    assert_eq!(instances[2]["sub_container"]["top_container"]["ref"], "/repositories/2/top_containers/8");
    assert_eq!(instances[3]["digital_object"]["ref"], "/repositories/2/digital_objects/9");
}

#[test]
fn wrong_cells_are_told_with_row_and_column() {
    for (changes, column, text) in [
        (&[("lock_version", "2")][..], "lock_version", "Versions are out of sync: 2 record is now: 3"),
        (&[("level", "item")], "level", "Could not parse enumeration value from: item"),
        (&[("note/abstract/0/content", "")], "note/abstract/0/content", "Deleting a note is disabled."),
        (
            &[("note_langmaterial/0/content", "")],
            "note_langmaterial/0/content",
            "Deleting a Language Note is disabled.",
        ),
        (&[("language_and_script/0/language", "")], "language_and_script/0", "Deleting a Language is disabled."),
        (
            &[("dates/0/label", ""), ("dates/0/begin", ""), ("dates/0/end", "")],
            "dates/0",
            "Deleting a subrecord is disabled.",
        ),
        (
            &[("related_accessions/0/id_1", "2")],
            "related_accessions/0/id_0",
            "Accession not found for identifier: 2020-2",
        ),
        (
            &[("digital_object/1/digital_object_title", "x")],
            "digital_object/1/digital_object_id",
            "Digital Object ID is required",
        ),
        (
            &[("digital_object/0/digital_object_id", "d9")],
            "digital_object/0/digital_object_id",
            "Digital Object not found for d9",
        ),
        (
            &[("instances/0/top_container_indicator", "7")],
            "instances/0/top_container_indicator",
            "Top container not found attached within resource: ",
        ),
    ] {
        let (_, _, problems) = applied(changes);
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!((problems[0].row, problems[0].column.as_deref()), (Some(3), Some(column)));
        assert!(problems[0].errors[0].starts_with(text), "{problems:?}");
    }
    let twice = [("instances/0/top_container_indicator", "7"), ("instances/1/top_container_indicator", "8")];
    let (_, _, problems) = applied(&twice);
    let told = |problem: &Problem| problem.errors[0].contains("The following top containers are attached");
    assert_eq!(problems.iter().map(told).collect::<Vec<_>>(), [true, false]);
    assert!(
        problems[0]
            .lines()
            .starts_with("Sheet name: Updates\nRow number: 3\nColumn: instances/0/top_container_indicator\n")
    );
}

#[test]
fn digital_objects_are_described_by_rows() {
    let (table, columns) = sent_back(&[
        ("digital_object/0/digital_object_title", "New title"),
        ("digital_object/1/digital_object_id", "d3"),
    ]);
    let mut problems = Vec::new();
    let found = named(&table, &columns, &mut problems);
    assert_eq!(
        (found.rows.as_slice(), problems.len(), found.containers.len(), found.accessions.len()),
        (&[(7, 3)][..], 0, 1, 1)
    );
    assert!(found.digital_objects["d3"].is_link() && !found.digital_objects["d1"].is_link());
    let scan = component().named[SCAN].clone();
    let mut record = scan.as_object().cloned().expect("an object");
    assert!(found.digital_objects["d1"].apply(&mut record));
    assert_eq!(
        (&record["title"], &record["file_versions"][0]["file_uri"]),
        (&json!("New title"), &json!("http://a.b"))
    );
    assert!(!found.digital_objects["d1"].apply(&mut record), "the second time nothing changes");
    let made = found.digital_objects["d1"].record("d1", "/x");
    assert_eq!((&made["title"], &made["file_versions"][0]["publish"]), (&json!("New title"), &json!(true)));
}
