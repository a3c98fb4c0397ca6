//! Relations that both records show, whichever of them is changed (contract 4.2, 4.3, 4.7, 4.8).

use super::*;

/// Reads a record, sets a member and writes it.
async fn set(archives: &Archives, uri: &str, member: &str, value: Value) {
    let mut record = archives.get(uri).await;
    record[member] = value;
    archives.admin.post(uri, &record).await.expect(200);
}

#[tokio::test]
async fn an_accession_and_its_resources_show_each_other() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let (one, two) = (
        archives.add(&format!("{repository}/resources"), &resource("MS 1")).await,
        archives.add(&format!("{repository}/resources"), &resource("MS 2")).await,
    );
    let node = archives.add(&format!("{repository}/archival_objects"), &component("A", &one, None)).await;
    let sent =
        json!({"id_0": "1", "related_resources": [{"ref": one}, {"ref": two}], "component_links": [{"ref": node}]});
    let saved = archives.admin.post(&format!("{repository}/accessions"), &sent).await.expect(200);
    assert_eq!(saved.round_trips(), 1);
    let accession = uri(&saved);
    let back = json!([{"ref": accession}]);
    assert_eq!(archives.get(&one).await["related_accessions"], back);
    assert_eq!(archives.get(&two).await["related_accessions"], back);
    assert_eq!(archives.get(&node).await["accession_links"], back);
    assert_eq!(archives.get(&one).await["lock_version"], 0);
    // A change of either shows on the other.
    set(&archives, &two, "related_accessions", json!([])).await;
    assert_eq!(archives.get(&accession).await["related_resources"], json!([{"ref": one}]));
    set(&archives, &node, "accession_links", json!([])).await;
    assert_eq!(archives.get(&accession).await["component_links"], json!([]));
    set(&archives, &node, "accession_links", back.clone()).await;
    assert_eq!(archives.get(&accession).await["component_links"], json!([{"ref": node}]));
    set(&archives, &accession, "related_resources", json!([{"ref": two}])).await;
    assert_eq!(archives.get(&one).await["related_accessions"], json!([]));
    assert_eq!(archives.get(&two).await["related_accessions"], back);
    archives.admin.delete(&accession).await.expect(200);
    assert_eq!(archives.get(&two).await["related_accessions"], json!([]));
}

#[tokio::test]
async fn relations_are_read_from_both_ends() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let whole = archives.add(&format!("{repository}/accessions"), &json!({"id_0": "1"})).await;
    let part = json!({"id_0": "2", "related_accessions": [{"jsonmodel_type": "accession_parts_relationship",
        "relator": "forms_part_of", "relator_type": "part", "ref": whole}]});
    let part = archives.add(&format!("{repository}/accessions"), &part).await;
    let shown = archives.get(&whole).await["related_accessions"].clone();
    assert_eq!(texts(&shown, "relator"), ["has_part"]);
    assert_eq!(texts(&shown, "ref"), [part.as_str()]);
    set(&archives, &whole, "title", json!("Whole")).await;
    assert_eq!(texts(&archives.get(&part).await["related_accessions"], "relator"), ["forms_part_of"]);

    let person = |name: &str| json!({"names": [{"primary_name": name, "name_order": "direct", "source": "local", "sort_name": name}]});
    let parent = archives.add("/agents/people", &person("P")).await;
    let mut child = person("C");
    child["related_agents"] = json!([{"jsonmodel_type": "agent_relationship_parentchild", "relator": "is_child_of",
        "ref": parent, "description": "adopted"}]);
    let child = archives.add("/agents/people", &child).await;
    let shown = archives.get(&format!("{parent}?resolve[]=related_agents")).await["related_agents"].clone();
    assert_eq!(
        (texts(&shown, "relator"), texts(&shown, "ref")),
        (vec!["is_parent_of".to_owned()], vec![child.clone()])
    );
    assert_eq!((&shown[0]["description"], &shown[0]["_resolved"]["title"]), (&json!("adopted"), &json!("C")));
    set(&archives, &parent, "related_agents", json!([])).await;
    assert_eq!(archives.get(&child).await["related_agents"], json!([]));
}

#[tokio::test]
async fn a_classification_and_its_records_show_each_other() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let sent = json!({"identifier": "A", "title": "All", "linked_records": [{"ref": papers}]});
    let class = archives.add(&format!("{repository}/classifications"), &sent).await;
    assert_eq!(archives.get(&papers).await["classifications"], json!([{"ref": class}]));
    let term = json!({"identifier": "1", "title": "Deeds", "classification": {"ref": class}});
    let term = archives.add(&format!("{repository}/classification_terms"), &term).await;
    set(&archives, &papers, "classifications", json!([{"ref": term}])).await;
    assert_eq!(archives.get(&class).await["linked_records"], json!([]));
    assert_eq!(archives.get(&term).await["linked_records"], json!([{"ref": papers}]));
    archives.admin.delete(&class).await.expect(200);
    assert_eq!(archives.get(&papers).await["classifications"], json!([]));
}
