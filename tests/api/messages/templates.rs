//! `/templates` and `/template-request`.

use serde_json::{Value, json};
use testkit::{Library, library};
use uuid::Uuid;

fn template() -> Value {
    json!({
        "name": "Due soon", "active": true, "category": "Loan", "description": "A reminder",
        "outputFormats": ["text/html"], "templateResolver": "mustache",
        "localizedTemplates": {"en": {"header": "Due {{loan.dueDate}}", "body": "<p>{{item.title}} {{item.barcodeImage}}</p>"}},
    })
}

async fn created(library: &Library) -> String {
    let record = library.open.create("/templates", &template()).await;
    record["id"].as_str().expect("an id").to_owned()
}

#[tokio::test]
async fn templates_keep_unknown_members() {
    let library = library().await;
    let mut sent = template();
    sent["editor"] = json!({"version": 2});
    let stored = library.open.create("/templates", &sent).await;
    let path = format!("/templates/{}", stored["id"].as_str().expect("an id"));
    let read = library.open.get(&path).await.expect(200).json();
    assert_eq!(read["editor"], json!({"version": 2}));
    assert_eq!(read["name"], "Due soon");

    sent["name"] = "Due today".into();
    let replaced = library.open.put(&path, &sent).await.expect(200).json();
    assert_eq!(replaced["name"], "Due today");
    let found = library.open.query("/templates", "name==\"Due today\"").await.expect(200).json();
    assert_eq!(found["totalRecords"], 1);

    library.open.delete(&path).await.expect(204);
    let gone = library.open.get(&path).await.expect(404);
    assert_eq!(gone.text, format!("Template with id '{}' not found", &path["/templates/".len()..]));
}

/// FOLIO's script inserts them.
#[tokio::test]
async fn the_templates_of_every_library_have_no_metadata() {
    let library = library().await;
    created(&library).await;
    let listed = library.open.get("/templates").await.expect(200).json();
    let templates = listed["templates"].as_array().expect("templates");
    let (own, shipped): (Vec<_>, Vec<_>) = templates.iter().partition(|template| template["name"] == "Due soon");
    assert_eq!((own.len(), shipped.len()), (1, 5));
    assert!(own[0]["metadata"]["createdDate"].is_string());
    assert!(shipped.iter().all(|template| template.get("metadata").is_none()));
}

#[tokio::test]
async fn invalid_templates_are_refused_as_in_folio() {
    let library = library().await;
    let unknown = Uuid::new_v4();
    for (method, path) in [("get", unknown.to_string()), ("put", unknown.to_string()), ("delete", "x".into())] {
        let path = format!("/templates/{path}");
        let answer = match method {
            "get" => library.open.get(&path).await,
            "put" => library.open.put(&path, &template()).await,
            _ => library.open.delete(&path).await,
        };
        let id = &path["/templates/".len()..];
        assert_eq!(answer.expect(404).text, format!("Template with id '{id}' not found"));
    }
    // The list has a default, so that it may be absent, as in FOLIO's suites.
    let mut without_formats = template();
    without_formats.as_object_mut().expect("members").remove("outputFormats");
    let stored = library.open.create("/templates", &without_formats).await;
    assert_eq!(stored["outputFormats"], json!([]));
    for (change, status, text) in [
        (json!({"templateResolver": "jinja"}), 400, "Template resolver 'jinja' is not supported"),
        (json!({"outputFormats": null}), 422, "must not be null"),
        (json!({"localizedTemplates": {"en": {"header": "x"}}}), 422, "must not be null"),
    ] {
        let mut sent = template();
        for (name, value) in change.as_object().expect("members") {
            sent[name] = value.clone();
        }
        let answer = library.open.post("/templates", &sent).await.expect(status);
        assert!(answer.text.contains(text), "{}", answer.text);
    }
}

#[tokio::test]
async fn the_first_fault_in_folios_order_is_reported() {
    let library = library().await;
    let mut sent = template();
    sent["templateResolver"] = "jinja".into();
    let unknown = format!("/templates/{}", Uuid::new_v4());
    let resolver = "Template resolver 'jinja' is not supported";
    // The template is validated before its existence is checked.
    for path in [unknown.as_str(), "/templates/x"] {
        let refused = library.open.put(path, &sent).await.expect(400);
        assert_eq!(refused.text, resolver, "{path}");
    }
    // The schema comes before the resolver.
    for (content, message, key) in [
        (json!({"body": "b"}), "must not be null", "header"),
        (json!({"header": " h", "body": "b"}), "must match \"\\S+.*\"", "header"),
        (json!({"header": "h\nh", "body": "b"}), "must match \"\\S+.*\"", "header"),
        (json!({"header": "h", "body": "\nb"}), "must match \"(?s)\\S+.*\"", "body"),
    ] {
        sent["localizedTemplates"] = json!({"en": content});
        let refused = library.open.post("/templates", &sent).await.expect(422).json();
        let error = &refused["errors"][0];
        let key = format!("localizedTemplates.additionalProperties[en].{key}");
        assert_eq!((&error["message"], &error["parameters"][0]["key"]), (&json!(message), &json!(key)));
    }
    // A template's format comes before its language.
    let id = created(&library).await;
    let request = json!({"templateId": id, "lang": "de", "outputFormat": "text/plain", "context": {}});
    let refused = library.open.post("/template-request", &request).await.expect(400);
    assert_eq!(refused.text, "Requested template does not support 'text/plain' output format");
}

