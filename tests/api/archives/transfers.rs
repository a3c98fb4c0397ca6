//! Moving records to other repositories and resources, and deleting several at once (contract 3.1, 3.2).

use futures_util::future::join_all;

use super::*;

struct Two {
    archives: Archives,
    here: String,
    there: String,
}

async fn two() -> Two {
    let archives = archives().await;
    let (here, there) = (archives.repository("A").await, archives.repository("B").await);
    Two { archives, here, there }
}

impl Two {
    async fn add(&self, kind: &str, record: &Value) -> String {
        self.archives.add(&format!("{}/{kind}", self.here), record).await
    }

    /// The address that a record has in the other repository.
    fn moved(&self, uri: &str) -> String {
        uri.replace(&self.here, &self.there)
    }

    async fn transfer(&self, uri: &str) -> Answer {
        let path = format!("{uri}/transfer?target_repo={}", self.there);
        self.archives.admin.send(Method::POST, &path, None).await
    }
}

fn held(container: &str) -> Value {
    json!({"instance_type": "text", "sub_container": {"top_container": {"ref": container}}})
}

fn digital(uri: &str) -> Value {
    json!({"instance_type": "digital_object", "digital_object": {"ref": uri}})
}

async fn event(two: &Two, records: &[&str]) -> String {
    let records: Vec<Value> = records.iter().map(|uri| json!({"ref": uri, "role": "source"})).collect();
    let sent = json!({"event_type": "ingestion", "timestamp": "2020-01-01T10:00:00Z", "linked_records": records,
        "linked_agents": [{"ref": "/agents/corporate_entities/1", "role": "implementer"}]});
    two.add("events", &sent).await
}

#[tokio::test]
async fn a_resource_moves_with_all_that_is_its_own() {
    let two = two().await;
    let container = two.add("top_containers", &json!({"indicator": "1", "barcode": "b1"})).await;
    let object = two.add("digital_objects", &json!({"title": "D", "digital_object_id": "d1"})).await;
    let page = two.add("digital_object_components", &json!({"title": "p", "digital_object": {"ref": object}})).await;
    let accession = two.add("accessions", &json!({"id_0": "1"})).await;
    let mut papers = resource("MS 1");
    papers["related_accessions"] = json!([{"ref": accession}]);
    papers["collection_management"] = json!({"processing_priority": "high"});
    papers["ead_id"] = "ms1".into();
    let papers = two.add("resources", &papers).await;
    let series = two.add("archival_objects", &component("series", &papers, None)).await;
    let mut file = component("file", &papers, Some(&series));
    file["instances"] = json!([held(&container), digital(&object)]);
    let file = two.add("archival_objects", &file).await;
    let (own, shared) = (event(&two, &[&papers]).await, event(&two, &[&papers, &accession]).await);
    let person = json!({"names": [{"primary_name": "S", "name_order": "direct", "source": "local", "sort_name": "S"}]});
    let person = two.archives.add("/agents/people", &person).await;
    let assessment =
        json!({"records": [{"ref": file}], "surveyed_by": [{"ref": person}], "survey_begin": "2020-01-01"});
    let assessment = two.add("assessments", &assessment).await;

    let answer = two.transfer(&papers).await.expect(200);
    // One for the repository, one for the transfer.
    assert!(answer.round_trips() <= 2, "{}", answer.round_trips());
    assert_eq!(answer.json(), json!({"status": "Moved", "id": 1, "merge_destination": 3}));
    for uri in [&papers, &series, &file, &container, &object, &page, &own, &assessment] {
        two.archives.admin.get(uri).await.expect(404);
        let found = two.archives.get(&two.moved(uri)).await;
        assert_eq!((&found["uri"], &found["repository"]["ref"]), (&json!(two.moved(uri)), &json!(two.there)));
    }
    let after = two.archives.get(&format!("{}?resolve[]=linked_events", two.moved(&papers))).await;
    assert_eq!(after["related_accessions"], json!([]));
    let managed = after["collection_management"]["uri"].as_str().expect("an address");
    assert!(managed.starts_with(&two.there), "{managed}");
    two.archives.get(managed).await;
    // Its own event, a copy of the shared one, and one that tells of the transfer.
    let events = after["linked_events"].as_array().expect("a list");
    let kinds: Vec<_> = events.iter().map(|event| event["_resolved"]["event_type"].as_str()).collect();
    assert_eq!(kinds, [Some("ingestion"), Some("ingestion"), Some("custody_transfer")]);
    let told = &events[2]["_resolved"];
    assert_eq!(texts(&told["linked_agents"], "role"), ["transmitter", "recipient"]);
    assert_eq!(told["linked_records"], json!([{"ref": two.moved(&papers), "role": "transfer"}]));
    assert_eq!(events[1]["_resolved"]["linked_records"].as_array().map(Vec::len), Some(1));
    let left = two.archives.get(&shared).await;
    assert_eq!(texts(&left["linked_records"], "ref"), [accession.as_str()]);
    assert_eq!(two.archives.get(&accession).await["related_resources"], json!([]));
    let instances = two.archives.get(&two.moved(&file)).await["instances"].clone();
    assert_eq!(texts(&instances, "instance_type"), ["text", "digital_object"]);
    assert_eq!(instances[0]["sub_container"]["top_container"], json!({"ref": two.moved(&container)}));
    assert_eq!(instances[1]["digital_object"], json!({"ref": two.moved(&object)}));
    let tree = two.archives.get(&format!("{}/tree/waypoint?offset=0", two.moved(&papers))).await;
    assert_eq!(texts(&tree, "title"), ["series"]);
    // Identifiers are free here, and taken there.
    let again = two.add("resources", &resource("MS 1")).await;
    let refused = two.transfer(&again).await.expect(409).json();
    let problem = json!([{"json_property": "id_0", "message": "That ID is already in use"}]);
    assert_eq!(refused, json!({"error": {(again.as_str()): problem}}));
}

