//! Tables of section 6.4 and 6.5: what EAD becomes, what a strict import refuses, what a tolerant one puts right.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashMap;

use common::{finding_aid, import, import_with, options};
use ead::Mode;
use serde_json::{Value, json};

/// Each case: an element put somewhere by `place`, a pointer into the resource, what is there.
fn check(place: fn(&str) -> String, cases: &[(&str, &str, Value)]) {
    for (xml, pointer, wanted) in cases {
        let imported = import(place(xml).as_bytes(), Mode::Strict).unwrap_or_else(|error| panic!("{xml}: {error}"));
        let found = imported.resource().pointer(pointer).unwrap_or(&Value::Null);
        assert_eq!(found, wanted, "{xml} at {pointer} of {:#}", imported.resource());
    }
}

fn in_did(xml: &str) -> String {
    finding_aid(xml, "", "")
}

fn after_did(xml: &str) -> String {
    finding_aid("", xml, "")
}

fn as_header(xml: &str) -> String {
    let whole = finding_aid("", "", "");
    let (before, after) = whole.split_once("<eadheader><eadid>x1</eadid></eadheader>").unwrap();
    format!("{before}{xml}{after}")
}

#[test]
fn the_header_becomes_fields() {
    let filedesc = |inner: &str| format!("<eadheader><filedesc>{inner}</filedesc></eadheader>");
    let titles = filedesc(
        "<titlestmt><titleproper>Guide <num>MS 1</num></titleproper><titleproper type=\"filing\">Filed</titleproper>\
         <subtitle>Sub</subtitle><author>A &amp; B</author><sponsor>C</sponsor></titlestmt>",
    );
    let statements = filedesc(
        "<editionstmt><p>One</p><p>Two</p></editionstmt><publicationstmt><publisher>P</publisher><p><date>1999</date></p>\
         </publicationstmt><seriesstmt><p>S</p></seriesstmt><notestmt><note><p>N</p></note></notestmt>",
    );
    let usage =
        |inner: &str| format!("<eadheader><profiledesc><langusage>{inner}</langusage></profiledesc></eadheader>");
    let french = usage("Rédigé en <language langcode=\"fre\" scriptcode=\"Latn\">français</language>");
    let made = usage(
        "Description is written in: <language langcode=\"eng\" scriptcode=\"Latn\">English, Latin script</language>.",
    );
    let change = "<eadheader><revisiondesc><change audience=\"internal\"><date>2001</date><item>Done</item></change>\
                  </revisiondesc></eadheader>";
    let rules = "<eadheader><profiledesc><descrules>Describing Archives: A Content Standard</descrules></profiledesc></eadheader>";
    check(
        as_header,
        &[
            ("<eadheader findaidstatus=\"completed\"/>", "/finding_aid_status", json!("completed")),
            ("<eadheader><eadid url=\"u\">e 1</eadid></eadheader>", "/ead_id", json!("e 1")),
            ("<eadheader><eadid url=\"u\">e</eadid></eadheader>", "/ead_location", json!("u")),
            (&titles, "/finding_aid_title", json!("Guide <num>MS 1</num>")),
            (&titles, "/finding_aid_filing_title", json!("Filed")),
            (&titles, "/finding_aid_subtitle", json!("Sub")),
            (&titles, "/finding_aid_author", json!("A &amp; B")),
            (&titles, "/finding_aid_sponsor", json!("C")),
            (&statements, "/finding_aid_edition_statement", json!("One\n\nTwo")),
            (&statements, "/finding_aid_date", json!("1999")),
            (&statements, "/finding_aid_series_statement", json!("S")),
            (&statements, "/finding_aid_note", json!("N")),
            (&french, "/finding_aid_language", json!("fre")),
            (&french, "/finding_aid_script", json!("Latn")),
            (&french, "/finding_aid_language_note", json!("Rédigé en français")),
            (&made, "/finding_aid_language", json!("eng")),
            (&made, "/finding_aid_language_note", json!("Description is written in: English, Latin script.")),
            ("", "/finding_aid_language", json!("und")),
            ("", "/finding_aid_script", json!("Zyyy")),
            (rules, "/finding_aid_description_rules", json!("dacs")),
            (
                change,
                "/revision_statements/0",
                json!({"jsonmodel_type": "revision_statement", "publish": false, "date": "2001", "description": "Done"}),
            ),
        ],
    );
}

