//! The least that each kind of record needs, taken from the contract's section 4, and what is said where it lacks it.

use serde_json::{Value, json};

use super::super::lists::StartingLists;
use super::super::registry::record_type;
use super::*;

/// A valid record of each type: leaving out any of the named properties makes it invalid.
fn examples() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let mut examples = descriptions();
    examples.extend(containers());
    examples.extend(agents());
    examples.extend(settings());
    examples
}

fn descriptions() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let extent = json!({"portion": "whole", "number": "3", "extent_type": "linear_feet"});
    let date = json!({"date_type": "inclusive", "label": "creation", "begin": "1990", "end": "1995"});
    let language = json!({"language_and_script": {"language": "eng", "script": "Latn"}});
    let resource = json!({
        "title": "Papers", "id_0": "MS", "level": "collection", "finding_aid_language": "eng",
        "finding_aid_script": "Latn", "extents": [extent], "dates": [date], "lang_materials": [language],
    });
    let agent = json!({"ref": "/agents/people/1", "role": "implementer"});
    let record = json!({"ref": "/repositories/2/resources/1", "role": "source"});
    let root = json!({"ref": "/repositories/2/resources/1"});
    let digital = json!({"ref": "/repositories/2/digital_objects/1"});
    let term = json!({"term": "Maps", "term_type": "topical", "vocabulary": "/vocabularies/1"});
    let assessment = json!({
        "records": [root], "surveyed_by": [{"ref": "/agents/people/1"}], "survey_begin": "2020-01-01",
        "ratings": [{"definition_id": 1, "value": "3"}],
    });
    vec![
        (
            "resource",
            resource,
            &[
                "title",
                "id_0",
                "level",
                "finding_aid_language",
                "finding_aid_script",
                "extents",
                "dates",
                "lang_materials",
            ],
        ),
        (
            "archival_object",
            json!({"title": "Letters", "level": "file", "resource": root}),
            &["level", "resource", "title"],
        ),
        ("accession", json!({"id_0": "2010"}), &["id_0"]),
        ("digital_object", json!({"title": "Scan", "digital_object_id": "x"}), &["title", "digital_object_id"]),
        ("digital_object_component", json!({"label": "1r", "digital_object": digital}), &["label", "digital_object"]),
        ("classification", json!({"identifier": "A", "title": "All"}), &["identifier", "title"]),
        (
            "classification_term",
            json!({"identifier": "B", "title": "Part", "classification": {"ref": "/repositories/2/classifications/1"}}),
            &["identifier", "title", "classification"],
        ),
        (
            "event",
            json!({"event_type": "accession", "date": date, "linked_agents": [agent], "linked_records": [record]}),
            &["event_type", "date", "linked_agents", "linked_records"],
        ),
        ("assessment", assessment, &["records", "surveyed_by", "survey_begin"]),
        (
            "subject",
            json!({"source": "local", "vocabulary": "/vocabularies/1", "terms": [term]}),
            &["source", "vocabulary", "terms"],
        ),
        ("term", term, &["term", "term_type", "vocabulary"]),
        ("extent", extent, &["portion", "number", "extent_type"]),
        ("date", date.clone(), &["date_type", "label"]),
        ("deaccession", json!({"scope": "part", "description": "x", "date": date}), &["scope", "description", "date"]),
        ("file_version", json!({"file_uri": "https://example.org/1"}), &["file_uri"]),
        ("archival_record_children", json!({"children": [{"title": "x", "level": "file", "resource": root}]}), &[]),
    ]
}

fn containers() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let place = json!({"ref": "/locations/1", "status": "current", "start_date": "2020-01-01"});
    let top = json!({"top_container": {"ref": "/repositories/2/top_containers/1"}});
    let profile = json!({
        "name": "Box", "dimension_units": "inches", "extent_dimension": "width", "height": "10", "width": "12.5",
        "depth": "5",
    });
    let row = json!({"label": "Row", "start": "1", "end": "9"});
    vec![
        ("top_container", json!({"indicator": "1", "container_locations": [place]}), &["indicator"]),
        ("container_location", place, &["ref", "status", "start_date"]),
        ("sub_container", top.clone(), &["top_container"]),
        ("instance", json!({"instance_type": "text", "sub_container": top}), &["instance_type", "sub_container"]),
        ("container_profile", profile, &["name", "dimension_units", "extent_dimension", "height", "width", "depth"]),
        ("location", json!({"building": "Main", "barcode": "x"}), &["building", "barcode"]),
        ("location_profile", json!({"name": "Bay"}), &["name"]),
        (
            "location_batch",
            json!({"building": "Main", "barcode": "x", "coordinate_1_range": row}),
            &["building", "coordinate_1_range"],
        ),
        ("location_batch_update", json!({"record_uris": ["/locations/1"], "building": "Main"}), &[]),
    ]
}

