use http::Method;
use serde_json::{Value, json};
use store::collection::Collection;
use testkit::library;

/// A body that satisfies the declaration of a plain collection.
fn body(collection: &Collection) -> serde_json::Value {
    let required = collection.schema.fields().iter().filter(|field| field.required);
    required.map(|field| (field.name.clone(), json!("local"))).collect::<serde_json::Map<_, _>>().into()
}

#[tokio::test]
async fn every_plain_collection_keeps_records_known_by_name() {
    let library = library().await;
    let c = &library.open;
    let plain = |collection: &Collection| {
        let offers_all = !collection.without.iter().any(|method| ["list", "post"].contains(method));
        offers_all && collection.references.is_empty() && !collection.path.contains("storage")
    };
    let collections: Vec<_> = inventory::collections::collections().into_iter().filter(plain).collect();
    assert!(collections.len() > 20, "{}", collections.len());
    for collection in collections {
        let record = c.create(collection.path, &body(&collection)).await;
        let refused = c.post(collection.path, &body(&collection)).await;
        match collection.table {
            table if collection.database_words => {
                let refused = refused.expect(400).text;
                let start = format!("duplicate key value violates unique constraint \"{table}_");
                assert!(refused.starts_with(&start) && refused.ends_with("=(local) already exists."), "{refused}");
                let same = c.post(collection.path, &record).await.expect(400).text;
                assert!(same.starts_with(&start), "{same}");
            }
            table => {
                let refused = refused.expect(422);
                let text = format!("value already exists in table {table}: local");
                assert!(refused.error_messages()[0].ends_with(&text), "{}", refused.text);
            }
        }
        let listed = c.get(collection.path).await.expect(200).json();
        assert_eq!(listed[collection.list], json!([record]), "{}", collection.path);
        assert_eq!(listed["totalRecords"], 1);
    }
}

#[tokio::test]
async fn call_number_types_of_the_system_stay() {
    let library = library().await;
    let c = &library.open;
    let path = "/call-number-types";
    for (source, refused) in [("system", true), ("local", false)] {
        let mut record = c.create(path, &json!({"name": source, "source": source})).await;
        let one = format!("{path}/{}", record["id"].as_str().unwrap());
        record["name"] = json!("changed");
        let (put, deleted) = (c.put(&one, &record).await, c.delete(&one).await);
        if refused {
            assert_eq!(put.expect(400).text, "System call number type couldn't be updated");
            assert_eq!(deleted.expect(400).text, "System call number type couldn't be deleted");
        } else {
            put.expect(204);
            deleted.expect(204);
        }
    }
    c.delete(&format!("{path}/11111111-1111-4111-8111-111111111111")).await.expect(404);
}

#[tokio::test]
async fn a_relationship_to_nothing_is_refused_as_text() {
    let library = library().await;
    let none = "11111111-1111-4111-8111-111111111111";
    let sent = json!({"superInstanceId": none, "subInstanceId": none, "instanceRelationshipTypeId": none});
    let refused = library.open.post("/instance-storage/instance-relationships", &sent).await.expect(400).text;
    assert!(refused.starts_with("Cannot set instance_relationship."), "{refused}");
}

#[tokio::test]
async fn a_statistical_code_has_a_name_and_a_code_of_its_own() {
    let library = library().await;
    let c = &library.open;
    let of = async |name: &str| c.create("/statistical-code-types", &json!({"name": name, "source": "local"})).await;
    let (serials, books) = (of("Serials").await, of("Books").await);
    let code = |code: &str, name: &str, of: &Value| json!({"code": code, "name": name, "statisticalCodeTypeId": of["id"], "source": "local"});
    c.create("/statistical-codes", &code("one", "Statistical code", &serials)).await;
    let taken = "duplicate key value violates unique constraint";
    for (again, constraint) in [
        (code("two", "STATISTICAL CODE", &books), "statistical_code_name_idx_unique"),
        (code("ONE", "Another", &serials), "statistical_code_code_statisticalcodetypeid_idx_unique"),
    ] {
        let refused = c.post("/statistical-codes", &again).await.expect(400).text;
        assert!(refused.starts_with(&format!("{taken} \"{constraint}\": Key (lower(f_unaccent(")), "{refused}");
        assert!(refused.ends_with(" already exists."), "{refused}");
    }
    c.create("/statistical-codes", &code("one", "Statistical code 2", &books)).await;
}

#[tokio::test]
async fn sources_of_folio_are_protected() {
    let library = library().await;
    let c = &library.open;
    let folio = c.create("/holdings-sources", &json!({"name": "FOLIO", "source": "folio"})).await;
    let path = format!("/holdings-sources/{}", folio["id"].as_str().unwrap());
    let refused = c.delete(&path).await.expect(400);
    assert_eq!(refused.text, "Holdings Records Sources with source of folio can not be deleted");
    for path in ["/subject-types", "/subject-sources"] {
        for (source, message) in [
            ("folio", "Illegal operation: Source field cannot be set to folio"),
            ("consortium", "Illegal operation: Source consortium cannot be applied at non-consortium tenant"),
        ] {
            let refused = c.post(path, &json!({"name": "n", "source": source})).await.expect(422);
            assert_eq!(refused.error_messages(), [message]);
        }
        let local = c.create(path, &json!({"name": "n", "source": "local"})).await;
        let path = format!("{path}/{}", local["id"].as_str().unwrap());
        for (source, message) in [
            ("folio", "Illegal operation: Source field cannot be set to folio"),
            ("consortium", "Illegal operation: Source field cannot be updated at non-consortium tenant"),
        ] {
            let refused = c.put(&path, &json!({"name": "m", "source": source})).await.expect(422);
            assert_eq!(refused.error_messages(), [message]);
        }
        c.put(&path, &json!({"name": "m", "source": "local"})).await.expect(204);
    }
}

#[tokio::test]
async fn a_changed_type_keeps_the_id_of_its_path() {
    let library = library().await;
    let c = &library.open;
    for (path, status) in [("/loan-types", 204), ("/call-number-types", 204), ("/instance-note-types", 422)] {
        let mut record = c.create(path, &json!({"name": "a", "source": "local"})).await;
        let path = format!("{path}/{}", record["id"].as_str().expect("an id"));
        record["name"] = "b".into();
        let mut sent = record.clone();
        // A published load script sends its own placeholder.
        sent["id"] = "{{typeId}}".into();
        c.malformed().put(&path, &sent).await.expect(status);
        let shown = c.get(&path).await.expect(200).json();
        assert_eq!((&shown["id"], &shown["name"]), (&record["id"], &json!(if status == 204 { "b" } else { "a" })));
    }
}

#[tokio::test]
async fn modules_of_the_builder_ignore_what_follows_a_record() {
    let library = library().await;
    let c = library.open.malformed();
    let body = |name: &str, more: &str| Some(format!("{{\"name\": \"{name}\"}}{more}").into_bytes());
    c.send(Method::POST, "/loan-types", body("a", " ], \"totalRecords\": 1}")).await.expect(201);
    c.send(Method::POST, "/loan-types", body("b", "")).await.expect(201);
    c.send(Method::POST, "/loan-types", Some("// none\n{\"name\": \"c\"}".into())).await.expect(400);
    assert_eq!(c.get("/loan-types").await.expect(200).json()["totalRecords"], 2);
}
