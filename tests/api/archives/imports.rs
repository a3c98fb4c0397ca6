//! Imports (contract 2 "batch_imports", 6.4, 6.5).

use super::*;

const REPOSITORY: &str = "/repositories/2";

/// Sends records as a batch; returns the last part of the answer.
async fn import(archives: &Archives, records: &Value) -> Value {
    import_with(archives, records, "").await
}

async fn import_with(archives: &Archives, records: &Value, query: &str) -> Value {
    let path = format!("{REPOSITORY}/batch_imports{query}");
    let client = if records.is_array() { archives.admin.clone() } else { archives.admin.malformed() };
    let answer = client.post(&path, records).await.expect(200);
    assert_eq!(answer.header("content-type"), Some("text/plain"));
    let parts = answer.json();
    let parts = parts.as_array().expect("a list");
    assert_eq!(parts[0]["status"][0]["type"], "started", "{parts:?}");
    parts.last().expect("a last part").clone()
}

fn temporary(kind: &str, number: u32) -> String {
    format!("{REPOSITORY}/{kind}/import_{number:032x}")
}

/// A resource with a series, a file, a box with a barcode, an agent and a subject.
fn collection(id: &str) -> Value {
    let (top, series, file) =
        (temporary("resources", 1), temporary("archival_objects", 2), temporary("archival_objects", 3));
    let (agent, subject, container) =
        ("/agents/people/import_a1", "/subjects/import_b1", temporary("top_containers", 4));
    let mut record = resource(id);
    record["jsonmodel_type"] = "resource".into();
    record["uri"] = top.clone().into();
    record["linked_agents"] = json!([{"ref": agent, "role": "creator"}]);
    record["subjects"] = json!([{"ref": subject}]);
    // The node below comes before the one above: the server finds the order.
    json!([
        {"jsonmodel_type": "archival_object", "uri": file, "title": "File", "level": "file", "ref_id": "f1",
         "resource": {"ref": top}, "parent": {"ref": series}, "position": 0,
         "instances": [{"jsonmodel_type": "instance", "instance_type": "mixed_materials",
            "sub_container": {"jsonmodel_type": "sub_container", "top_container": {"ref": container}}}]},
        {"jsonmodel_type": "archival_object", "uri": series, "title": "Series", "level": "series", "ref_id": "s1",
         "resource": {"ref": top}, "position": 0},
        record,
        {"jsonmodel_type": "agent_person", "uri": agent, "agent_type": "agent_person",
         "names": [{"jsonmodel_type": "name_person", "primary_name": "Writer", "name_order": "inverted",
            "source": "ingest",
            "sort_name_auto_generate": true}]},
        {"jsonmodel_type": "subject", "uri": subject, "vocabulary": "/vocabularies/1", "source": "ingest",
         "terms": [{"jsonmodel_type": "term", "term": "Letters", "term_type": "topical",
            "vocabulary": "/vocabularies/1"}]},
        {"jsonmodel_type": "top_container", "uri": container, "indicator": "1", "type": "box", "barcode": "B-1"},
    ])
}

/// How many records of a type there are.
async fn count(archives: &Archives, path: &str) -> usize {
    archives.get(&format!("{path}?all_ids=true")).await.as_array().expect("a list").len()
}

#[tokio::test]
async fn records_that_refer_to_each_other_are_saved_together() {
    let archives = archives().await;
    archives.repository("A").await;
    let last = import(&archives, &collection("MS 1")).await;
    let saved = last["saved"].as_object().expect("addresses");
    assert_eq!(saved.len(), 6, "{last}");
    assert_eq!(last.get("errors"), None);
    let address = |temporary: &str| saved[temporary][0].as_str().expect("an address").to_owned();
    let file = archives.get(&address(&temporary("archival_objects", 3))).await;
    assert_eq!(
        saved[&temporary("archival_objects", 3)][1].as_i64(),
        file["uri"].as_str().and_then(|uri| { uri.rsplit('/').next()?.parse().ok() })
    );
    assert_eq!(file["parent"]["ref"], address(&temporary("archival_objects", 2)));
    assert_eq!(file["resource"]["ref"], address(&temporary("resources", 1)));
    assert_eq!(file["display_string"], "File");
    let container = &file["instances"][0]["sub_container"]["top_container"]["ref"];
    assert_eq!(container, &address(&temporary("top_containers", 4)));
    let resource = archives.get(&address(&temporary("resources", 1))).await;
    assert_eq!(resource["linked_agents"][0]["ref"], address("/agents/people/import_a1"));
    let subject = archives.get(&address("/subjects/import_b1")).await;
    assert_eq!((&subject["title"], &subject["terms"][0]["uri"]), (&json!("Letters"), &json!("/terms/1")));
    let agent = archives.get(&address("/agents/people/import_a1")).await;
    assert_eq!((&agent["title"], &agent["linked_agent_roles"]), (&json!("Writer"), &json!(["creator"])));
    let tree = archives.get(&format!("{}/tree/root", address(&temporary("resources", 1)))).await;
    assert_eq!(tree["child_count"], 1, "{tree}");
}

