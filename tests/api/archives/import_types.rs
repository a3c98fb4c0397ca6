//! Imports of MARCXML, EAC-CPF and tables by jobs (contract 3.5 "Import types", 6.7, 6.8).

use super::{
    jobs::{enter, finding_aid, import_job},
    *,
};

/// Runs an import of files; returns the address of its job.
async fn run(archives: &Archives, kind: &str, options: &Value, files: &[&str]) -> String {
    let names: Vec<String> = (0..files.len()).map(|place| format!("file{place}")).collect();
    let mut job = import_job(&names.iter().map(String::as_str).collect::<Vec<_>>());
    job["job"]["import_type"] = kind.into();
    for (member, value) in options.as_object().expect("options") {
        job["job"][member] = value.clone();
    }
    let job = enter(archives, &job, files).await;
    archives.library.run_jobs().await;
    job
}

async fn log_of(archives: &Archives, job: &str) -> String {
    archives.admin.get(&format!("{job}/log")).await.expect(200).text
}

/// Runs an import that succeeds; returns the addresses of what it made.
async fn imported(archives: &Archives, kind: &str, options: &Value, files: &[&str]) -> Vec<String> {
    let job = run(archives, kind, options, files).await;
    let done = archives.get(&job).await;
    assert_eq!(done["status"], "completed", "{}", log_of(archives, &job).await);
    let records = archives.get(&format!("{job}/records?page=1&page_size=250")).await;
    let uris = records["results"].as_array().expect("records").iter();
    uris.map(|of| of["record"]["ref"].as_str().expect("an address").to_owned()).collect()
}

/// Runs an import that fails; returns its log.
async fn refused(archives: &Archives, kind: &str, file: &str) -> String {
    let job = run(archives, kind, &json!({}), &[file]).await;
    assert_eq!(archives.get(&job).await["status"], "failed");
    let log = log_of(archives, &job).await;
    assert!(log.contains("IMPORT ERROR"), "{log}");
    log
}

/// The records of one kind among some addresses.
async fn of_kind(archives: &Archives, uris: &[String], path: &str) -> Vec<Value> {
    let mut records = Vec::new();
    for uri in uris.iter().filter(|uri| uri.contains(path)) {
        records.push(archives.get(uri).await);
    }
    records
}

async fn ids(archives: &Archives, path: &str) -> usize {
    archives.get(&format!("{path}?all_ids=true")).await.as_array().expect("ids").len()
}

/// A record of a collection in MARCXML, with a person, a body and a subject.
fn marc(number: &str, extra: &str) -> String {
    format!(
        r#"<m:record xmlns:m="http://www.loc.gov/MARC21/slim">
<m:leader>00000npc a2200000 u 4500</m:leader>
<m:controlfield tag="008">130109i19601970xx                  eng d</m:controlfield>
<m:datafield tag="040" ind1=" " ind2=" "><m:subfield code="b">eng</m:subfield><m:subfield code="e">dacs</m:subfield></m:datafield>
<m:datafield tag="099" ind1=" " ind2=" "><m:subfield code="a">{number}</m:subfield></m:datafield>
<m:datafield tag="100" ind1="1" ind2=" "><m:subfield code="a">Writer, Anna,</m:subfield><m:subfield code="d">1900-1980</m:subfield></m:datafield>
<m:datafield tag="245" ind1="1" ind2="0"><m:subfield code="a">Papers of {number}</m:subfield><m:subfield code="g">1965</m:subfield></m:datafield>
<m:datafield tag="300" ind1=" " ind2=" "><m:subfield code="a">5.0 Linear Feet</m:subfield></m:datafield>
<m:datafield tag="520" ind1="2" ind2=" "><m:subfield code="a">Letters</m:subfield></m:datafield>
<m:datafield tag="541" ind1=" " ind2=" "><m:subfield code="a">A gift</m:subfield></m:datafield>
<m:datafield tag="610" ind1="2" ind2="0"><m:subfield code="a">Society of Letters.</m:subfield><m:subfield code="x">Members</m:subfield></m:datafield>
<m:datafield tag="650" ind1=" " ind2="0"><m:subfield code="a">Letter writing</m:subfield><m:subfield code="y">20th century</m:subfield></m:datafield>
<m:datafield tag="710" ind1="2" ind2=" "><m:subfield code="a">A bookshop</m:subfield><m:subfield code="e">Bookseller (bsl)</m:subfield></m:datafield>{extra}
</m:record>"#
    )
}

