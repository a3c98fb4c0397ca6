//! Tables of section 6.1 and 6.2: what records become in EAD 2002.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Labels, count, counter, export, export_all, repository};
use ead::{ExportError, ExportOptions, Exporter, Repository, Verbatim};
use serde_json::{Value, json};

/// A resource with these fields on top.
fn resource(more: Value) -> Value {
    let mut resource = json!({
        "jsonmodel_type": "resource", "uri": "/repositories/2/resources/1", "title": "Papers", "publish": true,
        "id_0": "MS", "id_1": "1", "level": "collection", "ead_id": "ms1",
        "finding_aid_language": "eng", "finding_aid_script": "Latn", "is_finding_aid_status_published": true,
    });
    for (key, value) in more.as_object().unwrap() {
        resource[key] = value.clone();
    }
    resource
}

fn plain<'a>() -> ExportOptions<'a> {
    ExportOptions { include_uris: false, include_daos: true, ..ExportOptions::new(&Labels, "2026-11-23 12:00:00 UTC") }
}

fn exported(more: Value, options: ExportOptions) -> String {
    export(&[(resource(more), 0)], options)
}

/// Each case: fields of the resource, whether unpublished parts are asked for, what must be in the export.
fn check(cases: &[(Value, bool, &str)]) {
    for (fields, all, wanted) in cases {
        let options = ExportOptions { include_unpublished: *all, ..plain() };
        let xml = exported(fields.clone(), options);
        assert!(xml.contains(wanted), "{fields}\nshould have {wanted}\nis {xml}");
    }
}

#[test]
fn a_small_finding_aid_is_written_whole() {
    let file = json!({"jsonmodel_type": "archival_object", "title": "Letters", "level": "file", "ref_id": "a1",
        "uri": "/repositories/2/archival_objects/1", "component_id": "1.1", "publish": true});
    let options = ExportOptions { numbered_cs: true, ..ExportOptions::new(&Labels, "NOW") };
    assert_eq!(
        export(&[(resource(json!({})), 0), (file.clone(), 1), (file, 2)], options),
        concat!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
            "<ead xmlns=\"urn:isbn:1-931666-22-9\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" ",
            "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" ",
            "xsi:schemaLocation=\"urn:isbn:1-931666-22-9 https://www.loc.gov/ead/ead.xsd\">",
            "<eadheader repositoryencoding=\"iso15511\" countryencoding=\"iso3166-1\" dateencoding=\"iso8601\" ",
            "langencoding=\"iso639-2b\"><eadid countrycode=\"US\" mainagencycode=\"US-NjP\">ms1</eadid>",
            "<filedesc><titlestmt><titleproper>Papers<num>MS.1</num></titleproper></titlestmt>",
            "<publicationstmt><publisher>Archives &amp; Special Collections</publisher>",
            "<p id=\"logostmt\"><extref xlink:href=\"https://archives.example/logo.png\" xlink:actuate=\"onLoad\" ",
            "xlink:show=\"embed\" xlink:type=\"simple\"/></p></publicationstmt></filedesc>",
            "<profiledesc><creation>This finding aid was produced using ArchivesSpace on <date>NOW</date>.</creation>",
            "<langusage>Description is written in: <language langcode=\"eng\" scriptcode=\"Latn\">",
            "English, Latin script</language>.</langusage></profiledesc></eadheader>",
            "<archdesc level=\"collection\"><did><repository><corpname>Archives &amp; Special Collections</corpname>",
            "</repository><unittitle>Papers</unittitle><unitid>MS.1</unitid>",
            "<unitid type=\"aspace_uri\">/repositories/2/resources/1</unitid></did><dsc>",
            "<c01 level=\"file\" id=\"aspace_a1\"><did><unittitle>Letters</unittitle><unitid>1.1</unitid>",
            "<unitid type=\"aspace_uri\">/repositories/2/archival_objects/1</unitid></did>",
            "<c02 level=\"file\" id=\"aspace_a1\"><did><unittitle>Letters</unittitle><unitid>1.1</unitid>",
            "<unitid type=\"aspace_uri\">/repositories/2/archival_objects/1</unitid></did></c02></c01>",
            "</dsc></archdesc></ead>",
        )
    );
}

