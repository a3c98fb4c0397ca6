//! Accessions, events and assessments.

use super::*;

#[tokio::test]
async fn an_accession_has_what_it_was_given() {
    let archives = archives().await;
    let repository = archives.repository("ACC").await;
    let all = format!("{repository}/accessions");
    let (one, two) =
        (archives.add("/agents/people", &person("A")).await, archives.add("/agents/people", &person("B")).await);
    let more = json!({
        "language": "eng", "script": "Latn",
        "rights_statements": [{"identifier": "abc123", "rights_type": "copyright", "status": "copyrighted",
            "jurisdiction": "AU", "start_date": "1999-01-01"}],
        "deaccessions": [{"scope": "whole", "description": "Sold",
            "date": {"date_type": "single", "label": "deaccession", "begin": "2012-05-14"}}],
        "lang_materials": [{"language_and_script": {"language": "ger"}},
            {"notes": [{"jsonmodel_type": "note_langmaterial", "type": "langmaterial", "content": ["Mostly German"]}]}],
        "linked_agents": [{"role": "creator", "ref": one, "title": "the title", "is_primary": true},
            {"role": "creator", "ref": two}],
        "external_ids": [{"source": "brain", "external_id": "12345"}]});
    let uri = archives.add(&all, &with(accession("1"), more)).await;
    let read = archives.get(&uri).await;
    assert_eq!((&read["language"], &read["script"]), (&json!("eng"), &json!("Latn")));
    assert_eq!(read["rights_statements"][0]["identifier"], "abc123");
    assert_eq!(read["deaccessions"][0]["date"]["begin"], "2012-05-14");
    let languages = &read["lang_materials"];
    assert_eq!((&languages[0]["language_and_script"]["language"], &languages[0]["notes"]), (&json!("ger"), &json!([])));
    assert_eq!(languages[1]["notes"][0]["content"], json!(["Mostly German"]));
    let agents = &read["linked_agents"];
    assert_eq!(texts(agents, "ref"), [one.as_str(), two.as_str()]);
    assert_eq!((&agents[0]["is_primary"], &agents[1]["is_primary"]), (&json!(true), &json!(false)));
    assert_eq!(agents[0]["title"], "the title");
    assert_eq!(read["external_ids"][0]["source"], "brain");
    assert_eq!(archives.edit(&uri, |record| record["id_1"] = "5678".into()).await["id_1"], "5678");
    // Only one of the agents is the first.
    let primary = |uri: &str| json!({"role": "creator", "ref": uri, "is_primary": true});
    let twice = with(accession("2"), json!({"linked_agents": [primary(&one), primary(&two)]}));
    assert_eq!(archives.refuses(&all, &twice).await, 400);
    assert_eq!(archives.refuses(&all, &with(accession("2"), json!({"language": "klingon"}))).await, 400);
    assert_eq!(archives.refuses(&format!("{all}/9999"), &accession("2")).await, 404);
}

#[tokio::test]
async fn a_deleted_accession_leaves_its_resource() {
    let archives = archives().await;
    let repository = archives.repository("ACC").await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let more = json!({"related_resources": [{"ref": papers}],
        "deaccessions": [{"scope": "whole", "description": "Sold",
            "extents": [{"portion": "whole", "number": "1", "extent_type": "reels"}],
            "date": {"date_type": "single", "label": "deaccession", "begin": "2012-05-14"}}]});
    let uri = archives.add(&format!("{repository}/accessions"), &with(accession("1"), more)).await;
    assert_eq!(texts(&archives.get(&papers).await["related_accessions"], "ref"), [uri.as_str()]);
    archives.admin.delete(&uri).await.expect(200);
    archives.admin.get(&uri).await.expect(404);
    assert_eq!(archives.get(&papers).await["related_accessions"], json!([]));
}