#[tokio::test]
async fn identical_authorities_and_containers_are_used_again() {
    let archives = archives().await;
    archives.repository("A").await;
    let first = import(&archives, &collection("MS 1")).await;
    let second = import(&archives, &collection("MS 2")).await;
    for same in ["/agents/people/import_a1", "/subjects/import_b1", &temporary("top_containers", 4)] {
        assert_eq!(first["saved"][same], second["saved"][same], "{same}");
    }
    assert_ne!(first["saved"][temporary("resources", 1)], second["saved"][temporary("resources", 1)]);
    assert_eq!(count(&archives, "/agents/people").await, 1);
    assert_eq!(count(&archives, "/subjects").await, 1);
    let terms = archives.get("/vocabularies/1/terms").await;
    assert_eq!(terms.as_array().map(Vec::len), Some(1));
    // Also within one batch.
    let agent = |number: u32| {
        json!({"jsonmodel_type": "agent_person", "uri": format!("/agents/people/import_{number}"),
            "names": [{"jsonmodel_type": "name_person", "primary_name": "Reader", "name_order": "direct",
                "source": "local",
                    "sort_name_auto_generate": true}]})
    };
    let third = import(&archives, &json!([agent(1), agent(2)])).await;
    assert_eq!(third["saved"]["/agents/people/import_1"], third["saved"]["/agents/people/import_2"]);
}

#[tokio::test]
async fn an_import_that_fails_leaves_nothing() {
    let archives = archives().await;
    archives.repository("A").await;
    import(&archives, &collection("MS 1")).await;
    let wrong = |change: &dyn Fn(&mut Value)| {
        let mut records = collection("MS 2");
        change(&mut records);
        records
    };
    let cases: [(Value, &str); 8] = [
        (collection("MS 1"), "That ID is already in use"),
        (wrong(&|records| records[2]["extents"] = json!([])), "extents: At least 1 item(s) is required"),
        (
            wrong(&|records| records[0]["parent"]["ref"] = json!("/repositories/2/archival_objects/99")),
            "does not exist",
        ),
        (wrong(&|records| records[2]["subjects"][0]["ref"] = json!("/subjects/99")), "does not exist"),
        (wrong(&|records| records[1]["ref_id"] = "f1".into()), "Ref ID must be unique"),
        (wrong(&|records| records[1]["uri"] = Value::Null), "Missing the temporary uri"),
        (wrong(&|records| records[1]["jsonmodel_type"] = "repository".into()), "cannot be imported"),
        (json!({"a": 1}), "trouble parsing"),
    ];
    for (records, reason) in cases {
        let last = import(&archives, &records).await;
        let error = last["errors"][0].as_str().unwrap_or_default();
        assert!(error.starts_with("Server error: ") && error.contains(reason), "{reason}: {last}");
        assert_eq!(last["saved"], json!([]));
        assert_eq!(count(&archives, &format!("{REPOSITORY}/resources")).await, 1);
        assert_eq!(count(&archives, &format!("{REPOSITORY}/archival_objects")).await, 2);
    }
}

#[tokio::test]
async fn references_may_be_in_circles_and_siblings_have_the_wanted_order() {
    let archives = archives().await;
    archives.repository("A").await;
    let related = |number: u32, to: u32, relator: &str| {
        json!({"jsonmodel_type": "agent_person", "uri": format!("/agents/people/import_{number}"),
            "related_agents": [{"jsonmodel_type": "agent_relationship_parentchild", "relator": relator,
                "ref": format!("/agents/people/import_{to}")}],
            "names": [{"jsonmodel_type": "name_person", "primary_name": format!("Person {number}"),
                "name_order": "direct", "source": "local",
                    "sort_name_auto_generate": true}]})
    };
    let last = import(&archives, &json!([related(1, 2, "is_parent_of"), related(2, 1, "is_child_of")])).await;
    let address = |number: u32| last["saved"][format!("/agents/people/import_{number}")][0].clone();
    let first = archives.get(address(1).as_str().expect("an address")).await;
    assert_eq!(first["related_agents"][0]["ref"], address(2));
    let mut top = resource("MS 1");
    top["jsonmodel_type"] = "resource".into();
    top["uri"] = temporary("resources", 1).into();
    let node = |number: u32, position: u32| {
        json!({"jsonmodel_type": "archival_object", "uri": temporary("archival_objects", number),
            "title": format!("Node {number}"), "level": "file", "position": position,
            "resource": {"ref": temporary("resources", 1)}})
    };
    let last = import(&archives, &json!([top, node(1, 2), node(2, 0), node(3, 1)])).await;
    let top = last["saved"][temporary("resources", 1)][0].as_str().expect("an address").to_owned();
    let waypoint = archives.get(&format!("{top}/tree/waypoint?offset=0")).await;
    assert_eq!(texts(&waypoint, "title"), ["Node 2", "Node 3", "Node 1"]);
    // New nodes come after those that are there.
    let mut more = node(4, 0);
    more["resource"]["ref"] = top.clone().into();
    import(&archives, &json!([more])).await;
    let waypoint = archives.get(&format!("{top}/tree/waypoint?offset=0")).await;
    assert_eq!(texts(&waypoint, "title"), ["Node 2", "Node 3", "Node 1", "Node 4"]);
}

