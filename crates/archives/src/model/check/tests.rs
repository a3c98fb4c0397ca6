use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::lists::StartingLists;
use super::super::registry::{record_type, record_types};
use super::*;

fn checked(of: &str, body: Value) -> Result<Checked, Invalid> {
    check(record_type(of).unwrap(), body, &StartingLists, Purpose::Save)
}

/// The messages by path that the body is refused with.
fn refused(of: &str, body: Value) -> Value {
    Value::Object(checked(of, body).expect_err(of).errors)
}

fn resource() -> Value {
    json!({
        "title": "Papers", "id_0": "MS", "id_1": "1", "level": "collection",
        "finding_aid_language": "eng", "finding_aid_script": "Latn",
        "extents": [{"portion": "whole", "number": "3", "extent_type": "linear_feet"}],
        "dates": [{"date_type": "single", "label": "creation", "begin": "1990"}],
        "lang_materials": [{"language_and_script": {"language": "eng"}}],
    })
}

/// The resource with the value put at the slash path.
fn resource_with(path: &str, value: Value) -> Value {
    let mut body = resource();
    let (parent, last) = path.rsplit_once('/').unwrap_or(("", path));
    let parent = if parent.is_empty() { &mut body } else { body.pointer_mut(&format!("/{parent}")).unwrap() };
    match parent {
        Value::Array(items) => items[last.parse::<usize>().unwrap()] = value,
        other => other[last] = value,
    }
    body
}

#[test]
fn a_valid_record_is_completed() {
    let body = json!({
        "title": "Papers", "id_0": "MS", "level": "collection", "finding_aid_language": "eng",
        "finding_aid_script": "Latn", "extents": [{"portion": "whole", "number": "3", "extent_type": "linear_feet"}],
        "dates": [{"date_type": "single", "label": "creation", "begin": "1990"}],
        "lang_materials": [{"language_and_script": {"language": "eng"}}],
        "lock_version": 4, "uri": "/repositories/2/resources/1", "create_time": "2020-01-01T00:00:00Z",
        "tree": {"ref": "/repositories/2/resources/1/tree"}, "suppressed": true, "unheard_of": 1,
        "ead_id": "", "id_1": null, "user_defined": {"string_1": ""},
        "deaccessions": [{"scope": "part", "description": "x", "date": {"date_type": "single", "label": "deaccession", "begin": "2010"}, "extents": [{}]}],
        "rights_statements": [{"rights_type": "license", "license_terms": "x", "start_date": "3 June 2010"}],
        "subjects": [{"ref": "/subjects/1", "_resolved": {"title": "x"}}],
    });
    let checked = checked("resource", body).unwrap();
    assert_eq!((checked.lock_version, checked.uri.as_deref()), (Some(4), Some("/repositories/2/resources/1")));
    let record = Value::Object(checked.record);
    for gone in
        ["lock_version", "uri", "create_time", "tree", "suppressed", "unheard_of", "ead_id", "id_1", "user_defined"]
    {
        assert_eq!(record.get(gone), None, "{gone}");
    }
    assert_eq!(record["subjects"], json!([{"ref": "/subjects/1"}]));
    assert_eq!(record["jsonmodel_type"], "resource");
    assert_eq!(record["extents"][0]["jsonmodel_type"], "extent");
    assert_eq!(record["lang_materials"][0]["language_and_script"]["jsonmodel_type"], "language_and_script");
    assert_eq!((&record["restrictions"], &record["is_slug_auto"]), (&json!(false), &json!(true)));
    assert_eq!((&record["notes"], &record["lang_materials"][0]["notes"]), (&json!([]), &json!([])));
    assert_eq!(record["deaccessions"][0]["date"]["jsonmodel_type"], "date");
    assert_eq!(record["rights_statements"][0]["start_date"], "2010-06-03");
    assert_eq!(record["deaccessions"][0]["extents"], json!([]));
    assert_eq!(checked.warnings, Map::new());
}

