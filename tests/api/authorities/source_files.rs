//! The files that authorities come from.

use super::*;

#[tokio::test]
async fn the_files_of_folio_are_there() {
    let all = Decided::new().await;
    let list = all.client.get(FILES).await.expect(200).json();
    assert_eq!(list["totalRecords"], 12);
    let names = all.client.get(&format!("{FILES}/{LCNAF}")).await.expect(200).json();
    assert_eq!(names["name"], "LC Name Authority file (LCNAF)");
    assert_eq!(
        (&names["codes"], &names["baseUrl"], &names["source"], &names["selectable"], &names["_version"]),
        (
            &json!(["n", "nb", "nr", "no", "ns"]),
            &json!("http://id.loc.gov/authorities/names/"),
            &json!("folio"),
            &json!(false),
            &json!(0)
        )
    );
    assert_eq!(all.client.query(FILES, "source==folio and type==Names").await.expect(200).json()["totalRecords"], 1);
}

#[tokio::test]
async fn a_file_of_the_librarys_own_gives_numbers() {
    let all = Decided::new().await;
    let sent = json!({"name": "Own", "code": "own", "type": "Names", "baseUrl": "https://www.example.org/own",
        "hridManagement": {"startNumber": 10}});
    let answer = all.client.post(FILES, &sent).await.expect(201);
    assert_eq!(answer.round_trips(), 1);
    let made = answer.json();
    assert_eq!(
        (&made["codes"], &made["baseUrl"], &made["source"], &made["selectable"], &made["hridManagement"]),
        (
            &json!(["own"]),
            &json!("https://example.org/own/"),
            &json!("local"),
            &json!(true),
            &json!({"startNumber": 10})
        )
    );
    let path = format!("{FILES}/{}", id(&made));
    let next = || async {
        let answer = all.client.send(http::Method::POST, &format!("{path}/hrid"), None).await.expect(200);
        assert_eq!((answer.round_trips(), &answer.json()["id"]), (1, &made["id"]));
        answer.json()["hrid"].as_str().expect("a number").to_owned()
    };
    assert_eq!((next().await, next().await), ("own10".to_owned(), "own11".to_owned()));
    let change = json!({"_version": 0, "name": "Own names", "code": "our", "selectable": false});
    assert_eq!(all.client.patch(&path, &change).await.expect(204).round_trips(), 2);
    assert_eq!(next().await, "our12");
    all.client
        .patch(&path, &json!({"_version": 1, "hridManagement": {"startNumber": 5}, "baseUrl": ""}))
        .await
        .expect(204);
    assert_eq!(next().await, "our5");
    let now = all.client.get(&path).await.expect(200).json();
    assert_eq!((&now["_version"], &now["name"], &now["codes"]), (&json!(2), &json!("Own names"), &json!(["our"])));
    assert_eq!((&now["selectable"], now.get("baseUrl"), &now["type"]), (&json!(false), None, &json!("Names")));
    let stale = all.client.patch(&path, &json!({"_version": 1, "name": "x"})).await.expect(409);
    assert_eq!(refusal(&stale).1, "optimistic locking");
    // A code that is free again can be taken.
    all.client.create(FILES, &json!({"name": "Other", "code": "own"})).await;
    for file in [LCSH, NOBODY] {
        let answer = all.client.send(http::Method::POST, &format!("{FILES}/{file}/hrid"), None).await;
        match file {
            LCSH => assert_eq!(
                refusal(&answer.expect(422)).0,
                format!(
                    "Cannot get next HRID for source file [id: {LCSH}, cause: source file doesn't support HRID generation]"
                )
            ),
            _ => assert_eq!(refusal(&answer.expect(404)).1, "not-found"),
        }
    }
    all.client.delete(&path).await.expect(204);
    let gone = (format!("Authority Source File with ID [{}] was not found", id(&made)), "not-found".to_owned());
    let change = json!({"_version": 1});
    for answer in [all.client.get(&path).await, all.client.delete(&path).await, all.client.patch(&path, &change).await]
    {
        assert_eq!(refusal(&answer.expect(404)), gone);
    }
}