#[test]
fn identification_becomes_fields() {
    let ark = "<unitid type=\"ark\"><extref xlink:href=\"ark:/1/2\">Key</extref></unitid>";
    let old_ark = "<unitid type=\"ark-superseded\">ark:/1/1</unitid>";
    let ranged = "<unitdate normal=\"1900-05/1910\" certainty=\"approximate\">1900s</unitdate>";
    let in_title = "<unittitle>More <unitdate type=\"bulk\">1950</unitdate></unittitle>";
    let physdesc = "<physdesc altrender=\"part\"><extent>2.5 items</extent><extent>3 boxes</extent><extent>1 bag</extent>\
                    <physfacet>red</physfacet><dimensions>big</dimensions><genreform>maps</genreform></physdesc>";
    let loose = "<physdesc label=\"L\"><extent>some</extent><physfacet id=\"f\">red</physfacet><dimensions>big</dimensions></physdesc>";
    let langs =
        "<langmaterial>In <language langcode=\"eng\" scriptcode=\"Latn\">English</language>, mostly</langmaterial>";
    check(
        in_did,
        &[
            ("<unitid type=\"x\">2</unitid>", "/id_0", json!("MS 1")),
            (
                "<unitid type=\"x\">2</unitid><unitid type=\"x\">2</unitid>",
                "/external_ids",
                json!([{"jsonmodel_type": "external_id", "external_id": "2", "source": "x"}]),
            ),
            (ark, "/import_current_ark", json!("ark:/1/2")),
            (old_ark, "/import_previous_arks", json!(["ark:/1/1"])),
            (ranged, "/dates/1/date_type", json!("inclusive")),
            (ranged, "/dates/1/begin", json!("1900-05")),
            (ranged, "/dates/1/end", json!("1910")),
            (ranged, "/dates/1/expression", json!("1900s")),
            (ranged, "/dates/1/certainty", json!("approximate")),
            (ranged, "/dates/1/label", json!("creation")),
            ("<unitdate normal=\"1900/1900\">x</unitdate>", "/dates/1/date_type", json!("single")),
            ("<unitdate normal=\"c1900\">x</unitdate>", "/dates/1/begin", Value::Null),
            ("<unitdate type=\"bulk\">x</unitdate>", "/dates/1/date_type", json!("bulk")),
            (in_title, "/dates/1/date_type", json!("bulk")),
            (in_title, "/title", json!("Papers")),
            (physdesc, "/extents/1/portion", json!("part")),
            (physdesc, "/extents/1/number", json!("2.5")),
            (physdesc, "/extents/1/extent_type", json!("items")),
            (physdesc, "/extents/1/container_summary", json!("3 boxes; 1 bag")),
            (physdesc, "/extents/1/physical_details", json!("red")),
            (physdesc, "/extents/1/dimensions", json!("big")),
            (physdesc, "/notes/0/content", json!(["genreform: maps"])),
            ("<physdesc><extent>2 Linear Feet</extent></physdesc>", "/extents/1/extent_type", json!("linear_feet")),
            (loose, "/notes/0/type", json!("physdesc")),
            (loose, "/notes/0/label", json!("L")),
            (loose, "/notes/1/persistent_id", json!("f")),
            (loose, "/notes/2/type", json!("dimensions")),
            (loose, "/notes/2/subnotes/0/content", json!("big")),
            ("<physdesc>x &amp; y</physdesc>", "/notes/0/content", json!(["x &amp; y"])),
            ("<physdesc/>", "/notes", Value::Null),
            (langs, "/lang_materials/0/language_and_script/language", json!("eng")),
            (langs, "/lang_materials/0/language_and_script/script", json!("Latn")),
            (langs, "/lang_materials/1/notes/0/content", json!(["In English, mostly"])),
            (
                "<langmaterial><language langcode=\"eng\">English</language></langmaterial>",
                "/lang_materials/1/notes/0/content",
                json!(["English"]),
            ),
            (
                "<langmaterial> <language>English</language>, <language>\n French </language>\n or\n<language/></langmaterial>",
                "/lang_materials/0/notes/0/content",
                json!(["English, French or"]),
            ),
            ("<langmaterial><language langcode=\"eng\"/></langmaterial>", "/lang_materials/1", Value::Null),
            ("<langmaterial>Some</langmaterial>", "/lang_materials/1/language_and_script/language", json!("und")),
            ("", "/lang_materials/0/language_and_script/language", json!("und")),
            ("<abstract audience=\"internal\">x<lb/>y</abstract>", "/notes/0/content", json!(["x\n\ny"])),
            ("<abstract audience=\"internal\">x</abstract>", "/notes/0/publish", json!(false)),
            ("<e:physloc>x</e:physloc>", "/notes/0/type", json!("physloc")),
        ],
    );
}

