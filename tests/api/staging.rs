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
    assert_eq!((&created["status"], &created["isEmailVerified"]), (&json!("TIER-1"), &json!(false)));
    let external = created["externalSystemId"].as_str().unwrap();
    let mut change = staged();
    change["contactInfo"] = json!({"email": "other@library.example", "phone": "7"});
    let changed = client.put(&format!("/staging-users/{external}"), &change).await.expect(200).json();
    assert_eq!(changed["contactInfo"], json!({"email": "ann@library.example", "phone": "7"}));
    let unknown = client.put("/staging-users/nobody", &change).await.expect(404);
    assert_eq!(unknown.text, "No matching user found for update.");

    let merge = format!("/staging-users/{}/mergeOrCreateUser", created["id"].as_str().unwrap());
    let incomplete = client.put(&merge, &json!({})).await.expect(400);
    assert_eq!(incomplete.text, "unable to find address with home as address type");
    client.create("/addresstypes", &json!({"addressType": "Home"})).await;
    client.create("/groups", &json!({"group": "Remote Non-circulating"})).await;
    let stranger = Uuid::new_v4();
    let unknown = client.put(&format!("{merge}?userId={stranger}"), &json!({})).await.expect(404);
    assert_eq!(unknown.text, format!("user with id {stranger} not found"));
    let merged = client.put(&merge, &json!({})).await.expect(200);
    assert_eq!(merged.round_trips(), 2);
    let user = merged.json()["userId"].as_str().unwrap().to_owned();
    let user = client.get(&format!("/users/{user}")).await.expect(200).json();
    assert_eq!((&user["externalSystemId"], &user["personal"]["lastName"]), (&json!(external), &json!("Reader")));
    assert_eq!(user["personal"]["addresses"][0]["city"], "Town");
    assert_eq!(client.get("/staging-users").await.json()["totalRecords"], 0);
    client.put(&merge, &json!({})).await.expect(404);
}

/// Minors have a group of their own, and the group says when new and known patrons expire (mod-users 19.5.1, 19.5.2).
#[tokio::test]
async fn a_group_says_when_a_merged_patron_expires() {
    let library = library().await;
    let client = &library.open;
    client.create("/addresstypes", &json!({"addressType": "Home"})).await;
    let group =
        client.create("/groups", &json!({"group": "Remote Non-circulating", "expirationOffsetInDays": 30})).await;
    let merged = async |staged: &Value, known: &str| {
        let created = client.create("/staging-users", staged).await;
        let path = format!("/staging-users/{}/mergeOrCreateUser{known}", created["id"].as_str().unwrap());
        let merged = client.put(&path, &json!({})).await.expect(200);
        assert_eq!(merged.round_trips(), 2);
        let user = format!("/users/{}", merged.json()["userId"].as_str().unwrap());
        let user = client.get(&user).await.expect(200).json();
        let instant = |member: &str| user[member].as_str().unwrap().parse::<jiff::Timestamp>().unwrap();
        assert_eq!(user["enrollmentDate"], created["metadata"]["updatedDate"]);
        assert_eq!(instant("expirationDate").duration_since(instant("enrollmentDate")).as_hours(), 30 * 24);
        user
    };
    let user = merged(&staged(), "").await;
    assert_eq!(user["patronGroup"], group["id"]);
    let known = merged(&staged(), &format!("?userId={}", user["id"].as_str().unwrap())).await;
    assert_eq!(known["id"], user["id"]);

    let mut minor = staged();
    minor["minor"] = true.into();
    let created = client.create("/staging-users", &minor).await;
    assert_eq!(created["minor"], true);
    let path = format!("/staging-users/{}/mergeOrCreateUser", created["id"].as_str().unwrap());
    let refused = client.put(&path, &json!({})).await.expect(400);
    assert_eq!(refused.text, "unable to find patron group with Basic -- Minor (INTERNAL) as group");
    let minors =
        client.create("/groups", &json!({"group": "Basic -- Minor (INTERNAL)", "expirationOffsetInDays": 30})).await;
    let user = merged(&minor, &format!("?userId={}", user["id"].as_str().unwrap())).await;
    assert_eq!(user["patronGroup"], minors["id"]);
}

