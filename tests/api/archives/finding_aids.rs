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
