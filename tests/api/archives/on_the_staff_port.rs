//! The archives' API under `/archivesspace` on the staff port, where whoever is signed in to the library is signed in to
//! the archives, too.

use jiff::SignedDuration;
use testkit::library_with;

use super::*;

/// A client of the staff port with a token of the library.
async fn on_staff_port(library: &Library, username: &str) -> Client {
    staff_port(library).with_header("x-okapi-token", &token(library, username).await)
}

fn staff_port(library: &Library) -> Client {
    Client::new(&format!("{}/archivesspace", library.staff), &[]).of_archives()
}

async fn token(library: &Library, username: &str) -> String {
    let credentials = json!({"username": username, "password": PASSWORD});
    let answer = library.open.post("/authn/login", &credentials).await.expect(201);
    answer.header("x-okapi-token").expect("a token").to_owned()
}

#[tokio::test]
async fn a_user_of_the_library_is_a_user_of_the_archives() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    user(&archives.library, "mara", &[]).await;
    join(&archives, &repository, "repository-archivists", "mara").await;
    let mara = on_staff_port(&archives.library, "mara").await;
    let me = mara.get("/users/current-user").await.expect(200).json();
    let codes = me["permissions"][&repository].as_array().expect("codes");
    assert!(me["username"] == "mara" && codes.contains(&json!("update_resource_record")), "{me}");
    let made = mara.post(&format!("{repository}/resources"), &resource("1")).await.expect(200);
    let read = archives.get(&uri(&made)).await;
    assert_eq!((&read["title"], &read["created_by"]), (&json!("Papers 1"), &json!("mara")));
    let number = &me["uri"];
    let session = signed_in(&archives.library, "mara").await.get("/users/current-user").await.expect(200).json();
    assert_eq!(&session["uri"], number, "the same user on both ports");
}

#[tokio::test]
async fn what_groups_and_permissions_do_not_grant_is_refused() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    user(&archives.library, "clerk", &["circulation.all"]).await;
    let clerk = on_staff_port(&archives.library, "clerk").await;
    let refused = clerk.post(&format!("{repository}/resources"), &resource("1")).await.expect(403);
    assert_eq!(refused.json(), json!({"error": "Access denied"}));
    join(&archives, &repository, "repository-viewers", "clerk").await;
    clerk.get(&format!("{repository}/resources?all_ids=true")).await.expect(200);
    clerk.post(&format!("{repository}/resources"), &resource("1")).await.expect(403);
    // Who administers the library administers the archives.
    on_staff_port(&archives.library, "admin").await.get("/users?page=1").await.expect(200);
}

#[tokio::test]
async fn nobody_is_let_in_without_a_valid_token() {
    let archives = archives().await;
    let library = &archives.library;
    let gone = json!({"code": "SESSION_GONE", "error": "Nobody is signed in to the library, or not any more"});
    let cookie = format!("folioAccessToken={}", token(library, "admin").await);
    let of_archives = log_in(library, "admin", "password=a+good+long+password").await.json();
    let of_archives = of_archives["session"].as_str().expect("a session");
    for client in [
        staff_port(library),
        staff_port(library).with_header("x-okapi-token", "no token"),
        staff_port(library).with_header("cookie", &cookie),
        staff_port(library).with_header("x-archivesspace-session", of_archives),
    ] {
        assert_eq!(client.get("/users/current-user").await.expect(412).json(), gone);
        assert_eq!(client.get("/repositories").await.expect(412).json(), gone);
    }
    anonymous(library)
        .with_header("x-okapi-token", &token(library, "admin").await)
        .get("/users/current-user")
        .await
        .expect(404);
}

#[tokio::test]
async fn a_blocked_user_is_signed_out() {
    let archives = archives().await;
    let library = &archives.library;
    let id = user(library, "mara", &["perms.all"]).await;
    let mara = on_staff_port(library, "mara").await;
    mara.get("/users/current-user").await.expect(200);
    let mut blocked = library.open.get(&format!("/users/{id}")).await.expect(200).json();
    blocked["active"] = false.into();
    library.open.put(&format!("/users/{id}"), &blocked).await.expect(204);
    library.clock.advance(SignedDuration::from_secs(61));
    mara.get("/users/current-user").await.expect(412);
}

#[tokio::test]
async fn users_of_other_libraries_are_strangers() {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.archives_tenant = Some("test".to_owned());
    })
    .await;
    let archives = with_administrator(library).await;
    let library = &archives.library;
    let claims = identity::tokens::Claims::lasting("admin", Uuid::new_v4(), "other", (library.app.clock)());
    let stranger = staff_port(library).with_header("x-okapi-token", &library.app.keys.sign(&claims));
    let refused = stranger.get("/users?page=1").await.expect(403);
    assert_eq!(refused.json(), json!({"error": "These archives are another library's"}));
}

#[tokio::test]
async fn the_librarys_session_is_the_only_one() {
    let archives = archives().await;
    user(&archives.library, "mara", &[]).await;
    let admin = on_staff_port(&archives.library, "admin").await;
    let out = admin.send(Method::POST, "/logout", None).await.expect(200);
    assert_eq!(out.json(), json!({"status": "no_active_session"}));
    admin.send(Method::POST, "/users/mara/become-user", None).await.expect(403);
    admin.get("/users/current-user").await.expect(200);
}

/// What is known of a user is remembered for a moment, as on the archives' port.
#[tokio::test]
async fn a_user_who_was_there_a_moment_ago_is_not_read_again() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    let admin = on_staff_port(&archives.library, "admin").await;
    admin.get(&repository).await.expect(200);
    assert_eq!(admin.get(&repository).await.expect(200).round_trips(), 1);
}
