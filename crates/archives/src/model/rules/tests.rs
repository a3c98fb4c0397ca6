use serde_json::{Value, json};

use super::*;

/// A record type, a record of it, and the properties that its rules find fault with (`!` before a code, `?` before a
/// warning).
fn cases() -> Vec<(&'static str, Value, Vec<&'static str>)> {
    let mut cases = descriptions();
    cases.extend(dates());
    cases.extend(containers());
    cases.extend(agents());
    cases.extend(others());
    cases
}

fn descriptions() -> Vec<(&'static str, Value, Vec<&'static str>)> {
    let primary = json!([{"is_primary": true}, {"is_primary": false}, {"is_primary": true}]);
    let represented = json!([{"is_representative": true}, {"is_representative": true}]);
    let languages = json!([{"notes": []}, {"language_and_script": {"language": "eng"}}]);
    let long = "x".repeat(51);
    vec![
        ("resource", json!({"id_0": "a", "id_1": "b", "lang_materials": languages}), vec![]),
        ("resource", json!({"id_0": "a", "id_2": "b", "lang_materials": languages}), vec!["identifier"]),
        ("resource", json!({"id_0": long, "lang_materials": languages}), vec!["id_0"]),
        ("resource", json!({"lang_materials": [{"notes": []}]}), vec!["!must_contain_at_least_one_language"]),
        ("resource", json!({"lang_materials": languages, "level": "otherlevel"}), vec!["other_level"]),
        ("resource", json!({"lang_materials": languages, "level": "otherlevel", "other_level": "box"}), vec![]),
        (
            "resource",
            json!({"lang_materials": languages, "linked_agents": primary}),
            vec!["linked_agents/2/is_primary"],
        ),
        (
            "resource",
            json!({"lang_materials": languages, "instances": represented}),
            vec!["instances/1/is_representative"],
        ),
        ("resource", json!({"lang_materials": languages, "title": "<b>x"}), vec!["title"]),
        ("accession", json!({"id_0": "a", "linked_agents": [{"is_primary": true}]}), vec![]),
        ("accession", json!({"id_0": "a", "id_3": "b"}), vec!["identifier"]),
        ("accession", json!({"title": "x</b>"}), vec!["title"]),
        ("archival_object", json!({"title": "<b>x</i>"}), vec!["title"]),
        ("digital_object", json!({"title": "<script>"}), vec!["title"]),
        ("digital_object_component", json!({"title": "<b>"}), vec!["title"]),
        ("accession", json!({"id_0": "a", "id_1": long}), vec!["id_1"]),
        ("accession", json!({"id_0": "a", "linked_agents": primary}), vec!["linked_agents/2/is_primary"]),
        ("archival_object", json!({"title": "x", "level": "file"}), vec![]),
        ("archival_object", json!({"dates": [{"begin": "1990"}]}), vec![]),
        ("archival_object", json!({"dates": []}), vec!["dates", "title"]),
        ("archival_object", json!({"title": "x", "level": "otherlevel"}), vec!["other_level"]),
        ("archival_object", json!({"title": "x", "linked_agents": primary}), vec!["linked_agents/2/is_primary"]),
        ("archival_object", json!({"title": "x", "instances": represented}), vec!["instances/1/is_representative"]),
        ("digital_object", json!({"file_versions": [{"is_representative": true}]}), vec![]),
        ("digital_object", json!({"file_versions": represented}), vec!["file_versions/1/is_representative"]),
        ("digital_object", json!({"linked_agents": primary}), vec!["linked_agents/2/is_primary"]),
        ("digital_object_component", json!({"label": "x"}), vec![]),
        ("digital_object_component", json!({}), vec!["dates", "title", "label"]),
        (
            "digital_object_component",
            json!({"title": "x", "linked_agents": primary}),
            vec!["linked_agents/2/is_primary"],
        ),
        (
            "digital_object_component",
            json!({"title": "x", "file_versions": represented}),
            vec!["file_versions/1/is_representative"],
        ),
        ("file_version", json!({"is_representative": true, "publish": true}), vec![]),
        ("file_version", json!({"is_representative": true}), vec!["is_representative"]),
        ("rights_statement", json!({"rights_type": "copyright"}), vec!["status", "jurisdiction", "start_date"]),
        ("rights_statement", json!({"rights_type": "license", "start_date": "x"}), vec!["license_terms"]),
        (
            "rights_statement",
            json!({"rights_type": "statute", "jurisdiction": "US"}),
            vec!["statute_citation", "start_date"],
        ),
        ("rights_statement", json!({"rights_type": "other"}), vec!["other_rights_basis", "start_date"]),
        ("rights_statement", json!({"rights_type": "license", "license_terms": "x", "start_date": "x"}), vec![]),
        ("rights_statement_external_document", json!({}), vec!["identifier_type"]),
        ("rights_statement_external_document", json!({"identifier_type": "x"}), vec![]),
        ("note_multipart", json!({"subnotes": []}), vec!["subnotes"]),
        ("note_multipart", json!({"subnotes": [{}]}), vec![]),
        ("note_bioghist", json!({}), vec!["subnotes"]),
        ("note_bioghist", json!({"subnotes": [{}]}), vec![]),
        ("collection_management", json!({"processing_hours_total": "1.5", "processors": "x"}), vec![]),
        ("collection_management", json!({"processing_total_extent": "1"}), vec!["processing_total_extent_type"]),
        ("collection_management", json!({"processing_hours_total": "1.123456"}), vec!["processing_hours_total"]),
        ("user_defined", json!({"integer_1": "-3", "real_1": "1.5"}), vec![]),
        ("user_defined", json!({"integer_2": "1.5", "real_3": "x"}), vec!["integer_2", "real_3"]),
    ]
}

