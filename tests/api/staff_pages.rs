//! What FOLIO's own pages send when staff save something.

use serde_json::{Value, json};
use testkit::library;
use uuid::Uuid;

/// The pages send every field of a form, with empty texts for empty fields.
#[tokio::test]
async fn an_empty_date_of_a_form_is_no_date() {
    let library = library().await;
    let client = &library.open;
    let group = client.create("/groups", &json!({"group": "students"})).await;
    let user = json!({"username": "ada", "active": true, "patronGroup": group["id"], "expirationDate": "2030-01-01",
        "personal": {"lastName": "Example"}});
    let mut user = client.create("/users", &user).await;
    let path = format!("/users/{}", user["id"].as_str().expect("an id"));
    user["expirationDate"] = "".into();
    user["enrollmentDate"] = "".into();
    user["personal"]["dateOfBirth"] = "".into();
    client.put(&path, &user).await.expect(204);
    let stored = client.get(&path).await.expect(200).json();
    for gone in [&stored["expirationDate"], &stored["enrollmentDate"], &stored["personal"]["dateOfBirth"]] {
        assert_eq!(*gone, Value::Null);
    }

    let block = json!({"userId": user["id"], "desc": "Lost card", "type": "Manual", "expirationDate": "",
        "borrowing": true});
    let block = client.create("/manualblocks", &block).await;
    assert_eq!(block.get("expirationDate"), None);
}

/// `indexField` selects how a permission user is found for reading; replacing and deleting use the id.
#[tokio::test]
async fn a_permission_user_is_saved_by_its_id_whatever_the_index_field() {
    let library = library().await;
    let client = &library.open;
    let user = Uuid::new_v4();
    let sent = json!({"userId": user, "permissions": ["users.all"]});
    let created = client.create("/perms/users", &sent).await;
    let path = format!("/perms/users/{}?indexField=userId", created["id"].as_str().expect("an id"));
    let change = json!({"id": created["id"], "userId": user, "permissions": ["perms.all"]});
    let saved = client.put(&path, &change).await.expect(200).json();
    assert_eq!(saved["permissions"], json!(["perms.all"]));
    let of_user = format!("/perms/users/{user}?indexField=userId");
    client.put(&of_user, &change).await.expect(200);
    client.delete(&path).await.expect(204);
    client.get(&of_user).await.expect(404);
}

/// Where FOLIO's schema allows further members, they are kept; elsewhere they are refused.
#[tokio::test]
async fn members_beyond_the_schema_are_kept_where_folio_keeps_them() {
    let library = library().await;
    let client = &library.open;
    for (path, record) in [
        ("/identifier-types", json!({"name": "ISBN"})),
        ("/contributor-types", json!({"name": "a", "code": "b", "source": "local"})),
        ("/modes-of-issuance", json!({"name": "serial"})),
        ("/statistical-code-types", json!({"name": "a", "source": "local"})),
        ("/holdings-sources", json!({"name": "a"})),
        ("/groups", json!({"group": "staff"})),
    ] {
        let mut record = record;
        record["local"] = json!({"colour": "red"});
        let stored = client.create(path, &record).await;
        assert_eq!(stored["local"], record["local"], "{path}");
    }
    for (path, record) in [
        ("/material-types", json!({"name": "book"})),
        ("/call-number-types", json!({"name": "a", "source": "local"})),
        ("/addresstypes", json!({"addressType": "home"})),
    ] {
        let mut record = record;
        record["local"] = "red".into();
        client.post(path, &record).await.expect(422);
    }
}
