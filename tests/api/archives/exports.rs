//! Exports other than EAD: MARCXML, Dublin Core, MODS, METS, labels, sheets and the names of files (contract 3.5, 6.7, 6.8).

use super::*;

/// XML without the white space between its elements.
pub(super) fn flat(xml: &str) -> String {
    xml.lines().map(str::trim_start).collect()
}

/// Whether a document has each of the parts, and none of the others.
pub(super) fn shows(xml: &str, parts: &[&str], none: &[&str]) {
    let flat = flat(xml);
    for part in parts {
        assert!(flat.contains(part), "{part} is not in:\n{xml}");
    }
    for part in none {
        assert!(!flat.contains(part), "{part} is in:\n{xml}");
    }
}

/// A note of a resource with one part.
pub(super) fn note(kind: &str, content: &str, publish: bool) -> Value {
    json!({"jsonmodel_type": "note_multipart", "type": kind, "publish": publish,
        "subnotes": [{"jsonmodel_type": "note_text", "content": content, "publish": publish}]})
}

fn single(kind: &str, content: &str, publish: bool) -> Value {
    json!({"jsonmodel_type": "note_singlepart", "type": kind, "content": [content], "publish": publish})
}

pub(super) async fn repository(archives: &Archives, extra: Value) -> String {
    let mut sent = json!({"repo_code": "A", "name": "Library of A", "publish": true});
    for (name, value) in extra.as_object().expect("members") {
        sent[name] = value.clone();
    }
    archives.add("/repositories", &sent).await
}

pub(super) async fn person(archives: &Archives, name: &Value) -> String {
    let mut name = name.clone();
    name["source"] = json!("local");
    name["name_order"] = json!("inverted");
    name["sort_name_auto_generate"] = json!(true);
    archives.add("/agents/people", &json!({"publish": true, "names": [name]})).await
}

async fn subject(archives: &Archives, terms: &[(&str, &str)], source: &str) -> String {
    let terms: Vec<Value> = terms
        .iter()
        .map(|(kind, term)| json!({"term": term, "term_type": kind, "vocabulary": "/vocabularies/1"}))
        .collect();
    let sent = json!({"source": source, "vocabulary": "/vocabularies/1", "terms": terms, "authority_id": "sh1"});
    archives.add("/subjects", &sent).await
}

/// The exports of a record, `R` being its repository, by its address.
fn export(of: &str, from: &str, to: &str) -> String {
    of.replacen(from, to, 1)
}

fn marc_of(resource: &str) -> String {
    export(resource, "/resources/", "/resources/marc21/") + ".xml"
}

