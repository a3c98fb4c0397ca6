//! Accessions, the events of records, and how their processing is managed (contract 4.8).

use super::*;

async fn agent(archives: &Archives, name: &str) -> String {
    let sent = json!({"names": [{"primary_name": name, "name_order": "direct", "source": "local", "sort_name": name}]});
    archives.add("/agents/people", &sent).await
}

#[tokio::test]
async fn an_accession_is_read_as_it_was_sent() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let path = format!("{repository}/accessions");
    let sent = json!({"id_0": "2010", "id_1": "7", "accession_date": "2010-05-01", "content_description": "Letters",
        "condition_description": "good", "disposition": "kept", "inventory": "none", "provenance": "a gift",
        "retention_rule": "r", "general_note": "g", "acquisition_type": "gift", "resource_type": "papers",
        "access_restrictions": true, "access_restrictions_note": "a", "use_restrictions": true,
        "use_restrictions_note": "u", "restrictions_apply": true, "publish": true,
        "extents": [{"portion": "whole", "number": "1", "extent_type": "linear_feet"}],
        "dates": [{"date_type": "single", "label": "creation", "begin": "1900"}],
        "deaccessions": [{"scope": "part", "description": "sold",
            "date": {"date_type": "single", "label": "deaccession", "begin": "2012"}}],
        "collection_management": {"processing_priority": "high", "processing_hours_total": "12"},
        "user_defined": {"boolean_1": true, "integer_1": "11", "real_1": "3.25", "string_1": "s", "text_1": "t",
            "date_1": "2012-01-01"}});
    let saved = archives.admin.post(&path, &sent).await.expect(200);
    assert_eq!(saved.round_trips(), 1);
    let one = uri(&saved);
    let answer = archives.admin.get(&one).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let found = answer.json();
    assert_eq!(found["display_string"], "2010-7");
    for (name, value) in sent.as_object().expect("an object") {
        match value {
            Value::Array(parts) => assert_eq!(found[name].as_array().map(Vec::len), Some(parts.len()), "{name}"),
            Value::Object(part) => {
                part.iter().for_each(|(of, value)| assert_eq!(&found[name][of], value, "{name}/{of}"))
            }
            value => assert_eq!(&found[name], value, "{name}"),
        }
    }
    assert_eq!((&found["linked_events"], &found["suppressed"]), (&json!([]), &json!(false)));
    // The management of its processing can be read alone, and keeps its address.
    let managed = found["collection_management"]["uri"].as_str().expect("an address").to_owned();
    assert_eq!(managed, format!("{repository}/collection_management/1"));
    let management = archives.get(&format!("{managed}?resolve[]=parent")).await;
    assert_eq!((&management["processing_priority"], &management["parent"]["ref"]), (&json!("high"), &json!(one)));
    assert_eq!(management["parent"]["_resolved"]["display_string"], "2010-7");
    assert_eq!(management["jsonmodel_type"], "collection_management");
    let mut changed = found.clone();
    changed["title"] = "Gift".into();
    archives.admin.post(&one, &changed).await.expect(200);
    let after = archives.get(&one).await;
    assert_eq!((&after["display_string"], &after["collection_management"]["uri"]), (&json!("Gift"), &json!(managed)));
    let taken = archives.admin.post(&path, &json!({"id_0": "2010", "id_1": "7"})).await.expect(400).json();
    assert_eq!(taken, json!({"error": {"id_0": ["That ID is already in use"]}}));
    let gap = archives.admin.post(&path, &json!({"id_0": "1", "id_2": "7"})).await.expect(400).json();
    assert!(gap["error"].is_object(), "{gap}");
    let least = archives.add(&path, &json!({"id_0": "3"})).await;
    assert_eq!(archives.get(&least).await["accession_date"], "9999-12-31");
    // Without it, it is gone with its address.
    changed = after;
    changed["collection_management"] = Value::Null;
    archives.admin.post(&one, &changed).await.expect(200);
    let gone = archives.admin.get(&managed).await.expect(404).json();
    assert_eq!(gone, json!({"error": "CollectionManagement not found"}));
    archives.admin.send(Method::POST, &format!("{one}/suppressed?suppressed=true"), None).await.expect(200);
    let listed = archives.get(&format!("{path}?page=1&sort_field=display_string")).await;
    assert_eq!(listed["total"], 2);
    archives.admin.delete(&one).await.expect(200);
    archives.admin.get(&one).await.expect(404);
}

