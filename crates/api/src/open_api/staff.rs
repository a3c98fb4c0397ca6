//! The staff port's own paths, beside the FOLIO API (`crate::staff`).

use http::Method;
use serde_json::{Value, json};
use store::record::Side;

use super::schemas::Components;
use crate::route::{Body, JSON, TEXT};

/// The paths, which are outside the base path of the FOLIO API.
pub(super) fn paths(components: &mut Components) -> impl Iterator<Item = (String, Value)> {
    let text = || Body::media(TEXT);
    let status = Body::json("version*, openTenantsAllowed*:bool, sampleLibrary*:bool").named("ServerStatus");
    let document = Body { media: JSON, ..Body::json(":object") };
    [
        ("/healthz", "Whether Carrel runs", text(), &[][..]),
        ("/readyz", "Whether its database accepts changes", text(), &[503]),
        ("/metrics", "Figures for Prometheus", text(), &[401, 403, 404]),
        ("/openapi.json", "This document", document, &[]),
        ("/status.json", "What the staff pages need before anybody signs in", status, &[]),
    ]
    .map(|(path, summary, body, refused)| {
        let answers = answers(components, 200, Some(&body), refused);
        (path.to_owned(), json!({"servers": own_address(), "get": operation(&Method::GET, path, summary, answers)}))
    })
    .into_iter()
    .chain([("/session".to_owned(), session(components))])
}

/// The session of the pages: their requests carry a header and, from the log-in on, a cookie.
fn session(components: &mut Components) -> Value {
    let signed_in = "library*, user*{id*:uuid, username*, lastName, firstName, preferredFirstName}, permissions*[text], \
        servicePoints*[{id*:uuid, name*}], defaultServicePointId:uuid, expires*:datetime";
    let shown = Body::json(signed_in).named("StaffSession");
    let sent = components.content(&Body::json("library*, username*, password*"), Side::Taken);
    let given = answers(components, 201, Some(&shown), &[400, 403, 422, 429, 503]);
    let mut log_in = operation(&Method::POST, "/session", "Sign in at the staff pages", given);
    log_in["requestBody"] = json!({"content": sent, "required": true});
    let given = answers(components, 200, Some(&shown), &[401, 403]);
    let read = operation(&Method::GET, "/session", "Who is signed in at the staff pages", given);
    let given = answers(components, 204, None, &[403]);
    let log_out = operation(&Method::DELETE, "/session", "Sign out of the staff pages", given);
    let mark = json!([{"name": "X-Carrel-Page", "in": "header", "required": true, "schema": {"type": "string"},
        "description": "Any value: pages of other origins cannot send it"}]);
    json!({"servers": own_address(), "parameters": mark, "get": read, "post": log_in, "delete": log_out})
}

fn own_address() -> Value {
    json!([{"url": "/", "description": "The staff port"}])
}

fn answers(components: &mut Components, status: u16, body: Option<&Body>, refused: &[u16]) -> Value {
    let mut given = json!({"description": "OK"});
    if let Some(body) = body {
        given["content"] = components.content(body, Side::Given);
    }
    let mut answers = json!({status.to_string(): given});
    for status in refused {
        answers[status.to_string()] = components.refusal(&super::refusals::DEFAULT);
    }
    answers
}

fn operation(method: &Method, path: &str, summary: &str, responses: Value) -> Value {
    json!({"operationId": super::operation_id(method, path), "summary": summary, "tags": ["carrel"], "security": [],
        "responses": responses})
}
