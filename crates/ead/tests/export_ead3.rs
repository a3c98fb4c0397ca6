//! Section 6.6: where EAD3 differs.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Labels, count, counter, export, import, lines, repository, samples};
use ead::{ExportOptions, Exporter, Format, Mode, Repository};
use serde_json::{Value, json};

fn options<'a>() -> ExportOptions<'a> {
    let options = ExportOptions::new(&Labels, "2026-11-23T12:00:00Z");
    ExportOptions {
        include_uris: false,
        include_daos: true,
        format: Format::Ead3,
        producer: "Carrel 1".into(),
        ..options
    }
}

fn resource(more: &Value) -> Value {
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

/// Each case: fields of the resource and what must be in the export.
fn check(cases: &[(Value, &str)]) {
    for (fields, wanted) in cases {
        let xml = export(&[(resource(fields), 0)], options());
        assert!(xml.contains(wanted), "{fields}\nshould have {wanted}\nis {xml}");
        assert!(!xml.contains("xlink"), "{xml}");
    }
}

#[test]
fn a_small_finding_aid_is_written_whole() {
    let file = json!({"title": "Letters", "level": "file", "ref_id": "a 1", "component_id": "1.1", "publish": true});
    assert_eq!(
        export(&[(resource(&json!({})), 0), (file, 1)], options()),
        concat!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
            "<?xml-model href=\"https://raw.githubusercontent.com/SAA-SDT/EAD3/master/ead3.rng\" ",
            "type=\"application/xml\" schematypens=\"http://relaxng.org/ns/structure/1.0\"?>\n",
            "<ead xmlns=\"http://ead3.archivists.org/schema/\">",
            "<control repositoryencoding=\"iso15511\" countryencoding=\"iso3166-1\" dateencoding=\"iso8601\" ",
            "relatedencoding=\"marc\" langencoding=\"iso639-2b\" scriptencoding=\"iso15924\"><recordid>ms1</recordid>",
            "<filedesc><titlestmt><titleproper>Papers</titleproper></titlestmt><publicationstmt>",
            "<publisher>Archives &amp; Special Collections</publisher><num>MS.1</num>",
            "<p><ptr href=\"https://archives.example/logo.png\" actuate=\"onload\" show=\"embed\"/></p></publicationstmt>",
            "</filedesc><maintenancestatus value=\"derived\"/><maintenanceagency countrycode=\"US\">",
            "<agencycode>US-NjP</agencycode><agencyname>Archives &amp; Special Collections</agencyname>",
            "</maintenanceagency><languagedeclaration><language langcode=\"eng\">English</language>",
            "<script scriptcode=\"Latn\">Latin</script></languagedeclaration><maintenancehistory><maintenanceevent>",
            "<eventtype value=\"derived\"/><eventdatetime>2026-11-23T12:00:00Z</eventdatetime>",
            "<agenttype value=\"machine\"/><agent>Carrel 1</agent><eventdescription>",
            "This finding aid was produced using ArchivesSpace on 2026-11-23T12:00:00Z</eventdescription>",
            "</maintenanceevent></maintenancehistory></control><archdesc level=\"collection\"><did>",
            "<unittitle>Papers</unittitle><unitid>MS.1</unitid><repository><corpname>",
            "<part>Archives &amp; Special Collections</part></corpname></repository></did><dsc>",
            "<c level=\"file\" id=\"aspace_a_1\"><did><unittitle>Letters</unittitle><unitid>1.1</unitid></did></c>",
            "</dsc></archdesc></ead>",
        )
    );
}

