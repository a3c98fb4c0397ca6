//! Authorities are made, changed, deleted, and kept for a while.

use super::*;

#[tokio::test]
async fn an_authority_is_made_read_changed_and_deleted() {
    let all = Decided::new().await;
    let sent = json!({"source": "MARC", "naturalId": "sh85001", "sourceFileId": LCSH, "topicalTerm": "Maps",
        "personalName": null, "sftTopicalTerm": ["Charts", "Plans"], "saftTopicalTerm": ["Atlases"], "sftGenreTerm": [],
        "saftBroaderTerm": [{"headingRef": "Atlases", "headingType": "topicalTerm"},
            {"headingRef": "Lost", "headingType": "topicalTerm"}],
        "subjectHeadings": "a", "identifiers": [{"value": "sh85001", "identifierTypeId": LCCN}],
        "notes": [{"noteTypeId": "76c74801-afec-45a0-aad7-3ff23591e147", "note": "Checked"}], "unknown": "left out"});
    let answer = all.client.post(PATH, &sent).await.expect(201);
    assert_eq!(answer.round_trips(), 1);
    let made = answer.json();
    let path = format!("{PATH}/{}", id(&made));
    assert_eq!(
        (&made["_version"], &made["topicalTerm"], &made["saftTopicalTerm"]),
        (&json!(0), &json!("Maps"), &json!(["Atlases"]))
    );
    assert_eq!(made["saftBroaderTerm"], json!([{"headingRef": "Atlases", "headingType": "topicalTerm"}]));
    assert_eq!(made["notes"][0]["staffOnly"], false);
    for absent in ["sftGenreTerm", "saftNarrowerTerm", "saftTopicalTermTrunc", "personalName", "unknown"] {
        assert_eq!(made.get(absent), None, "{absent}");
    }
    let read = all.client.get(&path).await.expect(200);
    assert_eq!((read.round_trips(), read.json()), (1, made.clone()));

    let mut changed = made.clone();
    changed["topicalTerm"] = json!("Maps and plans");
    let answer = all.client.put(&path, &changed).await.expect(204);
    assert_eq!(answer.round_trips(), 1);
    let now = all.client.get(&path).await.expect(200).json();
    assert_eq!((&now["_version"], &now["topicalTerm"]), (&json!(1), &changed["topicalTerm"]));
    assert_eq!(now["metadata"]["createdDate"], made["metadata"]["createdDate"]);

    // Somebody else still has the first version; a version from the future is as good as the last.
    let stale = all.client.put(&path, &changed).await.expect(409);
    assert_eq!(
        refusal(&stale),
        (
            format!(
                "Cannot update record {} because it has been changed (optimistic locking): Stored _version is 1, _version \
                 of request is 0",
                id(&made)
            ),
            "optimistic locking".to_owned()
        )
    );
    changed.as_object_mut().expect("an object").remove("_version");
    all.client.put(&path, &changed).await.expect(409);
    changed["_version"] = json!(7);
    all.client.put(&path, &changed).await.expect(204);
    assert_eq!(all.client.get(&path).await.expect(200).json()["_version"], 2);

    let deleted = all.client.delete(&path).await.expect(204);
    assert_eq!(deleted.round_trips(), 1);
    for answer in [all.client.get(&path).await, all.client.delete(&path).await, all.client.put(&path, &changed).await] {
        let not_found = (format!("Authority with ID [{}] was not found", id(&made)), "not-found".to_owned());
        let answer = answer.expect(404);
        assert_eq!(refusal(&answer), not_found);
        assert_eq!(answer.json()["errors"][0]["type"], "AuthorityNotFoundException");
    }
}

