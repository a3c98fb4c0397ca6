//! ARKs that records get when they are saved, and jobs that give them and make labels (contract 3.5).

use testkit::library_with;

use super::*;

/// Archives that make ARKs.
async fn with_arks() -> Archives {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.arks.authority = Some("12345".into());
        settings.arks.address = "https://ark.example".into();
        settings.arks.delimiter = "-".into();
    })
    .await;
    user(&library, "admin", &["perms.all"]).await;
    let admin = signed_in(&library, "admin").await;
    Archives { library, admin }
}

/// A repository with a part of its own in its ARKs.
async fn with_shoulder(archives: &Archives) -> String {
    let sent = json!({"repo_code": "A", "name": "A", "ark_shoulder": "s"});
    uri(&archives.admin.post("/repositories", &sent).await.expect(200))
}

#[tokio::test]
async fn a_record_has_an_ark_when_it_is_saved() {
    let archives = with_arks().await;
    let repository = with_shoulder(&archives).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let node = archives.add(&format!("{repository}/archival_objects"), &component("One", &papers, None)).await;
    let children = json!({"jsonmodel_type": "archival_record_children",
        "children": [component("Two", &papers, None), component("Three", &papers, None)]});
    archives.admin.post(&format!("{papers}/children"), &children).await.expect(200);
    for (number, uri) in [
        papers.clone(),
        node.clone(),
        format!("{repository}/archival_objects/2"),
        format!("{repository}/archival_objects/3"),
    ]
    .iter()
    .enumerate()
    {
        let current = format!("https://ark.example/ark:/12345/s-{}", number + 1);
        let expected = json!({"current": current, "current_is_external": false, "previous": []});
        assert_eq!(archives.get(uri).await["ark_name"], expected, "{uri}");
    }
    // It stays when the record is saved again, and a record that has lost its own gets one.
    let mut record = archives.get(&papers).await;
    record["title"] = "Other papers".into();
    archives.admin.post(&papers, &record).await.expect(200);
    assert_eq!(archives.get(&papers).await["ark_name"], record["ark_name"]);
    archives.admin.post(&format!("{papers}/ark_name"), &json!({"previous": ["ark:/12345/s-1"]})).await.expect(200);
    let record = archives.get(&papers).await;
    assert_eq!(record["ark_name"]["current"], Value::Null);
    archives.admin.post(&papers, &record).await.expect(200);
    let expected = json!({"current": "https://ark.example/ark:/12345/s-5", "current_is_external": false,
        "previous": ["ark:/12345/s-1"]});
    assert_eq!(archives.get(&papers).await["ark_name"], expected);

    // The address that its client calls its ARK, once in the library.
    let mut external = resource("2");
    external["external_ark_url"] = "https://n2t.net/ark:/1/7".into();
    let other = archives.add(&format!("{repository}/resources"), &external).await;
    let expected = json!({"current": "https://n2t.net/ark:/1/7", "current_is_external": true, "previous": []});
    assert_eq!(archives.get(&other).await["ark_name"], expected);
    external["id_0"] = "3".into();
    let taken = archives.admin.post(&format!("{repository}/resources"), &external).await.expect(400);
    assert_eq!(taken.json(), json!({"error": {"external_ark_url": ["external_ark_collision"]}}));
    // The same ARK at another address is told like one of the library's own.
    external["external_ark_url"] = "https://example.org/ark:/1/7".into();
    let taken = archives.admin.post(&format!("{repository}/resources"), &external).await.expect(400);
    assert_eq!(taken.json(), json!({"error": {"ark": ["ark_collision"]}}));
    let mut record = archives.get(&papers).await;
    record["external_ark_url"] = "https://n2t.net/ark:/1/7".into();
    let taken = archives.admin.post(&papers, &record).await.expect(400);
    assert_eq!(taken.json(), json!({"error": {"external_ark_url": ["external_ark_collision"]}}));
    // An address of its own comes before what was made, which comes back without it.
    let made = record["ark_name"]["current"].clone();
    record["external_ark_url"] = "https://n2t.net/ark:/1/8".into();
    archives.admin.post(&papers, &record).await.expect(200);
    let mut record = archives.get(&papers).await;
    let expected = json!({"current": "https://n2t.net/ark:/1/8", "current_is_external": true,
        "previous": [made, "ark:/12345/s-1"]});
    assert_eq!((&record["ark_name"], &record["external_ark_url"]), (&expected, &expected["current"]));
    record["external_ark_url"] = Value::Null;
    archives.admin.post(&papers, &record).await.expect(200);
    let record = archives.get(&papers).await;
    let expected = json!({"current": made, "current_is_external": false, "previous": ["ark:/12345/s-1"]});
    assert_eq!((&record["ark_name"], record.get("external_ark_url")), (&expected, None));
    // Other records have none.
    let container = json!({"indicator": "1", "type": "box"});
    let container = archives.add(&format!("{repository}/top_containers"), &container).await;
    assert_eq!(archives.get(&container).await.get("ark_name"), None);
    let (_, log, _) = archives.run_job(json!({"jsonmodel_type": "generate_arks_job"})).await;
    assert!(log.contains("Repository A: ARKs for ArchivalObject records were already up-to-date"), "{log}");
}