#[test]
fn what_is_wrong_is_said_in_the_words_clients_know() {
    let long = |length: usize| Value::from("x".repeat(length));
    let agent = |uri: &str| json!([{"ref": uri, "role": "creator"}]);
    let no_agent = "Must be one of: JSONModel(:agent_corporate_entity) uri, JSONModel(:agent_family) uri, \
                    JSONModel(:agent_person) uri, JSONModel(:agent_software) uri (you provided a String)";
    let no_subject = "Must be a JSONModel(:subject) uri (you provided a String) (malformed or invalid uri? check if \
                      referenced object exists.)";
    let cases = [
        ("title", json!(null), "title", "Property is required but was missing"),
        ("title", json!(""), "title", "Property is required but was missing"),
        ("title", long(16385), "title", "Must be 16384 characters or fewer"),
        ("title", json!(1), "title", "Must be a string (you provided a Integer)"),
        ("restrictions", json!("true"), "restrictions", "Must be a boolean (you provided a String)"),
        ("extents", json!([]), "extents", "At least 1 item(s) is required"),
        ("extents", json!({"a": 1}), "extents", "Must be a array (you provided a Hash)"),
        ("extents/0", json!("x"), "extents/0", "Must be a JSONModel(:extent) object (you provided a String)"),
        ("extents/0/number", json!(null), "extents/0/number", "Property is required but was missing"),
        (
            "extents/0/extent_type",
            json!("miles"),
            "extents/0/extent_type",
            "Invalid value 'miles'.  Must be one of: cassettes, cubic_feet, gigabytes, leaves, linear_feet, megabytes, \
             photographic_prints, photographic_slides, reels, sheets, terabytes, volumes",
        ),
        (
            "dates/0/date_type",
            json!("era"),
            "dates/0/date_type",
            "Protected read-only list #/dates/0/date_type. Invalid value 'era'.  Must be one of: single, bulk, inclusive, \
             range",
        ),
        ("linked_agents", agent("/agents/1"), "linked_agents/0/ref", no_agent),
        ("subjects", json!([{"ref": "/agents/people/1"}]), "subjects/0/ref", no_subject),
        ("subjects", json!(["/subjects/1"]), "subjects/0", "Must be a object (you provided a String)"),
        (
            "linked_agents",
            json!([{"ref": "/agents/people/1"}]),
            "linked_agents/0/role",
            "Property is required but was missing",
        ),
        (
            "collection_management",
            json!([]),
            "collection_management",
            "Must be a JSONModel(:collection_management) object (you provided a Array)",
        ),
        ("id_3", json!("x"), "identifier", "must not contain blank entries"),
        ("id_0", long(51), "id_0", "Max length is 50 characters"),
        ("level", json!("otherlevel"), "other_level", "missing required property"),
        ("dates/0/begin", json!("soon"), "dates/0/begin", "not a valid date"),
        ("lang_materials", json!([{"notes": []}]), "coded_errors", "must_contain_at_least_one_language"),
    ];
    for (put, value, path, message) in cases {
        assert_eq!(refused("resource", resource_with(put, value)), json!({path: [message]}), "{put}");
    }
}

#[test]
fn a_reference_that_holds_nothing_declared_is_dropped() {
    let record = checked("resource", resource_with("subjects", json!([{"title": "x"}]))).unwrap().record;
    assert_eq!(record["subjects"], json!([]));
}

#[test]
fn fixed_choices_and_patterns_are_named() {
    let object = |ref_id: &str| json!({"title": "x", "level": "file", "resource": {"ref": "/repositories/2/resources/1"}, "ref_id": ref_id});
    let message = r"Value 'a b' did not match regular expression: \A[a-zA-Z0-9\-_:\.]*\z";
    assert_eq!(refused("archival_object", object("a b")), json!({"ref_id": [message]}));
    assert!(checked("archival_object", object("a-b_c:1.d")).is_ok());

    let repository = |url: &str| json!({"repo_code": "a", "name": "A", "url": url});
    assert!(checked("repository", repository("https://example.org/")).is_ok());
    let message = r"Value 'ftp://x' did not match regular expression: \Ahttps?:\/\/[\S]+\z";
    assert_eq!(refused("repository", repository("ftp://x")), json!({"url": [message]}));

    let permission = json!({"permission_code": "a", "description": "b", "level": "all"});
    let message = "Invalid value 'all'.  Must be one of: repository, global";
    assert_eq!(refused("permission", permission), json!({"level": [message]}));
    let event =
        json!({"event_type": "accession", "timestamp": "2010-06-03", "linked_agents": [], "linked_records": []});
    let least = "At least 1 item(s) is required";
    let expected = json!({"linked_agents": [least], "linked_records": [least]});
    assert_eq!(refused("event", event), expected);
}

