//! Log-in, sessions and rights (contract 1.1, 1.2).

use jiff::SignedDuration;

use testkit::library_with;

use super::*;

#[tokio::test]
async fn a_log_in_answers_with_a_session_and_the_user() {
    let Archives { library, .. } = archives().await;
    let answer = log_in(&library, "ADMIN", "password=a+good+long+password&expiring=False").await.expect(200).json();
    let secret = answer["session"].as_str().expect("a session");
    assert!(secret.len() == 64 && secret.chars().all(|c| c.is_ascii_hexdigit()), "{secret}");
    assert_eq!(answer["expire_after_seconds"], 604_800);
    let user = &answer["user"];
    assert_eq!((&user["username"], &user["name"]), (&json!("admin"), &json!("Archivist")));
    assert_eq!(user["is_admin"], true);
    assert!(user["permissions"]["/repositories/1"].as_array().is_some_and(|codes| codes.len() > 50), "{user}");
    let expiring = log_in(&library, "admin", "password=a+good+long+password").await.expect(200).json();
    assert_eq!(expiring.get("expire_after_seconds"), None);
}

#[tokio::test]
async fn what_is_wrong_with_a_log_in_is_not_told() {
    let Archives { library, .. } = archives().await;
    for username in ["admin", "nobody"] {
        let refused = log_in(&library, username, "password=wrong").await.expect(403);
        assert_eq!(refused.json(), json!({"error": "Login failed"}));
    }
    let strange = log_in(&library, "a%25b", "password=x").await.expect(400);
    assert_eq!(strange.json(), json!({"error": "Invalid username"}));
    let without = log_in(&library, "admin", "").await.expect(400);
    assert_eq!(without.json(), json!({"error": {"password": ["Parameter required but no value provided"]}}));
}

#[tokio::test]
async fn the_password_may_be_in_the_query() {
    let Archives { library, .. } = archives().await;
    let path = "/users/admin/login?password=a%20good%20long%20password";
    let answer = anonymous(&library).send(Method::POST, path, None).await.expect(200);
    assert_eq!(answer.json()["user"]["username"], "admin");
}

/// ArchivesSpace's staff application escapes what it puts behind the address of a type.
#[tokio::test]
async fn slashes_in_addresses_may_be_escaped() {
    let Archives { library, admin } = archives().await;
    let form = format!("password={}", PASSWORD.replace(' ', "+"));
    for path in ["/users/admin%2Flogin", "/users/admin%2flogin/", "//users//admin/login"] {
        let client = anonymous(&library).with_header("content-type", "application/x-www-form-urlencoded");
        let answer = client.send(Method::POST, path, Some(form.clone().into())).await.expect(200);
        assert_eq!(answer.json()["user"]["username"], "admin", "{path}");
    }
    let lists = admin.get("/config/enumerations/%2Fnames%2Farchival_record_level").await.expect(200).json();
    assert_eq!(lists["name"], "archival_record_level");
    admin.get("/%2F").await.expect(200);
    admin.get("/config%2Fnone").await.expect(404);
}

#[tokio::test]
async fn the_password_may_be_in_a_form_of_parts() {
    let Archives { library, .. } = archives().await;
    let client = anonymous(&library).with_header("content-type", "multipart/form-data; boundary=xx");
    let field = format!("--xx\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n{PASSWORD}\r\n--xx--\r\n");
    let answer = client.send(Method::POST, "/users/admin/login", Some(field.into())).await.expect(200);
    assert_eq!(answer.json()["user"]["username"], "admin");
    client.send(Method::POST, "/users/admin/login", Some("--xx\r\n".into())).await.expect(400);
}

#[tokio::test]
async fn a_session_that_is_over_is_told_from_one_that_never_was() {
    let Archives { library, admin } = archives().await;
    let stranger = anonymous(&library).with_header("x-archivesspace-session", "0123");
    assert_eq!(
        stranger.get("/repositories").await.expect(412).json(),
        json!({"code": "SESSION_GONE", "error": "No session found for 0123"})
    );
    // Before anything is looked for.
    stranger.get("/nothing").await.expect(412);
    // ArchivesSpace takes underscores for hyphens.
    let stranger = anonymous(&library).with_header("x_archivesspace_session", "4567");
    assert_eq!(stranger.get("/repositories").await.expect(412).json()["error"], "No session found for 4567");
    let lasting = log_in(&library, "admin", "password=a+good+long+password&expiring=false").await.json();
    let lasting =
        anonymous(&library).with_header("x-archivesspace-session", lasting["session"].as_str().expect("a session"));
    // Each use renews a session.
    for _ in 0..3 {
        library.clock.advance(SignedDuration::from_mins(50));
        admin.get("/users/current-user").await.expect(200);
    }
    library.clock.advance(SignedDuration::from_mins(61));
    let over = admin.get("/users/current-user").await.expect(412).json();
    assert_eq!(over["code"], "SESSION_EXPIRED");
    assert_eq!(admin.get("/users/current-user").await.expect(412).json()["code"], "SESSION_GONE");
    lasting.get("/users/current-user").await.expect(200);
    library.clock.advance(SignedDuration::from_hours(7 * 24 + 1));
    assert_eq!(lasting.get("/users/current-user").await.expect(412).json()["code"], "SESSION_EXPIRED");
}

