//! The gateway (folio-platform §1).

use serde_json::json;
use testkit::{Client, library, library_with};

#[tokio::test]
async fn a_preflight_needs_neither_tenant_nor_token() {
    let library = library().await;
    let client = Client::new(
        library.open.base(),
        &[
            ("origin", "http://desk.example"),
            ("access-control-request-method", "GET"),
        ],
    );
    for path in ["/users", "/no/such?a=%zz&&&", "/"] {
        let answer = client
            .send("OPTIONS".parse().unwrap(), path, None)
            .await
            .expect(204);
        assert_eq!(
            answer.header("access-control-allow-origin"),
            Some("http://desk.example")
        );
        assert_eq!(
            answer.header("access-control-allow-credentials"),
            Some("true")
        );
        assert_eq!(answer.header("access-control-max-age"), Some("7200"));
        let methods = answer
            .header("access-control-allow-methods")
            .unwrap()
            .to_owned();
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE"] {
            assert!(methods.contains(method), "{methods}");
        }
    }
}

#[tokio::test]
async fn unknown_tenants_and_paths_are_told_apart() {
    let library = library().await;
    let base = library.open.base();
    let nobody = Client::new(base, &[("x-okapi-tenant", "nobody")])
        .get("/users")
        .await;
    assert_eq!(nobody.expect(400).text, "No such Tenant nobody");
    let path = library.open.get("/no-such-path").await.expect(404);
    assert!(
        path.text.starts_with("No suitable module found for path"),
        "{}",
        path.text
    );
    let trailing = library.open.get("/material-types/").await;
    trailing.expect(200);
}

#[tokio::test]
async fn a_tenant_that_nothing_protects_is_refused_unless_allowed() {
    let library = library_with(|_| {}).await;
    let refused = library.open.get("/material-types").await.expect(403);
    assert!(
        refused.text.contains("--allow-open-tenants"),
        "{}",
        refused.text
    );
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let library = library_with(|settings| {
        settings.allow_open_tenants = true;
        settings.body_limit = 1000;
    })
    .await;
    let body = vec![b' '; 1001];
    library
        .open
        .send("POST".parse().unwrap(), "/material-types", Some(body))
        .await
        .expect(413);
}

#[tokio::test]
async fn the_staff_port_serves_health_and_the_api_document() {
    let library = library().await;
    let staff = Client::new(&library.staff, &[("x-okapi-tenant", library.tenant)]);
    assert_eq!(staff.get("/healthz").await.expect(200).text, "ok\n");
    assert_eq!(staff.get("/readyz").await.expect(200).text, "ready\n");
    let document = staff.get("/openapi.json").await.expect(200).json();
    assert!(document["paths"]["/material-types/{id}"]["get"].is_object());
    staff.get("/folio/material-types").await.expect(200);
    let status = staff.get("/status.json").await.expect(200).json();
    assert_eq!(status["openTenantsAllowed"], true);
}

#[tokio::test]
async fn some_modules_refuse_types_they_do_not_speak() {
    let library = library().await;
    let book = json!({"name": "book"});
    let refusal = |header: &str, sent: &str| match header {
        "accept" => format!(
            "Accept header must be [\"application/json\",\"text/plain\"] for this request, but it is \"{sent}\", \
             can not send */*"
        ),
        _ => format!("Content-type header must be [\"application/json\"] but it is \"{sent}\""),
    };
    for (header, sent, told) in [
        ("content-type", "text/plain; charset=UTF-8", "text/plain"),
        (
            "content-type",
            "application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded",
        ),
        (
            "accept",
            "text/html, image/*;q=0.5",
            "text/html, image/*;q=0.5",
        ),
    ] {
        let client = library.open.with_header(header, sent);
        let refused = client.post("/material-types", &book).await.expect(400);
        assert_eq!(refused.text, refusal(header, told));
        // A request without a body has no type, and other modules take what comes.
        if header == "content-type" {
            client.get("/material-types").await.expect(200);
        }
        client
            .post("/tags", &json!({"label": sent}))
            .await
            .expect(201);
    }
    let good = [
        ("content-type", "Application/JSON;charset=utf-8"),
        ("accept", "text/html, */*;q=0.1"),
        ("accept", "application/json"),
    ];
    for (place, (header, sent)) in good.into_iter().enumerate() {
        let client = library.open.with_header(header, sent);
        client
            .create("/material-types", &json!({"name": format!("kind {place}")}))
            .await;
    }
}