#[tokio::test]
async fn what_is_empty_in_a_change_of_a_staged_user_stays() {
    let library = library().await;
    let client = &library.open;
    let mut sent = staged();
    sent["preferredEmailCommunication"] = json!(["Programs", "Support"]);
    sent["generalInfo"]["middleName"] = json!("B");
    let created = client.create("/staging-users", &sent).await;
    let path = format!("/staging-users/{}", created["externalSystemId"].as_str().unwrap());
    let mut change = staged();
    change["preferredEmailCommunication"] = json!([]);
    let changed = client.put(&path, &change).await.expect(200).json();
    assert_eq!(changed["preferredEmailCommunication"], json!(["Programs", "Support"]));
    assert_eq!(changed["generalInfo"]["middleName"], "B");
    change["preferredEmailCommunication"] = json!(["Services"]);
    let changed = client.put(&path, &change).await.expect(200).json();
    assert_eq!(changed["preferredEmailCommunication"], json!(["Services"]));
}

#[tokio::test]
async fn staged_users_are_found_by_one_word() {
    let library = library().await;
    let client = &library.open;
    let mut ann = staged();
    ann["generalInfo"]["preferredFirstName"] = json!("Nan");
    ann["generalInfo"]["middleName"] = json!("Müller");
    ann["contactInfo"]["phone"] = json!("555-0100");
    ann["contactInfo"]["mobilePhone"] = json!("01729876");
    ann["preferredEmailCommunication"] = json!(["Programs"]);
    let ann = client.create("/staging-users", &ann).await;
    let mut bob = staged();
    bob["generalInfo"] = json!({"firstName": "Bob", "lastName": "Writer"});
    bob["contactInfo"] = json!({"email": "bob@library.example"});
    client.create("/staging-users", &bob).await;
    let own = |member: &str| ann[member].as_str().unwrap().to_owned();
    for term in ["ann", "nan", "muller", "read*", "555-0100", "0172*", "ann@library.example", "programs"]
        .map(str::to_owned)
        .into_iter()
        .chain([own("id"), own("externalSystemId")])
    {
        let found = client.query("/staging-users", &format!("keywords=\"{term}\"")).await.expect(200).json();
        assert_eq!((&found["totalRecords"], &found["staging_users"][0]["id"]), (&json!(1), &ann["id"]), "{term}");
    }
    for (term, number) in [("false", 2), ("town", 0)] {
        let found = client.query("/staging-users", &format!("keywords=\"{term}\"")).await.expect(200).json();
        assert_eq!(found["totalRecords"], number, "{term}");
    }
}

#[tokio::test]
async fn a_pin_is_verified() {
    let library = library().await;
    let client = &library.open;
    let id = Uuid::new_v4();
    let pin = |pin: &str| json!({"id": id, "pin": pin});
    client.post("/patron-pin/verify", &pin("1234")).await.expect(422);
    client.post("/patron-pin", &pin("1234")).await.expect(201);
    client.post("/patron-pin/verify", &pin("1234")).await.expect(200);
    client.post("/patron-pin/verify", &pin("4321")).await.expect(422);
    client.post("/patron-pin", &pin("4321")).await.expect(201);
    client.post("/patron-pin/verify", &pin("4321")).await.expect(200);
    let body = json!({"id": id}).to_string();
    send(&library, "DELETE", "/patron-pin", body.as_bytes()).await.expect(200);
    client.post("/patron-pin/verify", &pin("4321")).await.expect(422);
    client.post("/patron-pin", &json!({"id": "x", "pin": "1"})).await.expect(400);
}

const PICTURES: &str = "/users/profile-picture";
const PICTURE: &[u8] = b"\x89PNG and some more";
const NOT_WANTED: &str = "Profile picture feature is not enabled for tenant test";
const TOO_LARGE: &str = "Requested file size should be within allowed size updated in profile_picture configuration";
const NO_PICTURE: &str = "Requested image should be of supported type-[PNG,JPG,JPEG]";

/// Configures how the library keeps pictures.
async fn configure(library: &Library, members: Value) -> testkit::Answer {
    let entry = "/users/configurations/entry";
    let stored = library.open.get(entry).await.expect(200).json();
    let path = format!("{entry}/{}", stored["id"].as_str().unwrap());
    let mut sent = stored.as_object().unwrap().clone();
    sent.extend(members.as_object().unwrap().clone());
    library.open.put(&path, &Value::Object(sent)).await
}

/// The module's refusal: 500, with a sentence as unquoted JSON.
#[track_caller]
fn refused(answer: testkit::Answer, sentence: &str) {
    let answer = answer.expect(500);
    assert_eq!(answer.text, sentence);
    assert_eq!(answer.header("content-type"), Some("application/json"));
}

