//! Section 6.6, the other way round: EAD3 becomes records, and what was exported as EAD3 comes back.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::PathBuf;

use common::{Labels, count, export, export_all, import, samples, settled};
use ead::{ExportOptions, Format, Mode};
use serde_json::{Value, json};

fn options<'a>() -> ExportOptions<'a> {
    let options = ExportOptions::new(&Labels, "2026-11-23T12:00:00Z");
    export_all(ExportOptions { format: Format::Ead3, ..options })
}

/// EAD3 files of others: those that come with the tests, or those of the folder `EAD3_SAMPLES`.
fn foreign() -> Vec<(String, Vec<u8>)> {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/ead3");
    let folder = std::env::var_os("EAD3_SAMPLES").map_or_else(own, PathBuf::from);
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "xml"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// A finding aid in EAD3 with these parts in its `control`, in its `did`, after it, and in the `dsc`.
fn finding_aid(control: &str, did: &str, after: &str, components: &str) -> String {
    format!(
        "<ead xmlns=\"http://ead3.archivists.org/schema/\"><control><recordid>x1</recordid>{control}</control>\
         <archdesc level=\"collection\"><did><unitid>MS 1</unitid><unittitle>Papers</unittitle>{did}\
         <unitdatestructured><datesingle standarddate=\"1900\">1900</datesingle></unitdatestructured>\
         <physdescstructured coverage=\"whole\" physdescstructuredtype=\"spaceoccupied\"><quantity>1</quantity>\
         <unittype>Linear Feet</unittype></physdescstructured></did>{after}<dsc>{components}</dsc></archdesc></ead>"
    )
}

/// Each case: parts of a finding aid, a pointer into the resource, what is there.
fn check(cases: &[(&str, &str, Value)], place: fn(&str) -> String) {
    for (xml, pointer, wanted) in cases {
        let imported = import(place(xml).as_bytes(), Mode::Strict).unwrap_or_else(|error| panic!("{xml}: {error}"));
        let found = imported.resource().pointer(pointer).unwrap_or(&Value::Null);
        assert_eq!(found, wanted, "{xml} at {pointer} of {:#}", imported.resource());
    }
}

#[test]
fn what_was_exported_comes_back() {
    for (name, bytes) in samples().into_iter().chain(foreign()) {
        let first = import(&bytes, Mode::Tolerant).unwrap_or_else(|error| panic!("{name}: {error}"));
        let b = export(&first.described(), options());
        let second = import(b.as_bytes(), Mode::Strict).unwrap_or_else(|error| panic!("{name}, exported: {error}"));
        assert_eq!(second.repairs, [], "{name}");
        let c = export(&second.described(), options());
        let (b, c) = (settled(&b), settled(&c));
        if let Some(at) = b.iter().zip(&c).position(|(b, c)| b != c) {
            panic!("{name}: {:#?} became {:#?}", &b[at.saturating_sub(3)..=at], &c[at.saturating_sub(3)..=at]);
        }
        assert_eq!(b.len(), c.len(), "{name}");
    }
}

#[test]
fn files_of_others_are_read() {
    for (name, bytes) in foreign() {
        let xml = String::from_utf8(bytes.clone()).unwrap();
        let imported = import(&bytes, Mode::Tolerant).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(imported.of("archival_object").len(), count(&xml, "c"), "{name}");
        assert!(!imported.resource()["extents"].as_array().unwrap().is_empty(), "{name}");
        let lost = |repair: &&ead::Repair| repair.element == "unitdate" || repair.element == "extents";
        assert_eq!(imported.repairs.iter().filter(lost).count(), 0, "{name}: {:?}", imported.repairs);
    }
}

#[test]
fn the_control_section_becomes_fields() {
    check(
        &[
            ("", "/ead_id", json!("x1")),
            (
                "<filedesc><titlestmt><titleproper>A</titleproper><titleproper localtype=\"filing\">F</titleproper>\
                 </titlestmt></filedesc>",
                "/finding_aid_filing_title",
                json!("F"),
            ),
            (
                "<filedesc><notestmt><controlnote><p>N</p></controlnote></notestmt></filedesc>",
                "/finding_aid_note",
                json!("N"),
            ),
            (
                "<languagedeclaration><language langcode=\"fre\"/><script scriptcode=\"Latn\"/><descriptivenote><p>Oui</p>\
                 </descriptivenote></languagedeclaration>",
                "/finding_aid_language_note",
                json!("Oui"),
            ),
            (
                "<languagedeclaration><language langcode=\"fre\"/></languagedeclaration>",
                "/finding_aid_language",
                json!("fre"),
            ),
            (
                "<conventiondeclaration><abbr>dacs</abbr><citation>x</citation></conventiondeclaration>",
                "/finding_aid_description_rules",
                json!("dacs"),
            ),
            (
                "<localcontrol localtype=\"findaidstatus\"><term>completed</term></localcontrol>",
                "/finding_aid_status",
                json!("completed"),
            ),
            (
                "<rightsdeclaration><abbr>public_domain</abbr><citation href=\"u\">Public domain</citation>\
                 <descriptivenote><p>Free</p></descriptivenote></rightsdeclaration>",
                "/metadata_rights_declarations/0",
                json!({"jsonmodel_type": "metadata_rights_declaration", "license": "public_domain", "file_uri": "u",
                    "descriptive_note": "Free"}),
            ),
            (
                "<maintenancehistory><maintenanceevent><eventtype value=\"created\"/></maintenanceevent><maintenanceevent>\
                 <eventtype value=\"revised\"/><eventdatetime>2020</eventdatetime><eventdescription>Done\
                 </eventdescription></maintenanceevent></maintenancehistory>",
                "/revision_statements",
                json!([{"jsonmodel_type": "revision_statement", "publish": true, "date": "2020", "description": "Done"}]),
            ),
        ],
        |control| finding_aid(control, "", "", ""),
    );
}

#[test]
fn what_is_structured_becomes_members() {
    check(
        &[
            (
                "<unitdatestructured datechar=\"broadcast\" unitdatetype=\"bulk\"><daterange><fromdate standarddate=\"1901\">\
                 x</fromdate><todate>1902</todate></daterange></unitdatestructured><unitdate datechar=\"broadcast\" \
                 unitdatetype=\"bulk\">early</unitdate>",
                "/dates/0",
                json!({"jsonmodel_type": "date", "date_type": "bulk", "label": "broadcast", "begin": "1901", "end": "1902",
                    "expression": "early"}),
            ),
            (
                "<unitdate>about 1901</unitdate><unitdatestructured><datesingle>1901</datesingle></unitdatestructured>\
                 <unitdate>and 1902</unitdate>",
                "/dates/0/expression",
                json!("about 1901"),
            ),
            (
                "<unitdatestructured><dateset><datesingle>1901</datesingle><daterange><fromdate>1903</fromdate></daterange>\
                 </dateset></unitdatestructured>",
                "/dates/1/begin",
                json!("1903"),
            ),
            (
                "<physdescstructured coverage=\"part\" physdescstructuredtype=\"spaceoccupied\"><quantity>2</quantity>\
                 <unittype>Linear Feet</unittype><physfacet>paper</physfacet><dimensions>big</dimensions>\
                 </physdescstructured><physdesc localtype=\"container_summary\">3 boxes</physdesc>",
                "/extents/0",
                json!({"jsonmodel_type": "extent", "portion": "part", "number": "2", "extent_type": "linear_feet",
                    "container_summary": "3 boxes", "physical_details": "paper", "dimensions": "big"}),
            ),
            ("<physdesc>A <emph>note</emph></physdesc>", "/notes/0/content", json!(["A note"])),
            (
                "<langmaterial><languageset><language langcode=\"eng\">English</language><script scriptcode=\"Latn\"/>\
                 </languageset><descriptivenote><p>Mostly</p></descriptivenote></langmaterial>",
                "/lang_materials/0/language_and_script/script",
                json!("Latn"),
            ),
            (
                "<langmaterial><language langcode=\"eng\">English</language><descriptivenote><p>Mostly</p></descriptivenote>\
                 </langmaterial>",
                "/lang_materials/1/notes/0/content",
                json!(["Mostly"]),
            ),
            (
                "<daoset linkrole=\"representative\"><dao href=\"u\" daotype=\"derived\" linktitle=\"Scan\"/>\
                 <dao href=\"v\" daotype=\"derived\"/></daoset>",
                "/instances/0/is_representative",
                json!(true),
            ),
        ],
        |did| finding_aid("", did, "", ""),
    );
    let did = "<dao href=\"u\" daotype=\"otherdaotype\" otherdaotype=\"text\" linktitle=\"Scan\" actuate=\"onload\" \
        show=\"new\" localtype=\"image\" audience=\"internal\"><descriptivenote><p>A scan</p></descriptivenote></dao>\
        <container localtype=\"box\" label=\"Mixed Materials\" containerid=\"99\">1</container>";
    let imported = import(finding_aid("", did, "", "").as_bytes(), Mode::Strict).unwrap();
    let object = imported.of("digital_object")[0];
    assert_eq!((&object["title"], &object["digital_object_type"]), (&json!("Scan"), &json!("text")));
    assert_eq!(
        object["file_versions"],
        json!([{"jsonmodel_type": "file_version", "file_uri": "u", "use_statement": "image",
            "xlink_actuate_attribute": "onLoad", "xlink_show_attribute": "new", "publish": false}])
    );
    let top = imported.of("top_container")[0];
    assert_eq!((&top["type"], &top["barcode"], &top["indicator"]), (&json!("box"), &json!("99"), &json!("1")));
}

#[test]
fn names_and_notes_are_read() {
    let after = "<controlaccess><persname source=\"naf\" identifier=\"n1\" relator=\"aut\"><part localtype=\"surname\">Blair\
        </part><part localtype=\"forename\">Peter</part></persname><subject source=\"lcsh\"><part>Science</part>\
        <part>Societies</part></subject></controlaccess><bioghist><p>See <ref href=\"u\" linktitle=\"t\">x</ref> by \
        <persname><part>P</part></persname></p><list listtype=\"ordered\" numeration=\"lower-alpha\"><item>y</item></list>\
        <chronlist><chronitem><daterange><fromdate>1900</fromdate><todate>1901</todate></daterange><chronitemset>\
        <event>born</event></chronitemset></chronitem></chronlist></bioghist><relations><relation><relationentry>z\
        </relationentry></relation></relations>";
    let imported = import(finding_aid("", "", after, "").as_bytes(), Mode::Strict).unwrap();
    let name = &imported.of("agent_person")[0]["names"][0];
    assert_eq!((&name["primary_name"], &name["authority_id"]), (&json!("Blair, Peter"), &json!("n1")));
    assert_eq!(imported.resource()["linked_agents"][0]["relator"], "aut");
    assert_eq!(imported.of("subject")[0]["terms"][0]["term"], "Science -- Societies");
    let subnotes = &imported.resource()["notes"][0]["subnotes"];
    assert_eq!(
        subnotes[0]["content"],
        "See <extref xlink:href=\"u\" xlink:title=\"t\">x</extref> by <persname>P</persname>"
    );
    assert_eq!((&subnotes[1]["enumeration"], &subnotes[1]["items"]), (&json!("loweralpha"), &json!(["y"])));
    assert_eq!(subnotes[2]["items"], json!([{"event_date": "1900-1901", "events": ["born"]}]));
    assert_eq!(imported.resource()["notes"].as_array().unwrap().len(), 1);
}

#[test]
fn rules_hold_for_ead3_too() {
    let untitled = finding_aid("", "", "", "<c level=\"file\" id=\"a\"><did><unitid>1</unitid></did></c>");
    let error = import(untitled.as_bytes(), Mode::Strict).unwrap_err();
    assert_eq!(error.identifier.as_deref(), Some("1"));
    let imported = import(untitled.as_bytes(), Mode::Tolerant).unwrap();
    assert_eq!(imported.of("archival_object")[0]["title"], "Untitled");
    assert_eq!(imported.repairs.len(), 1);
    // Without a namespace it is known by its control section.
    let plain = finding_aid("", "", "", "").replace(" xmlns=\"http://ead3.archivists.org/schema/\"", "");
    assert_eq!(import(plain.as_bytes(), Mode::Strict).unwrap().resource()["dates"][0]["begin"], "1900");
}
