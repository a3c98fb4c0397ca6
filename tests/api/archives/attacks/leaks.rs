//! Who may see one repository sees nothing of another by any route.

use super::*;

/// A word that only the records of the other repository have.
const WORD: &str = "Zanzibar";

struct Two {
    archives: Archives,
    /// May see the first repository.
    viewer: Client,
    here: String,
    there: String,
    /// Records of the second repository, by type.
    hidden: Vec<(&'static str, String)>,
}

impl Two {
    fn hidden(&self, kind: &str) -> &str {
        let found = self.hidden.iter().find(|(of, _)| *of == kind);
        &found.unwrap_or_else(|| panic!("no {kind}")).1
    }
}

/// Makes somebody a member of a group of a repository.
async fn join(archives: &Archives, repository: &str, code: &str, name: &str) {
    let groups = archives.get(&format!("{repository}/groups?group_code={code}")).await;
    let mut group = groups[0].clone();
    group["member_usernames"] = json!([name]);
    archives.admin.post(group["uri"].as_str().expect("an address"), &group).await.expect(200);
}

async fn two() -> Two {
    let archives = archives().await;
    let (here, there) = (archives.repository("A").await, archives.repository("B").await);
    user(&archives.library, "viewer", &[]).await;
    // What makes the user one of the archives.
    drop(signed_in(&archives.library, "viewer").await);
    join(&archives, &here, "repository-viewers", "viewer").await;
    let viewer = signed_in(&archives.library, "viewer").await;
    let subject = json!({"source": "local", "vocabulary": "/vocabularies/1",
        "terms": [{"term": "Spice", "term_type": "topical", "vocabulary": "/vocabularies/1"}]});
    let subject = archives.add("/subjects", &subject).await;
    let shown = json!([{"ref": subject}]);
    let agents = json!([{"ref": "/agents/corporate_entities/1", "role": "creator"}]);
    let mut ours = resource("1");
    ours["subjects"] = shown.clone();
    archives.add(&format!("{here}/resources"), &ours).await;

    let mut hidden = Vec::new();
    let mut papers = resource("2");
    papers["title"] = format!("{WORD} papers").into();
    papers["ead_id"] = format!("{WORD}-ead").into();
    papers["subjects"] = shown.clone();
    papers["linked_agents"] = agents;
    papers["publish"] = true.into();
    papers["external_ids"] = json!([{"external_id": "ext-1", "source": WORD}]);
    papers["collection_management"] = json!({"processing_plan": WORD});
    let papers = archives.add(&format!("{there}/resources"), &papers).await;
    let location = json!({"building": "Annex", "barcode": "L1"});
    let location = archives.add("/locations", &location).await;
    let container = json!({"indicator": WORD, "barcode": "B-1", "type": "box",
        "container_locations": [{"ref": location, "status": "current", "start_date": "2020-01-01"}]});
    let container = archives.add(&format!("{there}/top_containers"), &container).await;
    let object = json!({"title": format!("{WORD} scan"), "digital_object_id": "d-1", "subjects": shown});
    let object = archives.add(&format!("{there}/digital_objects"), &object).await;
    let page = json!({"title": format!("{WORD} page"), "component_id": "p-1", "digital_object": {"ref": object}});
    let page = archives.add(&format!("{there}/digital_object_components"), &page).await;
    let mut file = component(&format!("{WORD} letters"), &papers, None);
    file["ref_id"] = "ref-1".into();
    file["component_id"] = "c-1".into();
    file["subjects"] = shown.clone();
    file["instances"] = json!([{"instance_type": "text", "sub_container": {"top_container": {"ref": container}}},
        {"instance_type": "digital_object", "digital_object": {"ref": object}}]);
    let file = archives.add(&format!("{there}/archival_objects"), &file).await;
    let accession = json!({"id_0": "1", "title": format!("{WORD} gift"), "accession_date": "2020-01-01"});
    let accession = archives.add(&format!("{there}/accessions"), &accession).await;
    let event = json!({"event_type": "ingestion", "timestamp": "2020-01-01T10:00:00Z", "outcome_note": WORD,
        "linked_records": [{"ref": papers, "role": "source"}],
        "linked_agents": [{"ref": "/agents/corporate_entities/1", "role": "implementer"}]});
    let event = archives.add(&format!("{there}/events"), &event).await;
    let class = archives.add(&format!("{there}/classifications"), &json!({"identifier": "1", "title": WORD})).await;
    let term = json!({"identifier": "2", "title": WORD, "classification": {"ref": class}});
    let term = archives.add(&format!("{there}/classification_terms"), &term).await;
    let job = json!({"job": {"jsonmodel_type": "import_job", "filenames": [format!("{WORD}.xml")], "import_type": "ead_xml"}});
    let form = format!(
        "--xx\r\nContent-Disposition: form-data; name=\"job\"\r\n\r\n{job}\r\n--xx\r\nContent-Disposition: form-data; \
         name=\"files[0]\"; filename=\"f.xml\"\r\n\r\n<{WORD}/>\r\n--xx--\r\n"
    );
    let sender = archives.admin.with_header("content-type", "multipart/form-data; boundary=xx");
    let job = sender.send(Method::POST, &format!("{there}/jobs_with_files"), Some(form.into_bytes())).await;
    let job = uri(&job.expect(200));
    archives.library.run_jobs().await;
    for (kind, uri) in [
        ("resources", papers),
        ("archival_objects", file),
        ("top_containers", container),
        ("digital_objects", object),
        ("digital_object_components", page),
        ("accessions", accession),
        ("events", event),
        ("classifications", class),
        ("classification_terms", term),
        ("jobs", job),
    ] {
        hidden.push((kind, uri));
    }
    Two { archives, viewer, here, there, hidden }
}

/// Paths below a record, by its type, and with parameters.
fn below(kind: &str) -> Vec<&'static str> {
    let tree = ["/tree/root", "/tree/waypoint?offset=0", "/tree/node_from_root?node_ids[]=1", "/tree"];
    let mut all = vec!["", "?resolve[]=subjects&resolve[]=linked_agents"];
    match kind {
        "resources" => all.extend(["/ordered_records", "/top_containers", "/models_in_graph"].iter().chain(&tree)),
        "archival_objects" => all.extend(["/children", "/previous", "/models_in_graph"]),
        "digital_objects" | "classifications" => all.extend(tree),
        "digital_object_components" => all.extend(["/children", "/previous"]),
        "classification_terms" => all.push("/children"),
        "accessions" => all.push("/top_containers"),
        "jobs" => all.extend(["/log", "/log?offset=0", "/output_files", "/output_files/1", "/records?page=1"]),
        _ => {}
    }
    all
}