#[test]
fn the_header_follows_its_table() {
    let statements = |publish: bool, description: &str| json!({"revision_statements": [{"date": "2020", "description": description, "publish": publish}]});
    check(&[
        (json!({"publish": false}), false, "audience=\"internal\"><eadheader"),
        (json!({"finding_aid_status": "completed"}), false, "<eadheader findaidstatus=\"completed\" "),
        (
            json!({"finding_aid_status": "completed", "is_finding_aid_status_published": false}),
            false,
            "<eadheader repositoryencoding",
        ),
        (
            json!({"finding_aid_status": "completed", "is_finding_aid_status_published": false}),
            true,
            "<eadheader findaidstatus=\"completed\" ",
        ),
        (json!({"ead_location": "https://e.example/?a&b"}), false, " url=\"https://e.example/?a&amp;b\""),
        (
            json!({"ead_location": "https://e.example", "ark_name": {"current": "https://ark.example/ark:/1/2"}}),
            false,
            " url=\"https://ark.example/ark:/1/2\"",
        ),
        (
            json!({"finding_aid_title": "Guide <emph>to</emph> papers", "finding_aid_filing_title": "Papers, guide"}),
            false,
            "<titleproper type=\"filing\">Papers, guide</titleproper>\
             <titleproper>Guide <emph>to</emph> papers <num>MS.1</num></titleproper>",
        ),
        (
            json!({"finding_aid_subtitle": "S", "finding_aid_author": "A & B", "finding_aid_sponsor": "C"}),
            false,
            "<subtitle>S</subtitle><author>A &amp; B</author><sponsor>C</sponsor></titlestmt>",
        ),
        (
            json!({"finding_aid_edition_statement": "Second\n\nrevised", "finding_aid_series_statement": "Guides"}),
            false,
            "<editionstmt><p>Second</p><p>revised</p></editionstmt>",
        ),
        (json!({"finding_aid_note": "N"}), false, "<notestmt><note><p>N</p></note></notestmt></filedesc>"),
        (json!({"finding_aid_date": "2001"}), false, "<p><date>2001</date></p>"),
        (
            json!({"metadata_rights_declarations": [{"license": "public_domain"}]}),
            false,
            "<p>Public domain</p></publicationstmt>",
        ),
        (
            json!({"finding_aid_language_note": "In <language langcode=\"fre\">French</language>"}),
            false,
            "<langusage>In <language langcode=\"fre\">French</language></langusage>",
        ),
        (
            json!({"finding_aid_language_note": "Description is written in: English, Latin script."}),
            false,
            "<language langcode=\"eng\" scriptcode=\"Latn\">English, Latin script</language>.</langusage>",
        ),
        (
            json!({"finding_aid_title": "Guide <num>MS.1</num>"}),
            false,
            "<titleproper>Guide <num>MS.1</num></titleproper>",
        ),
        (
            json!({"finding_aid_description_rules": "dacs"}),
            false,
            "<descrules>Describing Archives: A Content Standard</descrules>",
        ),
        (
            statements(true, "Typed"),
            false,
            "<revisiondesc><change><date>2020</date><item>Typed</item></change></revisiondesc>",
        ),
        (statements(false, "Typed"), false, "</profiledesc></eadheader>"),
        (statements(false, "Typed"), true, "<revisiondesc><change audience=\"internal\"><date>2020</date>"),
        (
            statements(true, "<change><date>1999</date><item>x</item></change>"),
            false,
            "<revisiondesc><change><date>1999</date><item>x</item></change></revisiondesc>",
        ),
    ]);
}