#[tokio::test]
async fn a_resource_is_a_marc_record() {
    let archives = archives().await;
    let within = json!({"country": "US", "org_code": "NyA", "parent_institution_name": "City"});
    let repository = repository(&archives, within).await;
    let author = json!({"primary_name": "Dick", "rest_of_name": "Philip K.", "prefix": "Dr.", "dates": "1928-1982",
        "authority_id": "n1"});
    let author = person(&archives, &author).await;
    let other = person(&archives, &json!({"primary_name": "Second"})).await;
    let owner = person(&archives, &json!({"primary_name": "Owner"})).await;
    let board = json!({"publish": true, "names": [{"primary_name": "Board", "source": "naf", "authority_id": "n2",
        "sort_name_auto_generate": true}]});
    let board = archives.add("/agents/corporate_entities", &board).await;
    let travel = subject(&archives, &[("topical", "Travel"), ("geographic", "Rome")], "lcsh").await;
    let poems = subject(&archives, &[("genre_form", "Poems")], "aat").await;
    let record = json!({"title": "Foo <emph render='bold'>BAR</emph> Jones", "id_0": "MS", "id_1": "7",
        "level": "item", "finding_aid_language": "eng", "finding_aid_script": "Latn", "publish": true,
        "finding_aid_description_rules": "dacs", "ead_location": "http://example.org/ead",
        "extents": [{"portion": "whole", "number": "3", "extent_type": "linear_feet", "container_summary": "2 boxes",
                     "dimensions": "10 cm", "physical_details": "torn"}],
        "dates": [{"date_type": "inclusive", "label": "creation", "begin": "1900", "end": "1950"},
                  {"date_type": "bulk", "label": "creation", "begin": "1910", "expression": "1910ish"}],
        "lang_materials": [{"language_and_script": {"language": "eng"}}, {"language_and_script": {"language": "fre"}},
            {"notes": [{"jsonmodel_type": "note_langmaterial", "type": "langmaterial", "content": ["Two tongues"],
                        "publish": true}]}],
        "subjects": [{"ref": travel}, {"ref": poems}],
        "linked_agents": [{"ref": other, "role": "creator"},
            {"ref": author, "role": "creator", "relator": "aut", "is_primary": true},
            {"ref": owner, "role": "source"},
            {"ref": board, "role": "subject", "terms": [
                {"term": "Travel", "term_type": "topical", "vocabulary": "/vocabularies/1"}]}],
        "notes": [note("scopecontent", "Letters", true), note("acqinfo", "A gift!", true), note("odd", "x", true),
            note("processinfo", "Sorted", true), single("abstract", "In short", true),
            note("dimensions", "hidden", false), note("custodhist", "hidden", false),
            {"jsonmodel_type": "note_bibliography", "content": ["A book"], "items": ["A page"], "publish": true}]});
    let uri = archives.add(&format!("{repository}/resources"), &record).await;
    let answer = archives.admin.get(&marc_of(&uri)).await.expect(200);
    assert_eq!(answer.round_trips(), 2);
    assert_eq!(answer.header("content-type"), Some("application/xml"));
    let field = |tag: &str, indicators: [&str; 2], subfields: &str| {
        let [first, second] = indicators;
        let subfields: Vec<String> = subfields
            .split('$')
            .skip(1)
            .map(|text| format!("<subfield code=\"{}\">{}</subfield>", &text[..1], &text[1..]))
            .collect();
        let subfields = subfields.concat();
        format!("<datafield tag=\"{tag}\" ind1=\"{first}\" ind2=\"{second}\">{subfields}</datafield>")
    };
    let fields = [
        field("040", [" ", " "], "$aNyA$beng$cNyA$edacs"),
        field("041", [" ", " "], "$aeng$afre"),
        field("049", [" ", " "], "$aNyA"),
        field("099", [" ", " "], "$aMS.7"),
        field("100", ["1", " "], "$aDick, Philip K.,$cDr.,$d1928-1982,$eAuthor.$4aut$0n1"),
        field("245", ["1", "0"], "$aFoo  BAR  Jones,$f1900 - 1950$g1910ish"),
        field("300", [" ", " "], "$a3$fLinear Feet (2 boxes)$c10 cm$btorn"),
        field("500", [" ", " "], "$ax."),
        field("500", [" ", " "], "$aProcessing Information: Sorted."),
        field("520", ["2", " "], "$aLetters."),
        field("520", ["3", " "], "$aIn short."),
        field("541", ["1", " "], "$aA gift!"),
        field("546", [" ", " "], "$aTwo tongues."),
        field("581", [" ", " "], "$aA book"),
        field("581", [" ", " "], "$aA page"),
        field("610", ["2", "0"], "$aBoard$xTravel."),
        field("650", [" ", "0"], "$aTravel$zRome$0sh1"),
        field("655", [" ", "7"], "$aPoems$2aat$0sh1"),
        field("700", ["1", " "], "$aSecond,$ecreator."),
        field("700", ["1", " "], "$aOwner,$eformer owner."),
        field("852", [" ", " "], "$aCity$bLibrary of A"),
        field("856", ["4", "2"], "$zFinding aid online:$uhttp://example.org/ead"),
    ];
    let mut parts = vec![
        "xsi:schemaLocation=\"http://www.loc.gov/MARC21/slim https://www.loc.gov/standards/marcxml/schema/MARC21slim.xsd\"",
        "<leader>00000npmaa2200000 u 4500</leader>",
        "i19001950xxu",
        "mul d</controlfield>",
    ];
    parts.extend(fields.iter().map(String::as_str));
    shows(&answer.text, &parts, &["hidden", "tag=\"561\""]);
    let tags: Vec<&str> = answer.text.split("<datafield tag=\"").skip(1).filter_map(|field| field.get(..3)).collect();
    assert!(tags.is_sorted(), "{tags:?}");
    let all = archives.admin.get(&format!("{}?include_unpublished_marc=true", marc_of(&uri))).await.expect(200);
    let (custody, size) = (field("561", ["0", " "], "$ahidden."), field("500", [" ", " "], "$aDimensions: hidden."));
    shows(&all.text, &[&custody, &size], &[]);
    archives.admin.send(Method::POST, &format!("{uri}/unpublish"), None).await.expect(200);
    let hidden = archives.admin.get(&marc_of(&uri)).await.expect(200);
    shows(&hidden.text, &["tag=\"245\""], &["tag=\"100\"", "tag=\"520\"", "tag=\"610\""]);
}