#[tokio::test]
async fn records_of_another_repository_are_not_served() {
    let two = two().await;
    for (kind, uri) in &two.hidden {
        // There they are.
        assert!(two.archives.get(uri).await.to_string().contains(WORD) || *kind == "events", "{kind}");
        let through_ours = uri.replace(&two.there, &two.here);
        for path in below(kind) {
            let answer = two.viewer.get(&format!("{uri}{path}")).await;
            refused(&answer, &[403], &format!("{uri}{path}"));
            let answer = two.viewer.get(&format!("{through_ours}{path}")).await;
            assert!(!answer.text.contains(WORD), "{through_ours}{path}: {}", answer.text);
            // Ids are shared by all repositories: only the first record of each type can be one of ours.
            if answer.status == 200 {
                assert!(*kind == "resources" || answer.text.len() < 200, "{through_ours}{path}: {}", answer.text);
            }
        }
        for list in [format!("{}/{kind}", two.there), format!("{}/{kind}", two.here)] {
            let id = uri.rsplit('/').next().unwrap_or_default();
            for form in ["page=1&page_size=250".to_owned(), "all_ids=true".to_owned(), format!("id_set={id}")] {
                let answer = two.viewer.get(&format!("{list}?{form}")).await;
                assert!(!answer.text.contains(WORD), "{list}?{form}: {}", answer.text);
                assert_eq!(answer.status == 200, list.starts_with(&two.here), "{list}?{form}: {}", answer.status);
                if form == "all_ids=true" && answer.status == 200 && *kind != "resources" {
                    assert_eq!(answer.text, "[]", "{list}");
                }
            }
        }
    }
}