#[tokio::test]
async fn pages_of_accessions_do_not_overlap_and_stay_in_their_repository() {
    let archives = archives().await;
    let (one, two) = (archives.repository("ONE").await, archives.repository("TWO").await);
    for number in 0..10 {
        archives.add(&format!("{one}/accessions"), &accession(&number.to_string())).await;
    }
    let page = async |number: u32| {
        let path = format!("{one}/accessions?page={number}&page_size=5");
        texts(&archives.get(&path).await["results"], "uri")
    };
    let (first, second) = (page(1).await, page(2).await);
    assert_eq!((first.len(), second.len()), (5, 5));
    assert!(first.iter().all(|uri| !second.contains(uri)), "{first:?} {second:?}");
    assert_eq!(page(3).await, Vec::<String>::new());
    assert_eq!(archives.get(&format!("{two}/accessions?page=1")).await["results"], json!([]));
    for wrong in ["page=1&page_size=-1", "page=-1", "page=1&modified_since=-1", "page=1&sort_direction=downhill"] {
        archives.admin.get(&format!("{one}/accessions?{wrong}")).await.expect(400);
    }
    archives.admin.get(&format!("{one}/groups/1?with_members=moo")).await.expect(400);
    archives.admin.get(&format!("{one}/groups/one")).await.expect(400);
}

/// A user who may not see suppressed records cannot hide one by its members either.
#[tokio::test]
async fn suppression_is_for_those_who_may() {
    let archives = archives().await;
    let repository = archives.repository("SUP").await;
    let uri = archives.add(&format!("{repository}/accessions"), &accession("1")).await;
    let archivist = archives.member("archie", &repository, &["repository-archivists"]).await;
    let suppress = |to: bool| format!("{uri}/suppressed?suppressed={to}");
    archivist.send(Method::POST, &suppress(true), None).await.expect(403);
    let mut record = archivist.get(&uri).await.expect(200).json();
    record["suppressed"] = true.into();
    archivist.post(&uri, &record).await.expect(200);
    assert_eq!(archivist.get(&uri).await.expect(200).json()["suppressed"], false);
    archives.act(&suppress(true)).await;
    archivist.send(Method::POST, &suppress(false), None).await.expect(403);
    archivist.get(&uri).await.expect(404);
    archives.act(&suppress(false)).await;
    archivist.get(&uri).await.expect(200);
}

#[tokio::test]
async fn an_event_and_an_assessment_change() {
    let archives = archives().await;
    let repository = archives.repository("EVE").await;
    let agent = archives.add("/agents/people", &person("A")).await;
    let all = format!("{repository}/accessions");
    let (one, two) = (archives.add(&all, &accession("1")).await, archives.add(&all, &accession("2")).await);
    let event = json!({"event_type": "accession", "date": {"date_type": "single", "label": "event", "begin": "2000-01-01"},
        "linked_agents": [{"ref": agent, "role": "executing_program"}],
        "linked_records": [{"ref": one, "role": "source"}]});
    let events = format!("{repository}/events");
    let uri = archives.add(&events, &event).await;
    let read = archives.get(&format!("{uri}?resolve[]=linked_agents&resolve[]=linked_records")).await;
    assert_eq!(read["linked_agents"][0]["_resolved"]["names"][0]["primary_name"], "A");
    assert_eq!(read["linked_records"][0]["_resolved"]["title"], "Gift 1");
    let changed = archives
        .edit(&uri, |record| {
            record["linked_records"] = json!([{"ref": two, "role": "outcome"}]);
            record["event_type"] = "cataloged".into();
            record["date"]["begin"] = "2001-02-03".into();
            record["date"]["end"] = "2001-02-03".into();
        })
        .await;
    assert_eq!(texts(&changed["linked_records"], "ref"), [two.as_str()]);
    assert_eq!((&changed["event_type"], &changed["date"]["begin"]), (&json!("cataloged"), &json!("2001-02-03")));
    archives.act(&format!("{uri}/suppressed?suppressed=true")).await;
    archives.act(&format!("{uri}/suppressed?suppressed=false")).await;
    assert_eq!(archives.get(&uri).await["suppressed"], false);
    // A moment is told in universal time.
    for (sent, told) in [
        ("2000-01-01T10:00:00+02:00", "2000-01-01T08:00:00Z"),
        ("2000-01-01T10:00:00.5Z", "2000-01-01T10:00:00Z"),
        ("2000-01-01 10:00:00", "2000-01-01T10:00:00Z"),
        ("2000-01-01", "2000-01-01T00:00:00Z"),
    ] {
        let timed = archives
            .edit(&uri, |record| {
                record.as_object_mut().expect("an object").remove("date");
                record["timestamp"] = sent.into();
            })
            .await;
        assert_eq!(timed["timestamp"], told, "{sent}");
    }
    assert_eq!(archives.get(&format!("{events}?page=1")).await["total"], 1);

    let survey = json!({"records": [{"ref": one}], "surveyed_by": [{"ref": agent}], "survey_begin": "1970-01-01",
        "survey_end": "2000-01-01"});
    let uri = archives.add(&format!("{repository}/assessments"), &survey).await;
    let changed = archives.edit(&uri, |record| record["survey_end"] = "2017-01-01".into()).await;
    assert_eq!(changed["survey_end"], "2017-01-01");
    assert_eq!(archives.get(&format!("{repository}/assessments?page=1")).await["total"], 1);
    archives.admin.delete(&uri).await.expect(200);
    archives.admin.get(&uri).await.expect(404);
}