#[tokio::test]
async fn an_event_is_of_records_of_several_types() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("MS 1")).await;
    let node = archives.add(&format!("{repository}/archival_objects"), &component("A", &papers, None)).await;
    let accession = archives.add(&format!("{repository}/accessions"), &json!({"id_0": "1"})).await;
    let container = archives.add(&format!("{repository}/top_containers"), &json!({"indicator": "1"})).await;
    let person = agent(&archives, "A").await;
    let records = [&papers, &node, &accession, &container, &person];
    let linked: Vec<Value> = records.iter().map(|uri| json!({"ref": uri, "role": "source"})).collect();
    let path = format!("{repository}/events");
    let sent = json!({"event_type": "ingestion", "timestamp": "2020-01-01T10:00:00Z", "outcome": "pass",
        "linked_agents": [{"ref": person, "role": "implementer"}], "linked_records": linked});
    let saved = archives.admin.post(&path, &sent).await.expect(200);
    assert_eq!(saved.round_trips(), 1);
    let event = uri(&saved);
    let found = archives.get(&format!("{event}?resolve[]=linked_records&resolve[]=linked_agents")).await;
    assert_eq!(texts(&found["linked_records"], "ref"), records.map(String::clone));
    assert_eq!(found["linked_records"][3]["_resolved"]["jsonmodel_type"], "top_container");
    assert_eq!((&found["timestamp"], &found["suppressed"]), (&json!("2020-01-01T10:00:00Z"), &json!(false)));
    for uri in [&papers, &node, &accession] {
        assert_eq!(archives.get(uri).await["linked_events"], json!([{"ref": event}]), "{uri}");
    }
    for (member, value, at) in [
        ("linked_agents", json!([]), "linked_agents"),
        ("linked_records", json!([]), "linked_records"),
        ("event_type", Value::Null, "event_type"),
        ("event_type", json!("party"), "event_type"),
    ] {
        let mut wrong = sent.clone();
        wrong[member] = value;
        let refused = archives.admin.post(&path, &wrong).await.expect(400).json();
        assert!(refused["error"][at].is_array(), "{refused}");
    }
    let mut both = sent.clone();
    both["date"] = json!({"date_type": "single", "label": "event", "begin": "2020"});
    archives.admin.post(&path, &both).await.expect(400);
    let mut missing = sent.clone();
    missing["linked_records"][0]["ref"] = format!("{repository}/resources/9").into();
    archives.admin.post(&path, &missing).await.expect(400);
}

#[tokio::test]
async fn an_event_is_suppressed_with_the_last_of_its_records() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let person = agent(&archives, "A").await;
    let accession = |id: &str| json!({"id_0": id});
    let first = archives.add(&format!("{repository}/accessions"), &accession("1")).await;
    let second = archives.add(&format!("{repository}/accessions"), &accession("2")).await;
    let records = json!([{"ref": first, "role": "source"}, {"ref": second, "role": "outcome"}]);
    let sent = json!({"event_type": "ingestion", "timestamp": "2020-01-01T10:00:00Z",
        "linked_agents": [{"ref": person, "role": "implementer"}], "linked_records": records});
    let event = archives.add(&format!("{repository}/events"), &sent).await;
    let suppress = |uri: &str, value: bool| {
        let (client, path) = (archives.admin.clone(), format!("{uri}/suppressed?suppressed={value}"));
        async move { client.send(Method::POST, &path, None).await.expect(200) }
    };
    for (uri, value, hidden) in [(&first, true, false), (&second, true, true), (&first, false, false)] {
        suppress(uri, value).await;
        assert_eq!(archives.get(&event).await["suppressed"], hidden, "{uri} {value}");
    }
    let answer = suppress(&event, true).await.json();
    assert_eq!(answer, json!({"status": "Suppressed", "id": 1, "suppressed_state": true}));
    archives.admin.delete(&event).await.expect(200);
    assert_eq!(archives.get(&first).await["linked_events"], json!([]));
}

#[tokio::test]
async fn accessions_and_events_are_for_those_who_may() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    user(&archives.library, "nobody", &[]).await;
    let nobody = signed_in(&archives.library, "nobody").await;
    for kind in ["accessions", "events", "classifications", "classification_terms", "assessments"] {
        let path = format!("{repository}/{kind}");
        nobody.get(&format!("{path}?page=1")).await.expect(403);
        nobody.get(&format!("{path}/1")).await.expect(403);
        nobody.post(&path, &json!({})).await.expect(403);
        nobody.post(&format!("{path}/1"), &json!({})).await.expect(403);
        nobody.delete(&format!("{path}/1")).await.expect(403);
        archives.admin.get(&format!("{path}/1")).await.expect(404);
    }
    for path in [
        "accessions/1/suppressed?suppressed=true",
        "events/1/suppressed?suppressed=true",
        "classification_terms/1/parent?position=0",
        "classifications/1/accept_children?position=0",
    ] {
        nobody.send(Method::POST, &format!("{repository}/{path}"), None).await.expect(403);
    }
    for path in ["collection_management/1", "assessment_attribute_definitions", "classifications/1/tree/root"] {
        nobody.get(&format!("{repository}/{path}")).await.expect(403);
    }
}