#[tokio::test]
async fn a_template_used_by_a_policy_cannot_be_deleted() {
    let library = library().await;
    let id = created(&library).await;
    let policy = json!({
        "name": "Notices", "active": true,
        "loanNotices": [{"name": "Due", "templateId": id, "format": "Email", "realTime": true,
            "sendOptions": {"sendHow": "Upon At", "sendWhen": "Due date"}}],
    });
    let path = "/patron-notice-policy-storage/patron-notice-policies";
    let policy = library.open.create(path, &policy).await;
    let template = format!("/templates/{id}");
    let refused = library.open.delete(&template).await.expect(400);
    assert_eq!(refused.text, "Cannot delete template which is currently in use");
    let policy = format!("{path}/{}", policy["id"].as_str().expect("an id"));
    library.open.delete(&policy).await.expect(204);
    library.open.delete(&template).await.expect(204);
}

#[tokio::test]
async fn templates_use_the_librarys_date_format() {
    let library = library().await;
    let id = created(&library).await;
    let locale = json!({"locale": "en-US", "timezone": "America/New_York", "currency": "USD"});
    library.open.put("/locale", &locale).await.expect(204);
    let request = json!({
        "templateId": id, "lang": "en", "outputFormat": "text/html",
        "context": {"item": {"title": "Salt & Stone", "barcode": "1001"}, "loan": {"dueDate": "2026-11-23T03:00:00Z"}},
    });
    let answer = library.open.post("/template-request", &request).await.expect(200);
    assert_eq!(answer.round_trips(), 1);
    let filled = answer.json();
    assert_eq!(filled["templateId"], id.as_str());
    let result = &filled["result"];
    assert_eq!(result["header"], "Due 11/22/26");
    let body = "<p>Salt &amp; Stone <img src='cid:barcode_1001' alt='barcode_1001'></p>";
    assert_eq!(result["body"], body);
    assert_eq!(filled["meta"]["size"], body.len());
    assert_eq!(filled["meta"]["lang"], "en");
    let image = &result["attachments"][0];
    assert_eq!(image["name"], "barcode_1001");
    assert_eq!(image["contentId"], "<barcode_1001>");
    assert!(image["data"].as_str().is_some_and(|data| data.starts_with("iVBORw0KGgo")), "a PNG");
}

#[tokio::test]
async fn requests_for_missing_formats_and_languages_are_refused() {
    let library = library().await;
    let id = created(&library).await;
    let unknown = Uuid::new_v4().to_string();
    for (template, lang, format, text) in [
        (unknown.as_str(), "en", "text/html", format!("Template with id {unknown} does not exist")),
        ("x", "en", "text/html", "Template with id x does not exist".into()),
        (&id, "de", "text/html", "Requested template does not have localized template for language 'de'".into()),
        (&id, "en", "text/plain", "Requested template does not support 'text/plain' output format".into()),
    ] {
        let request = json!({"templateId": template, "lang": lang, "outputFormat": format, "context": {}});
        let answer = library.open.post("/template-request", &request).await.expect(400);
        assert_eq!(answer.text, text);
    }
    let missing = library.open.post("/template-request", &json!({"lang": "en"})).await.expect(422);
    assert_eq!(missing.error_messages(), ["must not be null", "must not be null"]);
}

#[tokio::test]
async fn a_text_is_filled_without_being_stored() {
    let library = library().await;
    let preview = "/template-request/preview";
    let sent = json!({"header": "{{a}}", "body": "{{#list}}{{.}},{{/list}}", "context": {"a": 1, "list": ["x", "y"]}});
    let answer = library.open.post(preview, &sent).await.expect(200);
    assert_eq!(answer.json(), json!({"header": "1", "body": "x,y,"}));
    let answer = library.open.post(preview, &json!({"body": "{{#open}}"})).await.expect(400);
    assert_eq!(answer.text, "Template could not be rendered: the section open is not closed");
    let empty = library.open.post(preview, &json!({})).await.expect(200);
    assert_eq!(empty.json(), json!({"header": "", "body": ""}));
}