#[tokio::test]
async fn the_least_resource_is_a_marc_record_without_unknown_parts() {
    let archives = archives().await;
    let repository = repository(&archives, json!({})).await;
    let uri = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let answer = archives.admin.get(&marc_of(&uri)).await.expect(200);
    let parts = [
        "<leader>00000npcaa2200000 u 4500</leader>",
        "<datafield tag=\"245\" ind1=\"0\" ind2=\"0\"><subfield code=\"a\">Papers MS 1,</subfield>",
        "<datafield tag=\"852\" ind1=\" \" ind2=\" \"><subfield code=\"a\">Library of A</subfield></datafield>",
        "eng d</controlfield>",
    ];
    shows(&answer.text, &parts, &["tag=\"049\"", "tag=\"856\"", "tag=\"1"]);
    archives.admin.get(&marc_of(&uri.replace("/resources/1", "/resources/9"))).await.expect(404);
}

/// A digital object with two components and files, and its address.
async fn digital_object(archives: &Archives, repository: &str) -> String {
    let author = person(archives, &json!({"primary_name": "Dick", "rest_of_name": "Philip K."})).await;
    let about = person(archives, &json!({"primary_name": "Other"})).await;
    let travel = subject(archives, &[("technique", "Travel"), ("geographic", "Rome")], "lcsh").await;
    let digital_note = |kind: &str, content: &str, publish: bool| {
        json!({"jsonmodel_type": "note_digital_object", "type": kind, "content": [content], "publish": publish,
               "label": "L"})
    };
    let record = json!({"title": "Songs & sonnets", "digital_object_id": "do.1", "publish": true,
        "digital_object_type": "notated_music", "subjects": [{"ref": travel}],
        "linked_agents": [{"ref": author, "role": "creator"}, {"ref": about, "role": "subject"}],
        "lang_materials": [{"language_and_script": {"language": "eng", "script": "Latn"}},
            {"notes": [{"jsonmodel_type": "note_langmaterial", "type": "langmaterial", "content": ["In English"],
                        "publish": true}]}],
        "extents": [{"portion": "whole", "number": "3", "extent_type": "photographic_prints", "dimensions": "2 cm"}],
        "dates": [{"label": "creation", "expression": "1970s-ish", "certainty": "questionable", "date_type": "single"},
            {"label": "copyright", "begin": "1998", "end": "2008", "date_type": "inclusive"}],
        "notes": [digital_note("bioghist", "A life", true), digital_note("accessrestrict", "Closed", true),
            digital_note("physdesc", "Blue", true), digital_note("dimensions", "unseen", false),
            digital_note("originalsloc", "Elsewhere", true), digital_note("relatedmaterial", "More", true)],
        "file_versions": [{"file_uri": "http://example.org/1.jpg", "use_statement": "image-master", "publish": true}]});
    let uri = archives.add(&format!("{repository}/digital_objects"), &record).await;
    let components = format!("{repository}/digital_object_components");
    let part = json!({"title": "Part", "digital_object": {"ref": uri}, "component_id": "c1"});
    let part = archives.add(&components, &part).await;
    let page = json!({"title": "Page", "digital_object": {"ref": uri}, "parent": {"ref": part}, "component_id": "c2",
        "linked_agents": [{"ref": author, "role": "creator"}],
        "file_versions": [{"file_uri": "http://example.org/2.jpg", "use_statement": "image-master", "publish": true},
                          {"file_uri": "http://example.org/3.jpg", "use_statement": "image-thumbnail",
                           "publish": true}]});
    archives.add(&components, &page).await;
    uri
}

fn digital_export(uri: &str, format: &str) -> String {
    export(uri, "/digital_objects/", &format!("/digital_objects/{format}/")) + ".xml"
}