#[test]
fn the_address_comes_from_the_agent() {
    let agent = json!({"agent_contacts": [{
        "address_1": "1 Library Way", "city": "Princeton", "region": "NJ", "post_code": "08540",
        "telephones": [{"number": "1", "number_type": "FAX", "ext": "2"}, {"number": "3"}], "email": "a@archives.example",
    }]});
    let repository = repository();
    let mut exporter = Exporter::new(plain(), Vec::new(), counter("c"));
    exporter.begin(resource(json!({})), &Repository { record: &repository, agent: Some(&agent) }).unwrap();
    let xml = String::from_utf8(exporter.end().unwrap()).unwrap();
    let wanted = "<address><addressline>1 Library Way</addressline><addressline>Princeton, NJ 08540</addressline>\
        <addressline>Fax Number: 1 (Extension: 2)</addressline><addressline>Telephone: 3</addressline>\
        <addressline>a@archives.example</addressline><addressline>URL: \
        <extptr xlink:href=\"https://archives.example\" xlink:title=\"https://archives.example\" xlink:type=\"simple\" \
        xlink:show=\"new\"/></addressline></address>";
    assert!(xml.contains(wanted), "{xml}");
}

#[test]
fn identification_follows_its_table() {
    check(&[
        (
            json!({"external_ids": [{"external_id": "77", "source": "old"}]}),
            true,
            "<unitid>MS.1</unitid><unitid audience=\"internal\" type=\"old\" identifier=\"77\">77</unitid>",
        ),
        (json!({"external_ids": [{"external_id": "77", "source": "old"}]}), false, "<unitid>MS.1</unitid></did>"),
        (
            json!({"ark_name": {"current": "ark:/1/2", "previous": ["ark:/1/1"]}}),
            false,
            "<unitid type=\"ark\"><extref xlink:href=\"ark:/1/2\" xlink:actuate=\"onLoad\" xlink:show=\"new\">\
             Archival Resource Key</extref></unitid><unitid type=\"ark-superseded\">",
        ),
        (
            json!({"extents": [{"portion": "whole", "number": "5", "extent_type": "linear_feet",
                "container_summary": "3 boxes", "physical_details": "paper", "dimensions": "10 cm"}]}),
            false,
            "<physdesc altrender=\"whole\"><extent altrender=\"materialtype spaceoccupied\">5 Linear Feet</extent>\
             <extent altrender=\"carrier\">3 boxes</extent><physfacet>paper</physfacet>\
             <dimensions>10 cm</dimensions></physdesc>",
        ),
        (
            json!({"dates": [{"date_type": "inclusive", "label": "creation", "begin": "1900", "end": "1910",
                "certainty": "approximate", "era": "ce", "calendar": "gregorian"}]}),
            false,
            "<unitdate type=\"inclusive\" certainty=\"approximate\" normal=\"1900/1910\" era=\"ce\" \
             calendar=\"gregorian\" datechar=\"creation\">1900-1910</unitdate>",
        ),
        (
            json!({"dates": [{"date_type": "range", "label": "issued", "begin": "1900"}]}),
            false,
            "<unitdate type=\"bulk\" normal=\"1900/1900\" datechar=\"issued\">1900</unitdate>",
        ),
        (
            json!({"dates": [{"date_type": "single", "label": "creation", "begin": "1900", "expression": "a & b"}]}),
            false,
            "<unitdate normal=\"1900/1900\" datechar=\"creation\">a &amp; b</unitdate>",
        ),
        (
            json!({"notes": [
                {"jsonmodel_type": "note_singlepart", "type": "abstract", "label": "Summary", "persistent_id": "n1",
                 "publish": true, "content": ["one", "two"]},
                {"jsonmodel_type": "note_singlepart", "type": "physfacet", "publish": true, "content": ["red"]},
                {"jsonmodel_type": "note_multipart", "type": "dimensions", "publish": true, "persistent_id": "n2",
                 "subnotes": [{"jsonmodel_type": "note_text", "content": "large", "publish": true}]},
            ]}),
            false,
            "<abstract id=\"aspace_n1\" label=\"Summary\">one two</abstract>\
             <physdesc><physfacet>red</physfacet></physdesc>\
             <physdesc><dimensions id=\"aspace_n2\">large</dimensions></physdesc>",
        ),
        (
            json!({"lang_materials": [{"language_and_script": {"language": "eng", "script": "Latn"}},
                {"language_and_script": {"language": "fre"}}]}),
            false,
            "<langmaterial><language langcode=\"eng\" scriptcode=\"Latn\">English</language>\
             <language langcode=\"fre\">fre</language></langmaterial>",
        ),
        (
            json!({"lang_materials": [{"language_and_script": {"language": "eng"}},
                {"notes": [{"type": "langmaterial", "content": ["In English"], "publish": true}]}]}),
            false,
            "<langmaterial>In English</langmaterial></did>",
        ),
        (
            json!({"lang_materials": [{"language_and_script": {"language": "eng"}},
                {"notes": [{"type": "langmaterial", "content": ["English"], "publish": true, "persistent_id": "l"}]}]}),
            false,
            "<langmaterial id=\"aspace_l\"><language langcode=\"eng\">English</language></langmaterial></did>",
        ),
        (
            json!({"lang_materials": [{"language_and_script": {"language": "eng"}},
                {"notes": [{"type": "langmaterial", "content": ["Secret"], "publish": false}]}]}),
            false,
            "<langmaterial><language langcode=\"eng\">English</language></langmaterial></did>",
        ),
    ]);
}