#[test]
fn the_control_section_follows_its_list() {
    let declaration = json!({"license": "public_domain", "descriptive_note": "Free", "file_uri": "https://l.example"});
    check(&[
        (json!({"ead_location": "https://e.example"}), "<recordid instanceurl=\"https://e.example\">ms1</recordid>"),
        (json!({"finding_aid_title": "A <emph>b</emph> c"}), "<titleproper>A b c</titleproper>"),
        (json!({"finding_aid_filing_title": "F"}), "<titleproper localtype=\"filing\">F</titleproper>"),
        (json!({"finding_aid_note": "N"}), "<notestmt><controlnote><p>N</p></controlnote></notestmt>"),
        (json!({"finding_aid_date": "1999"}), "<date>1999</date><num>MS.1</num>"),
        (
            json!({"finding_aid_description_rules": "dacs"}),
            "<conventiondeclaration><abbr>dacs</abbr><citation>Describing Archives: A Content Standard</citation>",
        ),
        (
            json!({"finding_aid_status": "completed"}),
            "<localcontrol localtype=\"findaidstatus\"><term>completed</term></localcontrol>",
        ),
        (
            json!({"finding_aid_language_note": "N"}),
            "<descriptivenote><p>N</p></descriptivenote></languagedeclaration>",
        ),
        (
            json!({"metadata_rights_declarations": [declaration]}),
            "<rightsdeclaration><abbr>public_domain</abbr><citation href=\"https://l.example\">Public domain</citation>\
             <descriptivenote><p>Free</p></descriptivenote></rightsdeclaration>",
        ),
        (
            json!({"revision_statements": [{"date": "2020", "description": "Done", "publish": true}]}),
            "<maintenanceevent><eventtype value=\"revised\"/><eventdatetime>2020</eventdatetime>\
             <agenttype value=\"unknown\"/><agent></agent><eventdescription>Done</eventdescription></maintenanceevent>",
        ),
    ]);
    let agent = json!({"agent_contacts": [{"address_1": "1 Way", "telephones": [{"number": "3"}], "email": "a@b"}]});
    let repository = repository();
    let mut exporter = Exporter::new(options(), Vec::new(), counter("c"));
    exporter.begin(resource(&json!({})), &Repository { record: &repository, agent: Some(&agent) }).unwrap();
    let xml = String::from_utf8(exporter.end().unwrap()).unwrap();
    let wanted = "<address><addressline>1 Way</addressline><addressline localtype=\"telephone\">3</addressline>\
        <addressline localtype=\"email\">a@b</addressline><addressline><ref href=\"https://archives.example\" \
        linktitle=\"https://archives.example\" show=\"new\">https://archives.example</ref></addressline></address>";
    assert!(xml.contains(wanted), "{xml}");
}

#[test]
fn identification_follows_its_list() {
    let extent = |kind: &str| {
        json!({"extents": [{"portion": "part", "number": "2", "extent_type": kind,
        "container_summary": "1 box", "physical_details": "paper", "dimensions": "big"}]})
    };
    let date = |fields: Value| json!({"dates": [fields]});
    check(&[
        (
            extent("linear_feet"),
            "<physdescstructured coverage=\"part\" physdescstructuredtype=\"spaceoccupied\"><quantity>2</quantity>\
             <unittype>Linear Feet</unittype><physfacet>paper</physfacet><dimensions>big</dimensions></physdescstructured>\
             <physdesc localtype=\"container_summary\">1 box</physdesc>",
        ),
        (extent("reels"), "physdescstructuredtype=\"materialtype\">"),
        (
            extent("gigabytes"),
            "physdescstructuredtype=\"otherphysdescstructuredtype\" otherphysdescstructuredtype=\"gigabytes\">",
        ),
        (
            date(json!({"date_type": "single", "label": "creation", "begin": "1900", "expression": "in 1900"})),
            "<unitdatestructured datechar=\"creation\" unitdatetype=\"inclusive\"><datesingle standarddate=\"1900\">\
             in 1900</datesingle></unitdatestructured></did>",
        ),
        (
            date(json!({"date_type": "bulk", "begin": "1900", "end": "1910", "expression": "around"})),
            "<unitdatestructured unitdatetype=\"bulk\"><daterange><fromdate standarddate=\"1900\">1900</fromdate>\
             <todate standarddate=\"1910\">1910</todate></daterange></unitdatestructured>\
             <unitdate unitdatetype=\"bulk\">around</unitdate>",
        ),
        (date(json!({"expression": "undated"})), "<unitdate>undated</unitdate>"),
        (
            json!({"lang_materials": [{"language_and_script": {"language": "eng", "script": "Latn"}},
                {"language_and_script": {"language": "und"}}, {"notes": [{"content": ["Mostly"], "publish": true}]}]}),
            "<langmaterial><languageset><language langcode=\"eng\">English</language>\
             <script scriptcode=\"Latn\">Latin</script></languageset><language langcode=\"und\">Undetermined</language>\
             <descriptivenote><p>Mostly</p></descriptivenote></langmaterial>",
        ),
        (
            json!({"lang_materials": [{"language_and_script": {"language": "eng"}},
                {"notes": [{"content": ["Mostly"], "publish": true}]}, {"notes": [{"content": ["Some"], "publish": true}]}]}),
            "<langmaterial><language langcode=\"eng\">English</language>\
             <descriptivenote><p>Mostly</p><p>Some</p></descriptivenote></langmaterial>",
        ),
        (
            json!({"lang_materials": [{"notes": [{"content": ["Mostly"], "publish": true}]}]}),
            "<langmaterial><language>Mostly</language></langmaterial>",
        ),
        (
            json!({"ark_name": {"current": "ark:/1/2"}}),
            "<unitid localtype=\"ark\"><ref href=\"ark:/1/2\" actuate=\"onload\" show=\"new\">",
        ),
        (
            json!({"instances": [{"instance_type": "mixed_materials", "sub_container": {"type_2": "folder",
                "indicator_2": "2", "top_container": {"_resolved": {"type": "box", "indicator": "1", "barcode": "99"}}}}]}),
            "<container id=\"aspace_c00000001\" localtype=\"box\" label=\"Mixed Materials\" containerid=\"99\">1\
             </container><container id=\"aspace_c00000002\" parent=\"aspace_c00000001\" localtype=\"folder\">2</container>",
        ),
    ]);
}