/// Definitions keep the order in which they are sent, after those of all repositories.
#[tokio::test]
async fn the_attributes_of_assessments_are_replaced_as_a_whole() {
    let archives = archives().await;
    let repository = archives.repository("ATT").await;
    let path = format!("{repository}/assessment_attribute_definitions");
    let own = |found: &Value| -> Vec<String> {
        let all = found["definitions"].as_array().expect("a list").iter();
        let own = all.filter(|one| one["global"] != true);
        own.map(|one| one["label"].as_str().expect("a label").to_owned()).collect()
    };
    let before = archives.get(&path).await;
    let of_all = before["definitions"].as_array().expect("a list").len();
    assert!(of_all > 0 && own(&before).is_empty());
    let sent = json!({"definitions": [{"label": "First", "type": "rating"}, {"label": "Second", "type": "format"},
        {"label": "Third", "type": "rating"}]});
    archives.admin.post(&path, &sent).await.expect(200);
    let mut stored = archives.get(&path).await;
    assert_eq!(own(&stored), ["First", "Second", "Third"]);
    let definitions = stored["definitions"].as_array_mut().expect("a list");
    definitions.reverse();
    archives.admin.post(&path, &stored).await.expect(200);
    let stored = archives.get(&path).await;
    assert_eq!(own(&stored), ["Third", "Second", "First"]);
    archives.admin.post(&path, &json!({"definitions": [{"label": "New", "type": "rating"}]})).await.expect(200);
    let stored = archives.get(&path).await;
    assert_eq!(
        (own(&stored), stored["definitions"].as_array().map(Vec::len)),
        (vec!["New".to_owned()], Some(of_all + 1))
    );
    // What an assessment has cannot go.
    let new = stored["definitions"].as_array().and_then(|all| all.last()).expect("a definition");
    let agent = archives.add("/agents/people", &person("A")).await;
    let papers = archives.add(&format!("{repository}/resources"), &resource("1")).await;
    let survey = json!({"records": [{"ref": papers}], "surveyed_by": [{"ref": agent}], "survey_begin": "2020-01-01",
        "ratings": [{"definition_id": new["id"], "value": "3"}]});
    archives.add(&format!("{repository}/assessments"), &survey).await;
    archives.admin.post(&path, &json!({"definitions": []})).await.expect(409);
}