fn container(sub: Value) -> Value {
    let mut sub_container = json!({"top_container": {"ref": "/t", "_resolved": {
        "type": "box", "indicator": "7", "barcode": "321", "container_profile": {"_resolved": {"name": "Hollinger"}},
    }}});
    for (key, value) in sub.as_object().unwrap() {
        sub_container[key] = value.clone();
    }
    json!({"instances": [{"instance_type": "mixed_materials", "sub_container": sub_container}]})
}

fn digital(object: Value, representative: bool) -> Value {
    let digital_object = json!({"ref": "/d", "_resolved": object});
    json!({"instances": [
        {"instance_type": "digital_object", "digital_object": digital_object, "is_representative": representative},
    ]})
}

#[test]
fn instances_follow_their_table() {
    let file = |uri: &str, publish: bool| json!({"file_uri": uri, "publish": publish, "use_statement": "image"});
    check(&[
        (
            container(json!({})),
            false,
            "<container id=\"aspace_c00000001\" type=\"box\" label=\"Mixed Materials [321]\" altrender=\"Hollinger\">7\
             </container></did>",
        ),
        (
            container(json!({"type_2": "folder", "indicator_2": "3", "type_3": "item", "indicator_3": "4"})),
            false,
            "<container id=\"aspace_c00000002\" parent=\"aspace_c00000001\" type=\"folder\">3</container>\
             <container id=\"aspace_c00000003\" parent=\"aspace_c00000002\" type=\"item\">4</container></did>",
        ),
        (
            digital(
                json!({"title": "Scan", "digital_object_id": "d1", "publish": true,
                "dates": [{"begin": "1900", "end": "1901"}], "file_versions": [file("f", false)]}),
                false,
            ),
            false,
            "</did><dao xlink:title=\"Scan\" xlink:type=\"simple\" xlink:actuate=\"onRequest\" xlink:show=\"new\" \
             xlink:href=\"d1\"><daodesc><p>Scan: 1900-1901</p></daodesc></dao>",
        ),
        (
            digital(
                json!({"title": "Scan", "digital_object_id": "d1", "publish": true,
                "file_versions": [file("f", false)]}),
                true,
            ),
            true,
            "xlink:role=\"image representative\" xlink:href=\"f\" audience=\"internal\">",
        ),
        (
            digital(
                json!({"title": "Scan", "digital_object_id": "d1", "publish": true,
                "file_versions": [file("f", true), file("g", true)]}),
                false,
            ),
            false,
            "<daogrp xlink:title=\"Scan\" xlink:type=\"extended\"><daodesc><p>Scan</p></daodesc>\
             <daoloc xlink:type=\"locator\" xlink:href=\"f\" xlink:role=\"image\"/>\
             <daoloc xlink:type=\"locator\" xlink:href=\"g\" xlink:role=\"image\"/></daogrp>",
        ),
        (digital(json!({"title": "Scan", "publish": false}), false), false, "</did><dsc>"),
        (digital(json!({"title": "Scan", "publish": true, "suppressed": true}), false), true, "</did><dsc>"),
    ]);
    let object = digital(json!({"title": "Scan", "digital_object_id": "d1", "publish": true}), false);
    let without = exported(object, ExportOptions { include_daos: false, ..plain() });
    assert_eq!(count(&without, "dao"), 0);
}