#[test]
fn digital_objects_follow_their_list() {
    let object = |files: Value, representative: bool| {
        json!({"instances": [{"instance_type": "digital_object", "is_representative": representative,
            "digital_object": {"_resolved": {"title": "Scan", "digital_object_id": "d1", "publish": true,
                "digital_object_type": "text", "file_versions": files}}}]})
    };
    let file = |uri: &str, publish: bool| json!({"file_uri": uri, "publish": publish, "use_statement": "image", "xlink_show_attribute": "onLoad"});
    let start = "linktitle=\"Scan\" daotype=\"otherdaotype\" otherdaotype=\"text\"";
    let note = "<descriptivenote><p>Scan</p></descriptivenote></dao>";
    check(&[
        (
            object(json!([]), false),
            &format!("<dao {start} href=\"d1\" actuate=\"onrequest\" show=\"new\">{note}</did>"),
        ),
        (
            object(json!([file("f", false)]), false),
            &format!(
                "<dao {start} href=\"f\" actuate=\"onrequest\" show=\"onload\" localtype=\"image\" \
                 audience=\"internal\">{note}</did>"
            ),
        ),
        (
            object(json!([file("f", true), file("g", true)]), true),
            &format!("<daoset linkrole=\"representative\"><dao {start} href=\"f\""),
        ),
        (object(json!([file("f", true)]), true), "localtype=\"image\" linkrole=\"image representative\">"),
    ]);
}

#[test]
fn notes_and_names_follow_their_list() {
    let note = |kind: &str, subnotes: Value| json!({"notes": [{"jsonmodel_type": "note_multipart", "type": kind, "publish": true, "subnotes": subnotes}]});
    let agent = json!({"agent_type": "agent_person", "publish": true, "display_name":
        {"sort_name": "N", "source": "naf", "authority_id": "n1"}});
    check(&[
        (
            note(
                "odd",
                json!([{"jsonmodel_type": "note_text", "publish": true, "content":
                "See <extref href=\"u\">x</extref> by <persname>P</persname>\n\n<list type=\"simple\"><item>y</item></list>"}]),
            ),
            "<odd><head>General</head><p>See <ref href=\"u\">x</ref> by <persname><part>P</part></persname></p>\
             <list><item>y</item></list></odd>",
        ),
        (
            note(
                "odd",
                json!([
                    {"jsonmodel_type": "note_orderedlist", "publish": true, "enumeration": "loweralpha", "items": ["x"]},
                    {"jsonmodel_type": "note_definedlist", "items": [{"label": "l", "value": "v"}]},
                    {"jsonmodel_type": "note_chronology", "items": [{"event_date": "1900", "events": ["born"]}]},
                ]),
            ),
            "<list listtype=\"ordered\" numeration=\"lower-alpha\"><item>x</item></list><list listtype=\"deflist\">\
             <defitem><label>l</label><item>v</item></defitem></list><chronlist><chronitem><datesingle>1900</datesingle>\
             <chronitemset><event>born</event></chronitemset></chronitem></chronlist></odd>",
        ),
        (
            note("legalstatus", json!([{"jsonmodel_type": "note_text", "publish": true, "content": "x"}])),
            "</did><legalstatus><p>x</p></legalstatus><dsc>",
        ),
        (
            json!({"notes": [{"jsonmodel_type": "note_index", "publish": true, "items":
                [{"type": "person", "value": "X", "reference": "r", "reference_text": "there"}]}]}),
            "<index><indexentry><persname><part>X</part></persname><ref target=\"aspace_r\">there</ref></indexentry></index>",
        ),
        (
            json!({"linked_agents": [{"role": "creator", "relator": "aut", "_resolved": agent}]}),
            "<origination label=\"Creator\"><persname relator=\"aut\" source=\"naf\" identifier=\"n1\"><part>N</part>\
             </persname></origination>",
        ),
        (
            json!({"subjects": [{"_resolved": {"source": "lcsh", "terms": [{"term": "A", "term_type": "topical"}]}}]}),
            "<controlaccess><subject source=\"lcsh\"><part>A</part></subject></controlaccess>",
        ),
    ]);
}

#[test]
fn real_finding_aids_become_well_formed_ead3() {
    for (name, bytes) in samples() {
        let imported = import(&bytes, Mode::Tolerant).unwrap();
        let xml = export(&imported.described(), ExportOptions { include_unpublished: true, ..options() });
        assert_eq!(count(&xml, "c"), imported.of("archival_object").len(), "{name}");
        let prefixed = lines(&xml).into_iter().find(|line| line.starts_with('<') && line.contains("xlink:"));
        assert_eq!(prefixed, None, "{name}");
    }
}
