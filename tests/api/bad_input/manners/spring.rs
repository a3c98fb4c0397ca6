//! Modules written with Spring: tags, notes, calendars, settings.

use super::*;

const TAG_ID: &str = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-5][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$";

/// The only error of mod-notes and mod-tags.
fn spring(message: &str, code: &str) -> Value {
    json!({"errors": [{"message": message, "type": "-1", "code": code, "parameters": []}]})
}

fn not_converted(name: &str, class: &str, detail: &str) -> String {
    format!(
        "Method parameter '{name}': Failed to convert value of type 'java.lang.String' \
         to required type '{class}'; {detail}"
    )
}

fn no_uuid(name: &str) -> String {
    not_converted(name, "java.util.UUID", "Invalid UUID string: x")
}

fn no_number(name: &str) -> String {
    not_converted(name, "java.lang.Integer", "For input string: \"x\"")
}

fn at_least(operation: &str, least: u8) -> String {
    format!("{operation}: must be greater than or equal to {least}")
}

#[tokio::test]
async fn tags_refuse_as_mod_tags_does() {
    let library = library().await;
    let client = &library.open;
    client.create("/tags", &json!({"label": "rare"})).await;
    let no_id = |operation: &str| format!("{operation}.id: must match \"{TAG_ID}\"");
    let field = |name: &str, value: &str, message: &str| {
        format!(
            "Validation failed for argument [0]: [Field error in object 'tagDto' on field '{name}': \
             rejected value [{value}]; default message [{message}]]"
        )
    };
    let label = "{\"label\": \"x\"}";
    let rows: Vec<Row> = vec![
        ("GET", "/tags/x", None, 422, no_id("getTagById")),
        ("PUT", "/tags/x", Some(label), 422, no_id("putTagById")),
        ("DELETE", "/tags/x", None, 422, no_id("deleteTagById")),
        ("GET", "/tags/00000000-0000-0000-0000-000000000000", None, 422, no_id("getTagById")),
        ("GET", "/tags?limit=0", None, 422, at_least("getTagCollection.limit", 1)),
        ("GET", "/tags?limit=-1", None, 422, at_least("getTagCollection.limit", 1)),
        ("GET", "/tags?offset=-1", None, 422, at_least("getTagCollection.offset", 0)),
        ("GET", "/tags?limit=x", None, 422, no_number("limit")),
        ("GET", "/tags?offset=x", None, 422, no_number("offset")),
        ("POST", "/tags", Some("{}"), 422, field("label", "null", "must not be null")),
        (
            "POST",
            "/tags",
            Some("{\"label\": \"y\", \"id\": \"x\"}"),
            422,
            field("id", "x", &format!("must match \"{}\"", store::record::UUID_PATTERN)),
        ),
        ("POST", "/tags", Some("{\"label\": \"rare\"}"), 422, "Key (label)=(rare) already exists.".into()),
        ("POST", "/tags", Some(""), 422, "Required request body is missing: POST /tags".into()),
    ];
    for (method, path, body, status, message) in rows {
        let answer = ask(client, method, path, body).await.expect(status);
        let expected = spring(&message, "VALIDATION_ERROR");
        assert_eq!(answer.json(), expected, "{method} {path}");
    }
    let unknown = format!("/tags/{NOBODY}");
    let absent = spring(&format!("Tag with id [{NOBODY}] was not found"), "NOT_FOUND_ERROR");
    for method in ["GET", "PUT", "DELETE"] {
        let body = (method == "PUT").then_some(label);
        let answer = ask(client, method, &unknown, body).await.expect(404);
        assert_eq!(answer.json(), absent, "{method}");
    }
    let broken = ask(client, "POST", "/tags", Some("{\"label\":")).await;
    assert!(broken.expect(422).error_messages()[0].starts_with("JSON parse error: "));
    client.query("/tags", "label=(").await.expect(422);
    let long = json!({"label": "x".repeat(256)});
    let long = client.post("/tags", &long).await.expect(422);
    assert!(long.error_messages()[0].contains("size must be between 0 and 255"));
    client.get("/tags?limit=&offset=").await.expect(200);
    let plain = client.with_header("content-type", "text/plain");
    let other = plain.post("/tags", &json!({"label": "z"})).await.expect(415);
    let unsupported = json!({"errors": [{"message": "Content-Type 'text/plain' is not supported",
        "type": "-4", "parameters": []}]});
    assert_eq!(other.json(), unsupported);
    let picture = client.with_header("accept", "image/png");
    picture.get("/tags").await.expect(406);
}

#[tokio::test]
async fn notes_and_their_types_and_links_refuse_as_mod_notes_does() {
    let library = library().await;
    let client = &library.open;
    let links = "/note-links/domain/users/type/user/id/1";
    let field = |object: &str, name: &str| {
        format!(
            "[Field error in object '{object}' on field '{name}': rejected value [null]; \
             default message [must not be null]]"
        )
    };
    let missing = |fields: &[String]| {
        let fields = fields.join(" ");
        format!("Validation failed for argument [0]: {fields}")
    };
    let note = "{\"typeId\": \"x\", \"title\": \"t\", \"domain\": \"users\"}";
    let unread = "JSON parse error: Cannot deserialize value of type `java.util.UUID` from String \"x\": \
        UUID has to be represented by standard 36-char representation";
    let value_of = |name: &str, class: &str| {
        let class = format!("org.folio.notes.domain.dto.{class}");
        let detail = format!("Failed to convert from type [java.lang.String] to type [{class}] for value [x]");
        not_converted(name, &class, &detail)
    };
    let mut rows: Vec<(String, String, Option<&str>, String)> = vec![
        ("POST".into(), "/notes".into(), Some(note), unread.into()),
        (
            "POST".into(),
            "/notes".into(),
            Some("{}"),
            missing(&["typeId", "title", "domain"].map(|name| field("note", name))),
        ),
        ("POST".into(), "/notes".into(), Some(""), "Required request body is missing: POST /notes".into()),
        ("POST".into(), "/note-types".into(), Some("{}"), missing(&[field("noteType", "name")])),
        (
            "PUT".into(),
            "/note-links/type/user/id/1".into(),
            Some("{\"notes\": null}"),
            missing(&[field("noteLinkUpdateCollection", "notes")]),
        ),
        (
            "PUT".into(),
            "/note-links/type/user/id/1".into(),
            Some("{\"notes\": [{\"status\": \"ASSIGNED\"}]}"),
            missing(&[field("noteLinkUpdateCollection", "notes[0].id")]),
        ),
    ];
    for path in ["/notes", "/note-types"] {
        for method in ["GET", "PUT", "DELETE"] {
            let body = (method == "PUT").then_some("{}");
            rows.push((method.into(), format!("{path}/x"), body, no_uuid("id")));
        }
    }
    for (path, operation) in
        [("/notes", "getNoteCollection"), ("/note-types", "getNoteTypeCollection"), (links, "getNoteCollectionByLink")]
    {
        for (query, message) in [
            ("limit=0", at_least(&format!("{operation}.limit"), 1)),
            ("limit=-1", at_least(&format!("{operation}.limit"), 1)),
            ("offset=-1", at_least(&format!("{operation}.offset"), 0)),
            ("limit=x", no_number("limit")),
            ("offset=99999999999", not_converted("offset", "java.lang.Integer", "For input string: \"99999999999\"")),
        ] {
            rows.push(("GET".into(), format!("{path}?{query}"), None, message));
        }
    }
    for (name, class) in [("status", "LinkStatusFilter"), ("orderBy", "NotesOrderBy"), ("order", "OrderDirection")] {
        let path = format!("{links}?{name}=x");
        rows.push(("GET".into(), path, None, value_of(name, class)));
    }
    for (method, path, body, message) in rows {
        let answer = ask(client, &method, &path, body).await.expect(422);
        let expected = spring(&message, "VALIDATION_ERROR");
        assert_eq!(answer.json(), expected, "{method} {path}");
    }
    for (path, what) in [("/notes", "Note"), ("/note-types", "Note type")] {
        let expected = format!("{what} with ID [{NOBODY}] was not found");
        let absent = client.get(&format!("{path}/{NOBODY}")).await.expect(404);
        assert_eq!(absent.json(), spring(&expected, "NOT_FOUND_ERROR"));
        let broken = ask(client, "POST", path, Some("{\"a\":")).await;
        assert!(broken.expect(422).error_messages()[0].starts_with("JSON parse error: "));
        let plain = client.with_header("content-type", "text/plain");
        let other = plain.post(path, &json!({})).await.expect(415).json();
        let members = ["status", "error", "message", "path"].map(|member| other[member].clone());
        let unsupported = "Content-Type 'text/plain' is not supported";
        assert_eq!(members.to_vec(), [json!(415), json!("Unsupported Media Type"), json!(unsupported), json!(path)]);
        let picture = client.with_header("accept", "image/png");
        picture.get(path).await.expect(406);
        client.query(path, "title=(").await.expect(422);
    }
}

#[tokio::test]
async fn calendars_refuse_as_mod_calendar_does() {
    let library = library().await;
    let client = &library.open;
    let dates = "/calendar/dates/11111111-2222-4333-8444-555555555555";
    let no_date = |name: &str| {
        let detail = "Failed to convert from type [java.lang.String] to type [java.time.LocalDate] for value [x]";
        not_converted(name, "java.time.LocalDate", detail)
    };
    let required =
        |name: &str| format!("Required request parameter '{name}' for method parameter type LocalDate is not present");
    let in_list = not_converted(
        "id",
        "java.util.List",
        "Failed to convert from type [java.lang.String] to type [java.util.UUID] for value [x]",
    );
    for (method, path, body, message) in [
        ("GET", "/calendar/calendars/x".to_owned(), None, no_uuid("calendarId")),
        ("PUT", "/calendar/calendars/x".to_owned(), Some("{}"), no_uuid("calendarId")),
        ("DELETE", "/calendar/calendars/x".to_owned(), None, no_uuid("calendarId")),
        ("GET", "/calendar/calendars?id=x".to_owned(), None, in_list.clone()),
        ("DELETE", "/calendar/calendars?id=x".to_owned(), None, in_list),
        ("GET", "/calendar/calendars?limit=x".to_owned(), None, no_number("limit")),
        ("GET", "/calendar/calendars?offset=x".to_owned(), None, no_number("offset")),
        ("GET", "/calendar/calendars?limit=-1".to_owned(), None, "limit must be greater than or equal to 0".to_owned()),
        ("GET", "/calendar/calendars?startDate=x".to_owned(), None, no_date("startDate")),
        ("GET", "/calendar/dates/x/surrounding-openings?date=2022-03-07".to_owned(), None, no_uuid("servicePointId")),
        ("GET", format!("{dates}/surrounding-openings"), None, required("date")),
        ("GET", format!("{dates}/all-openings"), None, required("startDate")),
        (
            "POST",
            "/calendar/calendars".to_owned(),
            Some(""),
            "Required request body is missing: POST /calendar/calendars".to_owned(),
        ),
    ] {
        let answer = ask(client, method, &path, body).await.expect(400).json();
        assert_eq!(answer["status"], 400, "{method} {path}");
        let expected = json!([{"code": "invalidParameter", "_parameters": {},
            "message": format!("One of the parameters was the incorrect type: {message}")}]);
        assert_eq!(answer["errors"], expected, "{method} {path}");
    }
    let path = format!("/calendar/calendars/{NOBODY}");
    let absent = client.get(&path).await.expect(404).json();
    assert_eq!(absent["errors"][0]["_parameters"], json!({"query": [NOBODY]}));
    let backward = json!({"name": " ", "startDate": "2022-02-01", "endDate": "2022-01-01", "assignments": [],
        "normalHours": [], "exceptions": []});
    let refused = client.post("/calendar/calendars", &backward).await.expect(400).json();
    let named: Vec<_> = refused["errors"].as_array().expect("errors").iter().map(|e| &e["_parameters"]).collect();
    let dates = json!({"startDate": "2022-02-01", "endDate": "2022-01-01"});
    assert_eq!(named, [&json!({"name": " "}), &dates]);
    // The body's content type is one of its parameters; `Accept` is ignored.
    let plain = client.with_header("content-type", "text/plain");
    let other = plain.post("/calendar/calendars", &backward).await.expect(400).json();
    let message = other["errors"][0]["message"].as_str().expect("a message");
    assert!(message.ends_with("Content-Type 'text/plain' is not supported"), "{message}");
    let picture = client.with_header("accept", "image/png");
    picture.get("/calendar/calendars").await.expect(200);
}

#[tokio::test]
async fn password_rules_refuse_as_mod_password_validator_does() {
    let library = library().await;
    let client = &library.open;
    let of = |name: &str| {
        json!({"message": format!("{name} must not be null"), "type": "-1",
            "parameters": [{"key": name, "value": "null"}]})
    };
    let missing = client.post("/password/validate", &json!({})).await.expect(422);
    let expected = json!({"errors": [of("userId"), of("password")], "total_records": 2});
    assert_eq!(missing.json(), expected);
    let stranger = json!({"userId": NOBODY, "password": "x"});
    let unknown = client.post("/password/validate", &stranger).await.expect(404);
    let expected = json!({"message": "User with given id not found", "type": "-2",
        "parameters": [{"key": "userId", "value": NOBODY}]});
    assert_eq!(unknown.json(), expected);
    let broken = ask(client, "POST", "/password/validate", Some("{\"a\":")).await;
    let broken = broken.expect(400).json();
    assert_eq!((&broken["status"], &broken["error"]), (&json!(400), &json!("Bad Request")));
    let plain = client.with_header("content-type", "text/plain");
    plain.post("/password/validate", &stranger).await.expect(415);
    let wrong = client.get("/tenant/rules?limit=x").await.expect(400).json();
    assert_eq!(wrong["path"], "/tenant/rules");
}