#[tokio::test]
async fn what_others_have_stays() {
    let two = two().await;
    let object = two.add("digital_objects", &json!({"title": "D", "digital_object_id": "d1"})).await;
    let container = two.add("top_containers", &json!({"indicator": "1"})).await;
    let with = |id: &str, instances: Value| {
        let mut record = resource(id);
        record["instances"] = instances;
        record
    };
    let one = two.add("resources", &with("1", json!([digital(&object), held(&container)]))).await;
    let other = two.add("resources", &with("2", json!([digital(&object), held(&container)]))).await;
    let refused = two.transfer(&one).await.expect(409).json();
    assert_eq!(
        refused,
        json!({"error": {(other.as_str()): [{"json_property": "instances", "message": "DIGITAL_OBJECT_IN_USE"}],
                         (container.as_str()): [{"message": "TOP_CONTAINER_IN_USE"}]}})
    );
    two.archives.get(&one).await;
    let linked = two.transfer(&object).await.expect(409).json();
    assert_eq!(linked["error"].as_object().map(serde_json::Map::len), Some(2));
    two.archives.admin.delete(&one).await.expect(200);
    two.archives.admin.delete(&other).await.expect(200);
    two.transfer(&object).await.expect(200);
    two.archives.get(&two.moved(&object)).await;
    let accession = two.add("accessions", &json!({"id_0": "1"})).await;
    two.transfer(&accession).await.expect(200);
    two.archives.get(&two.moved(&accession)).await;
    two.transfer(&format!("{}/resources/99", two.here)).await.expect(404);
    for target in ["/repositories/9", "/repositories/1", "nowhere"] {
        let path = format!("{container}/transfer?target_repo={target}").replace("top_containers", "resources");
        let refused = two.archives.admin.send(Method::POST, &path, None).await.expect(400).json();
        assert_eq!(refused, json!({"error": {"target_repo": ["Repository not found"]}}));
    }
}

