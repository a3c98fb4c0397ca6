//! Finding aids as PDF: a job, and the route that ArchivesSpace had to version 3.5.1 (contract 3.5).

use ::archives::printing::Printer;
use lopdf::Document;

use super::*;

const JOBS: &str = "/repositories/2/jobs";

/// A published resource with a published series of files in a box, and a component that is not published.
async fn collection(archives: &Archives) -> String {
    let repository = archives.repository("A").await;
    let mut record = resource("MS 1");
    record["notes"] = json!([exports::note("scopecontent", "Letters & <emph render=\"italic\">diaries</emph>", true)]);
    let uri = archives.add(&format!("{repository}/resources"), &record).await;
    let nodes = format!("{repository}/archival_objects");
    let mut series = component("Correspondence", &uri, None);
    series["level"] = "series".into();
    let series = archives.add(&nodes, &series).await;
    let container = json!({"indicator": "7", "type": "box"});
    let container = archives.add(&format!("{repository}/top_containers"), &container).await;
    let mut file = component("Пушкин", &uri, Some(&series));
    file["instances"] =
        json!([{"instance_type": "mixed_materials", "sub_container": {"top_container": {"ref": container}}}]);
    archives.add(&nodes, &file).await;
    let digital = json!({"title": "Scans", "digital_object_id": "do.1", "publish": true,
        "file_versions": [{"file_uri": "http://example.org/1.jpg", "publish": true}]});
    let digital = archives.add(&format!("{repository}/digital_objects"), &digital).await;
    let mut scanned = component("Pictures", &uri, None);
    scanned["instances"] = json!([{"instance_type": "digital_object", "digital_object": {"ref": digital}}]);
    archives.add(&nodes, &scanned).await;
    archives.admin.send(Method::POST, &format!("{uri}/publish"), None).await.expect(200);
    archives.add(&nodes, &component("Secret", &uri, None)).await;
    uri
}

/// The text of a PDF without white space, because words are placed one by one.
fn text_of(pdf: &Answer) -> String {
    let document = Document::load_mem(&pdf.content).expect("a PDF");
    let numbers: Vec<u32> = document.get_pages().into_keys().collect();
    document.extract_text(&numbers).expect("text").split_whitespace().collect()
}

/// What a job prints, and its log.
async fn print(archives: &Archives, work: Value) -> (String, String) {
    let (done, log, records) = archives.run_job(work).await;
    assert_eq!(done["status"], "completed", "{log}");
    assert!(records.is_empty(), "it changes nothing");
    let job = done["uri"].as_str().expect("an address");
    let files = archives.get(&format!("{job}/output_files")).await;
    assert_eq!(files.as_array().map(Vec::len), Some(1));
    let file = archives.admin.get(&format!("{job}/output_files/{}", files[0])).await.expect(200);
    (text_of(&file), log)
}

#[tokio::test]
async fn a_job_prints_a_finding_aid() {
    let archives = archives().await;
    let uri = collection(&archives).await;
    let work = json!({"jsonmodel_type": "print_to_pdf_job", "source": uri});
    let (text, log) = print(&archives, work.clone()).await;
    for part in
        ["PapersMS1", "LibraryofA", "Contents", "Inventory", "Letters&diaries", "Correspondence", "Пушкин", "Box7"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("Scans") && !text.contains("Secret") && !text.contains(&uri), "{text}");
    for line in ["Generating PDF for Papers MS 1", "The PDF has ", "All done. Please click refresh"] {
        assert!(log.contains(line), "{line}: {log}");
    }
    assert!(!log.contains("Warning"), "{log}");
    let mut all = work;
    all["include_unpublished"] = true.into();
    all["include_uris"] = true.into();
    archives.admin.send(Method::POST, &format!("{uri}/unpublish"), None).await.expect(200);
    let (text, log) = print(&archives, all).await;
    assert!(text.contains("Secret") && text.contains(&uri), "{text}");
    assert!(log.contains("Warning: this resource has not been published"), "{log}");
    let types = archives.get("/job_types").await;
    assert_eq!(types["print_to_pdf_job"], json!({"create_permissions": [], "cancel_permissions": []}));
}