#[tokio::test]
async fn unknown_values_are_added_to_their_lists() {
    let archives = archives().await;
    archives.repository("A").await;
    let mut records = collection("MS 1");
    records[2]["extents"][0]["extent_type"] = "shoe_boxes".into();
    let last = import_with(&archives, &records, "?skip_results=true&migration=true").await;
    assert_eq!(last, json!({"saved": []}));
    let list = archives.get("/config/enumerations/names/extent_extent_type").await;
    assert!(list["values"].as_array().is_some_and(|values| values.contains(&json!("shoe_boxes"))), "{list}");
}

#[tokio::test]
async fn who_may_not_import_cannot() {
    let archives = archives().await;
    archives.repository("A").await;
    let path = format!("{REPOSITORY}/batch_imports");
    user(&archives.library, "reader", &[]).await;
    signed_in(&archives.library, "reader").await.post(&path, &json!([])).await.expect(403);
    anonymous(&archives.library).post(&path, &json!([])).await.expect(403);
    archives.admin.post("/repositories/9/batch_imports", &json!([])).await.expect(400);
}

#[tokio::test]
async fn imports_side_by_side_do_not_wait_for_each_other_in_a_circle() {
    let archives = archives().await;
    archives.repository("A").await;
    // The same authorities in opposite orders.
    let agents = |order: &[u32]| -> Vec<Value> {
        let agent = |number: &u32| {
            json!({"jsonmodel_type": "agent_person", "uri": format!("/agents/people/import_{number}"),
                "names": [{"jsonmodel_type": "name_person", "primary_name": format!("Person {number}"),
                    "name_order": "direct", "source": "local",
                    "sort_name_auto_generate": true}]})
        };
        order.iter().map(agent).collect()
    };
    let forwards: Vec<u32> = (0..60).collect();
    let backwards: Vec<u32> = (0..60).rev().collect();
    let batches = [&forwards, &backwards, &forwards, &backwards].map(|order| json!(agents(order)));
    let imports = batches.iter().map(|batch| import(&archives, batch));
    for last in futures_util::future::join_all(imports).await {
        assert_eq!(last["saved"].as_object().map(serde_json::Map::len), Some(60), "{last}");
    }
    assert_eq!(count(&archives, "/agents/people").await, 60);
}

#[tokio::test]
async fn what_imported_records_are_related_to_shows_them() {
    let archives = archives().await;
    archives.repository("A").await;
    let papers = archives.add(&format!("{REPOSITORY}/resources"), &resource("MS 1")).await;
    let before = archives.get(&papers).await;
    let (gift, others) = (temporary("accessions", 1), temporary("resources", 2));
    let mut top = resource("MS 2");
    top["jsonmodel_type"] = "resource".into();
    top["uri"] = others.clone().into();
    let accession = json!({"jsonmodel_type": "accession", "uri": gift, "id_0": "1", "accession_date": "2020-01-01",
        "related_resources": [{"ref": papers}, {"ref": others}]});
    let agent = |number: u32, related: Value| {
        json!({"jsonmodel_type": "agent_person", "uri": format!("/agents/people/import_{number}"),
            "related_agents": related, "names": [{"jsonmodel_type": "name_person", "name_order": "direct",
                "primary_name": format!("Person {number}"), "source": "local", "sort_name_auto_generate": true}]})
    };
    let child = json!([{"jsonmodel_type": "agent_relationship_parentchild", "relator": "is_parent_of",
        "ref": "/agents/people/import_2"}]);
    let last = import(&archives, &json!([accession, top, agent(1, child), agent(2, json!([]))])).await;
    let address = |temporary: &str| last["saved"][temporary][0].as_str().expect("an address").to_owned();
    for of in [papers.clone(), address(&others)] {
        assert_eq!(archives.get(&of).await["related_accessions"], json!([{"ref": address(&gift)}]), "{of}");
    }
    let shown = archives.get(&address("/agents/people/import_2")).await["related_agents"].clone();
    assert_eq!(
        (texts(&shown, "relator"), texts(&shown, "ref")),
        (vec!["is_child_of".to_owned()], vec![address("/agents/people/import_1")])
    );
    // Nobody takes them away who has not seen them.
    archives.admin.post(&papers, &before).await.expect(409);
}