#[test]
fn notes_follow_their_table() {
    let note = |kind: &str, subnotes: Value| json!({"notes": [{"jsonmodel_type": "note_multipart", "type": kind, "publish": true, "subnotes": subnotes}]});
    let text =
        |content: &str, publish: bool| json!({"jsonmodel_type": "note_text", "content": content, "publish": publish});
    check(&[
        (
            note("scopecontent", json!([text("a\n\nb & c", true)])),
            false,
            "</did><scopecontent><head>Scope and Contents</head><p>a</p><p>b &amp; c</p></scopecontent><dsc>",
        ),
        (
            note("scopecontent", json!([text("<head>Own</head>a", true)])),
            false,
            "<scopecontent><head>Own</head><p>a</p></scopecontent>",
        ),
        (
            note("scopecontent", json!([text("a", true), text("b", false)])),
            false,
            "<scopecontent><head>Scope and Contents</head><p>a</p></scopecontent>",
        ),
        (
            note("legalstatus", json!([text("a\n\nb", true)])),
            false,
            "<accessrestrict><legalstatus>a\n\nb</legalstatus></accessrestrict>",
        ),
        (
            note(
                "odd",
                json!([
                    {"jsonmodel_type": "note_orderedlist", "publish": true, "title": "T", "enumeration": "arabic",
                     "items": ["x"]},
                    {"jsonmodel_type": "note_definedlist", "publish": true, "items": [{"label": "l", "value": "v"}]},
                    {"jsonmodel_type": "note_chronology", "publish": true, "title": "C",
                     "items": [{"event_date": "1900", "events": ["born", "named"]}]},
                ]),
            ),
            false,
            "<odd><head>General</head><list type=\"ordered\" numeration=\"arabic\"><head>T</head><item>x</item></list>\
             <list type=\"deflist\"><defitem><label>l</label><item>v</item></defitem></list>\
             <chronlist><head>C</head><chronitem><date>1900</date><eventgrp><event>born</event><event>named</event>\
             </eventgrp></chronitem></chronlist></odd>",
        ),
        (
            json!({"notes": [{"jsonmodel_type": "note_multipart", "type": "odd", "publish": false, "label": "L",
                "persistent_id": "aspace_p", "subnotes": [text("x", true)]}]}),
            true,
            "<odd id=\"aspace_p\" audience=\"internal\"><head>L</head><p>x</p></odd>",
        ),
        (
            json!({"notes": [{"jsonmodel_type": "note_multipart", "type": "odd", "publish": false,
                "subnotes": [text("x", true)]}]}),
            false,
            "</did><dsc>",
        ),
        (
            json!({"notes": [{"jsonmodel_type": "note_bibliography", "publish": true, "content": ["Read"],
                "items": ["<title>Book</title>", ""]}]}),
            false,
            "<bibliography><head>Bibliography</head><p>Read</p><bibref><title>Book</title></bibref></bibliography>",
        ),
        (
            json!({"notes": [{"jsonmodel_type": "note_index", "publish": true, "label": "Names", "content": [],
                "items": [{"type": "person", "value": "X", "reference": "r1", "reference_text": "Letters"},
                          {"type": "unheard_of", "value": "Y"}]}]}),
            false,
            "<index><head>Names</head><indexentry><persname>X</persname><ref target=\"aspace_r1\">Letters</ref>\
             </indexentry></index>",
        ),
    ]);
}

fn agent(kind: &str, publish: bool) -> Value {
    json!({"agent_type": kind, "publish": publish, "display_name":
        {"sort_name": "N & M", "source": "naf", "rules": "rda", "authority_id": "n1"}})
}