#[tokio::test]
async fn a_repository_moves_whole() {
    let two = two().await;
    let class = two.add("classifications", &json!({"identifier": "A", "title": "All"})).await;
    let mut papers = resource("MS 1");
    papers["classifications"] = json!([{"ref": class}]);
    let papers = two.add("resources", &papers).await;
    let node = two.add("archival_objects", &component("a", &papers, None)).await;
    let path = format!("{}/transfer?target_repo={}", two.here, two.there);
    let answer = two.archives.admin.send(Method::POST, &path, None).await.expect(200);
    assert!(answer.round_trips() <= 2, "{}", answer.round_trips());
    assert_eq!(answer.json(), json!({"status": "OK"}));
    assert_eq!(two.archives.get(&format!("{}/resources?all_ids=true", two.here)).await, json!([]));
    let found = two.archives.get(&two.moved(&papers)).await;
    assert_eq!(found["classifications"], json!([{"ref": two.moved(&class)}]));
    assert_eq!(found["linked_events"], json!([]));
    assert_eq!(two.archives.get(&two.moved(&node)).await["resource"]["ref"], json!(two.moved(&papers)));
    // What both have cannot be in one.
    two.add("resources", &resource("MS 1")).await;
    let refused = two.archives.admin.send(Method::POST, &path, None).await.expect(409).json();
    assert_eq!(refused["error"].as_object().map(serde_json::Map::len), Some(1));
}

#[tokio::test]
async fn a_component_moves_to_another_resource() {
    let two = two().await;
    let (from, to) = (two.add("resources", &resource("1")).await, two.add("resources", &resource("2")).await);
    two.add("archival_objects", &component("there", &to, None)).await;
    let series = two.add("archival_objects", &component("series", &from, None)).await;
    let file = two.add("archival_objects", &component("file", &from, Some(&series))).await;
    let path = |resource: &str, component: &str| {
        format!("{}/component_transfers?target_resource={resource}&component={component}", two.here)
    };
    let answer = two.archives.admin.send(Method::POST, &path(&to, &series), None).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let event = format!("{}/events/1", two.here);
    assert_eq!(answer.json(), json!({"component": series, "resource": to, "event": event}));
    assert_eq!(texts(&two.archives.get(&format!("{to}/tree/waypoint?offset=0")).await, "title"), ["there", "series"]);
    assert_eq!(two.archives.get(&file).await["resource"]["ref"], json!(to));
    let told = two.archives.get(&event).await;
    assert_eq!(told["event_type"], "component_transfer");
    assert_eq!(texts(&told["linked_records"], "role"), ["source", "outcome", "transfer"]);
    assert_eq!(texts(&told["linked_records"], "ref"), [from.as_str(), to.as_str(), series.as_str()]);
    assert_eq!(two.archives.get(&series).await["linked_events"], json!([{"ref": event}]));
    let nowhere = format!("{}/resources/99", two.here);
    two.archives.admin.send(Method::POST, &path(&nowhere, &series), None).await.expect(400);
    let missing = format!("{}/archival_objects/99", two.here);
    let gone = two.archives.admin.send(Method::POST, &path(&from, &missing), None).await.expect(404).json();
    assert_eq!(gone, json!({"error": "That which does not exist cannot be moved."}));
}