#[test]
fn notes_become_notes() {
    let split = "<scopecontent id=\"s\" audience=\"internal\"><head>Scope</head><p>Before</p><p>Here: <list type=\"simple\" \
                 numeration=\"arabic\"><head>T</head><item>x <emph>y</emph></item></list> after</p></scopecontent>";
    let defined = "<odd><list type=\"deflist\"><defitem><label>l</label><item><p>v</p></item></defitem></list></odd>";
    let chronology = "<bioghist><chronlist><head>C</head><chronitem><date>1900</date><eventgrp><event>a</event>\
                      <event>b</event></eventgrp></chronitem><chronitem><event>c</event></chronitem></chronlist></bioghist>";
    let index = "<index><head>Names</head><p>See</p><indexentry><namegrp><persname>P</persname><corpname>Q</corpname></namegrp>\
                 <ref target=\"t\">there</ref></indexentry></index>";
    let works =
        "<bibliography id=\"b\"><head>Works</head><p>Read</p><bibref><title>Book</title></bibref></bibliography>";
    let table = "<odd><p>a</p><table><tgroup><p>b</p></tgroup></table></odd>";
    check(
        after_did,
        &[
            (split, "/notes/0/type", json!("scopecontent")),
            (split, "/notes/0/label", json!("Scope")),
            (split, "/notes/0/persistent_id", json!("s")),
            (split, "/notes/0/publish", json!(false)),
            (split, "/notes/0/subnotes/0/content", json!("Before\n\nHere:")),
            (
                split,
                "/notes/0/subnotes/1",
                json!({"jsonmodel_type": "note_orderedlist", "title": "T", "enumeration": "arabic", "publish": true,
                    "items": ["x <emph>y</emph>"]}),
            ),
            (split, "/notes/0/subnotes/2/content", json!("after")),
            (defined, "/notes/0/subnotes/0/items", json!([{"label": "l", "value": "v"}])),
            (
                chronology,
                "/notes/0/subnotes/0/items",
                json!([{"event_date": "1900", "events": ["a", "b"]}, {"events": ["c"]}]),
            ),
            (chronology, "/notes/0/subnotes/0/title", json!("C")),
            ("<accessrestrict><legalstatus>L</legalstatus></accessrestrict>", "/notes/0/type", json!("legalstatus")),
            ("<note><p>x</p></note>", "/notes/0/type", json!("odd")),
            ("<list><item>x</item></list>", "/notes/0/subnotes/0/jsonmodel_type", json!("note_orderedlist")),
            ("<descgrp><odd><p>x</p></odd></descgrp>", "/notes/0/type", json!("odd")),
            (index, "/notes/0/label", json!("Names")),
            (index, "/notes/0/content", json!(["See"])),
            (
                index,
                "/notes/0/items/1",
                json!({"jsonmodel_type": "note_index_item", "value": "Q", "reference_text": "there", "reference": "t",
                    "type": "corporate_entity"}),
            ),
            (works, "/notes/0/items", json!(["<title>Book</title>"])),
            (works, "/notes/0/persistent_id", json!("b")),
            (table, "/notes/0/subnotes/0/content", json!("a\n\n<table><tgroup><p>b</p></tgroup></table>")),
            ("<odd><p>&lt;not a tag&gt;</p></odd>", "/notes/0/subnotes/0/content", json!("&lt;not a tag&gt;")),
            ("<odd>\n  <p>many\n   spaces</p>\n</odd>", "/notes/0/subnotes/0/content", json!("many spaces")),
        ],
    );
}

