//! Section 6.5: what breaks a rule ends a strict import, and is put right by a tolerant one, which says so.
#![allow(clippy::unwrap_used)]

mod common;

use common::{finding_aid, import};
use ead::Mode;
use serde_json::{Value, json};

/// The parts of a resource that must be there, by name.
fn without(part: &str) -> String {
    let parts = [
        ("unitid", "<unitid>MS 1</unitid>"),
        ("unittitle", "<unittitle>Papers</unittitle>"),
        ("unitdate", "<unitdate>1900</unitdate>"),
        ("physdesc", "<physdesc><extent>1 box</extent></physdesc>"),
    ];
    let did: String = parts.iter().filter(|(name, _)| *name != part).map(|(_, xml)| *xml).collect();
    format!(
        "<ead><eadheader><eadid>e1</eadid></eadheader><archdesc level=\"collection\">\n<did>{did}</did></archdesc></ead>"
    )
}

fn component(attributes: &str, did: &str) -> String {
    finding_aid("", "", &format!("\n<c {attributes}><did>{did}</did></c>"))
}

/// Each case: a file; the line, element and reason of the strict error; where the tolerant import put what.
type Case = (String, u64, &'static str, &'static str, &'static str, Value);

fn check(cases: Vec<Case>) {
    for (xml, line, element, reason, pointer, wanted) in cases {
        let error = import(xml.as_bytes(), Mode::Strict).expect_err(&xml);
        assert_eq!((error.line, error.element.as_str()), (line, element), "{error}");
        assert!(error.reason.contains(reason), "{error}");
        let imported = import(xml.as_bytes(), Mode::Tolerant).unwrap_or_else(|error| panic!("{xml}: {error}"));
        let [repair] = &imported.repairs[..] else { panic!("{xml}: {:?}", imported.repairs) };
        assert_eq!((repair.line, repair.element.as_str(), &repair.problem), (line, element, &error.reason));
        assert!(!repair.action.is_empty());
        let all = json!({"resource": imported.resource(), "file": imported.of("archival_object").first(),
            "object": imported.of("digital_object").first(), "agent": imported.of("agent_person").first()});
        assert_eq!(all.pointer(pointer).unwrap_or(&Value::Null), &wanted, "{pointer} of {all:#}");
    }
}

#[test]
fn a_resource_has_what_it_must_have() {
    check(vec![
        (without("unitid"), 1, "id_0", "Property is required but was missing", "/resource/id_0", json!("e1")),
        (
            without("unittitle"),
            1,
            "title",
            "Property is required but was missing",
            "/resource/title",
            json!("Untitled"),
        ),
        (without("unitdate"), 1, "dates", "At least 1 item(s)", "/resource/dates/0/expression", json!("undated")),
        (without("physdesc"), 1, "extents", "At least 1 item(s)", "/resource/extents/0/extent_type", json!("unknown")),
        (
            without("unitid").replace("<did>", &format!("<did><unitid>{}</unitid>", "1".repeat(60))),
            1,
            "id_0",
            "Must be 50 characters or fewer",
            "/resource/id_0",
            json!("1".repeat(50)),
        ),
        (
            without("").replace("Papers", &"é".repeat(17_000)),
            1,
            "title",
            "Must be 16384 characters or fewer",
            "/resource/title",
            json!("é".repeat(16_384)),
        ),
    ]);
}

#[test]
fn a_component_has_what_it_must_have() {
    let level = "level=\"file\"";
    let titled = "<unittitle>T</unittitle>";
    check(vec![
        (component(level, "<unitid>1</unitid>"), 2, "dates", "one or more required", "/file/title", json!("Untitled")),
        (
            component("", titled),
            2,
            "other_level",
            "missing required property",
            "/file/other_level",
            json!("unspecified"),
        ),
        (component("level=\"pile\"", titled), 2, "level", "Invalid value 'pile'", "/file/other_level", json!("pile")),
        (
            component("level=\"file\" id=\"a b\"", titled),
            2,
            "ref_id",
            "did not match regular expression",
            "/file/ref_id",
            json!("a_b"),
        ),
        (
            component(level, "<unittitle>T</unittitle><unitdate type=\"span\">1900</unitdate>"),
            2,
            "unitdate",
            "Invalid date type provided: span",
            "/file/dates/0/date_type",
            json!("single"),
        ),
        (
            component(level, "<unitdate normal=\"1910/1900\">x</unitdate>"),
            2,
            "unitdate",
            "end must not be before begin",
            "/file/dates/0/end",
            Value::Null,
        ),
        (
            component(level, "<unitdate normal=\"1910-02-30\">x</unitdate>"),
            2,
            "unitdate",
            "not a valid date",
            "/file/dates/0/begin",
            Value::Null,
        ),
        (
            component(level, "<unittitle>T</unittitle><unitdate type=\"bulk\"/>"),
            2,
            "unitdate",
            "expression is required",
            "/file/dates",
            Value::Null,
        ),
    ]);
}

#[test]
fn parts_have_what_they_must_have() {
    let file = |did: &str| component("level=\"file\"", &format!("<unittitle>T</unittitle>{did}"));
    let missing = "Property is required but was missing";
    check(vec![
        (file("<abstract id=\"x\"> </abstract>"), 2, "abstract", missing, "/file/notes", Value::Null),
        (file("<note><p> </p></note>"), 2, "odd", missing, "/file/notes", Value::Null),
        (
            file("<container type=\"box\"/>"),
            2,
            "container",
            missing,
            "/file/instances/0/instance_type",
            json!("mixed_materials"),
        ),
        (
            file("<container type=\"box\">1</container><container>2</container>"),
            2,
            "container",
            "container 2 requires both a type and indicator",
            "/file/instances/0/sub_container/type_2",
            json!("unspecified"),
        ),
        (file("<dao href=\"x\"/>"), 2, "dao", "title: Property is required", "/object/title", json!("T")),
        (file("<dao title=\"x\"/>"), 2, "dao", "file_uri: Property is required", "/object/file_versions", json!([])),
        (
            file("<note><list type=\"deflist\"><defitem><item>v</item></defitem></list></note>"),
            2,
            "label",
            missing,
            "/file/notes/0/subnotes/0/items/0/label",
            json!("-"),
        ),
        (
            file("<langmaterial><language langcode=\"xxx\">X</language>Y</langmaterial>"),
            2,
            "language",
            "Invalid value 'xxx'",
            "/file/lang_materials/0/notes/0/content/0",
            json!("XY"),
        ),
        (
            file("<unitdate certainty=\"maybe\">1900</unitdate>"),
            2,
            "unitdate",
            "Invalid value 'maybe'",
            "/file/dates/0/certainty",
            Value::Null,
        ),
        (
            file("<dao href=\"x\" title=\"y\" show=\"loud\"/>"),
            2,
            "dao",
            "Invalid value 'loud'",
            "/object/file_versions/0/xlink_show_attribute",
            Value::Null,
        ),
        (
            file("<note><list numeration=\"greek\"><item>x</item></list></note>"),
            2,
            "list",
            "Invalid value 'greek'",
            "/file/notes/0/subnotes/0/enumeration",
            Value::Null,
        ),
        (
            file(&format!("<origination><persname>{}</persname></origination>", "n".repeat(300))),
            2,
            "persname",
            "Must be 255 characters or fewer",
            "/agent/names/0/primary_name",
            json!("n".repeat(255)),
        ),
        (
            finding_aid(
                "",
                "\n<index><indexentry><name><extptr href=\"u\"/></name><ref>x</ref></indexentry></index>",
                "",
            ),
            2,
            "indexentry",
            missing,
            "/resource/notes/0/items",
            json!([]),
        ),
    ]);
}

#[test]
fn errors_and_repairs_name_the_record() {
    let xml = component("level=\"file\" id=\"a7\"", "<unittitle>T</unittitle><unitdate type=\"span\">1900</unitdate>");
    let error = import(xml.as_bytes(), Mode::Strict).expect_err("a bad date");
    assert_eq!(error.identifier.as_deref(), Some("a7"));
    assert!(error.to_string().starts_with("line 2, a7, unitdate: Invalid date type provided: span"), "{error}");
    let repair = import(xml.as_bytes(), Mode::Tolerant).unwrap().repairs.remove(0);
    assert!(repair.to_string().ends_with("; type left out"), "{repair}");
}