#[tokio::test]
async fn records_without_arks_get_them() {
    let archives = with_arks().await;
    let repository = with_shoulder(&archives).await;
    let first = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let node = archives.add(&format!("{repository}/archival_objects"), &component("One", &first, None)).await;
    for uri in [&first, &node] {
        archives.admin.post(&format!("{uri}/ark_name"), &json!({"previous": []})).await.expect(200);
        assert_eq!(archives.get(uri).await["ark_name"]["current"], Value::Null);
    }
    let second = archives.add(&format!("{repository}/resources"), &resource("2")).await;
    let foreign = json!({"current": "https://n2t.net/ark:/1/7"});
    archives.admin.post(&format!("{second}/ark_name"), &foreign).await.expect(200);
    let work = json!({"jsonmodel_type": "generate_arks_job"});
    let (done, log, _) = archives.run_job(work.clone()).await;
    assert_eq!(done["status"], "completed", "{log}");
    let told = "Repository A: Generated 1 ARKs for ArchivalObject records";
    assert!(log.contains(&format!("{told}\n{}\n", "=".repeat(told.len()))), "{log}");
    assert!(log.contains("Repository A: Generated 1 ARKs for Resource records"), "{log}");
    let ark = archives.get(&node).await["ark_name"].clone();
    let expected =
        json!({"current": "https://ark.example/ark:/12345/s-4", "current_is_external": false, "previous": []});
    assert_eq!(ark, expected);
    let made = archives.get(&first).await["ark_name"]["current"].as_str().expect("an ARK").to_owned();
    assert_eq!(made, "https://ark.example/ark:/12345/s-5");
    assert_eq!(archives.get(&second).await["ark_name"]["current"], foreign["current"], "somebody else's stays");
    let found = archives.get(&format!("{repository}/find_by_id/archival_objects?ark[]=ark:/12345/s-4")).await;
    assert_eq!(found["archival_objects"], json!([{"ref": node}]));

    let (_, log, _) = archives.run_job(work.clone()).await;
    assert!(log.contains("Repository A: ARKs for Resource records were already up-to-date"), "{log}");
    // The repository gets another shoulder: what the records had stays among the earlier ones, and comes back with it.
    let change = async |shoulder: &str| {
        let mut record = archives.get(&repository).await;
        record["ark_shoulder"] = shoulder.into();
        archives.admin.post(&repository, &record).await.expect(200);
        archives.run_job(work.clone()).await;
        archives.get(&first).await["ark_name"].clone()
    };
    let other = change("t").await;
    assert_eq!(other["previous"], json!([made]));
    assert!(
        other["current"].as_str().is_some_and(|ark| ark.starts_with("https://ark.example/ark:/12345/t-")),
        "{other}"
    );
    let back = change("s").await;
    assert_eq!((&back["current"], &back["previous"]), (&json!(made), &json!([other["current"]])));
    user(&archives.library, "guest", &[]).await;
    let guest = signed_in(&archives.library, "guest").await;
    guest.post("/repositories/2/jobs", &json!({"jsonmodel_type": "job", "job": work})).await.expect(403);
}

