//! Modules made with the RAML module builder, and modules with their own manners.

use super::*;

#[tokio::test]
async fn settings_refuse_as_mod_settings_does() {
    let library = library().await;
    let permissions = "[\"mod-settings.global.read.desk\",\"mod-settings.global.write.desk\"]";
    let client = &library.open.with_header("x-okapi-permissions", permissions);
    let of_id = "Validation error for parameter id in location PATH: Provided value don't match pattern";
    let below = |name: &str| format!("Validation error for parameter {name} in location QUERY: value should be >= 0.0");
    let body = |fault: &str| format!("Validation error for body application/json: {fault}");
    let entry = "{\"id\": \"11111111-2222-4333-8444-555555555555\", \"scope\": \"desk\", \"key\": \"k\", \
        \"value\": 1, \"other\": 2}";
    for (method, path, sent, text) in [
        ("GET", "/settings/entries/x", None, of_id.to_owned()),
        ("PUT", "/settings/entries/x", Some("{}"), of_id.to_owned()),
        ("DELETE", "/settings/entries/x", None, of_id.to_owned()),
        ("GET", "/settings/entries?limit=-1", None, below("limit")),
        ("GET", "/settings/entries?offset=-1", None, below("offset")),
        (
            "GET",
            "/settings/entries?limit=x",
            None,
            "Parsing error for parameter limit in location QUERY: For input string: \"x\"".to_owned(),
        ),
        (
            "POST",
            "/settings/entries",
            Some("{\"key\": \"k\", \"value\": 1}"),
            body("provided object should contain property scope"),
        ),
        (
            "POST",
            "/settings/entries",
            Some("{\"scope\": \"desk\", \"key\": \"k\", \"value\": 1}"),
            body("provided object should contain property id"),
        ),
        (
            "POST",
            "/settings/entries",
            Some(entry),
            body("Provided object contains unexpected additional property: other"),
        ),
    ] {
        let answer = ask(client, method, path, sent).await.expect(400);
        assert_eq!(answer.text, format!("[Bad Request] {text}"), "{method} {path}");
        assert_eq!(answer.header("content-type"), Some("text/plain"));
    }
    let broken = ask(client, "POST", "/settings/entries", Some("{\"a\":")).await;
    let message = broken.expect(400).text;
    assert!(message.starts_with("[Bad Request] Json body application/json parsing error: "), "{message}");
    let plain = client.with_header("content-type", "text/plain");
    let other = plain.post("/settings/entries", &json!({})).await.expect(400);
    assert_eq!(other.text, "[Bad Request] Cannot find body processor for content type text/plain");
    let other = plain.put("/settings/upload", &json!([])).await.expect(400);
    assert_eq!(other.text, "Content-Type must be application/json");
    client.query("/settings/entries", "key=(").await.expect(400);
    let absent = client.get(&format!("/settings/entries/{NOBODY}")).await;
    assert_eq!(absent.expect(404).text, "Not Found");
}

/// The modules made with the RAML module builder, each with a list.
#[tokio::test]
async fn other_modules_refuse_as_the_raml_module_builder_does() {
    let library = library().await;
    let client = &library.open;
    let no_id = "Invalid UUID format of id, should be xxxxxxxx-xxxx-Mxxx-Nxxx-xxxxxxxxxxxx \
        where M is 1-5 and N is 8, 9, a, b, A or B and x is 0-9, a-f or A-F.";
    for path in [
        "/material-types",
        "/item-storage/items",
        "/cancellation-reason-storage/cancellation-reasons",
        "/owners",
        "/groups",
        "/patron-block-limits",
        "/configurations/entries",
        "/smtp-configuration",
    ] {
        let one = format!("{path}/x");
        assert_eq!(client.get(&one).await.expect(404).text, no_id, "{path}");
        assert_eq!(client.delete(&one).await.expect(400).text, no_id, "{path}");
        for (query, value) in [("limit", "-1"), ("offset", "-1"), ("limit", "x")] {
            let answer = client.get(&format!("{path}?{query}={value}")).await.expect(400);
            let expected = format!("'{query}' parameter is incorrect. parameter value {{{value}}} is not valid: ");
            assert!(answer.text.starts_with(&expected), "{path}: {}", answer.text);
        }
        let broken = ask(client, "POST", path, Some("{\"a\":")).await.expect(400);
        assert!(broken.text.starts_with("Json content error: "), "{path}: {}", broken.text);
        let plain = client.with_header("content-type", "text/plain");
        let other = plain.post(path, &json!({})).await.expect(400);
        let expected = "Content-type header must be [\"application/json\"] but it is \"text/plain\"";
        assert_eq!(other.text, expected, "{path}");
        let picture = client.with_header("accept", "image/png");
        let other = picture.get(path).await.expect(400);
        assert!(other.text.starts_with("Accept header must be "), "{path}: {}", other.text);
    }
}

/// Many clients send the same `Content-Type` with all requests.
#[tokio::test]
async fn the_content_type_of_an_unread_body_does_not_matter() {
    let library = library().await;
    let client = library.open.with_header("content-type", "application/octet-stream");
    let made = library.open.create("/material-types", &json!({"name": "book"})).await;
    let one = format!("/material-types/{}", made["id"].as_str().unwrap());
    for (method, path, status) in [
        ("GET", one.as_str(), 200),
        ("DELETE", one.as_str(), 204),
        ("DELETE", "/delayedTask/expiredMessages", 204),
        ("POST", "/delayedTask/retryFailedEmails", 202),
        ("DELETE", "/patron-pin", 400),
        ("PUT", one.as_str(), 400),
    ] {
        let answer = ask(&client, method, path, Some("bytes")).await;
        assert_eq!(answer.status, status, "{method} {path}: {}", answer.text);
    }
}

#[tokio::test]
async fn an_invalid_id_is_a_422_if_the_put_declares_it() {
    let library = library().await;
    let limit = json!({"id": NOBODY, "patronGroupId": NOBODY, "conditionId": NOBODY, "value": 1});
    let refused = library.open.put("/patron-block-limits/x", &limit).await.expect(422).json();
    let error = &refused["errors"][0];
    let parameter = json!([{"key": "patron_block_limits.id", "value": "x"}]);
    assert_eq!((&error["type"], &error["parameters"]), (&json!("1"), &parameter));
}