#[tokio::test]
async fn authorities_are_refused_in_the_words_of_the_module() {
    let all = Decided::new().await;
    let made = all.authority(json!({"topicalTerm": "Maps"})).await;
    let path = format!("{PATH}/{}", id(&made));
    let of = |more: Value| {
        let mut record = json!({"source": "MARC", "naturalId": "1"});
        record.as_object_mut().expect("an object").extend(more.as_object().cloned().unwrap_or_default());
        record
    };
    for (sent, status, message, code) in [
        (of(json!({"id": made["id"]})), 422, "Authority with the given 'id' already exists.", "109"),
        (of(json!({"sourceFileId": NOBODY})), 422, "Authority Source File with the given 'id' does not exists.", "112"),
        (json!({"source": "MARC"}), 422, "must not be null", "validation"),
        (of(json!({"identifiers": [{"value": "x"}]})), 422, "must not be null", "validation"),
    ] {
        let refused = all.client.malformed().post(PATH, &sent).await.expect(status);
        assert_eq!(refusal(&refused), (message.to_owned(), code.to_owned()), "{sent}");
    }
    let missing = all.client.malformed().post(PATH, &json!({})).await.expect(422).json();
    let keys: Vec<_> = (0..2).map(|place| missing["errors"][place]["parameters"][0]["key"].clone()).collect();
    assert_eq!((keys, &missing["total_records"]), (vec![json!("source"), json!("naturalId")], &json!(2)));
    for body in ["", "{", "[]", "{\"id\": \"x\", \"source\": \"MARC\", \"naturalId\": \"1\"}", "{\"source\": {}}"] {
        let answer = all.client.malformed().send(http::Method::POST, PATH, Some(body.into())).await.expect(400);
        assert_eq!(refusal(&answer).1, "validation", "{body}");
    }
    let other = all.client.put(&path, &of(json!({"id": NOBODY}))).await.expect(422);
    assert_eq!(refusal(&other).0, format!("Request should have id = {}", id(&made)));
    assert_eq!(other.json()["errors"][0]["parameters"], json!([{"key": "id", "value": NOBODY}]));
    all.client.put(&path, &of(json!({}))).await.expect(422);
    let lost = all.client.put(&path, &of(json!({"id": made["id"], "sourceFileId": NOBODY}))).await.expect(404);
    assert_eq!(refusal(&lost).0, format!("Authority Source File with ID [{NOBODY}] was not found"));
    let wrong = all.client.get(&format!("{PATH}/x")).await.expect(400);
    assert_eq!(
        refusal(&wrong).0,
        "Method parameter 'id': Failed to convert value of type 'java.lang.String' to required type 'java.util.UUID'; \
         Invalid UUID string: x"
    );
    // The id of one that was deleted can be used again.
    all.client.delete(&path).await.expect(204);
    let again = all.client.create(PATH, &of(json!({"id": made["id"], "genreTerm": "Atlases"}))).await;
    assert_eq!((&again["id"], &again["_version"]), (&made["id"], &json!(0)));
    all.client.delete(&path).await.expect(204);
    let archive = all.client.get(&format!("{PATH}?deleted=true")).await.expect(200).json();
    assert_eq!((&archive["totalRecords"], &archive["authorities"][0]["genreTerm"]), (&json!(1), &json!("Atlases")));
}

#[tokio::test]
async fn deleted_authorities_are_kept_until_they_expire() {
    let all = Decided::new().await;
    let expire = || async {
        all.client.send(http::Method::POST, "/authority-storage/expire/authorities", None).await.expect(202);
        let archive = all.client.get(&format!("{PATH}?deleted=true")).await.expect(200).json();
        archive["totalRecords"].as_u64().expect("a number")
    };
    for name in ["Maps", "Charts"] {
        let made = all.authority(json!({"topicalTerm": name, "sourceFileId": LCSH})).await;
        all.client.delete(&format!("{PATH}/{}", id(&made))).await.expect(204);
        all.library.clock.advance(jiff::SignedDuration::from_hours(4 * 24));
    }
    let archive = all.client.get(&format!("{PATH}?deleted=true")).await.expect(200).json();
    assert_eq!((&archive["totalRecords"], &archive["authorities"][0]["topicalTerm"]), (&json!(2), &json!("Maps")));
    assert_eq!(all.client.get(PATH).await.expect(200).json()["totalRecords"], 0);
    assert_eq!(archive["authorities"][0]["_version"], 1);
    // The first was deleted eight days ago, the second four.
    assert_eq!(expire().await, 1);
    let setting = |value: Value| json!({"id": LCCN, "scope": "authority-storage", "key": "authority-archives-expiration", "value": value});
    let entries = all.client.with_header("x-okapi-permissions", "[\"mod-settings.global.write.authority-storage\"]");
    entries.post("/settings/entries", &setting(json!({"expirationEnabled": false}))).await.expect(204);
    all.library.clock.advance(jiff::SignedDuration::from_hours(24 * 24));
    assert_eq!(expire().await, 1);
    let path = format!("/settings/entries/{LCCN}");
    entries.put(&path, &setting(json!({"expirationEnabled": true, "retentionInDays": 30}))).await.expect(204);
    assert_eq!(expire().await, 1);
    entries.put(&path, &setting(json!({"expirationEnabled": true, "retentionInDays": 27}))).await.expect(204);
    assert_eq!(expire().await, 0);
}