/// A resource and a component of it, as an import takes them.
fn import(repository: &str, id: &str, arks: [Value; 2]) -> Value {
    let mut top = resource(id);
    top["uri"] = format!("{repository}/resources/import_{id}").into();
    let mut node = component("One", top["uri"].as_str().expect("an address"), None);
    node["uri"] = format!("{repository}/archival_objects/import_{id}").into();
    let [of_top, of_node] = arks;
    for (record, kind, arks) in [(&mut top, "resource", of_top), (&mut node, "archival_object", of_node)] {
        let members = record.as_object_mut().expect("an object");
        members.insert("jsonmodel_type".to_owned(), kind.into());
        members.extend(arks.as_object().cloned().expect("an object"));
    }
    json!([top, node])
}

#[tokio::test]
async fn what_is_imported_has_an_ark() {
    let archives = with_arks().await;
    let repository = with_shoulder(&archives).await;
    let bring = async |id: &str, arks: [Value; 2]| {
        let sent = import(&repository, id, arks);
        let told = archives.admin.post(&format!("{repository}/batch_imports"), &sent).await.expect(200).json();
        told.as_array().expect("a list").last().expect("an answer").clone()
    };
    let arks = async |number: u32| {
        let uris = [format!("{repository}/resources/{number}"), format!("{repository}/archival_objects/{number}")];
        [archives.get(&uris[0]).await["ark_name"].clone(), archives.get(&uris[1]).await["ark_name"].clone()]
    };
    let own = |number: u32| {
        let current = format!("https://ark.example/ark:/12345/s-{number}");
        json!({"current": current, "current_is_external": false, "previous": []})
    };
    bring("1", [json!({}), json!({})]).await;
    assert_eq!(arks(1).await, [own(1), own(2)]);
    let found = archives.get(&format!("{repository}/find_by_id/resources?ark[]=ark:/12345/s-1")).await;
    assert_eq!(found["resources"], json!([{"ref": format!("{repository}/resources/1")}]));
    // Those that the source says come before new ones, whose numbers are left out.
    let foreign = json!({"external_ark_url": "https://n2t.net/ark:/1/7"});
    let moved = json!({"import_current_ark": "https://other.example/ark:/1/8",
        "import_previous_arks": ["ark:/1/9", "https://old.example/ark:/12345/s-90"]});
    bring("2", [foreign.clone(), moved]).await;
    let external =
        |current: &str, previous: Value| json!({"current": current, "current_is_external": true, "previous": previous});
    let previous = json!(["https://ark.example/ark:/12345/s-90"]);
    let expected =
        [external("https://n2t.net/ark:/1/7", json!([])), external("https://other.example/ark:/1/8", previous)];
    assert_eq!(arks(2).await, expected);
    // No record gets the ARK of another.
    let of_another = json!({"import_current_ark": "ark:/12345/s-2"});
    let twice = json!({"import_current_ark": "https://n2t.net/ark:/1/70"});
    for (arks, told) in [
        ([foreign, json!({})], "external_ark_url: external_ark_collision"),
        ([json!({}), of_another], "ark: ark_collision"),
        ([twice.clone(), twice], "external_ark_url: external_ark_collision"),
    ] {
        let answer = bring("3", arks).await;
        let errors = answer["errors"].to_string();
        assert!(errors.contains(told), "{answer}");
        archives.admin.get(&format!("{repository}/resources/3")).await.expect(404);
    }
    let saved = archives.add(&format!("{repository}/resources"), &resource("4")).await;
    assert_ne!(archives.get(&saved).await["ark_name"]["current"], own(2)["current"]);
}