#[tokio::test]
async fn lookups_exports_and_calculators_keep_to_the_repository() {
    let two = two().await;
    let (here, there) = (&two.here, &two.there);
    let papers = two.hidden("resources");
    let number = papers.rsplit('/').next().unwrap_or_default();
    let found = |path: &str| format!("{here}/find_by_id/{path}");
    let identifier = encoded("[\"2\"]");
    for path in [
        found(&format!("resources?identifier[]={identifier}&resolve[]=resources")),
        found("archival_objects?ref_id[]=ref-1&resolve[]=archival_objects"),
        found("archival_objects?component_id[]=c-1"),
        found("digital_objects?digital_object_id[]=d-1"),
        found("digital_object_components?component_id[]=p-1"),
        found("top_containers?barcode[]=B-1"),
        found(&format!("top_containers?indicator[]={WORD}")),
    ] {
        let answer = two.viewer.get(&path).await.expect(200);
        assert!(!answer.text.contains("ref\""), "{path}: {}", answer.text);
        let answer = two.viewer.get(&path.replace(here, there)).await;
        refused(&answer, &[403], &path);
    }
    for path in [
        format!("{there}/resource_descriptions/{number}.xml"),
        format!("{there}/resource_descriptions/{number}.xml?ead3=true&include_unpublished=true"),
        format!("{there}/resource_descriptions/{number}.xml/metadata"),
        format!("{here}/resource_descriptions/{number}.xml"),
        format!("{here}/resource_descriptions/{number}.xml/metadata"),
        format!("/extent_calculator?record_uri={papers}"),
        format!("/date_calculator?record_uri={papers}"),
        "/by-external-id?eid=ext-1".to_owned(),
        "/delete-feed?page=1".to_owned(),
        format!("/search/records?uri[]={papers}"),
        format!("/search?page=1&q={WORD}"),
        "/search/record_types_by_repository?record_types[]=resource".to_owned(),
        format!("{there}/search?page=1&q={WORD}"),
        format!("{there}/top_containers/search?q={WORD}"),
        format!("{there}/groups"),
        format!("{there}/preferences"),
        format!("{there}/jobs/active"),
        format!("{there}/jobs/archived?page=1"),
        format!("{there}/collection_management/1"),
        format!("{there}/assessment_attribute_definitions"),
    ] {
        let answer = two.viewer.get(&path).await;
        refused(&answer, &[403, 404], &path);
    }
    for path in ["/collection_management/1", "/jobs/active", "/jobs/archived?page=1", "/top_containers/search"] {
        let answer = two.viewer.get(&format!("{here}{path}")).await;
        assert!(!answer.text.contains(WORD), "{path}: {}", answer.text);
    }
    // Nodes of the other repository, named in a tree of ours.
    let file = two.hidden("archival_objects");
    for path in [
        format!("{here}/resources/1/tree/waypoint?offset=0&parent_node={file}"),
        format!("{here}/resources/1/tree/node?node_uri={file}"),
        format!("{here}/resources/1/tree/node?node_uri={}", file.replace(there, here)),
        format!("{here}/resources/1/tree/node_from_root?node_ids[]={}", file.rsplit('/').next().unwrap_or_default()),
        format!("{here}/resources/1/tree?limit_to={file}"),
    ] {
        let answer = two.viewer.get(&path).await;
        assert!(!answer.text.contains(WORD), "{path}: {}", answer.text);
    }
}