fn dates() -> Vec<(&'static str, Value, Vec<&'static str>)> {
    let restricted =
        |begin: &str, end: &str| json!({"subnotes": [{}], "rights_restriction": {"begin": begin, "end": end}});
    let range = |begin: &str, end: &str| json!({"begin_date_standardized": begin, "end_date_standardized": end});
    vec![
        ("date", json!({"begin": "2000-05", "end": "2000"}), vec![]),
        ("date", json!({"begin": "-0044", "end": "1999-05-31"}), vec![]),
        ("date", json!({"expression": "undated"}), vec![]),
        ("date", json!({"begin": "2000-05", "end": "2000-04"}), vec!["end"]),
        ("date", json!({"begin": "x", "end": "1999-13"}), vec!["begin", "end"]),
        ("date", json!({}), vec!["expression", "begin", "end"]),
        ("event", json!({"date": "2000-01-01"}), vec![]),
        ("event", json!({"timestamp": "2000-01-01T10:00:00Z"}), vec![]),
        ("event", json!({"timestamp": "once"}), vec!["timestamp"]),
        ("event", json!({"date": "2000-01-01", "timestamp": "2000-01-01"}), vec!["date", "timestamp"]),
        ("event", json!({}), vec!["date", "timestamp"]),
        (
            "assessment",
            json!({"survey_begin": "2020-01-01", "survey_end": "2020-01-02", "monetary_value": "1.50"}),
            vec![],
        ),
        ("assessment", json!({"survey_begin": "2020-01-01", "survey_end": "2019-01-02"}), vec!["survey_end"]),
        ("assessment", json!({"survey_begin": "2020-01-01", "monetary_value": "1.505"}), vec!["monetary_value"]),
        ("note_multipart", restricted("2000-01-01", "2001-01-01"), vec![]),
        ("note_multipart", restricted("2000", "1-1-x"), vec!["rights_restriction__begin", "rights_restriction__end"]),
        ("note_multipart", restricted("2000-01-02", "2000-01-01"), vec!["rights_restriction__end"]),
        ("structured_date_label", json!({"date_type_structured": "single", "structured_date_single": {}}), vec![]),
        ("structured_date_label", json!({"date_type_structured": "single"}), vec!["structured_date_label"]),
        (
            "structured_date_label",
            json!({"date_type_structured": "range", "structured_date_single": {}}),
            vec!["structured_date_range"],
        ),
        (
            "structured_date_label",
            json!({"date_type_structured": "single", "structured_date_single": {}, "structured_date_range": {}}),
            vec!["structured_date_single", "structured_date_range"],
        ),
        ("structured_date_single", json!({"date_standardized": "1999-05"}), vec![]),
        ("structured_date_single", json!({"date_expression": "once"}), vec![]),
        ("structured_date_single", json!({}), vec!["date_standardized"]),
        ("structured_date_single", json!({"date_standardized": "May 1999"}), vec!["date_standardized"]),
        ("structured_date_range", range("800", "814-01-28"), vec![]),
        ("structured_date_range", range("2000", "1999"), vec!["begin_date_standardized"]),
        ("structured_date_range", range("2000-13", "2001"), vec!["begin_date_standardized"]),
        ("structured_date_range", range("x", "y"), vec!["begin_date_standardized", "end_date_standardized"]),
        ("structured_date_range", json!({}), vec!["begin_date_expression"]),
        (
            "structured_date_range",
            json!({"end_date_expression": "x"}),
            vec!["begin_date_expression", "end_date_expression"],
        ),
        ("structured_date_range", json!({"end_date_standardized": "1999"}), vec!["end_date_standardized"]),
    ]
}