#[tokio::test]
async fn names_addresses_and_codes_are_one_files_alone() {
    let all = Decided::new().await;
    let taken = json!({"id": NOBODY, "name": "Own", "code": "own", "baseUrl": "http://example.org/own/"});
    all.client.create(FILES, &taken).await;
    for (sent, status, message, code) in [
        (
            json!({"name": "Own", "code": "a"}),
            422,
            "Authority source file with the given 'name' already exists.",
            "104",
        ),
        (
            json!({"name": "A", "code": "a", "baseUrl": "https://example.org/own"}),
            422,
            "Authority source file with the given 'baseUrl' already exists.",
            "105",
        ),
        (
            json!({"name": "A", "code": "own"}),
            422,
            "Authority source file with the given 'code' already exists.",
            "106",
        ),
        (json!({"name": "A", "code": "nb"}), 422, "Authority source file with the given 'code' already exists.", "106"),
        (
            json!({"id": NOBODY, "name": "A", "code": "a"}),
            422,
            "Authority Source File with the given 'id' already exists.",
            "111",
        ),
        (
            json!({"name": "A", "code": "a1"}),
            422,
            "Authority Source File prefix should be non-empty sequence of letters",
            "validation",
        ),
        (json!({"name": "A"}), 422, "must not be null", "validation"),
        (json!({"name": "A", "code": ""}), 422, "size must be between 1 and 25", "validation"),
        (json!({"name": "A", "code": "a".repeat(26)}), 422, "size must be between 1 and 25", "validation"),
        (
            json!({"name": "A", "code": "a", "hridManagement": {"startNumber": -1}}),
            422,
            "must be greater than or equal to 0",
            "validation",
        ),
        (json!({"name": "A", "code": "a", "baseUrl": "example"}), 400, "URI is not absolute", "validation"),
        (json!({"name": "A", "code": "a", "baseUrl": "x://y"}), 422, "unknown protocol: x", "validation"),
    ] {
        let refused = all.client.malformed().post(FILES, &sent).await.expect(status);
        assert_eq!(refusal(&refused), (message.to_owned(), code.to_owned()), "{sent}");
    }
    let other = all.client.create(FILES, &json!({"name": "Other", "code": "other"})).await;
    let path = format!("{FILES}/{}", id(&other));
    for (sent, code) in [
        (json!({"_version": 0, "name": "Own"}), "104"),
        (json!({"_version": 0, "baseUrl": "http://example.org/own"}), "105"),
        (json!({"_version": 0, "code": "own"}), "106"),
        (json!({"name": "x"}), "validation"),
    ] {
        assert_eq!(refusal(&all.client.malformed().patch(&path, &sent).await.expect(422)).1, code, "{sent}");
    }
}

#[tokio::test]
async fn files_in_use_and_those_of_folio_stay() {
    let all = Decided::new().await;
    let path = format!("{FILES}/{LCSH}");
    let message = "Unable to patch. Authority source file source is FOLIO or it has authority references";
    for sent in [json!({"name": "x"}), json!({"code": "x"}), json!({"hridManagement": {"startNumber": 3}})] {
        let mut sent = sent;
        sent["_version"] = json!(0);
        assert_eq!(refusal(&all.client.patch(&path, &sent).await.expect(422)).0, message, "{sent}");
    }
    // All that stays is in one error.
    let sent = json!({"_version": 0, "name": "x", "code": "y", "hridManagement": {"startNumber": 3}});
    let kept = all.client.patch(&path, &sent).await.expect(422);
    assert_eq!(refusal(&kept).0, message);
    let parameters = [("name", "x"), ("code", "y"), ("hridManagement.startNumber", "3")];
    let parameters = parameters.map(|(key, value)| json!({"key": key, "value": value}));
    assert_eq!(kept.json()["errors"][0]["parameters"], json!(parameters));
    all.client.patch(&path, &json!({"_version": 0, "selectable": true})).await.expect(204);
    assert_eq!(all.client.get(&path).await.expect(200).json()["selectable"], true);
    // Deleted authorities do not change why.
    let authority = all.authority(json!({"topicalTerm": "Maps", "sourceFileId": LCSH})).await;
    all.client.delete(&format!("{PATH}/{}", id(&authority))).await.expect(204);
    let folios = all.client.delete(&path).await.expect(422);
    assert_eq!(refusal(&folios).0, "Cannot delete Authority source file with source 'folio'");
    assert_eq!(folios.json()["errors"][0]["parameters"], json!([{"key": "source", "value": "FOLIO"}]));

    let own = all.client.create(FILES, &json!({"name": "Own", "code": "own"})).await;
    let path = format!("{FILES}/{}", id(&own));
    let authority = all.authority(json!({"topicalTerm": "Maps", "sourceFileId": own["id"]})).await;
    let code = all.client.patch(&path, &json!({"_version": 0, "code": "x"})).await.expect(422);
    assert_eq!(refusal(&code).0, message);
    all.client.patch(&path, &json!({"_version": 0, "name": "Ours"})).await.expect(204);
    let used = all.client.delete(&path).await.expect(422);
    assert_eq!(refusal(&used).0, "Unable to delete. Authority source file has referenced authorities");
    all.client.delete(&format!("{PATH}/{}", id(&authority))).await.expect(204);
    let archived = all.client.delete(&path).await.expect(422);
    assert_eq!(
        refusal(&archived),
        (
            "Cannot complete operation on the entity due to it's relation with Authority Archive/Authority.".to_owned(),
            "113".to_owned()
        )
    );
}