#[test]
fn a_nested_record_is_of_the_type_it_says() {
    let with_note = |note: Value| resource_with("notes", json!([note]));
    let note = json!({"jsonmodel_type": "note_singlepart", "type": "abstract", "content": ["a", ""], "unknown": 1});
    let record = checked("resource", with_note(note)).unwrap().record;
    assert_eq!(record["notes"], json!([{"jsonmodel_type": "note_singlepart", "type": "abstract", "content": ["a"]}]));
    let empty = json!({"jsonmodel_type": "note_singlepart", "type": "abstract", "content": [""]});
    let least = json!({"notes/0/content": ["At least 1 item(s) is required"]});
    assert_eq!(refused("resource", with_note(empty)), least);
    let types = r#"["JSONModel(:note_bibliography) object", "JSONModel(:note_index) object", "JSONModel(:note_multipart) object", "JSONModel(:note_singlepart) object"]"#;
    let untyped = r#"{"type"=>"abstract"}"#;
    let message = format!(
        "Can't unambiguously match {untyped} against schema types: {types}. Resolve this by adding a 'jsonmodel_type' \
         property to {untyped}"
    );
    assert_eq!(refused("resource", with_note(json!({"type": "abstract"}))), json!({"record": [message]}));
    let other = r#"{"jsonmodel_type"=>"extent"}"#;
    let message = format!("Couldn't determine type of '{other}'.  Must be one of: {types}");
    assert_eq!(refused("resource", with_note(json!({"jsonmodel_type": "extent"}))), json!({"record": [message]}));
    let text = "Must be one of: JSONModel(:note_bibliography) object, JSONModel(:note_index) object, \
                JSONModel(:note_multipart) object, JSONModel(:note_singlepart) object (you provided a String)";
    assert_eq!(refused("resource", with_note(json!("x"))), json!({"notes/0": [text]}));
}

#[test]
fn each_wrong_part_of_a_note_is_named() {
    let notes = json!([
        {"jsonmodel_type": "note_singlepart", "type": "abstract", "label": "x"},
        {
            "jsonmodel_type": "note_multipart", "type": "accruals", "content": ["dropped"],
            "subnotes": [{"jsonmodel_type": "note_definedlist", "items": [[{"label": "x"}]]}],
        },
    ]);
    let expected = json!({
        "notes/0/content": ["Property is required but was missing"],
        "notes/1/subnotes/0/items/0": ["Must be a object (you provided a Array)"],
    });
    assert_eq!(refused("resource", resource_with("notes", notes)), expected);
}

#[test]
fn rules_wait_for_what_a_record_needs() {
    let date = json!({"label": "creation", "begin": "soon"});
    let missing = json!({"dates/0/date_type": ["Property is required but was missing"]});
    assert_eq!(refused("resource", resource_with("dates/0", date)), missing);
}

#[test]
fn a_term_is_a_record_or_its_uri() {
    let subject = |term: Value| json!({"source": "local", "vocabulary": "/vocabularies/1", "terms": [term]});
    let term = json!({"term": "Maps", "term_type": "topical", "vocabulary": "/vocabularies/1"});
    assert_eq!(checked("subject", subject(term)).unwrap().record["terms"][0]["jsonmodel_type"], "term");
    assert_eq!(checked("subject", subject(json!("/terms/4"))).unwrap().record["terms"][0], "/terms/4");
    let message = "Must be a JSONModel(:term) uri_or_object (you provided a String)";
    assert_eq!(refused("subject", subject(json!("Maps"))), json!({"terms/0": [message]}));
}

#[test]
fn outlines_hold_texts_and_levels() {
    let note = |levels: Value| {
        let outline = json!({"jsonmodel_type": "note_outline", "levels": levels});
        let note = json!({"jsonmodel_type": "note_bioghist", "subnotes": [outline]});
        let name = json!({"sort_name": "A", "primary_name": "A", "name_order": "direct"});
        json!({"names": [name], "notes": [note]})
    };
    let level = json!([{"items": ["a", {"jsonmodel_type": "note_outline_level", "items": ["b"]}]}]);
    let record = checked("agent_person", note(level)).unwrap().record;
    assert_eq!(record["notes"][0]["subnotes"][0]["levels"][0]["items"][1]["items"], json!(["b"]));
    let message = "Must be one of: string, JSONModel(:note_outline_level) object (you provided a Integer)";
    let path = "notes/0/subnotes/0/levels/0/items/0";
    assert_eq!(refused("agent_person", note(json!([{"items": [1]}]))), json!({path: [message]}));
}

