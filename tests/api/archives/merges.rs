//! Merging records (contract 3.2, 3.3).

use super::*;

fn request(destination: &str, candidates: &[&str]) -> Value {
    let candidates: Vec<Value> = candidates.iter().map(|uri| json!({"ref": uri})).collect();
    json!({"merge_destination": {"ref": destination}, "merge_candidates": candidates})
}

async fn person(archives: &Archives, name: &str) -> String {
    let sent = json!({"names": [{"primary_name": name, "name_order": "direct", "source": "local", "sort_name": name}]});
    archives.add("/agents/people", &sent).await
}

async fn subject(archives: &Archives, term: &str) -> String {
    let terms = json!([{"term": term, "term_type": "topical", "vocabulary": "/vocabularies/1"}]);
    archives.add("/subjects", &json!({"source": "local", "vocabulary": "/vocabularies/1", "terms": terms})).await
}

fn refs(list: &Value) -> Vec<String> {
    texts(list, "ref")
}

#[tokio::test]
async fn what_referred_to_a_merged_subject_refers_to_the_other() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let (one, two, three) =
        (subject(&archives, "A").await, subject(&archives, "B").await, subject(&archives, "C").await);
    let with = |id: &str, subjects: &[&String]| {
        let mut record = resource(id);
        record["subjects"] = subjects.iter().map(|uri| json!({"ref": uri})).collect();
        record
    };
    let path = format!("{repository}/resources");
    let first = archives.add(&path, &with("1", &[&two])).await;
    let both = archives.add(&path, &with("2", &[&two, &one, &three])).await;
    let other = archives.add(&path, &with("3", &[&one])).await;
    let answer = archives.admin.post("/merge_requests/subject", &request(&one, &[&two, &three])).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    assert_eq!(
        answer.json(),
        json!({"status": "Merged", "id": 1, "selections": [], "merge_destination_uri": one, "deleted_uris": [two, three]})
    );
    for uri in [&first, &both, &other] {
        assert_eq!(refs(&archives.get(uri).await["subjects"]), [one.as_str()], "{uri}");
    }
    archives.admin.get(&two).await.expect(404);
    archives.admin.delete(&one).await.expect(200);
    assert_eq!(archives.get(&first).await["subjects"], json!([]));
    let gone = archives.admin.post("/merge_requests/subject", &request(&one, &[&three])).await.expect(404).json();
    assert_eq!(gone, json!({"error": "Subject not found"}));
    let wrong = archives.admin.post("/merge_requests/subject", &request(&first, &[&other])).await.expect(400).json();
    assert_eq!(wrong["error"], json!({"merge_request": ["This merge request can only merge subject records"]}));
    // A record merged with itself stays.
    let alone = subject(&archives, "D").await;
    archives.admin.post("/merge_requests/subject", &request(&alone, &[&alone])).await.expect(200);
    archives.get(&alone).await;
}

#[tokio::test]
async fn merged_agents_keep_what_they_did() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let (one, two, parent) = (person(&archives, "A").await, person(&archives, "B").await, person(&archives, "C").await);
    let mut child = archives.get(&two).await;
    child["related_agents"] = json!([{"jsonmodel_type": "agent_relationship_parentchild", "relator": "is_child_of",
        "ref": parent}]);
    archives.admin.post(&two, &child).await.expect(200);
    let link = |uri: &str, role: &str| json!({"ref": uri, "role": role});
    let mut record = resource("1");
    record["linked_agents"] = json!([link(&one, "creator"), link(&two, "creator"), link(&two, "source")]);
    let papers = archives.add(&format!("{repository}/resources"), &record).await;
    let company = json!({"names": [{"primary_name": "D", "source": "local", "sort_name": "D"}]});
    let company = archives.add("/agents/corporate_entities", &company).await;
    archives.admin.post("/merge_requests/agent", &request(&one, &[&two, &company])).await.expect(200);
    let linked = archives.get(&papers).await["linked_agents"].clone();
    assert_eq!(texts(&linked, "role"), ["creator", "source"]);
    assert_eq!(refs(&linked), [one.as_str(), one.as_str()]);
    // Relations of agents show on both.
    assert_eq!(refs(&archives.get(&parent).await["related_agents"]), [one.as_str()]);
    let related = archives.get(&one).await["related_agents"].clone();
    assert_eq!((texts(&related, "relator"), refs(&related)), (vec!["is_child_of".to_owned()], vec![parent.clone()]));
    assert_eq!(archives.get(&one).await["linked_agent_roles"], json!(["creator", "source"]));
    archives.admin.get(&company).await.expect(404);
    let wrong = archives.admin.post("/merge_requests/agent", &request(&one, &["/subjects/1"])).await.expect(400).json();
    assert_eq!(wrong["error"]["merge_request"], json!(["Agent merge request can only merge agent records"]));
}

