//! Types of notes.

use super::*;

const TYPES: &str = "/authority-note-types";

#[tokio::test]
async fn types_of_notes_are_kept() {
    let all = Decided::new().await;
    let list = all.client.get(TYPES).await.expect(200).json();
    assert_eq!(list["totalRecords"], 1);
    assert_eq!(
        (
            &list["authorityNoteTypes"][0]["id"],
            &list["authorityNoteTypes"][0]["name"],
            &list["authorityNoteTypes"][0]["source"]
        ),
        (&json!("76c74801-afec-45a0-aad7-3ff23591e147"), &json!("Nonpublic general note"), &json!("folio"))
    );
    let mut made = all.client.create(TYPES, &json!({"name": "Own", "source": "local"})).await;
    let path = format!("{TYPES}/{}", id(&made));
    made["name"] = json!("Own note");
    assert_eq!(all.client.put(&path, &made).await.expect(204).round_trips(), 1);
    assert_eq!(all.client.get(&path).await.expect(200).json()["name"], "Own note");
    assert_eq!(all.client.query(TYPES, "name==\"Own note\"").await.expect(200).json()["totalRecords"], 1);
    let taken = ("Authority note type with the given 'name' already exists.".to_owned(), "107".to_owned());
    let other = json!({"name": "Nonpublic general note", "source": "local"});
    assert_eq!(refusal(&all.client.post(TYPES, &other).await.expect(422)), taken);
    let again = json!({"id": made["id"], "name": "x", "source": "local"});
    let unknown = ("Unknown constraint.".to_owned(), "-1".to_owned());
    assert_eq!(refusal(&all.client.post(TYPES, &again).await.expect(422)), unknown);
    for (query, found) in [("createdDate>2020-01-01T00:00:00.0", 2), ("createdDate>2200-01-01T00:00:00.0", 0)] {
        assert_eq!(all.client.query(TYPES, query).await.expect(200).json()["totalRecords"], found, "{query}");
    }
    made["name"] = other["name"].clone();
    assert_eq!(refusal(&all.client.put(&path, &made).await.expect(422)), taken);
    assert_eq!(
        refusal(&all.client.malformed().post(TYPES, &json!({"name": "x"})).await.expect(422)).0,
        "must not be null"
    );
    let differs = all.client.put(&path, &json!({"id": NOBODY, "name": "x", "source": "local"})).await.expect(422);
    assert_eq!(refusal(&differs).0, format!("Request should have id = {}", id(&made)));
    all.client.delete(&path).await.expect(204);
    let lost = json!({"id": made["id"], "name": "x", "source": "local"});
    for answer in [all.client.get(&path).await, all.client.delete(&path).await, all.client.put(&path, &lost).await] {
        let not_found = (format!("Authority Note Type with ID [{}] was not found", id(&made)), "not-found".to_owned());
        assert_eq!(refusal(&answer.expect(404)), not_found);
    }
}