#[test]
fn containers_become_instances() {
    let profiles = HashMap::from([("Hollinger".to_owned(), "/container_profiles/3".to_owned())]);
    let file = |did: &str| format!("<c level=\"file\"><did><unittitle>T</unittitle>{did}</did></c>");
    let components = [
        file(
            "<container type=\"box\" label=\"Mixed Materials [99]\" altrender=\"Hollinger\">1</container>\
              <container type=\"folder\">2</container><container type=\"item\">3</container>\
              <container type=\"box\">4</container>",
        ),
        file(
            "<container id=\"a\" type=\"box\">1</container><container id=\"b\" type=\"box\">2</container>\
              <container parent=\"a\" type=\"folder\">5</container>",
        ),
        file("<container type=\"carton\" label=\"Text (99)\">8</container>"),
    ];
    let xml = finding_aid("", "", &components.concat());
    let imported = import_with(xml.as_bytes(), options(Mode::Strict, &profiles)).unwrap();
    let tops = imported.of("top_container");
    assert_eq!(tops.len(), 4, "the third component's is known by its barcode");
    assert_eq!(tops[0]["barcode"], "99");
    assert_eq!(tops[0]["container_profile"], json!({"ref": "/container_profiles/3"}));
    let files = imported.of("archival_object");
    let sub = |file: usize, instance: usize| &files[file]["instances"][instance]["sub_container"];
    assert_eq!(files[0]["instances"].as_array().unwrap().len(), 2, "a fourth level starts anew");
    assert_eq!(files[0]["instances"][0]["instance_type"], "mixed_materials");
    assert_eq!(
        *sub(0, 0),
        json!({"jsonmodel_type": "sub_container", "top_container": {"ref": tops[0]["uri"]},
            "type_2": "folder", "indicator_2": "2", "type_3": "item", "indicator_3": "3"})
    );
    assert_eq!(sub(1, 0)["indicator_2"], "5");
    assert_eq!(sub(1, 1)["indicator_2"], Value::Null);
    assert_eq!(sub(2, 0)["top_container"]["ref"], tops[0]["uri"]);
    assert_eq!(files[2]["instances"][0]["instance_type"], "text");
}

#[test]
fn agents_and_subjects_become_records_of_their_own() {
    let access = "<controlaccess><head>Terms</head><controlaccess><persname role=\"col\" source=\"naf\" rules=\"rda\" \
                  authfilenumber=\"n1\" audience=\"external\">Kahlo, Frida</persname></controlaccess>\
                  <subject source=\"lcsh\">A -- B</subject><subject source=\"lcsh\">A -- B</subject>\
                  <title>T &amp; U</title><name>nobody</name><genreform/></controlaccess>";
    let xml = finding_aid("<origination><famname>Bruce</famname></origination>", access, "");
    let imported = import(xml.as_bytes(), Mode::Strict).unwrap();
    let family = imported.of("agent_family")[0];
    assert_eq!(family["publish"], false);
    assert_eq!(
        family["names"],
        json!([{"jsonmodel_type": "name_family", "family_name": "Bruce", "source": "ingest",
            "sort_name_auto_generate": true}])
    );
    let person = imported.of("agent_person")[0];
    assert_eq!(person["publish"], true);
    assert_eq!(
        person["names"],
        json!([{"jsonmodel_type": "name_person", "primary_name": "Kahlo, Frida", "rules": "rda", "authority_id": "n1",
            "source": "naf", "name_order": "inverted", "sort_name_auto_generate": true}])
    );
    let resource = imported.resource();
    assert_eq!(
        resource["linked_agents"],
        json!([{"ref": family["uri"], "role": "creator"}, {"ref": person["uri"], "role": "subject", "relator": "col"}])
    );
    let subjects = imported.of("subject");
    assert_eq!(subjects.len(), 2);
    assert_eq!(subjects[0]["terms"][0]["term"], "A -- B");
    assert_eq!(subjects[0]["terms"][0]["term_type"], "topical");
    assert_eq!(subjects[1]["source"], "ingest");
    assert_eq!(subjects[1]["terms"][0]["term"], "T & U");
    assert_eq!(resource["subjects"].as_array().unwrap().len(), 3);
}

