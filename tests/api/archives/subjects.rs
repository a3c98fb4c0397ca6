//! Subjects, terms and vocabularies (contract 1.3, 2, 3.3, 4.8).

use super::*;

const VOCABULARY: &str = "/vocabularies/1";

fn term(text: &str) -> Value {
    json!({"term": text, "term_type": "topical", "vocabulary": VOCABULARY})
}

fn subject(terms: &[&str]) -> Value {
    let terms: Vec<_> = terms.iter().map(|text| term(text)).collect();
    json!({"source": "local", "vocabulary": VOCABULARY, "terms": terms})
}

#[tokio::test]
async fn a_vocabulary_is_there_from_the_start() {
    let archives = archives().await;
    let visitor = anonymous(&archives.library);
    let found = visitor.get(VOCABULARY).await.expect(200).json();
    assert_eq!((&found["ref_id"], &found["uri"]), (&json!("global"), &json!(VOCABULARY)));
    let uri = archives.add("/vocabularies", &json!({"ref_id": "ours", "name": "Ours"})).await;
    assert_eq!(texts(&archives.get("/vocabularies").await, "ref_id"), ["global", "ours"]);
    assert_eq!(texts(&archives.get("/vocabularies?ref_id=ours").await, "uri"), [uri.as_str()]);
    let mut changed = archives.get(&uri).await;
    changed["name"] = "Theirs".into();
    archives.admin.post(&uri, &changed).await.expect(200);
    assert_eq!(archives.get(&uri).await["name"], "Theirs");
    let taken = archives.admin.post("/vocabularies", &json!({"ref_id": "global", "name": "New"})).await.expect(400);
    assert_eq!(taken.json(), json!({"error": {"ref_id": ["Must be unique"]}}));
    visitor.post("/vocabularies", &json!({"ref_id": "a", "name": "A"})).await.expect(403);
}

#[tokio::test]
async fn a_subject_finds_its_terms_or_makes_them() {
    let archives = archives().await;
    let saved = archives.admin.post("/subjects", &subject(&["Harbours", "Ships"])).await.expect(200);
    assert_eq!(saved.round_trips(), 1);
    let answer = anonymous(&archives.library).get(&uri(&saved)).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let found = answer.json();
    assert_eq!((&found["title"], &found["publish"]), (&json!("Harbours -- Ships"), &json!(true)));
    assert_eq!(texts(&found["terms"], "term"), ["Harbours", "Ships"]);
    assert_eq!(texts(&found["terms"], "uri"), ["/terms/1", "/terms/2"]);
    assert_eq!(found["terms"][0]["vocabulary"], VOCABULARY);
    assert_eq!(found["is_linked_to_published_record"], false);
    let mut again = subject(&["Ships"]);
    again["terms"].as_array_mut().expect("terms").push(json!("/terms/1"));
    let saved = archives.admin.post("/subjects", &again).await.expect(200);
    assert!(saved.round_trips() <= 2, "{}", saved.round_trips());
    let other = archives.get(&uri(&saved)).await;
    assert_eq!(texts(&other["terms"], "uri"), ["/terms/2", "/terms/1"]);
    assert_eq!(other["title"], "Ships -- Harbours");
    assert_eq!(texts(&archives.get(&format!("{VOCABULARY}/terms")).await, "term"), ["Harbours", "Ships"]);
    let list = archives.admin.get("/subjects?page=1").await.expect(200);
    assert_eq!(list.round_trips(), 1);
    assert_eq!(texts(&list.json()["results"], "title"), ["Harbours -- Ships", "Ships -- Harbours"]);
}

#[tokio::test]
async fn a_changed_subject_is_retitled() {
    let archives = archives().await;
    let uri = archives.add("/subjects", &subject(&["Harbours"])).await;
    let mut record = archives.get(&uri).await;
    record["terms"].as_array_mut().expect("terms").push(term("Ships"));
    let changed = archives.admin.post(&uri, &record).await.expect(200);
    assert!(changed.round_trips() <= 2, "{}", changed.round_trips());
    assert_eq!(archives.get(&uri).await["title"], "Harbours -- Ships");
    archives.admin.post(&uri, &record).await.expect(409);
    let missing = archives.admin.post("/subjects/99", &record).await.expect(404).json();
    assert_eq!(missing, json!({"error": "Subject not found"}));
    archives.admin.delete(&uri).await.expect(200);
    archives.admin.get(&uri).await.expect(404);
}

