//! The archives, as their clients call them.

use http::Method;
use load::library::Administrator;
use serde_json::{Value, json};
use testkit::Client;

use crate::filled::Filled;

const RESOURCE: &str = "/repositories/2/resources/10";
const NODES: &str = "/repositories/2/archival_objects";

/// Reads, writes and moves records of the filled archives.
pub async fn session(filled: &Filled) {
    let client = signed_in(filled).await;
    for path in [
        "/repositories".to_owned(),
        "/repositories/2".to_owned(),
        "/subjects?page=3&page_size=10".to_owned(),
        format!("{NODES}?page=20&page_size=10&resolve[]=subjects&resolve[]=ancestors"),
        format!("{NODES}?id_set=10,900,20"),
        format!("{NODES}?page=1&modified_since=4000000000"),
        format!("{NODES}/310?resolve[]=resource"),
        format!("{NODES}/210/children"),
        format!("{NODES}/410/previous"),
        format!("{RESOURCE}/tree/root"),
        format!("{RESOURCE}/tree/waypoint?offset=0&parent_node={NODES}/10"),
        format!("{RESOURCE}/tree/node?node_uri={NODES}/210"),
        format!("{RESOURCE}/tree/node_from_root?node_ids[]=410"),
        format!("{RESOURCE}/tree"),
        format!("{RESOURCE}/ordered_records"),
        "/repositories/2/resource_descriptions/10.xml".to_owned(),
        "/repositories/2/resources/marc21/10.xml".to_owned(),
        "/repositories/2/resource_labels/10.tsv".to_owned(),
        format!("{RESOURCE}/templates/top_container_creation.csv"),
        "/oai?verb=ListRecords&metadataPrefix=oai_dc".to_owned(),
        "/oai?verb=ListIdentifiers&metadataPrefix=oai_marc&set=collection&from=2020-01-01".to_owned(),
        "/oai?verb=ListSets".to_owned(),
        "/repositories/2/search?page=1&q=new&facet[]=subjects".to_owned(),
        "/repositories/2/top_containers?page=2&page_size=250".to_owned(),
        "/repositories/2/assessments?page=1".to_owned(),
        "/repositories/2/assessment_attribute_definitions".to_owned(),
        format!("{RESOURCE}/top_containers"),
        format!("{RESOURCE}/models_in_graph"),
        format!("/date_calculator?record_uri={RESOURCE}"),
        format!("/extent_calculator?record_uri={RESOURCE}"),
        "/space_calculator/buildings".to_owned(),
    ] {
        client.get(&path).await.expect(200);
    }
    let node = json!({"title": "new", "level": "file", "resource": {"ref": RESOURCE}});
    let added = client.post(NODES, &node).await.expect(200).json()["uri"].as_str().expect("an address").to_owned();
    let record: Value = client.get(&added).await.expect(200).json();
    client.post(&added, &record).await.expect(200);
    others(filled, &client, &added).await;
    for action in [
        format!("{added}/parent?parent=210&position=0"),
        format!("{RESOURCE}/accept_children?children[]={added}&position=1"),
        format!("{RESOURCE}/publish"),
        format!("{added}/suppressed?suppressed=true"),
        "/logout".to_owned(),
    ] {
        client.send(Method::POST, &action, None).await.expect(200);
    }
    let client = signed_in(filled).await;
    client.delete(&added).await.expect(200);
}