#[test]
fn warnings_refuse_nothing() {
    let name = json!({"sort_name": "A", "software_name": "A", "authority_id": "x"});
    let checked = checked("agent_software", json!({"names": [name]})).unwrap();
    let expected = json!({"names/0/source": ["is required if there is an authority id"]});
    assert_eq!(Value::Object(checked.warnings), expected);
}

#[test]
fn some_rules_wait_until_nothing_else_is_wrong() {
    let mut body = resource_with("id_0", Value::from("x".repeat(51)));
    assert_eq!(refused("resource", body.clone()), json!({"id_0": ["Max length is 50 characters"]}));
    body["level"] = json!("otherlevel");
    assert_eq!(refused("resource", body), json!({"other_level": ["missing required property"]}));

    let invalid = checked("oai_config", json!({"oai_admin_email": "x"})).unwrap_err();
    assert_eq!(invalid.warnings["oai_record_prefix"], json!(["Property was missing"]));
    assert_eq!(invalid.errors["oai_record_prefix"], json!(["is not present"]));
    assert_eq!(invalid.errors["oai_admin_email"], json!(["must be a valid email address"]));
}

#[test]
fn an_import_adds_values_and_points_ahead() {
    let mut body = resource_with("extents/0/extent_type", json!("miles"));
    body["subjects"] = json!([{"ref": "/subjects/import_0a"}]);
    let of = record_type("resource").unwrap();
    let imported = check(of, body.clone(), &StartingLists, Purpose::Import).unwrap();
    let new = NewValue { list: "extent_extent_type".to_owned(), value: "miles".to_owned() };
    assert_eq!(imported.new_values, [new]);
    let paths: Vec<_> = checked("resource", body).unwrap_err().errors.keys().cloned().collect();
    assert_eq!(paths, ["subjects/0/ref", "extents/0/extent_type"]);
}

#[test]
fn the_refused_record_is_shown() {
    let invalid = checked("term", json!({"term": "a", "unknown": 1})).unwrap_err();
    assert_eq!(invalid.invalid_object, r#"#<JSONModel(:term) {"jsonmodel_type"=>"term", "term"=>"a"}>"#);
    let invalid = checked("term", json!([1])).unwrap_err();
    assert_eq!(invalid.errors["record"], json!(["Must be a JSONModel(:term) object (you provided a Array)"]));
}

/// Any JSON of a few levels whose keys are often declared ones.
fn any_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "(/subjects/[0-9]{1,2}|whole|single|creation|eng|1999|[a-z]{0,4})".prop_map(Value::from),
    ];
    let key = prop_oneof![
        Just("dates"),
        Just("extents"),
        Just("notes"),
        Just("title"),
        Just("subjects"),
        Just("ref"),
        Just("language"),
        Just("jsonmodel_type"),
        Just("lang_materials"),
        Just("language_and_script"),
        Just("number"),
        Just("begin"),
    ];
    leaf.prop_recursive(4, 40, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..5)
                .prop_map(|pairs| pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}

proptest! {
    #[test]
    fn checking_again_changes_nothing(
        extra in prop::collection::vec((prop::sample::select(vec!["title", "notes", "dates", "slug", "subjects", "publish",
            "accession_date", "condition_description", "instances", "user_defined", "lang_materials"]), any_value()), 0..4),
    ) {
        let mut body = json!({"id_0": "1"});
        for (key, value) in extra {
            body[key] = value;
        }
        if let Ok(first) = checked("accession", body) {
            let again = checked("accession", Value::Object(first.record.clone())).unwrap();
            prop_assert_eq!(first.record, again.record);
        }
    }

    #[test]
    fn no_body_breaks_the_check(place in 0..record_types().len(), body in any_value()) {
        let of = &record_types()[place];
        match check(of, body, &StartingLists, Purpose::Save) {
            Ok(checked) => prop_assert_eq!(&checked.record["jsonmodel_type"], &Value::from(of.name.as_str())),
            Err(invalid) => prop_assert!(!invalid.errors.is_empty()),
        }
    }
}