fn collection(records: &[String]) -> String {
    format!("<m:collection xmlns:m=\"http://www.loc.gov/MARC21/slim\">{}</m:collection>", records.concat())
}

#[tokio::test]
async fn marc_records_become_resources_with_shared_headings() {
    let archives = archives().await;
    archives.repository("A").await;
    let file = collection(&[marc("MS 1", ""), marc("MS 2", "")]);
    let made = imported(&archives, "marcxml", &json!({}), &[&file]).await;
    let resources = of_kind(&archives, &made, "/resources/").await;
    assert_eq!(texts(&json!(resources), "title"), ["Papers of MS 1", "Papers of MS 2"]);
    let one = &resources[0];
    assert_eq!((&one["id_0"], &one["level"]), (&json!("MS 1"), &json!("collection")));
    assert_eq!(one["finding_aid_description_rules"], "dacs");
    assert_eq!(one["lang_materials"][0]["language_and_script"]["language"], "eng");
    assert_eq!((&one["dates"][0]["begin"], &one["dates"][0]["end"]), (&json!("1960"), &json!("1970")));
    assert_eq!((&one["dates"][1]["date_type"], &one["dates"][1]["expression"]), (&json!("bulk"), &json!("1965")));
    assert_eq!((&one["extents"][0]["number"], &one["extents"][0]["portion"]), (&json!("5.0"), &json!("whole")));
    assert_eq!(texts(&one["notes"], "type"), ["scopecontent", "acqinfo"]);
    assert_eq!(texts(&one["linked_agents"], "role"), ["creator", "source", "subject"]);
    assert_eq!(one["linked_agents"][0]["is_primary"], true);
    assert_eq!(one["linked_agents"][2]["terms"][0]["term"], "Members");
    assert_eq!(one["linked_agents"], resources[1]["linked_agents"], "the same names are the same agents");
    assert_eq!((ids(&archives, "/agents/people").await, ids(&archives, "/subjects").await), (1, 1));
    let writer = archives.get(one["linked_agents"][0]["ref"].as_str().expect("an agent")).await;
    let name = &writer["names"][0];
    assert_eq!(
        (&name["primary_name"], &name["rest_of_name"], &name["dates"], &name["name_order"]),
        (&json!("Writer"), &json!("Anna"), &json!("1900-1980"), &json!("inverted"))
    );
    let subject = archives.get("/subjects/1").await;
    assert_eq!((&subject["title"], &subject["source"]), (&json!("Letter writing -- 20th century"), &json!("lcsh")));
    // The same numbers again are refused as a whole.
    let log = refused(&archives, "marcxml", &collection(&[marc("MS 3", ""), marc("MS 1", "")])).await;
    assert!(log.contains("file0, line") && log.contains("That ID is already in use"), "{log}");
    assert_eq!(ids(&archives, "/repositories/2/resources").await, 2);
}