fn agents() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let single = json!({"date_role": "begin", "date_expression": "1815"});
    let date = json!({
        "date_label": "existence", "date_type_structured": "single", "structured_date_single": single,
    });
    let person = json!({"primary_name": "A", "name_order": "inverted", "sort_name": "A"});
    vec![
        ("agent_person", json!({"names": [person], "dates_of_existence": [date]}), &["names"]),
        ("agent_family", json!({"names": [{"family_name": "A", "sort_name_auto_generate": true}]}), &["names"]),
        ("agent_corporate_entity", json!({"names": [{"primary_name": "A", "sort_name": "A"}]}), &["names"]),
        ("agent_software", json!({"names": [{"software_name": "A", "sort_name": "A"}]}), &["names"]),
        ("name_person", person, &["primary_name", "name_order", "sort_name"]),
        ("structured_date_label", date, &["date_label", "date_type_structured", "structured_date_single"]),
        ("agent_contact", json!({"name": "A", "telephones": [{"number": "1"}]}), &["name"]),
        ("agent_record_control", json!({"maintenance_status": "new"}), &["maintenance_status"]),
        (
            "agent_relationship_parentchild",
            json!({"relator": "is_child_of", "ref": "/agents/people/1"}),
            &["relator", "ref"],
        ),
    ]
}

fn settings() -> Vec<(&'static str, Value, &'static [&'static str])> {
    let repository = json!({"repo_code": "ar", "name": "Archive"});
    let query = json!({"jsonmodel_type": "field_query", "field": "title", "value": "maps"});
    let both = json!({"jsonmodel_type": "boolean_query", "op": "AND", "subqueries": [query]});
    let subjects = |ids: &[u8]| -> Value { ids.iter().map(|id| json!({"ref": format!("/subjects/{id}")})).collect() };
    vec![
        ("repository", repository.clone(), &["repo_code", "name"]),
        ("repository_with_agent", json!({"repository": repository}), &["repository"]),
        ("user", json!({"username": "ada", "name": "Ada"}), &["username", "name"]),
        (
            "group",
            json!({"group_code": "a", "description": "b", "member_usernames": ["c"]}),
            &["group_code", "description"],
        ),
        ("enumeration", json!({"name": "a", "values": ["b"]}), &["name", "values"]),
        (
            "enumeration_migration",
            json!({"enum_uri": "/config/enumerations/1", "from": "a", "to": "b"}),
            &["enum_uri", "from", "to"],
        ),
        ("preference", json!({"defaults": {"locale": "en", "accession_browse_column_8": "title"}}), &[]),
        ("required_fields", json!({"record_type": "subject"}), &["record_type"]),
        ("job", json!({"job": {"jsonmodel_type": "import_job"}}), &[]),
        ("import_job", json!({"import_type": "ead_xml", "filenames": ["a.xml"]}), &["import_type", "filenames"]),
        (
            "merge_request",
            json!({"merge_destination": subjects(&[1])[0], "merge_candidates": subjects(&[2, 3])}),
            &["merge_destination"],
        ),
        ("advanced_query", json!({"query": both}), &[]),
        ("boolean_query", both, &["op", "subqueries"]),
    ]
}

fn checked(of: &str, body: Value) -> Result<Checked, Invalid> {
    check(record_type(of).unwrap(), body, &StartingLists, Purpose::Save)
}

#[test]
fn a_record_needs_no_more_than_the_contract_says() {
    for (of, body, _) in examples() {
        if let Err(invalid) = checked(of, body) {
            panic!("{of}: {:?}", invalid.errors);
        }
    }
}

#[test]
fn a_record_needs_no_less_than_the_contract_says() {
    for (of, body, needed) in examples() {
        for property in needed {
            let mut body = body.clone();
            body.as_object_mut().unwrap().shift_remove(*property);
            assert!(checked(of, body).is_err(), "{of} without {property}");
        }
    }
}

#[test]
fn what_a_client_reads_it_may_write_back() {
    for (of, body, _) in examples() {
        let mut read = checked(of, body).unwrap().record;
        let once = read.clone();
        read.insert("lock_version".to_owned(), json!(3));
        read.insert("created_by".to_owned(), json!("admin"));
        read.insert("create_time".to_owned(), json!("2020-01-01T00:00:00Z"));
        let again = checked(of, Value::Object(read)).unwrap();
        assert_eq!((again.record, again.lock_version), (once, Some(3)), "{of}");
    }
}
