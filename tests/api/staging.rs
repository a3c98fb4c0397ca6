//! Staged users, PINs, profile pictures and settings of the users module (docs/folio/users.md#staged-users).

use serde_json::{Value, json};
use testkit::{Library, library};
use uuid::Uuid;

fn staged() -> Value {
    json!({"generalInfo": {"firstName": "Ann", "lastName": "Reader"}, "contactInfo": {"email": "ann@library.example"},
        "addressInfo": {"addressLine0": "Street 1", "city": "Town"}})
}

async fn send(library: &Library, method: &str, path: &str, body: &[u8]) -> testkit::Answer {
    let method = method.parse().expect("a method");
    library.open.send(method, path, Some(body.to_vec())).await
}

#[tokio::test]
async fn a_staged_user_becomes_a_patron() {
    let library = library().await;
    let client = &library.open;
    let created = client.create("/staging-users", &staged()).await;
    assert_eq!(
        (&created["status"], &created["isEmailVerified"]),
        (&json!("TIER-1"), &json!(false))
    );
    let external = created["externalSystemId"].as_str().unwrap();
    let mut change = staged();
    change["contactInfo"] = json!({"email": "other@library.example", "phone": "7"});
    let changed = client
        .put(&format!("/staging-users/{external}"), &change)
        .await
        .expect(200)
        .json();
    assert_eq!(
        changed["contactInfo"],
        json!({"email": "ann@library.example", "phone": "7"})
    );
    let unknown = client
        .put("/staging-users/nobody", &change)
        .await
        .expect(404);
    assert_eq!(unknown.text, "No matching user found for update.");

    let merge = format!(
        "/staging-users/{}/mergeOrCreateUser",
        created["id"].as_str().unwrap()
    );
    let incomplete = client.put(&merge, &json!({})).await.expect(400);
    assert_eq!(
        incomplete.text,
        "unable to find address with home as address type"
    );
    client
        .create("/addresstypes", &json!({"addressType": "Home"}))
        .await;
    client
        .create("/groups", &json!({"group": "Remote Non-circulating"}))
        .await;
    let stranger = Uuid::new_v4();
    let unknown = client
        .put(&format!("{merge}?userId={stranger}"), &json!({}))
        .await
        .expect(404);
    assert_eq!(unknown.text, format!("user with id {stranger} not found"));
    let merged = client.put(&merge, &json!({})).await.expect(200);
    assert_eq!(merged.round_trips(), 2);
    let user = merged.json()["userId"].as_str().unwrap().to_owned();
    let user = client
        .get(&format!("/users/{user}"))
        .await
        .expect(200)
        .json();
    assert_eq!(
        (&user["externalSystemId"], &user["personal"]["lastName"]),
        (&json!(external), &json!("Reader"))
    );
    assert_eq!(user["personal"]["addresses"][0]["city"], "Town");
    assert_eq!(client.get("/staging-users").await.json()["totalRecords"], 0);
    client.put(&merge, &json!({})).await.expect(404);
}

#[tokio::test]
async fn a_pin_is_verified() {
    let library = library().await;
    let client = &library.open;
    let id = Uuid::new_v4();
    let pin = |pin: &str| json!({"id": id, "pin": pin});
    client
        .post("/patron-pin/verify", &pin("1234"))
        .await
        .expect(422);
    client.post("/patron-pin", &pin("1234")).await.expect(201);
    client
        .post("/patron-pin/verify", &pin("1234"))
        .await
        .expect(200);
    client
        .post("/patron-pin/verify", &pin("4321"))
        .await
        .expect(422);
    client.post("/patron-pin", &pin("4321")).await.expect(201);
    client
        .post("/patron-pin/verify", &pin("4321"))
        .await
        .expect(200);
    let body = json!({"id": id}).to_string();
    send(&library, "DELETE", "/patron-pin", body.as_bytes())
        .await
        .expect(200);
    client
        .post("/patron-pin/verify", &pin("4321"))
        .await
        .expect(422);
    client
        .post("/patron-pin", &json!({"id": "x", "pin": "1"}))
        .await
        .expect(400);
}

#[tokio::test]
async fn profile_pictures_are_kept_when_the_library_wants_them() {
    let library = library().await;
    let client = &library.open;
    let entry = "/users/configurations/entry";
    let configuration = client.get(entry).await.expect(200).json();
    assert_eq!(
        (&configuration["enabled"], &configuration["maxFileSize"]),
        (&json!(false), &json!(4))
    );
    let picture = b"\x89PNG and some more";
    let off = send(&library, "POST", "/users/profile-picture", picture)
        .await
        .expect(400);
    assert_eq!(
        off.json(),
        "Profile picture feature is not enabled for tenant test"
    );

    let one = format!("{entry}/{}", configuration["id"].as_str().unwrap());
    let mut on = configuration.clone();
    on["enabled"] = true.into();
    on["maxFileSize"] = 11.into();
    client.put(&one, &on).await.expect(400);
    on["maxFileSize"] = 0.001.into();
    client.put(&one, &on).await.expect(204);
    let mut other_key = on.clone();
    other_key["encryptionKey"] = "other".into();
    assert_eq!(
        client.put(&one, &other_key).await.expect(400).text,
        "Cannot update the Encryption key"
    );

    let kept = send(&library, "POST", "/users/profile-picture", picture)
        .await
        .expect(201)
        .json();
    let path = format!("/users/profile-picture/{}", kept["id"].as_str().unwrap());
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["profile_picture_blob"], "iVBORyBhbmQgc29tZSBtb3Jl");
    send(&library, "PUT", &path, b"\xff\xd8\xff\xe0 other")
        .await
        .expect(200);
    send(&library, "PUT", &path, b"text").await.expect(400);
    send(&library, "POST", "/users/profile-picture", &[0xFF; 2_000])
        .await
        .expect(400);
    client.delete(&path).await.expect(204);
    assert_eq!(
        client.delete(&path).await.expect(404).text,
        "Profile picture not found"
    );
    client.get(&path).await.expect(404);
}

#[tokio::test]
async fn the_users_module_has_settings_of_its_own() {
    let library = library().await;
    let client = &library.open;
    let setting = json!({"scope": "mod-users", "key": "k", "value": {"a": 1}});
    let created = client.create("/user/settings", &setting).await;
    let list = client
        .query("/user/settings", "key==k")
        .await
        .expect(200)
        .json();
    assert_eq!(list["settings"], json!([created]));
    let path = format!("/user/settings/{}", created["id"].as_str().unwrap());
    client.put(&path, &created).await.expect(204);
    client.delete(&path).await.expect(204);
}