fn containers() -> Vec<(&'static str, Value, Vec<&'static str>)> {
    let measures = |depth: &str, stacking: &str| json!({"depth": depth, "width": "1.25", "height": ".5", "stacking_limit": stacking});
    vec![
        ("instance", json!({"instance_type": "text", "sub_container": {}}), vec![]),
        ("instance", json!({"instance_type": "digital_object", "digital_object": {}}), vec![]),
        ("instance", json!({"instance_type": "text"}), vec!["sub_container"]),
        ("instance", json!({"instance_type": "digital_object", "sub_container": {}}), vec!["digital_object"]),
        (
            "instance",
            json!({"instance_type": "text", "digital_object": {}, "sub_container": {}}),
            vec!["instance_type"],
        ),
        ("sub_container", json!({"type_2": "a", "indicator_2": "1", "type_3": "a", "indicator_3": "1"}), vec![]),
        ("sub_container", json!({"type_2": "a"}), vec!["type_2"]),
        ("sub_container", json!({"type_3": "a", "indicator_3": "1"}), vec!["type_2"]),
        ("sub_container", json!({"type_2": "a", "indicator_2": "1", "indicator_3": "1"}), vec!["type_3"]),
        ("container_location", json!({"status": "current"}), vec![]),
        ("container_location", json!({"status": "previous"}), vec!["end_date"]),
        ("container_profile", measures("10", "3"), vec![]),
        ("container_profile", measures("1.255", "x"), vec!["depth", "stacking_limit"]),
        ("location", json!({"classification": "x"}), vec![]),
        ("location", json!({"coordinate_1_label": "x", "coordinate_1_indicator": "1"}), vec![]),
        ("location", json!({"coordinate_1_label": "x"}), vec!["!location_fields_error"]),
        ("location_profile", json!({"depth": " 1 "}), vec![]),
        ("location_profile", json!({"depth": "x", "height": ""}), vec!["depth", "height"]),
    ]
}

fn agents() -> Vec<(&'static str, Value, Vec<&'static str>)> {
    let mut cases = vec![
        ("agent_software", json!({"agent_sources": []}), vec![]),
        (
            "agent_software",
            json!({"agent_sources": [{}], "agent_resources": [{}]}),
            vec!["agent_sources", "agent_resources"],
        ),
        ("agent_sources", json!({"descriptive_note": "x"}), vec![]),
        ("agent_sources", json!({}), vec!["agent_sources"]),
        ("agent_alternate_set", json!({"set_component": "x"}), vec![]),
        ("agent_alternate_set", json!({}), vec!["agent_sources"]),
        ("used_language", json!({"notes": [{}]}), vec![]),
        ("used_language", json!({"script": "Latn"}), vec!["language"]),
    ];
    for agent in ["agent_person", "agent_family", "agent_corporate_entity", "agent_software"] {
        let twice =
            json!([{"authorized": true, "is_display_name": true}, {"authorized": true, "is_display_name": true}]);
        cases.push((
            agent,
            json!({"dates_of_existence": [{"date_label": "existence"}], "names": [{"authorized": true}]}),
            vec![],
        ));
        cases.push((agent, json!({"dates_of_existence": [{"date_label": "usage"}]}), vec!["dates_of_existence"]));
        cases.push((agent, json!({"names": twice}), vec!["names/1/authorized", "names/1/is_display_name"]));
        let both = json!([{"is_representative": true}, {"is_representative": true}]);
        cases.push((agent, json!({"agent_contacts": both}), vec!["agent_contacts/1/is_representative"]));
    }
    for record in ["agent_person", "agent_family", "agent_corporate_entity", "agent_software"] {
        cases.push((record, documented_twice(json!({})), vec!["external_documents/1/location"]));
    }
    for name in ["name_person", "name_family", "name_corporate_entity", "name_software"] {
        cases.push((name, json!({"sort_name": "x", "authority_id": "1", "source": "naf"}), vec![]));
        cases.push((name, json!({"sort_name_auto_generate": true, "authority_id": "1"}), vec!["?source"]));
        cases.push((name, json!({"sort_name_auto_generate": false}), vec!["sort_name"]));
    }
    for record in ["agent_function", "agent_place", "agent_occupation", "agent_topic"] {
        cases.push((record, json!({"subjects": [{}]}), vec![]));
        cases.push((record, json!({}), vec!["subjects"]));
    }
    cases
}