#[tokio::test]
async fn searches_keep_to_the_repository() {
    let two = two().await;
    let stranger = anonymous(&two.archives.library);
    let seen = two.archives.get(&format!("/search?page=1&q={WORD}")).await;
    assert!(seen["total_hits"].as_u64().is_some_and(|hits| hits >= 8), "{seen}");
    let path = format!("{}/search?page=1", two.here);
    let aq = |field: &str, value: &str| {
        let query = json!({"jsonmodel_type": "field_query", "field": field, "value": value, "literal": true});
        encoded(&json!({"jsonmodel_type": "advanced_query", "query": query}).to_string())
    };
    for query in [
        format!("q={WORD}"),
        format!("q=*:*%20OR%20{WORD}"),
        format!("q=repository:%22{}%22", two.there),
        format!("q=-repository:%22{}%22", two.here),
        format!("q={WORD}&filter_query[]=repository:%22{}%22", two.there),
        format!("filter={}", aq("repository", &two.there)),
        format!("aq={}", aq("uri", two.hidden("resources"))),
        format!("root_record={}", two.hidden("resources")),
        format!("q={WORD}&type[]=pui&type[]=resource"),
        "type[]=top_container&facet[]=title&facet[]=collection_display_string_u_sstr".to_owned(),
        "facet[]=ead_id&facet[]=finding_aid_title&facet_mincount=0".to_owned(),
        "q=barcode_u_sstr:B-1".to_owned(),
        // Documents beside those that are found.
        "q=*&resolve[]=subjects:subjects".to_owned(),
        "q=*&resolve[]=subject_uris:subject_uris".to_owned(),
        "q=*&resolve[]=types:types&resolve[]=level:level".to_owned(),
        "q=*&resolve[]=uri:agent_uris&resolve[]=uri:subject_uris".to_owned(),
        "q=*&dt=csv&fields[]=title&fields[]=ead_id".to_owned(),
    ] {
        let answer = two.viewer.get(&format!("{path}&{query}")).await;
        assert!(answer.status == 200 || answer.status == 400, "{query}: {} {}", answer.status, answer.text);
        assert!(!answer.text.contains(WORD), "{query}: {}", answer.text);
    }
    // Two resources are collections, one of them is ours.
    let answer = two.viewer.get(&format!("{path}&q=primary_type:resource&resolve[]=level:level")).await;
    let beside = answer.expect(200).json()["results"][0]["_resolved_level"].to_string();
    assert!(beside.contains("Papers 1") && !beside.contains(WORD), "{beside}");
    // Anybody may look for repositories and subjects, and sees nothing that they belong to.
    for client in [&stranger, &two.viewer] {
        for route in ["/search/repositories", "/search/subjects", "/search/location_profile"] {
            for query in [
                format!("q={WORD}"),
                "q=*&resolve[]=uri:subject_uris&resolve[]=title:subjects".to_owned(),
                "q=*&resolve[]=uri:repository&resolve[]=repository:repository".to_owned(),
                "type[]=resource&q=*&facet[]=title".to_owned(),
                format!("filter={}", aq("primary_type", "resource")),
            ] {
                let answer = client.get(&format!("{route}?page=1&{query}")).await;
                assert!(answer.status == 200 || answer.status == 400, "{route} {query}: {}", answer.text);
                assert!(!answer.text.contains(WORD), "{route} {query}: {}", answer.text);
                assert!(!answer.text.contains("\"resource\""), "{route} {query}: {}", answer.text);
            }
        }
    }
}

#[tokio::test]
async fn who_may_only_look_changes_nothing() {
    let two = two().await;
    let (here, there) = (&two.here, &two.there);
    let papers = two.hidden("resources");
    let file = two.hidden("archival_objects");
    for (kind, uri) in &two.hidden {
        for path in [uri.clone(), uri.replace(there, here)] {
            let answer = two.viewer.delete(&path).await;
            refused(&answer, &[403], &path);
        }
        let record = two.archives.get(uri).await;
        if *kind != "jobs" {
            refused(&two.viewer.post(uri, &record).await, &[403], uri);
        }
        refused(&two.viewer.post(&format!("{here}/{kind}"), &record).await, &[403], kind);
    }
    for path in [
        format!("{papers}/publish"),
        format!("{papers}/unpublish"),
        format!("{papers}/suppressed?suppressed=true"),
        format!("{papers}/transfer?target_repo={here}"),
        format!("{there}/transfer?target_repo={here}"),
        format!("{here}/transfer?target_repo={there}"),
        format!("{papers}/accept_children?children[]={file}&position=0"),
        format!("{file}/parent?position=0"),
        format!("{here}/component_transfers?target_resource={here}/resources/1&component={file}"),
        format!("/batch_delete?record_uris[]={papers}"),
        format!("{there}/top_containers/batch/ils_holding_id?ids[]=1&ils_holding_id=x"),
        format!("{}/cancel", two.hidden("jobs")),
    ] {
        let answer = two.viewer.send(Method::POST, &path, None).await;
        refused(&answer, &[403], &path);
    }
    let merge =
        json!({"merge_destination": {"ref": papers}, "merge_candidates": [{"ref": format!("{here}/resources/1")}]});
    for path in ["/merge_requests/resource?repo_id=2", "/merge_requests/resource?repo_id=3"] {
        refused(&two.viewer.post(path, &merge).await, &[403], path);
    }
    for (_, uri) in &two.hidden {
        two.archives.get(uri).await;
    }
}