#[tokio::test]
async fn several_records_are_deleted_or_none() {
    let two = two().await;
    let papers = two.add("resources", &resource("1")).await;
    let node = two.add("archival_objects", &component("a", &papers, None)).await;
    let container = two.add("top_containers", &json!({"indicator": "1"})).await;
    let delete = |uris: &[&str]| {
        let parts: Vec<String> = uris.iter().map(|uri| format!("record_uris[]={uri}")).collect();
        let (client, form) = (two.archives.admin.clone(), parts.join("&"));
        async move { client.send(Method::POST, &format!("/batch_delete?{form}"), None).await }
    };
    let missing = format!("{}/resources/99", two.here);
    let refused = delete(&[&papers, &missing]).await.expect(403).json();
    let response = json!([r#"{"error":"Resource not found"}"#]);
    assert_eq!(refused, json!({"error": {"failures": [{"response": response, "uri": missing}]}}));
    two.archives.get(&papers).await;
    let kept = delete(&["/agents/corporate_entities/1"]).await.expect(403).json();
    assert_eq!(kept["error"]["failures"][0]["uri"], "/agents/corporate_entities/1");
    let answer = delete(&[&papers, &node, &container]).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    assert_eq!(answer.json()["status"], "OK");
    assert_eq!(answer.json()["results"][2], json!({"status": "Deleted", "id": 1, "uri": container}));
    for uri in [&papers, &node, &container] {
        two.archives.admin.get(uri).await.expect(404);
    }
    user(&two.archives.library, "nobody", &[]).await;
    let nobody = signed_in(&two.archives.library, "nobody").await;
    let denied = nobody.send(Method::POST, &format!("/batch_delete?record_uris[]={papers}"), None).await.expect(403);
    assert_eq!(denied.json()["error"]["failures"][0]["response"], json!([r#"{"error":"Access denied"}"#]));
    for path in [
        "resources/1/transfer?target_repo=/repositories/3",
        "transfer?target_repo=/repositories/3",
        "component_transfers?target_resource=x&component=y",
    ] {
        nobody.send(Method::POST, &format!("{}/{path}", two.here), None).await.expect(403);
    }
}

/// How often the races are run.
const ROUNDS: usize = 4;

#[tokio::test]
async fn what_is_added_while_a_resource_moves_moves_with_it_or_is_refused() {
    let two = two().await;
    for round in 0..ROUNDS {
        let papers = two.add("resources", &resource(&format!("MS {round}"))).await;
        let series = two.add("archival_objects", &component("series", &papers, None)).await;
        let accession = two.add("accessions", &json!({"id_0": format!("A {round}")})).await;
        let nodes = format!("{}/archival_objects", two.here);
        let sent: Vec<Value> = (0..6)
            .map(|number| component(&format!("file {number}"), &papers, (number % 2 == 0).then_some(series.as_str())))
            .collect();
        let adding = join_all(sent.iter().map(|node| two.archives.admin.post(&nodes, node)));
        let mut related = two.archives.get(&accession).await;
        related["related_resources"] = json!([{"ref": papers}]);
        let relating = two.archives.admin.post(&accession, &related);
        let (added, related, moved) = futures_util::join!(adding, relating, two.transfer(&papers));
        moved.expect(200);
        assert!([200, 400].contains(&related.status), "{}", related.text);
        two.archives.admin.get(&papers).await.expect(404);
        for answer in added {
            if answer.status == 200 {
                let node = two.archives.get(&two.moved(&uri(&answer))).await;
                assert_eq!(node["resource"]["ref"], two.moved(&papers));
            } else {
                let missing = format!("Reference does not exist! (Reference: '{papers}')");
                assert_eq!((answer.status, answer.json()["error"].as_str()), (400, Some(missing.as_str())));
            }
        }
        assert_eq!(two.archives.get(&accession).await["related_resources"], json!([]));
        assert_eq!(two.archives.get(&two.moved(&papers)).await["related_accessions"], json!([]));
    }
}

#[tokio::test]
async fn components_are_added_below_one_that_moves_to_another_resource() {
    let two = two().await;
    for round in 0..ROUNDS {
        let papers = two.add("resources", &resource(&format!("MS {round}"))).await;
        let others = two.add("resources", &resource(&format!("MS {round}b"))).await;
        let series = two.add("archival_objects", &component("series", &papers, None)).await;
        let file = two.add("archival_objects", &component("file", &papers, Some(&series))).await;
        let nodes = format!("{}/archival_objects", two.here);
        let below = |parent: &str, number: usize| component(&format!("item {number}"), &papers, Some(parent));
        let sent: Vec<Value> =
            (0..6).map(|number| below(if number % 2 == 0 { &series } else { &file }, number)).collect();
        let adding = join_all(sent.iter().map(|node| two.archives.admin.post(&nodes, node)));
        let moving = async {
            if round % 2 == 0 {
                let query = format!("component={series}&target_resource={others}");
                let path = format!("{}/component_transfers?{}", two.here, query.replace('/', "%2F"));
                two.archives.admin.send(Method::POST, &path, None).await
            } else {
                let mut changed = two.archives.get(&series).await;
                changed["resource"] = json!({"ref": others});
                two.archives.admin.post(&series, &changed).await
            }
        };
        let (added, moved) = futures_util::join!(adding, moving);
        moved.expect(200);
        for answer in added {
            if answer.status == 200 {
                assert_eq!(two.archives.get(&uri(&answer)).await["resource"]["ref"], others.as_str());
            } else {
                let error = answer.json()["error"].as_str().unwrap_or_default().to_owned();
                assert!(answer.status == 400 && error.starts_with("Reference does not exist!"), "{error}");
            }
        }
    }
}