#[tokio::test]
async fn agents_of_users_and_repositories_are_not_merged_into_others() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let other = person(&archives, "A").await;
    let user = json!({"username": "mara", "name": "Mara"});
    let user = archives.admin.post("/users?password=secret", &user).await.expect(200).json();
    let user = archives.get(user["uri"].as_str().expect("an address")).await;
    let of_user = user["agent_record"]["ref"].clone();
    let of_repository = archives.get(&repository).await["agent_representation"]["ref"].clone();
    for (agent, error) in
        [(of_user, "linked_to_user"), (of_repository, "This agent is linked to a repository and can't be removed")]
    {
        let agent = agent.as_str().expect("an address");
        let sent = request(&other, &[agent]);
        let refused = archives.admin.post("/merge_requests/agent", &sent).await.expect(409).json();
        assert_eq!(refused, json!({"error": error}));
        if agent.starts_with("/agents/people") {
            let detail = json!({"dry_run": false, "merge_request_detail": sent});
            archives.admin.post("/merge_requests/agent_detail", &detail).await.expect(409);
        }
        archives.get(agent).await;
        // Others are merged into them.
        let candidate = person(&archives, error).await;
        archives.admin.post("/merge_requests/agent", &request(agent, &[&candidate])).await.expect(200);
    }
}

#[tokio::test]
async fn a_detailed_merge_takes_parts_of_the_other_agent() {
    let archives = archives().await;
    let (one, two) = (person(&archives, "A").await, person(&archives, "B").await);
    let detail = |dry_run: bool| {
        let mut detail = request(&one, &[&two]);
        detail["selections"] = json!({"names": [{"primary_name": "REPLACE", "position": "0"}]});
        json!({"dry_run": dry_run, "merge_request_detail": detail})
    };
    let shown = archives.admin.post("/merge_requests/agent_detail", &detail(true)).await.expect(200).json();
    assert_eq!(shown["result"]["names"][0]["primary_name"], "B");
    assert_eq!(shown["selections"], json!({"names.0.primary_name.0": "REPLACE"}));
    assert_eq!(archives.get(&one).await["names"][0]["primary_name"], "A");
    archives.get(&two).await;
    let merged = archives.admin.post("/merge_requests/agent_detail", &detail(false)).await.expect(200).json();
    assert_eq!((&merged["status"], &merged["deleted_uris"]), (&json!("Merged"), &json!([two])));
    let after = archives.get(&one).await;
    assert_eq!(after["names"][0]["primary_name"], "B");
    assert_eq!(merged["result"]["lock_version"], after["lock_version"]);
    archives.admin.get(&two).await.expect(404);
}

#[tokio::test]
async fn merged_trees_become_one() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let path = format!("{repository}/resources");
    let nodes = format!("{repository}/archival_objects");
    let (one, two) = (archives.add(&path, &resource("1")).await, archives.add(&path, &resource("2")).await);
    archives.add(&nodes, &component("a", &one, None)).await;
    let series = archives.add(&nodes, &component("b", &two, None)).await;
    let file = archives.add(&nodes, &component("c", &two, Some(&series))).await;
    archives.add(&nodes, &component("d", &two, None)).await;
    let accession = json!({"id_0": "1", "related_resources": [{"ref": two}]});
    let accession = archives.add(&format!("{repository}/accessions"), &accession).await;
    let merge = format!("/merge_requests/resource?repo_id={}", repository.rsplit('/').next().expect("a number"));
    let answer = archives.admin.post(&merge, &request(&one, &[&two])).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    assert_eq!(texts(&archives.get(&format!("{one}/tree/waypoint?offset=0")).await, "title"), ["a", "b", "d"]);
    let moved = archives.get(&file).await;
    assert_eq!((&moved["resource"]["ref"], &moved["parent"]["ref"]), (&json!(one), &json!(series)));
    assert_eq!(refs(&archives.get(&accession).await["related_resources"]), [one.as_str()]);
    let after = archives.get(&format!("{one}?resolve[]=linked_events")).await;
    assert_eq!(refs(&after["related_accessions"]), [accession.as_str()]);
    let event = &after["linked_events"][0]["_resolved"];
    assert_eq!(
        (&event["event_type"], &event["outcome_note"]),
        (&json!("component_transfer"), &json!("2 -- Papers 2\n"))
    );
    assert_eq!(event["linked_records"], json!([{"ref": one, "role": "outcome"}]));
    assert_eq!(event["linked_agents"].as_array().map(Vec::len), Some(1));
    // The same identifiers in both trees cannot be.
    let three = archives.add(&path, &resource("3")).await;
    let mut twin = component("e", &three, None);
    twin["ref_id"] = moved["ref_id"].clone();
    archives.add(&nodes, &twin).await;
    let refused = archives.admin.post(&merge, &request(&one, &[&three])).await.expect(400).json();
    assert_eq!(refused, json!({"error": {"ref_id": ["An Archival Object Ref ID must be unique to its resource"]}}));
    archives.get(&three).await;
    let elsewhere = archives.repository("B").await;
    let outside = archives.add(&format!("{elsewhere}/resources"), &resource("1")).await;
    let refused = archives.admin.post(&merge, &request(&one, &[&outside])).await.expect(400).json();
    let message = "All records to merge must be in the repository specified";
    assert_eq!(refused, json!({"error": {"merge_request": [message]}}));
    let nowhere = archives.admin.post("/merge_requests/resource", &request(&one, &[&three])).await.expect(400).json();
    assert_eq!(nowhere["error"]["repo_id"], json!(["Parameter required but no value provided"]));
}

