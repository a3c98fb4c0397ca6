//! Finding aids as EAD (contract 3.5, 6).

use super::*;

/// A published resource with a series of files and a digital object.
async fn collection(archives: &Archives, files: usize) -> String {
    let repository = archives.repository("A").await;
    let mut record = resource("MS 1");
    record["ead_id"] = "ms1".into();
    record["finding_aid_title"] = "A guide to the papers".into();
    record["notes"] = json!([{"jsonmodel_type": "note_multipart", "type": "scopecontent",
        "subnotes": [{"jsonmodel_type": "note_text", "content": "Letters & <emph render=\"italic\">diaries</emph>"}]}]);
    let uri = archives.add(&format!("{repository}/resources"), &record).await;
    let nodes = format!("{repository}/archival_objects");
    let series = archives.add(&nodes, &component("Series", &uri, None)).await;
    let digital = json!({"title": "Scans", "digital_object_id": "do.1", "publish": true,
        "file_versions": [{"file_uri": "http://example.org/1.jpg", "publish": true}]});
    let digital = archives.add(&format!("{repository}/digital_objects"), &digital).await;
    let children: Vec<Value> =
        (0..files).map(|n| json!({"title": format!("File {n}"), "level": "file", "ref_id": format!("f{n}")})).collect();
    archives.admin.post(&format!("{series}/children"), &json!({"children": children})).await.expect(200);
    let mut last = component("Pictures", &uri, None);
    last["instances"] = json!([{"instance_type": "digital_object", "digital_object": {"ref": digital}}]);
    archives.add(&nodes, &last).await;
    archives.admin.send(Method::POST, &format!("{uri}/publish"), None).await.expect(200);
    uri
}

fn ead_of(resource: &str) -> String {
    format!("{}.xml", resource.replace("/resources/", "/resource_descriptions/"))
}

#[tokio::test]
async fn a_finding_aid_is_written_in_a_fixed_number_of_statements() {
    let archives = archives().await;
    let uri = collection(&archives, 300).await;
    let path = format!("{}?include_daos=true", ead_of(&uri));
    let answer = archives.admin.get(&path).await.expect(200);
    assert!(answer.round_trips() <= 10, "{} round trips", answer.round_trips());
    assert_eq!(answer.header("content-type"), Some("application/xml"));
    let ead = &answer.text;
    for part in [
        "<eadid",
        ">ms1</eadid>",
        "A guide to the papers",
        "<num>MS 1</num>",
        "<archdesc level=\"collection\"",
        "Letters &amp; <emph render=\"italic\">diaries</emph>",
        "xlink:href=\"http://example.org/1.jpg\"",
        "</ead>",
    ] {
        assert!(ead.contains(part), "{part}:\n{}", &ead[..ead.len().min(4000)]);
    }
    assert_eq!(ead.matches("<c ").count(), 302);
    let places: Vec<_> =
        ["Series", "File 0<", "File 299<", "Pictures"].map(|title| ead.find(title)).into_iter().collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
}

#[tokio::test]
async fn a_finding_aid_shows_what_is_asked_for() {
    let archives = archives().await;
    let uri = collection(&archives, 2).await;
    let path = ead_of(&uri);
    let plain = archives.admin.get(&path).await.expect(200).text;
    assert!(plain.contains("aspace_uri") && !plain.contains("<dao"), "{plain}");
    let numbered = archives.admin.get(&format!("{path}?numbered_cs=true&include_uris=False")).await.expect(200).text;
    assert!(numbered.contains("<c02 ") && !numbered.contains("aspace_uri"), "{numbered}");
    let third = archives.admin.get(&format!("{path}?ead3=true")).await.expect(200).text;
    assert!(third.contains("http://ead3.archivists.org/schema/"), "{third}");
    archives
        .admin
        .send(Method::POST, &format!("{}/unpublish", "/repositories/2/archival_objects/1"), None)
        .await
        .expect(200);
    let hidden = archives.admin.get(&path).await.expect(200).text;
    assert!(!hidden.contains("File 0") && hidden.contains("Pictures"), "{hidden}");
    let all = archives.admin.get(&format!("{path}?include_unpublished=true")).await.expect(200).text;
    assert!(all.contains("File 0") && all.contains("audience=\"internal\""), "{all}");
    archives.admin.get(&format!("{path}?ead3=perhaps")).await.expect(400);
    archives.admin.get("/repositories/2/resource_descriptions/99.xml").await.expect(404);
    let named = archives.get(&format!("{path}/metadata")).await;
    assert_eq!(named["mimetype"], "application/xml");
    let name = named["filename"].as_str().expect("a name");
    assert!(name.starts_with("MS_1_20") && name.ends_with("_UTC__ead.xml"), "{name}");
}

