//! Harvesting by OAI-PMH, and how records are offered (contract 3.5).

use super::{
    exports::{flat, note, person, repository, shows},
    *,
};

/// A harvester, who needs no session.
fn harvester(archives: &Archives) -> Client {
    anonymous(&archives.library)
}

async fn ask(client: &Client, query: &str) -> Answer {
    let answer = client.get(&format!("/oai?verb={query}")).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/xml"), "{query}");
    assert!(answer.round_trips() <= 10, "{query}: {} round trips", answer.round_trips());
    answer
}

/// The addresses in the headers of a list.
fn listed(xml: &str) -> Vec<String> {
    let flat = flat(xml);
    let after = flat.split("<identifier>oai:archivesspace/").skip(1);
    after.map(|rest| rest.split('<').next().unwrap_or_default().to_owned()).collect()
}

fn token(xml: &str) -> Option<String> {
    Some(xml.split("<resumptionToken>").nth(1)?.split('<').next()?.to_owned())
}

async fn published(archives: &Archives, repository: &str, id: &str, level: &str) -> String {
    let mut record = resource(id);
    record["publish"] = true.into();
    record["level"] = level.into();
    archives.add(&format!("{repository}/resources"), &record).await
}

async fn published_component(archives: &Archives, title: &str, resource: &str, parent: Option<&str>) -> String {
    let (repository, _) = resource.split_once("/resources/").expect("an address");
    let mut record = component(title, resource, parent);
    record["publish"] = true.into();
    archives.add(&format!("{repository}/archival_objects"), &record).await
}

#[tokio::test]
async fn the_archives_say_what_they_offer() {
    let archives = archives().await;
    let client = harvester(&archives);
    repository(&archives, json!({})).await;
    let identify = ask(&client, "Identify").await;
    let parts = [
        "<request verb=\"Identify\">http://localhost:8089/oai</request><Identify>\
         <repositoryName>ArchivesSpace OAI Provider</repositoryName><baseURL>http://localhost:8089/oai</baseURL>\
         <protocolVersion>2.0</protocolVersion><adminEmail>admin@example.com</adminEmail>",
        "<deletedRecord>persistent</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity>",
        "<repositoryIdentifier>archivesspace</repositoryIdentifier><delimiter>:</delimiter>\
         <sampleIdentifier>oai:archivesspace//repositories/2/resources/1</sampleIdentifier>",
    ];
    shows(&identify.text, &parts, &[]);
    let formats = ask(&client, "ListMetadataFormats").await;
    for prefix in ["oai_dc", "oai_dcterms", "oai_ead", "oai_marc", "oai_mods"] {
        shows(&formats.text, &[&format!("<metadataPrefix>{prefix}</metadataPrefix>")], &[]);
    }
    let of_one =
        ask(&client, "ListMetadataFormats&identifier=oai:archivesspace//repositories/2/archival_objects/1").await;
    shows(&of_one.text, &["oai_mods"], &["oai_ead"]);
    let sets = ask(&client, "ListSets").await;
    shows(
        &sets.text,
        &["<set><setSpec>fonds</setSpec><setName>fonds</setName></set>", "subseries"],
        &["repository_set"],
    );
}

#[tokio::test]
async fn wrong_requests_are_told_as_harvesters_expect() {
    let archives = archives().await;
    let client = harvester(&archives);
    let repository = repository(&archives, json!({})).await;
    let component = {
        let uri = published(&archives, &repository, "MS 1", "collection").await;
        published_component(&archives, "Letter", &uri, None).await
    };
    for (query, code) in [
        ("Nothing".to_owned(), "badVerb"),
        ("ListRecords".to_owned(), "badArgument"),
        ("ListRecords&metadataPrefix=oai_dc&from=never".to_owned(), "badArgument"),
        ("ListRecords&metadataPrefix=marc".to_owned(), "cannotDisseminateFormat"),
        ("ListRecords&resumptionToken=x".to_owned(), "badResumptionToken"),
        ("ListRecords&metadataPrefix=oai_dc&until=1990-01-01".to_owned(), "noRecordsMatch"),
        ("ListRecords&metadataPrefix=oai_dc&set=nothing".to_owned(), "noRecordsMatch"),
        ("GetRecord&metadataPrefix=oai_dc&identifier=x".to_owned(), "idDoesNotExist"),
        ("GetRecord&metadataPrefix=oai_dc&identifier=oai:archivesspace//agents/people/1".to_owned(), "idDoesNotExist"),
        (
            "GetRecord&metadataPrefix=oai_dc&identifier=oai:archivesspace//repositories/2/resources/99".to_owned(),
            "idDoesNotExist",
        ),
        (
            format!("GetRecord&metadataPrefix=oai_ead&identifier=oai:archivesspace/{component}"),
            "cannotDisseminateFormat",
        ),
    ] {
        let answer = ask(&client, &query).await;
        shows(&answer.text, &[&format!("<error code=\"{code}\">")], &[]);
    }
    let answer = client.get("/oai").await.expect(200);
    shows(&answer.text, &["<error code=\"badVerb\">", "<request>http://localhost:8089/oai</request>"], &[]);
}