#[tokio::test]
async fn profile_pictures_are_stored_if_the_library_enables_them() {
    let library = library().await;
    let client = &library.open;
    configure(&library, json!({"enabled": true})).await.expect(204);
    let kept = send(&library, "POST", PICTURES, PICTURE).await.expect(201).json();
    let path = format!("{PICTURES}/{}", kept["id"].as_str().unwrap());
    let read = client.get(&path).await.expect(200).json();
    assert_eq!(read["profile_picture_blob"], "iVBORyBhbmQgc29tZSBtb3Jl");
    send(&library, "PUT", &path, b"\xff\xd8\xff\xe0 and another").await.expect(200);
    client.delete(&path).await.expect(204);
    assert_eq!(client.delete(&path).await.expect(404).text, "Profile picture not found");
    client.get(&path).await.expect(404);
}

#[tokio::test]
async fn the_configuration_of_profile_pictures_is_validated() {
    let library = library().await;
    let stored = library.open.get("/users/configurations/entry").await.json();
    assert_eq!((&stored["enabled"], &stored["maxFileSize"]), (&json!(false), &json!(4)));
    let large = configure(&library, json!({"maxFileSize": 14})).await;
    assert_eq!(large.expect(500).text, "Max file size should not exceed more than 10 megabytes");
    let key = json!({"encryptionKey": "other", "maxFileSize": 14});
    assert_eq!(configure(&library, key).await.expect(400).text, "Cannot update the Encryption key");
}

#[tokio::test]
async fn disabled_profile_pictures_are_not_stored_shown_or_deleted() {
    let library = library().await;
    configure(&library, json!({"enabled": true})).await.expect(204);
    let kept = send(&library, "POST", PICTURES, PICTURE).await.expect(201);
    let path = format!("{PICTURES}/{}", kept.json()["id"].as_str().unwrap());
    configure(&library, json!({"enabled": false})).await.expect(204);
    refused(send(&library, "POST", PICTURES, PICTURE).await, NOT_WANTED);
    refused(send(&library, "PUT", &path, PICTURE).await, NOT_WANTED);
    refused(library.open.get(&path).await, NOT_WANTED);
    refused(library.open.delete(&path).await, NOT_WANTED);
    // Whatever is in the place of the id.
    let no_id = format!("{PICTURES}/null");
    refused(send(&library, "PUT", &no_id, PICTURE).await, NOT_WANTED);
    refused(library.open.get(&no_id).await, NOT_WANTED);
    refused(library.open.delete(&no_id).await, NOT_WANTED);
    configure(&library, json!({"enabled": true})).await.expect(204);
    library.open.get(&path).await.expect(200);
    library.open.get(&no_id).await.expect(404);
}

/// The bytes are checked before the configuration.
#[tokio::test]
async fn profile_pictures_are_refused_in_the_modules_order() {
    let library = library().await;
    let path = format!("{PICTURES}/{}", Uuid::new_v4());
    let mut picture = PICTURE.to_vec();
    picture.resize(2_000, 0);
    for (method, path) in [("POST", PICTURES), ("PUT", &path)] {
        refused(send(&library, method, path, &vec![0; (10 << 20) + 1]).await, TOO_LARGE);
        refused(send(&library, method, path, b"").await, TOO_LARGE);
        refused(
            send(&library, method, path, b"\x89PNG").await,
            "failed to save profile picture Insufficient data provided to detect file type",
        );
        refused(send(&library, method, path, &[0; 20]).await, NO_PICTURE);
    }
    configure(&library, json!({"maxFileSize": 0.001})).await.expect(204);
    refused(send(&library, "POST", PICTURES, &picture).await, NOT_WANTED);
    configure(&library, json!({"enabled": true})).await.expect(204);
    for (method, path) in [("POST", PICTURES), ("PUT", &path)] {
        refused(send(&library, method, path, &picture).await, TOO_LARGE);
    }
    let absent = send(&library, "PUT", &path, PICTURE).await.expect(404);
    assert_eq!(absent.text, "Existing profile picture is not found");
}

#[tokio::test]
async fn the_users_module_has_settings_of_its_own() {
    let library = library().await;
    let client = &library.open;
    let setting = json!({"scope": "mod-users", "key": "k", "value": {"a": 1}});
    let created = client.create("/user/settings", &setting).await;
    let list = client.query("/user/settings", "key==k").await.expect(200).json();
    assert_eq!(list["settings"], json!([created]));
    let path = format!("/user/settings/{}", created["id"].as_str().unwrap());
    client.put(&path, &created).await.expect(204);
    client.delete(&path).await.expect(204);
}