/// A finding aid without what is new each time it is written: identifiers of its elements, the time.
fn lasting(ead: &str) -> String {
    let is_made = |word: &&str| {
        let digits = word.trim_start_matches("aspace_");
        digits.len() == 32 && digits.bytes().all(|b| b.is_ascii_hexdigit())
    };
    let is_time = |word: &&str| word.starts_with("20") && word.len() >= 10;
    let kept = |word: &&str| !is_made(word) && !is_time(word) && word.matches(':').count() != 2;
    ead.split(['"', ' ', '<', '>']).filter(kept).collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn a_job_exports_what_the_route_answers() {
    let archives = archives().await;
    let uri = collection(&archives, 30).await;
    archives.admin.send(Method::POST, "/repositories/2/archival_objects/1/unpublish", None).await.expect(200);
    for (asked, query) in [
        (json!({}), "include_uris=true"),
        (json!({"include_unpublished": true, "include_daos": true}), "include_unpublished=true&include_daos=true"),
        (json!({"numbered_cs": true, "include_uris": false}), "numbered_cs=true&include_uris=false"),
        (json!({"ead3": true}), "ead3=true"),
    ] {
        let mut work = json!({"jsonmodel_type": "ead_export_job", "source": uri});
        work.as_object_mut().expect("members").extend(asked.as_object().expect("members").clone());
        let (done, log, records) = archives.run_job(work).await;
        assert_eq!(done["status"], "completed", "{log}");
        assert!(records.is_empty() && done["has_modified_records"] == false, "it changes nothing");
        for line in ["Exporting Papers MS 1", "All 32 components are written."] {
            assert!(log.contains(line), "{line}: {log}");
        }
        assert!(!log.contains("Warning"), "{log}");
        let job = done["uri"].as_str().expect("an address");
        let files = archives.get(&format!("{job}/output_files")).await;
        let file = archives.admin.get(&format!("{job}/output_files/{}", files[0])).await.expect(200).text;
        let direct = archives.admin.get(&format!("{}?{query}", ead_of(&uri))).await.expect(200).text;
        assert_eq!(lasting(&file), lasting(&direct), "{query}");
    }
    assert_eq!(archives.get("/job_types").await.get("ead_export_job"), None, "ArchivesSpace has no such type");
}

#[tokio::test]
async fn a_job_that_cannot_export_says_why() {
    let archives = archives().await;
    archives.repository("A").await;
    let elsewhere = archives.repository("B").await;
    let elsewhere = archives.add(&format!("{elsewhere}/resources"), &resource("2")).await;
    let unpublished = archives.add("/repositories/2/resources", &resource("1")).await;
    for (source, status, told) in [
        ("/repositories/2/resources/99", "failed", "Resource not found"),
        (elsewhere.as_str(), "failed", "The source is no resource of this repository"),
        ("nonsense", "failed", "The source is no resource of this repository"),
        (unpublished.as_str(), "completed", "Warning: this resource has not been published"),
    ] {
        let (done, log, _) = archives.run_job(json!({"jsonmodel_type": "ead_export_job", "source": source})).await;
        assert!(done["status"] == status && log.contains(told), "{source}: {log}");
    }
    for work in [json!({}), json!({"source": unpublished, "ead3": "perhaps"})] {
        let mut job = json!({"job": {"jsonmodel_type": "ead_export_job"}});
        job["job"].as_object_mut().expect("members").extend(work.as_object().expect("members").clone());
        archives.admin.post("/repositories/2/jobs", &job).await.expect(400);
    }
}