/// A record that names the same document twice.
fn documented_twice(mut record: Value) -> Value {
    let document = json!({"title": "x", "location": "y"});
    record["external_documents"] = json!([document, document]);
    record
}

fn others() -> Vec<(&'static str, Value, Vec<&'static str>)> {
    let config = json!({
        "oai_record_prefix": "oai:x", "oai_repository_name": "x", "oai_admin_email": "admin@example.org",
        "repo_set_codes": "[]",
    });
    let mut without_email = config.clone();
    without_email["oai_admin_email"] = json!("admin");
    let job = |property: &str| json!({"record_type": "extent", "property": property});
    vec![
        ("oai_config", config.clone(), vec![]),
        ("oai_config", without_email, vec!["oai_admin_email"]),
        (
            "oai_config",
            json!({"repo_set_codes": "[1]", "sponsor_set_names": "[]"}),
            vec![
                "oai_record_prefix",
                "oai_repository_name",
                "oai_admin_email",
                "repo_set_description",
                "repo_set_name",
            ],
        ),
        ("subject", json!({}), vec![]),
        ("subject", documented_twice(json!({})), vec!["external_documents/1/location"]),
        ("accession", documented_twice(json!({"title": "x"})), vec!["external_documents/1/location"]),
        ("archival_object", documented_twice(json!({"title": "x"})), vec!["external_documents/1/location"]),
        (
            "resource",
            documented_twice(json!({"title": "x"})),
            vec!["!must_contain_at_least_one_language", "external_documents/1/location"],
        ),
        ("digital_object", documented_twice(json!({"title": "x"})), vec!["external_documents/1/location"]),
        ("digital_object_component", documented_twice(json!({"title": "x"})), vec!["external_documents/1/location"]),
        ("rights_statement", documented_twice(json!({})), vec!["external_documents/1/location"]),
        ("field_query", json!({"comparator": "empty"}), vec![]),
        ("field_query", json!({"comparator": "contains"}), vec!["value"]),
        ("date_field_query", json!({"value": "2000-01-01"}), vec![]),
        ("date_field_query", json!({}), vec!["value"]),
        ("find_and_replace_job", job("container_summary"), vec![]),
        ("find_and_replace_job", job("colour"), vec!["property"]),
    ]
}

fn object(of: &str, record: Value) -> Map<String, Value> {
    let Value::Object(mut map) = record else { panic!("{of} is no object") };
    map.insert("jsonmodel_type".to_owned(), Value::from(of));
    map
}

#[test]
fn rules_find_what_is_wrong_and_nothing_else() {
    for (of, record, expected) in cases() {
        let map = object(of, record);
        let found: Vec<_> = super::of(of)
            .chain(last_of(of))
            .flat_map(|rule| rule(&map))
            .map(|finding| match finding {
                Finding::Error(property, _) => property,
                Finding::Warning(property, _) => format!("?{property}"),
                Finding::Code(code) => format!("!{code}"),
            })
            .collect();
        assert_eq!(found, expected, "{of} {map:?}");
    }
}

#[test]
fn every_rule_has_a_case_that_fails_and_one_that_passes() {
    let cases = cases();
    for (place, (of, rule)) in RULES.iter().chain(LAST_RULES).enumerate() {
        let found =
            cases.iter().filter(|(case, ..)| case == of).map(|(_, record, _)| rule(&object(of, record.clone())));
        let (passing, failing): (Vec<_>, Vec<_>) = found.partition(Vec::is_empty);
        assert!(!passing.is_empty() && !failing.is_empty(), "rule {place}, of {of}");
    }
}

#[test]
fn every_rule_is_for_a_declared_type() {
    for (of, _) in RULES.iter().chain(LAST_RULES) {
        assert!(super::super::registry::record_type(of).is_some(), "{of}");
    }
}

#[test]
fn messages_name_what_there_is_too_much_of() {
    let map = object("agent_family", json!({"names": [{"authorized": true}, {"authorized": true}]}));
    let message = "A agent_family can have only one NameFamily defined as: authorized".to_owned();
    assert_eq!(agents::one_name_is_it(&map), [Finding::Error("names/1/authorized".to_owned(), message)]);
    let map = object("find_and_replace_job", json!({"record_type": "extent", "property": "colour"}));
    let message = "JSONModel(:extent) does not have a property named 'colour'".to_owned();
    assert_eq!(others::property_exists(&map), [Finding::Error("property".to_owned(), message)]);
}
