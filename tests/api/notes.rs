//! Notes, their types and links, and tags (docs/folio/notes-and-tags.md).

use serde_json::{Value, json};
use testkit::{Client, library};

async fn note_type(client: &Client, name: &str) -> String {
    let record = client.create("/note-types", &json!({"name": name})).await;
    record["id"].as_str().unwrap().to_owned()
}

fn note(kind: &str, title: &str, user: &str) -> Value {
    json!({"typeId": kind, "title": title, "domain": "users", "content": format!("<p>About {title}</p>"),
        "links": [{"id": user, "type": "user"}]})
}

fn titles(list: &Value) -> Vec<&str> {
    list["notes"].as_array().unwrap().iter().map(|note| note["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_note_shows_its_type_and_goes_with_its_last_link() {
    let library = library().await;
    let client = &library.open;
    let kind = note_type(client, "Desk note").await;
    let answer = client.post("/notes", &note(&kind, "First", "u1")).await.expect(201);
    let created = answer.json();
    assert_eq!(answer.round_trips(), 1);
    assert_eq!((&created["type"], &created["popUpOnUser"]), (&json!("Desk note"), &json!(false)));
    let path = format!("/notes/{}", created["id"].as_str().unwrap());
    assert_eq!(answer.header("location"), Some(path.as_str()));
    assert_eq!(client.get(&path).await.expect(200).json(), created);
    let mut changed = created.clone();
    changed["title"] = "Second".into();
    changed["unknown"] = true.into();
    client.put(&path, &changed).await.expect(204);
    assert_eq!(client.get(&path).await.json()["title"], "Second");
    let found = client.query("/notes", "title==second").await.expect(200).json();
    assert_eq!((titles(&found), &found["notes"][0]["type"]), (vec!["Second"], &json!("Desk note")));
    changed["links"] = json!([]);
    client.put(&path, &changed).await.expect(204);
    let gone = client.get(&path).await.expect(404).json();
    let id = created["id"].as_str().unwrap();
    assert_eq!(gone["errors"][0]["message"], format!("Note with ID [{id}] was not found"));
    assert_eq!(gone["errors"][0]["code"], "NOT_FOUND_ERROR");
    client.delete(&path).await.expect(404);
}

/// The page of a note says who made and changed it.
#[tokio::test]
async fn a_note_read_alone_names_people() {
    let library = library().await;
    let client = &library.open;
    let kind = note_type(client, "Desk note").await;
    let person = json!({"username": "ann", "personal": {"lastName": "Reader", "firstName": "Ann"}});
    let ann = client.create("/users", &person).await["id"].as_str().unwrap().to_owned();
    let answer =
        client.with_header("x-okapi-user-id", &ann).post("/notes", &note(&kind, "First", "u1")).await.expect(201);
    assert_eq!(answer.round_trips(), 1);
    let made = answer.json();
    let path = format!("/notes/{}", made["id"].as_str().unwrap());
    let read = client.get(&path).await.expect(200);
    assert_eq!((read.round_trips(), read.json()), (1, made.clone()));
    for who in ["created", "updated"] {
        assert_eq!(made["metadata"][format!("{who}ByUserId")], json!(ann));
        assert_eq!(made["metadata"][format!("{who}ByUsername")], "ann");
        assert_eq!(made["metadata"][format!("{who}By")], json!({"lastName": "Reader", "firstName": "Ann"}));
    }
    client.put(&path, &made).await.expect(204);
    let listed = client.query("/notes", "title==First").await.expect(200).json();
    assert_eq!(listed["notes"][0]["metadata"].get("createdByUsername"), None);
}

/// mod-notes finds notes by the names of its database.
#[tokio::test]
async fn notes_are_found_by_type_links_and_author() {
    let library = library().await;
    let client = &library.open;
    let (desk, urgent) = (note_type(client, "Desk note").await, note_type(client, "Urgent").await);
    let (one, two) = ("6b9a1bb0-0000-4000-8000-000000000001", "6b9a1bb0-0000-4000-8000-000000000002");
    let author = "6b9a1bb0-0000-4000-8000-000000000003";
    let mut alpha = note(&desk, "Alpha", one);
    alpha["links"] = json!([{"id": one, "type": "user"}, {"id": two, "type": "package"}]);
    client.with_header("x-okapi-user-id", author).post("/notes", &alpha).await.expect(201);
    client.create("/notes", &note(&urgent, "Beta", "6b9a1bb0-0000-4000-8000-000000000004")).await;
    for query in [
        format!("type.id = \"{desk}\""),
        "type.name = \"Desk note\"".to_owned(),
        "type.name == \"Desk note\"".to_owned(),
        format!("links.objectId = \"{one}\""),
        format!("links.objectId = \"{two}\""),
        "links.objectType = \"package\"".to_owned(),
        format!("createdBy = \"{author}\""),
    ] {
        let found = client.query("/notes", &query).await.expect(200).json();
        assert_eq!(titles(&found), ["Alpha"], "{query}");
    }
    let other = format!("links.objectId == {}", "6b9a1bb0-0000-4000-8000-000000000004");
    assert_eq!(titles(&client.query("/notes", &other).await.expect(200).json()), ["Beta"]);
}

#[tokio::test]
async fn a_note_runs_no_scripts() {
    let library = library().await;
    let client = &library.open;
    let kind = note_type(client, "Desk note").await;
    let mut sent = note(&kind, "First", "u1");
    sent["content"] = "<p onclick=\"x()\">Owes <strong>1</strong></p><script>x()</script>".into();
    let mut made = client.create("/notes", &sent).await;
    let kept = "<p>Owes <strong>1</strong></p>";
    assert_eq!(made["content"], kept);
    let path = format!("/notes/{}", made["id"].as_str().unwrap());
    made["content"] = format!("{kept}<iframe src=\"/\"></iframe>").into();
    client.put(&path, &made).await.expect(204);
    assert_eq!(client.get(&path).await.expect(200).json()["content"], kept);
}

#[tokio::test]
async fn an_invalid_note_is_refused_as_in_spring_modules() {
    let library = library().await;
    let client = &library.open;
    let nowhere = "11111111-2222-4333-8444-555555555555";
    let missing = client.post("/notes", &json!({"title": "t"})).await.expect(422).json();
    assert_eq!(missing["errors"][0]["code"], "VALIDATION_ERROR");
    let dangling = client.post("/notes", &note(nowhere, "t", "u")).await.expect(422);
    let expected = format!("Key (type_id)=({nowhere}) is not present in table \"type\".");
    assert_eq!(dangling.error_messages(), [expected]);
    client.query("/notes", "title=(").await.expect(422);
    let low = client.get("/note-links/domain/d/type/t/id/i?limit=-1&offset=-1").await;
    let messages = low.error_messages();
    for least in [".offset: must be greater than or equal to 0", ".limit: must be greater than or equal to 1"] {
        assert!(messages[0].contains(least), "{messages:?}");
    }
    client.get("/notes?query=").await.expect(200);
}

#[tokio::test]
async fn notes_are_linked_and_unlinked() {
    let library = library().await;
    let client = &library.open;
    let (general, urgent) = (note_type(client, "Desk note").await, note_type(client, "Urgent").await);
    let alpha = client.create("/notes", &note(&general, "Alpha", "u1")).await;
    library.clock.advance(jiff::SignedDuration::from_mins(1));
    client.create("/notes", &note(&urgent, "Beta 100%", "u1")).await;
    client.create("/notes", &note(&urgent, "Gamma", "u2")).await;
    let of = |rest: &str| format!("/note-links/domain/users/type/user/id/u1{rest}");
    for (rest, expected) in [
        ("?status=assigned&limit=10000&order=desc", vec!["Alpha", "Beta 100%"]),
        ("?status=unassigned", vec!["Gamma"]),
        ("", vec!["Alpha", "Beta 100%", "Gamma"]),
        ("?orderBy=title&order=desc", vec!["Gamma", "Beta 100%", "Alpha"]),
        ("?orderBy=noteType", vec!["Alpha", "Beta 100%", "Gamma"]),
        ("?status=assigned&orderBy=updatedDate", vec!["Beta 100%", "Alpha"]),
        ("?search=about%20alpha", vec!["Alpha"]),
        ("?search=100%25", vec!["Beta 100%"]),
        ("?search=%3Cp%3E", vec![]),
        ("?noteType=Urgent&noteType=Other&status=assigned", vec!["Beta 100%"]),
        ("?orderBy=title&limit=1&offset=1", vec!["Beta 100%"]),
    ] {
        let list = client.get(&of(rest)).await.expect(200);
        assert_eq!((titles(&list.json()), list.round_trips()), (expected, 1), "{rest}");
    }
    for wrong in ["?status=maybe", "?orderBy=colour", "?order=up"] {
        client.get(&of(wrong)).await.expect(422);
    }
    let change = |status: &str| json!({"notes": [{"id": alpha["id"], "status": status}]});
    let put = client.put("/note-links/type/user/id/u3", &change("ASSIGNED")).await.expect(204);
    assert_eq!(put.round_trips(), 1);
    client.put("/note-links/type/user/id/u1", &change("UNASSIGNED")).await.expect(204);
    let left = client.get(&of("?status=assigned")).await.json();
    assert_eq!((titles(&left), &left["totalRecords"]), (vec!["Beta 100%"], &json!(1)));
    client.put("/note-links/type/user/id/u3", &change("UNASSIGNED")).await.expect(204);
    client.get(&format!("/notes/{}", alpha["id"].as_str().unwrap())).await.expect(404);
    client.put("/note-links/type/user/id/u3", &json!({"notes": [{"id": "x"}]})).await.expect(422);
}

#[tokio::test]
async fn note_types_are_limited_and_cannot_be_deleted_in_use() {
    let library = library().await;
    let client = &library.open;
    let kind = note_type(client, "Desk note").await;
    let again = client.post("/note-types", &json!({"name": "Desk note"})).await.expect(422);
    assert_eq!(again.error_messages(), ["Key (name)=(Desk note) already exists."]);
    let path = format!("/note-types/{kind}");
    assert_eq!(client.get(&path).await.json()["usage"]["isAssigned"], false);
    client.create("/notes", &note(&kind, "n", "u")).await;
    assert_eq!(client.get("/note-types").await.json()["noteTypes"][1]["usage"]["isAssigned"], true);
    let used = client.delete(&path).await.expect(422);
    assert_eq!(used.error_messages(), [format!("Key (id)=({kind}) is still referenced from table \"note\".")]);
    for number in 1..24 {
        note_type(client, &format!("Type {number}")).await;
    }
    let full = client.post("/note-types", &json!({"name": "One more"})).await.expect(422);
    assert_eq!(full.error_messages(), ["Maximum number of note types allowed is 25"]);
    let limit = json!({"module": "NOTES", "configName": "note-type-limit", "value": "26"});
    client.create("/configurations/entries", &limit).await;
    note_type(client, "One more").await;
    let unused = client.query("/note-types", "name==\"Type 1\"").await.json();
    client.delete(&format!("/note-types/{}", unused["noteTypes"][0]["id"].as_str().unwrap())).await.expect(204);
}

#[tokio::test]
async fn a_new_library_has_folios_tags() {
    let library = library().await;
    let tags = library.open.get("/tags").await.expect(200).json();
    let tags = tags["tags"].as_array().expect("tags");
    let shown: Vec<_> = tags.iter().map(|tag| (&tag["label"], tag.get("description"))).collect();
    let urgent = json!("Requires urgent attention");
    assert_eq!(shown, [(&json!("important"), None), (&json!("urgent"), Some(&urgent))]);
    for tag in tags {
        let metadata = tag["metadata"].as_object().expect("metadata");
        let members: Vec<_> = metadata.keys().collect();
        assert_eq!(members, ["createdDate"]);
    }
}

#[tokio::test]
async fn tags_are_unique() {
    let library = library().await;
    let client = &library.open;
    let tag = client.create("/tags", &json!({"label": "fragile"})).await;
    let again = client.post("/tags", &json!({"label": "fragile"})).await.expect(422);
    assert_eq!(again.error_messages(), ["Key (label)=(fragile) already exists."]);
    for number in 0..11 {
        client.create("/tags", &json!({"label": number.to_string()})).await;
    }
    let all = client.get("/tags").await.expect(200).json();
    assert_eq!(all["tags"].as_array().unwrap().len(), 14);
    let path = format!("/tags/{}", tag["id"].as_str().unwrap());
    client.delete(&path).await.expect(204);
    let gone = client.get(&path).await.expect(404);
    assert!(gone.error_messages()[0].starts_with("Tag with id ["));
}