#[tokio::test]
async fn a_digital_object_is_dublin_core_and_mods() {
    let archives = archives().await;
    let repository = repository(&archives, json!({"url": "http://example.org"})).await;
    let uri = digital_object(&archives, &repository).await;
    let answer = archives.admin.get(&digital_export(&uri, "dublin_core")).await.expect(200);
    assert!(answer.round_trips() <= 3, "{} round trips", answer.round_trips());
    let address = format!("<identifier>http://localhost:8089{uri}</identifier>");
    let parts = [
        "<dc xmlns=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\"",
        "<title>Songs &amp; sonnets</title>",
        address.as_str(),
        "<creator>Dick, Philip K.</creator>",
        "<language>eng</language><language>Latn</language><language>In English</language>",
        "<subject>Other</subject><subject>Travel--Rome</subject>",
        "<date>1970s-ish</date><date>1998 - 2008</date>",
        "<description>A life</description>",
        "<description>Digital object made available by Library of A (http://example.org)</description>",
        "<rights>Closed</rights><format>Blue</format><format>unseen</format>",
        "<source>Elsewhere</source><relation>More</relation><type>notated_music</type></dc>",
    ];
    shows(&answer.text, &parts, &[]);
    let answer = archives.admin.get(&digital_export(&uri, "mods")).await.expect(200);
    assert!(answer.round_trips() <= 5, "{} round trips", answer.round_trips());
    let parts = [
        "<mods version=\"3.4\" xmlns=\"http://www.loc.gov/mods/v3\"><titleInfo><title>Songs &amp; sonnets</title></titleInfo>",
        "<identifier>do.1</identifier><typeOfResource>Notated Music</typeOfResource>",
        "<languageTerm type=\"text\" authority=\"iso639-2b\">English</languageTerm>",
        "<languageTerm type=\"code\" authority=\"iso639-2b\">eng</languageTerm>",
        "<scriptTerm type=\"text\" authority=\"iso15924\">Latin</scriptTerm>",
        "<note type=\"language\">In English</note>",
        "<dateCreated qualifier=\"questionable\">1970s-ish</dateCreated>",
        "<copyrightDate encoding=\"w3cdtf\" keyDate=\"yes\" point=\"start\">1998</copyrightDate>",
        "<copyrightDate encoding=\"w3cdtf\" keyDate=\"yes\" point=\"end\">2008</copyrightDate>",
        "<physicalDescription><extent>3 photographic_prints</extent>",
        "<note type=\"dimensions\" displayLabel=\"Dimensions\">2 cm</note>",
        "<note type=\"physical_description\" displayLabel=\"Physical Details\">Blue</note>",
        "<accessCondition type=\"restrictionOnAccess\" displayLabel=\"L\">Closed</accessCondition>",
        "<note type=\"bioghist\" displayLabel=\"L\">A life</note>",
        "<note displayLabel=\"Digital object made available by\">Library of A (http://example.org)</note>",
        "<subject authority=\"lcsh\"><genre>Travel -- Rome</genre></subject>",
        "<name type=\"personal\" authority=\"local\"><namePart type=\"family\">Dick</namePart>",
        "<roleTerm type=\"text\" authority=\"marcrelator\">creator</roleTerm>",
        "<subject><name type=\"personal\" authority=\"local\"><namePart type=\"family\">Other</namePart>",
        "<relatedItem type=\"constituent\"><titleInfo><title>Page</title></titleInfo></relatedItem></mods>",
    ];
    shows(&answer.text, &parts, &["unseen"]);
    assert_eq!(answer.text.matches("<relatedItem").count(), 2);
}