#[test]
fn digital_objects_become_records_of_their_own() {
    let component = "<c level=\"file\"><did><unittitle>Map of <emph>Rome</emph></unittitle>\
        <dao x:title=\"Scan\" x:href=\"f\" x:actuate=\"onLoad\" x:show=\"new\" x:role=\"image\" audience=\"internal\">\
        <daodesc><p>D</p></daodesc></dao><daogrp><daoloc x:label=\"a\" x:href=\"g\" x:title=\"Cap\"/>\
        <daoloc href=\"h\" audience=\"internal\"/><arc x:to=\"a\" x:show=\"embed\"/></daogrp></did></c>";
    let imported = import(finding_aid("", "", component).as_bytes(), Mode::Strict).unwrap();
    let objects = imported.of("digital_object");
    assert_eq!(objects[0]["title"], "Scan");
    assert_eq!(objects[0]["publish"], false);
    assert_eq!(objects[0]["notes"][0]["content"], json!(["<p>D</p>"]));
    assert_eq!(
        objects[0]["file_versions"],
        json!([{"jsonmodel_type": "file_version", "file_uri": "f", "use_statement": "image",
            "xlink_actuate_attribute": "onLoad", "xlink_show_attribute": "new", "publish": false}])
    );
    assert_eq!(objects[1]["title"], "Map of Rome Digital Object");
    assert_eq!(
        objects[1]["file_versions"],
        json!([
            {"jsonmodel_type": "file_version", "file_uri": "g", "xlink_show_attribute": "embed", "caption": "Cap",
             "publish": true},
            {"jsonmodel_type": "file_version", "file_uri": "h", "publish": false},
        ])
    );
    assert_ne!(objects[0]["digital_object_id"], objects[1]["digital_object_id"]);
    let instances = &imported.of("archival_object")[0]["instances"];
    assert_eq!(instances[1]["digital_object"]["ref"], objects[1]["uri"]);
}

#[test]
fn records_come_in_an_order_that_needs_no_second_look() {
    for (name, bytes) in common::samples() {
        let imported = import(&bytes, Mode::Tolerant).unwrap();
        let mut known = std::collections::HashSet::new();
        let mut siblings: HashMap<String, u64> = HashMap::new();
        for record in &imported.records {
            for link in links(record) {
                assert!(known.contains(link), "{name}: {link} of {record}");
            }
            assert!(known.insert(record["uri"].as_str().unwrap()), "{name}: twice {record}");
            if record["jsonmodel_type"] == "archival_object" {
                let parent = record["parent"]["ref"].as_str().unwrap_or_default().to_owned();
                let next = siblings.entry(parent).or_default();
                assert_eq!(record["position"], *next, "{name}");
                *next += 1;
            }
        }
    }
}

fn links(value: &Value) -> Vec<&str> {
    match value {
        Value::Array(items) => items.iter().flat_map(links).collect(),
        Value::Object(fields) => {
            let own = fields.get("ref").and_then(Value::as_str);
            own.into_iter().chain(fields.values().flat_map(links)).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn components_may_stand_after_the_archdesc() {
    let xml = finding_aid("", "", "<c level=\"file\"><did><unittitle>T</unittitle></did></c>");
    let (before, list) = xml.split_once("<dsc>").unwrap();
    let (list, _) = list.split_once("</dsc>").unwrap();
    let moved = format!("{before}</archdesc><dsc>{list}</dsc></ead>");
    let imported = import(moved.as_bytes(), Mode::Strict).unwrap();
    assert_eq!(imported.records, import(xml.as_bytes(), Mode::Strict).unwrap().records);
    assert_eq!(imported.of("archival_object")[0]["resource"]["ref"], imported.resource()["uri"]);
}

#[test]
fn what_follows_the_components_revises_the_record() {
    let xml = "<ead><archdesc level=\"fonds\" audience=\"internal\"><did><unitid>1</unitid><unittitle>T</unittitle>\
        <unitdate>1</unitdate><physdesc><extent>1 box</extent></physdesc></did><dsc><head>List</head>\
        <c01 level=\"series\" id=\"s\"><did><unittitle>S</unittitle></did><c02 level=\"file\"><did><unittitle>F</unittitle>\
        </did></c02></c01></dsc><index><indexentry><name>N</name></indexentry></index></archdesc></ead>";
    let imported = import(xml.as_bytes(), Mode::Strict).unwrap();
    assert_eq!(imported.revisions, 1);
    assert_eq!(imported.resource()["notes"][0]["items"][0]["value"], "N");
    assert_eq!(imported.resource()["publish"], false);
    let [series, file] = imported.of("archival_object")[..] else { panic!("two components") };
    assert_eq!(series["ref_id"], "s");
    assert_eq!(series["resource"]["ref"], imported.resource()["uri"]);
    assert_eq!(file["parent"]["ref"], series["uri"]);
    assert!(file["uri"].as_str().unwrap().starts_with("/repositories/2/archival_objects/import_"));
}