#[tokio::test]
async fn marc_records_become_accessions_or_only_headings() {
    let archives = archives().await;
    archives.repository("A").await;
    let restricted = r#"<m:datafield tag="506" ind1="1" ind2=" "><m:subfield code="a">Closed</m:subfield></m:datafield>
<m:datafield tag="561" ind1=" " ind2=" "><m:subfield code="a">From a shop</m:subfield></m:datafield>"#;
    let file = marc("ACC 1", restricted);
    let headings = imported(&archives, "marcxml_subjects_and_agents", &json!({}), &[&file]).await;
    assert_eq!(headings.len(), 4, "{headings:?}");
    assert_eq!(ids(&archives, "/repositories/2/resources").await, 0);
    let made = imported(&archives, "marcxml_accession", &json!({}), &[&file]).await;
    let accession = &of_kind(&archives, &made, "/accessions/").await[0];
    assert_eq!(made.len(), 1, "the headings are there already");
    assert_eq!((&accession["id_0"], &accession["title"]), (&json!("ACC 1"), &json!("Papers of ACC 1")));
    assert_eq!(
        (&accession["access_restrictions"], &accession["access_restrictions_note"]),
        (&json!(true), &json!("Closed"))
    );
    assert_eq!(accession["content_description"], "Letters");
    assert_eq!(accession["provenance"], "A gift From a shop");
    assert!(
        accession["accession_date"].as_str().is_some_and(|day| day.len() == 10 && !day.starts_with("9999")),
        "{accession}"
    );
    assert_eq!(accession["linked_agents"].as_array().map(Vec::len), Some(3));
}

const AUTHORITY: &str = r#"<collection xmlns="http://www.loc.gov/MARC21/slim"><record>
<leader>00000cz  a2200000n  4500</leader>
<controlfield tag="001">n1</controlfield><controlfield tag="003">XX</controlfield>
<controlfield tag="005">20100101000000.0</controlfield>
<controlfield tag="008">890119n| azannaabn          |a aaa      </controlfield>
<datafield tag="035" ind1=" " ind2=" "><subfield code="a">(DLC)n1</subfield></datafield>
<datafield tag="040" ind1=" " ind2=" "><subfield code="a">XX</subfield><subfield code="b">eng</subfield><subfield code="d">YY</subfield><subfield code="e">rda</subfield></datafield>
<datafield tag="046" ind1=" " ind2=" "><subfield code="f">18990101</subfield><subfield code="g">19611201</subfield></datafield>
<datafield tag="100" ind1="1" ind2=" "><subfield code="a">Davis, John,</subfield><subfield code="d">1899-1961</subfield></datafield>
<datafield tag="370" ind1=" " ind2=" "><subfield code="a">A town</subfield><subfield code="2">local</subfield></datafield>
<datafield tag="375" ind1=" " ind2=" "><subfield code="a">Male</subfield></datafield>
<datafield tag="400" ind1="1" ind2=" "><subfield code="a">Davis, J.</subfield></datafield>
<datafield tag="510" ind1="2" ind2=" "><subfield code="i">Employer:</subfield><subfield code="a">A company</subfield></datafield>
<datafield tag="670" ind1=" " ind2=" "><subfield code="a">A book</subfield></datafield>
<datafield tag="678" ind1="0" ind2=" "><subfield code="a">A short life.</subfield><subfield code="b">A long life.</subfield></datafield>
</record></collection>"#;

#[tokio::test]
async fn authority_records_become_agents() {
    let archives = archives().await;
    archives.repository("A").await;
    let options = json!({"import_events": "1", "import_subjects": "1"});
    let made = imported(&archives, "marcxml_auth_agent", &options, &[AUTHORITY]).await;
    let person = &of_kind(&archives, &made, "/agents/people/").await[0];
    assert_eq!(
        (&person["title"], &person["names"][1]["rest_of_name"]),
        (&json!("Davis, John, 1899-1961"), &json!("J."))
    );
    let identifiers = &person["agent_record_identifiers"];
    assert_eq!(texts(identifiers, "record_identifier"), ["n1", "(DLC)n1"]);
    assert_eq!((&identifiers[0]["primary_identifier"], &identifiers[1]["source"]), (&json!(true), &json!("naf")));
    let control = &person["agent_record_controls"][0];
    assert_eq!(
        (&control["maintenance_status"], &control["maintenance_agency"], &control["language"]),
        (&json!("revised_corrected"), &json!("XX"), &json!("eng"))
    );
    assert_eq!(person["agent_other_agency_codes"][0]["maintenance_agency"], "YY");
    let existed = &person["dates_of_existence"][0]["structured_date_range"];
    assert_eq!(existed["begin_date_standardized"], "1899-01-01");
    assert_eq!(person["agent_genders"][0]["gender"], "Male");
    assert_eq!(person["agent_places"][0]["place_role"], "place_of_birth");
    assert_eq!(person["agent_maintenance_histories"][0]["event_date"], "19890119");
    assert_eq!(person["notes"][0]["label"], "Biographical note");
    assert_eq!(person["related_agents"][0]["description"], "Employer:");
    assert_eq!(made.iter().filter(|uri| uri.contains("/subjects/")).count(), 1);
    // Without the options neither history nor subjects; the agent differs, so it is another.
    let plain = AUTHORITY.replace("1899-1961", "1899-1962");
    let made = imported(&archives, "marcxml_auth_agent", &json!({}), &[&plain]).await;
    let person = &of_kind(&archives, &made, "/agents/people/").await[0];
    assert_eq!((&person["agent_places"], &person["agent_maintenance_histories"]), (&json!([]), &json!([])));
}