#[tokio::test]
async fn a_job_that_cannot_print_says_why() {
    let archives = archives().await;
    collection(&archives).await;
    let elsewhere = archives.repository("B").await;
    let elsewhere = archives.add(&format!("{elsewhere}/resources"), &resource("2")).await;
    for (source, why) in [
        ("/repositories/2/resources/99", "Resource not found"),
        (elsewhere.as_str(), "The source is no resource of this repository"),
        ("/repositories/2/archival_objects/1", "The source is no resource of this repository"),
        ("nonsense", "The source is no resource of this repository"),
    ] {
        let (done, log, _) = archives.run_job(json!({"jsonmodel_type": "print_to_pdf_job", "source": source})).await;
        assert!(done["status"] == "failed" && log.contains(why), "{source}: {log}");
    }
    let job = json!({"job": {"jsonmodel_type": "print_to_pdf_job"}});
    let refused = archives.admin.post(JOBS, &job).await.expect(400).json();
    assert!(refused["error"]["source"].is_array(), "{refused}");
}

#[tokio::test]
async fn a_finding_aid_that_is_too_long_says_what_to_do() {
    let library = testkit::library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.most_printed_pages = 20;
    })
    .await;
    user(&library, "admin", &["perms.all"]).await;
    let admin = signed_in(&library, "admin").await;
    let archives = Archives { library, admin };
    let uri = collection(&archives).await;
    let mut long = archives.get(&uri).await;
    long["notes"] = json!([exports::note("scopecontent", &"x<lb/>".repeat(2_000), true)]);
    archives.admin.post(&uri, &long).await.expect(200);
    let told = |why: &str| why.contains("more than 20 pages") && why.contains("export it as EAD");
    let (done, log, _) = archives.run_job(json!({"jsonmodel_type": "print_to_pdf_job", "source": uri})).await;
    assert!(done["status"] == "failed" && told(&log), "{log}");
    let pdf = uri.replace("/resources/", "/resource_descriptions/") + ".pdf";
    let refused = archives.admin.get(&pdf).await.expect(400).json();
    assert!(refused["error"].as_str().is_some_and(told), "{refused}");
}

#[tokio::test]
async fn a_job_that_waits_for_its_turn_is_canceled() {
    let archives = archives().await;
    let uri = collection(&archives).await;
    let work = json!({"jsonmodel_type": "print_to_pdf_job", "source": uri});
    let job = archives.add(JOBS, &json!({"jsonmodel_type": "job", "job": work})).await;
    let log = format!("{job}/log");
    let all = [Printer::free().await, Printer::free().await];
    let canceling = async {
        while !archives.admin.get(&log).await.expect(200).text.contains("this one waits for its turn") {
            tokio::task::yield_now().await;
        }
        archives.admin.send(Method::POST, &format!("{job}/cancel"), None).await.expect(200);
    };
    tokio::join!(archives.library.run_jobs(), canceling);
    drop(all);
    assert_eq!(archives.get(&job).await["status"], "canceled");
    let log = archives.admin.get(&log).await.expect(200).text;
    assert!(log.contains("Canceled!"), "{log}");
    assert_eq!(archives.get(&format!("{job}/output_files")).await, json!([]));
}

#[tokio::test]
async fn a_finding_aid_is_read_as_pdf() {
    let archives = archives().await;
    let uri = collection(&archives).await;
    let path = uri.replace("/resources/", "/resource_descriptions/") + ".pdf";
    let asked = format!("{path}?include_daos=true&numbered_cs=true&print_pdf=true&ead3=false");
    let answer = archives.admin.get(&asked).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("application/pdf"));
    assert!(answer.round_trips() <= 10, "{} round trips", answer.round_trips());
    let text = text_of(&answer);
    assert!(text.contains("Пушкин") && text.contains("Scans") && !text.contains("Secret"), "{text}");
    let plain = text_of(&archives.admin.get(&path).await.expect(200));
    assert!(plain.contains("Pictures") && !plain.contains("Scans"), "{plain}");
    let all =
        text_of(&archives.admin.get(&format!("{path}?include_unpublished=true&include_uris=true")).await.expect(200));
    assert!(all.contains("Secret") && all.contains(&uri), "{all}");
    archives.admin.get(&format!("{path}?include_daos=perhaps")).await.expect(400);
    archives.admin.get("/repositories/2/resource_descriptions/99.pdf").await.expect(404);
    user(&archives.library, "reader", &[]).await;
    signed_in(&archives.library, "reader").await.get(&path).await.expect(403);
    let named = archives.get(&format!("{path}/metadata")).await;
    assert_eq!(named["mimetype"], "application/pdf");
    let name = named["filename"].as_str().expect("a name");
    assert!(name.starts_with("MS_1_20") && name.ends_with("_UTC__ead.pdf"), "{name}");
}
