//! References to what is not there, to other repositories, to the wrong types and in circles.

use super::*;

/// References that no record may have.
fn wrong() -> Vec<Value> {
    let texts = [
        "/repositories/2/resources/4711",
        "/repositories/3/resources/2",
        "/repositories/4711/resources/1",
        "/repositories/2/resources/99999999999999999999",
        "/repositories/2/resources/-1",
        "/repositories/2/resources/1/../2",
        "/repositories/2/resources/1?x=1",
        "repositories/2/resources/1",
        "/repositories/2/archival_objects/import_1",
        "/users/1",
        "/config/enumerations/1",
        "http://127.0.0.1/repositories/2/resources/1",
        "",
        " ",
        "/",
        "\u{202e}",
    ];
    let mut all: Vec<Value> = texts.iter().map(|text| json!({"ref": text})).collect();
    all.extend([json!({"ref": 1}), json!({"ref": {"ref": "/subjects/1"}}), json!({"ref": ["/subjects/1"]}), json!(1)]);
    all
}

#[tokio::test]
async fn references_must_be_to_what_is_there_in_the_same_repository() {
    let all = collection().await;
    let there = all.archives.repository("B").await;
    let other = all.archives.add(&format!("{there}/resources"), &resource("2")).await;
    let box_there = all.archives.add(&format!("{there}/top_containers"), &json!({"indicator": "1"})).await;
    let object_there = json!({"title": "D", "digital_object_id": "d"});
    let object_there = all.archives.add(&format!("{there}/digital_objects"), &object_there).await;
    let accession_there = all.archives.add(&format!("{there}/accessions"), &json!({"id_0": "1"})).await;
    let nodes = format!("{}/archival_objects", all.repository);
    let file = || component("File", &all.resource, None);
    let event = |record: &Value| {
        json!({"event_type": "ingestion", "timestamp": "2020-01-01T10:00:00Z",
            "linked_records": [{"role": "source", "ref": record["ref"]}],
            "linked_agents": [{"ref": "/agents/corporate_entities/1", "role": "implementer"}]})
    };
    let mut tried = Vec::new();
    let elsewhere = [&other, &box_there, &object_there, &accession_there].map(|uri| json!({"ref": uri}));
    for reference in wrong().into_iter().chain(elsewhere) {
        let mut records = Vec::new();
        for (member, value) in [
            ("resource", reference.clone()),
            ("parent", reference.clone()),
            ("subjects", json!([reference])),
            ("linked_agents", json!([{"role": "creator", "ref": reference["ref"]}])),
            ("accession_links", json!([reference])),
            ("instances", json!([{"instance_type": "text", "sub_container": {"top_container": reference}}])),
            ("instances", json!([{"instance_type": "digital_object", "digital_object": reference}])),
        ] {
            let mut record = file();
            record[member] = value;
            records.push((member, nodes.clone(), record));
        }
        let mut papers = resource("9");
        papers["related_accessions"] = json!([reference]);
        records.push(("related_accessions", format!("{}/resources", all.repository), papers));
        let mut papers = resource("9");
        papers["classifications"] = json!([reference]);
        records.push(("classifications", format!("{}/resources", all.repository), papers));
        records.push(("linked_records", format!("{}/events", all.repository), event(&reference)));
        let container = json!({"indicator": "1", "container_profile": reference});
        records.push(("container_profile", format!("{}/top_containers", all.repository), container));
        let place = json!({"status": "current", "start_date": "2020-01-01", "ref": reference["ref"]});
        let container = json!({"indicator": "1", "container_locations": [place]});
        records.push(("container_locations", format!("{}/top_containers", all.repository), container));
        for (member, path, record) in records {
            let answer = all.archives.admin.post(&path, &record).await;
            // What says nothing is left out, and a resource must be there.
            let says_nothing = reference["ref"].as_str().is_some_and(str::is_empty);
            if says_nothing && answer.status == 200 {
                continue;
            }
            refused(&answer, &[400, 404], &format!("{member} {reference}"));
            tried.push(member);
        }
    }
    assert!(tried.len() > 200, "{}", tried.len());
    let walked = all.archives.get(&format!("{}/tree", all.resource)).await;
    assert_eq!(texts(&walked["children"], "title")[..2], ["Letters", "Diaries"]);
}