#[tokio::test]
async fn a_record_is_given_in_each_format() {
    let archives = archives().await;
    let client = harvester(&archives);
    let repository = repository(&archives, json!({"parent_institution_name": "City"})).await;
    let creator = person(&archives, &json!({"primary_name": "Agent", "rest_of_name": "Creator"})).await;
    let about = person(&archives, &json!({"primary_name": "Agent", "rest_of_name": "Subject"})).await;
    let hidden = json!({"names": [{"primary_name": "Hidden", "source": "local", "name_order": "direct",
        "sort_name_auto_generate": true}]});
    let hidden = archives.add("/agents/people", &hidden).await;
    let place = json!({"source": "lcsh", "vocabulary": "/vocabularies/1",
        "terms": [{"term": "Rome", "term_type": "geographic", "vocabulary": "/vocabularies/1"}]});
    let place = archives.add("/subjects", &place).await;
    let mut record = resource("MS 1");
    record["publish"] = true.into();
    record["finding_aid_title"] = "A guide".into();
    record["ead_id"] = "ms1".into();
    record["subjects"] = json!([{"ref": place}]);
    record["linked_agents"] = json!([{"ref": creator, "role": "creator"}, {"ref": about, "role": "subject"},
        {"ref": hidden, "role": "creator"}]);
    record["notes"] = json!([
        note("accessrestrict", "Closed <emph>now</emph>", true),
        note("userestrict", "Ask", true),
        note("scopecontent", "unseen", false),
        note("custodhist", "From afar", true)
    ]);
    let uri = archives.add(&format!("{repository}/resources"), &record).await;
    let series = published_component(&archives, "Series", &uri, None).await;
    let letter = published_component(&archives, "Letter", &uri, Some(&series)).await;
    let get = |prefix: &str, of: &str| format!("GetRecord&metadataPrefix={prefix}&identifier=oai:archivesspace/{of}");
    let simple = ask(&client, &get("oai_dc", &uri)).await;
    let identifier = format!("<identifier>oai:archivesspace/{uri}</identifier>");
    let address =
        format!("<dc:identifier>MS 1</dc:identifier><dc:identifier>http://localhost:8089{uri}</dc:identifier>");
    let parts = [
        identifier.as_str(),
        "<dc:publisher>Library of A</dc:publisher><dc:publisher>City</dc:publisher>",
        &address,
        "<dc:creator>Agent, Creator</dc:creator><dc:title>Papers MS 1</dc:title><dc:date>1900 -- 1950</dc:date>\
         <dc:format>3 Linear Feet</dc:format><dc:language>eng</dc:language>",
        "<dc:rights>Closed now</dc:rights><dc:rights>Ask</dc:rights><dc:coverage>Rome</dc:coverage>\
         <dc:subject>Agent, Subject</dc:subject></oai_dc:dc>",
    ];
    shows(&simple.text, &parts, &["unseen", "Hidden"]);
    let qualified = ask(&client, &get("oai_dcterms", &letter)).await;
    let parts = [
        "<dcterms:alternative>A guide</dcterms:alternative>",
        "<dcterms:creator>Agent, Creator</dcterms:creator>",
        "<dcterms:date>1900 -- 1950</dcterms:date>",
        "<dcterms:accessRights>Closed now</dcterms:accessRights>",
        "<dcterms:isPartOf>Papers MS 1, MS 1</dcterms:isPartOf>",
    ];
    shows(&qualified.text, &parts, &["unseen", "Hidden", "From afar", "Agent, Subject"]);
    let mods = ask(&client, &get("oai_mods", &uri)).await;
    let parts = [
        "<location><physicalLocation>Library of A</physicalLocation></location><identifier>MS 1</identifier>\
         <name><namePart>Agent, Creator</namePart></name><titleInfo><title>Papers MS 1</title></titleInfo>\
         <originInfo><dateCreated encoding=\"iso8601\">1900/1950</dateCreated></originInfo>",
        "<accessCondition type=\"restrictionOnAccess\">Closed now</accessCondition>",
        "<note type=\"ownership\">From afar</note><subject><geographic>Rome</geographic></subject>\
         <subject><name type=\"personal\">Agent, Subject</name></subject></mods>",
    ];
    shows(&mods.text, &parts, &["unseen", "Hidden"]);
    let marc = ask(&client, &get("oai_marc", &letter)).await;
    let parts =
        ["<metadata><collection xmlns=\"http://www.loc.gov/MARC21/slim\"", "<subfield code=\"a\">Letter,</subfield>"];
    shows(&marc.text, &parts, &["unseen", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><collection"]);
    let ead = ask(&client, &get("oai_ead", &uri)).await;
    let parts = [
        "<metadata><ead xmlns=\"urn:isbn:1-931666-22-9\"",
        "Letter",
        "</ead></metadata></record></GetRecord></OAI-PMH>",
    ];
    shows(&ead.text, &parts, &["unseen", "Hidden"]);
    assert_eq!(ead.text.matches("<?xml").count(), 1);
    let colon = format!("GetRecord&metadataPrefix=oai_dc&identifier=oai:archivesspace:{uri}");
    shows(&ask(&client, &colon).await.text, &["<dc:title>"], &[]);
}

#[tokio::test]
async fn lists_go_on_until_all_changes_and_deletions_are_told() {
    let archives = archives().await;
    let client = harvester(&archives);
    let repository = repository(&archives, json!({})).await;
    let uri = published(&archives, &repository, "MS 1", "fonds").await;
    let children: Vec<Value> =
        (0..30).map(|n| json!({"title": format!("File {n}"), "level": "file", "publish": true})).collect();
    archives.admin.post(&format!("{uri}/children"), &json!({"children": children})).await.expect(200);
    archives.admin.delete(&format!("{repository}/archival_objects/30")).await.expect(200);
    archives
        .admin
        .send(Method::POST, &format!("{repository}/archival_objects/29/suppressed?suppressed=true"), None)
        .await
        .expect(200);
    let first = ask(&client, "ListIdentifiers&metadataPrefix=oai_dc").await;
    let mut all = listed(&first.text);
    assert_eq!(all.len(), 25);
    let next = token(&first.text).expect("a token");
    let second = ask(&client, &format!("ListIdentifiers&resumptionToken={next}")).await;
    all.extend(listed(&second.text));
    assert_eq!(all.len(), 29, "28 files and their resource");
    let mut distinct = all.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 29);
    assert_eq!(all.last(), Some(&uri));
    let next = token(&second.text).expect("a token for deletions");
    let third = ask(&client, &format!("ListIdentifiers&resumptionToken={next}")).await;
    assert_eq!(listed(&third.text), [format!("{repository}/archival_objects/30")]);
    shows(&third.text, &["<header status=\"deleted\">"], &["<resumptionToken>"]);
    let gone = format!("GetRecord&metadataPrefix=oai_dc&identifier=oai:archivesspace/{repository}/archival_objects/30");
    shows(&ask(&client, &gone).await.text, &["<header status=\"deleted\">"], &["<metadata>", "<error"]);
    let records = ask(&client, "ListRecords&metadataPrefix=oai_dc").await;
    assert_eq!(records.text.matches("<dc:title>").count(), 25);
    let few = ask(&client, "ListRecords&metadataPrefix=oai_ead").await;
    shows(&few.text, &["</ead></metadata></record></ListRecords></OAI-PMH>"], &[]);
    let of_today = ask(&client, "ListIdentifiers&metadataPrefix=oai_dc&set=fonds&from=2020-01-01").await;
    assert_eq!(listed(&of_today.text), [uri]);
}

#[tokio::test]
async fn only_what_is_published_and_offered_is_told() {
    let archives = archives().await;
    let client = harvester(&archives);
    let open = repository(&archives, json!({})).await;
    let shown = published(&archives, &open, "MS 1", "collection").await;
    let letter = published_component(&archives, "Letter", &shown, None).await;
    let closed = json!({"repo_code": "B", "name": "B", "publish": true, "oai_is_disabled": true});
    let closed = archives.add("/repositories", &closed).await;
    let hidden = published(&archives, &closed, "MS 1", "collection").await;
    let list = "ListIdentifiers&metadataPrefix=oai_dc";
    assert_eq!(listed(&ask(&client, list).await.text), [letter.clone(), shown.clone()]);
    let get = |of: &str| format!("GetRecord&metadataPrefix=oai_dc&identifier=oai:archivesspace/{of}");
    shows(&ask(&client, &get(&hidden)).await.text, &["<error code=\"idDoesNotExist\">"], &[]);
    shows(&ask(&client, &get(&letter)).await.text, &["Letter"], &[]);
    let mut record = archives.get(&shown).await;
    record["publish"] = false.into();
    archives.admin.post(&shown, &record).await.expect(200);
    shows(&ask(&client, list).await.text, &["<error code=\"noRecordsMatch\">"], &[]);
    shows(&ask(&client, &get(&letter)).await.text, &["<error code=\"idDoesNotExist\">"], &[]);
    let mut record = archives.get(&shown).await;
    record["publish"] = true.into();
    archives.admin.post(&shown, &record).await.expect(200);
    let levels = archives.get("/config/enumerations/names/archival_record_level").await;
    let fonds = levels["enumeration_values"].as_array().expect("values").iter().find(|level| level["value"] == "fonds");
    let fonds = fonds.expect("a level")["id"].to_string();
    for repository in [&open, &closed] {
        let mut record = archives.get(repository).await;
        record["oai_sets_available"] = json!(format!("[\"{fonds}\"]"));
        archives.admin.post(repository, &record).await.expect(200);
    }
    let of_fonds = published(&archives, &open, "MS 2", "fonds").await;
    assert_eq!(listed(&ask(&client, list).await.text), [of_fonds]);
    let sets = ask(&client, "ListSets").await;
    shows(&sets.text, &["<setSpec>fonds</setSpec>"], &["<setSpec>collection</setSpec>"]);
}

#[tokio::test]
async fn sets_are_configured_by_repositories_and_sponsors() {
    let archives = archives().await;
    let client = harvester(&archives);
    let first = repository(&archives, json!({})).await;
    let second = archives.add("/repositories", &json!({"repo_code": "B", "name": "B", "publish": true})).await;
    let of_first = published(&archives, &first, "MS 1", "collection").await;
    let mut sponsored = resource("MS 2");
    sponsored["publish"] = true.into();
    sponsored["finding_aid_sponsor"] = "The Sponsor".into();
    let sponsored = archives.add(&format!("{second}/resources"), &sponsored).await;
    let letter = published_component(&archives, "Letter", &sponsored, None).await;
    let found = archives.get("/oai_config").await;
    let mut config = found[0].clone();
    assert_eq!((&config["jsonmodel_type"], &config["uri"]), (&json!("oai_config"), &json!("/oai_config/1")));
    // The staff application reads both lists when it opens the page.
    assert_eq!((&config["repo_set_codes"], &config["sponsor_set_names"]), (&json!("[]"), &json!("[]")));
    assert_eq!((&config["repo_set_description"], &config["sponsor_set_description"]), (&json!(""), &json!("")));
    config["oai_admin_email"] = "foo@example.org".into();
    config["repo_set_codes"] = "[\"A\"]".into();
    config["repo_set_name"] = "ours".into();
    config["sponsor_set_names"] = "[\"The Sponsor\"]".into();
    config["sponsor_set_name"] = "paid".into();
    let refused = archives.admin.post("/oai_config", &config).await.expect(400).json();
    assert_eq!(refused["error"]["repo_set_description"], json!(["repo_set_desc_required"]));
    config["repo_set_description"] = "Of A".into();
    config["sponsor_set_description"] = "Of the sponsor".into();
    let saved = archives.admin.post("/oai_config/7", &config).await.expect(200).json();
    assert_eq!(
        (&saved["status"], &saved["id"], &saved["uri"]),
        (&json!("Updated"), &json!(1), &json!("/oai_config/1"))
    );
    assert_eq!(archives.get("/oai_config").await[0]["oai_admin_email"], "foo@example.org");
    archives.admin.post("/oai_config/1", &config).await.expect(200);
    anonymous(&archives.library).post("/oai_config", &config).await.expect(403);
    let sets = ask(&client, "ListSets").await;
    let parts = [
        "<set><setSpec>ours</setSpec><setName>ours</setName><setDescription><oai_dc:dc ",
        "<oai_dc:description>Of A</oai_dc:description>",
        "<setSpec>paid</setSpec>",
    ];
    shows(&sets.text, &parts, &[]);
    let list = |set: &str| format!("ListIdentifiers&metadataPrefix=oai_dc&set={set}");
    assert_eq!(listed(&ask(&client, &list("ours")).await.text), [of_first]);
    assert_eq!(listed(&ask(&client, &list("paid")).await.text), [letter, sponsored]);
}