#[tokio::test]
async fn the_same_subject_is_there_once() {
    let archives = archives().await;
    let mut first = subject(&["Harbours"]);
    first["authority_id"] = "sh1".into();
    let uri = archives.add("/subjects", &first).await;
    let refused = archives.admin.post("/subjects", &subject(&["Harbours"])).await.expect(400).json();
    let text = "Subject must be unique";
    assert_eq!(refused, json!({"error": {"terms": [text], "conflicting_record": [uri]}}));
    let mut other = subject(&["Ships"]);
    other["authority_id"] = "sh1".into();
    let refused = archives.admin.post("/subjects", &other).await.expect(400).json();
    let text = "Subject heading identifier must be unique within source";
    assert_eq!(refused, json!({"error": {"authority_id": [text]}}));
    // Refused subjects make no terms.
    assert_eq!(archives.get("/terms?q=ships").await["total"], 0);
    other["source"] = "lcsh".into();
    archives.add("/subjects", &other).await;
}

#[tokio::test]
async fn a_subject_names_terms_and_vocabularies_that_exist() {
    let archives = archives().await;
    let mut unknown = subject(&[]);
    unknown["terms"] = json!(["/terms/9"]);
    let mut elsewhere = subject(&["Harbours"]);
    elsewhere["vocabulary"] = "/vocabularies/9".into();
    let mut term_elsewhere = subject(&["Harbours"]);
    term_elsewhere["terms"][0]["vocabulary"] = "/vocabularies/9".into();
    for (record, missing) in
        [(unknown, "/terms/9"), (elsewhere, "/vocabularies/9"), (term_elsewhere, "/vocabularies/9")]
    {
        let refused = archives.admin.post("/subjects", &record).await.expect(400).json();
        assert_eq!(refused, json!({"error": format!("Reference does not exist! (Reference: '{missing}')")}));
    }
    let refused = archives.admin.post("/subjects", &subject(&[])).await.expect(400).json();
    assert_eq!(refused["error"]["terms"], json!(["At least 1 item(s) is required"]));
    anonymous(&archives.library).post("/subjects", &subject(&["Ships"])).await.expect(403);
}

#[tokio::test]
async fn terms_are_found_by_how_they_begin() {
    let archives = archives().await;
    for number in 1..=21 {
        archives.add("/subjects", &subject(&[&format!("Ship {number:02}"), "Harbours"])).await;
    }
    let answer = anonymous(&archives.library).get("/terms?q=sHip").await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let page = answer.json();
    assert_eq!((&page["total"], &page["this_page"], &page["last_page"]), (&json!(21), &json!(1), &json!(2)));
    assert_eq!(page["results"].as_array().map(Vec::len), Some(20));
    assert_eq!(texts(&archives.get("/terms?q=h").await["results"], "term"), ["Harbours"]);
    assert_eq!(archives.get("/terms?q=x").await["results"], json!([]));
    archives.admin.get("/terms").await.expect(400);
}

#[tokio::test]
async fn clients_that_make_the_same_term_share_it() {
    let archives = archives().await;
    let saves = (0..8).map(|number| {
        let client = archives.admin.clone();
        let own = format!("Ship {number}");
        tokio::spawn(async move { client.post("/subjects", &subject(&["Harbours", &own])).await.expect(200) })
    });
    for save in saves.collect::<Vec<_>>() {
        save.await.expect("an answer");
    }
    assert_eq!(archives.get("/terms?q=harbours").await["total"], 1);
    assert_eq!(archives.get("/terms?q=ship").await["total"], 8);
}

#[tokio::test]
async fn a_subject_knows_whether_something_published_has_it() {
    let archives = archives().await;
    let public = json!({"repo_code": "A", "name": "Library of A", "publish": true});
    let repository = archives.add("/repositories", &public).await;
    let subject = archives.add("/subjects", &subject(&["Harbours"])).await;
    let mut described = resource("MS 1");
    described["subjects"] = json!([{"ref": subject}]);
    let resource = archives.add(&format!("{repository}/resources"), &described).await;
    assert_eq!(archives.get(&subject).await["is_linked_to_published_record"], false);
    archives.admin.send(Method::POST, &format!("{resource}/publish"), None).await.expect(200);
    assert_eq!(archives.get(&subject).await["is_linked_to_published_record"], true);
    let read = archives.get(&format!("{resource}?resolve[]=subjects")).await;
    assert_eq!(read["subjects"][0]["_resolved"]["title"], "Harbours");
    archives.admin.delete(&subject).await.expect(200);
    assert_eq!(archives.get(&resource).await["subjects"], json!([]));
}