#[tokio::test]
async fn a_digital_object_is_mets_with_its_files_and_parts() {
    let archives = archives().await;
    let repository = repository(&archives, json!({"url": "http://example.org"})).await;
    let uri = digital_object(&archives, &repository).await;
    let answer = archives.admin.get(&digital_export(&uri, "mets")).await.expect(200);
    assert!(answer.round_trips() <= 6, "{} round trips", answer.round_trips());
    let parts = [
        "xsi:schemaLocation=\"http://www.loc.gov/METS/ https://www.loc.gov/standards/mets/mets.xsd\"",
        "<agent ROLE=\"CREATOR\" TYPE=\"ORGANIZATION\"><name>Library of A</name><note>http://example.org</note>\
         <note>Produced by ArchivesSpace</note></agent>",
        "<dmdSec ID=\"1\"><mdWrap MDTYPE=\"MODS\"><xmlData><mods:mods version=\"3.4\"><mods:titleInfo>\
         <mods:title>Songs &amp; sonnets</mods:title>",
        "<dmdSec ID=\"2\"><mdWrap MDTYPE=\"MODS\"><xmlData><mods:mods version=\"3.4\"><mods:titleInfo>\
         <mods:title>Page</mods:title>",
        "<fileGrp USE=\"Image-Master\"><file ID=\"f1\" GROUPID=\"1\"><FLocat LOCTYPE=\"URL\" \
         xlink:href=\"http://example.org/1.jpg\"/></file><file ID=\"f2\" GROUPID=\"2\">",
        "<structMap TYPE=\"logical\"><div ORDER=\"1\" LABEL=\"Songs &amp; sonnets\" TYPE=\"item\" DMDID=\"1\">\
         <fptr FILEID=\"f1\"/><div ORDER=\"2\" LABEL=\"Part\" TYPE=\"item\" DMDID=\"1\"><div ORDER=\"3\" LABEL=\"Page\" \
         TYPE=\"item\" DMDID=\"2\"><fptr FILEID=\"f2\"/><fptr FILEID=\"f3\"/></div></div></div></structMap>",
        "<structMap TYPE=\"physical\"><div ORDER=\"1\" LABEL=\"Songs &amp; sonnets\" TYPE=\"item\" DMDID=\"1\">\
         <fptr FILEID=\"f1\"/><div ORDER=\"2\" LABEL=\"Page\" TYPE=\"item\" DMDID=\"2\">",
    ];
    shows(&answer.text, &parts, &["relatedItem"]);
    assert_eq!(answer.text.matches("<fileGrp").count(), 2);
    let created = answer.text.split("CREATEDATE=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a time");
    assert!(created.parse::<jiff::Timestamp>().is_ok(), "{created}");
    let dublin_core = archives.admin.get(&format!("{}?dmd=dc", digital_export(&uri, "mets"))).await.expect(200);
    let parts = ["<mdWrap MDTYPE=\"DC\"><xmlData><dc:dc ", "<dc:title>Page</dc:title>"];
    shows(&dublin_core.text, &parts, &["MODS", "<mods:"]);
}

#[tokio::test]
async fn labels_have_a_row_for_each_container_of_a_series() {
    let archives = archives().await;
    let repository = repository(&archives, json!({})).await;
    let location = json!({"building": "Main", "coordinate_1_label": "Shelf", "coordinate_1_indicator": "1"});
    let location = archives.add("/locations", &location).await;
    let profile = json!({"name": "Flat", "dimension_units": "inches", "extent_dimension": "width", "height": "1",
        "width": "2", "depth": "3"});
    let profile = archives.add("/container_profiles", &profile).await;
    let container = json!({"indicator": "9", "type": "box", "barcode": "b1", "container_profile": {"ref": profile},
        "container_locations": [{"ref": location, "status": "current", "start_date": "2020-01-01"}]});
    let container = archives.add(&format!("{repository}/top_containers"), &container).await;
    let uri = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let nodes = format!("{repository}/archival_objects");
    let held = json!([{"instance_type": "mixed_materials", "sub_container": {"top_container": {"ref": container},
        "type_2": "folder", "indicator_2": "71"}}]);
    let mut series = component("Series", &uri, None);
    series["level"] = "series".into();
    let series = archives.add(&nodes, &series).await;
    for title in ["File 1", "File 2"] {
        let mut file = component(title, &uri, Some(&series));
        file["instances"] = held.clone();
        archives.add(&nodes, &file).await;
    }
    let answer = archives.admin.get(&(export(&uri, "/resources/", "/resource_labels/") + ".tsv")).await.expect(200);
    assert!(answer.round_trips() <= 4, "{} round trips", answer.round_trips());
    assert_eq!(answer.header("content-type"), Some("text/tab-separated-values"));
    let rows: Vec<&str> = answer.text.lines().collect();
    let row = "Library of A\tPapers MS 1\tMS 1\tSeries\tFile 1\tFlat [3d, 1h, 2w inches] extent measured by width\tbox: 9\
               \tb1\tfolder:71\t\tMain [Shelf: 1]";
    assert_eq!(rows[1..], [row]);
    let columns = "Repository Name\tResource Title\tResource Identifier\tSeries Archival Object Title\
                   \tArchival Object Title\tContainer Profile\tTop Container\tTop Container Barcode\tSubContainer 1\
                   \tSubContainer 2\tCurrent Location";
    assert_eq!(rows[0], columns);
}