const EAC: &str = r#"<eac-cpf xmlns="urn:isbn:1-931666-33-4" xmlns:xlink="http://www.w3.org/1999/xlink"><control>
<recordId>r1</recordId><otherRecordId localType="viaf">v1</otherRecordId><maintenanceStatus>revised</maintenanceStatus>
<maintenanceAgency><agencyCode>XX</agencyCode><agencyName>A library</agencyName></maintenanceAgency>
<languageDeclaration><language languageCode="eng">English</language><script scriptCode="Latn">Latin</script></languageDeclaration>
<maintenanceHistory><maintenanceEvent><eventType>created</eventType><eventDateTime standardDateTime="2000-01-01"/>
<agentType>human</agentType><agent>B. Keeper</agent></maintenanceEvent></maintenanceHistory></control>
<cpfDescription><identity><entityType>corporateBody</entityType>
<nameEntry><part localType="primary_name">A museum</part><part localType="location">A town</part><authorizedForm>local</authorizedForm></nameEntry>
<nameEntry><part>The museum</part><alternativeForm>local</alternativeForm></nameEntry></identity>
<description><existDates><dateRange><fromDate standardDate="1900">1900</fromDate><toDate standardDate="1950-05">May 1950</toDate></dateRange></existDates>
<places><place><placeRole>residence</placeRole><placeEntry vocabularySource="local">A town</placeEntry></place></places>
<functions><function><term>Collecting</term><descriptiveNote><p>Of all kinds</p></descriptiveNote></function></functions>
<mandates><mandate><term>A law</term><descriptiveNote><p>Of <span>1900</span></p></descriptiveNote></mandate></mandates>
<biogHist><abstract>Short.</abstract><p>One.</p><p>Two.</p></biogHist></description>
<relations><cpfRelation xlink:role="http://x/vocabulary/CorporateBody" xlink:arcrole="parent" cpfRelationType="hierarchical-parent"><relationEntry>A city</relationEntry></cpfRelation>
<resourceRelation resourceRelationType="creatorOf" xlink:href="http://example.org/1"><relationEntry>Its records</relationEntry></resourceRelation></relations>
</cpfDescription></eac-cpf>"#;