#[tokio::test]
async fn merged_containers_keep_what_is_in_them() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let number = repository.rsplit('/').next().expect("a number");
    let profile = json!({"name": "Flat", "dimension_units": "inches", "extent_dimension": "width", "height": "1",
        "width": "2", "depth": "3"});
    let profile = archives.add("/container_profiles", &profile).await;
    let path = format!("{repository}/top_containers");
    let one = archives.add(&path, &json!({"indicator": "1"})).await;
    let two = archives.add(&path, &json!({"indicator": "2", "container_profile": {"ref": profile}})).await;
    let held = |uri: &str, folder: Option<&str>| {
        let mut part = json!({"top_container": {"ref": uri}});
        if let Some(folder) = folder {
            part["type_2"] = "folder".into();
            part["indicator_2"] = folder.into();
        }
        json!({"instance_type": "text", "sub_container": part})
    };
    let with = |id: &str, instances: Value| {
        let mut record = resource(id);
        record["instances"] = instances;
        record
    };
    let resources = format!("{repository}/resources");
    let twice = archives.add(&resources, &with("1", json!([held(&two, None), held(&one, None)]))).await;
    let folders = json!([held(&one, None), held(&two, Some("1")), held(&two, None)]);
    let folders = archives.add(&resources, &with("2", folders)).await;
    let only = archives.add(&resources, &with("3", json!([held(&two, Some("1"))]))).await;
    let merge = format!("/merge_requests/top_container?repo_id={number}");
    archives.admin.post(&merge, &request(&one, &[&two])).await.expect(200);
    for (uri, count) in [(&twice, 1), (&folders, 2), (&only, 1)] {
        let instances = archives.get(uri).await["instances"].clone();
        assert_eq!(instances.as_array().map(Vec::len), Some(count), "{uri}");
        for instance in instances.as_array().expect("a list") {
            assert_eq!(instance["sub_container"]["top_container"]["ref"], one.as_str());
        }
    }
    let merged = archives.get(&one).await;
    assert_eq!(merged["container_profile"], json!({"ref": profile}));
    assert_eq!(merged["collection"].as_array().map(Vec::len), Some(3));
    // So are profiles, and digital objects with their components.
    let wide = json!({"name": "Wide", "dimension_units": "inches", "extent_dimension": "width", "height": "1",
        "width": "9", "depth": "3"});
    let wide = archives.add("/container_profiles", &wide).await;
    archives.admin.post("/merge_requests/container_profile", &request(&wide, &[&profile])).await.expect(200);
    assert_eq!(archives.get(&one).await["container_profile"], json!({"ref": wide}));
    let digital = |id: &str| json!({"title": id, "digital_object_id": id});
    let digital_path = format!("{repository}/digital_objects");
    let first = archives.add(&digital_path, &digital("d1")).await;
    let second = archives.add(&digital_path, &digital("d2")).await;
    let page = json!({"title": "page", "digital_object": {"ref": second}});
    let page = archives.add(&format!("{repository}/digital_object_components"), &page).await;
    let merge = format!("/merge_requests/digital_object?repo_id={number}");
    archives.admin.post(&merge, &request(&first, &[&second])).await.expect(200);
    assert_eq!(archives.get(&page).await["digital_object"]["ref"], first.as_str());
}

#[tokio::test]
async fn merging_is_for_those_who_may() {
    let archives = archives().await;
    archives.repository("A").await;
    let (one, two) = (person(&archives, "A").await, person(&archives, "B").await);
    user(&archives.library, "nobody", &[]).await;
    let nobody = signed_in(&archives.library, "nobody").await;
    for kind in [
        "subject",
        "agent",
        "agent_detail",
        "container_profile",
        "resource?repo_id=2",
        "digital_object?repo_id=2",
        "top_container?repo_id=2",
    ] {
        nobody.post(&format!("/merge_requests/{kind}"), &request(&one, &[&two])).await.expect(403);
    }
    let unknown = archives.admin.post("/merge_requests/resource?repo_id=9", &request(&one, &[&two])).await.expect(400);
    assert_eq!(unknown.json(), json!({"error": {"repo_id": ["Failed validation -- The Repository must exist"]}}));
}
