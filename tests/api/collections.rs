//! What every declared collection does (docs/folio/conventions.md#the-five-routes), shown with material types.

use serde_json::json;
use testkit::library;

#[tokio::test]
async fn a_record_is_created_read_replaced_and_deleted() {
    let library = library().await;
    let client = &library.open;
    let answer = client.post("/material-types", &json!({"name": "book"})).await.expect(201);
    let record = answer.json();
    let id = record["id"].as_str().unwrap();
    assert_eq!(answer.header("location"), Some(&*format!("/material-types/{id}")));
    assert_eq!(answer.round_trips(), 1);
    assert!(record["metadata"]["createdDate"].as_str().unwrap().ends_with("+00:00"));

    let path = format!("/material-types/{id}");
    let read = client.get(&path).await.expect(200);
    assert_eq!((read.json(), read.round_trips()), (record.clone(), 1));

    library.clock.advance(jiff::SignedDuration::from_mins(5));
    let put = client.put(&path, &json!({"id": id, "name": "Book"})).await.expect(204);
    assert_eq!((put.text.as_str(), put.round_trips()), ("", 1));
    let changed = client.get(&path).await.json();
    assert_eq!(changed["name"], "Book");
    assert_eq!(changed["metadata"]["createdDate"], record["metadata"]["createdDate"]);
    assert_ne!(changed["metadata"]["updatedDate"], record["metadata"]["updatedDate"]);

    client.delete(&path).await.expect(204);
    assert_eq!(client.get(&path).await.expect(404).text, "Not found");
    assert_eq!(client.delete(&path).await.expect(404).text, "Not found");
    assert_eq!(client.put(&path, &json!({"name": "x"})).await.expect(404).text, "Not found");
}

#[tokio::test]
async fn a_second_record_with_the_same_name_is_refused() {
    let library = library().await;
    let client = &library.open;
    client.create("/material-types", &json!({"name": "Café"})).await;
    let other = client.create("/material-types", &json!({"name": "other"})).await;
    let message = "lower(f_unaccent(jsonb ->> 'name'::text)) value already exists in table material_type: cafe";
    let refused = client.post("/material-types", &json!({"name": "CAFE"})).await.expect(422);
    assert_eq!(
        refused.json(),
        json!({"errors": [{"message": message, "type": "1", "code": "-1", "parameters":
            [{"key": "lower(f_unaccent(jsonb ->> 'name'::text))", "value": "cafe"}]}]})
    );
    let id = other["id"].as_str().unwrap();
    let put = client.put(&format!("/material-types/{id}"), &json!({"name": "CAFE"})).await;
    assert_eq!(put.expect(400).text, message);
    let again = client.post("/material-types", &json!({"id": id, "name": "third"})).await.expect(422);
    assert_eq!(again.error_messages(), [format!("id value already exists in table material_type: {id}")]);
}

#[tokio::test]
async fn schema_violations_are_worded_as_in_folio() {
    let library = library().await;
    let client = &library.open;
    let missing = client.post("/material-types", &json!({})).await.expect(422);
    assert_eq!(
        missing.json()["errors"][0],
        json!({"message": "must not be null", "type": "1",
            "code": "jakarta.validation.constraints.NotNull.message",
            "parameters": [{"key": "name", "value": "null"}]})
    );
    let unknown = client.post("/material-types", &json!({"name": "a", "x": 1})).await.expect(422);
    assert!(unknown.error_messages()[0].starts_with("Unrecognized field \"x\""));
    for body in [&b"{"[..], b"[]", b"{\"name\": \"a\\u0000b\"}", b"\xff\xfe", b""] {
        let answer = client.send("POST".parse().unwrap(), "/material-types", Some(body.to_vec())).await;
        answer.expect(400);
    }
}

#[tokio::test]
async fn an_invalid_id_is_refused() {
    let library = library().await;
    let client = &library.open;
    assert!(client.get("/material-types/x").await.expect(404).text.starts_with("Invalid UUID"));
    assert!(client.delete("/material-types/x").await.expect(400).text.starts_with("Invalid UUID"));
    let put = client.put("/material-types/x", &json!({"name": "a"})).await;
    assert!(put.expect(400).text.starts_with("Invalid UUID"));
}

#[tokio::test]
async fn lists_have_records_and_their_total() {
    let library = library().await;
    let client = &library.open;
    for name in ["a", "b", "c"] {
        client.create("/material-types", &json!({"name": name})).await;
    }
    let list = client.get("/material-types?limit=2").await.expect(200);
    assert_eq!(list.round_trips(), 1);
    let list = list.json();
    assert_eq!(list["mtypes"].as_array().unwrap().len(), 2);
    assert_eq!(list["totalRecords"], 3);
    assert_eq!(list.as_object().unwrap().keys().collect::<Vec<_>>(), ["mtypes", "totalRecords"]);
    for bad in ["limit=-1", "limit=x", "offset=-1", "limit=2147483648"] {
        client.get(&format!("/material-types?{bad}")).await.expect(400);
    }
}

/// Pages of more than a thousand records are not assembled by the database, but must look the same.
#[tokio::test]
async fn large_pages_are_the_same_record_by_record() {
    let library = library().await;
    let client = &library.open;
    for number in 0..90 {
        let name = format!("{number:02} {}", "x".repeat(1_000));
        client.create("/material-types", &json!({"name": name})).await;
    }
    for path in [
        "/material-types?",
        "/material-types?query=name=0*",
        "/material-types?query=name=\"\" sortby name/sort.descending",
        "/material-types?query=name==nothing",
        "/material-types?query=id==00000000-0000-4000-8000-000000000000",
        "/material-types?offset=80",
        "/material-types?offset=90",
        "/material-types?offset=5000",
        "/material-types?totalRecords=none",
        "/users?",
    ] {
        let page = async |limit| {
            let answer = client.get(&format!("{path}&limit={limit}")).await;
            let answer = answer.expect(200);
            assert_eq!(answer.round_trips(), 1, "{path}");
            assert_eq!(answer.header("content-type"), Some("application/json"));
            answer.text
        };
        assert_eq!(page(10_001).await, page(1_000).await, "{path}");
    }
    for bad in ["limit=5000&offset=-1", "limit=5000&query=name=="] {
        let answer = client.get(&format!("/material-types?{bad}")).await;
        answer.expect(400);
    }
}

#[tokio::test]
async fn unindexed_terms_are_limited() {
    let library = library().await;
    let ask = async |count: usize| {
        let terms: Vec<_> = (0..count).map(|n| format!("identifiers>a{n}")).collect();
        let path = format!("/instance-storage/instances?query={}", terms.join(" and "));
        library.open.get(&path).await
    };
    ask(40).await.expect(200);
    let refused = ask(41).await.expect(400).text;
    assert!(refused.contains("no index serves (41, at most 40)"), "{refused}");
    assert!(refused.contains("ask in several queries"), "{refused}");
}