#[test]
fn agents_and_subjects_follow_their_table() {
    let link = |role: &str, agent: Value| json!({"linked_agents": [{"role": role, "_resolved": agent}]});
    let subject = |kind: &str| {
        json!({"subjects": [{"_resolved": {"source": "lcsh", "authority_id": "s1", "terms":
            [{"term": "A", "term_type": kind}, {"term": "B", "term_type": "temporal"}]}}]})
    };
    check(&[
        (
            link("creator", agent("agent_person", true)),
            false,
            "<origination label=\"Creator\"><persname source=\"naf\" rules=\"rda\" authfilenumber=\"n1\">N &amp; M\
             </persname></origination>",
        ),
        (
            link("creator", agent("agent_family", false)),
            true,
            "<origination label=\"Creator\" audience=\"internal\"><famname",
        ),
        (link("creator", agent("agent_family", false)), false, "</unittitle><unitid>"),
        (link("source", agent("agent_software", true)), false, "<origination label=\"source\"><name source"),
        (link("source", agent("agent_software", true)), false, "<controlaccess><name role=\"fmo\" source=\"naf\""),
        (link("subject", agent("agent_corporate_entity", false)), false, "</did><dsc>"),
        (
            json!({"linked_agents": [{"role": "subject", "relator": "col", "terms": [{"term": "History"}],
                "_resolved": agent("agent_corporate_entity", true)}]}),
            false,
            "<controlaccess><corpname role=\"col\" source=\"naf\" rules=\"rda\" authfilenumber=\"n1\">N &amp; M -- History\
             </corpname></controlaccess>",
        ),
        (
            subject("topical"),
            false,
            "<controlaccess><subject source=\"lcsh\" authfilenumber=\"s1\">A -- B</subject></controlaccess>",
        ),
        (subject("style_period"), false, "<controlaccess><genreform "),
        (subject("cultural_context"), false, "<controlaccess><geogname "),
        (subject("uniform_title"), false, "<controlaccess><title "),
        (subject("technique"), false, "</did><dsc>"),
    ]);
}

#[test]
fn hidden_components_take_their_subtrees_along() {
    let file = |name: &str, publish: bool| json!({"title": name, "level": "file", "publish": publish});
    let mut suppressed = file("suppressed", true);
    suppressed["suppressed"] = true.into();
    let tree = [
        (resource(json!({})), 0),
        (file("a", true), 1),
        (file("hidden", false), 2),
        (file("below hidden", true), 3),
        (file("b", true), 2),
        (suppressed, 1),
        (file("below suppressed", true), 2),
        (file("c", true), 1),
    ];
    let titles = |xml: &str| {
        let parts = xml.split("<unittitle>").skip(2).map(|part| part.split('<').next().unwrap().to_owned());
        parts.collect::<Vec<_>>()
    };
    assert_eq!(titles(&export(&tree, plain())), ["a", "b", "c"]);
    let all = export(&tree, export_all(plain()));
    assert_eq!(titles(&all), ["a", "hidden", "below hidden", "b", "c"]);
    assert_eq!(count(&all, "c"), 5);
}

#[test]
fn records_come_in_tree_order() {
    let repository = repository();
    let repository = Repository { record: &repository, agent: None };
    let record = resource(json!({}));
    let exporter = || Exporter::new(ExportOptions::new(&Verbatim, ""), Vec::new(), counter("c"));
    assert!(matches!(exporter().component(&record, 1), Err(ExportError::Order)));
    assert!(matches!(exporter().end(), Err(ExportError::Order)));
    let mut begun = exporter();
    begun.begin(&record, &repository).unwrap();
    assert!(matches!(begun.begin(&record, &repository), Err(ExportError::Order)));
    assert!(matches!(begun.component(&record, 0), Err(ExportError::Depth { depth: 0, last: 0 })));
    assert!(matches!(begun.component(&record, 2), Err(ExportError::Depth { depth: 2, last: 0 })));
    begun.component(&record, 1).unwrap();
    begun.component(&record, 2).unwrap();
    assert!(matches!(begun.component(&record, 4), Err(ExportError::Depth { depth: 4, last: 2 })));
}
