//! Relations that both records show, whichever of them is changed (contract 4.2, 4.3, 4.7, 4.8).

use futures_util::future::join_all;

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

/// Two records of each kind of relation: the first may name the second in its list, the second the first.
struct Related {
    archives: Archives,
    pairs: Vec<[(String, &'static str); 2]>,
}

/// An entry of a list: relations between records of one type say more than the other record.
fn entry(list: &str, uri: &str) -> Value {
    match list {
        "related_accessions" if uri.contains("accessions") => json!({"ref": uri, "relator": "sibling_of",
            "relator_type": "bound_with", "jsonmodel_type": "accession_sibling_relationship"}),
        "related_agents" => json!({"ref": uri, "relator": "is_associative_with",
            "jsonmodel_type": "agent_relationship_associative"}),
        _ => json!({"ref": uri}),
    }
}

async fn unrelated() -> Related {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let add = async |kind: &str, record: Value| archives.add(&format!("{repository}/{kind}"), &record).await;
    let papers = add("resources", resource("MS 1")).await;
    let node = add("archival_objects", component("A", &papers, None)).await;
    let gift = add("accessions", json!({"id_0": "1"})).await;
    let later = add("accessions", json!({"id_0": "2"})).await;
    let class = add("classifications", json!({"identifier": "A", "title": "All"})).await;
    let term = json!({"identifier": "1", "title": "Deeds", "classification": {"ref": class}});
    let term = add("classification_terms", term).await;
    let person = |name: &str| json!({"names": [{"primary_name": name, "name_order": "direct", "source": "local", "sort_name": name}]});
    let (one, two) =
        (archives.add("/agents/people", &person("P")).await, archives.add("/agents/people", &person("Q")).await);
    let pair = |first: (&String, &'static str), second: (&String, &'static str)| {
        [(first.0.clone(), first.1), (second.0.clone(), second.1)]
    };
    let pairs = vec![
        pair((&gift, "related_resources"), (&papers, "related_accessions")),
        pair((&gift, "component_links"), (&node, "accession_links")),
        pair((&gift, "related_accessions"), (&later, "related_accessions")),
        pair((&papers, "classifications"), (&class, "linked_records")),
        pair((&papers, "classifications"), (&term, "linked_records")),
        pair((&one, "related_agents"), (&two, "related_agents")),
    ];
    Related { archives, pairs }
}

#[tokio::test]
async fn nobody_takes_away_or_brings_back_a_relation_that_they_have_not_seen() {
    let Related { archives, pairs } = unrelated().await;
    for pair in &pairs {
        for [(first, list), (second, back)] in [pair.clone(), [pair[1].clone(), pair[0].clone()]] {
            let before = archives.get(&second).await;
            set(&archives, &first, list, json!([entry(list, &second)])).await;
            archives.admin.post(&second, &before).await.expect(409);
            let related = archives.get(&second).await;
            assert_eq!(texts(&related[back], "ref"), [first.as_str()], "{back} of {second}");
            // Who has seen it may change the record, and saving it again is no change of the other.
            archives.admin.post(&second, &related).await.expect(200);
            let (seen, other) = (archives.get(&second).await, archives.get(&first).await);
            archives.admin.post(&second, &seen).await.expect(200);
            archives.admin.post(&first, &other).await.expect(200);
            let related = archives.get(&second).await;
            set(&archives, &first, list, json!([])).await;
            archives.admin.post(&second, &related).await.expect(409);
            assert_eq!(archives.get(&first).await[list], json!([]), "{list} of {first}");
        }
    }
}

#[tokio::test]
async fn a_new_record_is_a_change_of_those_that_it_is_related_to() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let before = archives.get(&papers).await;
    let sent = json!({"id_0": "1", "related_resources": [{"ref": papers}]});
    let accession = archives.add(&format!("{repository}/accessions"), &sent).await;
    archives.admin.post(&papers, &before).await.expect(409);
    let after = archives.get(&papers).await;
    assert_eq!((&after["lock_version"], &after["related_accessions"]), (&json!(1), &json!([{"ref": accession}])));
}

#[tokio::test]
async fn records_that_are_related_at_the_same_time_are_all_shown() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let mut papers = Vec::new();
    for number in 0..3 {
        papers.push(archives.add(&format!("{repository}/resources"), &resource(&format!("MS {number}"))).await);
    }
    let all: Vec<Value> = papers.iter().map(|uri| json!({"ref": uri})).collect();
    let path = format!("{repository}/accessions");
    let sent: Vec<Value> = (0..8).map(|number| json!({"id_0": number.to_string(), "related_resources": all})).collect();
    let added = join_all(sent.iter().map(|accession| archives.admin.post(&path, accession))).await;
    let mut added: Vec<String> = added.into_iter().map(|answer| uri(&answer.expect(200))).collect();
    added.sort_unstable();
    for uri in &papers {
        let mut shown = texts(&archives.get(uri).await["related_accessions"], "ref");
        shown.sort_unstable();
        assert_eq!(shown, added, "{uri}");
    }
}

#[tokio::test]
async fn both_sides_are_not_changed_at_the_same_time() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    for round in 0..8 {
        let papers = archives.add(&format!("{repository}/resources"), &resource(&format!("MS {round}"))).await;
        let node = archives.add(&format!("{repository}/archival_objects"), &component("A", &papers, None)).await;
        let gift = archives.add(&format!("{repository}/accessions"), &json!({"id_0": round.to_string()})).await;
        for (partner, list, back) in
            [(&papers, "related_resources", "related_accessions"), (&node, "component_links", "accession_links")]
        {
            let (mut one, mut other) = (archives.get(&gift).await, archives.get(partner).await);
            one[list] = json!([{"ref": partner}]);
            other[back] = json!([{"ref": gift}]);
            let (one, other) =
                futures_util::join!(archives.admin.post(&gift, &one), archives.admin.post(partner, &other));
            assert!(matches!((one.status, other.status), (200, 409) | (409, 200)), "{} and {}", one.text, other.text);
            assert_eq!(archives.get(&gift).await[list], json!([{"ref": partner}]));
            assert_eq!(archives.get(partner).await[back], json!([{"ref": gift}]));
        }
    }
}