#[tokio::test]
async fn what_is_refused_does_not_tell_whether_it_is_there() {
    let all = collection().await;
    let there = all.archives.repository("B").await;
    let other = all.archives.add(&format!("{there}/resources"), &resource("2")).await;
    let missing = format!("{there}/resources/4711");
    let mut answers = Vec::new();
    for uri in [&other, &missing] {
        let mut record = component("File", &all.resource, None);
        record["resource"] = json!({"ref": uri});
        let answer =
            all.archives.admin.post(&format!("{}/archival_objects", all.repository), &record).await.expect(400);
        answers.push(answer.text.replace(uri.as_str(), "it"));
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
async fn trees_have_no_circles() {
    let all = collection().await;
    let (top, leaf) = (&all.series[0], &all.files[0]);
    let nodes = format!("{}/archival_objects", all.repository);
    let deeper = all.archives.add(&nodes, &component("deeper", &all.resource, Some(leaf))).await;
    let number = |uri: &str| uri.rsplit('/').next().unwrap_or_default().to_owned();
    for (what, path) in [
        ("into its child", format!("{top}/parent?parent={}&position=0", number(leaf))),
        ("into its grandchild", format!("{top}/parent?parent={}&position=0", number(&deeper))),
        ("into itself", format!("{top}/parent?parent={}&position=0", number(top))),
        ("its ancestor below it", format!("{deeper}/accept_children?children[]={top}&position=0")),
        ("itself below it", format!("{leaf}/accept_children?children[]={leaf}&position=0")),
        (
            "a file and its ancestor",
            format!("{deeper}/accept_children?children[]={}&children[]={top}&position=0", all.files[1]),
        ),
    ] {
        let answer = all.archives.admin.send(Method::POST, &path, None).await;
        refused(&answer, &[400, 409], what);
    }
    // A record that is sent back does not move within its tree.
    for parent in [top, leaf, &deeper] {
        let mut record = all.archives.get(top).await;
        record["parent"] = json!({"ref": parent});
        answered(&all.archives.admin.post(top, &record).await, parent);
    }
    // A parent that belongs to another resource.
    let other = all.archives.add(&format!("{}/resources", all.repository), &resource("2")).await;
    refused(
        &all.archives.admin.post(&nodes, &component("File", &other, Some(top))).await,
        &[400, 409],
        "a parent of another resource",
    );
    let path = format!("{other}/accept_children?children[]={}&position=0", all.resource);
    refused(&all.archives.admin.send(Method::POST, &path, None).await, &[400, 404, 409], "a resource as child");
    // The nodes that were refused together with the ancestor are where they were.
    let walked = all.archives.get(&format!("{}/tree", all.resource)).await;
    assert_eq!(texts(&walked["children"], "title"), ["Letters", "Diaries"]);
    assert_eq!(texts(&walked["children"][0]["children"], "title"), ["a", "b", "c"]);
    assert_eq!(texts(&walked["children"][0]["children"][0]["children"], "title"), ["deeper"]);
}

#[tokio::test]
async fn merges_and_moves_of_the_wrong_records_are_refused() {
    let all = collection().await;
    let there = all.archives.repository("B").await;
    let other = all.archives.add(&format!("{there}/resources"), &resource("2")).await;
    let subject = json!({"source": "local", "vocabulary": "/vocabularies/1",
        "terms": [{"term": "Rings", "term_type": "topical", "vocabulary": "/vocabularies/1"}]});
    let subject = all.archives.add("/subjects", &subject).await;
    let request = |to: &str, from: &[&str]| {
        let from: Vec<Value> = from.iter().map(|uri| json!({"ref": uri})).collect();
        json!({"merge_destination": {"ref": to}, "merge_candidates": from})
    };
    for (path, body) in [
        ("/merge_requests/resource?repo_id=2", request(&all.resource, &[&other])),
        ("/merge_requests/resource?repo_id=2", request(&other, &[&all.resource])),
        ("/merge_requests/resource?repo_id=3", request(&all.resource, &[&other])),
        ("/merge_requests/resource?repo_id=2", request(&all.resource, &[&all.files[0]])),
        ("/merge_requests/resource?repo_id=2", request(&all.resource, &["/repositories/2/resources/4711"])),
        ("/merge_requests/resource?repo_id=4711", request(&all.resource, &[&other])),
        ("/merge_requests/resource", request(&all.resource, &[&other])),
        ("/merge_requests/resource?repo_id=2", request(&all.resource, &[])),
        ("/merge_requests/subject", request(&subject, &["/agents/corporate_entities/1"])),
        ("/merge_requests/subject", request(&subject, &["/subjects/4711"])),
        ("/merge_requests/agent", request("/agents/corporate_entities/1", &[&subject])),
        ("/merge_requests/top_container?repo_id=2", request(&all.resource, &[&other])),
    ] {
        let answer = all.archives.admin.post(path, &body).await;
        refused(&answer, &[400, 403, 404], &format!("{path} {body}"));
    }
    // Into itself: nothing happens.
    for (path, uri) in [("/merge_requests/resource?repo_id=2", &all.resource), ("/merge_requests/subject", &subject)] {
        answered(&all.archives.admin.post(path, &request(uri, &[uri])).await, path);
    }
    for path in [
        format!("{}/transfer?target_repo=/repositories/1", all.resource),
        format!("{}/transfer?target_repo=/repositories/4711", all.resource),
        format!("{}/transfer?target_repo={}", all.resource, all.resource),
        format!("{}/component_transfers?target_resource={other}&component={}", all.repository, all.files[0]),
        format!("{there}/component_transfers?target_resource={other}&component={}", all.files[0]),
        format!("{}/component_transfers?target_resource={}&component={}", all.repository, all.resource, all.resource),
        format!("{}/component_transfers?target_resource={}&component={subject}", all.repository, all.resource),
        "/batch_delete?record_uris[]=/repositories/2&record_uris[]=/users/1".to_owned(),
        format!("/batch_delete?record_uris[]={}&record_uris[]=/subjects/4711", all.files[0]),
    ] {
        let answer = all.archives.admin.send(Method::POST, &path, None).await;
        refused(&answer, &[400, 403, 404, 409], &path);
    }
    for uri in all.files.iter().chain([&all.resource, &other, &subject]) {
        all.archives.get(uri).await;
    }
}

#[tokio::test]
async fn of_many_with_the_same_version_one_saves() {
    let all = collection().await;
    for uri in [&all.files[0], &all.resource] {
        let record = all.archives.get(uri).await;
        let saves = (0..24).map(|number| {
            let (client, uri, mut record) = (all.archives.admin.clone(), uri.clone(), record.clone());
            record["title"] = format!("By client {number}").into();
            tokio::spawn(async move { client.post(&uri, &record).await })
        });
        let mut saved = 0;
        for save in saves.collect::<Vec<_>>() {
            let answer = save.await.expect("an answer");
            match answer.status {
                200 => saved += 1,
                _ => {
                    let text = "The record you tried to update has been modified since you fetched it.";
                    assert_eq!(refused(&answer, &[409], uri), text);
                }
            }
        }
        assert_eq!(saved, 1, "{uri}");
        assert_eq!(all.archives.get(uri).await["lock_version"], 1);
        for version in [json!(0), json!(2), json!(-1), json!(99)] {
            let mut record = all.archives.get(uri).await;
            record["lock_version"] = version.clone();
            refused(&all.archives.admin.post(uri, &record).await, &[400, 409], &format!("version {version}"));
        }
        let mut record = all.archives.get(uri).await;
        record.as_object_mut().expect("a record").remove("lock_version");
        refused(&all.archives.admin.post(uri, &record).await, &[400, 409], "no version");
    }
}
