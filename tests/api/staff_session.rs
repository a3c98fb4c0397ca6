//! `/session` of the staff port, and the requests of its pages: an HttpOnly cookie says who makes them, and only those
//! of the port's own pages.

use http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use testkit::{Answer, Client, Library, library};
use uuid::Uuid;

const PASSWORD: &str = "a good long password";

async fn user(library: &Library, username: &str, permissions: &[&str]) -> Uuid {
    let id = Uuid::new_v4();
    let personal = json!({"lastName": "Reading", "firstName": "Mara"});
    library.open.create("/users", &json!({"id": id, "username": username, "active": true, "personal": personal})).await;
    let credentials = json!({"username": username, "password": PASSWORD});
    library.open.post("/authn/credentials", &credentials).await.expect(201);
    library.open.create("/perms/users", &json!({"userId": id, "permissions": permissions})).await;
    id
}

/// A client that sends what a page of the staff port sends.
fn page(library: &Library) -> Client {
    Client::new(&library.staff, &[("x-carrel-page", "1")]).unchecked()
}

async fn log_in(client: &Client, username: &str, password: &str) -> Answer {
    let sent = json!({"library": "test", "username": username, "password": password});
    client.post("/session", &sent).await
}

/// The cookie that an answer sets, with its attributes.
fn cookie(answer: &Answer) -> (String, String) {
    let set = answer.header("set-cookie").expect("a cookie");
    let (cookie, attributes) = set.split_once("; ").expect("attributes");
    (cookie.to_owned(), attributes.to_owned())
}

async fn signed_in(library: &Library, username: &str) -> Client {
    let page = page(library);
    let answer = log_in(&page, username, PASSWORD).await.expect(201);
    page.with_header("cookie", &cookie(&answer).0)
}

#[tokio::test]
async fn a_log_in_sets_a_cookie_for_this_server_only_and_tells_who_is_signed_in() {
    let library = library().await;
    let id = user(&library, "mara", &["users.item.get"]).await;
    let point = json!({"name": "Desk 1", "code": "d1", "discoveryDisplayName": "Desk 1"});
    let point = library.open.create("/service-points", &point).await;
    let points = json!({"userId": id, "servicePointsIds": [point["id"]], "defaultServicePointId": point["id"]});
    library.open.create("/service-points-users", &points).await;
    let page = page(&library);
    let answer = log_in(&page, "Mara", PASSWORD).await.expect(201);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let (cookie, attributes) = cookie(&answer);
    assert_eq!(attributes, "Path=/; HttpOnly; SameSite=Strict");
    let told = answer.json();
    assert_eq!(told["library"], "test");
    assert_eq!(told["user"], json!({"id": id, "username": "mara", "lastName": "Reading", "firstName": "Mara"}));
    assert!(told["permissions"].as_array().expect("names").contains(&json!("users.item.get")));
    assert_eq!(told["servicePoints"], json!([{"id": point["id"], "name": "Desk 1"}]));
    assert_eq!(told["defaultServicePointId"], point["id"]);
    assert!(!answer.text.contains(cookie.split_once('=').expect("a value").1), "a script must not see the secret");
    let again = page.with_header("cookie", &cookie).get("/session").await.expect(200).json();
    assert_eq!(again, told);
}

#[tokio::test]
async fn behind_an_encrypting_proxy_the_cookie_is_secure() {
    let library = library().await;
    user(&library, "mara", &[]).await;
    let page = page(&library).with_header("x-forwarded-proto", "https").with_header("sec-fetch-site", "same-origin");
    let answer = log_in(&page, "mara", PASSWORD).await.expect(201);
    assert_eq!(cookie(&answer).1, "Path=/; HttpOnly; SameSite=Strict; Secure");
}

#[tokio::test]
async fn a_page_calls_both_halves_with_the_cookie() {
    let library = library().await;
    user(&library, "mara", &["users.collection.get"]).await;
    let enable = json!([{"id": "mod-authtoken", "action": "enable"}]);
    library.open.post("/_/proxy/tenants/test/install", &enable).await.expect(200);
    let mara = signed_in(&library, "mara").await;
    let users = mara.get("/folio/users?query=username==mara").await.expect(200).json();
    assert_eq!(users["totalRecords"], 1);
    let refused = mara.post("/folio/groups", &json!({"group": "x"})).await.expect(403);
    assert!(refused.text.contains("requires permission: usergroups.item.post"), "{}", refused.text);
    let me = mara.get("/archivesspace/users/current-user").await.expect(200).json();
    assert_eq!(me["username"], "mara");
}