#[tokio::test]
async fn who_manages_one_repository_reaches_into_no_other() {
    let two = two().await;
    let (here, there) = (&two.here, &two.there);
    join(&two.archives, here, "repository-managers", "viewer").await;
    let manager = signed_in(&two.archives.library, "viewer").await;
    let ours = format!("{here}/resources/1");
    let (papers, file) = (two.hidden("resources"), two.hidden("archival_objects"));
    for path in [
        // Into and out of the other repository.
        format!("{ours}/transfer?target_repo={there}"),
        format!("{papers}/transfer?target_repo={here}"),
        format!("{}/transfer?target_repo={here}", papers.replace(there, here)),
        format!("{here}/component_transfers?target_resource={ours}&component={file}"),
        format!("{ours}/accept_children?children[]={file}&position=0"),
        format!("/batch_delete?record_uris[]={papers}&record_uris[]={ours}"),
        format!("{}/publish", papers.replace(there, here)),
        format!("{}/parent?position=0", file.replace(there, here)),
        format!("{}/suppressed?suppressed=true", papers.replace(there, here)),
        format!("{}/cancel", two.hidden("jobs").replace(there, here)),
        format!("{there}/groups"),
    ] {
        let answer = manager.send(Method::POST, &path, None).await;
        refused(&answer, &[400, 403, 404], &path);
        assert!(!answer.text.contains(WORD), "{path}: {}", answer.text);
    }
    for (kind, uri) in &two.hidden {
        let theirs = uri.replace(there, here);
        if theirs == ours {
            continue;
        }
        refused(&manager.delete(&theirs).await, &[403, 404], &theirs);
        let record = two.archives.get(uri).await;
        if *kind != "jobs" {
            refused(&manager.post(&theirs, &record).await, &[400, 403, 404, 409], &theirs);
        }
    }
    for (path, body) in [
        (format!("{here}/top_containers/bulk/barcodes"), json!({two.hidden("top_containers"): "new"})),
        (
            "/merge_requests/top_container?repo_id=2".to_owned(),
            json!({"merge_destination": {"ref": two.hidden("top_containers")},
                "merge_candidates": [{"ref": two.hidden("top_containers")}]}),
        ),
        (
            "/merge_requests/resource?repo_id=2".to_owned(),
            json!({"merge_destination": {"ref": ours}, "merge_candidates": [{"ref": papers}]}),
        ),
    ] {
        let answer = manager.post(&path, &body).await;
        refused(&answer, &[400, 403, 404], &path);
    }
    let id = two.hidden("top_containers").rsplit('/').next().unwrap_or_default();
    let path = format!("{here}/top_containers/batch/ils_holding_id?ids[]={id}&ils_holding_id=mine");
    let answer = manager.send(Method::POST, &path, None).await;
    assert!(answer.status >= 400 || answer.json()["records_updated"] == 0, "{}", answer.text);
    // An import cannot take them along, either.
    let mut record = component("mine", &ours, None);
    record["uri"] = format!("{here}/archival_objects/import_1").into();
    let instance =
        json!({"instance_type": "text", "sub_container": {"top_container": {"ref": two.hidden("top_containers")}}});
    record["instances"] = json!([instance]);
    let told = manager.post(&format!("{here}/batch_imports"), &json!([record])).await.expect(200).text;
    assert!(told.contains("\"errors\""), "{told}");
    for (kind, uri) in &two.hidden {
        let record = two.archives.get(uri).await;
        assert_ne!(record["ils_holding_id"], "mine", "{kind}");
        assert_ne!(record["barcode"], "new", "{kind}");
    }
}