#[tokio::test]
async fn eac_becomes_an_agent() {
    let archives = archives().await;
    archives.repository("A").await;
    let made = imported(&archives, "eac_xml", &json!({"import_events": "1"}), &[EAC]).await;
    let agents = of_kind(&archives, &made, "/agents/corporate_entities/").await;
    let museum = agents.iter().find(|agent| agent["title"].as_str().is_some_and(|title| title.contains("museum")));
    let museum = museum.expect("the museum");
    assert_eq!(texts(&museum["names"], "primary_name"), ["A museum", "The museum"]);
    assert_eq!((&museum["names"][0]["location"], &museum["names"][0]["authorized"]), (&json!("A town"), &json!(true)));
    assert_eq!(texts(&museum["agent_record_identifiers"], "record_identifier"), ["r1", "v1"]);
    assert_eq!(museum["agent_record_controls"][0]["maintenance_status"], "revised_corrected");
    assert_eq!(museum["agent_maintenance_histories"][0]["agent"], "B. Keeper");
    assert_eq!(museum["dates_of_existence"][0]["structured_date_range"]["end_date_standardized"], "1950-05");
    assert_eq!(museum["agent_functions"][0]["notes"][0]["content"], "Of all kinds");
    assert_eq!(texts(&museum["notes"], "jsonmodel_type"), ["note_mandate", "note_bioghist"]);
    assert_eq!(museum["notes"][0]["subnotes"][0]["content"], "Of <span>1900</span>");
    assert_eq!(museum["notes"][1]["subnotes"][1]["content"], "One.\n\nTwo.");
    assert_eq!(
        (&museum["related_agents"][0]["relator"], &museum["related_agents"][0]["specific_relator"]),
        (&json!("is_superior_of"), &json!("parent"))
    );
    assert_eq!(museum["agent_resources"][0]["linked_agent_role"], "creator");
    assert_eq!(ids(&archives, "/subjects").await, 2);
}

#[tokio::test]
async fn rows_become_accessions() {
    let archives = archives().await;
    archives.repository("A").await;
    let table = "\u{feff}accession_title,accession_number_1,accession_number_2,accession_accession_date,accession_publish,\
        accession_processing_plan,date_1_label,date_1_expression,extent_number,extent_type,accession_cataloged,\
        accession_cataloged_note,agent_role,agent_type,agent_name_primary_name,agent_name_rest_of_name,\
        agent_name_name_order,agent_name_source,agent_contact_name,agent_contact_fax,subject_source,subject_term,\
        subject_term_type,user_defined_string_1\r\n\
        \"Papers,\r\nboxed\",2001,1,1/22/2001,TRUE,soon,creation,about 1900,3,linear_feet,yes,done,source,agent_person,Giver,Ann,inverted,\
        local,Ann Giver,555,local,Letters,topical,own\r\n,,,,,,,,,,,,,,,,,,,,,,,\r\n\
        More,2001,2,2001-02-03,no,,,,,,NULL,,,,,,,,,,local,Letters,topical,\r\n";
    let made = imported(&archives, "accession_csv", &json!({}), &[table]).await;
    let accessions = of_kind(&archives, &made, "/accessions/").await;
    assert_eq!(texts(&json!(accessions), "title"), ["Papers,\nboxed", "More"]);
    let one = &accessions[0];
    assert_eq!(
        (&one["id_0"], &one["id_1"], &one["accession_date"], &one["publish"]),
        (&json!("2001"), &json!("1"), &json!("2001-01-22"), &json!(true))
    );
    assert_eq!((&one["dates"][0]["date_type"], &one["extents"][0]["portion"]), (&json!("inclusive"), &json!("whole")));
    assert_eq!(one["collection_management"]["processing_plan"], "soon");
    assert_eq!(one["user_defined"]["string_1"], "own");
    assert_eq!(one["subjects"], accessions[1]["subjects"]);
    let events = of_kind(&archives, &made, "/events/").await;
    assert_eq!(events.len(), 1);
    assert_eq!(
        (&events[0]["event_type"], &events[0]["outcome_note"], &events[0]["date"]["expression"]),
        (&json!("cataloged"), &json!("done"), &json!("unknown"))
    );
    assert_eq!(events[0]["linked_records"][0]["ref"], one["uri"]);
    let giver = archives.get(one["linked_agents"][0]["ref"].as_str().expect("an agent")).await;
    assert_eq!(giver["agent_contacts"][0]["telephones"][0]["number_type"], "fax");
    // One row that cannot be read refuses all.
    let bad = "accession_title,accession_number_1,date_1_type,date_1_expression\nA,1,,1900\nB,2,inclusive dates,1900\n";
    let log = refused(&archives, "accession_csv", bad).await;
    assert!(log.contains("file0, line 3, 2: Invalid date type provided: inclusive dates"), "{log}");
    assert_eq!(ids(&archives, "/repositories/2/accessions").await, 2);
}