#[tokio::test]
async fn without_a_number_no_arks_are_made() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let (done, log, _) = archives.run_job(json!({"jsonmodel_type": "generate_arks_job"})).await;
    assert_eq!(done["status"], "completed");
    assert!(log.contains("Repository A: ARKs for Resource records were already up-to-date"), "{log}");
    assert_eq!(archives.get(&papers).await.get("ark_name"), None);
}

#[tokio::test]
async fn a_job_makes_labels() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let container = json!({"indicator": "9", "type": "box", "barcode": "b1"});
    let container = archives.add(&format!("{repository}/top_containers"), &container).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let mut file = component("File 1", &papers, None);
    file["instances"] =
        json!([{"instance_type": "mixed_materials", "sub_container": {"top_container": {"ref": container}}}]);
    archives.add(&format!("{repository}/archival_objects"), &file).await;
    let work = |source: &str| json!({"jsonmodel_type": "container_labels_job", "source": source});
    let job = json!({"jsonmodel_type": "job", "job": work(&papers)});
    let job = archives.add("/repositories/2/jobs", &job).await;
    archives.library.run_jobs().await;
    let log = archives.admin.get(&format!("{job}/log")).await.expect(200).text;
    assert!(log.contains("Generating Container Labels Papers 1"), "{log}");
    let made = archives.get(&job).await;
    assert_eq!((&made["status"], &made["job"]["format"]), (&json!("completed"), &json!("tsv")));
    let files = archives.get(&format!("{job}/output_files")).await;
    let labels = archives.admin.get(&format!("{job}/output_files/{}", files[0])).await.expect(200).text;
    let direct = archives.admin.get(&format!("{repository}/resource_labels/1.tsv")).await.expect(200).text;
    assert!(labels == direct && labels.contains("\tFile 1\t"), "{labels}");
    for source in ["/repositories/2/resources/99", "/repositories/2/top_containers/1", "nonsense"] {
        let (done, log, _) = archives.run_job(work(source)).await;
        assert_eq!(done["status"], "failed", "{source}: {log}");
    }
}

#[tokio::test]
async fn records_are_searched_by_their_arks() {
    let archives = with_arks().await;
    let repository = with_shoulder(&archives).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let search = async |query: &str| archives.get(&format!("{repository}/search?page=1&{query}")).await;
    let found = async |query: &str| texts(&search(query).await["results"], "uri");
    assert_eq!(found("q=ark_name:%22ark:/12345/s-1%22").await, [papers.as_str()]);
    // Whatever address it is at, and when it has another one; what was given counts as soon as it is.
    let sent = json!({"current": "https://n2t.net/ark:/1/7", "previous": ["https://ark.example/ark:/12345/s-1"]});
    archives.admin.post(&format!("{papers}/ark_name"), &sent).await.expect(200);
    let document = search("type[]=resource&facet[]=ark_name&sort=ark_name%20asc").await;
    assert_eq!(document["results"][0]["ark_name"], json!(["ark:/1/7", "ark:/12345/s-1"]));
    assert_eq!(document["facets"]["facet_fields"]["ark_name"], json!(["ark:/1/7", 1, "ark:/12345/s-1", 1]));
    for (query, hits) in [("%22ark:/1/7%22", 1), ("%22ark:/12345/s-1%22", 1), ("ark*", 1), ("%22ark:/1/8%22", 0)] {
        assert_eq!(found(&format!("q=ark_name:{query}")).await.len(), hits, "{query}");
    }
    let query =
        json!({"query": {"jsonmodel_type": "field_query", "field": "ark_name", "value": "ark:/1/7", "literal": true}});
    let sent: String = query.to_string().bytes().map(|byte| format!("%{byte:02X}")).collect();
    assert_eq!(found(&format!("aq={sent}")).await, [papers.as_str()]);
}