/// Records of further types, changes of many at once, merges and moves. All that is made is deleted, so that it can be made
/// again.
async fn others(filled: &Filled, client: &Client, node: &str) {
    let add = |path: &'static str, record: Value| async move {
        let answer = client.post(path, &record).await.expect(200).json();
        answer["uri"].as_str().expect("an address").to_owned()
    };
    let accession = json!({"id_0": "new", "related_resources": [{"ref": RESOURCE}],
        "collection_management": {"processing_plan": "none"}});
    let accession = add("/repositories/2/accessions", accession).await;
    let managed = client.get(&accession).await.expect(200).json()["collection_management"]["uri"].clone();
    client.get(managed.as_str().expect("an address")).await.expect(200);
    let agent = json!({"names": [{"software_name": "new", "source": "local", "sort_name": "new"}]});
    let agent = add("/agents/software", agent).await;
    let event = json!({"event_type": "ingestion", "timestamp": "2020-01-01T10:00:00Z",
        "linked_agents": [{"ref": agent, "role": "implementer"}],
        "linked_records": [{"ref": accession, "role": "source"}]});
    let event = add("/repositories/2/events", event).await;
    client.send(Method::POST, &format!("{accession}/suppressed?suppressed=true"), None).await.expect(200);
    const CONTAINERS: &str = "/repositories/2/top_containers";
    let one = add(CONTAINERS, json!({"indicator": "new 1", "barcode": "new 1"})).await;
    let two = add(CONTAINERS, json!({"indicator": "new 2", "barcode": "new 2"})).await;
    const CIRCULATION: &str = "/repositories/2/container_circulation";
    let place = json!({"location_id": filled.ids["location"]});
    client.post(CIRCULATION, &place).await.expect(200);
    client.get(CIRCULATION).await.expect(200);
    client.get(&one).await.expect(200);
    client.post(&format!("{CONTAINERS}/bulk/barcodes"), &json!({(one.as_str()): "newer"})).await.expect(200);
    let location = json!({"building": "new", "coordinate_1_range": {"label": "Row", "start": "1", "end": "2"}});
    let locations = client.post("/locations/batch", &location).await.expect(200).json();
    let changed = json!({"record_uris": locations, "floor": "2"});
    client.post("/locations/batch_update", &changed).await.expect(200);
    let merge = |destination: &str, candidate: &str| json!({"merge_destination": {"ref": destination}, "merge_candidates": [{"ref": candidate}]});
    client.post("/merge_requests/top_container?repo_id=2", &merge(&one, &two)).await.expect(200);
    let terms = json!([{"term": "new", "term_type": "topical", "vocabulary": "/vocabularies/1"}]);
    let subject = json!({"source": "local", "vocabulary": "/vocabularies/1", "terms": terms});
    let subject = add("/subjects", subject).await;
    client.post("/merge_requests/subject", &merge("/subjects/20", &subject)).await.expect(200);
    let papers = |id: &str| {
        json!({"title": id, "id_0": id, "level": "collection", "finding_aid_language": "eng", "finding_aid_script": "Latn",
            "extents": [{"portion": "whole", "number": "3", "extent_type": "linear_feet"}],
            "dates": [{"date_type": "inclusive", "label": "creation", "begin": "1900", "end": "1950"}],
            "lang_materials": [{"language_and_script": {"language": "eng"}}]})
    };
    let (first, second) = (
        add("/repositories/2/resources", papers("new 1")).await,
        add("/repositories/2/resources", papers("new 2")).await,
    );
    client.post("/merge_requests/resource?repo_id=2", &merge(&first, &second)).await.expect(200);
    let moved = first.replace("/repositories/2/", "/repositories/3/");
    for action in [
        format!("/repositories/2/component_transfers?target_resource={first}&component={node}"),
        format!("/repositories/2/component_transfers?target_resource={RESOURCE}&component={node}"),
        format!("{first}/transfer?target_repo=/repositories/3"),
        format!(
            "/batch_delete?record_uris[]={accession}&record_uris[]={one}&record_uris[]={event}&record_uris[]={agent}"
        ),
        format!("/batch_delete?record_uris[]={moved}"),
    ] {
        client.send(Method::POST, &action, None).await.expect(200);
    }
    client.delete(CIRCULATION).await.expect(200);
}

async fn signed_in(filled: &Filled) -> Client {
    let administrator = Administrator::of("sample");
    let client = Client::new(&filled.library.archives, &[]).of_archives().unchecked();
    let path = format!("/users/{}/login?password={}", administrator.username, administrator.password);
    let answer = client.send(Method::POST, &path, None).await.expect(200).json();
    client.with_header("x-archivesspace-session", answer["session"].as_str().expect("a session"))
}