#[tokio::test]
async fn rows_become_digital_objects_with_components() {
    let archives = archives().await;
    archives.repository("A").await;
    let table = "digital_object_id,digital_object_title,digital_object_is_component,digital_object_component_id,\
        digital_object_publish,date_1_expression,file_version_file_uri_1,file_version_publish_1,\
        file_version_file_uri_2,file_version_file_size_bytes_2,user_defined_real_1,digital_object_processed\n\
        do1,Scans,,,1,1900,http://example.org/1,yes,http://example.org/2,100,1.5,1\n\
        do1,Page one,yes,p1,,,http://example.org/3,,NULL,,,\n";
    let made = imported(&archives, "digital_object_csv", &json!({}), &[table]).await;
    let whole = &of_kind(&archives, &made, "/digital_objects/").await[0];
    assert_eq!((&whole["title"], &whole["publish"]), (&json!("Scans"), &json!(true)));
    assert_eq!(texts(&whole["file_versions"], "file_uri"), ["http://example.org/1", "http://example.org/2"]);
    assert_eq!(whole["file_versions"][1]["file_size_bytes"], 100);
    assert_eq!((&whole["dates"][0]["date_type"], &whole["user_defined"]["real_1"]), (&json!("single"), &json!("1.50")));
    let part = &of_kind(&archives, &made, "/digital_object_components/").await[0];
    assert_eq!((&part["component_id"], &part["digital_object"]["ref"]), (&json!("p1"), &whole["uri"]));
    assert_eq!(of_kind(&archives, &made, "/events/").await[0]["event_type"], "processed");
    let orphan = "digital_object_id,digital_object_title,digital_object_is_component\ndo2,Page,1\n";
    let log = refused(&archives, "digital_object_csv", orphan).await;
    assert!(log.contains("file0, line 2, do2: Components must be preceded"), "{log}");
    let twice = "digital_object_id,file_version_caption_1,file_version_caption_1\na,b,c\n";
    let log = refused(&archives, "digital_object_csv", twice).await;
    assert!(log.contains("file_version_caption_1"), "{log}");
}

#[tokio::test]
async fn rows_become_subjects_and_locations() {
    let archives = archives().await;
    archives.repository("A").await;
    let table = "subject_source,subject_authority_id,term_1,term_type_1,term_2,term_type_2,external_document_title,\
        external_document_location,external_document_publish,md_rights_dec_license\n\
        local,a1,Letters,topical,1900s,temporal,A list,http://example.org,1,public_domain\nlocal,,Maps,genre_form,,,,,,\n";
    let made = imported(&archives, "subject_csv", &json!({}), &[table]).await;
    let subjects = of_kind(&archives, &made, "/subjects/").await;
    assert_eq!(texts(&json!(subjects), "title"), ["Letters -- 1900s", "Maps"]);
    assert_eq!(subjects[0]["authority_id"], "a1");
    assert_eq!(subjects[0]["external_documents"][0]["publish"], true);
    assert_eq!(subjects[0]["metadata_rights_declarations"][0]["license"], "public_domain");
    let rooms = "location_building,location_room,location_coordinate_1_label,location_coordinate_1_indicator\nNorth,1,Shelf,4\n";
    let own = imported(&archives, "location_csv", &json!({"import_repository": "1"}), &[rooms]).await;
    let location = archives.get(&own[0]).await;
    assert_eq!(
        (&location["title"], &location["owner_repo"]["ref"]),
        (&json!("North, 1 [Shelf: 4]"), &json!("/repositories/2"))
    );
    let shared = imported(&archives, "location_csv", &json!({}), &[&rooms.replace("North", "South")]).await;
    assert_eq!(archives.get(&shared[0]).await.get("owner_repo"), None);
    let log = refused(&archives, "location_csv", "location_room\n1\n").await;
    assert!(log.contains("file0, line 2") && log.contains("building"), "{log}");
    let log = refused(&archives, "location_csv", "Building\n1\n").await;
    assert!(log.contains("not the names of columns: Building"), "{log}");
}