#[tokio::test]
async fn other_pages_cannot_use_the_cookie() {
    let library = library().await;
    user(&library, "mara", &["perms.all"]).await;
    let mara = signed_in(&library, "mara").await;
    let foreign = json!({"code": "SESSION_GONE", "error": "Nobody is signed in to the library, or not any more"});
    for (name, value) in [("origin", "http://localhost:3000"), ("origin", "null"), ("sec-fetch-site", "same-site")] {
        let elsewhere = mara.with_header(name, value);
        elsewhere.get("/folio/users").await.expect(403);
        elsewhere.get("/session").await.expect(403);
        elsewhere.delete("/session").await.expect(403);
        log_in(&elsewhere, "mara", PASSWORD).await.expect(403);
        assert_eq!(elsewhere.get("/archivesspace/repositories").await.expect(412).json(), foreign);
    }
    // Without the header that needs the consent of this server, as a form or a picture of a foreign page is sent.
    let cookie = cookie(&log_in(&page(&library), "mara", PASSWORD).await.expect(201)).0;
    let unmarked = Client::new(&library.staff, &[("cookie", &cookie)]).unchecked();
    unmarked.get("/session").await.expect(403);
    assert_eq!(unmarked.get("/archivesspace/repositories").await.expect(412).json(), foreign);
    let asked = unmarked.with_header("origin", "http://localhost:3000");
    let asked = asked.with_header("access-control-request-headers", "x-carrel-page");
    for path in ["/folio/users", "/session", "/archivesspace/users"] {
        let answer = asked.send(Method::OPTIONS, path, None).await;
        let allowed = answer.header("access-control-allow-headers").unwrap_or_default().to_ascii_lowercase();
        assert!(!allowed.contains("carrel") && !allowed.contains('*'), "{path}: {allowed}");
    }
    // Its own pages go on.
    let host = library.staff.clone();
    mara.with_header("origin", &host).get("/session").await.expect(200);
}

#[tokio::test]
async fn a_sign_out_ends_the_session() {
    let library = library().await;
    user(&library, "mara", &[]).await;
    let mara = signed_in(&library, "mara").await;
    mara.get("/folio/users?limit=1").await.expect(200);
    let out = mara.delete("/session").await.expect(204);
    assert_eq!(cookie(&out), ("carrelSession=".to_owned(), "Max-Age=0; Path=/; HttpOnly; SameSite=Strict".to_owned()));
    for path in ["/session", "/folio/users?limit=1"] {
        assert_eq!(mara.get(path).await.expect(401).text, "Nobody is signed in, or not any more", "{path}");
    }
    mara.get("/archivesspace/repositories").await.expect(412);
    // Twice does no harm.
    mara.delete("/session").await.expect(204);
    page(&library).delete("/session").await.expect(204);
}

#[tokio::test]
async fn a_session_ends_with_its_time_with_a_new_password_and_with_its_user() {
    let library = library().await;
    let id = user(&library, "mara", &[]).await;
    let mara = signed_in(&library, "mara").await;
    library.clock.advance(SignedDuration::from_hours(24));
    mara.get("/session").await.expect(200);
    library.clock.advance(SignedDuration::from_hours(6 * 24 + 1));
    mara.get("/session").await.expect(401);

    let mara = signed_in(&library, "mara").await;
    let changed = json!({"username": "mara", "password": PASSWORD, "newPassword": "another good password"});
    library.open.post("/authn/update", &changed).await.expect(204);
    library.clock.advance(SignedDuration::from_secs(31));
    mara.get("/session").await.expect(401);

    let page = page(&library);
    let answer = log_in(&page, "mara", "another good password").await.expect(201);
    let mara = page.with_header("cookie", &cookie(&answer).0);
    let mut blocked = library.open.get(&format!("/users/{id}")).await.expect(200).json();
    blocked["active"] = false.into();
    library.open.put(&format!("/users/{id}"), &blocked).await.expect(204);
    library.clock.advance(SignedDuration::from_secs(31));
    mara.get("/session").await.expect(401);
}

/// Tabs of a browser share the cookie. A page whose user or library has been replaced in another tab must not go on as
/// somebody else.
#[tokio::test]
async fn a_page_goes_on_only_as_who_it_believes_to_be() {
    let library = library().await;
    let mara = user(&library, "mara", &[]).await;
    user(&library, "otto", &[]).await;
    let otto = signed_in(&library, "otto").await;
    for (name, value) in [("x-okapi-user-id", mara.to_string()), ("x-okapi-tenant", "other".to_owned())] {
        let stale = otto.with_header(name, &value);
        stale.get("/folio/users?limit=1").await.expect(401);
        stale.get("/archivesspace/repositories").await.expect(412);
        stale.get("/session").await.expect(401);
    }
    otto.with_header("x-okapi-tenant", "test").get("/session").await.expect(200);
}

#[tokio::test]
async fn what_is_wrong_with_a_log_in_is_told_as_elsewhere() {
    let library = library().await;
    user(&library, "mara", &[]).await;
    let page = page(&library);
    for username in ["mara", "nobody"] {
        let refused: Value = log_in(&page, username, "wrong").await.expect(422).json();
        assert_eq!(refused["errors"][0]["code"], "wrong.username.or.wrong.password.or.account.blocked");
    }
    let elsewhere = json!({"library": "nowhere", "username": "mara", "password": PASSWORD});
    assert_eq!(page.post("/session", &elsewhere).await.expect(400).text, "No such Tenant nowhere");
    page.post("/session", &json!({"library": "test"})).await.expect(400);
    page.put("/session", &json!({})).await.expect(405);
    for cookie in ["carrelSession=nonsense", "carrelSession=test.nonsense", "carrelSession=other.nonsense"] {
        page.with_header("cookie", cookie).get("/session").await.expect(401);
    }
}