#[tokio::test]
async fn a_client_whose_session_is_over_can_sign_in_with_its_header_set() {
    let Archives { library, .. } = archives().await;
    let stale = anonymous(&library).with_header("x-archivesspace-session", "0123");
    let stale = stale.with_header("content-type", "application/x-www-form-urlencoded");
    let form = Some("password=a+good+long+password".into());
    stale.send(Method::POST, "/users/admin/login", form).await.expect(200);
}

#[tokio::test]
async fn a_log_out_ends_the_session() {
    let Archives { library, admin } = archives().await;
    assert_eq!(admin.get("/users/current-user").await.expect(200).json()["username"], "admin");
    let out = admin.send(Method::POST, "/logout", None).await.expect(200);
    assert_eq!(out.json(), json!({"status": "session_logged_out"}));
    admin.get("/users/current-user").await.expect(412);
    let anonymous = anonymous(&library);
    let none = anonymous.send(Method::POST, "/logout", None).await.expect(200);
    assert_eq!(none.json(), json!({"status": "no_active_session"}));
    let nobody = anonymous.get("/users/current-user").await.expect(404).json();
    assert_eq!(nobody, json!({"error": "NotFoundException"}));
}

#[tokio::test]
async fn a_blocked_user_has_no_session() {
    let Archives { library, admin } = archives().await;
    let id = admin.get("/users/current-user").await.expect(200).json();
    assert_eq!(id["is_admin"], true);
    let found = library.open.query("/users", "username==admin").await.expect(200).json()["users"][0].clone();
    let mut blocked = found.clone();
    blocked["active"] = false.into();
    let path = format!("/users/{}", found["id"].as_str().expect("an id"));
    library.open.put(&path, &blocked).await.expect(204);
    library.clock.advance(SignedDuration::from_secs(61));
    assert_eq!(admin.get("/users/current-user").await.expect(412).json()["code"], "SESSION_GONE");
}

#[tokio::test]
async fn who_has_no_rights_is_refused() {
    let archives = archives().await;
    let repository = archives.repository("A").await;
    user(&archives.library, "visitor", &[]).await;
    let visitor = signed_in(&archives.library, "visitor").await;
    for client in [anonymous(&archives.library), visitor] {
        let listed = client.get(&format!("{repository}/resources?all_ids=true")).await.expect(403);
        assert_eq!(listed.json(), json!({"error": "Access denied"}));
        client.post("/repositories", &json!({"repo_code": "B", "name": "B"})).await.expect(403);
        // Repositories are public.
        assert_eq!(texts(&client.get("/repositories").await.expect(200).json(), "repo_code"), ["A"]);
    }
}

#[tokio::test]
async fn a_listed_permission_has_its_level() {
    let Archives { library: _running, admin } = archives().await;
    let of_repositories = admin.get("/permissions?level=repository").await.expect(200).json();
    assert!(texts(&of_repositories, "permission_code").contains(&"view_repository".to_owned()));
    assert!(texts(&of_repositories, "level").iter().all(|level| level == "repository"));
    admin.get("/permissions?level=other").await.expect(400);
    assert_eq!(admin.get("/schemas/resource").await.expect(200).json()["uri"], "/repositories/:repo_id/resources");
    admin.get("/schemas/shelf").await.expect(404);
    assert_eq!(admin.get("/version").await.expect(200).text, "ArchivesSpace (v4.2.1)");
}

/// As on the FOLIO port.
#[tokio::test]
async fn whoever_is_refused_for_now_is_told_when_to_come_again() {
    let library = library_with(|settings| settings.archives_tenant = Some("nowhere".to_owned())).await;
    let refused = anonymous(&library).get("/version").await.expect(503);
    assert_eq!(refused.header("retry-after"), Some("2"));
    let text = "The library of the setting archives_tenant does not exist";
    assert_eq!(refused.json(), json!({"error": text}));
}