#[tokio::test]
async fn rows_become_assessments() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let accession = archives.add(&format!("{repository}/accessions"), &json!({"id_0": "1", "title": "Boxes"})).await;
    let new = json!({"username": "surveyor", "name": "Sur Veyor"});
    archives.admin.post("/users?password=a+good+long+password", &new).await.expect(200);
    let table = "basic,basic,basic,basic,basic,format,rating,rating,conservation\n\
        Record,Surveyed by,Survey begin,Accession report,Purpose,Architectural Materials,Reformatting Readiness,\
        Reformatting Readiness Note,Potential Mold or Mold Damage\n\
        accession 1,Surveyor,31/12/2005,yes,insurance,1,3,good,y\n";
    let made = imported(&archives, "assessment_csv", &json!({}), &[table]).await;
    let assessment = archives.get(&made[0]).await;
    assert_eq!(assessment["records"][0]["ref"], json!(accession));
    assert_eq!((&assessment["survey_begin"], &assessment["accession_report"]), (&json!("2005-12-31"), &json!(true)));
    assert_eq!(assessment["purpose"], "insurance");
    let set = |list: &str| {
        let all = assessment[list].as_array().expect("attributes").iter();
        all.filter(|of| of["value"].is_string()).map(|of| of["label"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(set("formats"), ["Architectural Materials"]);
    assert_eq!(set("conservation_issues"), ["Potential Mold or Mold Damage"]);
    let ratings = assessment["ratings"].as_array().expect("ratings").iter();
    let rated = ratings.into_iter().find(|of| of["label"] == "Reformatting Readiness").expect("the rating");
    assert_eq!((&rated["value"], &rated["note"]), (&json!("3"), &json!("good")));
    for (change, told) in [
        (("Surveyor,", "nobody,"), "User 'nobody' does not exist"),
        (("accession 1", "subject 1"), "Record type subject not allowed"),
        (("31/12/2005", "soon"), "survey_begin: no date: soon"),
        (("Architectural Materials", "Feathers"), "Unknown format in column header: feathers"),
    ] {
        let log = refused(&archives, "assessment_csv", &table.replace(change.0, change.1)).await;
        assert!(log.contains(told), "{log}");
    }
    assert_eq!(ids(&archives, &format!("{repository}/assessments")).await, 1);
}

#[tokio::test]
async fn files_that_are_not_what_they_should_be_are_refused() {
    let archives = archives().await;
    archives.repository("A").await;
    let outside = r#"<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><record><leader>&x;</leader></record>"#;
    let bomb = format!(
        "<!DOCTYPE r [<!ENTITY a0 \"aaaaaaaaaa\">{}]><record><leader>&a9;</leader></record>",
        (1..10).map(|n| format!("<!ENTITY a{n} \"{}\">", format!("&a{};", n - 1).repeat(10))).collect::<String>()
    );
    let deep = format!("<record>{}", "<a>".repeat(5_000));
    for kind in ["marcxml", "marcxml_auth_agent", "marcxml_accession", "marcxml_subjects_and_agents"] {
        for (file, told) in [
            (outside, "the entity &x; is not defined"),
            (bomb.as_str(), "grows beyond its limit"),
            (deep.as_str(), "nested deeper"),
            ("<ead/>", "no element `record`"),
            ("<record><leader></record>", "line 1"),
        ] {
            let log = refused(&archives, kind, file).await;
            assert!(log.contains(told), "{kind}: {log}");
        }
    }
    let log = refused(&archives, "eac_xml", "<record/>").await;
    assert!(log.contains("no element `eac-cpf`"), "{log}");
    let no_unit = marc("MS 1", "").replace("5.0 Linear Feet", "some boxes");
    let log = refused(&archives, "marcxml", &no_unit).await;
    assert!(log.contains("The extent field (300, some boxes) could not be parsed."), "{log}");
    for none in ["/repositories/2/resources", "/repositories/2/accessions", "/agents/people", "/subjects"] {
        assert_eq!(ids(&archives, none).await, 0, "{none}");
    }
}

#[tokio::test]
async fn all_types_of_imports_are_told() {
    let archives = archives().await;
    archives.repository("A").await;
    let told = archives.get("/repositories/2/jobs/import_types").await;
    let mut names = texts(&told, "name");
    names.sort();
    let all = "accession_csv assessment_csv digital_object_csv eac_xml ead_xml location_csv marcxml marcxml_accession \
        marcxml_auth_agent marcxml_subjects_and_agents subject_csv";
    assert_eq!(names.join(" "), all);
    assert!(told.as_array().expect("a list").iter().all(|of| of["description"].is_string()));
}

#[tokio::test]
async fn imports_side_by_side_share_agents_and_subjects() {
    let archives = archives().await;
    archives.repository("A").await;
    let aid = |id: &str, order: &[u32]| {
        let names: String = order
            .iter()
            .map(|n| {
                format!(
                    "<persname source=\"local\">Person {n}</persname><subject source=\"local\">Subject {n}</subject>"
                )
            })
            .collect();
        finding_aid(id, r#"<unitdate normal="1900/1910">1900-1910</unitdate>"#)
            .replace("<controlaccess>", &format!("<controlaccess>{names}"))
    };
    let forwards: Vec<u32> = (0..40).collect();
    let backwards: Vec<u32> = (0..40).rev().collect();
    let mut jobs = Vec::new();
    for (number, order) in [&forwards, &backwards, &forwards, &backwards].into_iter().enumerate() {
        let id = format!("MS{number}");
        jobs.push(enter(&archives, &import_job(&["a.xml"]), &[&aid(&id, order)]).await);
    }
    // As four processes that work at the same time.
    let ran = futures_util::future::join_all((0..4).map(|_| archives.library.run_jobs())).await;
    assert!(ran.iter().sum::<usize>() >= 4, "{ran:?}");
    for job in &jobs {
        assert_eq!(archives.get(job).await["status"], "completed", "{}", log_of(&archives, job).await);
    }
    assert_eq!(ids(&archives, "/repositories/2/resources").await, 4);
    // One more of each is in every finding aid.
    assert_eq!((ids(&archives, "/agents/people").await, ids(&archives, "/subjects").await), (41, 41));
}

#[tokio::test]
async fn a_job_is_canceled_while_it_runs() {
    let archives = archives().await;
    archives.repository("A").await;
    let aid = finding_aid("MS1", r#"<unitdate normal="1900/1910">1900-1910</unitdate>"#);
    let job = enter(&archives, &import_job(&["a.xml"]), &[&aid]).await;
    let tenant = archives.library.app.tenant(archives.library.tenant).expect("the tenant");
    let session = archives.library.app.session(&tenant).expect("a session");
    // The import waits before it writes its first key.
    let other = session.begin().await.expect("a transaction");
    other.batch("LOCK TABLE archival_key IN SHARE MODE").await.expect("a lock");
    let cancel = async {
        while archives.get(&job).await["status"] != "running" {}
        archives.admin.send(Method::POST, &format!("{job}/cancel"), None).await.expect(200);
        other.commit().await.expect("the lock is free");
    };
    let (_, ()) = tokio::join!(archives.library.run_jobs(), cancel);
    assert_eq!(archives.get(&job).await["status"], "canceled");
    let log = log_of(&archives, &job).await;
    assert!(log.contains("Canceled!") && !log.contains("goes on"), "{log}");
    for none in ["/repositories/2/resources", "/repositories/2/archival_objects", "/agents/people", "/subjects"] {
        assert_eq!(ids(&archives, none).await, 0, "{none}");
    }
    assert_eq!(archives.get(&format!("{job}/records?page=1")).await["total"], 0);
    // It can be asked for again.
    let again = enter(&archives, &import_job(&["a.xml"]), &[&aid]).await;
    archives.library.run_jobs().await;
    assert_eq!(archives.get(&again).await["status"], "completed");
}