#[tokio::test]
async fn sheets_have_a_row_for_each_archival_object() {
    let archives = archives().await;
    let repository = repository(&archives, json!({})).await;
    let uri = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let mut objects = Vec::new();
    for title in ["One", "Two, or more"] {
        let mut sent = component(title, &uri, None);
        sent["ref_id"] = title[..3].into();
        objects.push(archives.add(&format!("{repository}/archival_objects"), &sent).await);
    }
    let answer = archives.admin.get(&format!("{uri}/templates/top_container_creation.csv")).await.expect(200);
    assert_eq!(answer.round_trips(), 2);
    assert!(answer.header("content-type").is_some_and(|media| media.starts_with("text/csv")));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"resource_1_top_containers.csv\""));
    let rows: Vec<&str> = answer.text.lines().collect();
    assert!(rows[0].starts_with("Archival Object Top Container Generation Template,,"), "{}", rows[0]);
    assert!(rows[1].starts_with("Maps to ASpace Type,Archival Object,"), "{}", rows[1]);
    assert!(rows[2].contains(",archival_object_id,ref_id,component_id,archival_object_title,"), "{}", rows[2]);
    assert_eq!(
        rows[4..],
        [",1,One,,One,Papers MS 1,,MS 1,,,,,,,,,,", ",2,Two,,\"Two, or more\",Papers MS 1,,MS 1,,,,,,,,,,"]
    );
    let answer = archives.admin.get(&format!("{uri}/templates/digital_object_creation.csv")).await.expect(200);
    let rows: Vec<&str> = answer.text.lines().collect();
    assert_eq!(rows.len(), 5);
    let first =
        "ArchivesSpace digital object import field codes (please don't edit this row),collection_id,ead,ref_id,";
    assert!(rows[1].starts_with(first), "{}", rows[1]);
    assert!(rows[2].starts_with("Field Name,Resource Identifier,"), "{}", rows[2]);
    for (row, object) in rows[3..].iter().zip(&objects) {
        assert!(row.starts_with(&format!(",,,,{uri},,{object},,")), "{row}");
    }
    archives.admin.get(&format!("{repository}/resources/9/templates/top_container_creation.csv")).await.expect(404);
}

#[tokio::test]
async fn exports_have_names_of_files() {
    let archives = archives().await;
    let repository = repository(&archives, json!({})).await;
    archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    digital_object(&archives, &repository).await;
    let family = json!({"names": [{"family_name": "Gibb", "source": "local", "sort_name_auto_generate": true}]});
    archives.add("/agents/families", &family).await;
    for (path, begins, ends, mime) in [
        ("resource_descriptions/1.xml", "MS_1_20", "_UTC__ead.xml", "application/xml"),
        ("resource_descriptions/1.pdf", "MS_1_20", "_UTC__ead.pdf", "application/pdf"),
        ("resources/marc21/1.xml", "MS_1_20", "_UTC__marc21.xml", "application/xml"),
        ("resource_labels/1.tsv", "MS_1_20", "_UTC__labels.tsv", "text/tab-separated-values"),
        ("digital_objects/dublin_core/1.xml", "do.1_20", "_UTC__dc.xml", "application/xml"),
        ("digital_objects/mods/1.:fmt", "do.1_20", "_UTC__mods.xml", "application/xml"),
        ("digital_objects/mets/1.xml", "do.1_20", "_UTC__mets.xml", "application/xml"),
        ("agents/people/marc21/1.xml", "", "_UTC__marc.xml", "application/xml"),
        ("archival_contexts/families/1.xml", "Gibb_20", "_UTC__eac.xml", "application/xml"),
    ] {
        let answer = archives.admin.get(&format!("{repository}/{path}/metadata")).await.expect(200);
        assert_eq!(answer.round_trips(), 1, "{path}");
        let named = answer.json();
        assert_eq!(named["mimetype"], mime, "{path}");
        let name = named["filename"].as_str().expect("a name");
        assert!(name.starts_with(begins) && name.ends_with(ends), "{path}: {name}");
    }
    archives.admin.get(&format!("{repository}/resource_labels/x.tsv/metadata")).await.expect(400);
    archives.admin.get(&format!("{repository}/resource_labels/9.tsv/metadata")).await.expect(404);
    anonymous(&archives.library).get(&format!("{repository}/resources/marc21/1.xml")).await.expect(403);
}
